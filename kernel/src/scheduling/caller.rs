//! Whose calls they are: what the ordinary way of an operation asks first.

use beryl_abi::ProcessId;

/// Of whose calls nothing has to be asked: a process, or nobody's.
///
/// While user code runs, this names the running thread's process only if the thread may wait and takes no
/// ceiling lock, and nobody has raised its urgency; in the middle of something it says [`Caller::ASK`]. A bit beside says that
/// somebody listens. So the ordinary way of an operation asks one byte, and has the process whose rights count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Caller(u8);

impl Caller {
    /// Everything has to be asked.
    pub const ASK: Caller = Caller(u8::MAX);

    /// What memory holds before the start.
    pub(crate) const BLANK: Caller = Caller(0);

    /// A thread's, if it is plain.
    pub(crate) const fn of(process: ProcessId, is_plain: bool) -> Caller {
        if is_plain && process.0 < 32 { Caller(process.0) } else { Caller::ASK }
    }

    /// The bit that says that somebody listens.
    const HEARD: u8 = 32;

    /// The process; nothing if more has to be asked, or somebody listens.
    #[inline(always)]
    pub fn process(self) -> Option<u8> {
        if self.0 < Caller::HEARD { Some(self.0) } else { None }
    }

    /// Whether nothing has to be asked, whoever listens.
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
