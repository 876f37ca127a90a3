//! Binary semaphores with a word: the short ways of user code, played on the host's memory, and what
//! the kernel makes of the word when it is asked.

use beryl_abi::CallNumber::Stop;
use beryl_abi::{FaultKind, SemaphoreId, ThreadId};
use beryl_kernel::Event;

use crate::assert_story;
use crate::host::Do::{At, Call, Fault, Write};
use crate::host::asks::Wait::{AtMost, Poll};
use crate::host::asks::{give, sleep_until, take, take_for};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::objects::memory;
use crate::host::{EFFECTS, Rig, without};

const WORD: u32 = memory(1).address;
const ASK: u32 = 1 << 31;
const HIGH: ThreadId = ThreadId(0);
const LOW: ThreadId = ThreadId(1);

/// Two threads of process 1 that share a semaphore with a word; 2, of process 2, may not name it.
fn rig() -> (Rig<Small>, SemaphoreId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.free(1, 0, 5);
    draft.free(1, 0, 4);
    draft.free(2, 0, 3);
    draft.stop_only_the_thread(1);
    let semaphore = draft.word(1, WORD);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    (rig, semaphore)
}

/// Threads of process 1, which share a semaphore with a word.
fn rig_of(priorities: [u8; 3]) -> (Rig<Small>, SemaphoreId) {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    for priority in priorities {
        draft.free(1, 0, priority);
    }
    let semaphore = draft.word(1, WORD);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    (rig, semaphore)
}

fn play(rig: &mut Rig<Small>, steps: &[crate::host::Do]) {
    steps.iter().for_each(|step| rig.step(*step));
}

fn story(rig: &Rig<Small>) -> Vec<String> {
    without(rig.kernel.machine.log.clone(), &EFFECTS)
}

#[test]
fn without_contention_the_kernel_knows_nothing() {
    let (mut rig, _) = rig();
    let before = rig.clone();
    assert!(rig.host().take_word(WORD, HIGH));
    assert!(rig.host().give_word(WORD, HIGH));
    assert_eq!((rig.state(), rig.kernel.machine.word(WORD)), (before.state(), 0));
}

#[test]
fn who_comes_second_asks_the_kernel_and_so_does_the_first_when_it_gives_back() {
    let (mut rig, semaphore) = rig();
    play(&mut rig, &[sleep_until(5)]);
    assert!(rig.host().take_word(WORD, LOW));
    play(&mut rig, &[At(5)]);
    assert!(!rig.host().take_word(WORD, HIGH));
    play(&mut rig, &[take(semaphore)]);
    // somebody waits: the owner's short way is closed
    assert_eq!(rig.host().word(WORD), ASK | 2);
    assert_eq!(rig.state().running(), LOW);
    assert!(!rig.host().give_word(WORD, LOW));
    play(&mut rig, &[give(semaphore)]);
    // nobody waits any more: both ways are short again
    assert_eq!(rig.host().word(WORD), 1);
    assert!(rig.host().give_word(WORD, HIGH));
    assert_story(
        &story(&rig),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "5 switch 1 to 0",
            "5 returns to 0: SleepUntil Success",
            "5 switch 0 to 1",
            "5 switch 1 to 0",
            "5 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn the_kernel_may_be_asked_although_it_is_not_needed() {
    let (mut rig, semaphore) = rig();
    play(&mut rig, &[take(semaphore)]);
    assert_eq!(rig.host().word(WORD), 1);
    play(&mut rig, &[take_for(semaphore, Poll), give(semaphore), give(semaphore)]);
    assert_eq!(rig.host().word(WORD), 0);
    assert_story(
        &story(&rig),
        &[
            "0 switch 3 to 0",
            "0 returns to 0: SemaphoreWait Success",
            "0 returns to 0: SemaphoreWait Deadlock",
            "0 returns to 0: SemaphoreSignal Success",
            "0 returns to 0: SemaphoreSignal NotOwner",
        ],
    );
}

#[test]
fn owners_that_cannot_be_are_not_believed() {
    // nobody's number, the idle thread's (which may not name it), one of another process, far too large
    for nonsense in [200, 4, 3, 0x00FF_FF00, 0x7FFF_FFFF] {
        let (mut rig, semaphore) = rig();
        play(&mut rig, &[Write(WORD, nonsense), take_for(semaphore, Poll)]);
        assert_eq!(rig.host().word(WORD), 1, "{nonsense:#x}");
        assert!(rig.host().log.last().is_some_and(|line| line.ends_with("SemaphoreWait Success")));
    }
}

#[test]
fn while_somebody_waits_the_kernel_knows_better_than_the_word() {
    let (mut rig, semaphore) = rig();
    play(&mut rig, &[sleep_until(5)]);
    assert!(rig.host().take_word(WORD, LOW));
    play(
        &mut rig,
        &[At(5), take(semaphore), Write(WORD, 0), take(semaphore), Write(WORD, 77), give(semaphore)],
    );
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (HIGH, 1));
    let story = story(&rig);
    assert_story(
        &story[4..],
        &[
            "5 switch 0 to 1",
            "5 returns to 1: SemaphoreWait Deadlock",
            "5 switch 1 to 0",
            "5 returns to 0: SemaphoreWait Success",
        ],
    );
}

#[test]
fn an_owner_by_word_that_dies_is_found_out() {
    for end in [Call(Stop), Fault(FaultKind::Data)] {
        let (mut rig, semaphore) = rig();
        play(&mut rig, &[sleep_until(5)]);
        assert!(rig.host().take_word(WORD, LOW));
        play(&mut rig, &[end]);
        // the next taker has to come to the kernel
        assert_eq!(rig.host().word(WORD), ASK);
        play(&mut rig, &[At(5)]);
        assert!(!rig.host().take_word(WORD, HIGH));
        play(&mut rig, &[take(semaphore)]);
        assert_eq!(rig.host().word(WORD), 1);
        assert!(rig.host().log.last().is_some_and(|line| line.ends_with("SemaphoreWait OwnerDied")));
    }
}

#[test]
fn after_a_timeout_the_word_is_the_owners_again() {
    let (mut rig, semaphore) = rig();
    play(&mut rig, &[sleep_until(5)]);
    assert!(rig.host().take_word(WORD, LOW));
    play(&mut rig, &[At(5), take_for(semaphore, AtMost(3)), At(8)]);
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (HIGH, 2));
    play(&mut rig, &[sleep_until(20)]);
    assert!(rig.host().give_word(WORD, LOW));
    play(&mut rig, &[At(20)]);
    assert!(rig.host().take_word(WORD, HIGH));
}

#[test]
fn after_a_timeout_the_word_stays_the_kernels_as_long_as_others_wait() {
    let (mut rig, semaphore) = rig_of([3, 2, 1]);
    let [owner, first] = [ThreadId(2), ThreadId(1)];
    play(&mut rig, &[sleep_until(6), sleep_until(5)]);
    assert!(rig.host().take_word(WORD, owner));
    play(&mut rig, &[At(5), take(semaphore), At(6), take_for(semaphore, AtMost(3)), At(9), sleep_until(20)]);
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (owner, ASK | 3));
    // the owner's word means nothing meanwhile
    play(&mut rig, &[Write(WORD, 0), give(semaphore)]);
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (first, 2));
}

/// Without a word, too, somebody owned it last: what stands at address 0 is no word of its.
#[test]
fn a_semaphore_without_a_word_asks_no_memory() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    for priority in [3, 2, 1] {
        draft.free(1, 0, priority);
    }
    draft.stop_only_the_thread(1);
    let semaphore = draft.binary();
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.host().memory.insert(0, 3);
    play(&mut rig, &[sleep_until(5), take(semaphore), Call(Stop), At(5), take(semaphore)]);
    assert!(rig.host().log.last().is_some_and(|line| line.ends_with("0: SemaphoreWait OwnerDied")));
}

#[test]
fn the_next_owners_word_means_nothing_as_long_as_others_wait() {
    let (mut rig, semaphore) = rig_of([3, 2, 1]);
    let [second, next] = [ThreadId(1), ThreadId(0)];
    play(&mut rig, &[sleep_until(6), sleep_until(5)]);
    assert!(rig.host().take_word(WORD, ThreadId(2)));
    play(&mut rig, &[At(5), take(semaphore), At(6), take(semaphore), give(semaphore)]);
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (next, ASK | 1));
    play(&mut rig, &[Write(WORD, 0), give(semaphore), sleep_until(20)]);
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (second, 2));
    // it is alone now: both ways are short, and the kernel believes the word
    assert!(rig.host().give_word(WORD, second));
    play(&mut rig, &[sleep_until(30)]);
    assert!(rig.host().take_word(WORD, ThreadId(2)));
    play(&mut rig, &[At(20), take(semaphore)]);
    assert_eq!((rig.state().running(), rig.host().word(WORD)), (ThreadId(2), ASK | 3));
}
