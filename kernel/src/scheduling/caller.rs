//! Callers: the first thing that the ordinary way of an operation checks.

use beryl_abi::ProcessId;

use crate::rows::threads::{Thread, ThreadKind};

/// The caller of whom nothing has to be asked: a thread of a process, or the idle thread, or none.
///
/// ```text
///    0 to 31      a thread of this process that may wait and takes no ceiling locks: calls and interrupts
///    32           the idle thread: interrupts only, since it may make no call that waits
///    64 to 96     as above, and somebody listens
///    128 to 159   such a thread that takes ceiling locks: while it holds none it is like those above
///    192 to 223   as above, and somebody listens
///    255          everything has to be asked: another thread, a raised urgency, or something under way
/// ```
///
/// So the ordinary way checks one byte, which also names the process whose rights count. For threads that
/// take ceiling locks it also checks the thread's own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Caller(u8);

impl Caller {
    /// Everything has to be asked.
    pub const ASK: Caller = Caller(u8::MAX);

    /// The idle thread.
    pub const IDLE: Caller = Caller(32);

    /// What memory holds before the start.
    pub(crate) const BLANK: Caller = Caller(0);

    /// The bit that says that somebody listens.
    const HEARD: u8 = 64;

    /// The bit of threads that take ceiling locks.
    const LOCKS: u8 = 128;

    /// The value for a thread, if it may wait.
    pub(crate) const fn of(process: ProcessId, may_wait: bool, takes_locks: bool) -> Caller {
        match may_wait && process.0 < Caller::IDLE.0 {
            true if takes_locks => Caller(process.0 | Caller::LOCKS),
            true => Caller(process.0),
            false => Caller::ASK,
        }
    }

    /// The value for a thread with this row, in a kernel that may have ceiling locks.
    #[inline(always)]
    pub(crate) const fn of_row(row: &Thread, has_ceilings: bool) -> Caller {
        let may_wait = matches!(row.kind, ThreadKind::Task | ThreadKind::Free | ThreadKind::Periodic);
        match row.kind {
            ThreadKind::Idle => Caller::IDLE,
            _ => Caller::of(row.process, may_wait, has_ceilings && row.highest_ceiling > 0),
        }
    }

    /// Whether only its ceiling locks have to be asked for.
    #[inline(always)]
    pub fn takes_locks(self) -> bool {
        self.0 >= Caller::LOCKS && self.0 != Caller::ASK.0
    }

    /// The value while it holds no ceiling lock.
    #[inline(always)]
    pub fn without_locks(self) -> Caller {
        Caller(self.0 & !Caller::LOCKS)
    }

    /// The number of the process, if nothing has to be asked.
    #[inline(always)]
    pub fn number(self) -> u8 {
        self.0 & (Caller::IDLE.0 - 1)
    }

    /// The process that makes the call; none if more has to be asked, or somebody listens.
    #[inline(always)]
    pub fn process(self) -> Option<u8> {
        if self.0 < Caller::IDLE.0 { Some(self.0) } else { None }
    }

    /// Whether nothing has to be asked of the interrupted thread, and nobody listens.
    #[inline(always)]
    pub fn is_quiet(self) -> bool {
        self.0 <= Caller::IDLE.0
    }

    /// Whether nothing has to be asked of the interrupted thread, whether or not anybody listens.
    #[inline(always)]
    pub fn is_calm(self) -> bool {
        self.0 < 2 * Caller::HEARD
    }

    /// The same value, marked with whether somebody listens.
    pub fn heard(self, is_heard: bool) -> Caller {
        match (self == Caller::ASK, is_heard) {
            (true, _) => self,
            (false, true) => Caller(self.0 | Caller::HEARD),
            (false, false) => Caller(self.0 & !Caller::HEARD),
        }
    }
}
