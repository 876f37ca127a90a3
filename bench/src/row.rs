//! A row of results: what was measured, and its figures.

use serde::Serialize;

/// The board that everything is measured on.
pub const BOARD: &str = "mps2-an385";
/// Whose figures these are.
const SUBJECT: &str = "beryl";

/// What figures count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Executed instructions.
    Instructions,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Instructions => "instructions",
            Unit::Bytes => "bytes",
        }
    }
}

/// What is left of many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Number of values.
    pub n: usize,
    /// The smallest.
    pub min: u64,
    /// The one in the middle; of two, the smaller.
    pub median: u64,
    /// The largest.
    pub max: u64,
}

impl Figures {
    /// The figures of `values`, if there are any.
    pub fn of(values: &[u64]) -> Option<Figures> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        let median = *sorted.get(sorted.len().checked_sub(1)? / 2)?;
        Some(Figures { n: sorted.len(), min: *sorted.first()?, median, max: *sorted.last()? })
    }

    /// The figures of one value.
    pub fn single(value: u64) -> Figures {
        Figures { n: 1, min: value, median: value, max: value }
    }
}

/// A row of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What was measured, by the name under which it is known everywhere.
    pub bench: &'static str,
    /// How, or where.
    pub case: &'static str,
    /// What the figures count.
    pub unit: Unit,
    /// The figures.
    pub figures: Figures,
}

impl Row {
    /// The row as a JSON object on one line.
    pub fn json(&self) -> String {
        let Row { bench, case, unit, figures } = *self;
        let line = Line { bench, case, subject: SUBJECT, board: BOARD, unit: unit.name(), figures };
        // Text and numbers have a form in JSON, so this can't fail.
        serde_json::to_string(&line).unwrap_or_default()
    }
}

/// The fields of a line, in their order.
#[derive(Serialize)]
struct Line<'a> {
    bench: &'a str,
    case: &'a str,
    subject: &'a str,
    board: &'a str,
    unit: &'a str,
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
        assert_eq!(Figures::of(&[9, 1, 5]), Some(Figures { n: 3, min: 1, median: 5, max: 9 }));
        assert_eq!(Figures::of(&[9, 1, 5, 7]), Some(Figures { n: 4, min: 1, median: 5, max: 9 }));
    }

    #[test]
    fn a_row_is_one_line_of_json() {
        let figures = Figures { n: 1000, min: 30, median: 31, max: 33 };
        let row = Row { bench: "null-call", case: "caller to caller", unit: Unit::Instructions, figures };
        let expected = r#"{"bench":"null-call","case":"caller to caller","subject":"beryl","board":"mps2-an385","unit":"instructions","n":1000,"min":30,"median":31,"max":33}"#;
        assert_eq!(row.json(), expected);
    }
}
