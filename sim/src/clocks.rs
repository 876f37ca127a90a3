//! Clocks of nodes: each counts at a rate of its own, and is kept near the others by what its node hears on the bus.
//!
//! A node's clock is what its kernel reads and what its alarm waits for. Behind it is an oscillator, which is a little too
//! fast or too slow. One frame of each cycle begins and ends at instants that all know, by the clock of its sender. Who
//! hears it compares that with its own clock, and takes the difference away: not at once, but by going faster or slower for a
//! while, as clocks with an addend do. So a clock never goes back, and leaves no instant out.
//!
//! All of it is integers: from common time to a clock's and back there are no other roundings than up to a nanosecond.

use crate::times::SplitMix64;

/// Parts of a rate.
const BILLION: u128 = 1_000_000_000;

/// How clocks are kept together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keeping {
    /// Which frame of a cycle is the one that others set their clocks by.
    pub frame: usize,
    /// By how much a node may read its arrival wrongly, either way, in nanoseconds.
    pub reading: u64,
    /// The most that is corrected at once, in nanoseconds.
    pub most: u64,
    /// How long a correction takes, in nanoseconds of the oscillator: more than twice the most.
    pub spread: u64,
}

/// The clocks of all nodes.
#[derive(Clone, Debug)]
pub struct Clocks {
    clocks: Vec<Clock>,
    keeping: Option<Keeping>,
    dice: SplitMix64,
    /// How far apart two of them were at most.
    apart: u64,
}

impl Clocks {
    /// Clocks of so many nodes, each up to `drift` parts in a million too fast or too slow: which, the seed says. Half of
    /// them are as wrong as may be.
    #[must_use]
    pub fn new(nodes: usize, drift: u32, seed: u64, keeping: Option<Keeping>) -> Clocks {
        let mut dice = SplitMix64(seed ^ 0xD21F7);
        let most = i64::from(drift) * 1000;
        let clocks = (0..nodes).map(|_| {
            let billionths = match dice.up_to(3) {
                0 => -most,
                1 => most,
                _ => i64::try_from(dice.up_to(most.unsigned_abs() * 2)).unwrap_or(0) - most,
            };
            Clock { billionths, ..Clock::EXACT }
        });
        Clocks { clocks: clocks.collect(), keeping, dice, apart: 0 }
    }

    /// Clocks that show common time.
    #[must_use]
    pub fn exact(nodes: usize) -> Clocks {
        Clocks::new(nodes, 0, 0, None)
    }

    /// What a node's clock shows at an instant of common time; both in nanoseconds.
    #[must_use]
    pub fn shows(&self, node: usize, at: u64) -> u64 {
        self.clocks.get(node).map_or(at, |clock| clock.shows(at))
    }

    /// The first instant of common time at which a node's clock shows so much, as it goes now.
    #[must_use]
    pub fn comes(&self, node: usize, shown: u64) -> u64 {
        self.clocks.get(node).map_or(shown, |clock| clock.comes(shown))
    }

    /// All but its sender hear a frame of a cycle, which ends when its sender's clock shows `expected`. A node reads its
    /// clock to a tick: so many nanoseconds.
    pub fn hear(
        &mut self,
        frame: usize,
        sender: usize,
        (at, expected): (u64, u64),
        tick: impl Fn(usize) -> u64,
    ) {
        self.look(at);
        let Some(keeping) = self.keeping.filter(|keeping| keeping.frame == frame) else { return };
        for (node, clock) in self.clocks.iter_mut().enumerate().filter(|(node, _)| *node != sender) {
            let shown = clock.shows(at);
            let wrong = self.dice.up_to(keeping.reading.saturating_mul(2));
            let read =
                (shown - shown % tick(node).max(1)).saturating_add(wrong).saturating_sub(keeping.reading);
            let ahead = i128::from(read) - i128::from(expected);
            let most = keeping.most.min(keeping.spread / 2);
            let by = i64::try_from(ahead.clamp(-i128::from(most), i128::from(most))).unwrap_or(0);
            clock.correct(at, by, keeping.spread);
        }
    }

    /// Notes how far apart clocks are.
    pub fn look(&mut self, at: u64) {
        let shown = self.clocks.iter().map(|clock| clock.shows(at));
        if let (Some(first), Some(last)) = (shown.clone().min(), shown.max()) {
            self.apart = self.apart.max(last - first);
        }
    }

    /// How far apart two of them were at most, of the instants at which somebody looked, in nanoseconds.
    #[must_use]
    pub fn apart(&self) -> u64 {
        self.apart
    }
}

/// A clock: how it goes since it was last corrected.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// So many billionths its oscillator is too fast.
    billionths: i64,
    /// When it was corrected, in common time, and what it showed then.
    corrected: u64,
    shown: u64,
    /// What it was ahead then, and over how much of the oscillator's time it loses that.
    ahead: i64,
    spread: u64,
}

impl Clock {
    const EXACT: Clock = Clock { billionths: 0, corrected: 0, shown: 0, ahead: 0, spread: 1 };

    fn shows(&self, at: u64) -> u64 {
        let elapsed = u128::from(at.saturating_sub(self.corrected));
        saturated(self.slewed(elapsed * self.rate() / BILLION) + u128::from(self.shown))
    }

    fn comes(&self, shown: u64) -> u64 {
        let counted = self.counted(u128::from(shown.saturating_sub(self.shown)));
        saturated((counted * BILLION).div_ceil(self.rate()) + u128::from(self.corrected))
    }

    /// From now on it goes so that it will have lost what it is ahead.
    fn correct(&mut self, at: u64, ahead: i64, spread: u64) {
        *self = Clock { corrected: at, shown: self.shows(at), ahead, spread: spread.max(1), ..*self };
    }

    /// Nanoseconds of the oscillator in a second.
    fn rate(&self) -> u128 {
        BILLION.saturating_add_signed(self.billionths.into())
    }

    /// How far the correction lets it go in its spread.
    fn stretch(&self) -> u128 {
        u128::from(self.spread).saturating_add_signed(-i128::from(self.ahead)).max(1)
    }

    /// How far it goes while the oscillator counts so much, rounded up.
    fn slewed(&self, counted: u128) -> u128 {
        let spread = u128::from(self.spread);
        match counted.checked_sub(spread) {
            None => (counted * self.stretch()).div_ceil(spread),
            Some(rest) => self.stretch() + rest,
        }
    }

    /// The least that the oscillator counts until it has gone so far.
    fn counted(&self, gone: u128) -> u128 {
        let spread = u128::from(self.spread);
        match gone.checked_sub(self.stretch()) {
            // What is rounded up has gone so far as soon as more than one less is exact.
            None => gone.checked_sub(1).map_or(0, |less| less * spread / self.stretch() + 1),
            Some(rest) => spread + rest,
        }
    }
}

fn saturated(time: u128) -> u64 {
    u64::try_from(time).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
