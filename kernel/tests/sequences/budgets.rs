//! Budgets of jobs: who pays, when it is seen that a budget is used up, and what happens then.

use beryl_abi::CallNumber::{Complete, ExecutionTime, Null, Stop, Yield};
use beryl_abi::{Classes, FaultKind, ThreadId};
use beryl_kernel::{Budget, OnSpent, Sizes, System};

use crate::assert_story;
use crate::host::Do::{self, Alarm, At, Call, Fault, Interrupt, Late, Write};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, await_period};
use crate::host::code::{RELEASES, RETURN, call, future, phase, release};
use crate::host::draft::{Budgeted, Draft, Queue, Small};
use crate::host::{Rig, play, run, story, ticks, without};

const PRIVATE: u32 = 0x110;
const VISIBLE: u32 = 0x200;

/// What a job may use.
pub fn for_jobs(amount: u32, reaction: OnSpent) -> Budget {
    Budget { amount, reaction, ..Budget::NONE }
}

/// Task 0 every 20 ticks, whose jobs may use 5; task 1, less urgent, every 20 as well; 2 idles.
fn two_tasks(reaction: OnSpent) -> System<Budgeted> {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let (high, low) = (draft.task(0, 0, 2), draft.task(1, 0, 1));
    let publish = draft.copy(high, PRIVATE, VISIBLE, 4);
    draft.worst(high, 5);
    draft.budget(high, for_jobs(5, reaction));
    let code = [call(publish), phase(RELEASES), release(high, 0), release(low, 0), future(0, 0), RETURN];
    draft.program(&[20], &code);
    draft.finish().0
}

fn without_effects(system: &System<Budgeted>, script: &[Do]) -> Vec<String> {
    without(run(system, script), &["arm"])
}

#[test]
fn a_job_that_uses_all_but_no_more_than_it_may_is_left_alone() {
    let script = [At(5), Call(Complete), At(12), Call(Complete), At(20)];
    assert_story(
        &run(&two_tasks(OnSpent::EndJob), &script),
        &[
            "0 copy 0x110 to 0x200, 4 bytes",
            "0 driver 0 at 0 = 0",
            "0 release 0 at 0 by 20",
            "0 release 1 at 0 by 20",
            "0 arm 20",
            // a tick later than it may run
            "0 arm 6",
            "0 switch 2 to 0",
            "5 complete 0",
            // who has no budget may run until something is due
            "5 arm 20",
            "5 switch 0 to 1",
            "12 complete 1",
            "12 switch 1 to 2",
            "20 copy 0x110 to 0x200, 4 bytes",
            "20 driver 0 at 20 = 0",
            "20 release 0 at 20 by 40",
            "20 release 1 at 20 by 40",
            "20 arm 40",
            "20 arm 26",
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn a_job_that_uses_more_ends_and_nothing_of_it_is_published() {
    let script =
        [At(3), Write(PRIVATE, 9), At(8), Call(Complete), At(21), Write(PRIVATE, 7), Call(Complete), At(40)];
    assert_story(
        &without_effects(&two_tasks(OnSpent::EndJob), &script)[4..],
        &[
            "0 switch 2 to 0",
            // seen at the first tick that is too much; the other task isn't late for it
            "6 overrun 0",
            "6 restart 0",
            "6 switch 0 to 1",
            "8 complete 1",
            "8 switch 1 to 2",
            // its result was needed now
            "20 violation 0 at 20",
            "20 restart 0",
            "20 release 0 at 20 by 40",
            "20 release 1 at 20 by 40",
            "20 switch 2 to 0",
            "21 complete 0",
            "21 switch 0 to 1",
            "40 copy 0x110 to 0x200, 4 bytes",
            "40 driver 0 at 40 = 7",
            "40 release 0 at 40 by 60",
            "40 violation 1 at 40",
            "40 restart 1",
            "40 release 1 at 40 by 60",
            "40 switch 1 to 0",
        ],
    );
}

#[test]
fn a_job_that_is_only_told_of_goes_on_and_is_told_of_once() {
    let script = [At(9), Call(ExecutionTime), Call(Complete)];
    let system = two_tasks(OnSpent::Tell);
    assert_story(
        &without_effects(&system, &script)[4..],
        &["0 switch 2 to 0", "6 overrun 0", "9 result of 0: 0x9 0x0", "9 complete 0", "9 switch 0 to 1"],
    );
    assert_eq!(play(&system, &script).state().judged(ThreadId(0)), (0, 1));
}

/// Thread 0 every 10 ticks, whose jobs may use 4; thread 1 below it; 2, above, waits for bits that nobody sets; 3 idles.
fn periodic(reaction: OnSpent) -> Draft<Budgeted> {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let thread = draft.periodic(0, 0, 5, 10);
    draft.row(thread).worst = ticks(4);
    draft.free(1, 0, 1);
    draft.free(2, 0, 9);
    draft.budget(thread, for_jobs(4, reaction));
    draft
}

#[test]
fn a_periodic_threads_job_ends_and_the_next_begins_at_its_entry() {
    let script = [await_bits(0x20, Forever), At(12), await_period()];
    assert_story(
        &without(run(&periodic(OnSpent::EndJob).finish().0, &script), &["arm"]),
        &[
            "0 release 0 at 0 by 10",
            "0 switch 3 to 2",
            "0 switch 2 to 0",
            "5 overrun 0",
            "5 restart 0",
            "5 switch 0 to 1",
            "10 release 0 at 10 by 20",
            // at its entry: it returns from no call
            "10 switch 1 to 0",
            "12 complete 0",
            "12 result of 0: 0x0 0x0",
            "12 switch 0 to 1",
        ],
    );
}

#[test]
fn time_in_which_others_run_is_not_charged() {
    let mut draft = periodic(OnSpent::EndJob);
    let high = draft.periodic(1, 0, 7, 3);
    draft.row(high).offset = ticks(2);
    let script = [await_bits(0x20, Forever), At(3), await_period(), At(6), await_period(), At(7)];
    let story = without(run(&draft.finish().0, &script), &[]);
    assert_story(
        &story[4..],
        &[
            "2 release 3 at 2 by 5",
            "2 arm 5",
            "2 switch 0 to 3",
            "3 complete 3",
            "3 result of 3: 0x0 0x0",
            // two of four are left: the release comes first, and the alarm stays
            "3 switch 3 to 0",
            "5 release 3 at 5 by 8",
            "5 arm 6",
            "5 arm 8",
            "5 switch 0 to 3",
            "6 complete 3",
            "6 result of 3: 0x0 0x0",
            // all four are used at 6; one tick more would be too much
            "6 arm 7",
            "6 switch 3 to 0",
            "7 overrun 0",
            "7 restart 0",
            "7 arm 8",
            "7 switch 0 to 1",
        ],
    );
}

#[test]
fn an_early_alarm_is_set_again_and_a_late_one_finds_the_job_it_was_set_for() {
    let script = [await_bits(0x20, Forever), At(2), Alarm, Late(3), Alarm, Late(8), Alarm];
    let story = run(&periodic(OnSpent::EndJob).finish().0, &script);
    assert_story(
        &story[5..],
        &["2 arm 5", "3 arm 5", "8 overrun 0", "8 restart 0", "8 arm 10", "8 switch 0 to 1"],
    );
}

#[test]
fn a_job_that_comes_to_its_end_before_the_alarm_is_only_an_overrun() {
    let script = [await_bits(0x20, Forever), Late(7), await_period(), At(10)];
    assert_story(
        &without(run(&periodic(OnSpent::EndJob).finish().0, &script), &["arm"])[3..],
        &[
            "7 complete 0",
            "7 overrun 0",
            "7 result of 0: 0x0 0x0",
            "7 switch 0 to 1",
            "10 release 0 at 10 by 20",
            "10 switch 1 to 0",
        ],
    );
}

#[test]
fn a_budget_that_stops_is_a_fault_of_its_thread() {
    let script = [await_bits(0x20, Forever), At(12)];
    let system = periodic(OnSpent::Stop).finish().0;
    assert_story(
        &without(run(&system, &script), &["arm"])[3..],
        &["5 overrun 0", "5 fault 0: budget used up", "5 restart 0", "5 switch 0 to 1"],
    );
    assert!(play(&system, &script).state().is_stopped(beryl_abi::ProcessId(0)));
}

#[test]
fn what_is_used_up_is_a_note_with_what_was_used() {
    let mut rig = Rig::new(&periodic(OnSpent::EndJob).finish().0);
    rig.kernel.state.record(Classes::ALL);
    rig.raise(beryl_kernel::Event::Start);
    [await_bits(0x20, Forever), At(6)].into_iter().for_each(|step| rig.step(step));
    let log = &rig.kernel.machine.log;
    let has = |line: &str| assert!(log.iter().any(|other| other == line), "no {line} in {log:#?}");
    has("5 budget of 0: 0 0 5");
    has("5 stop of 0: 1 0 0");
}

#[test]
fn a_job_that_was_ended_misses_no_release_and_no_deadline() {
    let mut draft = periodic(OnSpent::EndJob);
    // It may use 14, and comes every 10: the release at 10 is missed before its budget is used up.
    draft.budget(ThreadId(0), for_jobs(14, OnSpent::EndJob));
    let system = draft.finish().0;
    let script = [await_bits(0x20, Forever), At(31)];
    assert_story(
        &without(run(&system, &script), &["arm"])[3..],
        &[
            "10 miss 0 by 10",
            "15 overrun 0",
            "15 restart 0",
            "15 switch 0 to 1",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
            "30 miss 0 by 30",
        ],
    );
}

#[test]
fn a_task_that_was_ended_is_late_for_its_program_whatever_that_does_about_late_jobs() {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 2);
    draft.budget(task, for_jobs(5, OnSpent::EndJob));
    // Its handler leaves the release out, and lets the job go on.
    let resume = beryl_syscode::Instruction::Resume {};
    let program = draft.program(&[10], &[release(task, 0), future(0, 0), RETURN, resume]);
    draft.handlers(program, 3, u16::MAX);
    let script = [At(9), Fault(FaultKind::Data), At(21)];
    assert_story(
        &without(run(&draft.finish().0, &script[..1]), &["arm"]),
        &["0 release 0 at 0 by 10", "0 switch 1 to 0", "6 overrun 0", "6 restart 0", "6 switch 0 to 1"],
    );
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let task = draft.task(0, 0, 2);
    draft.budget(task, for_jobs(5, OnSpent::EndJob));
    let program = draft.program(&[10], &[release(task, 0), future(0, 0), RETURN, resume]);
    draft.handlers(program, 3, u16::MAX);
    assert_story(
        &without(run(&draft.finish().0, &[At(21)]), &["arm"])[5..],
        &[
            "10 violation 0 at 10",
            // a job that was ended can't go on: it is cleared away, and comes again
            "10 restart 0",
            "20 release 0 at 20 by 30",
            "20 switch 1 to 0",
        ],
    );
}

#[test]
fn who_stops_or_faults_is_not_told_of_its_budget() {
    for last in [Call(Stop), Fault(FaultKind::Data)] {
        let script = [await_bits(0x20, Forever), At(4), last, At(30)];
        let story = story(&periodic(OnSpent::EndJob).finish().0, &script);
        assert!(!story.iter().any(|line| line.contains("overrun")), "{story:#?}");
    }
}

#[test]
fn interrupts_that_change_nothing_leave_a_budget_as_it_is() {
    let script = [await_bits(0x20, Forever), At(2), Interrupt(9), At(4), Call(ExecutionTime), At(6)];
    let story = without(run(&periodic(OnSpent::Tell).finish().0, &script), &["arm"]);
    assert_story(&story[3..], &["2 mask 9", "2 stray 9", "4 result of 0: 0x4 0x0", "5 overrun 0"]);
}

/// Two threads of one priority, of which one yields after half a span of the alarm, and the other after one tick.
fn take_turns<S: Sizes>() -> Vec<String> {
    let mut draft = Draft::<S>::new(&[Queue::Fixed]);
    let [_, _] = [draft.free(0, 0, 3), draft.free(1, 0, 3)];
    let turns = (1..40_u64).flat_map(|turn| [At((turn << 29) + turn), Call(Yield)]);
    let turns = turns.chain((40..60_u64).flat_map(|turn| [At((turn << 29) + 1), Call(Null)]));
    run(&draft.finish().0, &turns.collect::<Vec<_>>())
}

#[test]
fn who_has_no_budget_has_no_alarm_for_it_however_long_it_runs() {
    assert_eq!(take_turns::<Budgeted>(), take_turns::<Small>());
}
