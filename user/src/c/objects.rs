//! What any thread does with objects by their values: the calls of `beryl.h` whose names have an object's kind.
//!
//! Messages and values have types, which the builder's glue knows: what is done with them is in [`super::messages`].
//!
//! # Safety
//!
//! As in [`super::object`].
#![allow(clippy::missing_safety_doc, reason = "said once, above")]

use core::ptr;

use beryl_abi::{
    CallError, ConditionId, EventGroupId, InterruptId, NotificationId, SemaphoreId, ThreadId, Wanted,
};

use super::object::{self, Allowed, Kind, Object, Side, allowed, caller};
use super::{how_long, own, put, status, wait_owned};
use crate::condition::Condition;
use crate::event_group::{self, Source, Waiter};
use crate::interrupt::Interrupt;
use crate::lock::Lock;
use crate::memory;
use crate::notification::{Notification, Notifier};
use crate::region::Region;
use crate::semaphore::{Binary, Counting};
use crate::thread::Thread;

/// All stacks, by where they are.
type Stacks = &'static object::Stacks;

/// A binary semaphore as its caller knows it.
unsafe fn binary((object, caller): Allowed) -> Binary<()> {
    // SAFETY: the object's own, and the caller may use it.
    unsafe { Binary::new(SemaphoreId(object.number), object.own[0], ThreadId(caller.thread), object.own[1]) }
}

/// A semaphore of either kind.
enum Semaphore {
    Counting(Counting),
    Binary(Binary<()>),
}

/// A semaphore that the caller may use.
#[inline(always)]
unsafe fn semaphore(stacks: Stacks, object: *const Object) -> Result<Semaphore, CallError> {
    // SAFETY: null, or an object; its own, and the caller may use it.
    unsafe {
        let is_counting = object.as_ref().is_some_and(|object| object.kind == Kind::COUNTING);
        if is_counting {
            let (object, _) = allowed(stacks, object, Kind::COUNTING, Side::First)?;
            return Ok(Semaphore::Counting(Counting::new(SemaphoreId(object.number))));
        }
        allowed(stacks, object, Kind::BINARY, Side::First).map(|allowed| Semaphore::Binary(binary(allowed)))
    }
}

/// Takes a unit of a semaphore, or takes one that has an owner.
pub unsafe fn semaphore_wait(stacks: Stacks, object: *const Object, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    match unsafe { semaphore(stacks, object) } {
        Ok(Semaphore::Counting(mut semaphore)) => status(semaphore.wait_for(how_long(wait))),
        // SAFETY: it is here.
        Ok(Semaphore::Binary(mut semaphore)) => unsafe { own(&raw mut semaphore, wait) },
        Err(error) => error as u32,
    }
}

/// Gives a unit back, or one that the caller owns.
pub unsafe fn semaphore_signal(stacks: Stacks, object: *const Object) -> u32 {
    // SAFETY: as the caller says.
    match unsafe { semaphore(stacks, object) } {
        Ok(Semaphore::Counting(mut semaphore)) => status(semaphore.signal()),
        Ok(Semaphore::Binary(mut semaphore)) => status(semaphore.signal()),
        Err(error) => error as u32,
    }
}

/// The value that a binary semaphore protects, or null.
pub unsafe fn semaphore_value(stacks: Stacks, object: *const Object) -> *mut u8 {
    // SAFETY: as the caller says.
    let allowed = unsafe { allowed(stacks, object, Kind::BINARY, Side::First) };
    value(allowed)
}

/// Where a value is, or null.
fn value(allowed: Result<Allowed, CallError>) -> *mut u8 {
    match allowed {
        Ok((object, _)) if object.own[1] != 0 => memory::at(object.own[1]),
        _ => ptr::null_mut(),
    }
}

/// A lock as its caller knows it.
unsafe fn lock((object, caller): &Allowed) -> Lock<()> {
    // SAFETY: the caller's words, and the object's own.
    unsafe { Lock::new(caller.words, object.own[0], object.own[1]) }
}

/// Enters a lock, and stores what [`lock_leave`] needs.
pub unsafe fn lock_enter(stacks: Stacks, object: *const Object, before: *mut u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let allowed = allowed(stacks, object, Kind::LOCK, Side::First);
        put(allowed.map(|allowed| lock(&allowed).enter()), before)
    }
}

/// Leaves a lock to where its thread was before.
pub unsafe fn lock_leave(stacks: Stacks, object: *const Object, before: u32) -> u32 {
    // SAFETY: as the caller says.
    let lock = unsafe { allowed(stacks, object, Kind::LOCK, Side::First).map(|allowed| lock(&allowed)) };
    let inside = lock.and_then(|lock| lock.is_left_to(before).then_some(lock).ok_or(CallError::NotOwner));
    status(inside.map(|lock| lock.leave(before)))
}

/// The value that a lock protects, or null.
pub unsafe fn lock_value(stacks: Stacks, object: *const Object) -> *mut u8 {
    // SAFETY: as the caller says.
    value(unsafe { allowed(stacks, object, Kind::LOCK, Side::First) })
}

/// A condition that the caller may use.
unsafe fn condition(stacks: Stacks, object: *const Object) -> Result<Condition, CallError> {
    // SAFETY: as the caller says.
    unsafe {
        let (object, _) = allowed(stacks, object, Kind::CONDITION, Side::First)?;
        Ok(Condition::new(ConditionId(object.number)))
    }
}

/// Waits for a condition inside a binary semaphore.
pub unsafe fn condition_wait(stacks: Stacks, object: *const Object, inside: *const Object, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let both = condition(stacks, object).and_then(|condition| {
            let allowed = allowed(stacks, inside, Kind::BINARY, Side::First)?;
            Ok((condition, binary(allowed)))
        });
        match both {
            Ok((mut condition, mut semaphore)) => wait_owned(&raw mut condition, &raw mut semaphore, wait),
            Err(error) => error as u32,
        }
    }
}

/// Wakes one thread that waits for a condition.
pub unsafe fn condition_signal(stacks: Stacks, object: *const Object) -> u32 {
    // SAFETY: as the caller says.
    status(unsafe { condition(stacks, object) }.map(|condition| condition.signal()))
}

/// Wakes all threads that wait for a condition.
pub unsafe fn condition_broadcast(stacks: Stacks, object: *const Object) -> u32 {
    // SAFETY: as the caller says.
    status(unsafe { condition(stacks, object) }.map(|condition| condition.broadcast()))
}

/// The side of an event group that sets and clears.
#[inline(always)]
unsafe fn source(stacks: Stacks, object: *const Object) -> Result<Source, CallError> {
    // SAFETY: as the caller says.
    unsafe {
        let (object, _) = allowed(stacks, object, Kind::EVENT_GROUP, Side::First)?;
        Ok(Source::new(EventGroupId(object.number)))
    }
}

/// Sets bits of an event group.
pub unsafe fn event_group_set(stacks: Stacks, object: *const Object, bits: u32) -> u32 {
    // SAFETY: as the caller says.
    status(unsafe { source(stacks, object) }.map(|mut source| source.set(bits)))
}

/// Sets bits of an event group, and stores all of them as they are when the caller goes on.
pub unsafe fn event_group_set_and_read(
    stacks: Stacks,
    object: *const Object,
    bits: u32,
    now: *mut u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let read = source(stacks, object).map(|mut source| {
            source.set(bits);
            source.clear(0)
        });
        put(read, now)
    }
}

/// Clears bits of an event group, and stores all of them as they were.
pub unsafe fn event_group_clear(stacks: Stacks, object: *const Object, bits: u32, before: *mut u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe { put(source(stacks, object).map(|mut source| source.clear(bits)), before) }
}

/// Waits for bits of an event group.
#[inline(always)]
unsafe fn await_bits(stacks: Stacks, object: *const Object, wanted: Wanted, wait: u32, set: *mut u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let waited = allowed(stacks, object, Kind::EVENT_GROUP, Side::Second).and_then(|(object, _)| {
            Waiter::new(EventGroupId(object.number)).wait_for(wanted, how_long(wait))
        });
        put(waited, set)
    }
}

/// Waits for any of some bits of an event group.
pub unsafe fn event_group_wait_any(
    stacks: Stacks,
    object: *const Object,
    bits: u32,
    wait: u32,
    set: *mut u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe { await_bits(stacks, object, event_group::any(bits), wait, set) }
}

/// Waits for all of some bits of an event group.
pub unsafe fn event_group_wait_all(
    stacks: Stacks,
    object: *const Object,
    bits: u32,
    wait: u32,
    set: *mut u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe { await_bits(stacks, object, event_group::all(bits), wait, set) }
}

/// Waits for any of some bits of an event group, and takes them.
pub unsafe fn event_group_take_any(
    stacks: Stacks,
    object: *const Object,
    bits: u32,
    wait: u32,
    set: *mut u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe { await_bits(stacks, object, event_group::any(bits).taking(), wait, set) }
}

/// Waits for all of some bits of an event group, and takes them.
pub unsafe fn event_group_take_all(
    stacks: Stacks,
    object: *const Object,
    bits: u32,
    wait: u32,
    set: *mut u32,
) -> u32 {
    // SAFETY: as the caller says.
    unsafe { await_bits(stacks, object, event_group::all(bits).taking(), wait, set) }
}

/// Sets the bits of a notification.
pub unsafe fn notification_notify(stacks: Stacks, object: *const Object) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let allowed = allowed(stacks, object, Kind::NOTIFICATION, Side::First);
        status(allowed.map(|(object, _)| {
            Notifier::new(NotificationId(object.number), object.own[0]).notify();
        }))
    }
}

/// Waits for a notification.
pub unsafe fn notification_wait(stacks: Stacks, object: *const Object, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let allowed = allowed(stacks, object, Kind::NOTIFICATION, Side::Second);
        status(allowed.and_then(|(object, _)| Notification::new(object.own[0]).wait_for(how_long(wait))))
    }
}

/// An interrupt that the caller serves.
unsafe fn interrupt(stacks: Stacks, object: *const Object) -> Result<Interrupt, CallError> {
    // SAFETY: as the caller says.
    unsafe {
        let (object, _) = allowed(stacks, object, Kind::INTERRUPT, Side::First)?;
        Ok(Interrupt::new(InterruptId(object.number), object.own[1]))
    }
}

/// Waits for an interrupt, and unmasks it meanwhile.
pub unsafe fn interrupt_wait(stacks: Stacks, object: *const Object, wait: u32) -> u32 {
    // SAFETY: as the caller says.
    status(unsafe { interrupt(stacks, object) }.and_then(|mut interrupt| interrupt.wait_for(how_long(wait))))
}

/// Unmasks an interrupt.
pub unsafe fn interrupt_acknowledge(stacks: Stacks, object: *const Object) -> u32 {
    // SAFETY: as the caller says.
    status(unsafe { interrupt(stacks, object) }.map(|mut interrupt| interrupt.acknowledge()))
}

/// A region that the caller may use.
unsafe fn region(stacks: Stacks, object: *const Object) -> Result<Region, CallError> {
    // SAFETY: as the caller says.
    unsafe {
        let (object, _) = allowed(stacks, object, Kind::REGION, Side::First)?;
        Ok(Region::new(object.own[0], object.own[1]))
    }
}

/// Reads a word of a region.
pub unsafe fn region_load(stacks: Stacks, object: *const Object, offset: u32, value: *mut u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let word = region(stacks, object);
        put(word.and_then(|region| region.load(offset).ok_or(CallError::OutOfRange)), value)
    }
}

/// Writes a word of a region.
pub unsafe fn region_store(stacks: Stacks, object: *const Object, offset: u32, value: u32) -> u32 {
    // SAFETY: as the caller says.
    let region = unsafe { region(stacks, object) };
    status(region.and_then(|mut region| region.store(offset, value).ok_or(CallError::OutOfRange)))
}

/// Gives a thread another priority.
pub unsafe fn thread_set_priority(stacks: Stacks, object: *const Object, priority: u32) -> u32 {
    // SAFETY: as the caller says.
    unsafe {
        let allowed = allowed(stacks, object, Kind::THREAD, Side::First);
        status(allowed.and_then(|(object, _)| {
            let priority = u8::try_from(priority).map_err(|_| CallError::OutOfRange)?;
            Thread::new(ThreadId(object.number)).set_priority(priority)
        }))
    }
}

/// The number of the calling thread; all bits for a stack that isn't listed.
#[must_use]
pub fn own_number(stacks: Stacks) -> u32 {
    caller(stacks).map_or(u32::MAX, |caller| caller.thread.into())
}

/// The bits of a notification or an interrupt in its thread's word, 0 for others.
pub unsafe fn bits(stacks: Stacks, object: *const Object, kind: Kind, side: Side) -> u32 {
    // SAFETY: as the caller says.
    unsafe { allowed(stacks, object, kind, side) }.map_or(0, |(object, _)| object.own[0])
}
