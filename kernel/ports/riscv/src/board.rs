//! What a board must have, so that the port can host a kernel on it.

use beryl_abi::{Instant, Line, Moment, Record};

/// A board: a clock, an alarm, an interrupt controller, a place for trace records, and a last word.
///
/// The port calls these functions only from one place at a time: at boot, then from traps, which never nest.
pub trait Board: Sized + 'static {
    /// Sets up the devices. The clock shows [`Instant::START`] when this returns, and runs.
    fn start() -> Self;
    /// Whether somebody wants trace records.
    fn is_tracing(&self) -> bool;
    /// The time. Never goes back.
    fn now(&mut self) -> Instant;
    /// The low word of the time; cheaper.
    fn moment(&self) -> Moment;
    /// Sets the alarm, which is the processor's machine timer, to the nearest instant with the low word `moment`, in
    /// place of what it was set to: at most 2^30 ticks ahead; one that has passed goes off at once.
    fn arm(&mut self, moment: Moment);
    /// The alarm went off; afterwards it is quiet until it is armed again.
    fn acknowledge(&mut self);
    /// Takes the most urgent line that was raised, which is quiet until it is unmasked. None if it isn't up any more.
    fn claim(&mut self) -> Option<Line>;
    /// Keeps an interrupt line out.
    fn mask(&mut self, line: Line);
    /// Lets an interrupt line through. What is up now raises it; that it was up before is forgotten.
    fn unmask(&mut self, line: Line);
    /// Records what happened.
    fn trace(&mut self, record: Record);
    /// The same of what happened at `moment`, if that isn't before what was recorded last.
    fn trace_late(&mut self, record: Record, moment: Moment);
    /// The kernel itself went wrong: reports the trap's cause and the instruction, and stops everything.
    fn fatal(cause: u32, instruction: u32) -> !;
}
