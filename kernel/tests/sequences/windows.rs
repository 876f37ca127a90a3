//! Windows: which bands count when, who runs in lent places and under raised words there, and what begins anew.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{FaultKind, ThreadId};
use beryl_kernel::{DriverKind, Event};

use crate::assert_story;
use crate::host::Do::{self, At, Call, Done, Fault};
use crate::host::asks::Wait::{self, Forever};
use crate::host::asks::{
    await_bits, await_period, await_request, call, give, notify, reply, sleep_until, take,
};
use crate::host::code::{self, RETURN, future, release};
use crate::host::draft::{Draft, Partitioned, Queue};
use crate::host::objects::memory;
use crate::host::{Rig, play, ticks, without};

/// The background's band stands first. Then come the left partition, from 0 to 10 of each 25 ticks, and the right one,
/// from 10 to 20; the rest is nobody's.
const BACKGROUND: u8 = 0;
const LEFT: u8 = 1;
const RIGHT: u8 = 2;

fn draft() -> Draft<Partitioned> {
    let mut draft = Draft::new(&[Queue::Fixed, Queue::Fixed, Queue::Fixed]);
    draft.windows(&[(10, &[LEFT]), (10, &[RIGHT]), (5, &[])]);
    draft
}

fn switches(draft: Draft<Partitioned>, script: &[Do]) -> Vec<String> {
    seen(&play(&draft.finish().0, script))
}

/// Who gets the processor, and what begins anew.
fn seen(rig: &Rig<Partitioned>) -> Vec<String> {
    let mut log = without(rig.kernel.machine.log.clone(), &["arm"]);
    log.retain(|line| ["switch", "restart", "release"].contains(&line.split(' ').nth(1).unwrap()));
    log
}

#[test]
fn who_spins_has_its_windows_and_nothing_else() {
    let mut draft = draft();
    draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    assert_story(
        &switches(draft, &[At(61)]),
        &[
            "0 switch 2 to 0",
            "10 switch 0 to 1",
            // nobody's
            "20 switch 1 to 2",
            "25 switch 2 to 0",
            "35 switch 0 to 1",
            "45 switch 1 to 2",
            "50 switch 2 to 0",
            "60 switch 0 to 1",
        ],
    );
}

/// The right partition's story, with a left one that does nothing and with one that spins.
#[test]
fn what_one_partition_does_makes_no_difference_to_the_other() {
    let story = |spins: bool| {
        let mut draft = draft();
        draft.free(0, LEFT, 9);
        draft.periodic(1, RIGHT, 5, 25);
        draft.free(1, RIGHT, 4);
        let rest = if spins { vec![At(12)] } else { vec![sleep_until(99), At(12)] };
        let script = [&rest[..], &[await_period(), At(37), await_period(), At(60)]].concat();
        let own = |line: &String| line.contains(" 1 ") || line.ends_with(" 1") || line.contains(" 2");
        switches(draft, &script).into_iter().filter(own).collect::<Vec<_>>()
    };
    let (alone, beside) = (story(false), story(true));
    let right = |lines: &[String]| -> Vec<String> {
        // From whom it got the processor, and to whom it went, are the others' affair.
        let to = |line: &String| match line.split(' ').collect::<Vec<_>>()[..] {
            [at, "switch", _, "to", next @ ("1" | "2")] => Some(format!("{at} {next} runs")),
            [_, "switch", ..] => None,
            _ => Some(line.clone()),
        };
        lines.iter().filter_map(to).collect()
    };
    assert_story(
        &right(&beside),
        &[
            "0 release 1 at 0 by 25",
            "10 1 runs",
            "12 2 runs",
            "25 release 1 at 25 by 50",
            "35 1 runs",
            "37 2 runs",
            "50 release 1 at 50 by 75",
            "60 1 runs",
        ],
    );
    assert_eq!(right(&alone), right(&beside));
}

#[test]
fn the_background_runs_at_once_in_whichever_window_and_who_is_beneath_goes_on() {
    let mut draft = draft();
    let urgent = draft.free(0, BACKGROUND, 5);
    draft.free(1, LEFT, 5);
    draft.free(2, RIGHT, 5);
    assert_eq!(urgent, ThreadId(0));
    let script = [
        sleep_until(4),
        At(4),
        sleep_until(9),
        At(9),
        At(12),
        sleep_until(22),
        At(22),
        At(24),
        sleep_until(90),
    ];
    assert_story(
        &switches(draft, &[&script[..], &[At(26)]].concat()),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "4 switch 1 to 0",
            "4 switch 0 to 1",
            "9 switch 1 to 0",
            // it takes the end of the left window and the beginning of the right one: that isn't made up for
            "12 switch 0 to 2",
            "20 switch 2 to 3",
            "22 switch 3 to 0",
            "24 switch 0 to 3",
            "25 switch 3 to 1",
        ],
    );
}

#[test]
fn who_is_woken_in_another_window_waits_for_its_own() {
    let mut draft = draft();
    let left = draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    let bell = draft.notification(left, 1);
    assert_story(
        &switches(draft, &[await_bits(1, Forever), At(12), notify(bell, 1), At(40)]),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 2",
            "10 switch 2 to 1",
            "20 switch 1 to 2",
            "25 switch 2 to 0",
            "35 switch 0 to 1",
        ],
    );
}

/// The place pays: who waits for a lock lends its place, and with that its window.
#[test]
fn who_owns_a_lock_runs_in_the_window_of_who_waits_for_it() {
    let mut draft = draft();
    draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    let semaphore = draft.binary();
    let script = [take(semaphore), At(12), take(semaphore), At(14), give(semaphore), At(16), give(semaphore)];
    assert_story(
        &switches(draft, &[&script[..], &[At(30)]].concat()),
        &[
            "0 switch 2 to 0",
            "10 switch 0 to 1",
            // the owner, in the right window
            "12 switch 1 to 0",
            "14 switch 0 to 1",
            "20 switch 1 to 2",
            "25 switch 2 to 0",
        ],
    );
}

#[test]
fn the_owner_waits_again_where_the_window_of_the_lent_place_is_over() {
    let mut draft = draft();
    draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    let semaphore = draft.binary();
    let script = [take(semaphore), At(12), take(semaphore), At(26), give(semaphore), At(36)];
    assert_story(
        &switches(draft, &script),
        &[
            "0 switch 2 to 0",
            "10 switch 0 to 1",
            "12 switch 1 to 0",
            "20 switch 0 to 2",
            // in its own place now
            "25 switch 2 to 0",
            "35 switch 0 to 1",
        ],
    );
}

/// Two threads of the left partition share a ceiling lock: the less urgent one, 1, is inside where the window ends.
fn inside() -> (Rig<Partitioned>, u32) {
    let mut draft = draft();
    let pair = [draft.free(0, LEFT, 5), draft.free(0, LEFT, 4)];
    draft.free(1, RIGHT, 9);
    let ceiling = 4;
    pair.into_iter().for_each(|thread| draft.row(thread).highest_ceiling = ceiling);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(sleep_until(7));
    let before = rig.host().raise_word(ThreadId(1), ceiling.into());
    assert_eq!(before, 0);
    (rig, before)
}

#[test]
fn a_raised_word_keeps_nobody_out_of_another_window() {
    let (mut rig, before) = inside();
    rig.step(At(27));
    // The other one has been ready since 7. It comes when the lock is left.
    assert!(rig.host().lower_word(ThreadId(1), before), "somebody waits");
    rig.step(crate::host::asks::preempt());
    rig.step(At(36));
    assert_story(
        &seen(&rig),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            // 7: kept out
            "10 switch 1 to 2",
            "20 switch 2 to 3",
            // still inside, it goes on alone
            "25 switch 3 to 1",
            "27 switch 1 to 0",
            "35 switch 0 to 2",
        ],
    );
}

#[test]
fn two_raised_words_of_two_partitions_take_turns_by_windows() {
    let mut draft = draft();
    let all =
        [draft.free(0, LEFT, 5), draft.free(0, LEFT, 4), draft.free(1, RIGHT, 5), draft.free(1, RIGHT, 4)];
    for (thread, ceiling) in all.into_iter().zip([4, 4, 2, 2]) {
        draft.row(thread).highest_ceiling = ceiling;
    }
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    // The less urgent one of each raises itself, and the more urgent one wakes where both are closed.
    rig.step(sleep_until(22));
    rig.host().raise_word(ThreadId(1), 4);
    rig.step(At(10));
    rig.step(sleep_until(23));
    rig.host().raise_word(ThreadId(3), 2);
    rig.step(At(61));
    assert_story(
        &seen(&rig),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "10 switch 1 to 2",
            "10 switch 2 to 3",
            "20 switch 3 to 4",
            "25 switch 4 to 1",
            "35 switch 1 to 3",
            "45 switch 3 to 4",
            "50 switch 4 to 1",
            "60 switch 1 to 3",
        ],
    );
}

#[test]
fn who_begins_anew_in_another_window_waits_for_its_own() {
    let mut draft = draft();
    draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    draft.restart(0, 3, 1000);
    assert_story(
        &switches(draft, &[At(9), Fault(FaultKind::Data), At(26)]),
        &[
            "0 switch 2 to 0",
            "9 restart 0",
            "9 switch 0 to 0",
            "10 switch 0 to 1",
            "20 switch 1 to 2",
            "25 switch 2 to 0",
        ],
    );
}

/// A kernel that comes late to the ends of several windows takes them one after the other, and none moves.
#[test]
fn windows_stay_where_they_are_however_late_the_alarm_is() {
    let mut draft = draft();
    draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    assert_story(
        &switches(draft, &[At(5), Do::Late(38), Do::Alarm, At(46)]),
        &["0 switch 2 to 0", "38 switch 0 to 1", "45 switch 1 to 2"],
    );
}

/// Client and server are of one partition: where its window ends, the server waits for the next one, in the client's place.
#[test]
fn who_serves_in_a_clients_place_goes_on_in_its_next_window() {
    let mut draft = draft();
    let server = draft.free(0, LEFT, 4);
    draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    let endpoint = draft.endpoint(server, 4, 4);
    let to = memory(0).address;
    let script = [
        sleep_until(2),
        await_request(endpoint, to, Forever),
        At(2),
        call(endpoint, [7, 0]),
        At(27),
        reply(endpoint, [8, 0]),
        At(36),
    ];
    assert_story(
        &switches(draft, &script),
        &[
            "0 switch 3 to 1",
            "0 switch 1 to 0",
            // nobody else is ready
            "0 switch 0 to 3",
            "2 switch 3 to 1",
            "2 switch 1 to 0",
            "10 switch 0 to 2",
            "20 switch 2 to 3",
            "25 switch 3 to 0",
            "27 switch 0 to 1",
            "35 switch 1 to 2",
        ],
    );
}

/// The wait is over in another window, as it was declared; what comes of it is known in the own one.
#[test]
fn who_has_waited_long_enough_in_another_window_hears_of_it_in_its_own() {
    let mut draft = draft();
    let left = draft.free(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    let _bell = draft.notification(left, 1);
    let rig = play(&draft.finish().0, &[await_bits(1, Wait::AtMost(12)), At(30)]);
    assert_story(
        &seen(&rig),
        &["0 switch 2 to 0", "0 switch 0 to 2", "10 switch 2 to 1", "20 switch 1 to 2", "25 switch 2 to 0"],
    );
    let told: Vec<_> = rig.kernel.machine.log.iter().filter(|line| line.contains("TimedOut")).collect();
    assert_eq!(told, ["25 returns to 0: NotificationWait TimedOut"]);
}

/// Drivers are above all bands, whoever's window it is: what a module writes is written at its instant.
#[test]
fn native_drivers_run_in_whichever_window() {
    let mut draft = draft();
    let task = draft.task(0, LEFT, 5);
    draft.free(1, RIGHT, 5);
    draft.driver_thread(2);
    let kind = DriverKind::Setter { function: 0, budget: ticks(3) };
    let setter = draft.native(2, kind);
    draft.program(&[12], &[release(task, 0), future(0, 3), RETURN, code::call(setter), RETURN]);
    let script = [Done(false), Call(Complete), At(13), Done(false), Done(false), At(26)];
    let story = switches(draft, &script);
    let at_twelve: Vec<_> =
        story.iter().filter(|line| line.starts_with("12 ") || line.starts_with("13 ")).collect();
    assert_eq!(at_twelve, ["12 switch 1 to 2", "13 switch 2 to 1"], "{story:#?}");
}

/// 0 waits for what 1 has, which sleeps: its place is parked. When 1 wakes in another window, both come again in their own.
#[test]
fn a_parked_place_comes_back_in_another_window_and_runs_in_its_own() {
    let mut draft = draft();
    draft.free(0, LEFT, 5);
    draft.free(0, LEFT, 4);
    draft.free(1, RIGHT, 5);
    let semaphore = draft.binary();
    let script = [
        sleep_until(3),
        take(semaphore),
        At(3),
        // the owner runs in 0's place, and sleeps there
        take(semaphore),
        sleep_until(12),
        At(27),
        give(semaphore),
        At(36),
    ];
    assert_story(
        &switches(draft, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "3 switch 1 to 0",
            "3 switch 0 to 1",
            "3 switch 1 to 3",
            "10 switch 3 to 2",
            "20 switch 2 to 3",
            "25 switch 3 to 1",
            "27 switch 1 to 0",
            "35 switch 0 to 2",
        ],
    );
}

/// A module switches modes at 25: until then it releases a task of the left partition, and from then on one of the right.
#[test]
fn a_mode_switch_moves_work_into_another_partitions_windows() {
    let mut draft = draft();
    let left = draft.task(0, LEFT, 5);
    let right = draft.task(1, RIGHT, 5);
    draft.program(
        &[25],
        &[
            release(left, 0),
            future(0, 3),
            RETURN,
            release(right, 0),
            future(0, 6),
            RETURN,
            release(right, 0),
            RETURN,
        ],
    );
    let script = [At(3), Call(Complete), At(38), Call(Complete), At(62)];
    assert_story(
        &switches(draft, &script),
        &[
            "0 release 0 at 0 by 25",
            "0 switch 2 to 0",
            "3 switch 0 to 2",
            "25 release 1 at 25 by 50",
            // its window begins
            "35 switch 2 to 1",
            "38 switch 1 to 2",
            "50 release 1 at 50 by 75",
            "60 switch 2 to 1",
        ],
    );
}
