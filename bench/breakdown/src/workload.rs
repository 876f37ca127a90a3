//! Random workloads as section 9.1 of the paper describes them, with what it leaves open as a reading.

use beryl_analysis::{Sporadic, Ticks};
use beryl_testing::{Draw, SplitMix64 as Random};
use serde::{Deserialize, Serialize};

/// How a period is drawn inside its class of one, two or three digits of milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Periods {
    /// Whole milliseconds, each as likely.
    Whole,
    /// Any length, each as likely.
    Any,
    /// Any length, each half as likely as one half as long.
    Logarithmic,
}

impl Periods {
    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Periods::Whole => "whole ms",
            Periods::Any => "any length",
            Periods::Logarithmic => "any, logarithmic",
        }
    }
}

/// How execution times are drawn, before they are scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// Up to the period, each as likely.
    UpToPeriod,
    /// Up to the same for all tasks, each as likely.
    UpToSame,
    /// The whole processor cut at random places, each share times the period.
    Shares,
}

impl Work {
    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Work::UpToPeriod => "up to the period",
            Work::UpToSame => "up to the same",
            Work::Shares => "shares of the whole",
        }
    }
}

/// The classes: shortest and longest period in milliseconds.
const CLASSES: [(u64, u64); 3] = [(5, 9), (10, 99), (100, 999)];
/// Times are in nanoseconds.
pub const MILLISECOND: u64 = 1_000_000;
/// Execution times are drawn in so many steps.
const STEPS: u64 = 1 << 20;

/// A workload of `tasks` tasks that asks for the whole processor, in the order of periods, which are divided by
/// `divisor`. The same `number` gives the same workload, but for the divisor.
pub fn workload(tasks: u64, number: u64, divisor: u64, periods: Periods, work: Work) -> Vec<Sporadic> {
    let mut random = Random(tasks * 1_000_003 + number);
    let lengths: Vec<u64> = (0..tasks).map(|_| period(&mut random, periods)).collect();
    let drawn = drawn(&mut random, &lengths, work);
    // In parts of 2^32 of the processor.
    let total: u128 =
        lengths.iter().zip(&drawn).map(|(period, work)| (work << 32) / u128::from(*period)).sum();
    let task = |(period, work): (&u64, &u128)| {
        let period = period / divisor;
        let worst = (work << 32) / total.max(1) / u128::from(divisor);
        Sporadic::implicit(Ticks::new(period), Ticks::new(u64::try_from(worst).unwrap_or(u64::MAX).max(1)))
    };
    let mut workload: Vec<Sporadic> = lengths.iter().zip(&drawn).map(task).collect();
    workload.sort_by_key(|task| task.period);
    workload
}

fn period(random: &mut Random, periods: Periods) -> u64 {
    let class = random.within(0, 2);
    let (least, most) =
        CLASSES.into_iter().cycle().nth(usize::try_from(class).unwrap_or(0)).unwrap_or(CLASSES[0]);
    let any = |random: &mut Random| random.within(least * MILLISECOND, (most + 1) * MILLISECOND - 1);
    match periods {
        Periods::Whole => random.within(least, most) * MILLISECOND,
        Periods::Any => any(random),
        Periods::Logarithmic => loop {
            let period = any(random);
            if random.within(1, period) <= least * MILLISECOND {
                return period;
            }
        },
    }
}

fn drawn(random: &mut Random, periods: &[u64], work: Work) -> Vec<u128> {
    let each = |random: &mut Random| u128::from(random.within(1, STEPS));
    match work {
        Work::UpToPeriod => periods.iter().map(|period| each(random) * u128::from(*period)).collect(),
        Work::UpToSame => periods.iter().map(|_| each(random) * u128::from(MILLISECOND)).collect(),
        Work::Shares => {
            let mut cuts: Vec<u128> = periods.iter().skip(1).map(|_| each(random)).collect();
            cuts.sort_unstable();
            let ends = cuts.iter().copied().chain([u128::from(STEPS) + 1]);
            let starts = std::iter::once(0).chain(cuts.iter().copied());
            let shares = ends.zip(starts).map(|(end, start)| (end - start).max(1));
            shares.zip(periods).map(|(share, period)| share * u128::from(*period)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(Periods, Work); 5] = [
        (Periods::Whole, Work::UpToPeriod),
        (Periods::Any, Work::UpToPeriod),
        (Periods::Logarithmic, Work::UpToPeriod),
        (Periods::Whole, Work::UpToSame),
        (Periods::Whole, Work::Shares),
    ];

    #[test]
    fn workloads_ask_for_the_whole_processor_in_every_reading() {
        for (periods, work) in ALL {
            for tasks in [5, 50] {
                for divisor in 1..=3 {
                    let workload = workload(tasks, 7, divisor, periods, work);
                    let utilisation = beryl_analysis::sporadic::utilisation(&workload).expect("small times");
                    let in_ten_thousandths = utilisation.per_ten_thousand();
                    assert!(
                        (9_998..=10_002).contains(&in_ten_thousandths),
                        "{periods:?} {work:?}: {utilisation}"
                    );
                    assert!(workload.windows(2).all(|pair| pair[0].period <= pair[1].period));
                }
            }
        }
    }

    #[test]
    fn each_class_has_a_third_of_the_periods() {
        for (periods, work) in ALL {
            let mut counts = [0_u64; 3];
            for number in 0..200 {
                for task in workload(15, number, 1, periods, work) {
                    let period = task.period.get() / MILLISECOND;
                    let class = CLASSES.iter().position(|(least, most)| (least..=most).contains(&&period));
                    counts[class.expect("a class")] += 1;
                }
            }
            assert!(counts.iter().all(|count| (900..1_100).contains(count)), "{periods:?}: {counts:?}");
        }
    }

    #[test]
    fn periods_are_divided_and_nothing_else() {
        let [once, twice] = [1, 2].map(|divisor| workload(20, 3, divisor, Periods::Whole, Work::UpToPeriod));
        for (one, other) in once.iter().zip(&twice) {
            assert_eq!(one.period.get(), 2 * other.period.get());
            assert!(one.worst.get().abs_diff(2 * other.worst.get()) <= 1, "{one:?} {other:?}");
        }
    }
}
