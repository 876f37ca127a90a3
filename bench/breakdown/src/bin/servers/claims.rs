//! What the paper says about orders, each tried on the recorded figures.

use anyhow::Result;

use crate::application::Experiment;
use crate::policy::{Costs, Period, Way};
use crate::record::{By, Record, Row, Set};

/// In how many places something holds, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held(pub u64, pub u64);

/// A statement, and where it is tried.
pub struct Claim {
    /// What the paper says.
    pub says: &'static str,
    /// In how many places it holds.
    pub holds: fn(&Figures) -> Result<Held>,
}

/// The figures by one set of costs.
pub struct Figures<'a> {
    /// Everything.
    pub record: &'a Record,
    /// The costs.
    pub costs: Costs,
    /// The period of servers.
    pub period: Period,
}

const SERVERS: [Way; 2] = [Way::Deferrable, Way::Sporadic];
const OTHERS: [Way; 4] = [Way::Approximate, Way::ApproximateGain, Way::Dual, Way::DualOwn];
const DUALS: [Way; 3] = [Way::Dual, Way::DualOwn, Way::DualPropagated];
/// The paper's.
const PAPERS: [Way; 7] = [
    Way::Deferrable,
    Way::Sporadic,
    Way::Approximate,
    Way::ApproximateGain,
    Way::Dual,
    Way::DualOwn,
    Way::DualPropagated,
];

impl Held {
    fn of(all: impl IntoIterator<Item = bool>) -> Held {
        all.into_iter().fold(Held::default(), |Held(held, of), holds| Held(held + u64::from(holds), of + 1))
    }
}

impl Figures<'_> {
    /// Those of these policies that were run.
    fn of(&self, ways: &[Way]) -> Vec<Way> {
        ways.iter().copied().filter(|way| self.record.has(*way)).collect()
    }

    fn row(&self, experiment: Experiment, way: Way, by: By, value: u64) -> Result<&Row> {
        self.record.row(Set(experiment, self.costs, self.period), way, by, value)
    }

    fn response(&self, experiment: Experiment, way: Way, by: By, value: u64) -> Result<u64> {
        Ok(self.row(experiment, way, by, value)?.mean_response())
    }

    /// The responses at all places of the experiment's plots.
    fn everywhere(&self, experiment: Experiment, way: Way) -> Result<Vec<u64>> {
        let mut all = Vec::new();
        for by in By::of(experiment).iter().filter(|by| **by != By::All) {
            for value in by.values(experiment) {
                all.push(self.response(experiment, way, *by, *value)?);
            }
        }
        Ok(all)
    }

    /// Along one plot.
    fn along(&self, experiment: Experiment, way: Way, by: By) -> Result<Vec<u64>> {
        by.values(experiment).iter().map(|value| self.response(experiment, way, by, *value)).collect()
    }

    /// Where one is no more than the other, everywhere.
    fn no_more(&self, experiment: Experiment, one: Way, other: Way) -> Result<Vec<bool>> {
        let (one, other) = (self.everywhere(experiment, one)?, self.everywhere(experiment, other)?);
        Ok(one.iter().zip(&other).map(|(one, other)| one <= other).collect())
    }

    /// For which of the paper's policies each step along a plot goes up, or down.
    fn steps(&self, by: By, up: bool) -> Result<Held> {
        let mut all = Vec::new();
        for way in self.of(&PAPERS) {
            let along = self.along(Experiment::Nearly, way, by)?;
            all.extend(along.windows(2).map(|pair| (pair[1] >= pair[0]) == up));
        }
        Ok(Held::of(all))
    }

    fn less_by(&self, experiment: Experiment, one: Way, other: Way, by: By) -> Result<Vec<i64>> {
        let (one, other) = (self.along(experiment, one, by)?, self.along(experiment, other, by)?);
        one.iter().zip(&other).map(|(one, other)| Ok(i64::try_from(*other)? - i64::try_from(*one)?)).collect()
    }
}

fn grows(differences: &[i64]) -> Held {
    Held::of(differences.windows(2).map(|pair| pair[1] >= pair[0]))
}

/// At the high ends of the plots.
const HIGH: [(By, u64); 3] = [(By::Tasks, 16), (By::Hard, 60), (By::Soft, 60)];

/// Which of them are about servers alone.
pub const OF_SERVERS: [usize; 2] = [4, 5];

/// All claims that can be tried in a model.
pub const CLAIMS: [Claim; 15] = [
    Claim {
        says: "all policies are better than the background",
        holds: |figures| {
            let ways = figures.of(&PAPERS).into_iter();
            let all = ways.map(|way| figures.everywhere(Experiment::Nearly, way));
            let all: Vec<Vec<u64>> = all.collect::<Result<_>>()?;
            Ok(Held::of(all.into_iter().flatten().map(|ratio| ratio < 10_000)))
        },
    },
    Claim { says: "more so with more hard load", holds: |figures| figures.steps(By::Hard, false) },
    Claim { says: "less so with more tasks", holds: |figures| figures.steps(By::Tasks, true) },
    Claim { says: "less so with more soft load", holds: |figures| figures.steps(By::Soft, true) },
    Claim {
        says: "SS is better than DS",
        holds: |figures| Ok(Held::of(figures.no_more(Experiment::Nearly, Way::Sporadic, Way::Deferrable)?)),
    },
    Claim {
        says: "they separate as hard load grows",
        holds: |figures| {
            let less = figures.less_by(Experiment::Nearly, Way::Sporadic, Way::Deferrable, By::Hard)?;
            Ok(grows(&less))
        },
    },
    Claim {
        says: "servers are worse than DASS and DP",
        holds: |figures| {
            let mut all = Vec::new();
            let others = figures.of(&OTHERS);
            let pairs = SERVERS.iter().flat_map(|server| others.iter().map(move |other| (*server, *other)));
            for (server, other) in pairs {
                all.extend(figures.no_more(Experiment::Nearly, other, server)?);
            }
            Ok(Held::of(all))
        },
    },
    Claim {
        says: "DP is better than DASS with many tasks, and much hard or soft load",
        holds: |figures| {
            let at = |way, (by, value)| figures.response(Experiment::Nearly, way, by, value);
            let all = HIGH.map(|place| Ok(at(Way::Dual, place)? <= at(Way::Approximate, place)?));
            Ok(Held::of(all.into_iter().collect::<Result<Vec<_>>>()?))
        },
    },
    Claim {
        says: "nearly no gain time, nearly nothing gained (less than a hundredth)",
        holds: |figures| {
            let mut all = Vec::new();
            let pairs = [(Way::ApproximateGain, Way::Approximate), (Way::DualPropagated, Way::Dual)];
            for (with, without) in pairs.into_iter().filter(|(with, _)| figures.record.has(*with)) {
                let with = figures.everywhere(Experiment::Nearly, with)?;
                let without = figures.everywhere(Experiment::Nearly, without)?;
                all.extend(with.iter().zip(&without).map(|(with, without)| with.abs_diff(*without) < 100));
            }
            Ok(Held::of(all))
        },
    },
    Claim {
        says: "about as many context switches as in the background (within a tenth)",
        holds: |figures| {
            let of = |way: Way| figures.row(Experiment::Nearly, way, By::All, 0);
            let ways = figures.of(&PAPERS).into_iter();
            let all = ways.map(|way| Ok(of(way)?.mean_switches().abs_diff(10_000) < 1_000));
            Ok(Held::of(all.collect::<Result<Vec<_>>>()?))
        },
    },
    Claim {
        says: "servers switch more often than DASS and DP without gain time",
        holds: |figures| {
            let of = |way: Way| -> Result<u64> {
                Ok(figures.row(Experiment::Nearly, way, By::All, 0)?.mean_switches())
            };
            let mut all = Vec::new();
            for server in SERVERS {
                for other in [Way::Approximate, Way::Dual] {
                    all.push(of(server)? >= of(other)?);
                }
            }
            Ok(Held::of(all))
        },
    },
    Claim {
        says: "second experiment: DASS is better with gain time",
        holds: |figures| {
            Ok(Held::of(figures.no_more(Experiment::Gain, Way::ApproximateGain, Way::Approximate)?))
        },
    },
    Claim {
        says: "the more so, the more hard load",
        holds: |figures| {
            Ok(grows(&figures.less_by(Experiment::Gain, Way::ApproximateGain, Way::Approximate, By::Hard)?))
        },
    },
    Claim {
        says: "of DP, self gain is best",
        holds: |figures| {
            let mut all = Vec::new();
            let others = [Way::DualPropagated, Way::Dual];
            for other in figures.of(&others).into_iter().filter(|_| figures.record.has(Way::DualOwn)) {
                all.extend(figures.no_more(Experiment::Gain, Way::DualOwn, other)?);
            }
            Ok(Held::of(all))
        },
    },
    Claim {
        says: "every DP is better than DASS without gain time, but at the low ends",
        holds: |figures| {
            let mut all = Vec::new();
            for way in figures.of(&DUALS) {
                for by in [By::Hard, By::Tasks, By::Soft] {
                    for value in by.values(Experiment::Gain).iter().skip(1) {
                        let at = |way| figures.response(Experiment::Gain, way, by, *value);
                        all.push(at(way)? <= at(Way::Approximate)?);
                    }
                }
            }
            Ok(Held::of(all))
        },
    },
];
