//! The table for the terminal: a row per bench, a column per purpose.

use super::breakdown::Breakdown;
use super::purpose::Purpose;

/// The column heads after the bench's name; a name of two words takes two lines.
fn heads() -> Vec<&'static str> {
    let purposes = Purpose::ALL.iter().map(|purpose| purpose.name());
    ["all"].into_iter().chain(purposes).chain(["outside"]).collect()
}

/// All rows, with the case on the bench's line, and how much has no purpose.
pub fn table(rows: &[Breakdown]) -> String {
    let mut lines = vec![Vec::new(), Vec::new()];
    lines[0].push("bench, case".to_owned());
    lines[1].push(String::new());
    for head in heads() {
        let (first, second) = head.split_once(' ').unwrap_or((head, ""));
        lines[0].push(first.to_owned());
        lines[1].push(second.to_owned());
    }
    for row in rows {
        let cells = [row.figure].into_iter().chain(row.shares()).map(|count| count.to_string());
        lines.push([row.name()].into_iter().chain(cells).collect());
    }
    let width =
        |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<_> = (0..lines[0].len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let padded = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += padded.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text + &format!("\n{}\n", not_attributed(rows))
}

/// How much has no purpose, and where most of that is.
pub fn not_attributed(rows: &[Breakdown]) -> String {
    let part = |row: &Breakdown| {
        let count = row.purposes.get(&Purpose::NotAttributed).copied().unwrap_or_default();
        count * 1000 / row.instructions.max(1)
    };
    let worst = rows.iter().max_by_key(|row| part(row));
    worst.map_or_else(String::new, |row| {
        let part = part(row);
        format!("Not attributed: at most {}.{} % of a row ({}).", part / 10, part % 10, row.name())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_purpose_has_a_column() {
        let row = Breakdown {
            bench: "null-call".to_owned(),
            case: "caller to caller".to_owned(),
            figure: 6,
            rounds: 1,
            instructions: 6,
            outside: 2,
            purposes: [(Purpose::Entry, 3), (Purpose::NotAttributed, 1)].into(),
        };
        let text = table(&[row]);
        let numbers: Vec<_> = text.lines().filter(|line| line.starts_with("null-call")).collect();
        let cells: Vec<_> = numbers[0].split_whitespace().rev().collect();
        assert_eq!(cells[..2], ["2", "1"], "{text}");
        assert_eq!(cells[Purpose::ALL.len()..][..2], ["3", "6"], "{text}");
        assert!(text.contains("at most 16.6 % of a row (null-call, caller to caller)"), "{text}");
    }
}
