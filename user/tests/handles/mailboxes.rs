//! Mailboxes: short messages in registers, long ones by their address.

use beryl_abi::call::{FOREVER, OWNER_DIED, POLL};
use beryl_abi::{CallNumber, Duration};
use beryl_user::call::CallError;
use beryl_user::mailbox::{MailboxId, Receiver, Sender};
use beryl_user::port::Plain;
use beryl_user::time::Wait;

use crate::script::Event::Call;
use crate::script::{SHARED, STACK, Script};
use crate::semaphores::binary;

const SEND: CallNumber = CallNumber::MailboxSend;
const RECEIVE: CallNumber = CallNumber::MailboxReceive;

fn sender<T: Plain>() -> Sender<T> {
    // SAFETY: no kernel is behind it.
    unsafe { Sender::new(MailboxId(4)) }
}

fn receiver<T: Plain>() -> Receiver<T> {
    // SAFETY: no kernel is behind it.
    unsafe { Receiver::new(MailboxId(4)) }
}

#[test]
fn short_messages_travel_in_registers() {
    let host = Script::answering(SHARED, [[0; 3], [CallError::WouldBlock as u32, 0, 0], [0; 3]]);
    let (results, events) = host.run(|| {
        let wait = Wait::AtMost(Duration::from_ticks(6));
        [
            sender().send(&[1_i32, -1]),
            sender().try_send(&[1_i8, 2, 3]),
            sender().send_for(&f64::from_bits(0xFFF8_0000_0000_1234), wait),
        ]
    });
    assert_eq!(results, [Ok(()), Err(CallError::WouldBlock), Ok(())]);
    assert_eq!(
        events,
        [
            Call(SEND, [4, 1, u32::MAX, FOREVER], 0),
            Call(SEND, [4, 0x0003_0201, 0, POLL], 0),
            Call(SEND, [4, 0, 0x7FF8_0000, 6], 0),
        ]
    );

    let host =
        Script::answering(SHARED, [[0, 7, 8], [0, 0xFFFF_FF02, 9], [CallError::TimedOut as u32, 1, 1]]);
    let (results, events) = host.run(|| {
        let wait = Wait::AtMost(Duration::from_ticks(6));
        (receiver::<i64>().receive(), receiver::<bool>().try_receive(), receiver::<i32>().receive_for(wait))
    });
    assert_eq!(results, (Ok(8 << 32 | 7), Ok(true), Err(CallError::TimedOut)));
    assert_eq!(
        events,
        [
            Call(RECEIVE, [4, 0, 0, FOREVER], 0),
            Call(RECEIVE, [4, 0, 0, POLL], 0),
            Call(RECEIVE, [4, 0, 0, 6], 0)
        ]
    );
}

#[test]
fn long_messages_are_sent_from_the_threads_stack() {
    let host = Script::new(SHARED, |host, _, [_, address, _, _]| {
        assert_eq!([0, 4, 8].map(|offset| host.word(address + offset)), [0x0403_0201, 0x0807_0605, 9]);
        [0; 3]
    });
    (0..4).for_each(|word| host.set(STACK + 4 * word, u32::MAX));
    let (result, events) = host.run(|| sender().send(&[1_i8, 2, 3, 4, 5, 6, 7, 8, 9]));
    assert_eq!(result, Ok(()));
    assert_eq!(events, [Call(SEND, [4, STACK, 0, FOREVER], 0)]);
    assert_eq!(host.word(STACK + 12), u32::MAX, "what isn't the message's stays");
}

#[test]
fn long_messages_are_received_on_the_threads_stack() {
    let host = Script::new(SHARED, |host, _, [_, address, _, _]| {
        (0..16).for_each(|word| host.set(address + 4 * word, 100 + word));
        [0, 55, 66]
    });
    let (result, events) = host.run(|| receiver::<[i32; 16]>().receive());
    assert_eq!(result, Ok(core::array::from_fn(|word| 100 + i32::try_from(word).unwrap())));
    assert_eq!(events, [Call(RECEIVE, [4, STACK, 0, FOREVER], 0)]);
}

#[test]
fn any_bytes_become_a_value() {
    let host = Script::new(SHARED, |host, _, [_, address, _, _]| {
        (0..3).for_each(|word| host.set(address + 4 * word, 0xFF00_0201));
        [0; 3]
    });
    let (result, _) = host.run(|| receiver::<[bool; 12]>().receive());
    let four = [true, true, false, true];
    assert_eq!(result.map(|flags| flags.as_chunks::<4>().0.to_vec()), Ok(vec![four; 3]));
}

#[test]
#[should_panic(expected = "64 bytes for the kernel don't fit on a stack of 56")]
fn a_stack_without_room_is_told() {
    let host = Script::without_kernel(SHARED);
    host.set_stack(64);
    let _ = host.run(|| sender().send(&[0_i32; 16]));
}

#[test]
fn a_message_can_come_with_a_semaphore() {
    let signal = Call(CallNumber::SemaphoreSignal, [5, 0, 0, 0], 0);
    let host = Script::answering(SHARED, [[OWNER_DIED, 8, 0], [0; 3], [CallError::Raised as u32, 0, 0]]);
    let ((), events) = host.run(|| {
        let mut semaphore = binary(0);
        let (message, held) = receiver::<i32>().receive_then(&mut semaphore).unwrap();
        assert_eq!((message, held.owner_died()), (8, true));
        drop(held);
        assert!(receiver::<i32>().receive_then(&mut semaphore).is_err());
    });
    let receive = Call(RECEIVE, [4 | 6 << 8, 0, 0, FOREVER], 0);
    assert_eq!(events, [receive, signal, receive]);
}
