//! What this port needs of a board beside what all ports need.

use beryl_abi::Line;

/// The lines of a board, which are the processor's.
pub trait Lines {
    /// How many interrupt lines it has, from 0 on: at most 240.
    const LINES: u32;
    /// The alarm's interrupt line.
    const ALARM: Line;
    /// The line on which other processors call this one for a doorbell, if there are others. Doorbells are lines behind the
    /// processor's own: see [`beryl_abi::doorbell`].
    const CALLED: Option<Line> = None;

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

/// A board that this port can host a kernel on.
pub trait Board: beryl_port::Board<Lines: Lines> {
    /// How many interrupt lines it has.
    const LINES: u32 = <Self::Lines as Lines>::LINES;
    /// The alarm's.
    const ALARM: Line = <Self::Lines as Lines>::ALARM;

    /// Whether other processors call on that line.
    #[inline(always)]
    fn is_call(line: u32) -> bool {
        <Self::Lines as Lines>::CALLED.is_some_and(|called| line == u32::from(called.0))
    }
}

impl<B: beryl_port::Board<Lines: Lines>> Board for B {}
