//! Faults: what is stopped, what goes on.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{FaultKind, ProcessId, ThreadId};
use beryl_kernel::{Event, Switch};

use crate::assert_story;
use crate::host::Do::{Alarm, At, Call, Fault, Interrupt, Late};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, play, records, run};

/// Process 1 has tasks 0 and 1 and the free thread 3, process 2 has task 2; 4 idles. Every 10 ticks
/// drivers 0 to 2 publish what the tasks did, and all three are released.
fn two_processes() -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(4), Queue::Fixed]);
    let tasks = [draft.task(1, 0, 0), draft.task(1, 0, 0), draft.task(2, 0, 0)];
    draft.free(1, 1, 0);
    let publish =
        tasks.map(|task| draft.copy(task, 0x100 * u32::from(task.0), 0x1000 + 4 * u32::from(task.0), 4));
    let code = publish.map(call).into_iter().chain(tasks.map(|task| release(task, 0)));
    draft.program(&[10], &code.chain([future(0, 0), RETURN]).collect::<Vec<_>>());
    draft
}

#[test]
fn a_fault_stops_all_threads_of_the_process_and_nobody_else() {
    let (system, _) = two_processes().finish();
    let script = [
        At(1),
        Call(Complete),
        At(2),
        Fault(FaultKind::Data),
        At(3),
        Call(Complete),
        At(10),
        At(11),
        Call(Complete),
    ];
    let story = run(&system, &script);
    let later: Vec<_> = story.into_iter().skip_while(|line| !line.starts_with("2 ")).collect();
    assert_story(
        &later,
        &[
            "2 fault 1: access to memory that isn't its own",
            // every thread of process 1, one a step
            "2 restart 0",
            "2 restart 1",
            "2 restart 3",
            "2 arm 10",
            // process 2 goes on; the free thread of process 1 is gone, so that idle follows
            "2 switch 1 to 2",
            "3 complete 2",
            "3 switch 2 to 4",
            // at 10 drivers and releases of process 1 are left out
            "10 skip of 0 at 10",
            "10 skip of 0 at 10",
            "10 copy 0x200 to 0x1008, 4 bytes",
            "10 driver 2 at 10 = 0",
            "10 skip of 0 at 10",
            "10 skip of 0 at 10",
            "10 release 2 at 10 by 20",
            "10 arm 20",
            "10 switch 4 to 2",
            "11 complete 2",
            "11 switch 2 to 4",
        ],
    );
    let rig = play(&system, &script);
    assert_eq!([0, 1, 2].map(|process| rig.state().is_stopped(ProcessId(process))), [false, true, false]);
}

#[test]
fn a_fault_stops_only_the_thread_where_the_process_says_so() {
    let mut draft = two_processes();
    draft.stop_only_the_thread(1);
    let script = [Fault(FaultKind::StackOverflow), Call(Complete), Call(Complete), At(10), Call(Complete)];
    assert_story(
        &records(&draft.finish().0, &script),
        &[
            "0 driver 0 at 0 = 0",
            "0 driver 1 at 0 = 0",
            "0 driver 2 at 0 = 0",
            "0 release 0 at 0 by 10",
            "0 release 1 at 0 by 10",
            "0 release 2 at 0 by 10",
            "0 switch 4 to 0",
            "0 fault 0: stack overflow",
            // its neighbours in the process go on
            "0 switch 0 to 1",
            "0 complete 1",
            "0 switch 1 to 2",
            "0 complete 2",
            "0 switch 2 to 3",
            // what concerned the stopped task is left out
            "10 skip of 0 at 10",
            "10 driver 1 at 10 = 0",
            "10 driver 2 at 10 = 0",
            "10 skip of 0 at 10",
            "10 release 1 at 10 by 20",
            "10 release 2 at 10 by 20",
            "10 switch 3 to 1",
            "10 complete 1",
            "10 switch 1 to 2",
        ],
    );
}

#[test]
fn the_idle_thread_begins_anew_after_a_fault() {
    let (system, idle) = Draft::<Small>::new(&[]).finish();
    let story = run(&system, &[At(3), Fault(FaultKind::Usage), At(4), Fault(FaultKind::Usage)]);
    assert_eq!(idle, ThreadId(0));
    assert_story(
        &story,
        &[
            "0 arm 1073741824",
            "0 switch 0 to 0",
            // somebody has to be there when nobody else is
            "3 fault 0: invalid operation",
            "3 restart 0",
            "3 arm 1073741824",
            "3 switch 0 to 0",
            "4 fault 0: invalid operation",
            "4 restart 0",
            "4 arm 1073741824",
            "4 switch 0 to 0",
        ],
    );
}

#[test]
fn an_interrupt_that_nobody_owns_is_masked_and_nothing_else_happens() {
    let (system, _) = two_processes().finish();
    let story = run(&system, &[At(1), Interrupt(17), At(2), Call(Complete)]);
    let later: Vec<_> = story.into_iter().skip_while(|line| !line.starts_with("1 ")).collect();
    assert_story(&later, &["1 mask 17", "1 stray 17", "2 complete 0", "2 switch 0 to 1"]);
}

#[test]
fn an_alarm_that_comes_early_is_set_again() {
    let (system, _) = two_processes().finish();
    let story = run(&system, &[At(4), Alarm, At(9), Alarm, Late(10), Alarm]);
    let later: Vec<_> = story.into_iter().skip_while(|line| line.starts_with("0 ")).take(3).collect();
    assert_story(
        &later,
        &[
            // neither changes who runs
            "4 arm 10",
            "9 arm 10",
            // and the instant comes when it is due
            "10 violation 0 at 10",
        ],
    );
}

/// Steps an event, one answer a step.
fn steps(rig: &mut Rig<Small>, events: &[Event]) -> Vec<Switch> {
    events.iter().map(|event| rig.kernel.handle(*event)).collect()
}

#[test]
fn interrupts_and_alarms_between_two_steps_do_not_disturb_the_instant() {
    let (system, _) = two_processes().finish();
    let stray = Event::Interrupt(beryl_abi::Line(3));
    let mut rig = play(&system, &[At(1), Call(Complete), Call(Complete), Call(Complete), Late(10)]);
    let mut calm = rig.clone();
    // alarm, select, publish (decide and copy), and in between what may come
    let disturbed =
        steps(&mut rig, &[Event::Alarm, stray, Event::Continue, Event::Alarm, Event::Continue, stray]);
    assert_eq!(disturbed, [Switch::Again; 6]);
    let undisturbed = steps(&mut calm, &[Event::Alarm, Event::Continue, Event::Continue]);
    assert_eq!(undisturbed, [Switch::Again; 3]);
    assert_eq!(rig.state(), calm.state());
}
