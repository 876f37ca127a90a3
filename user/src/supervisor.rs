//! Supervisors: threads that are told what happens to others.
//!
//! Whoever says `tells` in the description is watched. What happens to it comes as a report: to whom, what, how often
//! since the last report of that kind was fetched, and when last. Nothing is lost, however late a supervisor asks: what
//! happens again meanwhile is counted.

use beryl_abi::call::CallError;
use beryl_abi::{MailboxId, Report as Fetched};

pub use beryl_abi::Incident;

use crate::mailbox::Receiver;
use crate::time::{self, Instant, Wait};

/// What is told to a supervisor: `W` is the application's enumeration of those that are watched.
#[repr(C)]
pub struct Supervisor<W: 'static> {
    reports: Receiver<[i32; 2]>,
    first: u8,
    watched: &'static [(W, Incident)],
}

/// Something has happened to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report<W> {
    /// To whom, by the name in the description.
    pub who: W,
    /// What.
    pub what: Incident,
    /// How often since the last report of this was fetched: at least once. 65,535 stands for that and more.
    pub count: u16,
    /// When it happened last, if that is less than 12 hours ago.
    pub last: Instant,
}

impl<W: Copy> Supervisor<W> {
    /// The supervisor with this mailbox, whose reports have numbers from `first` on.
    ///
    /// # Safety
    ///
    /// For the builder's glue: the kernel puts these reports into that mailbox, and the calling thread may receive.
    #[must_use]
    #[inline(always)]
    pub const unsafe fn new(
        mailbox: MailboxId,
        first: u8,
        watched: &'static [(W, Incident)],
    ) -> Supervisor<W> {
        // SAFETY: a report is a message of two words.
        Supervisor { reports: unsafe { Receiver::new(mailbox) }, first, watched }
    }

    /// Waits for the next report without a time limit. Reports come in the order in which each began to be one.
    ///
    /// # Errors
    ///
    /// [`CallError::Raised`] inside a ceiling lock.
    pub fn hear(&mut self) -> Result<Report<W>, CallError> {
        self.hear_for(Wait::Forever)
    }

    /// The next report, if there is one.
    ///
    /// # Errors
    ///
    /// [`CallError::WouldBlock`] if there is none; [`CallError::Raised`] inside a ceiling lock.
    pub fn try_hear(&mut self) -> Result<Report<W>, CallError> {
        self.hear_for(Wait::Poll)
    }

    /// Waits for the next report for as long as `wait` allows.
    ///
    /// # Errors
    ///
    /// As [`Supervisor::hear`], and those of [`Wait`].
    pub fn hear_for(&mut self, wait: Wait) -> Result<Report<W>, CallError> {
        let message = self.reports.receive_for(wait)?;
        let Fetched { number, count, at } = Fetched::of(message.map(i32::cast_unsigned), time::now());
        let place = usize::from(number.wrapping_sub(self.first));
        // The kernel sends no other numbers.
        let (who, what) = *self.watched.get(place).ok_or(CallError::NoSuchObject)?;
        Ok(Report { who, what, count, last: at })
    }
}
