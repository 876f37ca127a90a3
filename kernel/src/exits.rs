//! Exits: how a step leaves the kernel, by each [way](crate::ways).

use beryl_abi::{CallError, ThreadId};

use crate::event::{Machine, Switch};
use crate::kernel::Kernel;
use crate::sizes::Sizes;
use crate::ways::{Any, Ordinary, Way};

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

/// The host is told by a [`Switch`], or by none if the call is to be carried out by the other way.
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
