//! Tables for people: the first column is left-aligned, the others are right-aligned.

/// Rows as lines, each with a line feed; columns are as wide as their widest cell.
#[must_use]
pub fn table<const COLUMNS: usize>(head: [&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let head = head.map(str::to_owned);
    let rows: Vec<&[String; COLUMNS]> = [&head].into_iter().chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let line = |row: &&[String; COLUMNS]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// The cell of a value that may be missing.
pub(crate) fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}
