//! A row of results: the bench, and its figures.

use anyhow::{Context, Result};
use beryl_builder::board::MEASURED;
use serde::{Deserialize, Serialize};

/// The board that everything is measured on.
pub const BOARD: &str = MEASURED;
/// How benches begin that are measured on other boards, too.
pub const BESIDE: &str = "boards/";
/// How benches of doorbells begin: they are measured on each board with several cores.
pub const DOORBELL: &str = "doorbell/";
/// The board with several processors on which a shielded core is measured, and how those benches begin.
pub const CORES: &str = "virt";
const SHIELDED: &str = "shielded/";
/// Whose figures these are.
const SUBJECT: &str = "beryl";

/// The unit of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Executed instructions.
    Instructions,
    /// Bytes.
    Bytes,
    /// A count; the bench's name says of what.
    Count,
}

impl Unit {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Instructions => "instructions",
            Unit::Bytes => "bytes",
            Unit::Count => "count",
        }
    }
}

/// A summary of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Number of values.
    pub n: usize,
    /// The smallest.
    pub min: u64,
    /// The median, the lower one of two.
    pub median: u64,
    /// The largest.
    pub max: u64,
    /// The sum.
    pub sum: u64,
}

impl Figures {
    /// The figures of `values`, if there are any.
    pub fn of(values: &[u64]) -> Option<Figures> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        let sum = sorted.iter().sum();
        Some(Figures { n: sorted.len(), min: *sorted.first()?, median, max: *sorted.last()?, sum })
    }

    /// The figures of one value.
    pub fn single(value: u64) -> Figures {
        Figures { n: 1, min: value, median: value, max: value, sum: value }
    }

    /// The mean, in tenths.
    pub fn tenths(&self) -> u64 {
        let n = u64::try_from(self.n).unwrap_or(u64::MAX).max(1);
        (self.sum.saturating_mul(10) + n / 2) / n
    }
}

/// A row of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The bench, by the name used everywhere.
    pub bench: String,
    /// The variant or place.
    pub case: String,
    /// The unit of the figures.
    pub unit: Unit,
    /// The figures.
    pub figures: Figures,
}

impl Row {
    /// Instructions of many samples.
    ///
    /// # Errors
    /// If there are no samples.
    pub fn instructions(bench: &str, case: &str, values: &[u64]) -> Result<Row> {
        let figures = Figures::of(values).with_context(|| format!("{bench}: no samples"))?;
        Ok(Row { bench: bench.to_owned(), case: case.to_owned(), unit: Unit::Instructions, figures })
    }

    /// Numbers of many samples.
    ///
    /// # Errors
    /// If there are no samples.
    pub fn counts(bench: &str, case: &str, values: &[u64]) -> Result<Row> {
        Ok(Row { unit: Unit::Count, ..Row::instructions(bench, case, values)? })
    }

    /// A number of bytes.
    pub fn bytes(bench: &str, case: &str, bytes: u64) -> Row {
        let figures = Figures::single(bytes);
        Row { bench: bench.to_owned(), case: case.to_owned(), unit: Unit::Bytes, figures }
    }

    /// A number.
    pub fn count(bench: &str, case: &str, count: u64) -> Row {
        let figures = Figures::single(count);
        Row { bench: bench.to_owned(), case: case.to_owned(), unit: Unit::Count, figures }
    }

    /// The board that it was measured on: of what is measured side by side, the case names it.
    fn board(&self) -> &str {
        match () {
            () if self.bench.starts_with(BESIDE) || self.bench.starts_with(DOORBELL) => &self.case,
            () if self.bench.starts_with(SHIELDED) => CORES,
            () => BOARD,
        }
    }

    /// The row as a JSON object on one line.
    pub fn json(&self) -> String {
        let Row { bench, case, unit, figures } = self.clone();
        let board = self.board().to_owned();
        let line = Line { bench, case, subject: SUBJECT.to_owned(), board, unit, figures };
        // Text and numbers always have a form in JSON, so this can't fail.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// Parses a line.
    ///
    /// # Errors
    /// If it isn't a row.
    pub fn parse(line: &str) -> Result<Row> {
        let Line { bench, case, unit, figures, .. } =
            serde_json::from_str(line).with_context(|| format!("`{line}` isn't a row"))?;
        Ok(Row { bench, case, unit, figures })
    }
}

/// The fields of a line, in order.
#[derive(Serialize, Deserialize)]
struct Line {
    bench: String,
    case: String,
    subject: String,
    board: String,
    unit: Unit,
    #[serde(flatten)]
    figures: Figures,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_one_of_the_values() {
        assert_eq!(Figures::of(&[]), None);
        assert_eq!(Figures::of(&[5]), Some(Figures::single(5)));
        assert_eq!(Figures::of(&[9, 1, 5]), Some(Figures { n: 3, min: 1, median: 5, max: 9, sum: 15 }));
        assert_eq!(Figures::of(&[9, 1, 5, 7]), Some(Figures { n: 4, min: 1, median: 5, max: 9, sum: 22 }));
    }

    #[test]
    fn the_mean_is_rounded_to_tenths() {
        let mean = |values: &[u64]| Figures::of(values).map(|figures| figures.tenths());
        assert_eq!([mean(&[1, 2]), mean(&[1, 1, 2]), mean(&[1, 2, 2])], [Some(15), Some(13), Some(17)]);
    }

    #[test]
    fn a_row_is_one_line_of_json() -> Result<()> {
        let row = Row::instructions("null-call", "caller to caller", &[30, 31, 33])?;
        let expected = r#"{"bench":"null-call","case":"caller to caller","subject":"beryl","board":"mps2-an385","unit":"instructions","n":3,"min":30,"median":31,"max":33,"sum":94}"#;
        assert_eq!(row.json(), expected);
        assert_eq!(Row::parse(expected)?, row);
        assert!(Row::parse("{}").is_err());
        Ok(())
    }
}
