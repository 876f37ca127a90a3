//! Whether everything is as it was before. One state is kept, and replaced at instants twice as far apart each time, so
//! that it is at last one that comes again (R. P. Brent's method).

use super::scan::CHUNK;
use super::state::NOW;
use super::{Fault, Go, Image, Stage, Turn};

/// The first state that is kept stays for so many instants.
const FEW: u32 = 8;
/// The slot of the state that is kept.
pub(super) const KEPT: u8 = 0;

impl<I: Image> Turn<'_, '_, I> {
    /// A word of a state that isn't the live one.
    pub(super) fn stored(&self, slot: u8, word: usize) -> u32 {
        let index = usize::from(slot) * self.check.shape.words() + word;
        self.slots.get(index).copied().unwrap_or_default()
    }

    pub(super) fn set_stored(&mut self, slot: u8, word: usize, value: u32) {
        let index = usize::from(slot) * self.check.shape.words() + word;
        if let Some(place) = self.slots.get_mut(index) {
            *place = value;
        }
    }

    /// How many states there is room for, beside the live one.
    pub(super) fn slot_count(&self) -> u8 {
        u8::try_from(self.slots.len() / self.check.shape.words().max(1)).unwrap_or(u8::MAX).min(32)
    }

    /// The words of a step, and where the next step begins, if there is one.
    pub(super) fn chunk(&self, word: u16) -> (core::ops::Range<usize>, Option<u16>) {
        let all = self.check.shape.words();
        let end = (usize::from(word) + usize::from(CHUNK)).min(all);
        (usize::from(word)..end, u16::try_from(end).ok().filter(|_| end < all))
    }

    pub(super) fn repeat(&mut self, word: u16) -> Go {
        let (words, next) = self.chunk(word);
        let mut is_same = self.check.is_kept;
        // bound: 8
        for word in words {
            is_same &= self.state.word(word) == self.stored(KEPT, word);
        }
        Ok(Some(match (is_same, next) {
            (true, Some(word)) => Stage::Repeat(word),
            (true, None) => Stage::Phases(0),
            (false, _) => return self.go_on(),
        }))
    }

    /// Whether periods of what is lost stand as they stood then, a row a step.
    pub(super) fn phases(&mut self, row: u8) -> Go {
        match self.has_same_phase(KEPT, row) {
            Some(true) => Ok(Some(Stage::Phases(row.saturating_add(1)))),
            Some(false) => self.go_on(),
            // All that can follow has been seen.
            None => self.next_way(),
        }
    }

    /// Whether a row of losses stands in a state as in the live one; nothing if there is no such row.
    pub(super) fn has_same_phase(&self, slot: u8, row: u8) -> Option<bool> {
        let loss = self.image.loss(row)?;
        let then = u64::from(self.stored(slot, 0)) | u64::from(self.stored(slot, 1)) << 32;
        Some(!loss.is_in_step || loss.phase(self.state.now().abs_diff(then)) == 0)
    }

    /// It isn't as before: the instant is carried out.
    fn go_on(&mut self) -> Go {
        if self.check.proof.instants >= self.check.patience {
            return self.breach(0, 0, Fault::Long);
        }
        let age = self.check.age;
        self.check.proof.instants += 1;
        self.check.age = age.saturating_add(1);
        // The start isn't come to again; what follows it mostly is.
        let is_due = age == 1 || age >= FEW && age.is_power_of_two();
        Ok(Some(if is_due { Stage::Keep(0) } else { Stage::Expire(0) }))
    }

    pub(super) fn keep(&mut self, word: u16) -> Go {
        if self.slot_count() == 0 {
            return self.breach(0, 0, Fault::Memory);
        }
        let (words, next) = self.chunk(word);
        // bound: 8
        for word in words {
            self.set_stored(KEPT, word, self.state.word(word));
        }
        self.check.is_kept = next.is_none();
        Ok(Some(next.map_or(Stage::Expire(0), Stage::Keep)))
    }

    /// The word behind those that say when it is.
    pub(super) fn first_word() -> u16 {
        NOW as u16
    }
}
