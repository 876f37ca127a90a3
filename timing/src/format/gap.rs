//! The gap between two words: line breaks and comments.

/// The gap between two words.
#[derive(Debug, Default)]
pub(super) struct Gap<'a> {
    pub(super) comments: Vec<Comment<'a>>,
    /// Line breaks between the last comment, or else the previous word, and the next word.
    pub(super) breaks: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'a> {
    pub(super) text: &'a str,
    /// Line breaks before it.
    pub(super) breaks: usize,
    /// Line breaks after it, up to the next comment or word; at least one for a comment that ends its line.
    pub(super) behind: usize,
}

impl<'a> Gap<'a> {
    /// Parses the blanks and comments that the lexer skips.
    pub(super) fn of(mut text: &'a str) -> Gap<'a> {
        let mut gap = Gap::default();
        loop {
            let start = text.find('/').unwrap_or(text.len());
            gap.breaks += text.get(..start).unwrap_or("").matches('\n').count();
            let rest = text.get(start..).unwrap_or("");
            if let Some(last) = gap.comments.last_mut() {
                last.behind = gap.breaks;
            }
            if rest.is_empty() {
                return gap;
            }
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            };
            let (comment, behind) = rest.split_at(length);
            gap.comments.push(Comment { text: comment.trim_end(), breaks: gap.breaks, behind: 0 });
            gap.breaks = 0;
            text = behind;
        }
    }
}

impl Comment<'_> {
    /// Whether it always extends to the end of its line.
    pub(super) fn ends_line(self) -> bool {
        self.text.starts_with("//")
    }
}
