//! Ceiling locks: what the word says when, and when the kernel is asked.

use beryl_abi::call::FOREVER;
use beryl_abi::{CallNumber, ConditionId};
use beryl_user::call::CallError;
use beryl_user::condition::Condition;
use beryl_user::lock::Lock;
use beryl_user::time::Wait;

use crate::script::Event::{Call, Mark, Point};
use crate::script::{SHARED, Script, WORDS};

const PREEMPT: CallNumber = CallNumber::Preempt;

fn lock(ceiling: u32, value: u32) -> Lock<i32> {
    // SAFETY: the words and the value lie in the script's memory, and nobody else uses them.
    unsafe { Lock::new(WORDS, ceiling, value) }
}

#[test]
fn the_word_is_raised_inside_and_nobody_is_asked() {
    let host = Script::without_kernel(WORDS);
    host.set(SHARED, 41);
    let (result, events) = host.run(|| {
        lock(7, SHARED).with(|value| {
            assert_eq!(host.word(WORDS), 7);
            *value += 1;
            *value * 2
        })
    });
    assert_eq!((result, host.word(SHARED), host.word(WORDS)), (84, 42, 0));
    assert_eq!(events, [Point(0), Point(7)]);
}

#[test]
fn the_kernel_is_asked_once_the_word_has_fallen_if_somebody_waits() {
    let host = Script::answering(WORDS, [[0; 3]]);
    let ((), events) = host.run(|| lock(7, SHARED).with(|_| host.set(WORDS + 4, 1)));
    assert_eq!(events, [Point(0), Point(7), Call(PREEMPT, [0; 4], 0)]);
}

/// The levels of who arrives, as in the paper's scenarios: ceilings 3 and 5, the caller at level 1. What is
/// left in the second word is what the kernel leaves there: the arrival's level, if it isn't above the
/// word. After each call it is what still waits.
fn nested(outer: u32, inner: u32, arrives_inside: u32) -> Vec<crate::script::Event> {
    let host = Script::new(WORDS, move |host, _, _| {
        host.set(WORDS + 4, 0);
        [0; 3]
    });
    host.set(WORDS + 4, 0);
    let ((), events) = host.run(|| {
        lock(outer, SHARED).with(|_| {
            lock(inner, SHARED + 8).with(|_| host.set(WORDS + 4, arrives_inside));
            host.mark("between");
        });
    });
    assert_eq!(host.word(WORDS), 0);
    events
}

#[test]
fn nested_locks_ask_at_the_first_fall_below_the_one_who_waits_and_only_then() {
    let raised = [Point(0), Point(3), Point(5)];
    let low = nested(3, 5, 0);
    assert_eq!(low, [&raised[..], &[Mark("between"), Point(3)]].concat());
    let medium = nested(3, 5, 2);
    assert_eq!(medium, [&raised[..], &[Mark("between"), Point(3), Call(PREEMPT, [0; 4], 0)]].concat());
    let between = nested(3, 5, 4);
    assert_eq!(between, [&raised[..], &[Call(PREEMPT, [0; 4], 3), Mark("between"), Point(3)]].concat());
    let equal = nested(3, 5, 3);
    assert_eq!(equal, [&raised[..], &[Mark("between"), Point(3), Call(PREEMPT, [0; 4], 0)]].concat());
}

#[test]
fn an_inner_lock_with_a_lower_ceiling_doesnt_lower_the_word() {
    let events = nested(5, 3, 4);
    assert_eq!(events, [Point(0), Point(5), Point(5), Mark("between"), Point(5), Call(PREEMPT, [0; 4], 0),]);
}

#[test]
fn the_only_user_of_a_lock_does_nothing_for_it() {
    let host = Script::without_kernel(WORDS);
    let ((), events) = host.run(|| lock(0, SHARED).with(|value| *value = 9));
    assert_eq!((host.word(SHARED), events), (9, vec![]));
}

#[test]
fn a_lock_without_a_value_needs_no_address() {
    let host = Script::without_kernel(WORDS);
    // SAFETY: as in `lock`; there is no value.
    let ((), events) = host.run(|| unsafe { Lock::<()>::new(WORDS, 2, 0) }.with(|()| ()));
    assert_eq!(events, [Point(0), Point(2)]);
}

fn condition() -> Condition {
    // SAFETY: no kernel is behind it.
    unsafe { Condition::new(ConditionId(3)) }
}

#[test]
fn waiting_inside_a_lock_goes_on_until_the_value_is_right() {
    let host = Script::new(WORDS, |host, _, _| {
        host.set(SHARED, host.word(SHARED) + 1);
        [0; 3]
    });
    let wait = || {
        lock(7, SHARED).with_when(&condition(), Wait::Forever, |value| {
            host.mark("look");
            (*value == 2).then_some(*value)
        })
    };
    let (result, events) = host.run(wait);
    assert_eq!((result, host.word(WORDS)), (Ok(2), 0));
    let wait = Call(CallNumber::ConditionWait, [3, 0, 0, FOREVER], 7);
    assert_eq!(events, [Point(0), Mark("look"), wait, Mark("look"), wait, Mark("look"), Point(7)]);
}

#[test]
fn waiting_inside_a_lock_ends_with_the_kernels_error_and_the_word_lowered() {
    let host = Script::answering(WORDS, [[CallError::TimedOut as u32, 0, 0], [0; 3]]);
    host.set(WORDS + 4, 2);
    let wait = Wait::AtMost(beryl_abi::Duration::from_ticks(5));
    let (result, events) = host.run(|| lock(7, SHARED).with_when(&condition(), wait, |_| None::<()>));
    assert_eq!(result, Err(CallError::TimedOut));
    assert_eq!(
        events,
        [Point(0), Call(CallNumber::ConditionWait, [3, 0, 0, 5], 7), Point(7), Call(PREEMPT, [0; 4], 0)]
    );
}

#[test]
fn nobody_waits_inside_a_second_lock() {
    let host = Script::without_kernel(WORDS);
    let (result, events) = host.run(|| {
        lock(7, SHARED).with(|_| {
            lock(9, SHARED + 8)
                .with_when(&condition(), Wait::Forever, |_| -> Option<()> { panic!("must not look") })
        })
    });
    assert_eq!(result, Err(CallError::Raised));
    assert_eq!(events, [Point(0), Point(7), Point(9), Point(7)]);
}
