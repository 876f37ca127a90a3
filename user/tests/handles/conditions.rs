//! Condition variables with semaphores.

use beryl_abi::call::{FOREVER, OWNER_DIED, POLL};
use beryl_abi::{CallNumber, ConditionId, Duration};
use beryl_user::call::CallError;
use beryl_user::condition::Condition;
use beryl_user::time::Wait;

use crate::script::Event::{Call, Point};
use crate::script::{SHARED, Script};
use crate::semaphores::binary;

const WAIT: CallNumber = CallNumber::ConditionWait;

fn condition() -> Condition {
    // SAFETY: no kernel is behind it.
    unsafe { Condition::new(ConditionId(3)) }
}

#[test]
fn a_wait_names_the_condition_and_the_semaphore_and_keeps_it() {
    let host = Script::answering(SHARED, [[0; 3], [CallError::TimedOut as u32, 0, 0], [OWNER_DIED, 0, 0]]);
    let ((), events) = host.run(|| {
        let mut semaphore = binary(SHARED);
        let mut held = semaphore.wait().unwrap();
        assert_eq!(condition().wait(&mut held), Ok(()));
        assert_eq!(condition().wait_for(&mut held, Wait::Poll), Err(CallError::TimedOut));
        assert!(!held.owner_died());
        assert_eq!(condition().wait(&mut held), Ok(()));
        assert!(held.owner_died());
        let too_long = Wait::AtMost(Duration::FOREVER);
        assert_eq!(condition().wait_for(&mut held, too_long), Err(CallError::TooLong));
    });
    let both = 3 | 6 << 8;
    assert_eq!(
        events,
        [
            Point(0),
            Call(WAIT, [both, 0, 0, FOREVER], 3),
            Call(WAIT, [both, 0, 0, POLL], 3),
            Call(WAIT, [both, 0, 0, FOREVER], 3),
            Point(3),
        ]
    );
    assert_eq!(host.word(SHARED), 0);
}

#[test]
fn the_value_is_looked_at_anew_after_a_wait() {
    let host = Script::new(SHARED, |host, _, _| {
        host.set(SHARED + 8, 17);
        [0; 3]
    });
    let (seen, _) = host.run(|| {
        let mut semaphore = binary(SHARED);
        let mut held = semaphore.wait().unwrap();
        *held = 1;
        while *held == 1 {
            condition().wait(&mut held).unwrap();
        }
        *held
    });
    assert_eq!(seen, 17);
}

#[test]
fn waking_is_a_call() {
    let host = Script::answering(SHARED, [[0; 3]; 2]);
    let ((), events) = host.run(|| {
        condition().signal();
        condition().broadcast();
    });
    assert_eq!(
        events,
        [
            Call(CallNumber::ConditionSignal, [3, 0, 0, 0], 0),
            Call(CallNumber::ConditionBroadcast, [3, 0, 0, 0], 0)
        ]
    );
}
