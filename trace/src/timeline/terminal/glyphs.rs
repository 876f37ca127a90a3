//! The characters of a drawing, with and without Unicode.

/// One character for each thing in a drawing.
pub(super) struct Glyphs {
    /// Left corner and right corner of the upper border.
    pub(super) top: [char; 2],
    /// The ends of a divider.
    pub(super) middle: [char; 2],
    /// Left corner and right corner of the lower border.
    pub(super) bottom: [char; 2],
    pub(super) line: char,
    pub(super) side: char,
    pub(super) tick: char,
    pub(super) grid: char,
    pub(super) preempted: char,
    pub(super) logical: char,
    pub(super) release: char,
    pub(super) deadline: char,
    pub(super) both: char,
    /// At a thread that another one woke: who did is above, or below.
    pub(super) woken: [char; 2],
    /// From there to who did.
    pub(super) wake: char,
    pub(super) driver: char,
    pub(super) trouble: char,
    pub(super) lost: char,
    pub(super) ellipsis: char,
    /// A column covered from its left side, by one to eight eighths.
    from_left: [char; 8],
    /// A column covered up to its right side, by one to eight eighths.
    to_right: [char; 8],
}

pub(super) const UNICODE: Glyphs = Glyphs {
    top: ['┌', '┐'],
    middle: ['├', '┤'],
    bottom: ['└', '┘'],
    line: '─',
    side: '│',
    tick: '┬',
    grid: '┊',
    preempted: '░',
    logical: '╌',
    release: '▲',
    deadline: '▼',
    both: '◆',
    woken: ['↓', '↑'],
    wake: '│',
    driver: '●',
    trouble: '✗',
    lost: '╳',
    ellipsis: '…',
    from_left: ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'],
    to_right: ['▕', '▕', '▐', '▐', '▐', '█', '█', '█'],
};

pub(super) const ASCII: Glyphs = Glyphs {
    top: ['+', '+'],
    middle: ['+', '+'],
    bottom: ['+', '+'],
    line: '-',
    side: '|',
    tick: '+',
    grid: ' ',
    preempted: '.',
    logical: '-',
    release: '^',
    deadline: 'v',
    both: '*',
    woken: ['V', 'A'],
    wake: '|',
    driver: 'o',
    trouble: '!',
    lost: 'x',
    ellipsis: '~',
    from_left: [':', ':', ':', '#', '#', '#', '#', '#'],
    to_right: [':', ':', ':', '#', '#', '#', '#', '#'],
};

/// The covered part of a column, in eighths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Where the first stretch begins.
    pub(super) from: usize,
    /// Where the last stretch ends.
    pub(super) to: usize,
    /// The total length of all stretches.
    pub(super) covered: usize,
}

impl Glyphs {
    pub(super) fn full(&self) -> char {
        self.from_left[7]
    }

    /// The character closest to the covered part of a column; however small, it stays visible.
    pub(super) fn running(&self, part: Part) -> Option<char> {
        let eighths = if part.to == 8 && part.from > 0 { &self.to_right } else { &self.from_left };
        eighths.get(part.covered.clamp(1, 8) - 1).copied()
    }
}
