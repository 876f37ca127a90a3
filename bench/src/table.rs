//! The table for people.

use crate::aims::{Aim, aim};
use crate::row::{BOARD, Figures, Row};

const HEADER: [&str; 9] = ["bench", "case", "unit", "n", "min", "median", "max", "aim", "peers, unprotected"];
/// Columns from here on are right-aligned, except for the last.
const NUMBERS: usize = 3;

/// The rows as a table with its conditions.
pub fn table(rows: &[Row]) -> String {
    format!(
        "On {BOARD} (emulated Cortex-M3, one instruction 1024 ns), protection on, threads unprivileged, trace\n\
         triggers in place and off. Exception entry and exit count 0 here; on silicon add about 12 cycles each.\n\n{}",
        lines(rows)
    )
}

/// The rows as a table.
pub fn lines(rows: &[Row]) -> String {
    let mut lines = vec![HEADER.map(str::to_owned)];
    lines.extend(rows.iter().map(|row| cells(row, rows)));
    let widths: [usize; 9] = std::array::from_fn(|column| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for line in &lines {
        let padded = line.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            match (NUMBERS..HEADER.len() - 1).contains(&column) {
                true => format!("{cell:>width$}"),
                false => format!("{cell:<width$}"),
            }
        });
        text += padded.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

fn cells(row: &Row, rows: &[Row]) -> [String; 9] {
    let Figures { n, min, median, max, .. } = row.figures;
    let aim = aim(row, rows);
    let verdict = |aim: Aim| format!("{} <= {}", if max <= aim.most { "met" } else { "MISSED" }, aim.most);
    let peer = aim.and_then(|aim| aim.peer).unwrap_or_default().to_owned();
    let [n, min, median, max] = [n.to_string(), min.to_string(), median.to_string(), max.to_string()];
    let (bench, case, unit) = (row.bench.clone(), row.case.clone(), row.unit.name().to_owned());
    [bench, case, unit, n, min, median, max, aim.map(verdict).unwrap_or_default(), peer]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aim_is_met_by_the_largest_value_or_missed() {
        let row = |max| Row::instructions("null-call", "caller to caller", &[15, max]).expect("two");
        let text = table(&[row(16), row(17)]);
        let aims: Vec<_> = text.lines().filter(|line| line.starts_with("null-call")).collect();
        assert!(aims[0].contains("  met <= 16"), "{text}");
        assert!(aims[1].contains("  MISSED <= 16"), "{text}");
    }
}
