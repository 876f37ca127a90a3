//! Notifications and interrupts: bits of the thread's word, and the console's bytes.

use beryl_abi::call::{FOREVER, OWNER_DIED};
use beryl_abi::{CallNumber, Duration};
use beryl_user::call::CallError;
use beryl_user::console;
use beryl_user::interrupt::{Interrupt, InterruptId};
use beryl_user::notification::{Notification, NotificationId, Notifier, wait_any};
use beryl_user::time::Wait;

use crate::script::Event::{Call, Transmit};
use crate::script::{SHARED, Script};
use crate::semaphores::binary;

const WAIT: CallNumber = CallNumber::NotificationWait;
/// No interrupt to acknowledge.
const NONE: u32 = 0xFF;

fn notification() -> Notification {
    // SAFETY: no kernel is behind it.
    unsafe { Notification::new(0b10) }
}

fn interrupt() -> Interrupt {
    // SAFETY: no kernel is behind it.
    unsafe { Interrupt::new(InterruptId(3), 0b100) }
}

#[test]
fn a_notifier_sets_its_bits() {
    let host = Script::answering(SHARED, [[0; 3]]);
    // SAFETY: no kernel is behind it.
    let ((), events) = host.run(|| unsafe { Notifier::new(NotificationId(7), 0b10) }.notify());
    assert_eq!(events, [Call(CallNumber::Notify, [7, 0b10, 0, 0], 0)]);
}

#[test]
fn waiting_names_the_bits_and_the_interrupt_to_acknowledge() {
    let host =
        Script::answering(SHARED, [[0, 2, 0], [CallError::TimedOut as u32, 0, 0], [0, 4, 0], [0, 4, 0]]);
    let (results, events) = host.run(|| {
        let wait = Wait::AtMost(Duration::from_ticks(6));
        [notification().wait(), notification().wait_for(wait), interrupt().wait(), interrupt().wait_for(wait)]
    });
    assert_eq!(results, [Ok(()), Err(CallError::TimedOut), Ok(()), Ok(())]);
    assert_eq!(
        events,
        [
            Call(WAIT, [NONE, 0b10, 0, FOREVER], 0),
            Call(WAIT, [NONE, 0b10, 0, 6], 0),
            Call(WAIT, [3, 0b100, 0, FOREVER], 0),
            Call(WAIT, [3, 0b100, 0, 6], 0)
        ]
    );
}

#[test]
fn one_of_several_can_be_waited_for() {
    let host = Script::answering(SHARED, [[0; 3], [0, 0b100, 0]]);
    let (happened, events) = host.run(|| {
        interrupt().acknowledge();
        wait_any(notification().bits() | interrupt().bits(), Wait::Forever).unwrap()
    });
    assert!(happened.has(interrupt().bits()) && !happened.has(notification().bits()));
    assert_eq!(
        events,
        [Call(CallNumber::Acknowledge, [3, 0, 0, 0], 0), Call(WAIT, [NONE, 0b110, 0, FOREVER], 0)]
    );
}

#[test]
fn what_happens_can_come_with_a_semaphore() {
    let host = Script::answering(SHARED, [[0, 2, 0], [0; 3], [OWNER_DIED, 4, 0], [0; 3]]);
    let (died, events) = host.run(|| {
        let first = notification().wait_then(&mut binary(0)).unwrap().owner_died();
        let second = interrupt().wait_then(&mut binary(0)).unwrap().owner_died();
        [first, second]
    });
    assert_eq!(died, [false, true]);
    let signal = Call(CallNumber::SemaphoreSignal, [5, 0, 0, 0], 0);
    assert_eq!(
        events,
        [
            Call(WAIT, [NONE | 6 << 8, 0b10, 0, FOREVER], 0),
            signal,
            Call(WAIT, [3 | 6 << 8, 0b100, 0, FOREVER], 0),
            signal
        ]
    );
}

#[test]
fn the_consoles_server_sends_bytes() {
    let host = Script::answering(SHARED, [[0, 4, 0]; 2]);
    let ((), events) = host.run(|| {
        for byte in *b"ok" {
            console::transmit(byte);
            interrupt().wait().unwrap();
        }
    });
    let wait = Call(WAIT, [3, 0b100, 0, FOREVER], 0);
    assert_eq!(events, [Transmit(b'o'), wait, Transmit(b'k'), wait]);
}
