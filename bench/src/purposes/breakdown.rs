//! The breakdown of a row: the instructions of one of its samples, by purpose.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::replace;
use serde::{Deserialize, Serialize};

use super::purpose::Purpose;
use crate::recorded::folder;

/// The breakdown of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The row's bench.
    pub bench: String,
    /// Its case.
    pub case: String,
    /// The row's figure.
    pub figure: u64,
    /// How many units of the row's figure the sample contains: rounds of a loop, jobs, tasks.
    pub rounds: u64,
    /// Instructions of the sample.
    pub instructions: u64,
    /// Those outside of the kernel.
    pub outside: u64,
    /// Those of the kernel.
    pub purposes: BTreeMap<Purpose, u64>,
}

impl Breakdown {
    /// Checks that all parts add up to the sample.
    ///
    /// # Errors
    /// If they don't.
    pub fn must_be_whole(&self) -> Result<()> {
        let sum = self.outside + self.purposes.values().sum::<u64>();
        let name = self.name();
        ensure!(
            sum == self.instructions,
            "{name}: purposes add up to {sum} instructions, the sample has {}",
            self.instructions
        );
        let [least, most] =
            [self.instructions / self.rounds.max(1), self.instructions.div_ceil(self.rounds.max(1))];
        let (figure, rounds) = (self.figure, self.rounds);
        ensure!(
            (least..=most).contains(&figure),
            "{name}: the row says {figure}, and {sum} instructions in {rounds} rounds are {least} to {most}"
        );
        Ok(())
    }

    /// The row's name.
    pub fn name(&self) -> String {
        format!("{}, {}", self.bench, self.case)
    }

    /// The share of each purpose in the figure, and last the share outside of the kernel. Rounded so that
    /// they add up to the figure.
    pub fn shares(&self) -> Vec<u64> {
        let parts =
            Purpose::ALL.iter().map(|purpose| self.purposes.get(purpose).copied().unwrap_or_default());
        rounded(&parts.chain([self.outside]).collect::<Vec<_>>(), self.rounds, self.figure)
    }

    /// The row as a JSON object on one line.
    pub fn json(&self) -> String {
        // Text and numbers always have a form in JSON, so this can't fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Parts divided by `rounds`, rounded up or down so that they add up to `sum`: those that would otherwise
/// lose most are rounded up.
fn rounded(parts: &[u64], rounds: u64, sum: u64) -> Vec<u64> {
    let rounds = rounds.max(1);
    let mut shares: Vec<_> = parts.iter().map(|part| part / rounds).collect();
    let mut by_loss: Vec<_> = (0..parts.len()).collect();
    by_loss.sort_by_key(|place| std::cmp::Reverse(parts[*place] % rounds));
    let missing = sum.saturating_sub(shares.iter().sum());
    for (place, _) in by_loss.into_iter().zip(0..missing) {
        shares[place] += 1;
    }
    shares
}

/// The recorded breakdowns.
pub struct Breakdowns(pub Vec<Breakdown>);

/// The file, one row per line.
fn path() -> PathBuf {
    folder().join("purposes.jsonl")
}

impl Breakdowns {
    /// Reads the rows of the file.
    ///
    /// # Errors
    /// If there is no file, or it has other content.
    pub fn read() -> Result<Breakdowns> {
        let path = path();
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let rows: Result<Vec<Breakdown>, _> = text.lines().map(serde_json::from_str).collect();
        Ok(Breakdowns(rows.with_context(|| format!("{} is damaged", path.display()))?))
    }

    /// Writes the rows to the file.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self) -> Result<()> {
        let text: String = self.0.iter().map(|row| row.json() + "\n").collect();
        Ok(replace(&path(), text.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breakdown(rounds: u64, figure: u64, outside: u64, purposes: &[(Purpose, u64)]) -> Breakdown {
        let sum: u64 = purposes.iter().map(|(_, count)| count).sum();
        Breakdown {
            bench: "yield/same-process".to_owned(),
            case: "caller to next caller".to_owned(),
            figure,
            rounds,
            instructions: outside + sum,
            outside,
            purposes: purposes.iter().copied().collect(),
        }
    }

    #[test]
    fn purposes_and_what_is_outside_are_the_sample() {
        let whole = breakdown(1, 67, 2, &[(Purpose::Entry, 5), (Purpose::Clock, 60)]);
        assert!(whole.must_be_whole().is_ok());
        assert_eq!(whole.shares().iter().sum::<u64>(), 67);
        let short = Breakdown { instructions: 68, ..whole.clone() };
        let error = short.must_be_whole().expect_err("one is missing").to_string();
        assert!(error.contains("67") && error.contains("68"), "{error}");
        assert!(Breakdown { figure: 68, ..whole }.must_be_whole().is_err(), "the row says something else");
    }

    #[test]
    fn shares_of_rounds_add_up_to_the_figure() {
        // 5411 instructions of 15 jobs: 360.7 each, recorded as 361.
        let jobs = breakdown(15, 361, 240, &[(Purpose::Queues, 3000), (Purpose::Jobs, 2171)]);
        assert!(jobs.must_be_whole().is_ok());
        assert_eq!(jobs.shares().iter().sum::<u64>(), 361);
        assert_eq!(rounded(&[10, 10, 10], 3, 10), [4, 3, 3]);
        assert_eq!(rounded(&[7, 11, 0], 10, 2), [1, 1, 0], "rounded to the nearest");
        assert_eq!(rounded(&[7, 11, 0], 1, 18), [7, 11, 0]);
    }

    #[test]
    fn a_row_is_one_line_of_json() -> Result<()> {
        let row = breakdown(1, 67, 2, &[(Purpose::Clock, 12), (Purpose::Entry, 53)]);
        let expected = r#"{"bench":"yield/same-process","case":"caller to next caller","figure":67,"rounds":1,"instructions":67,"outside":2,"purposes":{"entry":53,"clock":12}}"#;
        assert_eq!(row.json(), expected);
        assert_eq!(serde_json::from_str::<Breakdown>(expected)?, row);
        Ok(())
    }
}
