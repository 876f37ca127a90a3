//! Ways: each operation is written once and compiled twice.
//!
//! The *ordinary* way is for what happens almost always: the kernel interrupted user code of a thread of
//! which nothing has to be asked ([`Caller`](crate::scheduling::caller::Caller)), nobody listens, and the
//! operation meets its usual case. The compiler leaves out everything that this settles. The *any* way is for
//! everything else, including ordinary cases that somebody listens to. When the ordinary way gives an
//! operation up, nothing has changed: the other way carries it out, or says why it is refused. One refusal is
//! as ordinary as success, and both ways report it: the call would have to wait and the caller doesn't want
//! to.
//!
//! The way that a step takes changes neither its effect nor the number of steps that follow. For each state
//! that somebody listens to there is the same state without a listener, and both go on alike (asserted by the
//! test host, `tests/host`, and by the explorer).

use beryl_abi::CallError;

/// The ordinary way's answer when it gives up. Any error but [`CallError::WouldBlock`] would do.
const GIVEN_UP: CallError = CallError::UnknownCall;

/// What is known of a step before it runs.
pub trait Way: Copy {
    /// Whether it is the ordinary way.
    const IS_ORDINARY: bool;

    /// Whether the step interrupted user code of a thread of which nothing has to be asked: then what follows
    /// may be done at once.
    fn is_calm(self) -> bool;

    /// Only the other way goes on here. Nothing has changed yet.
    ///
    /// # Errors
    /// The ordinary way always gives up.
    #[inline(always)]
    fn rare(self) -> Result<(), CallError> {
        self.only_if(false)
    }

    /// The ordinary way goes on only if this holds, the other way in any case.
    ///
    /// # Errors
    /// The ordinary way gives up if it doesn't hold.
    #[inline(always)]
    fn only_if(self, holds: bool) -> Result<(), CallError> {
        if Self::IS_ORDINARY && !holds { Err(GIVEN_UP) } else { Ok(()) }
    }
}

/// The ordinary way. For how it leaves the kernel see [`exits`](crate::exits).
#[derive(Clone, Copy)]
pub(crate) struct Ordinary;

/// The any way.
#[derive(Clone, Copy, Debug)]
pub struct Any {
    /// See [`Way::is_calm`].
    pub(crate) is_calm: bool,
}

impl Any {
    /// Work is under way: what follows takes steps of its own.
    pub(crate) const UNDER_WAY: Any = Any { is_calm: false };
}

impl Way for Ordinary {
    const IS_ORDINARY: bool = true;

    #[inline(always)]
    fn is_calm(self) -> bool {
        true
    }
}

impl Way for Any {
    const IS_ORDINARY: bool = false;

    #[inline(always)]
    fn is_calm(self) -> bool {
        self.is_calm
    }
}
