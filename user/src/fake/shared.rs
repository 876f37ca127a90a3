//! What threads share under exclusion in a fake system: ceiling locks, semaphores and conditions. Nobody else runs, so
//! the test says what others do.

use std::boxed::Box;

use core::marker::PhantomData;
use core::mem::take;

use beryl_abi::call::{OWNER_DIED, Operand, POLL};
use beryl_abi::{CallError, ConditionId, SemaphoreId, ThreadId};

use super::kernel::{DONE, Object, Result, end, index};
use super::memory::{CEILING, WORDS};
use super::messages::Message;
use super::{End, Fake, Host};
use crate::condition::Condition;
use crate::lock::Lock;
use crate::port::Plain;
use crate::semaphore::{Binary, Counting};

/// Who has a binary semaphore.
///
/// ```text
///            wait                      hold (the test's)
/// Thread <---------- Nobody ----------------------------> Another
///    \_____________>   ^ \________________________________/
///         signal        \          give_back
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Nobody,
    Thread,
    Another,
}

/// What others do while the thread waits for a condition; false if none of them signals it.
type Others = Box<dyn FnMut() -> bool>;

/// An object of this file.
pub(super) enum Exclusion {
    /// A binary semaphore, and whether its last owner stopped.
    Binary { owner: Owner, owner_died: bool },
    /// Units of a counting one.
    Counting { units: u32, most: u32 },
    /// A condition, and how often the thread has signalled it. While the others run, they aren't here.
    Condition { others: Option<Others>, signals: u32 },
}

impl Fake {
    /// A ceiling lock with this value, for the thread. Inside, it may not wait, as on a board.
    #[must_use]
    pub fn lock<T: Plain>(&self, initial: T) -> (Lock<T>, Shared<T>) {
        let value = self.host.memory.put(Message::of(&initial).words());
        // SAFETY: the thread's words, and a value of this type that the test reaches only while the thread doesn't run.
        (
            unsafe { Lock::new(WORDS, u32::from(CEILING), value) },
            Shared { host: self.host, value, _value: PhantomData },
        )
    }

    /// A binary semaphore with this value, for the thread; and its other side, by which the test says who has it.
    #[must_use]
    pub fn semaphore<T: Plain>(&self, initial: T) -> (Binary<T>, Shared<T>, Ownership) {
        let value = self.host.memory.put(Message::of(&initial).words());
        let number = self.add(Exclusion::Binary { owner: Owner::Nobody, owner_died: false }.into());
        // SAFETY: a semaphore of this host without a word, and a value as in `lock`.
        let binary = unsafe { Binary::new(SemaphoreId(number), 0, ThreadId(0), value) };
        let shared = Shared { host: self.host, value, _value: PhantomData };
        (binary, shared, Ownership { host: self.host, number })
    }

    /// A counting semaphore that has these units, and `most` at most.
    #[must_use]
    pub fn counting(&self, units: u32, most: u32) -> (Counting, Units) {
        let number = self.add(Exclusion::Counting { units, most }.into());
        // SAFETY: a counting semaphore of this host.
        (unsafe { Counting::new(SemaphoreId(number)) }, Units { host: self.host, number })
    }

    /// A condition. Each time that the thread waits for it, `others` runs: it changes what they share
    /// ([`Shared::set`]), and says whether they signal the condition.
    #[must_use]
    pub fn condition(&self, others: impl FnMut() -> bool + 'static) -> (Condition, Signals) {
        let number = self.add(Exclusion::Condition { others: Some(Box::new(others)), signals: 0 }.into());
        // SAFETY: a condition of this host.
        (unsafe { Condition::new(ConditionId(number)) }, Signals { host: self.host, number })
    }
}

/// The test's side of a value under a lock or a binary semaphore.
#[derive(Clone)]
pub struct Shared<T> {
    host: &'static Host,
    value: u32,
    _value: PhantomData<T>,
}

impl<T: Plain> Shared<T> {
    /// The value as it is.
    #[must_use]
    pub fn get(&self) -> T {
        // SAFETY: a value of this type is there (`Fake::lock`), and the application doesn't run now or waits.
        unsafe { self.host.memory.place(self.value).cast::<T>().read_unaligned() }
    }

    /// Another thread changes it.
    pub fn set(&self, value: T) {
        // SAFETY: as in `get`.
        unsafe { self.host.memory.place(self.value).cast::<T>().write_unaligned(value) };
    }
}

/// Who has a binary semaphore, as the test says it.
#[derive(Clone)]
pub struct Ownership {
    host: &'static Host,
    number: u8,
}

impl Ownership {
    /// Another thread has it from now on.
    ///
    /// # Panics
    ///
    /// If the thread has it.
    pub fn hold(&self) {
        self.change(|owner, _| {
            assert!(*owner != Owner::Thread, "the thread has the semaphore");
            *owner = Owner::Another;
        });
    }

    /// The other thread gives it back.
    pub fn give_back(&self) {
        self.change(|owner, _| {
            if *owner == Owner::Another {
                *owner = Owner::Nobody;
            }
        });
    }

    /// The other thread has stopped while it had it: who takes it next is told.
    pub fn owner_dies(&self) {
        self.give_back();
        self.change(|_, owner_died| *owner_died = true);
    }

    /// Whether the thread has it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        let mut is_held = false;
        self.change(|owner, _| is_held = *owner == Owner::Thread);
        is_held
    }

    fn change(&self, change: impl FnOnce(&mut Owner, &mut bool)) {
        self.host.with_exclusion(self.number.into(), |object| {
            if let Exclusion::Binary { owner, owner_died } = object {
                change(owner, owner_died);
            }
        });
    }
}

/// The units of a counting semaphore, as the test sees them.
#[derive(Clone)]
pub struct Units {
    host: &'static Host,
    number: u8,
}

impl Units {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        let unit = |object: &mut Exclusion| match object {
            Exclusion::Counting { units, .. } => *units,
            _ => 0,
        };
        self.host.with_exclusion(self.number.into(), unit).unwrap_or(0)
    }

    /// Others give back so many.
    ///
    /// # Panics
    ///
    /// If there would be more than there may be.
    pub fn give(&self, more: u32) {
        self.host.with_exclusion(self.number.into(), |object| {
            if let Exclusion::Counting { units, most } = object {
                let sum = units.checked_add(more).filter(|sum| sum <= most);
                *units = sum.expect("more units than there may be");
            }
        });
    }
}

/// How often the thread has signalled a condition.
#[derive(Clone)]
pub struct Signals {
    host: &'static Host,
    number: u8,
}

impl Signals {
    /// Since this was asked last; a broadcast counts once.
    #[must_use]
    pub fn take(&self) -> u32 {
        let count = |object: &mut Exclusion| match object {
            Exclusion::Condition { signals, .. } => take(signals),
            _ => 0,
        };
        self.host.with_exclusion(self.number.into(), count).unwrap_or(0)
    }
}

impl Host {
    fn with_exclusion<R>(&self, number: usize, body: impl FnOnce(&mut Exclusion) -> R) -> Option<R> {
        match self.happened.borrow_mut().objects.get_mut(number) {
            Some(Object::Exclusion(object)) => Some(body(object)),
            _ => None,
        }
    }

    /// Refuses to wait inside of a ceiling lock.
    pub(super) fn must_not_be_raised(&self) -> core::result::Result<(), CallError> {
        match self.memory.is_raised() {
            true => Err(CallError::Raised),
            false => Ok(()),
        }
    }

    /// A wait for something else is over: the thread gets the semaphore that it wanted to own then, and the values.
    pub(super) fn keep_promise(&self, operand: u32, values: [u32; 2]) -> Result {
        match Operand(operand).semaphore() {
            Some(semaphore) => {
                self.own(semaphore.0.into(), |host| host.wait(beryl_abi::call::FOREVER, End::NotFree))?;
                Ok(values)
            }
            None => Ok(values),
        }
    }

    pub(super) fn take(&self, operand: u32, wait: u32) -> Result {
        self.must_not_be_raised()?;
        let unit = |object: &mut Exclusion| match object {
            Exclusion::Counting { units, .. } => {
                let left = units.checked_sub(1);
                *units = left.unwrap_or(0);
                Some(left.is_some())
            }
            _ => None,
        };
        match self.with_exclusion(index(operand), unit).flatten() {
            Some(true) => self.keep_promise(operand, [0, 0]),
            Some(false) => self.wait(wait, End::NoUnit),
            None => self.own(index(operand), |host| host.wait(wait, End::NotFree)),
        }
    }

    /// The thread takes a binary semaphore, or does something else if another has it.
    fn own(&self, number: usize, otherwise: impl FnOnce(&Host) -> Result) -> Result {
        let taken = self.with_exclusion(number, |object| match object {
            Exclusion::Binary { owner: Owner::Thread, .. } => Err(CallError::Deadlock),
            Exclusion::Binary { owner: Owner::Another, .. } => Ok(None),
            Exclusion::Binary { owner, owner_died } => {
                *owner = Owner::Thread;
                Ok(Some(take(owner_died)))
            }
            _ => Err(CallError::NoSuchObject),
        });
        match taken.unwrap_or(Err(CallError::NoSuchObject))? {
            None => otherwise(self),
            Some(owner_died) => {
                self.happened.borrow_mut().owner_died |= owner_died;
                DONE
            }
        }
    }

    pub(super) fn give_back(&self, operand: u32) -> Result {
        let given = self.with_exclusion(index(operand), |object| match object {
            Exclusion::Binary { owner, .. } if *owner == Owner::Thread => {
                *owner = Owner::Nobody;
                DONE
            }
            Exclusion::Binary { .. } => Err(CallError::NotOwner),
            Exclusion::Counting { units, most } if *units < *most => {
                *units += 1;
                DONE
            }
            Exclusion::Counting { .. } => Err(CallError::Overflow),
            Exclusion::Condition { .. } => Err(CallError::NoSuchObject),
        });
        given.unwrap_or(Err(CallError::NoSuchObject))
    }

    /// Gives the lock up, lets the others run, and takes it again.
    pub(super) fn wait_for_condition(&self, operand: u32, wait: u32) -> Result {
        let others = self.with_exclusion(index(operand), |object| match object {
            Exclusion::Condition { others, .. } => others.take(),
            _ => None,
        });
        let mut others = others.flatten().ok_or(CallError::NoSuchObject)?;
        let outcome = self.away(operand, wait, &mut others);
        self.with_exclusion(index(operand), |object| {
            if let Exclusion::Condition { others: place, .. } = object {
                *place = Some(others);
            }
        });
        match outcome? {
            true => DONE,
            false => self.wait(wait, End::NoSignal),
        }
    }

    /// Whether the condition was signalled while the thread was away.
    fn away(&self, operand: u32, wait: u32, others: &mut Others) -> core::result::Result<bool, CallError> {
        let Some(semaphore) = Operand(operand).semaphore() else {
            // A ceiling lock, which the word stands for.
            let level = self.memory.lower();
            let signalled = match (level, wait) {
                (0, _) => Err(CallError::NotOwner),
                (_, POLL) => Err(CallError::WouldBlock),
                _ => Ok(others()),
            };
            self.memory.raise(level);
            return signalled;
        };
        self.must_not_be_raised()?;
        self.give_back(semaphore.0.into())?;
        let signalled = if wait == POLL { Err(CallError::WouldBlock) } else { Ok(others()) };
        let _ = self.own(semaphore.0.into(), |_| end(End::NotFree))?;
        signalled
    }

    /// The thread has ended.
    pub(super) fn leave_all(&self) {
        self.memory.lower();
        for object in &mut self.happened.borrow_mut().objects {
            if let Object::Exclusion(Exclusion::Binary { owner, owner_died }) = object
                && *owner == Owner::Thread
            {
                (*owner, *owner_died) = (Owner::Nobody, true);
            }
        }
    }

    pub(super) fn signal(&self, operand: u32) -> Result {
        let counted = self.with_exclusion(index(operand), |object| match object {
            Exclusion::Condition { signals, .. } => {
                *signals += 1;
                DONE
            }
            _ => Err(CallError::NoSuchObject),
        });
        counted.unwrap_or(Err(CallError::NoSuchObject))
    }

    /// The status of a call that succeeded.
    pub(super) fn success(&self, number: u32) -> u32 {
        if take(&mut self.happened.borrow_mut().owner_died) { OWNER_DIED } else { number }
    }
}

impl From<Exclusion> for Object {
    fn from(object: Exclusion) -> Object {
        Object::Exclusion(object)
    }
}
