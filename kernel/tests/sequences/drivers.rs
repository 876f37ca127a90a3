//! Native drivers: getters, setters and guards on the driver thread of their process.

use beryl_abi::CallNumber::{Complete, ExecutionTime, Stop};
use beryl_abi::{Duration, FaultKind, ProcessId, ThreadId};
use beryl_kernel::{Driver, DriverKind, Event, System};
use beryl_syscode::Instruction;

use crate::assert_story;
use crate::host::Do::{At, Call, Done, Fault, Interrupt, Write};
use crate::host::code::{RETURN, branch, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, play, records, run, ticks};

const BUDGET: Duration = ticks(3);

fn native(kind: DriverKind, process: u8) -> Driver {
    Driver {
        kind,
        process: ProcessId(process),
        task: ThreadId::NONE,
        from: 0x100,
        to: 0x200,
        length: 4,
        ..Driver::NONE
    }
}

/// A driver of process 1 every 10 ticks, and a task of process 2 that is released behind it.
/// Thread 0 is the task, 1 the driver thread, 2 idles.
fn every_10(kind: DriverKind) -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(2, 0, 0);
    draft.driver_thread(1);
    let driver = draft.driver(native(kind, 1));
    draft.program(&[10], &[call(driver), release(task, 0), future(0, 0), RETURN]);
    draft
}

fn getter() -> System<Small> {
    every_10(DriverKind::Getter { function: 7, shared: 0, budget: BUDGET }).finish().0
}

#[test]
fn a_getter_runs_first_and_its_value_is_copied_then() {
    let script = [
        Done(false),
        At(2),
        Write(0x100, 42),
        Done(false),
        Call(Complete),
        At(10),
        Write(0x100, 43),
        Done(false),
    ];
    assert_story(
        &run(&getter(), &script),
        &[
            // the budget is armed, and the driver thread begins at its entry
            "0 arm 3",
            "0 switch 2 to 1",
            // it asks for its first driver: function 7, with the value at 0x100
            "0 result of 1: 0x7 0x100",
            // it is done: the kernel takes the value
            "2 copy 0x100 to 0x200, 4 bytes",
            "2 driver 0 at 0 = 42",
            // logical time stood still: the release counts from 0
            "2 release 0 at 0 by 10",
            "2 arm 10",
            "2 switch 1 to 0",
            "2 complete 0",
            "2 switch 0 to 2",
            // the second time it waits inside its call: the answer is there before it runs
            "10 result of 1: 0x7 0x100",
            "10 arm 13",
            "10 switch 2 to 1",
            "10 copy 0x100 to 0x200, 4 bytes",
            "10 driver 0 at 10 = 43",
            "10 release 0 at 10 by 20",
            "10 arm 20",
            "10 switch 1 to 0",
        ],
    );
}

#[test]
fn a_setter_runs_after_its_value_was_copied() {
    let system = every_10(DriverKind::Setter { function: 4, budget: BUDGET }).finish().0;
    assert_story(
        &run(&system, &[Done(false), At(1), Done(false)]),
        &[
            // the value is in the process before its function is
            "0 copy 0x100 to 0x200, 4 bytes",
            "0 driver 0 at 0 = 0",
            "0 arm 3",
            "0 switch 2 to 1",
            // the function is told the address in its own process
            "0 result of 1: 0x4 0x200",
            "1 release 0 at 0 by 10",
            "1 arm 10",
            "1 switch 1 to 0",
        ],
    );
}

/// A guard of process 1 decides whether the task of process 2 is released.
fn guarded(process: u8) -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(2, 0, 0);
    draft.driver_thread(process);
    let guard = draft.driver(native(DriverKind::Guard { function: 1, budget: BUDGET }, process));
    draft.stop_only_the_thread(process);
    draft.program(&[10], &[call(guard), branch(3), release(task, 0), future(0, 0), RETURN]);
    draft.finish().0
}

#[test]
fn the_verdict_of_a_guard_decides_the_branch() {
    let script = [Done(false), Done(true), Call(Complete), At(10), Done(false), At(20), Done(true)];
    let story = records(&guarded(1), &script);
    assert_story(
        &story,
        &[
            "0 switch 2 to 1",
            // yes: the task is released. (The first `Done` asked for work, its verdict is none.)
            "0 release 0 at 0 by 10",
            "0 switch 1 to 0",
            "0 complete 0",
            "0 switch 0 to 2",
            // no: it is not
            "10 switch 2 to 1",
            "10 switch 1 to 2",
            // yes
            "20 switch 2 to 1",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn a_guard_that_faults_says_no_whatever_the_one_before_said() {
    let script = [
        Done(false),
        Done(true),
        Call(Complete),
        At(10),
        Fault(FaultKind::Data),
        At(20),
        Done(false),
        Done(true),
    ];
    let story = records(&guarded(1), &script);
    let later: Vec<_> = story.into_iter().skip_while(|line| !line.starts_with("10 ")).collect();
    assert_story(
        &later,
        &[
            "10 switch 2 to 1",
            // the guard is lost, and the task isn't released on the strength of the old yes
            "10 fault 1: access to memory that isn't its own",
            "10 skip of 0 at 10",
            "10 switch 1 to 2",
            // only this call was lost: the driver thread begins anew, asks, and answers
            "20 switch 2 to 1",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn long_values_are_copied_in_chunks() {
    let mut draft = Draft::<Small>::new(&[]);
    let driver = draft.copy(ThreadId::NONE, 0x100, 0x400, 100);
    draft.program(&[10], &[call(driver), future(0, 0), RETURN]);
    assert_story(
        &run(&draft.finish().0, &[]),
        &[
            "0 copy 0x100 to 0x400, 64 bytes",
            "0 copy 0x140 to 0x440, 36 bytes",
            // one record for the whole
            "0 driver 0 at 0 = 0",
            "0 arm 10",
            // the idle thread, the only one there is, begins
            "0 switch 0 to 0",
        ],
    );
}

#[test]
fn a_driver_over_its_budget_is_stopped_with_its_process_and_the_old_value_stays() {
    let script = [
        Done(false),
        Write(0x100, 42),
        Done(false),
        Call(Complete),
        At(10),
        Write(0x100, 43),
        At(14),
        Call(Complete),
        At(20),
    ];
    let story = run(&getter(), &script);
    let later: Vec<_> = story.into_iter().skip_while(|line| !line.starts_with("10 ")).collect();
    assert_story(
        &later,
        &[
            "10 result of 1: 0x7 0x100",
            "10 arm 13",
            "10 switch 2 to 1",
            // three ticks later the alarm comes instead of the value
            "13 fault 1: budget used up",
            "13 skip of 0 at 10",
            // the only thread of process 1 is stopped
            "13 restart 1",
            // no copy: the instant goes on, and process 2's task is released all the same
            "13 release 0 at 10 by 20",
            "13 arm 20",
            "13 switch 1 to 0",
            "14 complete 0",
            "14 switch 0 to 2",
            // from now on the driver is left out
            "20 skip of 0 at 20",
            "20 release 0 at 20 by 30",
            "20 arm 30",
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn a_faulty_driver_alone_is_lost_where_faults_stop_threads_only() {
    let mut draft = every_10(DriverKind::Getter { function: 7, shared: 0, budget: BUDGET });
    draft.stop_only_the_thread(1);
    let script = [
        Done(false),
        At(1),
        Fault(FaultKind::Bus),
        Call(Complete),
        At(10),
        Done(false),
        Write(0x100, 9),
        Done(true),
    ];
    assert_story(
        &run(&draft.finish().0, &script),
        &[
            "0 arm 3",
            "0 switch 2 to 1",
            "0 result of 1: 0x7 0x100",
            "1 fault 1: bus error",
            "1 skip of 0 at 0",
            "1 restart 1",
            "1 release 0 at 0 by 10",
            "1 arm 10",
            "1 switch 1 to 0",
            "1 complete 0",
            "1 switch 0 to 2",
            // the next time it begins at its entry, and therefore asks before it is told
            "10 arm 13",
            "10 switch 2 to 1",
            "10 result of 1: 0x7 0x100",
            "10 copy 0x100 to 0x200, 4 bytes",
            "10 driver 0 at 10 = 9",
            "10 release 0 at 10 by 20",
            "10 arm 20",
            "10 switch 1 to 0",
        ],
    );
}

#[test]
fn an_early_alarm_leaves_the_driver_its_budget() {
    let script = [Done(false), At(1), crate::host::Do::Alarm, Interrupt(5), Done(false)];
    assert_story(
        &run(&getter(), &script),
        &[
            "0 arm 3",
            "0 switch 2 to 1",
            "0 result of 1: 0x7 0x100",
            // early: set again, nobody else runs
            "1 arm 3",
            // nor after an interrupt
            "1 mask 5",
            "1 stray 5",
            "1 copy 0x100 to 0x200, 4 bytes",
            "1 driver 0 at 0 = 0",
            "1 release 0 at 0 by 10",
            "1 arm 10",
            "1 switch 1 to 0",
        ],
    );
}

#[test]
fn logical_time_stands_still_while_a_driver_runs() {
    let mut draft = every_10(DriverKind::Getter { function: 7, shared: 0, budget: ticks(100) });
    let other = draft.task(3, 0, 0);
    draft.program(&[4, 9], &[release(other, 1), future(0, 0), RETURN]);
    let story = records(&draft.finish().0, &[Done(false), At(5), Done(false), Call(Complete)]);
    assert_story(
        &story,
        &[
            "0 switch 3 to 1",
            // the other program's instants 0 and 4 pass; both are carried out when the driver is
            // done, each at its own logical time
            "5 driver 0 at 0 = 0",
            "5 release 0 at 0 by 10",
            "5 release 2 at 0 by 9",
            // the job of 0 is stopped, that of 4 begins
            "5 violation 2 at 4",
            "5 release 2 at 4 by 13",
            "5 switch 1 to 0",
            "5 complete 0",
            "5 switch 0 to 2",
        ],
    );
}

#[test]
fn a_driver_thread_may_end_drivers_and_nothing_else() {
    let script =
        [Call(Complete), Call(Stop), Done(false), At(2), Call(ExecutionTime), Done(false), Done(false)];
    let story = run(&getter(), &script);
    let results: Vec<_> = story.into_iter().filter(|line| line.contains(" of ")).collect();
    assert_story(
        &results,
        &[
            // no job to complete
            "0 status of 1: 0xfffffffe",
            // the thread serves the whole process
            "0 status of 1: 0xfffffffe",
            "0 result of 1: 0x7 0x100",
            "2 result of 1: 0x2 0x0",
            // the task that runs then may not end a driver
            "2 status of 0: 0xfffffffe",
        ],
    );
}

#[test]
fn the_execution_time_of_a_driver_thread_is_the_sum_of_its_drivers() {
    let script = [Done(false), At(2), Done(false), Call(Complete), At(11), Done(false), Call(Complete)];
    let rig = play(&getter(), &script);
    // two ticks from 0 on, one from 10 on
    assert_eq!(rig.state().execution_time(ThreadId(1)), ticks(3));
}

#[test]
fn a_driver_has_a_word_of_its_own_only_in_the_process_of_its_only_task() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let (task, other) = (draft.task(1, 0, 0), draft.task(1, 0, 0));
    let idle = ThreadId(2);
    let own = Driver { task, process: ProcessId(1), from: 0x100, to: 0x200, length: 4, ..Driver::NONE };
    let getter = DriverKind::Getter { function: 0, shared: 0, budget: BUDGET };
    let rows = [
        (own, true),
        (Driver { kind: DriverKind::Input, ..own }, true),
        (Driver { length: 1, ..own }, true),
        (Driver { length: 0, ..own }, false),
        (Driver { length: 5, ..own }, false),
        (Driver { kind: getter, ..own }, false),
        (Driver { process: ProcessId(0), ..own }, false),
        (Driver { task: idle, process: ProcessId(0), ..own }, false),
        (Driver { task: ThreadId::NONE, ..own }, false),
        (Driver { others: [other, ThreadId::NONE], ..own }, false),
        (Driver { others: [ThreadId::NONE, other], ..own }, false),
        // What a row says of itself doesn't count.
        (Driver { length: 64, is_own_word: true, ..own }, false),
    ];
    let threads = draft.finish().0.threads;
    let noted = Driver::noted(rows.map(|(row, _)| row), &threads);
    assert_eq!(noted.map(|row| row.is_own_word), rows.map(|(_, expected)| expected));
}

/// Drivers of own words in a row stop at the one whose task is at work, and nothing of it is published.
#[test]
fn a_row_of_own_words_ends_at_a_task_that_is_late() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(4)]);
    let tasks = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let first = draft.copy(tasks[0], 0x100, 0x200, 4);
    draft.copy(tasks[1], 0x104, 0x204, 4);
    draft.copy(tasks[0], 0x108, 0x208, 4);
    let calls = Instruction::Calls { first, count: 3 };
    draft.program(&[10], &[calls, release(tasks[0], 0), release(tasks[1], 0), future(0, 0), RETURN]);
    let system = draft.finish().0;
    let play = |is_tracing| {
        let mut rig = Rig::new(&system);
        rig.kernel.state.set_tracing(is_tracing);
        rig.raise(Event::Start);
        let script = [Write(0x100, 1), Write(0x104, 2), Write(0x108, 3), At(1), Call(Complete), At(10)];
        script.iter().for_each(|step| rig.step(*step));
        rig.kernel.state.set_tracing(true);
        rig
    };
    let (mut quiet, mut loud) = (play(false), play(true));
    for rig in [&mut quiet, &mut loud] {
        assert_eq!([0x200, 0x204, 0x208].map(|address| rig.host().word(address)), [1, 0, 3]);
    }
    assert_eq!(quiet.state(), loud.state());
}

/// Between each two steps an interrupt comes that nobody serves, and an alarm that is early: the driver gets
/// the processor all the same.
#[test]
fn what_comes_in_between_keeps_no_driver_from_running() {
    let mut rig = Rig::new(&getter());
    rig.disturbed = true;
    rig.raise(Event::Start);
    assert_eq!(rig.state().running(), ThreadId(1));
    rig.step(Done(false));
    rig.step(At(1));
    rig.step(Done(false));
    assert_eq!(rig.state().running(), ThreadId(0));
    rig.step(At(10));
    assert_eq!(rig.state().running(), ThreadId(1));
}

#[test]
fn a_driver_that_is_interrupted_has_used_what_it_used_before() {
    let rig = play(&getter(), &[Done(false), At(1), Interrupt(5), At(2), Done(false)]);
    assert_eq!(rig.state().execution_time(ThreadId(1)), ticks(2));
}
