//! The platform of the simulator: what the target does with instructions, a host does here.
//!
//! The simulator makes itself the host of the native thread while it lets application code run;
//! see [`with_host`]. Code that is called outside panics with a clear message.

use core::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread_local;

use beryl_abi::environment::Channel;
use beryl_abi::{CallNumber, Duration};

/// What application code may ask of whoever runs it.
pub trait Host {
    /// Makes a system call; answers r0 and r1.
    fn call(&self, number: CallNumber, arguments: [u32; 3]) -> [u32; 2];
    /// Where the byte at a target address is in this program, eight bytes being aligned to eight.
    fn memory(&self, address: u32) -> *mut u8;
    /// Lets virtual time pass for the caller.
    fn spend(&self, duration: Duration);
    /// Fills `value` from a sensor.
    fn environment_read(&self, channel: Channel, value: &mut [u8]);
    /// Hands `value` to an actuator.
    fn environment_write(&self, channel: Channel, value: &[u8]);
    /// Writes to the system's console.
    fn print(&self, text: &str);
    /// Ends the calling thread: its code has panicked.
    fn panicked(&self) -> !;
}

thread_local! {
    static HOST: Cell<Option<&'static dyn Host>> = const { Cell::new(None) };
}

/// Runs `body` with `host` answering the application code that it calls. The host before it is
/// back afterwards, also when `body` panics.
pub fn with_host<R>(host: &'static dyn Host, body: impl FnOnce() -> R) -> R {
    struct Back(Option<&'static dyn Host>);
    impl Drop for Back {
        fn drop(&mut self) {
            HOST.set(self.0);
        }
    }
    let _back = Back(HOST.replace(Some(host)));
    body()
}

fn host() -> &'static dyn Host {
    HOST.get().expect("this code runs inside the simulator: no host is installed on this native thread")
}

/// Makes a system call; answers r0 and r1.
pub fn call(number: CallNumber, arguments: [u32; 3]) -> [u32; 2] {
    host().call(number, arguments)
}

/// Makes a system call that has neither arguments nor an answer.
pub fn plain_call(number: CallNumber) {
    call(number, [0; 3]);
}

/// Where the byte at a target address is in this program.
#[must_use]
pub fn memory(address: u32) -> *mut u8 {
    host().memory(address)
}

/// Lets virtual time pass for the caller.
pub fn spend(duration: Duration) {
    host().spend(duration);
}

/// Fills `value` from a sensor.
pub fn environment_read(channel: Channel, value: &mut [u8]) {
    host().environment_read(channel, value);
}

/// Hands `value` to an actuator.
pub fn environment_write(channel: Channel, value: &[u8]) {
    host().environment_write(channel, value);
}

/// Writes to the system's console.
pub fn print(text: &str) {
    host().print(text);
}

/// Runs application code. A panic in it ends the calling thread as a fault, as it does on the
/// target; it must not unwind into the thread's entry, which would end the whole program.
pub fn contain<R>(body: impl FnOnce() -> R) -> R {
    // What a panic leaves half done isn't seen by anybody: the thread begins anew or not at all.
    if let Ok(result) = catch_unwind(AssertUnwindSafe(body)) {
        return result;
    }
    host().panicked()
}
