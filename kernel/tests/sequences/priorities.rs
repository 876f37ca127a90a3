//! Priorities: a thread becomes more or less urgent, wherever it stands or waits.

use beryl_abi::CallNumber::{Complete, Stop, Yield};
use beryl_abi::ThreadId;
use beryl_kernel::{Event, System};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::Wait::{AtMost, Forever};
use crate::host::asks::*;
use crate::host::draft::{Draft, Queue, Small};
use crate::host::user::{level, waiting};
use crate::host::{Rig, play, story, without};

const LOW: u32 = 1;
const HIGH: u32 = 20;

/// Free threads of one process in a fixed band, 0 the most urgent, each of which may have any priority from 1 to 20.
fn draft(priorities: &[u8]) -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    for priority in priorities {
        let thread = draft.free(0, 0, *priority);
        draft.range(thread, [LOW as u8, HIGH as u8]);
    }
    draft
}

fn system(priorities: &[u8]) -> System<Small> {
    draft(priorities).finish().0
}

const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const C: ThreadId = ThreadId(2);

#[test]
fn who_becomes_less_urgent_than_a_ready_one_makes_way_and_comes_back() {
    let script = [
        set_priority(A, 6),
        // 0 still comes before 1, which is at 5; then behind it
        set_priority(A, 4),
        // 1 lets 0 before itself again
        set_priority(A, 6),
    ];
    assert_story(
        &story(&system(&[9, 5]), &script),
        &[
            "0 switch 2 to 0",
            "0 returns to 0: SetPriority Success",
            "0 switch 0 to 1",
            "0 switch 1 to 0",
            "0 returns to 0: SetPriority Success",
        ],
    );
}

#[test]
fn equals_come_first_and_the_same_priority_keeps_its_turn() {
    let script = [
        // the same again: nobody is let before
        set_priority(A, 5),
        // behind 1 and 2 at 4; 1 runs
        set_priority(A, 4),
        // which keeps its turn, and gives it up
        set_priority(B, 4),
        Call(Yield),
        Call(Yield),
        Call(Yield),
    ];
    assert_story(
        &story(&system(&[5, 4, 4]), &script),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: SetPriority Success",
            "0 switch 0 to 1",
            "0 returns to 1: SetPriority Success",
            "0 switch 1 to 2",
            "0 switch 2 to 0",
            "0 returns to 0: SetPriority Success",
            "0 switch 0 to 1",
            "0 returns to 1: Yield Success",
        ],
    );
}

#[test]
fn a_ready_thread_is_let_before_the_caller_and_before_another() {
    let script = [
        // 2 comes before 1 from now on, and behind 0
        set_priority(C, 8),
        Call(Stop),
        // now 1 before 2, which runs
        set_priority(B, HIGH),
    ];
    assert_story(
        &story(&system(&[9, 5, 4]), &script),
        &["0 switch 3 to 0", "0 returns to 0: SetPriority Success", "0 switch 0 to 2", "0 switch 2 to 1"],
    );
}

#[test]
fn who_sleeps_wakes_with_the_new_priority() {
    let script = [
        sleep_until(5),
        // 0 is the least urgent when it wakes: nobody makes way
        set_priority(A, 2),
        At(5),
        sleep_until(9),
    ];
    assert_story(
        &story(&system(&[9, 5]), &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: SetPriority Success",
            "5 switch 1 to 0",
            "5 returns to 0: SleepUntil Success",
        ],
    );
}

/// 0 takes a counting semaphore's unit last: in the order of their priorities they wait, and it's changed.
#[test]
fn who_waits_in_a_queue_is_served_by_its_new_urgency() {
    let mut draft = draft(&[9, 8, 7, 1]);
    let units = draft.counting(0, 3);
    let script = [
        take(units),
        take(units),
        take_for(units, AtMost(50)),
        // 3 gives; before that 2 comes to the front, and 0 behind 1
        set_priority(C, 15),
        set_priority(A, 8),
        give(units),
        sleep_until(90),
        give(units),
        sleep_until(90),
        give(units),
        sleep_until(90),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "0 returns to 3: SetPriority Success",
            "0 returns to 3: SetPriority Success",
            "0 switch 3 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "0 switch 2 to 3",
            "0 returns to 3: SemaphoreSignal Success",
            "0 switch 3 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "0 switch 1 to 3",
            "0 returns to 3: SemaphoreSignal Success",
            "0 switch 3 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 switch 0 to 3",
            "0 returns to 3: SemaphoreSignal Success",
        ],
    );
}

#[test]
fn a_mailbox_that_serves_as_they_come_does_so_whatever_their_priorities_are() {
    let mut draft = draft(&[9, 8, 1]);
    let mailbox = draft.mailbox_in_order(8, 1);
    let script = [
        receive(mailbox, 0, Forever),
        receive(mailbox, 0, Forever),
        set_priority(B, HIGH),
        send(mailbox, [7, 7], Forever),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SetPriority Success",
            "0 switch 2 to 0",
            "0 returns to 0: MailboxReceive Success 7 7",
        ],
    );
}

/// 2 owns what 0 waits for, and runs in its place; 1 is between the two.
#[test]
fn a_lent_place_takes_its_borrower_along() {
    let mut draft = draft(&[9, 6, 3]);
    let lock = draft.binary();
    let script = [
        sleep_until(2),
        sleep_until(3),
        take(lock),
        At(2),
        take(lock),
        At(3),
        // 1 is awake; 2 runs for 0 until the place that it runs in is below 1
        set_priority(A, 7),
        set_priority(A, 4),
        // which lets it go before itself again
        set_priority(A, 7),
        give(lock),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "2 switch 2 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 switch 0 to 2",
            "3 returns to 2: SetPriority Success",
            "3 switch 2 to 1",
            "3 returns to 1: SleepUntil Success",
            "3 switch 1 to 2",
            "3 returns to 2: SetPriority Success",
            "3 switch 2 to 0",
            "3 returns to 0: SemaphoreWait Success",
        ],
    );
}

/// Who wants a lock next goes by its own priority, also where it lends its place meanwhile.
#[test]
fn who_waits_for_a_lock_gets_it_by_its_new_urgency() {
    let mut draft = draft(&[9, 8, 1]);
    let lock = draft.binary();
    let script = [
        sleep_until(2),
        sleep_until(1),
        take(lock),
        At(1),
        take(lock),
        At(2),
        take(lock),
        // 2 owns it and runs for 0; 1 comes before 0 now
        set_priority(B, 15),
        give(lock),
        give(lock),
        sleep_until(9),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 returns to 2: SemaphoreWait Success",
            "1 switch 2 to 1",
            "1 returns to 1: SleepUntil Success",
            "1 switch 1 to 2",
            "2 switch 2 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 switch 0 to 2",
            "2 returns to 2: SetPriority Success",
            "2 switch 2 to 1",
            "2 returns to 1: SemaphoreWait Success",
            "2 returns to 1: SemaphoreSignal Success",
            "2 switch 1 to 0",
            "2 returns to 0: SemaphoreWait Success",
        ],
    );
}

/// 1 owns what 0 waits for, and sleeps: 0's place is parked.
#[test]
fn a_parked_place_comes_back_with_its_new_priority() {
    let mut draft = draft(&[9, 2, 5]);
    let lock = draft.binary();
    let script = [
        sleep_until(1),
        sleep_until(1),
        take(lock),
        At(1),
        take(lock),
        // 1 owns the lock, runs in 0's place, and sleeps: that place is parked, and 2 runs
        sleep_until(4),
        // it becomes less urgent than 2
        set_priority(A, 4),
        // so 2 runs on when 1 wakes, until it sleeps itself
        At(4),
        sleep_until(9),
        give(lock),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 2",
            "0 switch 2 to 1",
            "0 returns to 1: SemaphoreWait Success",
            "1 switch 1 to 0",
            "1 returns to 0: SleepUntil Success",
            "1 switch 0 to 1",
            "1 switch 1 to 2",
            "1 returns to 2: SleepUntil Success",
            "1 returns to 2: SetPriority Success",
            "4 switch 2 to 1",
            "4 returns to 1: SleepUntil Success",
            "4 switch 1 to 0",
            "4 returns to 0: SemaphoreWait Success",
        ],
    );
}

/// A server runs in its client's place: its own priority counts when it has replied.
#[test]
fn a_server_is_as_urgent_as_its_client_whatever_its_own_priority_is() {
    let mut draft = draft(&[9, 6, 3]);
    let endpoint = draft.endpoint(C, 8, 8);
    let script = [
        sleep_until(2),
        sleep_until(2),
        await_request(endpoint, 0, Forever),
        At(2),
        call(endpoint, [1, 2]),
        // the least urgent of all, and it runs on in 0's place
        set_priority(C, LOW),
        // and in 0's new place, below 1
        set_priority(A, 5),
        sleep_until(9),
        reply(endpoint, [3, 4]),
    ];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 3",
            "2 switch 3 to 0",
            "2 returns to 0: SleepUntil Success",
            "2 switch 0 to 2",
            "2 returns to 2: EndpointReceive Success 1 2",
            "2 returns to 2: SetPriority Success",
            "2 switch 2 to 1",
            "2 returns to 1: SleepUntil Success",
            "2 switch 1 to 2",
            "2 returns to 2: SetPriority Success",
            "2 switch 2 to 0",
            "2 returns to 0: EndpointCall Success 3 4",
        ],
    );
}

fn switches(rig: &Rig<Small>) -> Vec<String> {
    let mut log = without(rig.kernel.machine.log.clone(), &["arm"]);
    log.retain(|line| line.contains("switch"));
    log
}

/// Who holds a ceiling lock keeps the ceiling, however little urgent it becomes, and so do those whom it keeps out.
#[test]
fn a_ceiling_is_kept_whatever_the_holders_priority_is() {
    let mut draft = draft(&[9, 5]);
    let (me, other) = (A, B);
    draft.row(me).highest_ceiling = 20;
    draft.row(other).highest_ceiling = 20;
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    let before = rig.host().raise_word(me, 20);
    rig.step(set_priority(me, LOW));
    assert_eq!((rig.state().running(), rig.host().word(waiting(me))), (me, 5), "it is told who waits");
    // who waits becomes more urgent, and waits on
    rig.step(set_priority(other, HIGH));
    assert_eq!((rig.state().running(), rig.host().word(waiting(me))), (me, 20));
    assert!(rig.host().lower_word(me, before), "somebody waits for the word to be lowered");
    rig.step(preempt());
    assert_eq!(rig.state().running(), other);
    assert_eq!(switches(&rig), ["0 switch 2 to 0", "0 switch 0 to 1"]);
    assert_eq!(rig.host().word(level(me)), 0);
}

/// A ceiling between the two: who becomes more urgent than it preempts the holder, and who becomes less waits for it.
#[test]
fn levels_follow_priorities() {
    let mut draft = draft(&[9, 5, 4]);
    draft.row(B).highest_ceiling = 12;
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(set_priority(A, 3));
    assert_eq!(rig.state().running(), B);
    rig.host().raise_word(B, 12);
    rig.step(set_priority(A, 12));
    assert_eq!(rig.state().running(), B, "as high as the ceiling is not higher");
    rig.step(set_priority(A, 13));
    assert_eq!(rig.state().running(), A);
    // 2 would be next; 1 is raised, so it keeps 2 out at any level up to its own
    rig.step(set_priority(C, 12));
    rig.step(sleep_until(9));
    assert_eq!(rig.state().running(), B);
}

/// Who has preempted a raised thread and then becomes less urgent than its ceiling doesn't go on before it, though neither
/// does the one whose turn it would be.
#[test]
fn who_becomes_less_urgent_than_one_that_it_preempted_makes_way_for_it() {
    let mut draft = draft(&[9, 5, 4]);
    draft.row(B).highest_ceiling = 12;
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(set_priority(A, 3));
    rig.host().raise_word(B, 12);
    rig.step(set_priority(A, 13));
    rig.step(set_priority(C, 11));
    assert_eq!(rig.state().running(), A);
    // C is at 11, and kept out by B
    rig.step(set_priority(A, 10));
    assert_eq!((rig.state().running(), rig.host().word(waiting(B))), (B, 11));
    assert!(rig.host().lower_word(B, 0));
    rig.step(preempt());
    assert_eq!(rig.state().running(), C);
}

/// A job of a task that isn't done in time is stopped; the next is as urgent as the first.
#[test]
fn a_stopped_job_takes_its_priority_along_and_a_completed_one_does_not() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 3);
    draft.range(task, [1, 9]);
    let other = draft.free(0, 0, 5);
    draft.range(other, [5, 9]);
    draft.release_every(task, 10);
    let script = [
        sleep_until(4),
        set_priority(task, 9),
        At(4),
        // the job is more urgent than 1
        Call(Complete),
        sleep_until(14),
        At(10),
        // so is the next one
        At(14),
        At(20),
        // which isn't done in time: the one after that is at 3 again
        sleep_until(99),
    ];
    let rig = play(&draft.finish().0, &script);
    assert_story(
        &switches(&rig),
        &[
            "0 switch 2 to 1",
            "0 switch 1 to 0",
            // 1 wakes at 4 and waits for the job's end
            "4 switch 0 to 1",
            "4 switch 1 to 2",
            "10 switch 2 to 0",
            "20 switch 0 to 1",
            "20 switch 1 to 0",
        ],
    );
}
