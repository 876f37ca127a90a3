//! System calls of free threads and tasks: answers, errors, the execution-time clock.

use beryl_abi::CallNumber::{Complete, DriverDone, ExecutionTime, Null, Stop, Time, Yield};
use beryl_abi::{CallNumber, Duration, ProcessId, ThreadId};
use beryl_kernel::{Driver, DriverKind, Event, System};

use crate::assert_story;
use crate::host::Do::{At, Call, Done, Late, Number};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{play, run, ticks};

/// A task every 100 ticks (thread 0), free threads 1 and 2 of one priority below it, 3 idles.
fn system() -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    let task = draft.task(0, 0, 0);
    draft.free(0, 1, 3);
    draft.free(0, 1, 3);
    draft.program(&[100], &[release(task, 0), future(0, 0), RETURN]);
    draft.finish().0
}

#[test]
fn every_call_answers_or_is_refused() {
    let story = run(
        &system(),
        &[
            Call(Complete),
            Call(Null),
            At(7),
            Call(Time),
            Call(ExecutionTime),
            Call(Complete),
            Done(true),
            Number(CallNumber::ALL.len() as u32),
            Number(u32::MAX),
            Call(Yield),
            Call(Stop),
            Call(Stop),
            Call(Stop),
            Call(DriverDone),
        ],
    );
    assert_story(
        &story,
        &[
            "0 release 0 at 0 by 100",
            "0 arm 100",
            "0 switch 3 to 0",
            "0 complete 0",
            "0 switch 0 to 1",
            // kernel time and the thread's own, in ticks
            "7 result of 1: 0x7 0x0",
            "7 result of 1: 0x7 0x0",
            // only tasks complete, only driver threads end drivers
            "7 status of 1: 0xfffffffe",
            "7 status of 1: 0xfffffffe",
            // calls that there aren't
            "7 status of 1: 0xffffffff",
            "7 status of 1: 0xffffffff",
            // yield: the answer is in place before the other one runs
            "7 switch 1 to 2",
            "7 restart 2",
            "7 arm 100",
            "7 switch 2 to 1",
            "7 restart 1",
            "7 arm 100",
            "7 switch 1 to 3",
            // the idle thread can't stop, nor end drivers
            "7 status of 3: 0xfffffffe",
            "7 status of 3: 0xfffffffe",
        ],
    );
}

#[test]
fn large_times_have_a_high_word() {
    let late = (5 << 32) + 9;
    let (system, _) = Draft::<Small>::new(&[]).finish();
    let story = run(&system, &[At(late), Call(Time), Call(ExecutionTime)]);
    let results: Vec<_> = story.into_iter().filter(|line| line.contains("result")).collect();
    // the idle thread ran all the time, across twenty alarms that had nothing to do
    assert_story(&results, &["21474836489 result of 0: 0x9 0x5"; 2]);
}

#[test]
fn the_execution_time_clock_counts_what_a_thread_ran_and_nothing_else() {
    // 1 runs 10..20 and 25..30, 2 runs 20..25, the task 0..10 and 100..103
    let script = [
        At(10),
        Call(Complete),
        At(20),
        Call(Yield),
        At(25),
        Call(Yield),
        At(30),
        Call(Yield),
        At(103),
        Call(ExecutionTime),
    ];
    let rig = play(&system(), &script);
    let last = rig.kernel.machine.log.last().map(String::as_str);
    assert_eq!(last, Some("103 returns to 0: ExecutionTime 3 0"), "the job's, not the task's");
    let clocks = [0, 1, 2, 3].map(|thread| rig.state().execution_time(ThreadId(thread)));
    assert_eq!(clocks, [3, 15, 75, 0].map(ticks));
}

#[test]
fn a_task_that_stops_never_takes_part_again() {
    assert_story(
        &run(&system(), &[At(2), Call(Stop), At(100)]),
        &[
            "0 release 0 at 0 by 100",
            "0 arm 100",
            "0 switch 3 to 0",
            // the trigger queue is looked at, and the alarm set again
            "2 restart 0",
            "2 arm 100",
            "2 switch 0 to 1",
            "100 skip of 0 at 100",
            "100 arm 200",
        ],
    );
}

#[test]
fn alarms_inside_an_instant_are_charged_to_nobody() {
    let mut draft = Draft::<Small>::new(&[]);
    let thread = draft.driver_thread(1);
    let kind = DriverKind::Getter { function: 0, shared: 0, budget: Duration::from_ticks(5) };
    let getter = Driver {
        kind,
        process: ProcessId(1),
        task: ThreadId::NONE,
        from: 0,
        to: 0,
        length: 4,
        ..Driver::NONE
    };
    let driver = draft.driver(getter);
    draft.program(&[100], &[call(driver), future(0, 0), RETURN]);
    let (system, _) = draft.finish();
    let mut rig = play(&system, &[Done(false), At(2)]);
    let done = Event::Call(beryl_kernel::Call { number: DriverDone as u32, arguments: [0; 4] });
    let _ = rig.kernel.handle(done);
    // the kernel is slow, and the alarm of the budget, no longer wanted, goes off in between
    rig.step(Late(9));
    let _ = rig.kernel.handle(Event::Alarm);
    rig.raise(Event::Continue);
    assert_eq!(rig.state().execution_time(thread), ticks(2));
}
