//! What steps are charged as: of whole stories, the kind of every step.

use std::iter::repeat;

use beryl_abi::CallNumber::{Complete, ExecutionTime, WaitPeriod};
use beryl_abi::{Fault, FaultKind, Line, ProcessId};
use beryl_kernel::{Charges, Driver, DriverKind, Event, Sizes, StepKind, Switch, System};
use beryl_syscode::Condition::Clock;
use beryl_syscode::Instruction::{Calls, DispatchUntil, Fork, Idle, Jump, Releases};

use crate::assert_story;
use crate::host::Do::{self, At, Call, Done};
use crate::host::asks::Wait::{AtMost, Forever};
use crate::host::asks::{
    await_bits, await_bits_then, await_condition, await_period, broadcast, call_name, notify, preempt,
    sleep_until, take,
};
use crate::host::code::{RELEASES, RETURN, call, future, phase, release};
use crate::host::draft::{Draft, Large, Patient, Queue, Small, Taking};
use crate::host::user::level;
use crate::host::{Rig, Step, play, ticks};

/// A line an event: when it comes, who runs, and what it and the steps that follow it are charged as.
fn charged(steps: &[Step]) -> Vec<String> {
    let is_of_last = |_: &Step, next: &Step| next.event == Event::Continue;
    steps.chunk_by(is_of_last).map(|steps| format!("{}: {}", begun(&steps[0]), kinds(steps))).collect()
}

/// What a step begins with.
fn begun(Step { instant, running, event, .. }: &Step) -> String {
    let what = match event {
        Event::Call(call) => call_name(call.number),
        Event::Fault(_) => "fault".into(),
        event => return format!("{} {event:?}", instant.ticks()),
    };
    format!("{} {what} of {}", instant.ticks(), running.0)
}

/// The kinds of steps: so many of one, then so many of the next.
fn kinds(steps: &[Step]) -> String {
    let alike = |one: &Step, next: &Step| one.kind == next.kind;
    let told = |steps: &[Step]| match steps {
        [step] => format!("{:?}", step.kind),
        steps => format!("{} {:?}", steps.len(), steps[0].kind),
    };
    steps.chunk_by(alike).map(told).collect::<Vec<_>>().join(", ")
}

/// The same of a whole script.
fn charges<S: Sizes>(system: &System<S>, script: &[Do]) -> Vec<String> {
    charged(&play(system, script).charged)
}

/// A copy of two steps, two copies of one step, and a native driver; then a phase in which two tasks are
/// released, and a third alone.
#[test]
fn instructions_are_charged_by_what_they_do() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let [first, second, third] = [9, 8, 7].map(|priority| draft.task(0, 0, priority));
    draft.driver_thread(1);
    let long = draft.copy(first, 0x100, 0x200, 128);
    let short = draft.copy(first, 0x100, 0x200, 4);
    draft.copy(second, 0x100, 0x200, 4);
    let guard = draft.driver(Driver {
        kind: DriverKind::Guard { function: 1, budget: ticks(3) },
        process: ProcessId(1),
        ..Driver::NONE
    });
    let code = [
        call(long),
        Calls { first: short, count: 2 },
        call(guard),
        phase(RELEASES),
        Releases { first, deadline: 0, count: 2 },
        release(third, 0),
        Jump { address: 7 },
        future(0, 0),
        RETURN,
    ];
    draft.program(&[10], &code);
    let script = [Done(false), At(1), Done(true), Call(Complete), Call(Complete), Call(Complete), Done(true)];
    assert_story(
        &charges(&draft.finish().0, &script),
        &[
            "0 Start: Job, Instant, Driver, 2 EMachine, 3 Driver, EMachine",
            // to ask for the first driver is the driver thread's own
            "0 DriverDone of 3: Call",
            // the call ends the driver; the phase begins in its own step, since nothing comes before it; the
            // jump is a step like any other
            "1 DriverDone of 3: EMachine, Instant, 3 Release, EMachine, 2 Instant, Look",
            "1 Complete of 0: Completion",
            "1 Complete of 1: Completion",
            "1 Complete of 2: Completion",
            // who isn't a driver thread has no driver to end
            "1 DriverDone of 4: Call",
        ],
    );
}

#[test]
fn an_end_is_of_a_job_or_a_sleep_and_all_else_are_calls() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 9);
    draft.periodic(0, 0, 7, 10);
    let free = draft.free(0, 0, 5);
    let bits = draft.notification(free, u32::MAX);
    draft.release_every(task, 20);
    let script = [
        // a task is no periodic thread, and waits in the middle of its job
        Call(WaitPeriod),
        await_bits(1, AtMost(2)),
        // nor is a periodic thread a task, or free to sleep
        Call(Complete),
        sleep_until(1),
        At(2),
        Call(Complete),
        await_period(),
        Call(Complete),
        Call(WaitPeriod),
        // who waits for bits that are there, or for any while some are, doesn't sleep
        notify(bits, 3),
        await_bits(1, Forever),
        await_bits(0, Forever),
        notify(bits, 2),
        await_bits(1, AtMost(1)),
        At(3),
        await_bits(2, Forever),
        await_bits(0, AtMost(1)),
        At(4),
        // the present and the past are no instants to sleep until; the low half of one that is far away is no past
        sleep_until(4),
        sleep_until(3),
        sleep_until(5),
        At(5),
        sleep_until(1 << 32),
    ];
    assert_story(
        &charges(&draft.finish().0, &script),
        &[
            "0 Start: Job, Instant, Release, 2 Instant, Release, Look",
            "0 WaitPeriod of 0: Call",
            "0 NotificationWait of 0: Call, Job, Decision",
            "0 Complete of 1: Call",
            "0 SleepUntil of 1: Call, Job, Decision",
            "1 Alarm: Alarm, Release, 2 Job, Look",
            "2 Alarm: Alarm, Release, 2 Job, Look",
            "2 Complete of 0: Completion",
            "2 WaitPeriod of 1: Completion",
            "2 Complete of 2: Call",
            "2 WaitPeriod of 2: Call",
            "2 Notify of 2: Call",
            "2 NotificationWait of 2: Call",
            "2 NotificationWait of 2: Call",
            "2 Notify of 2: Call",
            "2 NotificationWait of 2: Completion, Job, Decision",
            "3 Alarm: Alarm, Release, 2 Job, Look",
            "3 NotificationWait of 2: Call",
            "3 NotificationWait of 2: Completion, Job, Decision",
            "4 Alarm: Alarm, Release, 2 Job, Look",
            "4 SleepUntil of 2: Call",
            "4 SleepUntil of 2: Call",
            "4 SleepUntil of 2: Completion, Job, Decision",
            "5 Alarm: Alarm, Release, 2 Job, Look",
            "5 SleepUntil of 2: Completion, Job, Decision",
        ],
    );
}

/// At 10, what a program does comes first, then two releases and the end of a wait.
#[test]
fn timers_are_releases_or_ends_of_waits() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 9);
    draft.periodic(0, 0, 7, 10);
    draft.periodic(0, 0, 6, 10);
    draft.free(0, 0, 5);
    draft.release_every(task, 10);
    let script = [Call(Complete), await_period(), await_period(), await_bits(1, AtMost(10)), At(10)];
    assert_story(
        &charges(&draft.finish().0, &script),
        &[
            "0 Start: Job, Instant, Release, 2 Instant, 2 Release, Look",
            "0 Complete of 0: Completion",
            "0 WaitPeriod of 1: Completion",
            "0 WaitPeriod of 2: Completion",
            "0 NotificationWait of 3: Completion, Job, Decision",
            // the program's instant with its release, the end of the wait, whose thread wakes in two pieces,
            // and the other two releases
            "10 Alarm: Alarm, Instant, Release, 2 Instant, Release, 2 Job, 2 Release, Look",
        ],
    );
}

/// By a kernel that looks at two places a step: 6 belongs in the middle of the others.
#[test]
fn a_place_that_is_sorted_in_costs_steps_of_its_own() {
    let mut draft = Draft::<Large>::new(&[Queue::Dynamic(8)]);
    let tasks = [(); 7].map(|()| draft.task(0, 0, 0));
    let deadlines = [50, 60, 70, 55, 80, 50, 65];
    let mut code: Vec<_> =
        tasks.into_iter().zip(0..).map(|(task, deadline)| release(task, deadline)).collect();
    code.push(RETURN);
    draft.program(&deadlines, &code);
    assert_story(
        &charges(&draft.finish().0, &[]),
        &["0 Start: Job, Instant, 7 Release, 2 Sorting, Instant, Look"],
    );
}

/// By one that looks at four a step: 5 belongs behind the first three, and is found in the second step.
#[test]
fn so_many_looks_a_step_find_a_place() {
    let mut draft = Draft::<Patient>::new(&[Queue::Dynamic(8)]);
    let tasks = [(); 6].map(|()| draft.task(0, 0, 0));
    let deadlines = [50, 60, 70, 90, 100, 80];
    let mut code: Vec<_> =
        tasks.into_iter().zip(0..).map(|(task, deadline)| release(task, deadline)).collect();
    code.push(RETURN);
    draft.program(&deadlines, &code);
    assert_story(
        &charges(&draft.finish().0, &[]),
        &["0 Start: Job, Instant, 6 Release, Sorting, Instant, Look"],
    );
}

#[test]
fn who_wakes_with_all_others_costs_a_step_of_a_job() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 8, 7]);
    let (condition, lock) = (draft.condition(), draft.binary());
    let wait = await_condition(condition, lock, Forever);
    let script = [take(lock), wait, take(lock), wait, broadcast(condition)];
    assert_story(
        &charges(&draft.finish().0, &script),
        &[
            "0 Start: Job, Look",
            "0 SemaphoreWait of 0: Call",
            "0 ConditionWait of 0: Call",
            "0 SemaphoreWait of 1: Call",
            "0 ConditionWait of 1: Call",
            "0 ConditionBroadcast of 2: Call, 7 Job, Decision",
        ],
    );
}

/// 2 does what it may not do, and 1 is stopped with it, which owns what 0 waits for, and sleeps.
#[test]
fn what_is_stopped_costs_stops_and_looks_and_places_that_come_back_meanwhile_are_steps_of_jobs() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    draft.free(1, 0, 7);
    draft.free(1, 0, 5);
    let lock = draft.binary();
    let script = [sleep_until(5), take(lock), sleep_until(90), At(5), take(lock), Do::Fault(FaultKind::Data)];
    assert_story(
        &charges(&draft.finish().0, &script),
        &[
            "0 Start: Job, Look",
            "0 SleepUntil of 0: Completion, Job, Decision",
            "0 SemaphoreWait of 1: Call",
            "0 SleepUntil of 1: Completion, Job, Decision",
            "5 Alarm: Alarm, Release, 2 Job, Look",
            // a decision, the place of 0 is parked at 1, and a decision
            "5 SemaphoreWait of 0: Call, Decision, Job, Decision",
            // when 1 is stopped, the place of 0 comes back, and then it gets the lock
            "5 fault of 2: Search, Stop, Job, Stop, 2 Search, Stop, 5 Search, Look",
        ],
    );
}

/// 0 waits for bits and for a semaphore then, which come while 1 is stopped.
#[test]
fn who_wakes_while_something_is_stopped_costs_steps_of_jobs() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let waits = draft.free(0, 0, 9);
    draft.free(1, 0, 5);
    draft.interrupt(10, waits, 1);
    let lock = draft.binary();
    let mut rig = play(&draft.finish().0, &[await_bits_then(1, lock, Forever)]);
    assert_story(
        &charged(&interrupted(&mut rig, 10)),
        &[
            "0 fault of 1: Search",
            // 0 wakes, and takes what it was promised
            "0 Interrupt(Line(10)): 3 Job, Stop, 5 Search, Look",
        ],
    );
}

/// The running thread is stopped, and an interrupt comes behind the first step.
fn interrupted<S: Sizes>(rig: &mut Rig<S>, line: u16) -> Vec<Step> {
    let begun = rig.charged.len();
    let fault = Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 });
    for event in [fault, Event::Interrupt(Line(line))].into_iter().chain(repeat(Event::Continue)) {
        rig.charge(event);
        if rig.kernel.handle(event) != Switch::Again {
            break;
        }
    }
    rig.charged.split_off(begun)
}

#[test]
fn a_step_costs_what_its_kind_does() {
    let [alarm, release, sorting, completion, driver, switch] = [1, 2, 32, 4, 8, 16].map(ticks);
    let [instant, instant_step, look, e_machine, decision, job, stop, search, call] =
        [96, 30, 36, 64, 128, 3, 7, 6, 5].map(ticks);
    let charges = Charges {
        alarm,
        release,
        sorting,
        completion,
        driver,
        switch,
        instant,
        instant_step,
        look,
        e_machine,
        decision,
        job,
        stop,
        search,
        call,
    };
    let kinds = [
        StepKind::Alarm,
        StepKind::Release,
        StepKind::Sorting,
        StepKind::Completion,
        StepKind::Driver,
        StepKind::Instant,
        StepKind::Look,
        StepKind::EMachine,
        StepKind::Decision,
        StepKind::Job,
        StepKind::Stop,
        StepKind::Search,
        StepKind::Call,
    ];
    let each = [1, 2, 32, 4, 72, 30, 36, 64, 128, 3, 7, 6, 5].map(ticks);
    assert_eq!(kinds.map(|kind| charges.of(kind)), each);
    assert_eq!(kinds.map(|kind| Charges::NONE.of(kind)), [0; 13].map(ticks));
}

/// The last of a row of dispatches: nobody runs until the time that its program gave it. The one before ends
/// in one step as well, since the next is dispatched until then.
#[test]
fn each_of_a_row_of_dispatches_ends_in_one_step() {
    let mut draft = Draft::<Taking>::new(&[Queue::Dynamic(2)]);
    let [first, second] = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let code = [
        Fork { address: 3 },
        Releases { first, deadline: 1, count: 2 },
        RETURN,
        DispatchUntil { task: first, until: 0, otherwise: 0 },
        DispatchUntil { task: second, until: 0, otherwise: 0 },
        Idle { until: 0 },
        RETURN,
    ];
    let program = draft.program(&[10, 20], &code);
    draft.conditions(program, &[Clock(0)]);
    draft.schedule(program, 0);
    let (mut system, _) = draft.finish();
    system.programs[program.index()].rank = system.threads[first.index()].rank;
    let charged = charges(&system, &[At(2), Call(Complete), At(4), Call(Complete)]);
    assert_story(
        &charged,
        &[
            "0 Start: Job, Instant, EMachine, 2 Release, 2 Instant, 2 EMachine, Look",
            "2 Complete of 0: Completion",
            "4 Complete of 1: Completion",
        ],
    );
}

/// Who takes ceiling locks and holds none tells a more urgent thread in one step, like anybody else; while it
/// holds one, and while it keeps somebody out, it is decided in a step of its own.
#[test]
fn who_takes_ceiling_locks_takes_one_step_while_it_holds_none() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let [high, low] = [3, 2].map(|priority| draft.free(0, 0, priority));
    [high, low].into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 2);
    let bell = draft.notification(high, 1);
    let ring = notify(bell, 1);
    let script = [
        await_bits(1, Forever),
        ring,
        await_bits(1, Forever),
        Do::Write(level(low), 2),
        ring,
        // It has left its lock, and hasn't asked for a decision yet.
        Do::Write(level(low), 0),
        Call(ExecutionTime),
        preempt(),
        await_bits(1, Forever),
        ring,
    ];
    assert_story(
        &charges(&draft.finish().0, &script),
        &[
            "0 Start: Job, Look",
            "0 NotificationWait of 0: Completion",
            "0 Notify of 1: Call",
            "0 NotificationWait of 0: Completion",
            // It holds its lock: who is told is kept out.
            "0 Notify of 1: Call, Job, Decision",
            "0 ExecutionTime of 1: Call",
            "0 Preempt of 1: Call",
            "0 NotificationWait of 0: Completion",
            "0 Notify of 1: Call",
        ],
    );
}
