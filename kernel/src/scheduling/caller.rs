//! Whose calls they are: what the ordinary way of an operation asks first.

use beryl_abi::ProcessId;

/// Of whom nothing has to be asked: of a process's thread, or of the idle one, or of nobody.
///
/// ```text
///    0 to 31      a thread of this process that may wait and takes no ceiling lock: its calls, and what interrupts it
///    32           the idle thread: only what interrupts it, since it may make no call that waits
///    64 to 96     the same, and somebody listens
///    255          everything has to be asked: another thread, somebody's urgency is raised, or something is under way
/// ```
///
/// So the ordinary way of an operation asks one byte, and has the process whose rights count.
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

    /// A thread's, if it is plain.
    pub(crate) const fn of(process: ProcessId, is_plain: bool) -> Caller {
        if is_plain && process.0 < Caller::IDLE.0 { Caller(process.0) } else { Caller::ASK }
    }

    /// The process whose call it is; nothing if more has to be asked, or somebody listens.
    #[inline(always)]
    pub fn process(self) -> Option<u8> {
        if self.0 < Caller::IDLE.0 { Some(self.0) } else { None }
    }

    /// Whether nothing has to be asked of who was interrupted, and nobody listens.
    #[inline(always)]
    pub fn is_quiet(self) -> bool {
        self.0 <= Caller::IDLE.0
    }

    /// Whether nothing has to be asked of who was interrupted, whoever listens.
    #[inline(always)]
    pub fn is_calm(self) -> bool {
        self.0 < 2 * Caller::HEARD
    }

    /// The same, and whether somebody listens.
    pub fn heard(self, is_heard: bool) -> Caller {
        match (self.is_calm(), is_heard) {
            (true, true) => Caller(self.0 | Caller::HEARD),
            (true, false) => Caller(self.0 & !Caller::HEARD),
            (false, _) => self,
        }
    }
}
