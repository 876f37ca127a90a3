//! What this port needs of a board beside what all ports need.

use beryl_abi::Line;
use beryl_abi::hatch::{Hatch, Order, Side, Word};

/// The lines of a board, which are the processor's.
pub trait Lines {
    /// How many interrupt lines it has, from 0 on: at most 240.
    const LINES: u32;
    /// The alarm's interrupt line.
    const ALARM: Line;
    /// The line on which other processors call this one for a doorbell, if there are others. Doorbells are lines behind the
    /// processor's own: see [`beryl_abi::doorbell`].
    const CALLED: Option<Line> = None;
    /// How the core of the threads asks that of the kernel: [`Joined`] where both are one.
    type Hatch: Apart;

    /// Whether a device holds the line up though the interrupt controller isn't told so any more. Asked when a line is let
    /// through, behind which a line that the controller knows to be up is raised by itself.
    #[inline(always)]
    fn is_held(_line: Line) -> bool {
        false
    }

    /// Takes a doorbell that is up, as a line, when the processor was called; none if there is none.
    #[inline(always)]
    fn take_bell() -> Option<Line> {
        None
    }

    /// Keeps a line out if it is a doorbell's.
    #[inline(always)]
    fn mask_bell(_line: Line) {}

    /// Lets a line through if it is a doorbell's.
    #[inline(always)]
    fn unmask_bell(_line: Line) {}

    /// Rings a doorbell of another processor.
    #[inline(always)]
    fn ring(_bell: u32) {}
}

/// A kernel that has a core of its own, beside that of its threads.
pub trait Apart: Hatch + 'static {
    /// Whether it has.
    const IS_THERE: bool;
    /// The address of [`Word::Next`]: the entry code of the threads' core looks there for whose registers it saves.
    const NEXT: u32;
    /// Where the stack of the kernel's core begins, and how far it may go.
    const STACK: [u32; 2];

    /// The hatch as either core sees it.
    fn here() -> Self;
    /// Lets the kernel's core begin, with the vector table at this address.
    fn begin(vectors: u32);
}

/// One core has the kernel and the threads, so there is no hatch.
pub struct Joined;

impl Hatch for Joined {
    #[inline(always)]
    fn load(&mut self, _word: Word) -> u32 {
        0
    }

    #[inline(always)]
    fn store(&mut self, _word: Word, _value: u32) {}

    #[inline(always)]
    fn order(&mut self, _order: Order) {}

    #[inline(always)]
    fn call(&mut self, _side: Side) {}

    #[inline(always)]
    fn withdraw(&mut self, _side: Side) {}
}

impl Apart for Joined {
    const IS_THERE: bool = false;
    const NEXT: u32 = 0;
    const STACK: [u32; 2] = [0; 2];

    fn here() -> Self {
        Joined
    }

    fn begin(_vectors: u32) {}
}

/// A board that this port can host a kernel on.
pub trait Board: beryl_port::Board<Lines: Lines> {
    /// How many interrupt lines it has.
    const LINES: u32 = <Self::Lines as Lines>::LINES;
    /// The alarm's.
    const ALARM: Line = <Self::Lines as Lines>::ALARM;

    /// Whether the kernel has a core of its own.
    const IS_APART: bool = <<Self::Lines as Lines>::Hatch as Apart>::IS_THERE;

    /// The hatch between that core and the threads'.
    #[inline(always)]
    fn hatch() -> <Self::Lines as Lines>::Hatch {
        <Self::Lines as Lines>::Hatch::here()
    }

    /// Whether other processors call on that line.
    #[inline(always)]
    fn is_call(line: u32) -> bool {
        <Self::Lines as Lines>::CALLED.is_some_and(|called| line == u32::from(called.0))
    }
}

impl<B: beryl_port::Board<Lines: Lines>> Board for B {}
