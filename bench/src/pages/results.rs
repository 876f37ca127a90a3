//! The tables of results in `bench/README.md`: all rows, and those that missed their aims.

use anyhow::Result;

use super::{Page, markdown, purposes, tenths};
use crate::aims::aim;
use crate::machine::is_of_a_case;
use crate::recorded::Recorded;
use crate::row::{BESIDE, Row};
use crate::table::lines;

/// All rows that aren't in tables of their own.
pub fn page(recorded: &Recorded) -> Result<Page> {
    let has_own_table = |row: &&Row| {
        ["queue/", "contention/", "policing/", "l4/", BESIDE].iter().any(|bench| row.bench.starts_with(bench))
            || is_of_a_case(row)
    };
    let rows: Vec<_> = recorded.rows().iter().filter(|row| !has_own_table(row)).cloned().collect();
    let text = format!("```text\n{}```\n", lines(&rows));
    let tables = vec![("missed", missed(&rows)), ("purposes", purposes::compact()?), ("results", text)];
    Ok(Page { file: "../../bench/README.md", tables, plots: Vec::new() })
}

/// The rows that missed an aim, the closest first. Cases with equal figures are merged.
pub fn missed_rows(rows: &[Row]) -> Vec<Row> {
    misses(rows).into_iter().map(|miss| miss.row.clone()).collect()
}

fn misses(rows: &[Row]) -> Vec<Miss<'_>> {
    let mut missed: Vec<_> = rows.iter().filter_map(|row| Miss::of(row, rows)).collect();
    missed.sort_by_key(|miss| miss.measured * 1000 / miss.aim);
    missed.dedup_by(|next, last| next.row.bench == last.row.bench && next.measured == last.measured);
    missed
}

/// The table of missed aims.
fn missed(rows: &[Row]) -> String {
    let missed = misses(rows);
    let rows: Vec<_> = missed.iter().map(Miss::cells).collect();
    markdown(&["bench, case", "measured", "aim", "times"].map(str::to_owned), &rows)
}

/// A row whose largest value exceeds its aim.
struct Miss<'a> {
    row: &'a Row,
    measured: u64,
    aim: u64,
}

impl Miss<'_> {
    fn of<'a>(row: &'a Row, rows: &[Row]) -> Option<Miss<'a>> {
        let (measured, aim) = (row.figures.max, aim(row, rows)?.most);
        (measured > aim).then_some(Miss { row, measured, aim })
    }

    fn cells(&self) -> Vec<String> {
        let times = (self.measured * 10 + self.aim / 2) / self.aim;
        let what = format!("`{}`, {}", self.row.bench, self.row.case);
        vec![what, self.measured.to_string(), self.aim.to_string(), tenths(times)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_missed_its_aim_is_told_once_for_cases_that_agree_and_the_nearest_first() {
        let row = |bench, case, value| Row::instructions(bench, case, &[value]).expect("a value");
        let rows = [
            row("endpoint/round-trip", "same process", 300),
            row("endpoint/round-trip", "two processes", 300),
            row("semaphore/pair", "caller to caller", 18),
            row("null-call", "caller to caller", 16),
            row("no-aim", "", 9999),
        ];
        let expected = "\
            | bench, case | measured | aim | times |\n|---|--:|--:|--:|\n\
            | `semaphore/pair`, caller to caller | 18 | 16 | 1.1 |\n\
            | `endpoint/round-trip`, same process | 300 | 150 | 2.0 |\n";
        assert_eq!(missed(&rows), expected);
    }
}
