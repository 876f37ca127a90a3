//! Which frames a bus loses: the same with the same seed, whoever carries them.

use crate::times::SplitMix64;

/// Draws for one frame after the other, of all nodes, in the order of the schedule.
#[derive(Clone, Debug)]
pub(crate) struct Losses {
    /// Of a thousand frames, how many are lost.
    of_thousand: u32,
    dice: SplitMix64,
}

impl Losses {
    pub(crate) fn new(of_thousand: u32, seed: u64) -> Losses {
        Losses { of_thousand, dice: SplitMix64(seed) }
    }

    /// Whether the next frame is lost.
    pub(crate) fn takes_next(&mut self) -> bool {
        self.dice.up_to(999) < u64::from(self.of_thousand)
    }
}
