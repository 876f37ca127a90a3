//! Objects for functions in C: the methods of handles, called with pointers and numbers.
//!
//! For each object that a function in C uses, the builder's glue has a function with the object's types,
//! which calls one of these. A status is that of a system call: 0, 1 if an owner had stopped, or a
//! [`CallError`]. A time limit is a word as the kernel takes it: 0 for no wait, all bits for no limit, or
//! ticks.
//!
//! On the board, functions in C make many of these calls themselves. They read the object's number from its
//! handle, which begins with the number or with the object's bits: such handles have the layout of C.
//!
//! # Safety
//!
//! All functions here are for the builder's glue. Pointers to handles are those that the glue gave to the
//! function, and the function gives them to no other code; pointers to values are valid for their types.
#![allow(clippy::missing_safety_doc, reason = "said once, above")]

pub mod messages;
pub mod object;
pub mod objects;
pub mod rare;

use core::cell::Cell;
use core::mem;
use core::slice;

use beryl_abi::call::{FOREVER, OWNER_DIED, POLL, SUCCESS};
use beryl_abi::{CallError, Duration, Instant, Wanted};

use crate::condition::Condition;
use crate::endpoint::{Client, Server};
use crate::environment::Channel;
use crate::event_group::{self, Source, Waiter};
use crate::interrupt::Interrupt;
use crate::lock::Lock;
use crate::mailbox::{Receiver, Sender};
use crate::notification::{self, Bits, Notification, Notifier};
use crate::period::Period;
use crate::port::Plain;
use crate::region::Region;
use crate::semaphore::{Binary, Counting, Held};
use crate::state::{Reader, SlowReader, Writer};
use crate::thread::Thread;
use crate::time::{self, Wait};
use crate::{console, platform};

/// A time limit, as a function in C states it.
fn how_long(word: u32) -> Wait {
    match word {
        POLL => Wait::Poll,
        FOREVER => Wait::Forever,
        ticks => Wait::AtMost(Duration::from_ticks(ticks.into())),
    }
}

fn status<T>(result: Result<T, CallError>) -> u32 {
    result.map_or_else(|error| error as u32, |_| SUCCESS)
}

/// The status of a call with a result, which is stored at `to`.
unsafe fn put<T>(result: Result<T, CallError>, to: *mut T) -> u32 {
    match result {
        Ok(value) => {
            // SAFETY: `to` is a place for a value of this type (above).
            unsafe { to.write(value) };
            SUCCESS
        }
        Err(error) => error as u32,
    }
}

/// Sends a message.
pub unsafe fn send<T: Plain>(mailbox: *mut Sender<T>, message: *const T, wait: u32) -> u32 {
    // SAFETY: the glue's handle, and a message of this type (above).
    let (mailbox, message) = unsafe { (&mut *mailbox, &*message) };
    status(mailbox.send_for(message, how_long(wait)))
}

/// Receives a message.
pub unsafe fn receive<T: Plain>(mailbox: *mut Receiver<T>, message: *mut T, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put((*mailbox).receive_for(how_long(wait)), message) }
}

/// Calls a server.
pub unsafe fn call<Q: Plain, R: Plain>(
    endpoint: *mut Client<Q, R>,
    request: *const Q,
    reply: *mut R,
    wait: u32,
) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put((*endpoint).question(&*request, wait), reply) }
}

/// Waits for a request.
pub unsafe fn first<Q: Plain, R: Plain>(endpoint: *mut Server<Q, R>, request: *mut Q, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put((*endpoint).first(wait), request) }
}

/// Replies to a request and waits for the next.
pub unsafe fn next<Q: Plain, R: Plain>(endpoint: *mut Server<Q, R>, reply: *const R, request: *mut Q) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put((*endpoint).next(&*reply), request) }
}

/// Takes a unit.
pub unsafe fn take(semaphore: *mut Counting, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    status(unsafe { (*semaphore).wait_for(how_long(wait)) })
}

/// Gives a unit back.
pub unsafe fn give(semaphore: *mut Counting) -> u32 {
    // SAFETY: as in `send`.
    status(unsafe { (*semaphore).signal() })
}

/// Takes a binary semaphore, to be owned until [`disown`].
pub unsafe fn own<T>(semaphore: *mut Binary<T>, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    let semaphore = unsafe { &mut *semaphore };
    match semaphore.take(wait) {
        Ok(held) => {
            let status = if held.owner_died() { OWNER_DIED } else { SUCCESS };
            mem::forget(held);
            status
        }
        Err(error) => error as u32,
    }
}

/// Ends a job of a periodic thread; the next begins owning a semaphore, until [`disown`]. Stores how many releases were
/// missed, unless nobody wants to know.
pub unsafe fn period_then<T>(semaphore: *mut Binary<T>, _period: *mut Period, missed: *mut u32) -> u32 {
    // SAFETY: as in `send`; the kernel refuses callers that have no period.
    let (semaphore, mut period) = unsafe { (&mut *semaphore, Period::new()) };
    match period.wait_then(semaphore) {
        Ok((releases, held)) => {
            let status = if held.owner_died() { OWNER_DIED } else { SUCCESS };
            mem::forget(held);
            if !missed.is_null() {
                // SAFETY: a place for a number (above).
                unsafe { missed.write(releases.0) };
            }
            status
        }
        Err(error) => error as u32,
    }
}

/// Gives a binary semaphore back; nothing happens if it isn't owned.
pub unsafe fn disown<T>(semaphore: *mut Binary<T>) {
    // SAFETY: as in `send`.
    drop(unsafe { (*semaphore).held() });
}

/// The value that a binary semaphore protects: to be touched only while the semaphore is owned.
pub unsafe fn owned<T>(semaphore: *mut Binary<T>) -> *mut T {
    // SAFETY: as in `send`.
    unsafe { (*semaphore).place() }
}

/// How many locks a thread is in. Rust nests locks by scope, C has to be checked.
pub struct Entered(Cell<u32>);

impl Entered {
    /// None.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "for the builder's glue, as all of these")]
    pub const fn new() -> Entered {
        Entered(Cell::new(0))
    }
}

/// A ceiling lock that is entered and left by calls, perhaps more than once.
///
/// Leaving sets the thread's level to its value before the lock was entered. That is right only for the lock
/// entered last: for any other it would undo what later locks have raised.
pub struct Gate<'a, T> {
    lock: Lock<T>,
    /// The count that all locks of the thread share.
    entered: &'a Entered,
    /// How many times it is entered.
    depth: u32,
    /// How many locks the thread was in, with this one, when it first entered it.
    position: u32,
    /// The thread's level before it first entered.
    before: u32,
}

impl<T: Plain> Gate<'_, T> {
    /// A lock for a function in C, with the count that all locks of the thread share.
    #[must_use]
    pub const fn new(lock: Lock<T>, entered: &Entered) -> Gate<'_, T> {
        Gate { lock, entered, depth: 0, position: 0, before: 0 }
    }

    /// Whether no lock was entered since this one.
    fn is_last(&self) -> bool {
        self.position == self.entered.0.get()
    }

    fn enter_first(&mut self) {
        self.before = self.lock.enter();
        self.position = self.entered.0.get().saturating_add(1);
        self.entered.0.set(self.position);
    }

    fn leave_last(&mut self) {
        self.entered.0.set(self.position.saturating_sub(1));
        self.lock.leave(self.before);
    }
}

/// Enters a lock and returns the value that it protects.
pub unsafe fn enter<T: Plain>(gate: *mut Gate<'_, T>) -> *mut T {
    // SAFETY: as in `send`.
    let gate = unsafe { &mut *gate };
    if gate.depth == 0 {
        gate.enter_first();
    }
    gate.depth = gate.depth.saturating_add(1);
    gate.lock.place()
}

/// Leaves the lock that was entered last; does nothing for any other.
pub unsafe fn leave<T: Plain>(gate: *mut Gate<'_, T>) -> u32 {
    // SAFETY: as in `send`.
    let gate = unsafe { &mut *gate };
    match gate.depth {
        0 => return CallError::NotOwner as u32,
        1 if !gate.is_last() => return CallError::Raised as u32,
        1 => gate.leave_last(),
        _ => {}
    }
    gate.depth -= 1;
    SUCCESS
}

/// Waits for a condition inside a semaphore.
pub unsafe fn wait_owned<T>(condition: *mut Condition, semaphore: *mut Binary<T>, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    let (condition, semaphore) = unsafe { (&mut *condition, &mut *semaphore) };
    let mut held: Held<'_, T> = semaphore.held();
    let status = status(condition.wait_for(&mut held, how_long(wait)));
    let owner_died = held.owner_died();
    mem::forget(held);
    if owner_died && status == SUCCESS { OWNER_DIED } else { status }
}

/// Waits for a condition inside a lock. No other lock may be entered: the kernel gives up everything that is
/// raised.
pub unsafe fn wait_inside<T: Plain>(condition: *mut Condition, gate: *mut Gate<'_, T>, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    let (condition, gate) = unsafe { (&mut *condition, &mut *gate) };
    match (gate.depth, gate.entered.0.get()) {
        (0, _) => CallError::NotOwner as u32,
        (_, 1) => status(how_long(wait).word().and_then(|ticks| condition.wait_raised(ticks))),
        _ => CallError::Raised as u32,
    }
}

/// Wakes one thread that waits for a condition.
pub unsafe fn signal(condition: *mut Condition) {
    // SAFETY: as in `send`.
    unsafe { (*condition).signal() };
}

/// Wakes all threads that wait for a condition.
pub unsafe fn broadcast(condition: *mut Condition) {
    // SAFETY: as in `send`.
    unsafe { (*condition).broadcast() };
}

/// Sets bits of an event group.
pub unsafe fn set(group: *mut Source, bits: u32) {
    // SAFETY: as in `send`.
    unsafe { (*group).set(bits) };
}

/// Clears bits of an event group; returns all of them as they were.
pub unsafe fn clear(group: *mut Source, bits: u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { (*group).clear(bits) }
}

/// Waits for any of some bits of an event group.
pub unsafe fn wait_any_of(group: *mut Waiter, bits: u32, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { await_bits(group, event_group::any(bits), wait, set) }
}

/// Waits for all of some bits of an event group.
pub unsafe fn wait_all_of(group: *mut Waiter, bits: u32, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { await_bits(group, event_group::all(bits), wait, set) }
}

/// Waits for any of some bits of an event group, and takes them.
pub unsafe fn take_any_of(group: *mut Waiter, bits: u32, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { await_bits(group, event_group::any(bits).taking(), wait, set) }
}

/// Waits for all of some bits of an event group, and takes them.
pub unsafe fn take_all_of(group: *mut Waiter, bits: u32, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { await_bits(group, event_group::all(bits).taking(), wait, set) }
}

unsafe fn await_bits(group: *mut Waiter, wanted: Wanted, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put((*group).wait_for(wanted, how_long(wait)), set) }
}

/// Gives a thread another priority.
pub unsafe fn set_priority(thread: *mut Thread, priority: u32) -> u32 {
    let priority = u8::try_from(priority).map_err(|_| CallError::OutOfRange);
    // SAFETY: as in `send`.
    status(priority.and_then(|priority| unsafe { (*thread).set_priority(priority) }))
}

/// Sets the bits of a notification.
pub unsafe fn notify(notification: *mut Notifier) {
    // SAFETY: as in `send`.
    unsafe { (*notification).notify() };
}

/// Waits for a notification.
pub unsafe fn await_notification(notification: *mut Notification, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    status(unsafe { (*notification).wait_for(how_long(wait)) })
}

/// The notification's bits in its thread's word.
pub unsafe fn notification_bits(notification: *mut Notification) -> u32 {
    // SAFETY: as in `send`.
    unsafe { (*notification).bits().0 }
}

/// Waits for an interrupt, and unmasks it meanwhile.
pub unsafe fn await_interrupt(interrupt: *mut Interrupt, wait: u32) -> u32 {
    // SAFETY: as in `send`.
    status(unsafe { (*interrupt).wait_for(how_long(wait)) })
}

/// Unmasks an interrupt.
pub unsafe fn acknowledge(interrupt: *mut Interrupt) {
    // SAFETY: as in `send`.
    unsafe { (*interrupt).acknowledge() };
}

/// The interrupt's bits in its thread's word.
pub unsafe fn interrupt_bits(interrupt: *mut Interrupt) -> u32 {
    // SAFETY: as in `send`.
    unsafe { (*interrupt).bits().0 }
}

/// Waits for any of some bits of the thread's word.
pub unsafe fn wait_any(bits: u32, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put(notification::wait_any(Bits(bits), how_long(wait)).map(|bits| bits.0), set) }
}

/// Writes a state message.
pub unsafe fn write<T: Plain>(state: *mut Writer<T>, value: *const T) {
    // SAFETY: as in `send`.
    unsafe { (*state).write(&*value) };
}

/// Reads a state message; returns whether it is whole.
pub unsafe fn read<T: Plain>(state: *mut Reader<T>, value: *mut T) -> bool {
    // SAFETY: as in `send`.
    unsafe { (*state).read().map(|read| value.write(read)).is_ok() }
}

/// Reads a state message by a call.
pub unsafe fn read_slow<T: Plain>(state: *mut SlowReader<T>, value: *mut T) -> u32 {
    // SAFETY: as in `send`.
    unsafe { put((*state).read(), value) }
}

/// Reads a word of a region; returns whether the region has it.
pub unsafe fn load(region: *mut Region, offset: u32, value: *mut u32) -> bool {
    // SAFETY: as in `send`.
    unsafe { (*region).load(offset).map(|word| value.write(word)).is_some() }
}

/// Writes a word of a region; returns whether the region has it.
pub unsafe fn store(region: *mut Region, offset: u32, value: u32) -> bool {
    // SAFETY: as in `send`.
    unsafe { (*region).store(offset, value).is_some() }
}

/// Ends a job of a periodic thread; stores how many releases were missed, unless nobody wants to know.
pub unsafe fn wait_period(missed: *mut u32) -> u32 {
    // SAFETY: the kernel refuses callers that have no period, and `missed` is a place or null.
    unsafe {
        let ended = Period::new().end_job().map(|missed| missed.0);
        if missed.is_null() { status(ended) } else { put(ended, missed) }
    }
}

/// Sleeps until an instant in ticks.
#[must_use]
pub fn sleep_until(instant: u64) -> u32 {
    status(time::sleep_until(Instant::from_ticks(instant)))
}

/// Sleeps for so many ticks.
#[must_use]
pub fn sleep(ticks: u64) -> u32 {
    status(time::sleep(Duration::from_ticks(ticks)))
}

/// Takes the next value of a sensor.
pub unsafe fn environment_read(channel: u32, value: *mut u8, length: u32) {
    if length == 0 {
        return;
    }
    // SAFETY: this many bytes are there (above), and at least one: C gives no bytes a null address, Rust
    // doesn't.
    let bytes = unsafe { slice::from_raw_parts_mut(value, length as usize) };
    platform::environment_read(Channel::new(channel), bytes);
}

/// Leaves a value for an actuator.
pub unsafe fn environment_write(channel: u32, value: *const u8, length: u32) {
    if length == 0 {
        return;
    }
    // SAFETY: as in `environment_read`.
    let bytes = unsafe { slice::from_raw_parts(value, length as usize) };
    platform::environment_write(Channel::new(channel), bytes);
}

/// Prints a text, unless it is empty.
pub unsafe fn print(text: *const u8, length: u32) {
    if length == 0 {
        return;
    }
    // SAFETY: as in `environment_read`.
    let bytes = unsafe { slice::from_raw_parts(text, length as usize) };
    if let Ok(text) = core::str::from_utf8(bytes) {
        console::print(text);
    }
}
