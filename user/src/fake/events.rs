//! What happens to a thread in a fake system: bits of event groups, notifications and interrupts. They come from the
//! test, one after the other, each time that the thread waits in vain.

use std::collections::VecDeque;

use core::mem::take;

use beryl_abi::call::POLL;
use beryl_abi::{CallError, EventGroupId, InterruptId, NotificationId, Wanted};

use super::kernel::{DONE, Object, Result, index};
use super::{End, Fake, Host};
use crate::event_group::{Source, Waiter};
use crate::interrupt::Interrupt;
use crate::notification::{Bits, Notification, Notifier};

/// The word of the thread, what comes to it yet, and which of its bits are those of masked interrupts.
#[derive(Default)]
pub(super) struct Word {
    bits: u32,
    coming: VecDeque<u32>,
    /// Bits that some handle has.
    given: u32,
    masked: u32,
}

/// An object of this file.
pub(super) enum Signal {
    /// Bits of an event group, and those that others set yet.
    Group { bits: u32, coming: VecDeque<u32> },
    /// The other end of a notifier, and how often it was notified.
    Notified(u32),
    /// An interrupt with its bit of the thread's word, and how often its line was unmasked.
    Line { bit: u32, unmasked: u32 },
}

impl Fake {
    /// Both sides of an event group without bits, and the test's. Each time that the thread waits in vain, others set
    /// the next of `coming`.
    #[must_use]
    pub fn event_group(&self, coming: impl IntoIterator<Item = u32>) -> (Source, Waiter, Group) {
        let number = self.add(Signal::Group { bits: 0, coming: coming.into_iter().collect() }.into());
        let id = EventGroupId(number);
        // SAFETY: an event group of this host.
        let (source, waiter) = unsafe { (Source::new(id), Waiter::new(id)) };
        (source, waiter, Group { host: self.host, number })
    }

    /// A notification of the thread's. When it comes, [`Fake::coming`] says.
    #[must_use]
    pub fn notification(&self) -> Notification {
        // SAFETY: a bit that no other handle has.
        unsafe { Notification::new(self.next_bit()) }
    }

    /// A notification of another thread, and how often it was sent.
    #[must_use]
    pub fn notifier(&self) -> (Notifier, Notified) {
        let number = self.add(Signal::Notified(0).into());
        // SAFETY: a notification of this host.
        (unsafe { Notifier::new(NotificationId(number), 1) }, Notified { host: self.host, number })
    }

    /// An interrupt that the thread serves; and how often it unmasked the line. When it comes, [`Fake::coming`] says.
    /// Its line is masked then, as on a board: until the thread unmasks it, it doesn't come again.
    #[must_use]
    pub fn interrupt(&self) -> (Interrupt, Unmasked) {
        let bit = self.next_bit();
        let number = self.add(Signal::Line { bit, unmasked: 0 }.into());
        // SAFETY: an interrupt of this host, and a bit that no other handle has.
        (unsafe { Interrupt::new(InterruptId(number), bit) }, Unmasked { host: self.host, number })
    }

    /// What comes to the thread, notifications and interrupts: one of these each time that it waits in vain. Several at
    /// once are joined by `|`.
    pub fn coming(&self, events: impl IntoIterator<Item = Bits>) {
        self.host.happened.borrow_mut().word.coming.extend(events.into_iter().map(|Bits(bits)| bits));
    }

    fn next_bit(&self) -> u32 {
        let word = &mut self.host.happened.borrow_mut().word;
        let bit = 1_u32.checked_shl(word.given.count_ones()).expect("at most 32 of them in one thread");
        word.given |= bit;
        bit
    }
}

/// The bits of an event group, as the test sees them.
#[derive(Clone)]
pub struct Group {
    host: &'static Host,
    number: u8,
}

impl Group {
    /// Those that are set.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.host.with_group(self.number.into(), |bits, _| *bits).unwrap_or(0)
    }

    /// Others set more.
    pub fn set(&self, more: u32) {
        let _ = self.host.with_group(self.number.into(), |bits, _| *bits |= more);
    }
}

/// How often a notification was sent.
#[derive(Clone)]
pub struct Notified {
    host: &'static Host,
    number: u8,
}

impl Notified {
    /// Since this was asked last.
    #[must_use]
    pub fn take(&self) -> u32 {
        match self.host.happened.borrow_mut().objects.get_mut(usize::from(self.number)) {
            Some(Object::Signal(Signal::Notified(times))) => take(times),
            _ => 0,
        }
    }
}

/// How often an interrupt's line was unmasked.
#[derive(Clone)]
pub struct Unmasked {
    host: &'static Host,
    number: u8,
}

impl Unmasked {
    /// Since this was asked last.
    #[must_use]
    pub fn take(&self) -> u32 {
        match self.host.happened.borrow_mut().objects.get_mut(usize::from(self.number)) {
            Some(Object::Signal(Signal::Line { unmasked, .. })) => take(unmasked),
            _ => 0,
        }
    }
}

impl Word {
    /// The next event comes. An interrupt whose line is masked doesn't.
    fn go_on(&mut self, lines: u32) -> Option<()> {
        let come = self.coming.pop_front()? & !self.masked;
        self.bits |= come;
        self.masked |= come & lines;
        Some(())
    }
}

impl Host {
    fn with_group<R>(
        &self,
        number: usize,
        body: impl FnOnce(&mut u32, &mut VecDeque<u32>) -> R,
    ) -> core::result::Result<R, CallError> {
        match self.happened.borrow_mut().objects.get_mut(number) {
            Some(Object::Signal(Signal::Group { bits, coming })) => Ok(body(bits, coming)),
            _ => Err(CallError::NoSuchObject),
        }
    }

    pub(super) fn set_bits(&self, operand: u32, more: u32) -> Result {
        self.with_group(index(operand), |bits, _| *bits |= more)?;
        DONE
    }

    pub(super) fn clear_bits(&self, operand: u32, which: u32) -> Result {
        let before = self.with_group(index(operand), |bits, _| core::mem::replace(bits, *bits & !which))?;
        Ok([before, 0])
    }

    pub(super) fn wait_for_bits(&self, operand: u32, wanted: Wanted, wait: u32) -> Result {
        self.must_not_be_raised()?;
        if wanted.bits == 0 {
            return Err(CallError::NoBits);
        }
        let got = self.with_group(index(operand), |bits, coming| {
            while !wanted.is_met_by(*bits) {
                if wait == POLL {
                    return None;
                }
                *bits |= coming.pop_front()?;
            }
            let before = *bits;
            *bits &= !wanted.taken();
            Some(before)
        })?;
        match got {
            Some(before) => self.keep_promise(operand, [before, 0]),
            None => self.wait(wait, End::NoBits),
        }
    }

    pub(super) fn notify(&self, operand: u32) -> Result {
        match self.happened.borrow_mut().objects.get_mut(index(operand)) {
            Some(Object::Signal(Signal::Notified(times))) => *times += 1,
            _ => return Err(CallError::NoSuchObject),
        }
        DONE
    }

    pub(super) fn wait_for_word(&self, operand: u32, wanted: u32, wait: u32) -> Result {
        self.must_not_be_raised()?;
        if wanted == 0 {
            return Err(CallError::NoBits);
        }
        let has_come = self.happened.borrow().word.bits & wanted != 0;
        // A line is unmasked where the thread waits for it, and stays masked where it needn't.
        if !has_come && wait != POLL {
            let _ = self.unmask(operand);
        }
        let mut happened = self.happened.borrow_mut();
        let lines = lines(&happened.objects);
        let word = &mut happened.word;
        while word.bits & wanted == 0 {
            if wait == POLL || word.go_on(lines).is_none() {
                drop(happened);
                return self.wait(wait, End::NoNotification);
            }
        }
        let got = word.bits & wanted;
        word.bits &= !got;
        drop(happened);
        self.keep_promise(operand, [got, 0])
    }

    /// Unmasks an interrupt's line.
    pub(super) fn unmask(&self, operand: u32) -> Result {
        let happened = &mut *self.happened.borrow_mut();
        let Some(Object::Signal(Signal::Line { bit, unmasked })) = happened.objects.get_mut(index(operand))
        else {
            return Err(CallError::NoSuchObject);
        };
        if happened.word.masked & *bit != 0 {
            happened.word.masked &= !*bit;
            *unmasked += 1;
        }
        DONE
    }
}

/// The bits of interrupts.
fn lines(objects: &[Object]) -> u32 {
    let bit = |object: &Object| match object {
        Object::Signal(Signal::Line { bit, .. }) => Some(*bit),
        _ => None,
    };
    objects.iter().filter_map(bit).fold(0, |all, bit| all | bit)
}

impl From<Signal> for Object {
    fn from(object: Signal) -> Object {
        Object::Signal(object)
    }
}
