//! What this port needs of a board beside what all ports need.

use beryl_abi::Line;

/// The lines of a board, which are the processor's.
pub trait Lines {
    /// How many interrupt lines it has, from 0 on: at most 240.
    const LINES: u32;
    /// The alarm's interrupt line.
    const ALARM: Line;
}

/// A board that this port can host a kernel on.
pub trait Board: beryl_port::Board<Lines: Lines> {
    /// How many interrupt lines it has.
    const LINES: u32 = <Self::Lines as Lines>::LINES;
    /// The alarm's.
    const ALARM: Line = <Self::Lines as Lines>::ALARM;
}

impl<B: beryl_port::Board<Lines: Lines>> Board for B {}
