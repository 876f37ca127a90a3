//! Ceiling locks: urgency that user code raises and lowers by a word of its own.

use beryl_abi::CallNumber::{Complete, ExecutionTime, Stop, Yield};
use beryl_abi::{Duration, FaultKind, ProcessId, ThreadId};
use beryl_kernel::{DriverKind, Event, Sizes};

use crate::assert_story;
use crate::host::Do::{At, Call, Done, Fault, Interrupt};
use crate::host::asks::Wait::{Forever, Poll};
use crate::host::asks::{await_bits, await_lowered, notify, preempt, receive, signal, sleep_until};
use crate::host::code::{RETURN, call, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::user::{level, waiting};
use crate::host::{Rig, without};

/// User code of the running thread enters a lock; answers what its word was.
fn enter<S: Sizes>(rig: &mut Rig<S>, ceiling: u32) -> u32 {
    let me = rig.state().running();
    rig.host().raise_word(me, ceiling)
}

/// User code of the running thread leaves a lock; answers how many system calls it took.
fn leave<S: Sizes>(rig: &mut Rig<S>, before: u32) -> u32 {
    let me = rig.state().running();
    let needed = rig.host().lower_word(me, before);
    if needed {
        rig.step(preempt());
    }
    needed.into()
}

fn started(draft: Draft<Small>) -> Rig<Small> {
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig
}

fn switches(rig: &Rig<Small>) -> Vec<String> {
    let mut log = without(rig.kernel.machine.log.clone(), &["arm"]);
    log.retain(|line| line.contains("switch"));
    log
}

/// Who arrives in the reference vectors: less urgent than everybody, at the outer ceiling, between the
/// ceilings, above both.
const ARRIVING: [u8; 4] = [0, 2, 4, 6];

/// How many system calls the running thread of priority 1 makes in nested locks with ceilings 3 and 5,
/// if a thread of this priority arrives before the first, inside the outer, or inside the inner one.
fn calls(arriving: Option<u8>, place: usize, nested: bool) -> u32 {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    // one thread for each priority, so that levels are priorities and one
    let threads: Vec<_> = (0..7).map(|priority| draft.free(0, 0, priority)).collect();
    let me = threads[1];
    draft.row(me).highest_ceiling = 6;
    let line = 10;
    draft.interrupt(line, threads[usize::from(arriving.unwrap_or(0))], 1);
    let mut rig = started(draft);
    // everybody above waits for something that never comes, or for the arrival
    for _ in 2..7 {
        rig.step(await_bits(1, Forever));
    }
    // the least urgent one has waited, too, before this begins
    assert_eq!(rig.state().running(), me);
    let arrive = |rig: &mut Rig<Small>, here: usize| {
        if arriving.is_none() || here != place {
            return;
        }
        rig.step(Interrupt(line));
        // whoever preempts is done at once
        if rig.state().running() != me {
            rig.step(await_bits(1, Forever));
        }
    };
    arrive(&mut rig, 1);
    let outer = enter(&mut rig, 3 + 1);
    arrive(&mut rig, 2);
    let mut calls = 0;
    if nested {
        let inner = enter(&mut rig, 5 + 1);
        arrive(&mut rig, 3);
        calls += leave(&mut rig, inner);
        if rig.state().running() != me {
            rig.step(await_bits(1, Forever));
        }
    }
    calls += leave(&mut rig, outer);
    if rig.state().running() != me {
        rig.step(await_bits(1, Forever));
    }
    assert_eq!(rig.state().running(), me, "the lock's owner goes on in the end");
    calls
}

/// OSPERT 2014, paper 3: the kernel is called only if somebody really has to run, so at most once.
#[test]
fn calls_of_nested_locks_are_those_of_the_papers_protocol() {
    let rows = |nested: bool, places: usize| -> Vec<Vec<u32>> {
        let arrivals = [None].into_iter().chain(ARRIVING.map(Some));
        arrivals.map(|who| (1..=places).map(|place| calls(who, place, nested)).collect()).collect()
    };
    //                            none     low     medium  between  high
    assert_eq!(rows(false, 2), [[0, 0], [0, 0], [0, 1], [0, 0], [0, 0]]);
    assert_eq!(rows(true, 3), [[0, 0, 0], [0, 0, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]]);
}

/// Thread 0 is urgent, 1 holds a lock that it shares with it; levels are 2 and 1.
fn two() -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let threads = [draft.free(0, 0, 3), draft.free(0, 0, 2)];
    threads.into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 2);
    draft
}

/// Whoever leaves its lock and doesn't ask for a decision is none of whom nothing has to be asked: its next
/// call that wakes anybody decides.
#[test]
fn who_leaves_a_lock_without_a_word_keeps_others_out_until_it_wakes_somebody_and_no_longer() {
    let mut draft = two();
    let bystander = draft.free(0, 0, 1);
    // So levels are 3, 2, 1.
    [0, 1].map(ThreadId).into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 3);
    let bell = draft.notification(bystander, 1);
    let mut rig = started(draft);
    [sleep_until(5), sleep_until(3), await_bits(1, Forever), At(3)]
        .into_iter()
        .for_each(|step| rig.step(step));
    let me = rig.state().running();
    let before = enter(&mut rig, 3);
    rig.step(At(5));
    assert!(rig.host().lower_word(me, before), "somebody waits");
    rig.step(Call(ExecutionTime));
    assert_eq!(rig.state().running(), me);
    rig.step(notify(bell, 1));
    let before =
        ["0 switch 3 to 0", "0 switch 0 to 1", "0 switch 1 to 2", "0 switch 2 to 3", "3 switch 3 to 1"];
    assert_story(&switches(&rig), &[&before[..], &["5 switch 1 to 0"]].concat());
}

#[test]
fn who_is_kept_out_is_published_and_runs_as_soon_as_the_lock_is_left() {
    let mut rig = started(two());
    rig.step(sleep_until(5));
    let before = enter(&mut rig, 2);
    rig.step(At(5));
    assert_eq!(rig.host().word(waiting(ThreadId(1))), 2, "the level that waits");
    assert_eq!(leave(&mut rig, before), 1);
    assert_story(&switches(&rig), &["0 switch 2 to 0", "0 switch 0 to 1", "5 switch 1 to 0"]);
}

#[test]
fn a_word_is_not_believed_beyond_the_ceilings_of_its_threads_locks() {
    let mut draft = two();
    draft.row(ThreadId(1)).highest_ceiling = 1;
    let mut rig = started(draft);
    rig.step(sleep_until(5));
    enter(&mut rig, u32::MAX);
    rig.step(At(5));
    assert_story(&switches(&rig), &["0 switch 2 to 0", "0 switch 0 to 1", "5 switch 1 to 0"]);
}

#[test]
fn who_is_raised_neither_waits_nor_yields_and_nothing_changes() {
    let mut draft = two();
    let semaphore = draft.binary();
    let mailbox = draft.mailbox(8, 1);
    let condition = draft.condition();
    let mut rig = started(draft);
    enter(&mut rig, 2);
    let raised = rig.clone();
    use crate::host::asks::{send, take, take_for};
    let asks = [
        Call(Yield),
        take(semaphore),
        take_for(semaphore, Poll),
        send(mailbox, [1, 2], Forever),
        receive(mailbox, 0, Poll),
        sleep_until(3),
        await_bits(1, Forever),
        crate::host::asks::await_condition(condition, semaphore, Forever),
    ];
    for ask in asks {
        rig.step(ask);
        assert!(rig.host().log.last().is_some_and(|line| line.ends_with("Raised")), "{ask:?}");
        assert_eq!(rig.state(), raised.state(), "{ask:?}");
    }
}

#[test]
fn who_ends_while_it_is_raised_is_stopped_with_its_process() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let task = draft.task(1, 0, 3);
    draft.free(1, 0, 2);
    draft.row(task).highest_ceiling = 2;
    draft.release_every(task, 10);
    let mut rig = started(draft);
    enter(&mut rig, 2);
    rig.step(Call(Complete));
    let story = without(rig.kernel.machine.log.clone(), &["arm", "restart"]);
    assert_story(
        &story,
        &["0 release 0 at 0 by 10", "0 switch 2 to 0", "0 fault 0: invalid operation", "0 switch 0 to 2"],
    );
    assert!(rig.state().is_stopped(ProcessId(1)));
    assert_eq!(rig.host().word(level(task)), 0, "nobody holds the lock any more");
}

#[test]
fn stopping_while_raised_is_a_fault_too() {
    let mut draft = two();
    draft.stop_only_the_thread(0);
    let mut rig = started(draft);
    enter(&mut rig, 2);
    rig.step(Call(Stop));
    let story = without(rig.kernel.machine.log.clone(), &["arm", "restart"]);
    assert_story(&story, &["0 switch 2 to 0", "0 fault 0: invalid operation", "0 switch 0 to 1"]);
}

/// A system with levels 1 (thread 2), 2 (thread 1) and 3 (thread 0), in one fixed band.
fn three() -> Draft<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let threads = [draft.free(0, 0, 9), draft.free(0, 0, 5), draft.free(0, 0, 1)];
    threads.into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 3);
    draft
}

#[test]
fn a_preempted_holder_goes_on_before_whoever_it_keeps_out() {
    let mut rig = started(three());
    rig.step(sleep_until(5));
    rig.step(sleep_until(6));
    // the least urgent one enters a lock with ceiling 2, and is preempted by the most urgent one
    let before = enter(&mut rig, 2);
    rig.step(At(6));
    assert_eq!(rig.state().running(), ThreadId(0));
    // which waits: 1 is ready and more urgent than 2, but kept out
    rig.step(sleep_until(20));
    assert_eq!(rig.state().running(), ThreadId(2));
    assert_eq!(rig.host().word(waiting(ThreadId(2))), 2);
    assert_eq!(leave(&mut rig, before), 1);
    assert_story(
        &switches(&rig),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "5 switch 2 to 0",
            "6 switch 0 to 2",
            "6 switch 2 to 1",
        ],
    );
}

/// While a native driver runs, a task is released that shares a lock with the thread that the driver
/// has interrupted.
#[test]
fn a_native_driver_does_not_open_a_lock() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed, Queue::Fixed]);
    let task = draft.task(0, 0, 9);
    let holder = draft.free(0, 1, 1);
    draft.driver_thread(1);
    let kind = DriverKind::Getter { function: 0, shared: 0, budget: Duration::from_ticks(3) };
    let getter = draft.native(1, kind);
    draft.program(&[10], &[call(getter), release(task, 0), future(0, 0), RETURN]);
    [task, holder].into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 2);
    let mut rig = started(draft);
    [Done(false), Done(false), Call(Complete)].into_iter().for_each(|step| rig.step(step));
    assert_eq!(rig.state().running(), holder);
    let before = enter(&mut rig, 2);
    [At(10), Done(false)].into_iter().for_each(|step| rig.step(step));
    assert_eq!(rig.state().running(), holder, "it is inside the lock");
    assert_eq!(leave(&mut rig, before), 1);
    assert_eq!(rig.state().running(), task);
}

#[test]
fn a_fault_of_a_preempted_holders_process_forgets_it() {
    let mut draft = three();
    for thread in [0, 2] {
        draft.row(ThreadId(thread)).process = ProcessId(1);
    }
    let mut rig = started(draft);
    rig.step(sleep_until(5));
    rig.step(sleep_until(6));
    enter(&mut rig, 2);
    [At(6), Fault(FaultKind::Data)].into_iter().for_each(|step| rig.step(step));
    // 2 is gone with 0; nobody keeps 1 out
    assert_eq!(rig.state().running(), ThreadId(1));
    assert_eq!(rig.host().word(level(ThreadId(2))), 0);
}

#[test]
fn in_a_dynamic_band_the_ceiling_is_a_preemption_level() {
    // relative deadlines 10, 40, 100: levels 3, 2, 1
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(4)]);
    let threads = [draft.within(0, 0, 10), draft.within(0, 0, 40), draft.within(0, 0, 100)];
    threads.into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 2);
    let mut rig = started(draft);
    // by deadline: 0 first, then 1, then 2
    rig.step(sleep_until(70));
    rig.step(sleep_until(50));
    let before = enter(&mut rig, 2);
    // at 50 thread 1 wakes, to be done by 90, before 2's 100: but its level isn't above the ceiling
    rig.step(At(50));
    assert_eq!(rig.state().running(), ThreadId(2));
    assert_eq!(rig.host().word(waiting(ThreadId(2))), 2);
    // at 70 thread 0 wakes, to be done by 80: its level is
    rig.step(At(70));
    assert_eq!(rig.state().running(), ThreadId(0));
    // when it waits again, 2 goes on, although 1 has the earlier deadline
    rig.step(sleep_until(500));
    assert_eq!(rig.state().running(), ThreadId(2));
    assert_eq!(leave(&mut rig, before), 1);
    assert_eq!(rig.state().running(), ThreadId(1));
    // a later deadline doesn't preempt, whatever the level
    rig.step(At(71));
    assert_story(
        &switches(&rig),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "70 switch 2 to 0",
            "70 switch 0 to 2",
            "70 switch 2 to 1",
        ],
    );
}

#[test]
fn a_condition_wait_lowers_the_word_and_gives_it_back() {
    let mut draft = two();
    let condition = draft.condition();
    let mut rig = started(draft);
    enter(&mut rig, 2);
    rig.step(await_lowered(condition, Forever));
    assert_eq!(rig.host().word(level(ThreadId(0))), 0);
    assert_eq!(rig.state().running(), ThreadId(1));
    let before = enter(&mut rig, 2);
    rig.step(signal(condition));
    // woken with its word raised, but kept out until the signaller has left the lock
    assert_eq!(rig.state().running(), ThreadId(1));
    assert_eq!(rig.host().word(level(ThreadId(0))), 2);
    assert_eq!(leave(&mut rig, before), 1);
    assert_eq!(rig.state().running(), ThreadId(0));
    rig.step(Call(Yield));
    let story = without(rig.kernel.machine.log.clone(), &["arm", "result", "status"]);
    assert_story(
        &story,
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 returns to 1: ConditionSignal Success",
            "0 switch 1 to 0",
            "0 returns to 0: ConditionWait Success",
            "0 returns to 0: Yield Raised",
        ],
    );
}

#[test]
fn a_condition_under_a_ceiling_lock_wants_the_lock_to_be_held() {
    let mut draft = two();
    let condition = draft.condition();
    let mut rig = started(draft);
    let before = rig.clone();
    rig.step(await_lowered(condition, Forever));
    assert!(rig.host().log.last().is_some_and(|line| line.ends_with("NotOwner")));
    assert_eq!(rig.state(), before.state());
}

#[test]
fn who_is_waited_for_inside_of_a_lock_leaves_the_stack_of_the_raised() {
    use crate::host::asks::{give, take};
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let [alarm, urgent, owner] = [5, 3, 2].map(|priority| draft.free(0, 0, priority));
    let semaphore = draft.binary();
    draft.row(owner).highest_ceiling = 1;
    let mut rig = started(draft);
    rig.step(sleep_until(20));
    rig.step(sleep_until(10));
    rig.step(take(semaphore));
    let before = enter(&mut rig, 1);
    rig.step(At(10));
    assert_eq!(rig.state().running(), urgent, "it is above the lock");
    rig.step(take(semaphore));
    assert_eq!(rig.state().running(), owner, "the place is lent to the owner");
    // It is preempted again inside of the lock: were it on the stack still, it would stand there twice, and
    // below itself.
    rig.step(At(20));
    assert_eq!(rig.state().running(), alarm);
    rig.step(sleep_until(30));
    assert_eq!(rig.state().running(), owner);
    assert_eq!(leave(&mut rig, before), 0, "nobody is kept out");
    rig.step(give(semaphore));
    assert_eq!(rig.state().running(), urgent);
}

/// 3 holds a lock that it shares with 2. 1 preempts it, wakes 2 and 0, and all above the ceiling wait again:
/// 3 goes on, as it was above 2.
#[test]
fn who_was_preempted_under_a_ceiling_goes_on_before_those_whom_that_keeps_off() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 8, 7, 5]);
    draft.row(ThreadId(3)).highest_ceiling = 2;
    draft.interrupt(10, ThreadId(1), 1);
    let [above, below] = [0, 2].map(|thread| draft.notification(ThreadId(thread), 1));
    let mut rig = started(draft);
    (0..3).for_each(|_| rig.step(await_bits(1, Forever)));
    let before = enter(&mut rig, 2);
    let script =
        [Interrupt(10), notify(below, 1), notify(above, 1), await_bits(1, Forever), await_bits(1, Forever)];
    let runs = script.map(|step| {
        rig.step(step);
        rig.state().running().0
    });
    assert_eq!(runs, [1, 1, 0, 1, 3]);
    assert_eq!((leave(&mut rig, before), rig.state().running()), (1, ThreadId(2)));
}
