//! Curves in a terminal: one below the other over the same time, drawn with dots of braille, two across and four down in a
//! character.

use super::canvas::{Line, Paint};
use super::glyphs::{Glyphs, UNICODE};
use crate::clock::LogicalInstant;
use crate::curve::{Curve, Seen, position};
use crate::timeline::ruler::Scale;
use crate::timeline::shortened;

/// Characters from the least to the greatest value.
const HEIGHT: usize = 4;
const DOTS: usize = HEIGHT * 4;
/// The first character of braille, without dots, and the bits of the dots, row by row.
const BLANK: u32 = 0x2800;
const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// The curves as lines of text, each with a line feed; `width` is that of the terminal.
#[must_use]
pub fn render(
    curves: &[Curve],
    (from, to): (LogicalInstant, LogicalInstant),
    width: usize,
    colour: bool,
) -> String {
    let names =
        curves.iter().map(|curve| curve.title().chars().count()).max().unwrap_or(0).clamp(12, width / 3);
    let drawing =
        Drawing { names, count: width.saturating_sub(names + 2).max(8), from, to, glyphs: &UNICODE };
    let lines = [drawing.ruler()].into_iter().chain(curves.iter().flat_map(|curve| drawing.curve(curve)));
    lines.map(|line| line.to_text(colour).trim_end().to_owned() + "\n").collect()
}

struct Drawing<'a> {
    /// Columns of the names at the left.
    names: usize,
    /// Columns of the curves.
    count: usize,
    from: LogicalInstant,
    to: LogicalInstant,
    glyphs: &'a Glyphs,
}

impl Drawing<'_> {
    fn blank(&self) -> Line {
        Line::blank(self.names + 2 + self.count)
    }

    fn ruler(&self) -> Line {
        let mut line = self.blank();
        let scale = Scale::new(self.from, self.to, self.count);
        let (unit, ticks) = scale.ticks(8, 1);
        line.write(self.names.saturating_sub(unit.name().len()), unit.name(), Paint::Frame);
        for (at, label) in ticks {
            let column = self.names + 2 + scale.position(at);
            line.write(column, &format!("{}{label}", self.glyphs.side), Paint::Frame);
        }
        line
    }

    /// Its name beside the greatest value, and the least at the bottom.
    fn curve(&self, curve: &Curve) -> Vec<Line> {
        let mut lines = vec![self.blank(); HEIGHT + 1];
        let Some(seen) = curve.seen(self.from, self.to) else {
            let words = format!("{}: no value in this window", curve.title());
            lines.truncate(1);
            lines.iter_mut().for_each(|line| {
                line.write(0, &words, Paint::Plain);
            });
            return lines;
        };
        let texts = [
            (0, shortened(&curve.title(), self.names, self.glyphs.ellipsis), Paint::Strong),
            (1, format!("to   {}", seen.most), Paint::Frame),
            (HEIGHT - 1, format!("from {}", seen.least), Paint::Frame),
        ];
        for (row, text, paint) in texts {
            lines
                .get_mut(row)
                .map(|line| line.write(0, &shortened(&text, self.names, self.glyphs.ellipsis), paint));
        }
        for (row, line) in self.dots(curve, &seen).iter().zip(&mut lines) {
            line.put(self.names, self.glyphs.side, Paint::Frame);
            for (column, bits) in row.iter().enumerate().filter(|(_, bits)| **bits > 0) {
                let dots = char::from_u32(BLANK | bits).unwrap_or(self.glyphs.trouble);
                line.put(self.names + 2 + column, dots, Paint::Running);
            }
        }
        lines
    }

    /// The dots of each character: in a column, all from the least to the greatest value that counts in it.
    fn dots(&self, curve: &Curve, seen: &Seen) -> Vec<Vec<u32>> {
        let range = (seen.least.value(), seen.most.value());
        let mut rows = vec![vec![0_u32; self.count]; HEIGHT];
        for column in 0..self.count * 2 {
            let (begin, end) = (self.instant(column), self.instant(column + 1));
            let Some(own) = curve.seen(begin, end).filter(|_| begin <= curve.end) else { continue };
            let [low, high] = [own.least, own.most].map(|number| position(number.value(), range, DOTS - 1));
            for dot in low..=high {
                let (row, line) = (HEIGHT - 1 - dot / 4, 3 - dot % 4);
                if let Some(cell) = rows.get_mut(row).and_then(|cells| cells.get_mut(column / 2)) {
                    *cell |= BITS[line][column % 2];
                }
            }
        }
        rows
    }

    /// The instant at which a column of dots begins.
    fn instant(&self, column: usize) -> LogicalInstant {
        let span = u128::from(self.to.nanoseconds().saturating_sub(self.from.nanoseconds()));
        let columns = u128::try_from(self.count * 2).unwrap_or(1).max(1);
        let offset = span.saturating_mul(u128::try_from(column).unwrap_or(0)) / columns;
        let offset = u64::try_from(offset).unwrap_or(u64::MAX);
        LogicalInstant::from_nanoseconds(self.from.nanoseconds().saturating_add(offset))
    }
}
