//! What this port needs of a board beside what all ports need: the alarm is the processor's machine timer, and lines have a
//! controller of the board's.

use beryl_abi::Line;

/// The interrupt controller.
pub trait Controller {
    /// Takes the most urgent line that was raised, which is quiet until it is unmasked. None if it isn't up any more.
    fn claim(&mut self) -> Option<Line>;
    /// Keeps an interrupt line out.
    fn mask(&mut self, line: Line);
    /// Lets an interrupt line through. What is up now raises it; that it was up before is forgotten.
    fn unmask(&mut self, line: Line);
    /// Rings a doorbell of another processor, which takes it as a line: see [`beryl_abi::doorbell`].
    fn ring(&mut self, _bell: u32) {}
}

/// A board that this port can host a kernel on.
pub trait Board: beryl_port::Board<Lines: Controller> {}

impl<B: beryl_port::Board<Lines: Controller>> Board for B {}
