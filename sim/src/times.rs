//! Execution times: how long a job takes, between its bounds.

use beryl_abi::Duration;

use crate::scenario::Script;

/// How the execution time of a job is chosen from its best and worst case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionTimes {
    /// Every job takes its worst case.
    Worst,
    /// Every job takes its best case.
    Best,
    /// Every job takes this many thousandths of the way from its best to its worst case, rounded down.
    Between {
        /// From 0, the best case, to 1000, the worst.
        thousandths: u16,
    },
    /// Uniform between best and worst case, both included, from SplitMix64. A random part of it passes before
    /// each access to memory that threads share.
    ///
    /// Each thread draws from a sequence of its own, so the time of a thread's nth job depends only on the
    /// seed, the thread and n, not on what other threads do.
    Random {
        /// The same seed gives the same times.
        seed: u64,
    },
    /// Every job takes its worst case, its best, or one of `between` evenly spaced times in between. A
    /// scenario picks which, counted from the worst to the best. Before each access to memory that threads
    /// share, either none or all of the remaining time passes: that is picked too.
    Chosen {
        /// How many times there are in between.
        between: u8,
    },
}

/// The execution times of one thread, in sequence.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    policy: ExecutionTimes,
    random: SplitMix64,
    /// The parts before points are drawn from a sequence of their own: the number of points in a job doesn't
    /// change the time of the next job.
    parts: SplitMix64,
    script: Script,
    /// The most that parts of a job take together, so that no section takes longer, wherever it is.
    hold: Duration,
    /// How much of that is left.
    apart: Duration,
}

impl Times {
    /// The times of thread number `thread`.
    pub(crate) fn new(policy: ExecutionTimes, thread: usize, script: Script, hold: Duration) -> Times {
        let seed = if let ExecutionTimes::Random { seed } = policy { seed } else { 0 };
        let mut seeds = SplitMix64(seed);
        let own = (0..=thread).fold(seed, |_, _| seeds.next());
        Times { policy, random: SplitMix64(own), parts: SplitMix64(!own), script, hold, apart: hold }
    }

    /// The time of the next job, between `best` and `worst`.
    pub(crate) fn draw(&mut self, best: Duration, worst: Duration) -> Duration {
        self.apart = self.hold;
        match self.policy {
            ExecutionTimes::Worst => worst,
            ExecutionTimes::Best => best,
            ExecutionTimes::Between { thousandths } => {
                let way = u128::from(worst.minus(best).ticks()) * u128::from(thousandths.min(1000)) / 1000;
                best.plus(Duration::from_ticks(u64::try_from(way).unwrap_or(u64::MAX)))
            }
            ExecutionTimes::Chosen { between } => self.choose(best, worst, between),
            ExecutionTimes::Random { .. } => {
                best.plus(Duration::from_ticks(self.random.up_to(worst.minus(best).ticks())))
            }
        }
    }

    /// How much of the time that is `left` of a job passes before its next point. Only random times give a
    /// part to it, so that preemption falls between any two accesses; otherwise all is left for the end.
    pub(crate) fn part(&mut self, left: Duration) -> Duration {
        let part = self.part_of(left.min(self.apart));
        self.spend(part);
        part
    }

    /// The code itself lets time pass.
    pub(crate) fn spend(&mut self, time: Duration) {
        self.apart = self.apart.minus(time);
    }

    /// The most that may still pass before the end of the job. Of everything kept here, the future depends
    /// only on this.
    pub(crate) fn apart(&self) -> Duration {
        self.apart
    }

    fn part_of(&mut self, left: Duration) -> Duration {
        match self.policy {
            ExecutionTimes::Worst | ExecutionTimes::Best | ExecutionTimes::Between { .. } => Duration::ZERO,
            ExecutionTimes::Random { .. } => Duration::from_ticks(self.parts.up_to(left.ticks())),
            ExecutionTimes::Chosen { .. } if left == Duration::ZERO => Duration::ZERO,
            ExecutionTimes::Chosen { .. } => match self.script.choose(2) {
                0 => Duration::ZERO,
                _ => left,
            },
        }
    }

    /// One of the evenly spaced times from the worst to the best, each once.
    fn choose(&self, best: Duration, worst: Duration, between: u8) -> Duration {
        let ticks = worst.minus(best).ticks();
        let steps = u64::from(between).saturating_add(1).min(ticks);
        let options = u8::try_from(steps.saturating_add(1)).unwrap_or(u8::MAX);
        let pick = u128::from(self.script.choose(options));
        let shorter = u128::from(ticks) * pick / u128::from(steps.max(1));
        worst.minus(Duration::from_ticks(u64::try_from(shorter).unwrap_or(u64::MAX)))
    }
}

/// The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
/// (OOPSLA 2014), with the mixing constants of its reference form. `testing/` has it, too; this one is the simulator's,
/// since a seed names a run for good, and no tool depends on what tests share.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix64(pub(crate) u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `most`. The high half of a product; its bias, at most `most` in 2^64, doesn't
    /// matter for times.
    pub(crate) fn up_to(&mut self, most: u64) -> u64 {
        let product = u128::from(self.next()) * (u128::from(most) + 1);
        u64::try_from(product >> 64).unwrap_or(most)
    }
}

#[cfg(test)]
mod tests {
    use super::{ExecutionTimes, SplitMix64, Times};
    use crate::scenario::Script;
    use beryl_abi::Duration;

    const BEST: Duration = Duration::from_ticks(10);
    const WORST: Duration = Duration::from_ticks(13);

    fn drawn(policy: ExecutionTimes, thread: usize, count: usize) -> Vec<u64> {
        let mut times = Times::new(policy, thread, Script::default(), Duration::FOREVER);
        (0..count).map(|_| times.draw(BEST, WORST).ticks()).collect()
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix64(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.next(), random.next(), random.next()], first);
    }

    #[test]
    fn random_times_reach_both_bounds_and_nothing_beyond() {
        let times = drawn(ExecutionTimes::Random { seed: 7 }, 2, 400);
        assert_eq!((times.iter().min(), times.iter().max()), (Some(&10), Some(&13)));
    }

    #[test]
    fn a_seed_and_a_thread_determine_the_times() {
        let random = |seed, thread| drawn(ExecutionTimes::Random { seed }, thread, 50);
        assert_eq!(random(1, 0), random(1, 0));
        assert_ne!(random(1, 0), random(1, 1));
        assert_ne!(random(1, 0), random(2, 0));
    }

    #[test]
    fn points_take_any_part_of_what_is_left_and_do_not_change_the_times_of_jobs() {
        let random = ExecutionTimes::Random { seed: 7 };
        let mut times = Times::new(random, 2, Script::default(), Duration::FOREVER);
        let mut parts = Vec::new();
        let mut jobs = Vec::new();
        for _ in 0..200 {
            parts.push(times.part(Duration::from_ticks(3)).ticks());
            jobs.push(times.draw(BEST, WORST).ticks());
        }
        assert_eq!((parts.iter().min(), parts.iter().max()), (Some(&0), Some(&3)));
        assert_eq!(jobs, drawn(random, 2, 200));
        let mut worst = Times::new(ExecutionTimes::Worst, 2, Script::default(), Duration::FOREVER);
        assert_eq!(worst.part(WORST), Duration::ZERO);
    }

    /// A section may lie anywhere between points, so all parts of a job together are no longer than the
    /// shortest section.
    #[test]
    fn parts_of_a_job_are_no_longer_than_a_section_may_be() {
        let hold = Duration::from_ticks(5);
        let (mut most, mut with_spent) = (0, 0);
        for seed in 0..200 {
            let mut times = Times::new(ExecutionTimes::Random { seed }, 1, Script::default(), hold);
            for spent in [0, 2] {
                let job = times.draw(Duration::from_ticks(50), Duration::from_ticks(60));
                times.spend(Duration::from_ticks(spent));
                let parts: u64 = (0..6).map(|_| times.part(job).ticks()).sum();
                assert!(parts + spent <= 5, "seed {seed}: {parts} and {spent}");
                (most, with_spent) = (parts.max(most), (parts + spent).max(with_spent));
            }
        }
        assert_eq!((most, with_spent), (5, 5), "all of it is reached");
        let mut chosen = Times::new(ExecutionTimes::Chosen { between: 0 }, 0, Script::new(vec![1, 1]), hold);
        chosen.draw(WORST, WORST);
        assert_eq!(chosen.part(WORST), hold);
        assert_eq!(chosen.part(WORST), Duration::ZERO);
    }

    #[test]
    fn chosen_times_go_from_the_worst_to_the_best_and_each_is_there_once() {
        let chosen = |between, picks: &[u8]| {
            let script = Script::new(picks.to_vec());
            let mut times =
                Times::new(ExecutionTimes::Chosen { between }, 0, script.clone(), Duration::FOREVER);
            let drawn: Vec<_> = picks.iter().map(|_| times.draw(BEST, WORST).ticks()).collect();
            (drawn, script.made().first().map(|choice| choice.options))
        };
        assert_eq!(chosen(0, &[0, 1]), (vec![13, 10], Some(2)));
        assert_eq!(chosen(1, &[0, 1, 2]), (vec![13, 12, 10], Some(3)));
        assert_eq!(chosen(200, &[0, 1, 2, 3]), (vec![13, 12, 11, 10], Some(4)), "there are no more ticks");
        let script = Script::new(vec![1]);
        let mut fixed = Times::new(ExecutionTimes::Chosen { between: 3 }, 0, script, Duration::FOREVER);
        assert_eq!(
            (fixed.draw(BEST, BEST), fixed.part(WORST), fixed.part(WORST)),
            (BEST, WORST, Duration::ZERO)
        );
    }

    #[test]
    fn the_fixed_policies_take_the_bounds() {
        assert_eq!(drawn(ExecutionTimes::Worst, 0, 2), [13, 13]);
        assert_eq!(drawn(ExecutionTimes::Best, 0, 2), [10, 10]);
        let between = |thousandths| drawn(ExecutionTimes::Between { thousandths }, 0, 1);
        assert_eq!([0, 333, 334, 999, 1000, 2000].map(between), [[10], [10], [11], [12], [13], [13]]);
    }
}
