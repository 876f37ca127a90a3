//! A module switches modes while something else is under way: a lock is held, a client waits, a place is parked.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{FaultKind, ThreadId};
use beryl_kernel::{DriverKind, Event, Sizes};

use crate::assert_story;
use crate::host::Do::{self, At, Call, Done, Fault};
use crate::host::asks::Wait::{self, Forever};
use crate::host::asks::{await_bits, await_request, call, give, preempt, reply, sleep_until, take};
use crate::host::code::{self, RETURN, future, release};
use crate::host::draft::{Draft, Queue, Restarted, Small};
use crate::host::objects::memory;
use crate::host::{Rig, play, ticks, without};

/// The task of the first mode, which is released at 0; that of the second, which is more urgent, and released at 10 and at
/// 20.
const FIRST: ThreadId = ThreadId(0);
const SECOND: ThreadId = ThreadId(1);
/// A free thread, less urgent than both.
const FREE: ThreadId = ThreadId(2);

/// The module with both modes; each thread is of a process of its own.
fn draft<S: Sizes>() -> Draft<S> {
    let mut draft = Draft::new(&[Queue::Fixed]);
    assert_eq!([draft.task(0, 0, 5), draft.task(1, 0, 7), draft.free(2, 0, 3)], [FIRST, SECOND, FREE]);
    draft
        .program(&[10], &[release(FIRST, 0), future(0, 3), RETURN, release(SECOND, 0), future(0, 3), RETURN]);
    draft
}

/// Who gets the processor, and what else anybody sees.
fn seen<S: Sizes>(rig: &Rig<S>) -> Vec<String> {
    let log = without(rig.kernel.machine.log.clone(), &["arm", "copy", "returns", "complete"]);
    log.into_iter().filter(|line| !line.contains("status") && !line.contains("result")).collect()
}

fn story<S: Sizes>(draft: Draft<S>, script: &[Do]) -> Vec<String> {
    seen(&play(&draft.finish().0, script))
}

#[test]
fn who_is_inside_a_ceiling_lock_keeps_the_next_mode_out_until_it_leaves() {
    let mut draft = draft::<Small>();
    [FIRST, SECOND].into_iter().for_each(|task| draft.row(task).highest_ceiling = 3);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(At(8));
    let before = rig.host().raise_word(FIRST, 3);
    rig.step(At(12));
    assert!(rig.host().lower_word(FIRST, before));
    rig.step(preempt());
    assert_story(
        &seen(&rig),
        &["0 release 0 at 0 by 10", "0 switch 3 to 0", "10 release 1 at 10 by 20", "12 switch 0 to 1"],
    );
}

#[test]
fn who_owns_a_lock_when_modes_are_switched_gives_it_to_the_next_modes_task() {
    let mut draft = draft::<Small>();
    let semaphore = draft.binary();
    let script = [At(8), take(semaphore), At(11), take(semaphore), At(12), give(semaphore), At(13)];
    assert_story(
        &story(draft, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 0",
            "10 release 1 at 10 by 20",
            "10 switch 0 to 1",
            "11 switch 1 to 0",
            "12 switch 0 to 1",
        ],
    );
}

#[test]
fn a_server_goes_on_for_the_first_modes_task_in_the_place_of_the_next_ones() {
    let mut draft = draft::<Small>();
    let endpoint = draft.endpoint(FREE, 4, 4);
    let to = memory(2).address;
    let script = [
        At(2),
        call(endpoint, [1, 0]),
        await_request(endpoint, to, Forever),
        At(10),
        call(endpoint, [2, 0]),
        At(12),
        reply(endpoint, [3, 0]),
        await_request(endpoint, to, Forever),
        At(14),
        reply(endpoint, [4, 0]),
        At(15),
    ];
    assert_story(
        &story(draft, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 0",
            // the server, in the first task's place
            "2 switch 0 to 2",
            "10 release 1 at 10 by 20",
            "10 switch 2 to 1",
            // for the first one still, in the second one's place
            "10 switch 1 to 2",
            "14 switch 2 to 1",
        ],
    );
}

#[test]
fn a_native_driver_at_the_switch_comes_before_the_next_modes_task() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    assert_eq!([draft.task(0, 0, 5), draft.task(1, 0, 7)], [FIRST, SECOND]);
    draft.driver_thread(2);
    let kind = DriverKind::Setter { function: 0, budget: ticks(3) };
    let setter = draft.native(2, kind);
    draft.program(
        &[10],
        &[
            release(FIRST, 0),
            future(0, 3),
            RETURN,
            code::call(setter),
            release(SECOND, 0),
            future(0, 3),
            RETURN,
        ],
    );
    let script = [At(11), Done(false), Done(false), At(13)];
    assert_story(
        &story(draft, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 0",
            "10 driver 0 at 10 = 0",
            "10 switch 0 to 2",
            // the rest of the switch comes when it is done
            "11 release 1 at 10 by 20",
            "11 switch 2 to 1",
        ],
    );
}

#[test]
fn a_place_that_is_parked_when_modes_are_switched_comes_back_later() {
    let mut draft = draft::<Small>();
    let semaphore = draft.binary();
    draft.free(0, 0, 9);
    let script = [
        take(semaphore),
        sleep_until(14),
        // the first mode's task, whose place is parked
        take(semaphore),
        At(11),
        Call(Complete),
        At(15),
        give(semaphore),
        sleep_until(99),
        At(16),
    ];
    assert_story(
        &story(draft, &script),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 4 to 3",
            "0 switch 3 to 0",
            "0 switch 0 to 2",
            "10 release 1 at 10 by 20",
            "10 switch 2 to 1",
            "11 switch 1 to 2",
            "14 switch 2 to 3",
            "15 switch 3 to 0",
        ],
    );
}

#[test]
fn a_time_limit_at_the_instant_of_a_switch_is_seen_beside_it() {
    let mut draft = draft::<Small>();
    draft.notification(FREE, 1);
    let script = [Call(Complete), await_bits(1, Wait::AtMost(10)), At(11), Call(Complete), At(12)];
    let rig = play(&draft.finish().0, &script);
    assert_story(
        &seen(&rig),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 0",
            "0 switch 0 to 2",
            "0 switch 2 to 3",
            "10 release 1 at 10 by 20",
            "10 switch 3 to 1",
            "11 switch 1 to 2",
        ],
    );
    let told: Vec<_> = rig.kernel.machine.log.iter().filter(|line| line.contains("TimedOut")).collect();
    assert_eq!(told, ["11 returns to 2: NotificationWait TimedOut"]);
}

#[test]
fn a_process_that_begins_anew_at_a_switch_has_its_task_released_in_the_next_mode() {
    let mut draft = draft::<Restarted>();
    draft.restart(1, 3, 1000);
    let script = [Call(Complete), At(10), Fault(FaultKind::Data), At(21)];
    assert_story(
        &without(story(draft, &script), &["renewal"]),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 0",
            "0 switch 0 to 2",
            "10 release 1 at 10 by 20",
            "10 switch 2 to 1",
            "10 fault 1: access to memory that isn't its own",
            "10 restart 1",
            "10 back: the memory of 1",
            "10 switch 1 to 2",
            // the mode goes on meanwhile
            "20 release 1 at 20 by 30",
            "20 switch 2 to 1",
        ],
    );
}
