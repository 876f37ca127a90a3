//! Programs that schedule: their threads dispatch tasks, one at a time, and nobody else does.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{ProgramId, ThreadId};
use beryl_kernel::System;
use beryl_syscode::Condition::{Clock, Released};
use beryl_syscode::Instruction::{Dispatch, DispatchUntil, Fork, Idle, Jump, Releases};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::Wait::AtMost;
use crate::host::asks::{await_bits, sleep_until};
use crate::host::code::{RETURN, future, release};
use crate::host::draft::{Draft, Queue, Taking};
use crate::host::{records, story};

/// The first task has 5 ticks, the second as long as it takes: what was set for the first one, which is done
/// before that, doesn't end the second one's. Thread 2, which is more urgent than both, sleeps meanwhile.
#[test]
fn what_ends_a_dispatch_in_time_ends_no_later_one() {
    let mut draft = Draft::<Taking>::new(&[Queue::Fixed, Queue::Dynamic(2)]);
    let [first, second] = [draft.task(0, 1, 0), draft.task(0, 1, 0)];
    draft.free(0, 0, 9);
    let code = [
        Fork { address: 4 },
        Releases { first, deadline: 1, count: 2 },
        future(1, 0),
        RETURN,
        DispatchUntil { task: first, until: 0, otherwise: 0 },
        Jump { address: 7 },
        RETURN,
        Dispatch { task: second },
        RETURN,
    ];
    let program = draft.program(&[5, 20], &code);
    draft.conditions(program, &[Clock(0)]);
    draft.schedule(program, 1);
    let (mut system, idle) = draft.finish();
    system.programs[program.index()].rank = system.threads[first.index()].rank;
    assert_eq!([first, second, idle], [0, 1, 3].map(ThreadId));
    let script = [sleep_until(90), At(2), Call(Complete), At(9), Call(Complete), At(20)];
    assert_story(
        &records(&system, &script),
        &[
            "0 release 0 at 0 by 20",
            "0 release 1 at 0 by 20",
            "0 switch 3 to 2",
            "0 switch 2 to 0",
            "2 complete 0",
            "2 switch 0 to 1",
            "9 complete 1",
            "9 switch 1 to 3",
            "20 release 0 at 20 by 40",
            "20 release 1 at 20 by 40",
            "20 switch 3 to 0",
        ],
    );
}

/// A system whose tasks are dispatched by the threads of a program, which has room for so many.
fn dispatched(mut draft: Draft<Taking>, program: ProgramId, threads: u8) -> System<Taking> {
    draft.schedule(program, 0);
    let (mut system, _) = draft.finish();
    let row = &mut system.programs[program.index()];
    (row.schedules, row.rank) = (threads, system.threads[0].rank);
    system
}

/// The first thread begins another in its own place, and waits in one that nobody has: so both go on.
#[test]
fn who_begins_another_thread_in_its_own_place_may_wait_in_a_free_one() {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    let [first, second] = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let code = [
        Fork { address: 3 },
        Releases { first, deadline: 1, count: 2 },
        RETURN,
        Fork { address: 7 },
        Idle { until: 0 },
        Dispatch { task: first },
        RETURN,
        Dispatch { task: second },
        RETURN,
    ];
    let program = draft.program(&[5, 20], &code);
    draft.conditions(program, &[Clock(0)]);
    let system = dispatched(draft, program, 2);
    assert_story(
        &records(&system, &[At(2), Call(Complete), At(6), Call(Complete)]),
        &[
            "0 release 0 at 0 by 20",
            "0 release 1 at 0 by 20",
            // the first task isn't dispatched yet, so nobody lets it run
            "0 switch 2 to 1",
            "2 complete 1",
            "2 switch 1 to 2",
            "5 switch 2 to 0",
            "6 complete 0",
            "6 switch 0 to 2",
        ],
    );
}

/// The first thread's task is done before its time, and until then nobody runs for it; meanwhile the other
/// one dispatches the second task until the same time. Whoever holds a task goes on first then, so the first
/// thread finds nobody in its way, although it has waited for longer.
#[test]
fn who_rests_behind_its_task_waits_behind_whoever_holds_one() {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    let [first, second] = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let code = [
        Fork { address: 4 },
        Fork { address: 8 },
        Releases { first, deadline: 2, count: 2 },
        RETURN,
        DispatchUntil { task: first, until: 1, otherwise: 0 },
        Idle { until: 1 },
        Dispatch { task: second },
        RETURN,
        Idle { until: 0 },
        DispatchUntil { task: second, until: 1, otherwise: 0 },
        RETURN,
    ];
    let program = draft.program(&[5, 10, 30], &code);
    draft.conditions(program, &[Clock(0), Clock(1)]);
    let system = dispatched(draft, program, 2);
    assert_story(
        &records(&system, &[At(2), Call(Complete), At(15), Call(Complete)]),
        &[
            "0 release 0 at 0 by 30",
            "0 release 1 at 0 by 30",
            "0 switch 2 to 0",
            "2 complete 0",
            "2 switch 0 to 2",
            "5 switch 2 to 1",
            "15 complete 1",
            "15 switch 1 to 2",
        ],
    );
}

/// Nobody dispatches the first task before 5. It waits for bits that don't come, for 3 ticks: meanwhile the
/// second, which is ready, isn't dispatched.
#[test]
fn a_task_runs_while_it_is_dispatched_and_does_not_wait() {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    let [first, second] = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let code = [
        Fork { address: 3 },
        Releases { first, deadline: 1, count: 2 },
        RETURN,
        Idle { until: 0 },
        Dispatch { task: first },
        Dispatch { task: second },
        RETURN,
    ];
    let program = draft.program(&[5, 20], &code);
    draft.conditions(program, &[Clock(0)]);
    let system = dispatched(draft, program, 1);
    let script = [At(6), await_bits(1, AtMost(3)), At(10), Call(Complete), At(12), Call(Complete)];
    assert_story(
        &story(&system, &script),
        &[
            "0 release 0 at 0 by 20",
            "0 release 1 at 0 by 20",
            "0 switch 2 to 2",
            "5 switch 2 to 0",
            "6 switch 0 to 2",
            "9 switch 2 to 0",
            "9 returns to 0: NotificationWait TimedOut",
            "10 complete 0",
            "10 switch 0 to 1",
            "12 complete 1",
            "12 switch 1 to 2",
        ],
    );
}

/// A thread waits for the first task's release, which comes at 5, and dispatches the task at 8: until then
/// the task waits for that.
#[test]
fn a_release_that_is_waited_for_dispatches_nobody() {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    let code = [
        Fork { address: 3 },
        future(0, 7),
        RETURN,
        Idle { until: 0 },
        Idle { until: 1 },
        Dispatch { task },
        RETURN,
        release(task, 2),
        RETURN,
    ];
    let program = draft.program(&[5, 8, 20], &code);
    draft.conditions(program, &[Released(task), Clock(1)]);
    let system = dispatched(draft, program, 1);
    assert_story(
        &records(&system, &[At(9), Call(Complete)]),
        &["0 switch 1 to 1", "5 release 0 at 5 by 25", "8 switch 1 to 0", "9 complete 0", "9 switch 0 to 1"],
    );
}

#[test]
fn who_is_not_done_when_its_dispatch_ends_waits_for_the_next() {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    let code = [
        Fork { address: 3 },
        release(task, 1),
        RETURN,
        DispatchUntil { task, until: 0, otherwise: 0 },
        Idle { until: 1 },
        Dispatch { task },
        RETURN,
    ];
    let program = draft.program(&[5, 20, 8], &code);
    draft.conditions(program, &[Clock(0), Clock(2)]);
    let system = dispatched(draft, program, 1);
    assert_story(
        &records(&system, &[At(9), Call(Complete)]),
        &[
            "0 release 0 at 0 by 20",
            "0 switch 1 to 0",
            "5 switch 0 to 1",
            "8 switch 1 to 0",
            "9 complete 0",
            "9 switch 0 to 1",
        ],
    );
}
