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

use beryl_abi::{CallError, Fault, Line, ThreadId};
use beryl_kernel::{Call, Event, Exit, Kernel, Machine, Sizes, Switch, Way};

/// The kernel's door to the world, as the loop of steps needs it.
pub trait Door<S: Sizes>: Machine<S> + Sized {
    /// What the entry code is told: nothing, where whoever switches ends the exception.
    type Answer;

    /// The same thread goes on.
    fn stay() -> Self::Answer;
    /// Gives the processor to `thread`. Nothing may be left to do behind this.
    fn switch(&mut self, thread: ThreadId) -> Self::Answer;
    /// The running thread's call, as its registers have it. `number` is the call's, for a port that would have to read it again.
    fn call(&self, number: u32) -> Call;
    /// A step for what has come up since the last one, or the next if nothing has.
    fn go_on(kernel: &mut Kernel<S, Self>) -> Switch;
}

/// The ordinary way: what the entry code is told is made where a step ends.
#[derive(Clone, Copy)]
pub struct Leave {
    /// The number of the call, which whoever takes it up at length is told.
    number: u32,
}

impl Leave {
    /// The way of what isn't a call, and so is never given up in favour of a call's.
    pub const NO_CALL: Leave = Leave { number: u32::MAX };
}

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
        call_at_length(kernel, self.number)
    }
}

/// A call that can often be done at once.
#[inline(always)]
pub fn call<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, call: Call) -> M::Answer {
    let number = call.number;
    kernel
        .handle_ordinarily(Leave { number }, Event::Call(call))
        .unwrap_or_else(|| call_at_length(kernel, number))
}

/// A call by the way that all of them can take. What it asks for is in the caller's registers, so that
/// the short ways needn't keep it.
#[inline(never)]
pub fn call_at_length<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, number: u32) -> M::Answer {
    let call = kernel.machine.call(number);
    let switch = kernel.handle_at_length(Event::Call(call));
    finish(kernel, switch)
}

/// The alarm, if it is no line, or an interrupt of a line, that can often be done at once. For ports that take a line by asking
/// for it.
#[inline(always)]
pub fn interrupt<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, line: Option<Line>) -> M::Answer {
    // Each is a function of its own, so that none saves registers for the other.
    match line {
        None => alarm_goes_off(kernel),
        Some(line) => line_is_raised(kernel, line),
    }
}

#[inline(never)]
fn alarm_goes_off<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>) -> M::Answer {
    let ordinary = kernel.handle_ordinarily(Leave::NO_CALL, Event::Alarm);
    ordinary.unwrap_or_else(|| finish_interrupt(kernel, None))
}

#[inline(never)]
fn line_is_raised<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, line: Line) -> M::Answer {
    let ordinary = kernel.handle_ordinarily(Leave::NO_CALL, Event::Interrupt(line));
    ordinary.unwrap_or_else(|| finish_interrupt(kernel, Some(line)))
}

#[cold]
#[inline(never)]
fn finish_interrupt<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, line: Option<Line>) -> M::Answer {
    let switch = interrupt_at_length(kernel, line);
    finish(kernel, switch)
}

/// A step for one of them, by the way that all of them can take.
#[cold]
#[inline(never)]
pub fn interrupt_at_length<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, line: Option<Line>) -> Switch {
    match line {
        None => kernel.handle_at_length(Event::Alarm),
        Some(line) => kernel.handle_at_length(Event::Interrupt(line)),
    }
}

/// A fault of user mode, and what follows it.
#[inline(never)]
pub fn fault<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>, fault: Fault) -> M::Answer {
    let switch = kernel.handle_at_length(Event::Fault(fault));
    finish(kernel, switch)
}

/// The start of the system, and what follows it.
#[inline(always)]
pub fn start<S: Sizes, M: Door<S>>(kernel: &mut Kernel<S, M>) -> M::Answer {
    let switch = kernel.handle_at_length(Event::Start);
    finish(kernel, switch)
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
