//! Sleeping, periods, and calls without an object.

use beryl_abi::call::OWNER_DIED;
use beryl_abi::{CallNumber, Duration, Instant};
use beryl_user::call::{self, CallError};
use beryl_user::period::{Missed, Period};
use beryl_user::time;

use crate::script::Event::{self, Call};
use crate::script::{SHARED, Script};
use crate::semaphores::binary;

const SLEEP: CallNumber = CallNumber::SleepUntil;
const WAIT: CallNumber = CallNumber::WaitPeriod;
const NONE: u32 = 0xFF;

/// A clock that stands at `now`; a sleep moves it, by 2^30 ticks at most.
fn clock(now: u64) -> &'static Script {
    let mut now = now;
    Script::new(SHARED, move |_, number, [_, low, high, _]| match number {
        CallNumber::Time => [0, now as u32, (now >> 32) as u32],
        CallNumber::SleepUntil => {
            now = (u64::from(high) << 32 | u64::from(low)).min(now + (1 << 30)).max(now);
            [0; 3]
        }
        _ => [0; 3],
    })
}

const TIME: Event = Call(CallNumber::Time, [0; 4], 0);

fn sleep(operand: u32, until: u64) -> Event {
    Call(SLEEP, [operand, until as u32, (until >> 32) as u32, 0], 0)
}

#[test]
fn a_short_sleep_is_one_call() {
    let until = 0x2_0000_0005;
    for now in [until - (1 << 30), until - 1, until, until + 9] {
        let (result, events) = clock(now).run(|| time::sleep_until(Instant::from_ticks(until)));
        assert_eq!(result, Ok(()));
        assert_eq!(events, [TIME, sleep(NONE, until)]);
    }
}

#[test]
fn a_long_sleep_goes_on_until_its_end() {
    let now = 1000;
    let duration = (2 << 30) + 7;
    let (end, events) = clock(now).run(|| {
        time::sleep(Duration::from_ticks(duration)).unwrap();
        time::now()
    });
    assert_eq!(end.ticks(), now + duration);
    let sleep = sleep(NONE, now + duration);
    assert_eq!(events, [TIME, TIME, sleep, TIME, sleep, TIME, sleep, TIME]);
}

#[test]
fn only_the_last_part_of_a_sleep_takes_the_semaphore() {
    let until = (1 << 30) + 5;
    let (died, events) = clock(0)
        .run(|| time::sleep_until_then(Instant::from_ticks(until), &mut binary(0)).unwrap().owner_died());
    assert!(!died);
    let signal = Call(CallNumber::SemaphoreSignal, [5, 0, 0, 0], 0);
    assert_eq!(events, [TIME, sleep(NONE, until), TIME, sleep(NONE | 6 << 8, until), signal]);
}

#[test]
fn a_refused_sleep_is_told_at_once() {
    let host = Script::new(SHARED, |_, number, _| match number {
        CallNumber::Time => [0; 3],
        _ => [CallError::Raised as u32, 0, 0],
    });
    let (result, events) = host.run(|| time::sleep(Duration::FOREVER));
    assert_eq!(result, Err(CallError::Raised));
    assert_eq!(events, [TIME, TIME, sleep(NONE, u64::MAX)]);
}

fn period() -> Period {
    // SAFETY: no kernel is behind it.
    unsafe { Period::new() }
}

#[test]
fn a_period_tells_what_was_missed_and_can_bring_a_semaphore() {
    let host = Script::answering(
        SHARED,
        [[0, 3, 0], [OWNER_DIED, 1, 0], [0; 3], [CallError::Deadlock as u32, 0, 0]],
    );
    let ((), events) = host.run(|| {
        assert_eq!(period().wait(), Missed(3));
        let mut semaphore = binary(0);
        let (missed, held) = period().wait_then(&mut semaphore).unwrap();
        assert_eq!((missed, held.owner_died()), (Missed(1), true));
        drop(held);
        assert_eq!(period().wait_then(&mut semaphore).map(drop), Err(CallError::Deadlock));
    });
    let then = Call(WAIT, [NONE | 6 << 8, 0, 0, 0], 0);
    let signal = Call(CallNumber::SemaphoreSignal, [5, 0, 0, 0], 0);
    assert_eq!(events, [Call(WAIT, [NONE, 0, 0, 0], 0), then, signal, then]);
}

#[test]
#[should_panic(expected = "a periodic thread's job ends inside a ceiling lock")]
fn a_job_doesnt_end_inside_a_lock() {
    let host = Script::answering(SHARED, [[CallError::Raised as u32, 0, 0]]);
    let _ = host.run(|| period().wait());
}

#[test]
fn calls_without_an_object_have_no_arguments() {
    let host = Script::answering(SHARED, [[0; 3], [0; 3], [0; 3], [9, 4, 1], [9, 7, 5], [9, 2, 0x2000_0040]]);
    let (results, events) = host.run(|| {
        call::null();
        call::yield_now();
        call::complete();
        (call::execution_time().ticks(), call::time().ticks(), call::driver_done(true))
    });
    assert_eq!(results, (1 << 32 | 4, 5 << 32 | 7, (2, 0x2000_0040)));
    let numbers = [CallNumber::Null, CallNumber::Yield, CallNumber::Complete, CallNumber::ExecutionTime];
    let mut expected = numbers.map(|number| Call(number, [0; 4], 0)).to_vec();
    expected.extend([TIME, Call(CallNumber::DriverDone, [1, 0, 0, 0], 0)]);
    assert_eq!(events, expected);
}

#[test]
fn every_error_has_words_of_its_own() {
    let words: std::collections::BTreeSet<_> =
        CallError::ALL.iter().map(|error| call::words(*error)).collect();
    assert_eq!(words.len(), CallError::ALL.len());
}
