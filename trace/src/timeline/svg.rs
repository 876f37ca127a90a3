//! A timeline as SVG: one self-contained file, readable on light and dark backgrounds.
//!
//! Each thread's solid bars show when it had the processor. The thin boxes behind them are the logical
//! execution times that the timing program promises. The bars may move within the boxes.

pub mod curves;
mod document;
mod legend;

use beryl_abi::Instant;

use super::ruler::Scale;
use super::{Arrows, DriverRow, Interval, Row, TROUBLES_SHOWN, Timeline, Trouble, Woken, shortened};
use document::{Document, Tenths};

/// The width of the drawing in pixels.
const WIDTH: usize = 1200;
/// Space at the right, for marks at the end of the window.
const RIGHT: usize = 36;
/// Where the rows begin, below title and ruler.
const TOP: usize = 92;
/// The height of a heading.
const HEADING: usize = 30;
/// The height of a thread's row.
const ROW: usize = 52;
/// The height of the box of a logical execution time.
const BOX: usize = 34;
/// The height of a bar.
const BAR: usize = 16;
/// The height of a driver's row.
const DRIVER: usize = 24;
/// The height of a line about a trouble.
const TROUBLE: usize = 20;
/// The approximate width of a character in the names.
const CHARACTER: usize = 8;
/// With more wake-ups than this, none is drawn.
const WAKES: usize = 200;
/// The number of colours for processes; with more processes, colours repeat.
const COLOURS: usize = 6;

/// The timeline as an SVG document.
#[must_use]
pub fn render(timeline: &Timeline) -> String {
    let mut drawing = Drawing::new(timeline);
    let bottom = drawing.rows_end();
    drawing.grid(bottom);
    drawing.gaps(bottom);
    let mut y = TOP;
    let mut rows = Vec::new();
    for (index, group) in timeline.groups.iter().enumerate() {
        if !group.name.is_empty() {
            y = drawing.heading(&group.name, y);
        }
        for row in &group.rows {
            drawing.row(row, y, index % COLOURS);
            rows.push(y);
            y += ROW;
        }
    }
    timeline.drawn_wakes(WAKES).iter().for_each(|woken| drawing.wake(woken, &rows));
    if !timeline.drivers.is_empty() {
        y = drawing.heading("drivers, in logical time", y);
    }
    for row in &timeline.drivers {
        drawing.driver(row, y);
        y += DRIVER;
    }
    let y = drawing.troubles(bottom + 26);
    let height = legend::draw(&mut drawing.document, timeline, drawing.left, y);
    drawing.document.finish(WIDTH, height, &timeline.title, &timeline.subtitle())
}

struct Drawing<'a> {
    timeline: &'a Timeline,
    document: Document,
    /// Where the names end and the time axis begins.
    left: usize,
    /// Maps time to tenths of a pixel.
    scale: Scale,
}

impl<'a> Drawing<'a> {
    fn new(timeline: &'a Timeline) -> Drawing<'a> {
        let names = timeline.rows().map(|row| &row.name).chain(timeline.drivers.iter().map(|row| &row.name));
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let left = (longest * CHARACTER + 48).clamp(120, 260);
        let (from, to) = (timeline.logical(timeline.from), timeline.logical(timeline.to));
        let scale = Scale::new(from, to, (WIDTH - RIGHT - left) * 10);
        Drawing { timeline, document: Document::default(), left, scale }
    }

    fn rows_end(&self) -> usize {
        let timeline = self.timeline;
        let headings = timeline.groups.iter().filter(|group| !group.name.is_empty()).count();
        let drivers = timeline.drivers.len();
        let all_headings = headings + usize::from(drivers > 0);
        TOP + all_headings * HEADING + timeline.rows().count() * ROW + drivers * DRIVER
    }

    fn x(&self, at: Instant) -> Tenths {
        self.position(self.timeline.logical(at))
    }

    fn position(&self, at: crate::LogicalInstant) -> Tenths {
        Tenths(self.left * 10 + self.scale.position(at))
    }

    fn name(&mut self, name: &str, y: usize) {
        let room = (self.left - 40) / CHARACTER;
        self.document.text("name", Tenths::pixels(32), y, &shortened(name, room, '…'), Some(name));
    }

    fn grid(&mut self, bottom: usize) {
        let (unit, ticks) = self.scale.ticks(700, 80);
        self.document.text("unit", Tenths::pixels(self.left - 12), TOP - 14, unit.name(), None);
        for (at, label) in ticks {
            let x = self.position(at);
            self.document.line("grid", x, TOP - 8, x, bottom);
            self.document.text("tick", x, TOP - 14, &label, None);
        }
        let (start, end) = (Tenths::pixels(self.left), Tenths::pixels(WIDTH - RIGHT));
        self.document.line("axis", start, TOP - 8, end, TOP - 8);
    }

    /// Lost notes, across all rows.
    fn gaps(&mut self, bottom: usize) {
        for gap in &self.timeline.gaps {
            let span = Interval { from: gap.from, to: gap.to };
            let title = format!("{}: nothing is told {}", gap.words(), self.describe(&span));
            self.bar("lost", &span, TOP - 8, bottom + 8 - TOP, &title);
        }
    }

    fn heading(&mut self, name: &str, y: usize) -> usize {
        self.document.line("rule", Tenths::pixels(20), y + 4, Tenths::pixels(WIDTH - RIGHT), y + 4);
        self.document.text("group", Tenths::pixels(20), y + 21, &shortened(name, 60, '…'), None);
        y + HEADING
    }

    fn row(&mut self, row: &Row, y: usize, colour: usize) {
        // The space above the box is for the labels of troubles.
        let top = y + ROW - BOX - 4;
        let bar = top + (BOX - BAR) / 2;
        self.name(&row.name, bar + BAR / 2 + 5);
        for span in &row.logical {
            let title = format!("{}: logical execution time {}", row.name, self.describe(span));
            self.bar(&format!("logical c{colour}"), span, top, BOX, &title);
        }
        for span in &row.preempted {
            let title = format!("{}: waiting for the processor {}", row.name, self.describe(span));
            self.bar(&format!("waiting c{colour}"), span, bar + BAR / 2 - 2, 4, &title);
        }
        for span in &row.running {
            let title = format!("{}: running {}", row.name, self.describe(span));
            self.bar(&format!("running c{colour}"), span, bar, BAR, &title);
        }
        for at in &row.completions {
            let title = format!("{}: completed at {}", row.name, self.timeline.logical(*at));
            self.document.completion(self.x(*at), bar - 3, bar + BAR + 3, &title);
        }
        for at in &row.releases {
            let title = format!("{}: released at {}", row.name, self.timeline.logical(*at));
            self.document.release(self.x(*at), top + BOX, &title);
        }
        for at in &row.deadlines {
            let title = format!("{}: deadline at {}", row.name, self.timeline.logical(*at));
            self.document.deadline(self.x(*at), top, &title);
        }
        row.troubles.iter().for_each(|trouble| self.trouble(trouble, &row.name, y, top + BOX));
    }

    /// From the bar of who woke a thread to where that one's next bar begins; `rows` are the upper edges of all rows.
    fn wake(&mut self, woken: &Woken, rows: &[usize]) {
        let ([Some(by), Some(own)], [Some(from), Some(to)]) = (
            [woken.by, woken.row].map(|row| self.timeline.rows().nth(row).map(|row| row.name.clone())),
            [woken.by, woken.row].map(|row| rows.get(row).map(|y| y + ROW - 4 - (BOX + BAR) / 2)),
        ) else {
            return;
        };
        let (from, to) = if from < to { (from + BAR, to) } else { (from, to + BAR) };
        let (at, runs) = (self.timeline.logical(woken.at), self.timeline.logical(woken.runs));
        let title = match self.timeline.arrows {
            Arrows::Wakes => format!("{by} woke {own} at {at}; it ran from {runs}"),
            Arrows::Messages => format!("{by} sent something at {at}; {own} has it from {runs} on"),
        };
        self.document.wake((self.x(woken.at), from), (self.x(woken.runs), to), &title);
    }

    fn bar(&mut self, class: &str, span: &Interval, y: usize, height: usize, title: &str) {
        let (from, to) = (self.x(span.from), self.x(span.to));
        // However short it was, it stays visible.
        self.document.bar(class, from, Tenths((to.0 - from.0).max(8)), y, height, title);
    }

    fn describe(&self, span: &Interval) -> String {
        let (from, to) = (self.timeline.logical(span.from), self.timeline.logical(span.to));
        format!("from {from} to {to} ({})", to.since(from))
    }

    fn trouble(&mut self, trouble: &Trouble, row: &str, top: usize, bottom: usize) {
        let x = self.x(trouble.at);
        let title = format!("{row}: {}, at {}", trouble.words, self.timeline.logical(trouble.at));
        let is_near_the_end = x.0 + 1300 > (WIDTH - RIGHT) * 10;
        self.document.trouble(x, top, bottom, &trouble.label, is_near_the_end, &title);
    }

    /// All troubles in words, from `y` on; returns where the next line may go.
    fn troubles(&mut self, mut y: usize) -> usize {
        let troubles = self.timeline.all_troubles();
        let room = (WIDTH - RIGHT - self.left) / (CHARACTER - 1);
        for (at, words) in troubles.iter().take(TROUBLES_SHOWN) {
            let text = format!("{} · {words}", self.timeline.logical(*at));
            self.document.text("report", Tenths::pixels(self.left), y, &shortened(&text, room, '…'), None);
            y += TROUBLE;
        }
        if let Some(rest) = troubles.len().checked_sub(TROUBLES_SHOWN).filter(|rest| *rest > 0) {
            self.document.text("report", Tenths::pixels(self.left), y, &format!("and {rest} more"), None);
            y += TROUBLE;
        }
        for (at, words) in self.timeline.all_gaps() {
            let text = format!("{} · {words}", self.timeline.logical(at));
            self.document.text("report", Tenths::pixels(self.left), y, &shortened(&text, room, '…'), None);
            y += TROUBLE;
        }
        y + 6
    }

    fn driver(&mut self, row: &DriverRow, y: usize) {
        self.name(&row.name, y + DRIVER / 2 + 5);
        let middle = y + DRIVER / 2;
        let places: Vec<Tenths> = row.marks.iter().map(|mark| self.x(mark.at)).collect();
        for (index, mark) in row.marks.iter().enumerate() {
            let x = places[index];
            let title = format!("{} = {} at {}", row.name, mark.value, self.timeline.logical(mark.at));
            self.document.driver(x, middle, &title);
            let next = places.get(index + 1).map_or((WIDTH - 4) * 10, |next| next.0);
            let room = next.saturating_sub(x.0 + 200) / 70;
            // A value is printed beside its mark if it fits completely; the tooltip has it in any case.
            if mark.value.chars().count() <= room.min(24) {
                self.document.text("value", Tenths(x.0 + 90), middle + 4, &mark.value, None);
            }
        }
    }
}
