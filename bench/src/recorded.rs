//! The figures recorded under `docs/measurements`: the source of the pages, and the reference for new
//! measurements.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::replace;

use crate::row::Row;

/// Recorded rows.
pub struct Recorded(Vec<Row>);

/// The file, one JSON object per line, as printed by `./x bench --json`.
fn path() -> PathBuf {
    folder().join("recorded.jsonl")
}

/// The folder of the measurement documents.
pub fn folder() -> PathBuf {
    root().join("docs/measurements")
}

impl Recorded {
    /// Wraps the given rows.
    pub fn of(rows: Vec<Row>) -> Recorded {
        Recorded(rows)
    }

    /// All rows.
    pub fn rows(&self) -> &[Row] {
        &self.0
    }

    /// Reads the rows of the file.
    ///
    /// # Errors
    /// If there is no file, or it has other content.
    pub fn read() -> Result<Recorded> {
        let path = path();
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        Ok(Recorded(text.lines().map(Row::parse).collect::<Result<_>>()?))
    }

    /// The same with these rows in place of all that there were of their benches.
    pub fn with(self, rows: Vec<Row>) -> Recorded {
        let is_measured = |bench: &str| rows.iter().any(|row| row.bench == bench);
        let mut all: Vec<_> = self.0.into_iter().filter(|row| !is_measured(&row.bench)).collect();
        all.extend(rows);
        Recorded(all)
    }

    /// Writes the rows to the file.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self) -> Result<()> {
        let text: String = self.0.iter().map(|row| row.json() + "\n").collect();
        Ok(replace(&path(), text.as_bytes())?)
    }

    /// The row of a bench and a case.
    ///
    /// # Errors
    /// If there is none.
    pub fn row(&self, bench: &str, case: &str) -> Result<&Row> {
        let found = self.0.iter().find(|row| row.bench == bench && row.case == case);
        found.with_context(|| format!("`{bench}`, `{case}` isn't recorded; run ./x bench --record"))
    }

    /// The row of a bench with only one case.
    ///
    /// # Errors
    /// If there is none.
    pub fn only(&self, bench: &str) -> Result<&Row> {
        let found = self.0.iter().find(|row| row.bench == bench);
        found.with_context(|| format!("`{bench}` isn't recorded; run ./x bench --record"))
    }

    /// Refuses rows that are worse than recorded by more than [`allowance`]. Rows without a record pass: they
    /// are new.
    ///
    /// # Errors
    /// The rows that are worse.
    pub fn compare(&self, rows: &[Row]) -> Result<()> {
        let mut worse = Vec::new();
        for row in rows {
            let Ok(old) = self.row(&row.bench, &row.case) else { continue };
            if row.figures.max > old.figures.max.saturating_add(allowance(old.figures.max)) {
                let (new, old) = (row.figures.max, old.figures.max);
                worse.push(format!("{}, {}: {new} instead of at most {old}", row.bench, row.case));
            }
        }
        ensure!(
            worse.is_empty(),
            "worse than recorded in docs/measurements/recorded.jsonl by more than the twentieth part and 4:\n  \
             {}\nmake it cheaper, or say in the commit why it costs more and record it with ./x bench --record",
            worse.join("\n  ")
        );
        Ok(())
    }
}

/// How much worse than recorded a figure may be: a twentieth plus 4. Compilers differ by that much.
fn allowance(recorded: u64) -> u64 {
    recorded / 20 + 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(values: &[u64]) -> Vec<Row> {
        let row = |(number, value): (usize, &u64)| Row::bytes("size", &number.to_string(), *value);
        values.iter().enumerate().map(row).collect()
    }

    #[test]
    fn measured_rows_take_the_place_of_those_of_their_benches() {
        let other = Row::bytes("other", "0", 7);
        let old = Recorded::of([rows(&[10, 20]), vec![other.clone()]].concat());
        let new = old.with(rows(&[11]));
        assert_eq!(new.rows(), [vec![other], rows(&[11])].concat());
    }

    #[test]
    fn rows_may_be_a_little_worse_than_recorded() {
        let recorded = Recorded::of(rows(&[10, 1000]));
        assert!(recorded.compare(&rows(&[14, 1054])).is_ok());
        assert!(recorded.compare(&rows(&[0, 0, 99])).is_ok(), "better, and one that is new");
        let error = recorded.compare(&rows(&[15, 1055])).expect_err("both are worse").to_string();
        assert!(error.contains("0: 15 instead of at most 10"), "{error}");
        assert!(error.contains("1: 1055 instead of at most 1000"), "{error}");
    }
}
