//! Rust source taken apart into code and comments, line by line, with nothing left that could be mistaken for
//! code.

/// One line of source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The code; strings and characters are emptied.
    pub code: String,
    /// The text of a line comment, without the slashes.
    pub comment: String,
}

/// What the reader is in the middle of.
enum Inside {
    Code,
    LineComment,
    BlockComment(u32),
    Text,
    RawText(usize),
}

/// Takes `text` apart.
pub fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = Line::default();
    let mut inside = Inside::Code;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = match inside {
            _ if character == '\n' => {
                lines.push(std::mem::take(&mut line));
                if matches!(inside, Inside::LineComment) {
                    inside = Inside::Code;
                }
                1
            }
            Inside::Code => code(rest, &mut inside, &mut line),
            Inside::LineComment => {
                line.comment.push(character);
                character.len_utf8()
            }
            Inside::BlockComment(depth) => block_comment(rest, depth, &mut inside),
            Inside::Text => string(rest, &mut inside),
            Inside::RawText(hashes) => raw_string(rest, hashes, &mut inside),
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    lines.push(line);
    lines
}

/// Each reader takes what it can at the front of `rest` and says how many bytes that was.
fn code(rest: &str, inside: &mut Inside, line: &mut Line) -> usize {
    if rest.starts_with("//") {
        *inside = Inside::LineComment;
        return 2;
    }
    if rest.starts_with("/*") {
        *inside = Inside::BlockComment(1);
        return 2;
    }
    if let Some(hashes) = raw_string_start(rest, &line.code) {
        *inside = Inside::RawText(hashes);
        return hashes + 2;
    }
    if rest.starts_with('"') {
        *inside = Inside::Text;
        return 1;
    }
    if let Some(length) = character_literal(rest) {
        return length;
    }
    let character = rest.chars().next().unwrap_or_default();
    line.code.push(character);
    character.len_utf8()
}

fn block_comment(rest: &str, depth: u32, inside: &mut Inside) -> usize {
    let (depth, length) = match rest {
        _ if rest.starts_with("/*") => (depth + 1, 2),
        _ if rest.starts_with("*/") => (depth - 1, 2),
        _ => (depth, first_length(rest)),
    };
    *inside = if depth == 0 { Inside::Code } else { Inside::BlockComment(depth) };
    length
}

fn string(rest: &str, inside: &mut Inside) -> usize {
    if let Some(escaped) = rest.strip_prefix('\\') {
        // An escaped line end must still be seen as one.
        return if escaped.starts_with('\n') { 1 } else { 1 + first_length(escaped) };
    }
    if rest.starts_with('"') {
        *inside = Inside::Code;
    }
    first_length(rest)
}

fn raw_string(rest: &str, hashes: usize, inside: &mut Inside) -> usize {
    let end = rest.strip_prefix('"').map(|rest| rest.bytes().take_while(|byte| *byte == b'#').count());
    if end.is_some_and(|end| end >= hashes) {
        *inside = Inside::Code;
        return hashes + 1;
    }
    first_length(rest)
}

/// The hashes of a raw string that begins here; `before` tells `r` from the end of a word.
fn raw_string_start(rest: &str, before: &str) -> Option<usize> {
    let rest = rest.strip_prefix('r')?;
    if before.trim_end_matches('b').ends_with(|last: char| last.is_alphanumeric() || last == '_') {
        return None;
    }
    let hashes = rest.bytes().take_while(|byte| *byte == b'#').count();
    rest[hashes..].starts_with('"').then_some(hashes)
}

/// The length of a character literal; a lifetime is none.
fn character_literal(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('\'')?;
    if let Some(escape) = inner.strip_prefix('\\') {
        let skipped = first_length(escape);
        let end = escape.get(skipped..)?.find('\'')?;
        return Some(2 + skipped + end + 1);
    }
    let length = first_length(inner);
    inner.get(length..)?.starts_with('\'').then_some(length + 2)
}

fn first_length(rest: &str) -> usize {
    rest.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_comments_are_no_code() {
        let text = "a(\"} // no\", '}', '\\'', 'x) /* { /* { */ */ b // bound: 4\n\
            r#\"}\n\"}\"# c \"\\\"}\" d\nfor\"\"";
        let code: Vec<String> = lines(text).into_iter().map(|line| line.code).collect();
        assert_eq!(code, ["a(, , , 'x)  b ", "", " c  d", "for"]);
        assert_eq!(lines(text)[0].comment, " bound: 4");
    }
}
