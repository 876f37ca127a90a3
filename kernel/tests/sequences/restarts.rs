//! Restarts: a process that faulted begins anew, with its memory and what only it may name as at the start.

use beryl_abi::CallNumber::{Complete, Stop, Yield};
use beryl_abi::{Duration, FaultKind, ProcessId, ThreadId};
use beryl_kernel::{Budget, ComesBack, Driver, DriverKind, OnSpent, System};

use crate::assert_story;
use crate::host::Do::{At, Call, Done, Fault, Late, Write};
use crate::host::asks::{await_period, sleep_until, take};
use crate::host::code::{RELEASES, RETURN, call, future, phase};
use crate::host::draft::{Draft, Queue, Restarted};
use crate::host::objects::memory;
use crate::host::user::level;
use crate::host::{Do, play, run, without};

/// Whatever a run does but set alarms.
pub fn told(system: &System<Restarted>, script: &[Do]) -> Vec<String> {
    without(run(system, script), &["arm"])
}

/// The last lines, from this instant on.
fn from(instant: u64, story: Vec<String>) -> Vec<String> {
    let at = |line: &String| line.split(' ').next().and_then(|at| at.parse().ok()).unwrap_or(0_u64);
    story.into_iter().filter(|line| at(line) >= instant).collect()
}

/// Process 1 with a free thread, 0, a periodic one every 10 ticks, 1, and a task every 20 ticks, 2; process 2
/// with a less urgent thread, 3; 4 idles. Process 1 begins anew twice in 100 ticks.
fn all_kinds() -> System<Restarted> {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    draft.free(1, 0, 9);
    draft.periodic(1, 0, 8, 10);
    let task = draft.task(1, 0, 7);
    draft.free(2, 0, 1);
    draft.release_every(task, 20);
    draft.restart(1, 2, 100);
    draft.finish().0
}

#[test]
fn its_threads_begin_anew_each_in_its_own_way() {
    let mine = memory(1).address + 8;
    let script = [
        sleep_until(500),
        Call(Complete),
        At(13),
        Write(mine, 7),
        Fault(FaultKind::Data),
        // the free thread begins at once, the periodic one on its own grid, the task with its program
        sleep_until(500),
        At(20),
        await_period(),
        Call(Complete),
    ];
    assert_story(
        &from(13, told(&all_kinds(), &script)),
        &[
            "13 fault 1: access to memory that isn't its own",
            "13 restart 0",
            "13 restart 1",
            "13 restart 2",
            "13 renewal of 1: 1 0 1",
            "13 back: the memory of 1",
            "13 switch 1 to 0",
            "13 switch 0 to 3",
            "20 release 2 at 20 by 40",
            "20 release 1 at 20 by 30",
            "20 switch 3 to 1",
            "20 complete 1",
            "20 result of 1: 0x0 0x0",
            "20 switch 1 to 2",
            "20 complete 2",
            "20 switch 2 to 3",
        ],
    );
    let mut rig = play(&all_kinds(), &script);
    assert_eq!(rig.host().word(mine), 0, "its memory is as at the start");
}

/// Process 1 has a thread, 0, and begins anew as often as it likes; process 2 has a less urgent thread, 1; 2
/// idles.
pub fn two(most: u8, within: u64) -> Draft<Restarted> {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    draft.free(1, 0, 9);
    draft.free(2, 0, 1);
    draft.restart(1, most, within);
    draft
}

#[test]
fn once_too_often_it_stays_stopped() {
    let fault = Fault(FaultKind::Usage);
    let script = [fault, At(40), fault, At(60), fault, At(300)];
    assert_story(
        &told(&two(2, 100).finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 fault 0: invalid operation",
            "0 restart 0",
            "0 renewal of 1: 1 0 1",
            "0 back: the memory of 1",
            "0 switch 0 to 0",
            "40 fault 0: invalid operation",
            "40 restart 0",
            "40 renewal of 1: 1 0 2",
            "40 back: the memory of 1",
            "40 switch 0 to 0",
            "60 fault 0: invalid operation",
            "60 restart 0",
            "60 renewal of 1: 0 0 2",
            "60 switch 0 to 1",
        ],
    );
    let rig = play(&two(2, 100).finish().0, &script);
    assert!(rig.state().is_stopped(ProcessId(1)));
}

#[test]
fn what_was_long_ago_does_not_count() {
    let fault = Fault(FaultKind::Usage);
    let script = [fault, At(40), fault, At(100), fault, At(139), fault];
    assert_story(
        &told(&two(2, 100).finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 fault 0: invalid operation",
            "0 restart 0",
            "0 renewal of 1: 1 0 1",
            "0 back: the memory of 1",
            "0 switch 0 to 0",
            "40 fault 0: invalid operation",
            "40 restart 0",
            "40 renewal of 1: 1 0 2",
            "40 back: the memory of 1",
            "40 switch 0 to 0",
            "100 fault 0: invalid operation",
            "100 restart 0",
            "100 renewal of 1: 1 0 3",
            "100 back: the memory of 1",
            "100 switch 0 to 0",
            "139 fault 0: invalid operation",
            "139 restart 0",
            "139 renewal of 1: 0 0 3",
            "139 switch 0 to 1",
        ],
    );
}

#[test]
fn a_process_without_a_row_stays_stopped() {
    let mut draft = two(1, 100);
    draft.restart(1, 0, 0);
    let script = [Fault(FaultKind::Usage)];
    assert_story(
        &told(&draft.finish().0, &script),
        &["0 switch 2 to 0", "0 fault 0: invalid operation", "0 restart 0", "0 switch 0 to 1"],
    );
}

#[test]
fn a_getter_that_faults_is_left_out_and_the_next_one_runs() {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    let drivers = draft.driver_thread(1);
    draft.free(2, 0, 1);
    draft.restart(1, 2, 100);
    let kind = DriverKind::Getter { function: 7, shared: 0, budget: Duration::from_ticks(5) };
    let process = ProcessId(1);
    let (from, to) = (memory(1).address, 0x2000);
    let getter = draft.driver(Driver { kind, process, from, to, length: 4, ..Driver::NONE });
    draft.program(&[10], &[call(getter), phase(RELEASES), future(0, 0), RETURN]);
    assert_eq!(drivers, ThreadId(0));
    let script = [Done(true), Fault(FaultKind::Data), At(10), Done(true), Write(from, 9), Done(true)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 result of 0: 0x7 0x301000",
            "0 fault 0: access to memory that isn't its own",
            "0 skip of 0 at 0",
            "0 restart 0",
            "0 renewal of 1: 1 0 1",
            "0 back: the memory of 1",
            "0 switch 0 to 1",
            "10 switch 1 to 0",
            "10 result of 0: 0x7 0x301000",
            "10 copy 0x301000 to 0x2000, 4 bytes",
            "10 driver 0 at 10 = 9",
            "10 switch 0 to 1",
        ],
    );
}

#[test]
fn a_thread_that_faults_while_it_is_raised_begins_anew_unraised() {
    let mut draft = two(2, 100);
    draft.row(ThreadId(0)).highest_ceiling = 9;
    let script = [Write(level(ThreadId(0)), 9), Fault(FaultKind::Data), Call(Yield), sleep_until(50)];
    let system = draft.finish().0;
    assert_story(
        &told(&system, &script),
        &[
            "0 switch 2 to 0",
            "0 fault 0: access to memory that isn't its own",
            "0 restart 0",
            "0 renewal of 1: 1 0 1",
            "0 back: the memory of 1",
            "0 switch 0 to 0",
            "0 switch 0 to 1",
        ],
    );
    assert_eq!(play(&system, &script).host().word(level(ThreadId(0))), 0);
}

#[test]
fn others_are_released_in_time_while_a_process_begins_anew() {
    let mut draft = two(2, 100);
    let task = draft.task(2, 0, 9);
    draft.release_every(task, 10);
    let mut rig = play(&draft.finish().0, &[At(9), Late(12)]);
    rig.host().log.clear();
    // Behind each step the alarm goes off, and an interrupt comes that nobody asked for.
    rig.disturbed = true;
    rig.step(Fault(FaultKind::Data));
    let log = without(rig.kernel.machine.log, &["arm", "mask", "stray"]);
    assert_story(
        &log,
        &[
            "12 fault 0: access to memory that isn't its own",
            "12 restart 0",
            "12 renewal of 1: 1 0 1",
            "12 back: the memory of 1",
            "12 violation 2 at 10",
            "12 restart 2",
            "12 release 2 at 10 by 20",
            "12 switch 0 to 0",
        ],
    );
}

#[test]
fn a_job_that_may_not_use_more_takes_its_process_with_it_and_that_begins_anew() {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    let task = draft.task(1, 0, 9);
    draft.release_every(task, 20);
    draft.restart(1, 1, 100);
    draft.worst(task, 5);
    draft.budget(task, Budget { amount: 5, reaction: OnSpent::Stop, ..Budget::NONE });
    let script = [At(20), Call(Complete), At(40), At(50)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 release 0 at 0 by 20",
            "0 switch 1 to 0",
            "6 overrun 0",
            "6 fault 0: budget used up",
            "6 restart 0",
            "6 renewal of 1: 1 0 1",
            "6 back: the memory of 1",
            "6 switch 0 to 1",
            "20 release 0 at 20 by 40",
            "20 switch 1 to 0",
            "20 complete 0",
            "20 switch 0 to 1",
            "40 release 0 at 40 by 60",
            "40 switch 1 to 0",
            "46 overrun 0",
            "46 fault 0: budget used up",
            "46 restart 0",
            "46 renewal of 1: 0 0 1",
            "46 switch 0 to 1",
        ],
    );
}

#[test]
fn an_idle_thread_of_its_process_is_left_alone() {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    draft.restart(0, 1, 100);
    let script = [Fault(FaultKind::Data), sleep_until(50), Fault(FaultKind::Data), At(50)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 switch 1 to 0",
            "0 fault 0: access to memory that isn't its own",
            "0 restart 0",
            "0 renewal of 0: 1 0 1",
            "0 back: the memory of 0",
            "0 switch 0 to 0",
            "0 switch 0 to 1",
            "0 fault 1: access to memory that isn't its own",
            "0 restart 1",
            "0 switch 1 to 1",
            "50 switch 1 to 0",
        ],
    );
}

#[test]
fn in_a_dynamic_band_its_threads_are_sorted_in_anew() {
    let mut draft = Draft::<Restarted>::new(&[Queue::Dynamic(4)]);
    draft.within(1, 0, 30);
    draft.within(2, 0, 20);
    draft.within(1, 0, 10);
    draft.restart(1, 2, 100);
    let script =
        [sleep_until(3), At(1), Call(Yield), At(4), Fault(FaultKind::Data), sleep_until(50), Call(Stop)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 switch 3 to 2",
            "0 switch 2 to 1",
            "3 switch 1 to 2",
            "4 fault 2: access to memory that isn't its own",
            "4 restart 0",
            "4 restart 2",
            "4 renewal of 1: 1 0 1",
            "4 back: the memory of 1",
            "4 switch 2 to 2",
            "4 switch 2 to 1",
            "4 restart 1",
            "4 switch 1 to 0",
        ],
    );
}

#[test]
fn who_begins_anew_owes_what_it_has_used() {
    let mut draft = Draft::<Restarted>::new(&[Queue::Fixed]);
    let server = draft.free(1, 0, 5);
    draft.free(2, 0, 3);
    let lock = draft.binary();
    draft.restart(1, 2, 100);
    let comes_back = ComesBack::Every(20);
    draft.budget(server, Budget { amount: 5, hold: 3, comes_back, reaction: OnSpent::Lower, ..Budget::NONE });
    // Two ticks beyond the five, inside a section, it faults.
    let story = told(&draft.finish().0, &[take(lock), At(7), Fault(FaultKind::Data), At(26)]);
    assert_story(
        &from(7, story),
        &[
            "7 fault 0: access to memory that isn't its own",
            "7 restart 0",
            "7 renewal of 1: 1 0 1",
            "7 back: the memory of 1",
            "7 switch 0 to 0",
            // nothing is left of its budget, and the alarm comes at once
            "7 overrun 0",
            "7 switch 0 to 1",
            "20 switch 1 to 0",
            "24 overrun 0",
            "24 switch 0 to 1",
        ],
    );
}
