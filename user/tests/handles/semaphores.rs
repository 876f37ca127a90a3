//! Semaphores: the users' word, the kernel's calls, and when they are given back.

use beryl_abi::call::{FOREVER, OWNER_DIED, POLL};
use beryl_abi::{CallNumber, Duration};
use beryl_user::call::CallError;
use beryl_user::semaphore::{Binary, Counting, SemaphoreId, ThreadId};
use beryl_user::time::Wait;

use crate::script::Event::{Call, Mark, Point};
use crate::script::{SHARED, Script};

const WAIT: CallNumber = CallNumber::SemaphoreWait;
const SIGNAL: CallNumber = CallNumber::SemaphoreSignal;
const VALUE: u32 = SHARED + 8;

/// Semaphore 5 of thread 2, whose word is at `word`.
pub fn binary(word: u32) -> Binary<i32> {
    // SAFETY: the word and the value lie in the script's memory, and nobody else uses them.
    unsafe { Binary::new(SemaphoreId(5), word, ThreadId(2), VALUE) }
}

fn counting() -> Counting {
    // SAFETY: no kernel is behind it.
    unsafe { Counting::new(SemaphoreId(6)) }
}

#[test]
fn a_free_semaphore_is_taken_and_given_back_by_its_word() {
    let host = Script::without_kernel(SHARED);
    let ((), events) = host.run(|| {
        let mut semaphore = binary(SHARED);
        let mut held = semaphore.wait().unwrap();
        assert!(!held.owner_died());
        *held += 4;
        host.mark("inside");
        drop(held);
        host.mark("outside");
    });
    assert_eq!(events, [Point(0), Mark("inside"), Point(3), Mark("outside")]);
    assert_eq!((host.word(SHARED), host.word(VALUE)), (0, 4));
}

#[test]
fn the_kernel_takes_what_isnt_free_and_gives_back_what_is_waited_for() {
    const WAITED_FOR: u32 = 1 << 31;
    for (word, owned) in [(9, 3), (WAITED_FOR | 9, WAITED_FOR | 3), (WAITED_FOR, WAITED_FOR | 3)] {
        let host = Script::new(SHARED, move |host, number, _| {
            host.set(SHARED, if number == WAIT { owned } else { 0 });
            [0; 3]
        });
        host.set(SHARED, word);
        let (result, events) = host.run(|| binary(SHARED).wait().map(|_| host.mark("inside")));
        assert_eq!(result, Ok(()));
        let taken = [Point(word), Call(WAIT, [5, 0, 0, FOREVER], word), Mark("inside"), Point(owned)];
        let given_back: &[_] = if owned == 3 { &[] } else { &[Call(SIGNAL, [5, 0, 0, 0], owned)] };
        assert_eq!(events, [&taken, given_back].concat());
        assert_eq!(host.word(SHARED), 0);
    }
}

#[test]
fn without_a_word_both_are_calls() {
    let host = Script::answering(SHARED, [[0; 3], [0; 3]]);
    let ((), events) = host.run(|| drop(binary(0).wait()));
    assert_eq!(events, [Call(WAIT, [5, 0, 0, FOREVER], 0), Call(SIGNAL, [5, 0, 0, 0], 0)]);
}

#[test]
fn how_long_to_wait_goes_to_the_kernel() {
    const LONGEST: u64 = 1 << 30;
    let ticks = Duration::from_ticks;
    let poll = |semaphore: &mut Binary<i32>| semaphore.try_wait().map(drop);
    let host = Script::answering(SHARED, [[CallError::WouldBlock as u32, 0, 0]]);
    let (result, events) = host.run(|| poll(&mut binary(0)));
    assert_eq!(result, Err(CallError::WouldBlock));
    assert_eq!(events, [Call(WAIT, [5, 0, 0, POLL], 0)]);
    for (wait, word) in [
        (Wait::Poll, POLL),
        (Wait::Forever, FOREVER),
        (Wait::AtMost(ticks(0)), POLL),
        (Wait::AtMost(ticks(77)), 77),
        (Wait::AtMost(ticks(LONGEST)), 1 << 30),
    ] {
        let host = Script::answering(SHARED, [[CallError::TimedOut as u32, 0, 0]]);
        let (result, events) = host.run(|| binary(0).wait_for(wait).map(drop));
        assert_eq!(result, Err(CallError::TimedOut));
        assert_eq!(events, [Call(WAIT, [5, 0, 0, word], 0)], "{wait:?}");
    }
    for too_long in [ticks(LONGEST + 1), ticks(u64::from(FOREVER)), ticks(1 << 32), Duration::FOREVER] {
        let host = Script::without_kernel(SHARED);
        let (result, events) = host.run(|| binary(SHARED).wait_for(Wait::AtMost(too_long)).map(drop));
        assert_eq!((result, events), (Err(CallError::TooLong), vec![]));
    }
}

#[test]
fn what_wasnt_taken_isnt_given_back() {
    for error in CallError::ALL {
        let host = Script::answering(SHARED, [[*error as u32, 0, 0]]);
        host.set(SHARED, 1);
        let (result, events) = host.run(|| binary(SHARED).wait().map(drop));
        assert_eq!(result, Err(*error));
        assert_eq!(events, [Point(1), Call(WAIT, [5, 0, 0, FOREVER], 1)]);
    }
    let host = Script::answering(SHARED, [[0x8000_0000, 0, 0]]);
    let (result, _) = host.run(|| binary(0).wait().map(drop));
    assert_eq!(result, Err(CallError::UnknownCall), "a status that nobody knows");
}

#[test]
fn the_next_owner_learns_that_the_last_one_died() {
    let host = Script::answering(SHARED, [[OWNER_DIED, 0, 0], [0; 3]]);
    let (died, events) = host.run(|| binary(0).wait().unwrap().owner_died());
    assert!(died);
    assert_eq!(events, [Call(WAIT, [5, 0, 0, FOREVER], 0), Call(SIGNAL, [5, 0, 0, 0], 0)]);
}

#[test]
fn semaphores_are_given_back_in_the_opposite_order() {
    let host = Script::answering(SHARED, [[0; 3]; 4]);
    let ((), events) = host.run(|| {
        // SAFETY: as in `binary`.
        let mut other = unsafe { Binary::<()>::new(SemaphoreId(8), 0, ThreadId(2), 0) };
        let mut semaphore = binary(0);
        let _first = semaphore.wait();
        let _second = other.wait();
        host.mark("both");
    });
    assert_eq!(
        events,
        [
            Call(WAIT, [5, 0, 0, FOREVER], 0),
            Call(WAIT, [8, 0, 0, FOREVER], 0),
            Mark("both"),
            Call(SIGNAL, [8, 0, 0, 0], 0),
            Call(SIGNAL, [5, 0, 0, 0], 0),
        ]
    );
}

#[test]
fn units_are_calls() {
    let answers = [[0; 3], [CallError::TimedOut as u32, 0, 0], [CallError::Overflow as u32, 0, 0]];
    let host = Script::answering(SHARED, answers);
    let (results, events) = host.run(|| {
        let wait = Wait::AtMost(Duration::from_ticks(9));
        [counting().wait(), counting().wait_for(wait), counting().signal()]
    });
    assert_eq!(results, [Ok(()), Err(CallError::TimedOut), Err(CallError::Overflow)]);
    assert_eq!(
        events,
        [Call(WAIT, [6, 0, 0, FOREVER], 0), Call(WAIT, [6, 0, 0, 9], 0), Call(SIGNAL, [6, 0, 0, 0], 0)]
    );
}

#[test]
fn a_unit_can_come_with_a_semaphore() {
    let host = Script::answering(SHARED, [[OWNER_DIED, 0, 0], [0; 3]]);
    let (died, events) = host.run(|| counting().wait_then(&mut binary(0)).map(|held| held.owner_died()));
    assert_eq!(died, Ok(true));
    assert_eq!(events, [Call(WAIT, [6 | 6 << 8, 0, 0, FOREVER], 0), Call(SIGNAL, [5, 0, 0, 0], 0)]);
}
