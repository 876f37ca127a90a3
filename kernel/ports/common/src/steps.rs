//! The loop of steps, and what a port does after each.
//!
//! ```text
//!   call --ordinarily--> done: stay, switch
//!     |  given up                 ^
//!     v                           |
//!   at length --> a step --> finish --Again--> go on: what is pending, or the next step --+
//!                                                  ^                                      |
//!                                                  +--------------- Again ----------------+
//! ```

use beryl_abi::{CallError, ThreadId};
use beryl_kernel::{Call, Event, Exit, Kernel, Machine, Sizes, Switch, Way};

/// The kernel's door to the world, as the loop of steps needs it.
pub trait Door<S: Sizes>: Machine<S> + Sized {
    /// What the entry code is told: nothing, where whoever switches ends the exception.
    type Answer;

    /// The same thread goes on.
    fn stay() -> Self::Answer;
    /// Gives the processor to `thread`. Nothing may be left to do behind this.
    fn switch(&mut self, thread: ThreadId) -> Self::Answer;
    /// The running thread's call, as its registers have it.
    fn call(&self) -> Call;
    /// An event by the way that all of them can take, and what follows it. A port for which each copy of that way is long has one.
    #[inline(always)]
    fn at_length(kernel: &mut Kernel<S, Self>, event: Event) -> Self::Answer {
        let switch = kernel.handle_at_length(event);
        finish(kernel, switch)
    }

    /// A step for what has come up since the last one, or the next if nothing has.
    fn go_on(kernel: &mut Kernel<S, Self>) -> Switch;
}

/// The ordinary way: what the entry code is told is made where a step ends.
#[derive(Clone, Copy)]
pub struct Leave;

impl Way for Leave {
    const IS_ORDINARY: bool = true;

    #[inline(always)]
    fn is_calm(self) -> bool {
        true
    }
}

impl<S: Sizes, M: Door<S>> Exit<S, M> for Leave {
    type Answer = M::Answer;

    #[inline(always)]
    fn stay(self) -> M::Answer {
        M::stay()
    }

    #[inline(always)]
    fn switch(self, kernel: &mut Kernel<S, M>, to: ThreadId) -> M::Answer {
        kernel.machine.switch(to)
    }

    #[inline(always)]
    fn again(self, kernel: &mut Kernel<S, M>) -> M::Answer {
        go_on(kernel)
    }

    #[inline(always)]
    fn give_up(self, kernel: &mut Kernel<S, M>, _error: CallError) -> M::Answer {
        call_at_length(kernel)
    }
}

/// A call that can often be done at once.
#[inline(always)]
pub fn call<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, call: Call) -> M::Answer {
    kernel.handle_ordinarily(Leave, Event::Call(call)).unwrap_or_else(|| call_at_length(kernel))
}

/// A call by the way that all of them can take. What it asks for is in the caller's registers, so that
/// the short ways needn't keep it.
#[inline(never)]
pub fn call_at_length<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>) -> M::Answer {
    let call = kernel.machine.call();
    M::at_length(kernel, Event::Call(call))
}

/// The end of a step, or what follows it.
#[inline(always)]
pub fn finish<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, switch: Switch) -> M::Answer {
    match switch {
        Switch::Stay => M::stay(),
        Switch::To(thread) => kernel.machine.switch(thread),
        Switch::Again => go_on(kernel),
    }
}

/// Lets the kernel do steps until it is done; what has happened meanwhile is taken before each.
#[inline(never)]
fn go_on<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>) -> M::Answer {
    // step boundary
    loop {
        match M::go_on(kernel) {
            Switch::Stay => return M::stay(),
            Switch::To(thread) => return kernel.machine.switch(thread),
            Switch::Again => {}
        }
    }
}
