//! The road: what the driver asks for, and what the way there takes.

use beryl_sim::Nanoseconds;

/// A drive of some seconds, again and again. Where the hill begins, how steep it is and how rough the road is
/// come from the seed.
#[derive(Clone, Copy, Debug)]
pub struct Road {
    seed: u64,
}

/// Length of the drive, ms.
const LENGTH: u64 = 10_000;
/// What the driver asks for (1/min), from when (ms).
const LEVER: [(u64, f32); 3] = [(0, 1000.0), (2_500, 2800.0), (7_000, 1700.0)];
/// What the road takes where it is level, Nm.
const LEVEL: f32 = 8.0;
/// How long the hill is, ms.
const HILL: u64 = 1_800;
/// How rough the road is, Nm to either side.
const ROUGHNESS: f32 = 2.0;
/// How long a bump is, ms.
const BUMP: u64 = 50;

impl Road {
    /// The road of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Road {
        Road { seed }
    }

    /// The speed that is asked for, 1/min.
    #[must_use]
    pub fn asked(&self, instant: Nanoseconds) -> f32 {
        let time = milliseconds(instant) % LENGTH;
        LEVER.iter().rev().find(|(begin, _)| *begin <= time).map_or(0.0, |(_, speed)| *speed)
    }

    /// What the road takes, Nm.
    #[must_use]
    pub fn torque(&self, instant: Nanoseconds) -> f32 {
        let time = milliseconds(instant);
        let bump = ROUGHNESS * (2.0 * self.draw(time / BUMP + 2) - 1.0);
        let is_hill = (self.hill()..self.hill() + HILL).contains(&(time % LENGTH));
        LEVEL + bump + if is_hill { 15.0 + 15.0 * self.draw(1) } else { 0.0 }
    }

    /// When the lever is moved or the hill begins or ends, ms into the drive, in order.
    #[must_use]
    pub fn changes(&self) -> Vec<u64> {
        let mut changes = LEVER.map(|(begin, _)| begin).to_vec();
        changes.extend([self.hill(), self.hill() + HILL]);
        changes.sort_unstable();
        changes
    }

    /// Time since the last change, ms.
    #[must_use]
    pub fn settled(&self, instant: Nanoseconds) -> u64 {
        let time = milliseconds(instant) % LENGTH;
        self.changes().iter().rev().find(|begin| **begin <= time).map_or(time, |begin| time - begin)
    }

    /// Where the hill begins, ms.
    fn hill(&self) -> u64 {
        4_500 + (300.0 * self.draw(0)) as u64
    }

    /// At least 0, less than 1: the number of this name.
    fn draw(&self, name: u64) -> f32 {
        let number = mix(self.seed ^ mix(name.wrapping_add(0x9e37_79b9_7f4a_7c15)));
        (number >> 40) as f32 / (1_u64 << 24) as f32
    }
}

fn milliseconds(instant: Nanoseconds) -> u64 {
    instant.count() / 1_000_000
}

/// The mixing function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
