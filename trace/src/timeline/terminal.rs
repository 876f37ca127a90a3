//! A timeline drawn with characters: a framed box, two lines per thread.
//!
//! A thread's upper line shows releases, deadlines and, between them, the logical execution time; the lower
//! one shows when the thread really had the processor.

mod canvas;
pub mod curves;
mod glyphs;
mod wakes;

use beryl_abi::Instant;

use super::ruler::{Scale, Unit};
use super::{Interval, Row, TROUBLES_SHOWN, Timeline, shortened};
use canvas::{Line, Paint};
use glyphs::Glyphs;

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The width of the box in columns; at least [`Options::NARROWEST`] are used.
    pub width: usize,
    /// Whether to use only ASCII.
    pub ascii: bool,
    /// Whether to colour the drawing with escape sequences.
    pub colour: bool,
}

impl Options {
    /// The narrowest box.
    pub const NARROWEST: usize = 60;
}

/// The timeline as lines of text, each with a line feed.
#[must_use]
pub fn render(timeline: &Timeline, options: Options) -> String {
    let glyphs = if options.ascii { &glyphs::ASCII } else { &glyphs::UNICODE };
    let drawing = Drawing::new(timeline, glyphs, options.width.max(Options::NARROWEST));
    drawing.lines().iter().map(|line| line.to_text(options.colour) + "\n").collect()
}

struct Drawing<'a> {
    timeline: &'a Timeline,
    glyphs: &'a Glyphs,
    width: usize,
    /// Columns of the names at the left.
    names: usize,
    /// Maps time to columns.
    columns: Scale,
    /// Maps time to eighths of a column.
    eighths: Scale,
    /// The columns of the grid; the end of the window takes one more.
    count: usize,
    unit: Unit,
    ruler: Vec<(usize, String)>,
}

impl<'a> Drawing<'a> {
    fn new(timeline: &'a Timeline, glyphs: &'a Glyphs, width: usize) -> Drawing<'a> {
        let inner = width - 4;
        let names = longest_name(timeline).clamp(8, inner / 4);
        let count = inner - names - 2;
        let (from, to) = (timeline.logical(timeline.from), timeline.logical(timeline.to));
        let columns = Scale::new(from, to, count);
        let (unit, ticks) = columns.ticks(8, 1);
        let ruler = ticks.into_iter().map(|(at, label)| (columns.position(at), label)).collect();
        Drawing {
            timeline,
            glyphs,
            width,
            names,
            columns,
            eighths: Scale::new(from, to, count * 8),
            count,
            unit,
            ruler,
        }
    }

    fn lines(&self) -> Vec<Line> {
        let mut lines = vec![self.top(), self.labels(), self.ticks()];
        if !self.timeline.gaps.is_empty() {
            lines.push(self.gaps());
        }
        let mut rows = Vec::new();
        for group in &self.timeline.groups {
            if !group.name.is_empty() {
                lines.push(self.heading(&group.name));
            }
            for row in &group.rows {
                let own = self.row(row, self.is_woken(rows.len()));
                rows.push((lines.len(), lines.len() + own.len() - 1));
                lines.extend(own);
            }
        }
        self.draw_wakes(&mut lines, &rows);
        if !self.timeline.drivers.is_empty() {
            lines.push(self.heading("drivers"));
        }
        lines.extend(self.timeline.drivers.iter().map(|row| self.driver(row)));
        lines.push(self.divider());
        lines.extend(self.troubles());
        lines.extend(self.legend());
        lines.push(self.border(self.glyphs.bottom));
        lines
    }

    /// The upper border with the title and the window in it.
    fn top(&self) -> Line {
        let mut line = self.border(self.glyphs.top);
        let window = self.timeline.subtitle();
        let room = self.width.saturating_sub(window.chars().count() + 12);
        let title = shortened(&self.timeline.title, room, self.glyphs.ellipsis);
        let after = line.write(2, &format!(" {title} "), Paint::Strong);
        line.write(after, &format!("{} {window} ", self.glyphs.line), Paint::Frame);
        line
    }

    fn border(&self, [left, right]: [char; 2]) -> Line {
        let mut line = Line::blank(self.width);
        (0..self.width).for_each(|column| line.put(column, self.glyphs.line, Paint::Frame));
        line.put(0, left, Paint::Frame);
        line.put(self.width - 1, right, Paint::Frame);
        line
    }

    fn divider(&self) -> Line {
        self.border(self.glyphs.middle)
    }

    /// An empty line within the frame.
    fn framed(&self) -> Line {
        let mut line = Line::blank(self.width);
        line.put(0, self.glyphs.side, Paint::Frame);
        line.put(self.width - 1, self.glyphs.side, Paint::Frame);
        line
    }

    /// A framed line that shows the ruler's instants.
    fn with_grid(&self) -> Line {
        let mut line = self.framed();
        self.ruler
            .iter()
            .for_each(|(column, _)| line.put(self.place(*column), self.glyphs.grid, Paint::Frame));
        line
    }

    /// The position of a grid column within a line.
    fn place(&self, column: usize) -> usize {
        2 + self.names + 1 + column
    }

    fn at(&self, instant: Instant) -> usize {
        self.place(self.columns.position(self.timeline.logical(instant)))
    }

    fn labels(&self) -> Line {
        let mut line = self.framed();
        let unit = self.unit.name();
        line.write(2 + self.names - unit.len(), unit, Paint::Frame);
        for (column, label) in &self.ruler {
            let centred = self.place(*column).saturating_sub(label.len() / 2);
            let start = centred.min(self.width - 2 - label.len()).max(self.place(0).min(self.place(*column)));
            line.write(start, label, Paint::Plain);
        }
        line
    }

    fn ticks(&self) -> Line {
        let mut line = self.framed();
        (0..=self.count).for_each(|column| line.put(self.place(column), self.glyphs.line, Paint::Frame));
        self.ruler
            .iter()
            .for_each(|(column, _)| line.put(self.place(*column), self.glyphs.tick, Paint::Frame));
        line
    }

    /// Lost notes.
    fn gaps(&self) -> Line {
        let mut line = self.framed();
        line.write(2, &shortened("not told", self.names, self.glyphs.ellipsis), Paint::Trouble);
        for gap in &self.timeline.gaps {
            let (first, last) = self.covered(&Interval { from: gap.from, to: gap.to });
            let columns = (first / 8)..=(last.saturating_sub(1) / 8);
            columns.for_each(|column| line.put(self.place(column), self.glyphs.lost, Paint::Trouble));
        }
        line
    }

    fn heading(&self, name: &str) -> Line {
        let mut line = self.with_grid();
        line.write(2, &shortened(name, self.names, self.glyphs.ellipsis), Paint::Strong);
        line
    }

    fn name(&self, line: &mut Line, name: &str) {
        line.write(4, &shortened(name, self.names - 2, self.glyphs.ellipsis), Paint::Plain);
    }

    fn row(&self, row: &Row, is_woken: bool) -> Vec<Line> {
        let mut lines = Vec::new();
        if !(row.logical.is_empty()
            && row.releases.is_empty()
            && row.deadlines.is_empty()
            && row.troubles.is_empty()
            && !is_woken)
        {
            lines.push(self.marks(row));
        }
        lines.push(self.bars(row));
        lines
    }

    fn marks(&self, row: &Row) -> Line {
        let mut line = self.with_grid();
        for span in &row.logical {
            (self.at(span.from)..self.at(span.to))
                .for_each(|column| line.put(column, self.glyphs.logical, Paint::Frame));
        }
        for release in &row.releases {
            line.put(self.at(*release), self.glyphs.release, Paint::Release);
        }
        for deadline in &row.deadlines {
            let column = self.at(*deadline);
            let both = row.releases.iter().any(|release| self.at(*release) == column);
            line.put(column, if both { self.glyphs.both } else { self.glyphs.deadline }, Paint::Deadline);
        }
        for trouble in &row.troubles {
            line.put(self.at(trouble.at), self.glyphs.trouble, Paint::Trouble);
        }
        line
    }

    fn bars(&self, row: &Row) -> Line {
        let mut line = self.with_grid();
        self.name(&mut line, &row.name);
        for waiting in &row.preempted {
            let (first, last) = self.covered(waiting);
            let cells = (first / 8)..=(last.saturating_sub(1) / 8);
            cells.for_each(|column| line.put(self.place(column), self.glyphs.preempted, Paint::Preempted));
        }
        for (column, part) in self.parts(&row.running).into_iter().enumerate() {
            if let Some(glyph) = part.and_then(|part| self.glyphs.running(part)) {
                line.put(self.place(column), glyph, Paint::Running);
            }
        }
        line
    }

    /// The eighths of columns that an interval covers, at least one.
    fn covered(&self, interval: &Interval) -> (usize, usize) {
        let [from, to] =
            [interval.from, interval.to].map(|at| self.eighths.position(self.timeline.logical(at)));
        (from, to.max(from + 1))
    }

    /// For each column, the covered part.
    fn parts(&self, intervals: &[Interval]) -> Vec<Option<glyphs::Part>> {
        let mut parts: Vec<Option<glyphs::Part>> = vec![None; self.count + 1];
        for interval in intervals {
            let (first, last) = self.covered(interval);
            for (column, part) in parts.iter_mut().enumerate().take(last.div_ceil(8)).skip(first / 8) {
                let (from, to) = (first.max(column * 8) - column * 8, last.min(column * 8 + 8) - column * 8);
                let before = part.unwrap_or(glyphs::Part { from, to, covered: 0 });
                *part = Some(glyphs::Part {
                    from: before.from.min(from),
                    to: before.to.max(to),
                    covered: before.covered + (to - from),
                });
            }
        }
        parts
    }

    fn driver(&self, row: &super::DriverRow) -> Line {
        let mut line = self.with_grid();
        self.name(&mut line, &row.name);
        row.marks.iter().for_each(|mark| line.put(self.at(mark.at), self.glyphs.driver, Paint::Driver));
        line
    }

    fn troubles(&self) -> Vec<Line> {
        let troubles = self.timeline.all_troubles();
        let shown = troubles.iter().take(TROUBLES_SHOWN);
        let mut texts: Vec<String> = shown
            .map(|(at, words)| format!("{} {}  {words}", self.glyphs.trouble, self.timeline.logical(*at)))
            .collect();
        if let Some(rest) = troubles.len().checked_sub(TROUBLES_SHOWN).filter(|rest| *rest > 0) {
            texts.push(format!("  and {rest} more"));
        }
        let gaps = self.timeline.all_gaps();
        texts.extend(
            gaps.iter()
                .map(|(at, words)| format!("{} {}  {words}", self.glyphs.lost, self.timeline.logical(*at))),
        );
        texts.iter().flat_map(|text| self.wrapped(text.split(' '), " ", "  ", Paint::Trouble)).collect()
    }

    /// Explains all signs that occur in the drawing.
    fn legend(&self) -> Vec<Line> {
        let any = |has: fn(&Row) -> bool| self.timeline.rows().any(has);
        let [from_above, from_below, _, too_many] = self.timeline.arrows.words();
        let entries = [
            (self.glyphs.full(), "running", any(|row| !row.running.is_empty())),
            (self.glyphs.preempted, "waiting for the processor", any(|row| !row.preempted.is_empty())),
            (self.glyphs.logical, "logical execution time", any(|row| !row.logical.is_empty())),
            (self.glyphs.release, "release", any(|row| !row.releases.is_empty())),
            (self.glyphs.deadline, "deadline", any(|row| !row.deadlines.is_empty())),
            (
                self.glyphs.both,
                "deadline and release",
                any(|row| row.deadlines.iter().any(|at| row.releases.contains(at))),
            ),
            (self.glyphs.woken[0], from_above, self.wakes_whom(true)),
            (self.glyphs.woken[1], from_below, self.wakes_whom(false)),
            (self.glyphs.ellipsis, too_many, self.has_too_many_wakes()),
            (self.glyphs.driver, "driver", !self.timeline.drivers.is_empty()),
            (self.glyphs.trouble, "violation, miss or fault", any(|row| !row.troubles.is_empty())),
            (self.glyphs.lost, "notes were lost", !self.timeline.gaps.is_empty()),
        ];
        let shown = entries.into_iter().filter(|(.., shown)| *shown);
        let texts: Vec<String> = shown.map(|(glyph, meaning, _)| format!("{glyph} {meaning}")).collect();
        self.wrapped(texts.iter().map(String::as_str), "   ", "", Paint::Frame)
    }

    /// Words, as many per line as fit; `indent` begins all lines but the first.
    fn wrapped<'t>(
        &self,
        words: impl Iterator<Item = &'t str>,
        between: &str,
        indent: &str,
        paint: Paint,
    ) -> Vec<Line> {
        let room = self.width - 4;
        let mut texts: Vec<String> = Vec::new();
        for word in words {
            let word = shortened(word, room, self.glyphs.ellipsis);
            match texts.last_mut() {
                Some(text) if text.chars().count() + between.len() + word.chars().count() <= room => {
                    text.push_str(between);
                    text.push_str(&word);
                }
                Some(_) => texts.push(shortened(&format!("{indent}{word}"), room, self.glyphs.ellipsis)),
                None => texts.push(word),
            }
        }
        let line = |text: String| {
            let mut line = self.framed();
            line.write(2, &text, paint);
            line
        };
        texts.into_iter().map(line).collect()
    }
}

fn longest_name(timeline: &Timeline) -> usize {
    let groups = timeline.groups.iter().map(|group| group.name.chars().count());
    let rows = timeline.rows().map(|row| row.name.chars().count() + 2);
    let drivers = timeline.drivers.iter().map(|row| row.name.chars().count() + 2);
    groups.chain(rows).chain(drivers).max().unwrap_or(0)
}
