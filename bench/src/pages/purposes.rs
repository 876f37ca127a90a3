//! The purposes of the instructions in rows that missed their aims: the whole table, and one with fewer
//! columns for `bench/README.md`.

use anyhow::{Context, Result};

use super::{Page, markdown};
use crate::purposes::{Breakdown, Breakdowns, Purpose, not_attributed};
use crate::recorded::Recorded;

/// The whole table.
pub fn page(_: &Recorded) -> Result<Page> {
    let Breakdowns(rows) = Breakdowns::read()?;
    let tables =
        vec![("meanings", meanings()), ("purposes", whole(&rows)), ("not-attributed", not_attributed(&rows))];
    Ok(Page { file: "purposes.md", tables, plots: Vec::new() })
}

/// How many instructions of a row are for a purpose, or outside of the kernel.
///
/// # Errors
/// If there is no such purpose, or the row has no breakdown.
pub fn share(purpose: &str, bench: &str) -> Result<u64> {
    let Breakdowns(rows) = Breakdowns::read()?;
    let row = rows.iter().find(|row| row.bench == bench);
    let row = row.with_context(|| {
        format!("`{bench}` isn't told apart: text can't name it, or EXAMPLES in bench/src/purposes.rs has to")
    })?;
    let names = Purpose::ALL.iter().map(|own| own.name()).chain([OUTSIDE]);
    let shares = row.shares();
    let found = names.zip(&shares).find(|(own, _)| *own == purpose);
    Ok(*found.with_context(|| format!("`{purpose}` is no purpose"))?.1)
}

const OUTSIDE: &str = "outside";

fn meanings() -> String {
    let rows =
        Purpose::ALL.iter().map(|purpose| vec![purpose.name().to_owned(), purpose.meaning().to_owned()]);
    let outside =
        [OUTSIDE, "in the caller and in who runs next: arguments, the call, what becomes of the answer"];
    let rows: Vec<_> = rows.chain([outside.map(str::to_owned).to_vec()]).collect();
    markdown(&["purpose", "instructions"].map(str::to_owned), &rows).replace("--:|\n", "---|\n")
}

fn whole(rows: &[Breakdown]) -> String {
    let names = Purpose::ALL.iter().map(|purpose| purpose.name());
    let header: Vec<_> = ["bench, case", "all"].into_iter().chain(names).chain([OUTSIDE]).collect();
    let line = |row: &Breakdown| {
        let cells = [row.figure].into_iter().chain(row.shares()).map(cell);
        [name(row)].into_iter().chain(cells).collect()
    };
    markdown(
        &header.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>(),
        &rows.iter().map(line).collect::<Vec<_>>(),
    )
}

/// Columns of the smaller table.
const GROUPS: [(&str, &[Purpose]); 9] = [
    ("entry, registers, protection", &[Purpose::Entry, Purpose::Registers, Purpose::Protection]),
    ("stack", &[Purpose::Stack]),
    ("clock, time", &[Purpose::Clock, Purpose::Time]),
    ("guards", &[Purpose::Guards]),
    ("rows", &[Purpose::Rows]),
    ("queues, states, jobs", &[Purpose::Queues, Purpose::States, Purpose::Jobs]),
    ("objects, answers", &[Purpose::Objects, Purpose::Answers]),
    ("decision, instants, trace points", &[Purpose::Decision, Purpose::Instants, Purpose::TracePoints]),
    ("not attributed", &[Purpose::NotAttributed]),
];

/// The smaller table.
///
/// # Errors
/// If nothing is recorded.
pub fn compact() -> Result<String> {
    let Breakdowns(rows) = Breakdowns::read()?;
    let header = ["bench, case", "all"].into_iter().chain(GROUPS.map(|(name, _)| name)).chain([OUTSIDE]);
    let line = |row: &Breakdown| {
        let shares = row.shares();
        let of = |purposes: &[Purpose]| {
            Purpose::ALL
                .iter()
                .zip(&shares)
                .filter(|(own, _)| purposes.contains(own))
                .map(|(_, share)| share)
                .sum()
        };
        let cells = [row.figure].into_iter().chain(GROUPS.map(|(_, purposes)| of(purposes)));
        let cells = cells.chain(shares.last().copied()).map(cell);
        [name(row)].into_iter().chain(cells).collect()
    };
    Ok(markdown(&header.map(str::to_owned).collect::<Vec<_>>(), &rows.iter().map(line).collect::<Vec<_>>()))
}

fn name(row: &Breakdown) -> String {
    format!("`{}`, {}", row.bench, row.case)
}

/// A number; zero is a dash, so that the others stand out.
fn cell(count: u64) -> String {
    if count == 0 { "-".to_owned() } else { count.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_is_in_one_column_of_the_smaller_table() {
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, purposes)| purposes.iter().copied()).collect();
        grouped.sort_unstable();
        assert_eq!(grouped, Purpose::ALL);
    }

    #[test]
    fn both_tables_add_up_to_the_rows() -> Result<()> {
        let Breakdowns(rows) = Breakdowns::read()?;
        for table in [compact()?, whole(&rows)] {
            for line in table.lines().skip(2) {
                let cells: Vec<u64> =
                    line.split(" | ").skip(1).map(|cell| number(cell).unwrap_or(0)).collect();
                let (all, parts) = cells.split_first().context("no cell")?;
                assert_eq!(*all, parts.iter().sum::<u64>(), "{line}");
            }
        }
        Ok(())
    }

    fn number(cell: &str) -> Option<u64> {
        cell.trim_end_matches(" |").parse().ok()
    }
}
