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

use beryl_abi::{CallError, ThreadId};

use crate::event::{Machine, Switch};
use crate::kernel::Kernel;
use crate::sizes::Sizes;

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

/// How a step by this way leaves the kernel. A host that takes the answer in registers makes it where the step ends, so that nothing is left
/// to do behind that; it has a way of its own, which is ordinary, too.
pub trait Exit<S: Sizes, M: Machine<S>>: Way {
    /// What the host is told.
    type Answer;

    /// The same thread goes on.
    fn stay(self) -> Self::Answer;

    /// Another thread gets the processor.
    fn switch(self, kernel: &mut Kernel<S, M>, to: ThreadId) -> Self::Answer;

    /// The step isn't all there is to do.
    fn again(self, kernel: &mut Kernel<S, M>) -> Self::Answer;

    /// Nothing has changed. By the ordinary way the call is carried out by the other; by that one it was refused, and its caller is told.
    fn give_up(self, kernel: &mut Kernel<S, M>, error: CallError) -> Self::Answer;
}

/// The ordinary way, of which the host is told by a [`Switch`], or by none if the call is to be carried out by the other.
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

impl<S: Sizes, M: Machine<S>> Exit<S, M> for Ordinary {
    type Answer = Option<Switch>;

    #[inline(always)]
    fn stay(self) -> Option<Switch> {
        Some(Switch::Stay)
    }

    #[inline(always)]
    fn switch(self, _kernel: &mut Kernel<S, M>, to: ThreadId) -> Option<Switch> {
        Some(Switch::To(to))
    }

    #[inline(always)]
    fn again(self, _kernel: &mut Kernel<S, M>) -> Option<Switch> {
        Some(Switch::Again)
    }

    #[inline(always)]
    fn give_up(self, _kernel: &mut Kernel<S, M>, _error: CallError) -> Option<Switch> {
        None
    }
}

impl<S: Sizes, M: Machine<S>> Exit<S, M> for Any {
    type Answer = Switch;

    #[inline(always)]
    fn stay(self) -> Switch {
        Switch::Stay
    }

    #[inline(always)]
    fn switch(self, _kernel: &mut Kernel<S, M>, to: ThreadId) -> Switch {
        Switch::To(to)
    }

    #[inline(always)]
    fn again(self, _kernel: &mut Kernel<S, M>) -> Switch {
        Switch::Again
    }

    #[inline(always)]
    fn give_up(self, kernel: &mut Kernel<S, M>, error: CallError) -> Switch {
        kernel.refuse(error)
    }
}
