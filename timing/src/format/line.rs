//! The lines of the result, and their alignment.

use std::collections::BTreeMap;

/// The maximum width of a line, if a break is possible.
pub(super) const WIDTH: usize = 110;
const INDENT: usize = 2;

#[derive(Debug, Default)]
pub(super) struct Line {
    /// The number of blocks around it, plus two if it continues a statement.
    pub(super) depth: usize,
    pub(super) text: String,
    /// A comment after the text.
    pub(super) comment: Option<String>,
    /// Whether there is a blank line before it.
    pub(super) blank: bool,
    /// The number of its block, and the length of its first word, if the rest is aligned within the block.
    pub(super) word: Option<(usize, usize)>,
}

impl Line {
    /// Whether the comments of two neighbours are aligned: both have one and are in the same block.
    fn is_beside(&self, next: &Line) -> bool {
        let ends_block = |line: &Line| line.text.ends_with('{') || line.text == "}";
        let has_both = self.comment.is_some() && next.comment.is_some();
        has_both && !next.blank && self.depth == next.depth && !ends_block(self) && !ends_block(next)
    }

    pub(super) fn width(&self) -> usize {
        let last = self.text.rsplit('\n').next().unwrap_or("");
        let indent = if last.len() == self.text.len() { self.depth * INDENT } else { 0 };
        indent + last.chars().count()
    }
}

/// The text of all lines.
pub(super) fn text(mut lines: Vec<Line>) -> String {
    align_words(&mut lines);
    let columns = comment_columns(&lines);
    let mut text = String::new();
    for (line, column) in lines.iter().zip(columns) {
        if line.blank {
            text.push('\n');
        }
        let start = text.len();
        text += &" ".repeat(line.depth * INDENT);
        text += &line.text;
        if let Some(comment) = &line.comment {
            text += &" ".repeat(column.saturating_sub(line.width()).max(1));
            text += comment;
        }
        let end = start + text.get(start..).unwrap_or("").trim_end().len();
        text.truncate(end);
        text.push('\n');
    }
    text
}

fn align_words(lines: &mut [Line]) {
    let mut widest: BTreeMap<usize, usize> = BTreeMap::new();
    for (block, length) in lines.iter().filter_map(|line| line.word) {
        let known = widest.entry(block).or_default();
        *known = length.max(*known);
    }
    for line in lines {
        let Some((block, length)) = line.word else { continue };
        let missing = widest.get(&block).map_or(0, |widest| widest - length);
        line.text.insert_str(length, &" ".repeat(missing));
    }
}

/// The column of each line's comment: two columns after the longest neighbouring line with a comment.
fn comment_columns(lines: &[Line]) -> Vec<usize> {
    let mut columns = vec![0; lines.len()];
    let mut start = 0;
    for end in 1..=lines.len() {
        let pair = lines.get(end - 1).zip(lines.get(end));
        if pair.is_some_and(|(one, next)| one.is_beside(next)) {
            continue;
        }
        let widest = lines.get(start..end).into_iter().flatten().map(Line::width).max().unwrap_or(0);
        columns.get_mut(start..end).into_iter().flatten().for_each(|column| *column = widest + 2);
        start = end;
    }
    columns
}
