//! What the scheduler costs for a job, by the sizes of the bands.

use beryl_analysis::Ticks;
use serde::{Deserialize, Serialize};

use crate::measured::Measured;

/// How often the 0.55 µs that it takes to look at a queue of the list are charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parse {
    /// Never.
    Never,
    /// For each queue, once a job.
    OnceAJob,
    /// For each queue, at each selection.
    EachSelection,
    /// At each selection, for the queues up to the one that it may end at.
    UpToTheChosen,
}

impl Parse {
    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Parse::Never => "never",
            Parse::OnceAJob => "once a job, all queues",
            Parse::EachSelection => "each selection, all queues",
            Parse::UpToTheChosen => "each selection, to the chosen queue",
        }
    }
}

/// What a selection costs when a task of a dynamic queue beneath another blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blocks {
    /// Table 2 as printed: a search as long as all dynamic queues together.
    AsPrinted,
    /// By section 5.4's reasoning: the queues above are empty, else the task wouldn't have run.
    AsReasoned,
}

impl Blocks {
    /// In the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Blocks::AsPrinted => "as printed",
            Blocks::AsReasoned => "as reasoned",
        }
    }
}

/// Where costs are from.
#[derive(Clone, Copy, Debug)]
pub enum Costs<'a> {
    /// Table 3 of the paper, put together as in its sections 5.1, 5.4 and 5.6.2.
    Paper(Parse, Blocks),
    /// Beryl on the emulated board.
    Beryl(&'a Measured),
}

/// Nanoseconds for looking at a queue of the list.
const PARSE: u64 = 550;

impl Costs<'_> {
    /// What a job costs in nanoseconds in one of the bands, whose sizes are given, the fixed one last.
    pub fn of(&self, sizes: &[usize], band: usize) -> Ticks {
        self.charged(sizes, band, sizes.len())
    }

    /// What a job costs under earliest deadline first: one dynamic queue, no list.
    pub fn of_edf(&self, tasks: usize) -> Ticks {
        self.charged(&[tasks, 0], 0, 1)
    }

    fn charged(&self, sizes: &[usize], band: usize, queues: usize) -> Ticks {
        let once = match self {
            Costs::Paper(parse, blocks) => paper(sizes, band, *blocks) + parsed(queues, band, *parse),
            Costs::Beryl(measured) => measured.job(sizes, band),
        };
        // Half of the tasks block once more (section 5.1).
        Ticks::new(once * 3 / 2)
    }
}

/// Block, unblock and two selections.
fn paper(sizes: &[usize], band: usize, blocks: Blocks) -> u64 {
    let fixed = sizes.len() - 1;
    let sizes: Vec<u64> = sizes.iter().map(|size| u64::try_from(*size).unwrap_or(u64::MAX)).collect();
    let longest = |sizes: &[u64]| sizes.iter().copied().max().unwrap_or(0);
    // Selecting from a dynamic queue; from the fixed one where there is none.
    let select = |members: u64| if members == 0 { 600 } else { 1_200 + 250 * members };
    if band == fixed {
        let block = 1_000 + 360 * sizes[fixed];
        let unblock = 1_400;
        block + 600 + unblock + select(longest(&sizes[..fixed]))
    } else {
        let left = match blocks {
            Blocks::AsPrinted if band > 0 => sizes[..fixed].iter().sum(),
            _ => longest(&sizes[band..fixed]),
        };
        1_600 + select(left) + 1_200 + select(longest(&sizes[..=band]))
    }
}

/// One queue is no list.
fn parsed(queues: usize, band: usize, parse: Parse) -> u64 {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    let looked_at = match parse {
        _ if queues == 1 => 0,
        Parse::Never => 0,
        Parse::OnceAJob => count(queues),
        Parse::EachSelection => 2 * count(queues),
        // Blocking may leave only the last queue with a ready task; what unblocks is in its own queue.
        Parse::UpToTheChosen => count(queues) + count(band) + 1,
    };
    PARSE * looked_at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nanoseconds(sizes: &[usize], band: usize, parse: Parse, blocks: Blocks) -> u64 {
        Costs::Paper(parse, blocks).of(sizes, band).get()
    }

    /// Sections 5.1 and 5.4, by hand, in microseconds times 1.5.
    #[test]
    fn the_papers_formulas_come_out() {
        let plain = |sizes: &[usize], band| nanoseconds(sizes, band, Parse::Never, Blocks::AsPrinted);
        let times = |once: u64| once * 3 / 2;
        // RM with 20: 1.0 + 7.2 + 1.4 + 2 * 0.6.
        assert_eq!(plain(&[20], 0), times(10_800));
        // EDF with 20: 1.6 + 1.2 + 2 * (1.2 + 5).
        for parse in [Parse::Never, Parse::EachSelection] {
            assert_eq!(Costs::Paper(parse, Blocks::AsPrinted).of_edf(20).get(), times(15_200));
        }
        // CSD-2 with 8 of 20: 1.6 + 1.2 + 2 * 3.2, and 1.0 + 4.32 + 0.6 + 1.4 + 3.2.
        assert_eq!((plain(&[8, 12], 0), plain(&[8, 12], 1)), (times(9_200), times(10_520)));
    }

    /// Table 2 with q = 3 and r = 10 of 20: selections by the lengths of the queues.
    #[test]
    fn table_2_comes_out() {
        let select = |members: u64| 1_200 + 250 * members;
        let dp2 = |blocks| nanoseconds(&[3, 7, 10], 1, Parse::Never, blocks);
        assert_eq!(
            nanoseconds(&[3, 7, 10], 0, Parse::Never, Blocks::AsPrinted),
            (2_800 + select(7) + select(3)) * 3 / 2
        );
        assert_eq!(dp2(Blocks::AsPrinted), (2_800 + select(10) + select(7)) * 3 / 2);
        assert_eq!(dp2(Blocks::AsReasoned), (2_800 + select(7) + select(7)) * 3 / 2);
        let fixed = 1_000 + 3_600 + 600 + 1_400 + select(7);
        assert_eq!(nanoseconds(&[3, 7, 10], 2, Parse::Never, Blocks::AsPrinted), fixed * 3 / 2);
    }

    #[test]
    fn queues_of_the_list_are_charged_as_read() {
        let charged = |parse| {
            [0, 2].map(|band| {
                let with = nanoseconds(&[3, 7, 10], band, parse, Blocks::AsReasoned);
                (with - nanoseconds(&[3, 7, 10], band, Parse::Never, Blocks::AsReasoned)) * 2 / 3 / PARSE
            })
        };
        let readings = [Parse::Never, Parse::OnceAJob, Parse::EachSelection, Parse::UpToTheChosen];
        assert_eq!(readings.map(charged), [[0, 0], [3, 3], [6, 6], [4, 6]]);
        assert_eq!(parsed(1, 0, Parse::EachSelection), 0);
    }
}
