//! Ways: each operation is written once and compiled twice.
//!
//! *Ordinary* is what happens almost always: user code was interrupted of whose thread nothing has to be asked ([`Caller`](crate::scheduling::caller::Caller)),
//! nobody listens, and the operation finds what it finds most of the time. There the compiler leaves out whatever is known by that. *Any* is
//! everything else, ordinary cases that somebody listens to among them. So an operation that the ordinary way gives up is one that has changed nothing: it is
//! carried out by the other, which says why if it is to be refused. One refusal is as ordinary as success, and told by both: that who doesn't want to
//! wait would have to.
//!
//! Which way a step takes decides neither what it does nor how many follow: for each state that somebody listens to there is the same
//! state without, and both go on alike (asserted by the test host, `tests/host`, and by the explorer).

use beryl_abi::CallError;

/// What the ordinary way answers where it goes on no further: any error but [`CallError::WouldBlock`] would do.
const GIVEN_UP: CallError = CallError::UnknownCall;

/// What is known of a step before it is done.
pub trait Way: Copy {
    /// Whether it is the ordinary way.
    const IS_ORDINARY: bool;

    /// Whether user code was interrupted of whose thread nothing has to be asked: what follows may be done at once.
    fn is_calm(self) -> bool;

    /// Only the other way goes on here. Nothing has changed yet.
    ///
    /// # Errors
    /// By the ordinary way always: the step is given up.
    #[inline(always)]
    fn rare(self) -> Result<(), CallError> {
        self.only_if(false)
    }

    /// The ordinary way goes on only if this holds; the other in any case.
    ///
    /// # Errors
    /// By the ordinary way if it doesn't: the step is given up.
    #[inline(always)]
    fn only_if(self, holds: bool) -> Result<(), CallError> {
        if Self::IS_ORDINARY && !holds { Err(GIVEN_UP) } else { Ok(()) }
    }
}

/// The ordinary way. How it is left: see [`exits`](crate::exits).
#[derive(Clone, Copy)]
pub(crate) struct Ordinary;

/// The other one.
#[derive(Clone, Copy, Debug)]
pub struct Any {
    /// See [`Way::is_calm`].
    pub(crate) is_calm: bool,
}

impl Any {
    /// In the middle of something: what follows takes steps of its own.
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
