//! Power: how deep the processor sleeps while nobody has anything to do.
//!
//! ```text
//!                 the idle thread yields (1)                 the alarm moves (2)
//!   the lightest ----------------------------> depth 1 to n ---------------------> the lightest
//! ```
//! (1) [`go_to_sleep`](Kernel::go_to_sleep), (2) [`sleep_lightly`](Kernel::sleep_lightly).
//!
//! The idle thread yields, then waits for an interrupt. How deep it may sleep follows from the next instant: the
//! alarm is set so much earlier that the processor is awake when it comes. Between the call and the wait
//! anything may happen. Whatever brings the next instant nearer moves the alarm, and then the sleep is light, so
//! nothing has to be asked where threads are switched.

use beryl_abi::{Duration, Note};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::depths::Depth;
use crate::sizes::Sizes;
use crate::table::Optional;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// (1) The idle thread is about to wait for an interrupt.
    #[cold]
    #[inline(never)]
    pub(crate) fn go_to_sleep(&mut self) {
        let now = self.charge_until_now();
        let left = now.nearest(self.state.alarm).since(now);
        let (depth, early) = self.deepest(left);
        if depth > 0 || self.depth() > 0 {
            self.set_depth(depth);
            self.arm_machine(now.after(left.minus(early)).moment());
        }
        self.note(Note::sleep(self.state.running(), depth, left.ticks() as u32));
    }

    /// (2) The next instant is another one: it may be nearer.
    #[inline(always)]
    pub(crate) fn sleep_lightly(&mut self) {
        if S::DEPTHS > 0 && self.depth() > 0 {
            self.set_depth(0);
        }
    }

    /// The deepest sleep that is worth it for so long, and how much before its end the alarm has to come.
    fn deepest(&self, left: Duration) -> (u8, Duration) {
        let mut deepest = (0, Duration::ZERO);
        // bound: DEPTHS
        for depth in 0..S::DEPTHS {
            let row = self.machine.system().depths.get(depth).copied().unwrap_or(Depth::NONE);
            if Duration::from_ticks(row.least.into()) <= left {
                deepest = ((depth as u8).saturating_add(1), Duration::from_ticks(row.early.into()));
            }
        }
        deepest
    }

    #[inline(always)]
    fn depth(&self) -> u8 {
        self.state.depth.get(0).map_or(0, |state| state.depth)
    }

    fn set_depth(&mut self, depth: u8) {
        if let Some(state) = self.state.depth.get_mut(0) {
            state.depth = depth;
        }
        self.machine.sleep(depth);
    }
}
