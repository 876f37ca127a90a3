//! The platform of the simulator: a host does what instructions do on the target.
//!
//! The simulator makes itself the host of the native thread while application code runs; see [`with_host`].
//! Code that is called outside of that panics with a clear message.

use core::cell::Cell;
use core::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread_local;

use beryl_abi::environment::Channel;
use beryl_abi::{CallNumber, Duration, Range};

/// Whether the processor loads and stores words at any address.
pub const LOADS_ANYWHERE: bool = true;

/// The services that application code may ask of its host.
pub trait Host {
    /// Makes a system call with r1, r2, r3 and r12; returns r0, r1 and r2.
    fn call(&self, number: CallNumber, arguments: [u32; 4]) -> [u32; 3];
    /// Called before every access to memory that threads share: the segment ends here, and more urgent
    /// threads run first.
    fn point(&self);
    /// Called when a job has computed all that it will: the rest of its time passes here.
    fn rest(&self) {}
    /// The calling thread's stack in the target's memory. Its last eight bytes are the words that the
    /// thread shares with the kernel; nothing else uses the rest.
    fn stack(&self) -> Range;
    /// Where the byte at a target address is in this program. Eight bytes keep their alignment to eight.
    fn memory(&self, address: u32) -> *mut u8;
    /// The journal of the calling thread's process, if any.
    fn journal(&self) -> Option<u32>;
    /// The ceiling that the calling thread takes for a critical section, if it may enter one.
    fn section(&self) -> Option<u8> {
        None
    }
    /// The low word of virtual time.
    fn moment(&self) -> u32;
    /// Lets virtual time pass for the caller.
    fn spend(&self, duration: Duration);
    /// Fills `value` from a sensor.
    fn environment_read(&self, channel: Channel, value: &mut [u8]);
    /// Hands `value` to an actuator.
    fn environment_write(&self, channel: Channel, value: &[u8]);
    /// Writes to the system's console.
    fn print(&self, text: &str);
    /// Hands a byte to the console device, which raises its interrupt line when it has sent it.
    fn transmit(&self, byte: u8);
    /// Fetches the byte that the console device has received; each raises an interrupt.
    fn receive(&self) -> Option<u8>;
    /// Ends the calling thread: its code has panicked.
    fn panicked(&self) -> !;
}

/// Bytes at the end of a stack that the thread shares with the kernel.
const SHARED_WORDS: u32 = 8;

thread_local! {
    static HOST: Cell<Option<&'static dyn Host>> = const { Cell::new(None) };
}

/// Runs `body` with `host` serving the application code that it calls. The previous host is restored
/// afterwards, even if `body` panics.
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

/// Makes a system call with r1, r2, r3 and r12; returns r0, r1 and r2. An argument that the call doesn't have
/// is zero.
pub fn call(number: CallNumber, arguments: [Option<u32>; 4]) -> [u32; 3] {
    let has = arguments
        .iter()
        .zip(number.registers())
        .all(|(argument, register)| argument.is_none() || !register.is_empty());
    assert!(has, "{number:?} has arguments in {:?} only, not {arguments:?}", number.registers());
    host().call(number, arguments.map(Option::unwrap_or_default))
}

/// Comes before every access to memory that threads share: the simulator lets other threads run here.
pub fn point() {
    host().point();
}

/// Comes behind all that a job computes: the simulator lets the rest of its time pass here.
pub fn rest() {
    host().rest();
}

/// Lends `place` to the kernel while `body` runs. The kernel gets the address of a copy in the calling
/// thread's stack whose first `filled` bytes are those of `place`; the copy's content is copied back
/// afterwards. Only one thing at a time can be lent.
///
/// # Panics
///
/// If the stack in the target's memory has no room for it before the two words at its end.
pub fn with_buffer<R>(place: &mut [MaybeUninit<u8>], filled: usize, body: impl FnOnce(u32) -> R) -> R {
    let stack = host().stack();
    let room = stack.length.saturating_sub(SHARED_WORDS);
    let fits = u32::try_from(place.len()).is_ok_and(|length| length <= room);
    assert!(fits, "{} bytes for the kernel don't fit on a stack of {room}", place.len());
    let copy = memory(stack.address).cast::<MaybeUninit<u8>>();
    // SAFETY: the stack is this thread's own and has room; the application borrows none of that memory.
    unsafe { copy.copy_from_nonoverlapping(place.as_ptr(), filled.min(place.len())) };
    let result = body(stack.address);
    // SAFETY: as above.
    unsafe { place.as_mut_ptr().copy_from_nonoverlapping(copy, place.len()) };
    result
}

/// No place of the host's is the kernel's to look at: it is lent a copy ([`with_buffer`]).
#[must_use]
pub fn lendable(_place: *mut u8) -> Option<u32> {
    None
}

/// The address, hidden from the optimiser: matters only on the target.
#[must_use]
pub fn opaque(address: u32) -> u32 {
    address
}

/// Keeps the code behind a branch there: matters only on the target.
pub fn seldom() {}

/// Reads two words.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may read them.
#[must_use]
pub unsafe fn load_two(words: *const u32) -> [u32; 2] {
    // SAFETY: as the caller says.
    unsafe { [words.read_volatile(), words.add(1).read_volatile()] }
}

/// Writes two words.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may write them.
pub unsafe fn store_two(words: *mut u32, [first, second]: [u32; 2]) {
    // SAFETY: as the caller says.
    unsafe {
        words.write_volatile(first);
        words.add(1).write_volatile(second);
    }
}

/// Where the byte at a target address is in this program.
#[must_use]
pub fn memory(address: u32) -> *mut u8 {
    host().memory(address)
}

/// An address on the calling thread's stack, in the target's memory.
#[must_use]
pub fn on_the_stack() -> u32 {
    host().stack().address
}

/// Where the process's journal is.
#[must_use]
pub fn journal() -> Option<u32> {
    host().journal()
}

/// The calling thread's words, and the ceiling that it takes for a critical section, if it may enter one.
#[must_use]
pub fn section() -> Option<(u32, u32)> {
    let (stack, ceiling) = (host().stack(), host().section()?);
    let words = stack.address.checked_add(stack.length)?.checked_sub(SHARED_WORDS)?;
    Some((words, ceiling.into()))
}

/// The low word of virtual time.
#[must_use]
pub fn moment() -> u32 {
    host().moment()
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

/// Writes bytes that aren't text: there is no reader, so they are dropped.
pub fn write(_bytes: &[u8]) {}

/// Hands a byte to the console device.
pub fn transmit(byte: u8) {
    host().transmit(byte);
}

/// Hands a byte to the console device, which holds as many as it gets.
pub fn put(byte: u8) {
    host().transmit(byte);
}

/// Turns the console's receiver on: in the simulator it always is.
pub fn listen() {}

/// Fetches the byte that the console device has received.
#[must_use]
pub fn receive() -> Option<u8> {
    host().receive()
}

/// Whether application code is unwinding from a panic. On the target it never does.
#[must_use]
pub fn is_panicking() -> bool {
    std::thread::panicking()
}

/// Runs application code. A panic in it ends the calling thread as a fault, as it does on the
/// target; it must not unwind into the thread's entry, which would end the whole program.
pub fn contain<R>(body: impl FnOnce() -> R) -> R {
    // No code sees what a panic leaves half done: the thread begins anew or never runs again.
    if let Ok(result) = catch_unwind(AssertUnwindSafe(body)) {
        return result;
    }
    host().panicked()
}
