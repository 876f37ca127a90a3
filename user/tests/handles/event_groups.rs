//! Event groups: bits that are set, cleared and waited for.

use beryl_abi::call::{FOREVER, OWNER_DIED, POLL};
use beryl_abi::{CallNumber, Duration, EventGroupId};
use beryl_user::c;
use beryl_user::call::CallError;
use beryl_user::event_group::{Source, Waiter, all, any};
use beryl_user::time::Wait;

use crate::script::Event::{Call, Point};
use crate::script::{SHARED, Script};
use crate::semaphores::binary;

const WAIT: CallNumber = CallNumber::EventGroupWait;
const TIMED_OUT: [u32; 3] = [CallError::TimedOut as u32, 77, 0];

fn source() -> Source {
    // SAFETY: no kernel is behind it.
    unsafe { Source::new(EventGroupId(7)) }
}

fn waiter() -> Waiter {
    // SAFETY: no kernel is behind it.
    unsafe { Waiter::new(EventGroupId(7)) }
}

#[test]
fn a_source_sets_and_clears_bits_and_learns_what_was_there() {
    let host = Script::answering(SHARED, [[0; 3], [0, 0b11, 0]]);
    let (before, events) = host.run(|| {
        source().set(0b10);
        source().clear(0b1)
    });
    assert_eq!(before, 0b11);
    let [set, clear] = [CallNumber::EventGroupSet, CallNumber::EventGroupClear];
    assert_eq!(events, [Call(set, [7, 0b10, 0, 0], 0), Call(clear, [7, 0b1, 0, 0], 0)]);
}

#[test]
fn a_waiter_says_which_bits_how_and_how_long() {
    let host = Script::answering(SHARED, [[0, 0b10, 0], [0, 0b111, 0], TIMED_OUT, [0, 1, 0]]);
    let (results, events) = host.run(|| {
        let so_long = Wait::AtMost(Duration::from_ticks(6));
        let too_long = Wait::AtMost(Duration::FOREVER);
        assert_eq!(waiter().wait_for(any(1), too_long), Err(CallError::TooLong), "without a call");
        [
            waiter().wait(any(0b110)),
            waiter().wait(all(0b110)),
            waiter().wait_for(any(0b110).taking(), Wait::Poll),
            waiter().wait_for(all(0b110).taking(), so_long),
        ]
    });
    assert_eq!(results, [Ok(0b10), Ok(0b111), Err(CallError::TimedOut), Ok(1)]);
    assert_eq!(
        events,
        [
            Call(WAIT, [7, 0b110, 0, FOREVER], 0),
            Call(WAIT, [7, 0b110, 1, FOREVER], 0),
            Call(WAIT, [7, 0b110, 2, POLL], 0),
            Call(WAIT, [7, 0b110, 3, 6], 0),
        ]
    );
}

#[test]
fn a_wait_may_come_back_with_a_semaphore() {
    let host = Script::answering(SHARED, [[OWNER_DIED, 0b10, 0]]);
    let ((), events) = host.run(|| {
        let mut semaphore = binary(SHARED);
        let (bits, held) = waiter().wait_then(any(0b10), &mut semaphore).unwrap();
        assert_eq!((bits, held.owner_died()), (0b10, true));
        std::mem::forget(held);
    });
    assert_eq!(events[0], Call(WAIT, [7 | 6 << 8, 0b10, 0, FOREVER], 0));
    assert!(!events.contains(&Point(0)), "{events:?}");
}

#[test]
fn functions_in_c_get_the_bits_beside_the_status() {
    let host = Script::answering(SHARED, [[0, 0b1, 0], [0, 0b11, 0], TIMED_OUT, [0, 0b1111, 0]]);
    let (seen, events) = host.run(|| {
        let mut group = waiter();
        let calls = [c::wait_any_of, c::wait_all_of, c::take_any_of, c::take_all_of];
        calls.map(|call| {
            let mut bits = 99;
            // SAFETY: a handle, and a place for a number.
            let status = unsafe { call(&mut group, 0b11, FOREVER, &mut bits) };
            (status, bits)
        })
    });
    assert_eq!(seen, [(0, 0b1), (0, 0b11), (CallError::TimedOut as u32, 99), (0, 0b1111)]);
    let ways: Vec<_> = (0..4).map(|how| Call(WAIT, [7, 0b11, how, FOREVER], 0)).collect();
    assert_eq!(events, [ways[0], ways[1], ways[2], ways[3]]);
}
