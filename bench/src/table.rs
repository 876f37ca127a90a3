//! The table for people.

use crate::aims::aim;
use crate::row::{BOARD, Figures, Row};

const HEADER: [&str; 10] =
    ["bench", "case", "unit", "n", "min", "median", "max", "aim", "later", "peers, unprotected"];
/// Columns from here on are aligned to the right, but for the last.
const NUMBERS: usize = 3;

/// The rows as a table with its conditions.
pub fn table(rows: &[Row]) -> String {
    let mut lines = vec![HEADER.map(str::to_owned)];
    lines.extend(rows.iter().map(cells));
    let widths: [usize; 10] = std::array::from_fn(|column| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = format!(
        "On {BOARD} (emulated Cortex-M3, one instruction 1024 ns), protection on, threads unprivileged, trace\n\
         triggers in place and off. Exception entry and exit count 0 here; on silicon add about 12 cycles each.\n\n"
    );
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

fn cells(row: &Row) -> [String; 10] {
    let Figures { n, min, median, max } = row.figures;
    let aim = aim(row);
    let now =
        aim.map(|aim| format!("{} {}", if max <= aim.now { "met" } else { "MISSED" }, at_most(aim.now)));
    let finally = aim.and_then(|aim| aim.finally).map(at_most);
    let peer = aim.and_then(|aim| aim.peer).unwrap_or_default().to_owned();
    let [n, min, median, max] = [n.to_string(), min.to_string(), median.to_string(), max.to_string()];
    let (bench, case, unit) = (row.bench.to_owned(), row.case.to_owned(), row.unit.name().to_owned());
    [bench, case, unit, n, min, median, max, now.unwrap_or_default(), finally.unwrap_or_default(), peer]
}

fn at_most(value: u64) -> String {
    format!("<= {value}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Unit;

    #[test]
    fn an_aim_is_met_by_the_largest_value_or_missed() {
        let row = |max| Row {
            bench: "null-call",
            case: "caller to caller",
            unit: Unit::Instructions,
            figures: Figures { n: 2, min: 39, median: 39, max },
        };
        let text = table(&[row(40), row(41)]);
        let aims: Vec<_> = text.lines().filter(|line| line.starts_with("null-call")).collect();
        assert!(aims[0].contains("  met <= 40  <= 16"), "{text}");
        assert!(aims[1].contains("  MISSED <= 40  <= 16"), "{text}");
    }
}
