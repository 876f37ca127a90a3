//! What a board must have, so that the port can host a kernel on it.

use beryl_abi::{Instant, Line, Moment, Record};

/// A board: a clock, an alarm, a place for trace records, and a last word.
///
/// The port calls these functions only from one place at a time: at boot, then from exception
/// handlers, which never nest.
pub trait Board: Sized + 'static {
    /// How many interrupt lines it has, from 0 on: at most 240.
    const LINES: u32;
    /// The alarm's interrupt line.
    const ALARM: Line;

    /// Sets up the devices. The clock shows [`Instant::START`] when this returns, and runs.
    fn start() -> Self;
    /// Whether somebody wants trace records.
    fn is_tracing(&self) -> bool;
    /// The time. Never goes back.
    fn now(&mut self) -> Instant;
    /// The low word of the time; cheaper.
    fn moment(&self) -> Moment;
    /// Sets the alarm to the nearest instant with the low word `moment`, in place of what it was set to: at
    /// most 2^30 ticks ahead; one that has passed goes off at once. Alarms that are early do no harm.
    fn arm(&mut self, moment: Moment);
    /// The alarm went off; afterwards its line is quiet until it is armed again.
    fn acknowledge(&mut self);
    /// How deep the board sleeps while the processor waits for an interrupt, from now on: 0 is the lightest sleep.
    /// The processor's own deep sleep, which begins with depth 1, is the port's; a board with a power control of its
    /// own sets that here.
    fn sleep(&mut self, _depth: u8) {}
    /// Records what happened.
    fn trace(&mut self, record: Record);
    /// The same of what happened at `moment`, if that isn't before what was recorded last.
    fn trace_late(&mut self, record: Record, moment: Moment);
    /// The kernel itself went wrong: reports the exception's number and the stack pointer at which
    /// its frame lies, and stops everything.
    fn fatal(exception: u32, frame: u32) -> !;
}
