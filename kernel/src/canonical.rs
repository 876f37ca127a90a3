//! What of a state decides how the system goes on: for hosts that compare states.

use beryl_abi::{Classes, Duration, Moment};

use crate::rows::threads::ThreadKind;
use crate::scheduling::thread::{Phase, Wait};
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::Table;
use crate::tracing::buffer::Buffer;

impl<S: Sizes> State<S> {
    /// The same without what is the listeners' own, and what nobody will look at again: the execution-time clocks of jobs that are over, of idling and of
    /// drivers that are done, since when the running thread has had the processor, and which sensors were read at instants that are over. Two states of the same essence, with equal
    /// memory at the same instant, go on in the same way. Code that asks a driver's thread for its execution time may see
    /// more.
    #[must_use]
    pub fn canonical(&self, system: &System<S>, now: Moment) -> State<S> {
        let mut state = self.clone();
        let running = state.threads.at_mut(self.running().index());
        running.clock = running.clock.longer_by(now.ticks_since(self.since));
        state.since = now;
        state.processor.be_heard(false);
        (state.host, state.tracing) = (Classes::NONE, Classes::NONE);
        state.buffer = Buffer::BLANK;
        state.e_machine.sensors.forget_before(now);
        // bound: the length of the thread table
        for (index, thread) in state.threads.rows_mut().iter_mut().enumerate() {
            let is_over = match system.threads.at(index).kind {
                ThreadKind::Idle => true,
                ThreadKind::Task => thread.phase() == Phase::Dormant,
                ThreadKind::Drivers => matches!(thread.phase(), Phase::Dormant | Phase::Waiting),
                _ => thread.wait() == Wait::Period,
            };
            if is_over {
                thread.clock = Duration::ZERO;
            }
        }
        state
    }
}
