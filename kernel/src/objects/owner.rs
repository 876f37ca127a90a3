//! Who owns a binary semaphore, in one byte.

use beryl_abi::ThreadId;

/// Who owns a semaphore.
///
/// ```text
///               claim, given to            lost
///     free ---------------------> a thread ----> left, if it stopped
///      ^                           |    ^          |
///      +---------------------------+    +----------+
///               given back                  claim
///
///     by its word, left by its word: as free and left, but the user's word says whether and whose it is
///     never: it is a counting one
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner(u8);

impl Owner {
    /// Nobody.
    pub const FREE: Owner = Owner(u8::MAX);
    /// Nobody; the last owner has stopped.
    const LEFT: Owner = Owner(254);
    /// Its word says.
    pub const BY_WORD: Owner = Owner(253);
    /// The same, and the last owner has stopped.
    const LEFT_BY_WORD: Owner = Owner(252);
    /// Nobody, ever.
    pub const NEVER: Owner = Owner(251);
    /// What memory holds before the start.
    pub const BLANK: Owner = Owner(0);

    /// This thread.
    #[inline(always)]
    pub const fn of(thread: ThreadId) -> Owner {
        Owner(thread.0)
    }

    /// The thread, if the kernel knows one; [`ThreadId::NONE`] if it doesn't.
    #[inline(always)]
    pub fn thread(self) -> ThreadId {
        if self.0 < Owner::NEVER.0 { ThreadId(self.0) } else { ThreadId::NONE }
    }

    /// Whether it isn't one to be owned.
    #[inline(always)]
    pub fn is_never(self) -> bool {
        self == Owner::NEVER
    }

    /// Whether its word has to be asked.
    #[inline(always)]
    pub fn is_by_word(self) -> bool {
        matches!(self, Owner::BY_WORD | Owner::LEFT_BY_WORD)
    }

    /// Whether the last owner has stopped, and nobody was told yet.
    #[inline(always)]
    pub fn is_left(self) -> bool {
        matches!(self, Owner::LEFT | Owner::LEFT_BY_WORD)
    }

    /// Nobody, since the last one has stopped; `has_word` where a word says from now on who owns it.
    pub const fn left(has_word: bool) -> Owner {
        if has_word { Owner::LEFT_BY_WORD } else { Owner::LEFT }
    }

    /// Nobody, as far as the kernel knows.
    #[inline(always)]
    pub const fn nobody(has_word: bool) -> Owner {
        if has_word { Owner::BY_WORD } else { Owner::FREE }
    }
}
