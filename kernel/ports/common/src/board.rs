//! What a board must have, so that a port can host a kernel on it.

use beryl_abi::{Instant, Moment, Record};

/// A board: a clock, an alarm, interrupt lines, a place for trace records, and a last word.
///
/// A port calls these functions only from one place at a time: at boot, then from exceptions or traps, which never nest.
pub trait Board: Sized + 'static {
    /// Its interrupt lines: what they must be able to do, each port says.
    type Lines;

    /// Sets up the devices. The clock shows [`Instant::START`] when this returns, and runs.
    fn start() -> Self;
    /// Its interrupt lines.
    fn lines(&mut self) -> &mut Self::Lines;
    /// Whether somebody wants trace records.
    fn is_tracing(&self) -> bool;
    /// The time. Never goes back.
    fn now(&mut self) -> Instant;
    /// The low word of the time; cheaper.
    fn moment(&self) -> Moment;
    /// Sets the alarm to the nearest instant with the low word `moment`, in place of what it was set to: at
    /// most 2^30 ticks ahead; one that has passed goes off at once. Alarms that are early do no harm.
    fn arm(&mut self, moment: Moment);
    /// The alarm went off; afterwards it is quiet until it is armed again.
    fn acknowledge(&mut self);
    /// How deep the board sleeps while the processor waits for an interrupt, from now on: 0 is the lightest sleep.
    /// The processor's own deep sleep, which begins with depth 1, is the port's; a board with a power control of its
    /// own sets that here.
    fn sleep(&mut self, _depth: u8) {}
    /// Records what happened.
    fn trace(&mut self, record: Record);
    /// The same of what happened at `moment`, if that isn't before what was recorded last.
    fn trace_late(&mut self, record: Record, moment: Moment);
    /// The kernel itself went wrong: reports what happened, by the processor's number, and the place of the instruction,
    /// and stops everything.
    fn fatal(cause: u32, instruction: u32) -> !;
}
