//! Finds out whether everything is as it was before. One state is kept, and replaced at instants twice as far
//! apart each time, so that it is eventually one that comes again (R. P. Brent's method).

use super::sweep::{Sweep, What};
use super::{Fault, Go, Image, Stage, Turn};

/// The first state stays for this many instants.
const FEW: u32 = 8;
/// The slot of the state that is kept.
pub(super) const KEPT: u8 = 0;

impl<I: Image> Turn<'_, '_, I> {
    /// Nothing more is due: checks whether everything is as it was.
    pub(super) fn repeats(&mut self) -> Go {
        let is_kept = self.check.is_kept;
        self.to(Stage::Sweep(Sweep::of(What::Same, KEPT).if_there(is_kept)))
    }

    /// Whether the losses stand as they stood then, a row each step.
    pub(super) fn phases(&mut self, row: u8) -> Go {
        match self.has_same_phase(KEPT, row) {
            Some(true) => self.to(Stage::Phases(row.saturating_add(1))),
            Some(false) => self.go_on(),
            // Everything that can follow has been seen.
            None => self.next_way(),
        }
    }

    /// Whether a row of losses stands in a state as in the live one; none if there is no such row.
    pub(super) fn has_same_phase(&self, slot: u8, row: u8) -> Option<bool> {
        let loss = self.image.loss(row)?;
        let then = self.state.instant(self.state.stored(slot, 0));
        Some(!loss.is_in_step || loss.phase(self.state.now()) == loss.phase(then))
    }

    /// Something has changed: the instant is carried out.
    pub(super) fn go_on(&mut self) -> Go {
        if self.check.proof.instants >= self.check.patience {
            return self.breach(0, 0, Fault::Long);
        }
        let age = self.check.age;
        self.check.proof.instants += 1;
        self.check.age = age.saturating_add(1);
        // The start never comes again; the instant after it usually does.
        if age != 1 && (age < FEW || !age.is_power_of_two()) {
            return self.to(Stage::Expire(0));
        }
        if self.state.slots() == 0 {
            return self.breach(0, 0, Fault::Memory);
        }
        self.check.is_kept = true;
        self.first(Stage::Sweep(Sweep::of(What::Store, KEPT)), Stage::Expire(0))
    }
}
