//! Priorities of threads that are changed.

use beryl_abi::CallNumber::SetPriority;
use beryl_abi::ThreadId;
use beryl_user::c;
use beryl_user::call::CallError;
use beryl_user::thread::Thread;

use crate::script::Event::Call;
use crate::script::{SHARED, Script};

const REFUSED: [u32; 3] = [CallError::OutOfRange as u32, 77, 0];

fn thread() -> Thread {
    // SAFETY: no kernel is behind it.
    unsafe { Thread::new(ThreadId(3)) }
}

#[test]
fn a_thread_gets_another_priority_or_keeps_its_own() {
    let host = Script::answering(SHARED, [[0; 3], REFUSED]);
    let (results, events) = host.run(|| [thread().set_priority(8), thread().set_priority(9)]);
    assert_eq!(results, [Ok(()), Err(CallError::OutOfRange)]);
    assert_eq!(events, [Call(SetPriority, [3, 8, 0, 0], 0), Call(SetPriority, [3, 9, 0, 0], 0)]);
}

#[test]
fn what_no_priority_can_be_is_refused_in_c_without_a_call() {
    let host = Script::answering(SHARED, [[0; 3], REFUSED]);
    let (results, events) = host.run(|| {
        let mut thread = thread();
        // SAFETY: the handle is there while it is called.
        [8, 31, 256 + 8, u32::MAX].map(|priority| unsafe { c::set_priority(&raw mut thread, priority) })
    });
    let refused = CallError::OutOfRange as u32;
    assert_eq!(results, [0, refused, refused, refused]);
    assert_eq!(events, [Call(SetPriority, [3, 8, 0, 0], 0), Call(SetPriority, [3, 31, 0, 0], 0)]);
}
