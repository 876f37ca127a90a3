//! Wake-ups in a drawing of characters: from who woke a thread down, or up, to the thread's upper line.
//!
//! ```text
//!   who woke  ██▏                          ↑
//!               │                  woken   ███▌
//!   another     │                  another │
//!               ↓                          │
//!   woken       ███▌               who woke▉
//! ```
//! They cover nothing but empty places: what a thread did is more than by whom it was woken.

use super::{Drawing, Line, Paint};
use crate::timeline::Woken;

/// With more wake-ups than a part of the columns, none is drawn.
const PART: usize = 4;

impl Drawing<'_> {
    fn wakes(&self) -> &[Woken] {
        self.timeline.drawn_wakes(self.count / PART)
    }

    /// Whether there are wake-ups that aren't drawn.
    pub(super) fn has_too_many_wakes(&self) -> bool {
        self.timeline.wakes.len() > self.wakes().len()
    }

    /// Whether a wake-up of a row is drawn.
    pub(super) fn is_woken(&self, row: usize) -> bool {
        self.wakes().iter().any(|woken| woken.row == row)
    }

    /// Whether wake-ups are drawn from above, or from below.
    pub(super) fn wakes_whom(&self, is_from_above: bool) -> bool {
        self.wakes().iter().any(|woken| woken.by != woken.row && (woken.by < woken.row) == is_from_above)
    }

    /// Draws the wake-ups into lines; `rows` has the first and the last line of each row.
    pub(super) fn draw_wakes(&self, lines: &mut [Line], rows: &[(usize, usize)]) {
        for woken in self.wakes() {
            let (Some(by), Some(own)) = (rows.get(woken.by), rows.get(woken.row)) else { continue };
            let column = self.at(woken.at);
            // From the line behind the one with the bar of who did it.
            let (between, tip) = match woken.by < woken.row {
                true => (by.1.saturating_add(1)..own.0, self.glyphs.woken[0]),
                false => (own.1..by.1, self.glyphs.woken[1]),
            };
            for line in lines.get_mut(between).unwrap_or_default() {
                self.put_if_empty(line, column, self.glyphs.wake);
            }
            if let Some(line) = lines.get_mut(own.0) {
                self.put_if_empty(line, column, tip);
            }
        }
    }

    fn put_if_empty(&self, line: &mut Line, column: usize, glyph: char) {
        let empty = [' ', self.glyphs.grid, self.glyphs.logical, self.glyphs.wake];
        if empty.contains(&line.at(column)) {
            line.put(column, glyph, Paint::Wake);
        }
    }
}
