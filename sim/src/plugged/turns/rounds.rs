//! Rounds in which each processor has its turn.
//!
//! ```text
//!   a block begins, instructions of its processor's turn are left -> goes on
//!   a block begins in which they are used up, or were before      -> is the last: the next processor's begins
//!   for long only processors were there that have had their turns -> a new round: all have their turns again
//! ```
//! The emulator begins with the first processor whenever a timer is due. So one may be there again that has had its turn, while
//! another has instructions left: it is left after a block, as often as the emulator may need to come to that one. Whoever
//! isn't there by then sleeps.

/// How many processors a machine has at most.
const MOST: usize = 8;

/// What each processor has had of its turn in this round.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    /// A turn, in instructions.
    turn: u64,
    had: [u64; MOST],
    /// How often in a row a processor was there that has had its turn.
    passed: usize,
}

impl Rounds {
    /// Those with turns of so many instructions.
    pub(super) fn of(turn: u64) -> Rounds {
        Rounds { turn, had: [0; MOST], passed: 0 }
    }

    /// Whether a block of so many instructions, which a processor begins, is the last of its turn.
    pub(super) fn is_last(&mut self, processor: u32, instructions: usize) -> bool {
        let Some(own) = usize::try_from(processor).ok().filter(|own| *own < MOST) else { return false };
        let instructions = u64::try_from(instructions).unwrap_or(u64::MAX);
        if self.had[own] < self.turn {
            self.passed = 0;
        } else {
            self.passed += 1;
            if self.passed > MOST {
                *self = Rounds::of(self.turn);
            }
        }
        self.had[own] = self.had[own].saturating_add(instructions);
        self.had[own] >= self.turn
    }
}

#[cfg(test)]
mod tests {
    use beryl_testing::{Draw, SplitMix64};

    use super::*;

    const TURN: u64 = 100;

    /// The emulator, as far as it matters: it carries out blocks of one processor after the other, leaves one when the turn is
    /// over, and begins with the first when a timer is due. What each processor that never sleeps has had.
    fn carried_out(sleeps: &[bool], timer: u64, blocks: u64, seed: u64) -> Vec<u64> {
        let mut random = SplitMix64(seed);
        let (mut rounds, mut had) = (Rounds::of(TURN), vec![0; sleeps.len()]);
        let (mut at, mut time, mut due) = (0, 0, timer);
        for _ in 0..blocks {
            while sleeps[at] {
                at = (at + 1) % sleeps.len();
            }
            let block = random.within(1, 12);
            let is_last =
                rounds.is_last(u32::try_from(at).expect("few"), usize::try_from(block).expect("few"));
            had[at] += block;
            time += block;
            if time >= due {
                due = time + random.within(1, 2 * timer);
                at = 0;
            } else if is_last {
                at = (at + 1) % sleeps.len();
            }
        }
        had
    }

    #[test]
    fn whoever_never_sleeps_has_nearly_as_much_as_any_other() {
        for seed in 0..200 {
            let mut random = SplitMix64(seed);
            let processors = random.within(2, 4) as usize;
            let sleeps: Vec<_> = (0..processors).map(|_| random.below(3) == 0).collect();
            if sleeps.iter().all(|sleeps| *sleeps) {
                continue;
            }
            let timer = random.within(TURN / 2, 20 * TURN);
            let had = carried_out(&sleeps, timer, 100_000, seed);
            let awake: Vec<_> =
                had.iter().zip(&sleeps).filter(|(_, sleeps)| !**sleeps).map(|(had, _)| *had).collect();
            let (least, most) = (awake.iter().min().expect("one"), awake.iter().max().expect("one"));
            assert!(2 * least > *most, "seed {seed}, a timer each {timer} of {TURN}: {had:?}");
        }
    }

    #[test]
    fn a_turn_ends_with_the_block_in_which_it_is_used_up() {
        let mut rounds = Rounds::of(TURN);
        assert_eq!([60, 39, 1].map(|block| rounds.is_last(0, block)), [false, false, true]);
        assert_eq!([99, 50].map(|block| rounds.is_last(1, block)), [false, true]);
        // Both have had theirs. Nobody else comes, so a new round begins.
        let again: Vec<_> = (0..10).map(|_| rounds.is_last(0, 30)).collect();
        assert_eq!(again, [true, true, true, true, true, true, true, true, false, false]);
    }
}
