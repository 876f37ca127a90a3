//! Rounds: programs whose activities come at different rates, with code for each activity instead of each
//! instant.
//!
//! ```text
//!     begin (1)              next (2): at the instant that is set
//!   ------------> position 0 -------------------------> position of the next beat, 0 at the round's end
//! ```
//! (1) `begin_round`, or a start; (2) `go_round`. `has_beat` tells from the position which activities an
//! instant has. The program keeps its position in the round rather than the round's beginning, so no number
//! grows, and a late alarm shifts nothing.

use beryl_abi::{Duration, ProgramId};
use beryl_syscode::round::{Round, is_beat};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// A program goes on at an address at the next instant of its round. The check of structure has made sure
    /// that there is one.
    #[inline(never)]
    pub(crate) fn go_round(&mut self, program: ProgramId, number: u8, address: u16) {
        let condition = self.condition_of(program, number);
        let round =
            condition.and_then(|round| Round::of(round, |number| Some(self.duration_of(program, number))));
        let Some(round) = round else { return };
        let state = self.state.e_machine.programs.at_mut(program.index());
        let next = round.next(state.position);
        state.position = next.position;
        let due = self.state.e_machine.reference.after(Duration::from_ticks(next.ahead.into()));
        self.state.e_machine.set_trigger(self.machine.system(), program, due, 0, address);
    }

    /// Whether an activity that comes with a beat is due at this instant.
    #[inline(never)]
    pub(crate) fn has_beat(&self, program: ProgramId, beat: u8) -> bool {
        let position = self.state.e_machine.programs.at(program.index()).position;
        is_beat(position, self.duration_of(program, beat))
    }

    /// A round begins at this instant.
    pub(crate) fn begin_round(&mut self, program: ProgramId) {
        self.state.e_machine.programs.at_mut(program.index()).position = 0;
    }
}
