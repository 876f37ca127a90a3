//! Sections of ceiling locks that are policed: who stays raised keeps others out for so long, and no longer.

use beryl_abi::CallNumber::ExecutionTime;
use beryl_abi::{Duration, FaultKind, ProcessId, ThreadId};
use beryl_kernel::{DriverKind, Event};

use crate::assert_story;
use crate::host::Do::{At, Call, Done, Fault};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, preempt, sleep_until};
use crate::host::code::{RETURN, call, future};
use crate::host::draft::{Draft, Policed, Queue};
use crate::host::{Rig, only_records};

const HIGHEST: ThreadId = ThreadId(2);

/// Thread 0 is more urgent than 1, and 2 more urgent than both; each of a process of its own, 3 idles. 0 and 1 take
/// locks up to the level of 0, and 1 may keep others out for three ticks.
fn three() -> Draft<Policed> {
    let mut draft = Draft::<Policed>::new(&[Queue::Fixed]);
    let threads = [draft.free(0, 0, 5), draft.free(1, 0, 2), draft.free(2, 0, 9)];
    [0, 1].into_iter().for_each(|number: usize| draft.row(threads[number]).highest_ceiling = 2);
    draft
}

/// 2 sleeps until this tick, 0 until that one, and 1 runs.
fn begun(draft: Draft<Policed>, highest: u64, high: u64) -> Rig<Policed> {
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(sleep_until(highest));
    rig.step(sleep_until(high));
    assert_eq!(rig.state().running(), ThreadId(1));
    rig
}

/// User code of the running thread raises itself.
fn enter(rig: &mut Rig<Policed>) -> u32 {
    let me = rig.state().running();
    rig.host().raise_word(me, 2)
}

/// It lowers itself, and asks if it has to.
fn leave(rig: &mut Rig<Policed>, before: u32) {
    let me = rig.state().running();
    if rig.host().lower_word(me, before) {
        rig.step(preempt());
    }
}

/// What was told since the first two threads went to sleep.
fn told(rig: &Rig<Policed>) -> Vec<String> {
    let told = only_records(rig.kernel.machine.log.clone());
    told.into_iter().skip_while(|line| line.starts_with("0 ")).collect()
}

const STOPPED: &str = "lock held for longer than its hold";

fn fault(at: u64) -> String {
    format!("{at} fault 1: {STOPPED}")
}

#[test]
fn who_stays_raised_is_stopped_with_the_tick_that_is_too_much() {
    let mut rig = begun(three(), 1000, 5);
    enter(&mut rig);
    [At(8), At(100)].into_iter().for_each(|step| rig.step(step));
    assert_story(&told(&rig), &[&fault(9), "9 switch 1 to 0"]);
}

#[test]
fn who_leaves_in_time_may_keep_others_out_again() {
    let mut rig = begun(three(), 1000, 5);
    let before = enter(&mut rig);
    rig.step(At(8));
    leave(&mut rig, before);
    assert_eq!(rig.state().running(), ThreadId(0));
    // Its next section begins long after, and others are kept out from 15 on.
    rig.step(sleep_until(15));
    rig.step(At(10));
    let before = enter(&mut rig);
    rig.step(At(18));
    leave(&mut rig, before);
    rig.step(At(100));
    assert_story(&told(&rig), &["8 switch 1 to 0", "8 switch 0 to 1", "18 switch 1 to 0"]);
}

/// What it did before somebody came is nobody's loss.
#[test]
fn a_section_that_keeps_nobody_out_may_take_as_long_as_it_likes() {
    let mut rig = begun(three(), 1000, 500);
    let before = enter(&mut rig);
    rig.step(At(400));
    leave(&mut rig, before);
    rig.step(At(600));
    assert_story(&told(&rig), &["500 switch 1 to 0"]);
}

#[test]
fn who_left_without_asking_lets_others_in_when_its_time_is_over() {
    let mut rig = begun(three(), 1000, 5);
    let before = enter(&mut rig);
    rig.step(At(7));
    assert!(rig.host().lower_word(ThreadId(1), before));
    rig.step(At(100));
    assert_story(&told(&rig), &["9 switch 1 to 0"]);
}

#[test]
fn who_lowers_and_raises_itself_without_asking_gains_nothing() {
    let mut rig = begun(three(), 1000, 5);
    let before = enter(&mut rig);
    rig.step(At(5));
    for instant in 6..=8 {
        assert!(rig.host().lower_word(ThreadId(1), before));
        enter(&mut rig);
        rig.step(At(instant));
        rig.step(Call(ExecutionTime));
    }
    rig.step(At(100));
    assert_story(&told(&rig), &[&fault(9), "9 switch 1 to 0"]);
}

/// Its clock stands still meanwhile. 2 keeps it away from 6 to 10, and 0 is kept out from 5 on.
#[test]
fn while_it_is_preempted_its_time_does_not_pass() {
    let mut rig = begun(three(), 6, 5);
    enter(&mut rig);
    rig.step(At(10));
    rig.step(sleep_until(1000));
    rig.step(At(100));
    assert_story(&told(&rig), &["6 switch 1 to 2", "10 switch 2 to 1", &fault(13), "13 switch 1 to 0"]);
}

/// 2 comes first. When it sleeps, 1 goes on before 0, which came meanwhile: from then on it is kept out.
#[test]
fn who_came_while_it_was_preempted_is_kept_out_from_when_it_goes_on() {
    let mut rig = begun(three(), 5, 7);
    enter(&mut rig);
    rig.step(At(10));
    rig.step(sleep_until(1000));
    rig.step(At(100));
    assert_story(&told(&rig), &["5 switch 1 to 2", "10 switch 2 to 1", &fault(14), "14 switch 1 to 0"]);
}

/// Whoever comes later doesn't give it more: a third thread, between 0 and 1, comes at 7.
#[test]
fn another_who_is_kept_out_does_not_prolong_it() {
    let mut draft = three();
    let between = draft.free(3, 0, 3);
    // So levels are 2, 1 and 4, and 3 between.
    [0, 1].into_iter().for_each(|number| draft.row(ThreadId(number)).highest_ceiling = 3);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    [sleep_until(1000), sleep_until(7), sleep_until(5)].into_iter().for_each(|step| rig.step(step));
    assert_eq!(rig.state().running(), ThreadId(1));
    rig.host().raise_word(ThreadId(1), 3);
    rig.step(At(100));
    let (fault, next) = (fault(9), format!("9 switch 1 to {}", 0));
    assert_story(&told(&rig), &[&fault, &next]);
    assert!(rig.state().running() != between);
}

/// Whoever was kept out is stopped with 2's process. The section goes on to its end; the next one is new.
#[test]
fn a_section_goes_on_when_nobody_is_kept_out_any_more() {
    let mut draft = three();
    draft.row(ThreadId(0)).process = ProcessId(2);
    let mut rig = begun(draft, 7, 5);
    let before = enter(&mut rig);
    rig.step(At(7));
    rig.step(Fault(FaultKind::Data));
    assert_eq!(rig.state().running(), ThreadId(1));
    rig.step(At(8));
    leave(&mut rig, before);
    enter(&mut rig);
    rig.step(At(200));
    let stopped = format!("7 fault 2: {}", FaultKind::Data.words());
    assert_story(&told(&rig), &["7 switch 1 to 2", &stopped, "7 switch 2 to 1"]);
}

/// A native driver runs from 6 on, for ten ticks, while 0 is kept out from 5 on.
#[test]
fn a_native_drivers_time_is_not_its_own() {
    let mut draft = three();
    draft.driver_thread(3);
    let kind = DriverKind::Getter { function: 0, shared: 0, budget: Duration::from_ticks(50) };
    let getter = draft.native(3, kind);
    draft.program(&[6], &[future(0, 2), RETURN, call(getter), RETURN]);
    let mut rig = begun(draft, 1000, 5);
    enter(&mut rig);
    [At(16), Done(false), Done(false), At(100)].into_iter().for_each(|step| rig.step(step));
    let told = told(&rig);
    assert!(told.contains(&fault(19)), "{told:#?}");
}

#[test]
fn who_is_not_policed_may_stay_raised() {
    let mut draft = Draft::<Policed>::new(&[Queue::Fixed]);
    let threads = [draft.free(0, 0, 2), draft.free(1, 0, 5)];
    draft.row(threads[0]).highest_ceiling = 2;
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(sleep_until(5));
    rig.host().raise_word(threads[0], 2);
    rig.step(At(100));
    assert_story(&told(&rig), &[]);
}

#[test]
fn the_processes_reaction_to_faults_is_that_to_a_section_that_takes_too_long() {
    let mut draft = three();
    // Another thread of its process, below it, goes with it.
    let other = draft.free(1, 0, 1);
    // So levels are 3, 2, 4, and 1 for the other.
    draft.row(ThreadId(1)).highest_ceiling = 3;
    let mut rig = begun(draft, 1000, 5);
    rig.host().raise_word(ThreadId(1), 3);
    rig.step(At(20));
    rig.step(await_bits(1, Forever));
    assert_eq!(rig.state().running(), ThreadId(4), "nobody is left but the idle thread, not even {other:?}");
    assert!(rig.state().running() != HIGHEST);
}
