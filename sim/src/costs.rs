//! Costs: how long each step of the kernel takes, up to what the proof charges for it.

use beryl_abi::Duration;
use beryl_kernel::{Charges, StepKind};

use crate::times::SplitMix64;

/// How the time of a kernel step is chosen. The simulator has no costs of its own: they are those of the
/// proof.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Costs {
    /// Steps take no time.
    #[default]
    None,
    /// Each takes all of its charge in the proof.
    Worst(Charges),
    /// Each takes anything up to its charge, drawn by SplitMix64.
    Random {
        /// The charges of the proof.
        charges: Charges,
        /// The same seed gives the same times.
        seed: u64,
    },
}

impl Costs {
    /// The same of a kernel with these charges.
    pub(crate) fn with(self, charges: Charges) -> Costs {
        match self {
            Costs::None => Costs::None,
            Costs::Worst(_) => Costs::Worst(charges),
            Costs::Random { seed, .. } => Costs::Random { charges, seed },
        }
    }
}

/// The times of the steps of a run, in sequence.
#[derive(Clone, Debug)]
pub(crate) struct StepTimes {
    charges: Charges,
    random: Option<SplitMix64>,
}

impl StepTimes {
    pub(crate) fn new(costs: Costs) -> StepTimes {
        match costs {
            Costs::None => StepTimes { charges: Charges::NONE, random: None },
            Costs::Worst(charges) => StepTimes { charges, random: None },
            // A different sequence than that of the execution times with the same seed.
            Costs::Random { charges, seed } => StepTimes { charges, random: Some(SplitMix64(!seed)) },
        }
    }

    /// The time of the next step.
    pub(crate) fn of(&mut self, kind: StepKind) -> Duration {
        let most = self.charges.of(kind);
        self.draw(most)
    }

    /// The time of the next switch between threads, without its step.
    pub(crate) fn of_switch(&mut self) -> Duration {
        self.draw(self.charges.switch)
    }

    /// The longest that a thread's own call can take.
    pub(crate) fn longest_call(&self) -> Duration {
        self.charges.call
    }

    fn draw(&mut self, most: Duration) -> Duration {
        match &mut self.random {
            None => most,
            Some(random) => Duration::from_ticks(random.up_to(most.ticks())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Charges, Costs, Duration, StepKind, StepTimes};

    const CHARGES: Charges = Charges {
        alarm: Duration::from_ticks(1),
        release: Duration::from_ticks(2),
        sorting: Duration::from_ticks(9),
        completion: Duration::from_ticks(3),
        driver: Duration::from_ticks(4),
        switch: Duration::from_ticks(5),
        instant: Duration::from_ticks(13),
        instant_step: Duration::from_ticks(6),
        look: Duration::from_ticks(10),
        e_machine: Duration::from_ticks(12),
        decision: Duration::from_ticks(14),
        job: Duration::from_ticks(7),
        stop: Duration::from_ticks(11),
        search: Duration::from_ticks(15),
        call: Duration::from_ticks(8),
    };
    const KINDS: [StepKind; 13] = [
        StepKind::Alarm,
        StepKind::Release,
        StepKind::Sorting,
        StepKind::Completion,
        StepKind::Driver,
        StepKind::Instant,
        StepKind::Look,
        StepKind::EMachine,
        StepKind::Decision,
        StepKind::Job,
        StepKind::Stop,
        StepKind::Search,
        StepKind::Call,
    ];

    fn drawn(costs: Costs) -> Vec<u64> {
        let mut times = StepTimes::new(costs);
        KINDS.map(|kind| times.of(kind).ticks()).to_vec()
    }

    #[test]
    fn steps_take_what_the_table_charges() {
        assert_eq!(drawn(Costs::Worst(CHARGES)), [1, 2, 9, 3, 16, 6, 10, 12, 14, 7, 11, 15, 8]);
        assert_eq!(drawn(Costs::None), [0; KINDS.len()]);
    }

    #[test]
    fn random_steps_take_up_to_that_and_the_seed_decides() {
        let random = |seed| drawn(Costs::Random { charges: CHARGES, seed });
        let worst = drawn(Costs::Worst(CHARGES));
        let mut most = vec![0; KINDS.len()];
        for seed in 0..200 {
            assert_eq!(random(seed), random(seed), "seed {seed}");
            most = most.iter().zip(random(seed)).map(|(most, time)| time.max(*most)).collect();
        }
        assert_eq!(most, worst, "all of it is reached, and no more");
        assert_ne!(random(1), random(2));
    }
}
