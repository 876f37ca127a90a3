//! The owner of a binary semaphore, in one byte.

use beryl_abi::ThreadId;

/// The owner of a semaphore.
///
/// ```text
///               claim, given to            lost
///     free ---------------------> a thread ----> left, if it stopped
///      ^                           |    ^          |
///      +---------------------------+    +----------+
///               given back                  claim
///
///     by its word, left by its word: as free and left, but the user's word names the owner, if any
///     never: it is a counting one
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner(u8);

impl Owner {
    /// No owner.
    pub const FREE: Owner = Owner(u8::MAX);
    /// No owner; the last one has stopped.
    const LEFT: Owner = Owner(254);
    /// The user's word names the owner.
    pub const BY_WORD: Owner = Owner(253);
    /// The user's word names the owner, and the last one has stopped.
    const LEFT_BY_WORD: Owner = Owner(252);
    /// Never has an owner.
    pub const NEVER: Owner = Owner(251);
    /// What memory holds before the start.
    pub const BLANK: Owner = Owner(0);

    /// This thread.
    #[inline(always)]
    pub const fn of(thread: ThreadId) -> Owner {
        Owner(thread.0)
    }

    /// The thread that the kernel knows as owner; [`ThreadId::NONE`] if it knows none.
    #[inline(always)]
    pub fn thread(self) -> ThreadId {
        if self.0 < Owner::NEVER.0 { ThreadId(self.0) } else { ThreadId::NONE }
    }

    /// Whether the semaphore can't be owned.
    #[inline(always)]
    pub fn is_never(self) -> bool {
        self == Owner::NEVER
    }

    /// Whether the user's word has to be read.
    #[inline(always)]
    pub fn is_by_word(self) -> bool {
        matches!(self, Owner::BY_WORD | Owner::LEFT_BY_WORD)
    }

    /// Whether the last owner has stopped and no thread has been told yet.
    #[inline(always)]
    pub fn is_left(self) -> bool {
        matches!(self, Owner::LEFT | Owner::LEFT_BY_WORD)
    }

    /// No owner, since the last one has stopped; `has_word` says whether the user's word names the owner from
    /// now on.
    pub const fn left(has_word: bool) -> Owner {
        if has_word { Owner::LEFT_BY_WORD } else { Owner::LEFT }
    }

    /// Whether the kernel knows no owner.
    #[inline(always)]
    pub const fn nobody(has_word: bool) -> Owner {
        if has_word { Owner::BY_WORD } else { Owner::FREE }
    }
}
