//! Objects that functions in C know by values: each has one, of the type of its kind, which any thread may keep, pass on
//! and use that has the object in its `uses`.
//!
//! A handle lies on its thread's stack and is its thread's own. What is here isn't: it lies beside the code, and says
//! which threads may do what. So each call looks first who is calling, by where its stack is, and whether it may.
//! A refusal is [`CallError::NoSuchObject`], and nothing has changed.
//!
//! # Cost
//!
//! Who calls is found in a table of all stacks, and the caller among the users by a bit: as long with any number of threads.
//!
//! # Safety
//!
//! As in [`crate::c`]. A pointer to an object is one that the builder's glue declares, or null, which is refused.
#![allow(clippy::missing_safety_doc, reason = "said once, above")]

use beryl_abi::CallError;

use crate::platform;

/// What an object is: one of the numbers below. A pointer in C may point to anything, so it is no enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Kind(u32);

impl Kind {
    /// A ceiling lock: its ceiling, and where its value is.
    pub const LOCK: Kind = Kind(0xBE21_0001);
    /// A semaphore of units.
    pub const COUNTING: Kind = Kind(0xBE21_0002);
    /// A semaphore with an owner: the word of its users, and where its value is.
    pub const BINARY: Kind = Kind(0xBE21_0003);
    /// A condition.
    pub const CONDITION: Kind = Kind(0xBE21_0004);
    /// A mailbox: the bytes of a message.
    pub const MAILBOX: Kind = Kind(0xBE21_0005);
    /// An endpoint: the bytes of a request and of a reply.
    pub const ENDPOINT: Kind = Kind(0xBE21_0006);
    /// An event group.
    pub const EVENT_GROUP: Kind = Kind(0xBE21_0007);
    /// A notification: its bits.
    pub const NOTIFICATION: Kind = Kind(0xBE21_0008);
    /// An interrupt: its bits, and those for which it is waited, none if it never comes.
    pub const INTERRUPT: Kind = Kind(0xBE21_0009);
    /// A state message: the bytes of its value.
    pub const STATE: Kind = Kind(0xBE21_000A);
    /// A region: where it is, and its bytes.
    pub const REGION: Kind = Kind(0xBE21_000B);
    /// A thread whose priority may change.
    pub const THREAD: Kind = Kind(0xBE21_000C);
}

/// On which side of an object a thread is: who sends, calls, sets, notifies or writes; who receives, serves, waits or reads;
/// who reads by a call. What has no sides has the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who lets something happen, and who uses what has no sides.
    First,
    /// Who waits for it.
    Second,
    /// Who reads by a call.
    Third,
}

/// An object.
#[repr(C)]
pub struct Object {
    /// What it is.
    pub kind: Kind,
    /// Its number in the kernel.
    pub number: u8,
    /// Which types its messages have, among those of objects of its kind.
    pub shape: u8,
    /// What belongs to its kind.
    pub own: [u32; 2],
    /// The threads that are on each side: a bit for each number of a thread of the system, the lowest first.
    pub users: [&'static [u32]; 3],
}

/// The stacks of all threads.
pub struct Stacks {
    /// Where the first one begins.
    pub from: u32,
    /// The power of two of whose multiples all of them begin and end, counted from there.
    pub grain: u32,
    /// Whose each grain is; [`NOBODY`]'s between stacks.
    pub owners: &'static [u8],
    /// Where the words are that each thread shares with the kernel.
    pub words: &'static [u32],
}

/// No thread's number.
pub const NOBODY: u8 = u8::MAX;

/// The calling thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Its number.
    pub thread: u8,
    /// The words that it shares with the kernel.
    pub words: u32,
}

/// Who calls, by where its stack is.
#[inline(always)]
pub(super) fn caller(stacks: &'static Stacks) -> Option<Caller> {
    let place = platform::on_the_stack().wrapping_sub(stacks.from) >> stacks.grain;
    let thread = *stacks.owners.get(place as usize)?;
    Some(Caller { thread, words: *stacks.words.get(usize::from(thread))? })
}

/// An object that the caller may use, and the caller.
pub(super) type Allowed = (&'static Object, Caller);

/// The object, if it is of a kind and the caller is on a side of it.
#[inline(always)]
pub(super) unsafe fn allowed(
    stacks: &'static Stacks,
    object: *const Object,
    kind: Kind,
    side: Side,
) -> Result<Allowed, CallError> {
    // SAFETY: null, or an object (above).
    let object: &'static Object = unsafe { object.as_ref() }.ok_or(CallError::NoSuchObject)?;
    if object.kind != kind {
        return Err(CallError::NoSuchObject);
    }
    let caller = caller(stacks).ok_or(CallError::NoSuchObject)?;
    // SAFETY: the table of stacks and the object's have all threads of the system.
    let users = unsafe { object.users[side as usize].get_unchecked(usize::from(caller.thread / 32)) };
    match users >> (caller.thread % 32) & 1 == 1 {
        true => Ok((object, caller)),
        false => Err(CallError::NoSuchObject),
    }
}

/// An object with messages of so many bytes, if the caller may use it.
///
/// # Errors
///
/// [`CallError::OutOfRange`] if they aren't as long.
#[inline(always)]
pub unsafe fn found(
    stacks: &'static Stacks,
    object: *const Object,
    kind: Kind,
    side: Side,
    bytes: [Option<u32>; 2],
) -> Result<&'static Object, CallError> {
    // SAFETY: as the caller says.
    let (object, _) = unsafe { allowed(stacks, object, kind, side) }?;
    let is_as_long = |message: usize| bytes[message].is_none_or(|bytes| bytes == object.own[message]);
    if is_as_long(0) && is_as_long(1) { Ok(object) } else { Err(CallError::OutOfRange) }
}
