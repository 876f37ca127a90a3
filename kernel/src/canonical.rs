//! The canonical state: the part of a state that decides how the system goes on. For hosts that compare
//! states.

use beryl_abi::{Classes, Duration, Instant};

use crate::rows::threads::ThreadKind;
use crate::scheduling::thread::{Phase, Wait};
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::{Blank, Optional, Table};
use crate::tracing::buffer::Buffer;

impl<S: Sizes> State<S> {
    /// The state without what only listeners use and what nobody will read again: the execution-time clocks
    /// of ended jobs, of idling and of finished drivers, since when the running thread has had the processor,
    /// and which sensors were read at past instants. Two states with the same canonical state, with equal
    /// memory at the same instant, go on in the same way. Only code that asks for the execution time of a
    /// driver's thread may see a difference.
    #[must_use]
    pub fn canonical(&self, system: &System<S>, now: Instant) -> State<S> {
        let (mut state, instant, now) = (self.clone(), now, now.moment());
        let running = state.threads.at_mut(self.running().index());
        running.clock = running.clock.longer_by(now.ticks_since(self.since));
        let payer = state.payer();
        state.charge_place(system, payer, now.ticks_since(self.since));
        state.since = now;
        state.processor.be_heard(false);
        (state.host, state.tracing) = (Classes::NONE, Classes::NONE);
        state.buffer = Buffer::BLANK;
        state.followed = Blank::BLANK;
        state.crashes = Blank::BLANK;
        state.writing = Blank::BLANK;
        state.e_machine.sensors.forget_before(now);
        // bound: the length of the table of gates
        for gate in 0..S::GATES {
            if let Some(gate) = state.gates.get_mut(gate) {
                gate.forget(now);
            }
        }
        // bound: the length of the table of watchdogs
        for watchdog in 0..S::WATCHDOGS {
            if let Some(watchdog) = state.watchdogs.get_mut(watchdog) {
                watchdog.forget();
            }
        }
        // bound: the length of the table of credits
        for credit in 0..S::CREDITS {
            if let Some(credit) = state.credits.get_mut(credit) {
                credit.forget(instant);
            }
        }
        // bound: the length of the thread table
        for (index, thread) in state.threads.rows_mut().iter_mut().enumerate() {
            if let Some(budget) = state.budgets.get_mut(index) {
                budget.forget_what_passed();
            }
            let is_over = match system.threads.at(index).kind {
                ThreadKind::Idle => true,
                ThreadKind::Task => thread.phase() == Phase::Dormant,
                ThreadKind::Drivers => matches!(thread.phase(), Phase::Dormant | Phase::Waiting),
                _ => thread.wait() == Wait::Period,
            };
            if is_over {
                if let Some(section) = state.sections.get_mut(index) {
                    section.carry_over(thread.clock);
                }
                if let Some(answer) = state.answers.get_mut(index) {
                    answer.carry_over(thread.clock);
                }
                thread.clock = Duration::ZERO;
                let is_pooled = system.pools.get(index).is_some_and(|row| row.purse.is_some());
                if let Some(budget) = state.budgets.get_mut(index)
                    && !is_pooled
                    && matches!(system.threads.at(index).kind, ThreadKind::Task | ThreadKind::Periodic)
                {
                    budget.forget();
                }
            }
        }
        state
    }
}
