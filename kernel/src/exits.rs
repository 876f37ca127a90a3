//! Exits: how each [way](crate::ways) of a step leaves the kernel.

use beryl_abi::{CallError, ThreadId};

use crate::event::{Machine, Switch};
use crate::kernel::Kernel;
use crate::sizes::Sizes;
use crate::ways::{Any, Ordinary, Way};

/// How a step leaves the kernel by this way. A host that takes the answer in registers has a way of its own,
/// which is ordinary too: it makes the answer where the step ends, with nothing left to do after that.
pub trait Exit<S: Sizes, M: Machine<S>>: Way {
    /// The answer to the host.
    type Answer;

    /// The same thread goes on.
    fn stay(self) -> Self::Answer;

    /// Another thread gets the processor.
    fn switch(self, kernel: &mut Kernel<S, M>, to: ThreadId) -> Self::Answer;

    /// There is more to do than this step.
    fn again(self, kernel: &mut Kernel<S, M>) -> Self::Answer;

    /// Nothing has changed. If the ordinary way gives up, the other way carries out the call; if the other
    /// way does, the call was refused and its caller is told why.
    fn give_up(self, kernel: &mut Kernel<S, M>, error: CallError) -> Self::Answer;
}

/// The host gets a [`Switch`], or none if the call is to be carried out by the other way.
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
