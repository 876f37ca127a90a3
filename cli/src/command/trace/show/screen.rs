//! The screen: a ruler, two lines per lane, and details of the instant under the cursor.

use beryl_abi::{Duration, Instant};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::widgets::{Block, Clear, Paragraph, Widget};

use beryl_trace::timeline::ruler::Scale;

use super::lane::Lane;
use super::model::Model;
use super::view::View;

/// The width of the names, in columns.
const NAMES: u16 = 18;
/// Lines above and below the lanes.
const ABOVE: u16 = 2;
const BELOW: u16 = 2;
const COLOURS: [Color; 6] =
    [Color::Blue, Color::Yellow, Color::Green, Color::Magenta, Color::Cyan, Color::Red];

/// Draws the whole screen.
pub fn draw(frame: &mut Frame, model: &Model, view: &mut View, colour: bool) {
    let area = frame.area();
    if area.width < NAMES + 10 || area.height < ABOVE + BELOW + 2 {
        frame.render_widget(Paragraph::new("make the terminal larger"), area);
        return;
    }
    view.columns = u64::from(area.width - NAMES);
    keep_lane_visible(view, area);
    let screen = Screen { model, view, area, colour };
    screen.draw(frame.buffer_mut());
    if let Some((lines, first)) = &view.panel {
        panel(frame, lines, *first);
    }
}

fn keep_lane_visible(view: &mut View, area: Rect) {
    let room = usize::from((area.height - ABOVE - BELOW) / 2).max(1);
    view.top = view.top.clamp(view.lane.saturating_sub(room - 1), view.lane);
}

struct Screen<'a> {
    model: &'a Model,
    view: &'a View,
    area: Rect,
    colour: bool,
}

impl Screen<'_> {
    fn draw(&self, buffer: &mut Buffer) {
        self.ruler(buffer);
        let lines = (self.area.y + ABOVE..self.area.bottom() - BELOW - 1).step_by(2);
        for ((index, lane), y) in self.model.lanes.iter().enumerate().skip(self.view.top).zip(lines) {
            self.lane(buffer, index, lane, y);
        }
        self.cursor(buffer);
        self.foot(buffer);
    }

    /// The instants at which a column begins and ends.
    fn column(&self, column: u16) -> (Instant, Instant) {
        let length = u128::from(self.view.length().ticks());
        let offset = |column: u64| {
            let ticks = length * u128::from(column) / u128::from(self.view.columns);
            self.view.from.after(Duration::from_ticks(u64::try_from(ticks).unwrap_or(u64::MAX)))
        };
        let (from, to) = (offset(column.into()), offset(u64::from(column) + 1));
        (from, to.max(from.after(Duration::from_ticks(1))))
    }

    fn columns(&self) -> impl Iterator<Item = (u16, Instant, Instant)> {
        (0..self.area.width - NAMES).map(|column| {
            let (from, to) = self.column(column);
            (self.area.x + NAMES + column, from, to)
        })
    }

    fn style(&self, colour: Color) -> Style {
        if self.colour { Style::new().fg(colour) } else { Style::new() }
    }

    fn ruler(&self, buffer: &mut Buffer) {
        let model = self.model;
        let title = format!("{} ", model.names.system);
        buffer.set_stringn(self.area.x, self.area.y, title, usize::from(NAMES) - 1, Style::new().bold());
        let mut free = self.area.x + NAMES;
        let (from, to) = (model.names.tick.logical(self.view.from), model.names.tick.logical(self.view.to));
        let columns = usize::from(self.area.width - NAMES);
        let scale = Scale::new(from, to, columns);
        let (unit, ticks) = scale.ticks(14, 1);
        for (at, label) in ticks {
            let column = u16::try_from(scale.position(at).min(columns)).unwrap_or(u16::MAX);
            let (x, label) = (self.area.x + NAMES + column, format!("┬ {label} {}", unit.name()));
            let room = usize::from(self.area.right().saturating_sub(x));
            if x >= free && label.chars().count() < room {
                buffer.set_string(x, self.area.y + 1, &label, self.style(Color::DarkGray));
                free = x + u16::try_from(label.chars().count()).unwrap_or(u16::MAX).min(200) + 1;
            }
        }
        let window = format!("{from} to {to}{}", if self.view.follows { ", following" } else { "" });
        buffer.set_stringn(
            self.area.x + NAMES,
            self.area.y,
            window,
            usize::from(self.area.width - NAMES),
            self.style(Color::DarkGray),
        );
    }

    fn lane(&self, buffer: &mut Buffer, index: usize, lane: &Lane, y: u16) {
        let is_selected = index == self.view.lane;
        let style = if is_selected { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        let is_first = index == self.view.top || self.model.lanes[index - 1].process != lane.process;
        let room = usize::from(NAMES) - 1;
        if is_first {
            buffer.set_stringn(self.area.x, y, &lane.process, room, Style::new().bold());
        }
        let name: String = lane.name.chars().take(room - 1).collect();
        buffer.set_stringn(self.area.x, y + 1, format!(" {name:<width$}", width = room - 1), room, style);
        let colour = COLOURS[index % COLOURS.len()];
        for (x, from, to) in self.columns() {
            if let Some((glyph, style)) = self.mark(lane, from, to) {
                buffer.set_string(x, y, glyph, style);
            }
            buffer.set_string(x, y + 1, bar(lane, from, to), self.style(colour));
        }
        self.labels(buffer, lane, y);
    }

    /// Labels the stretches of a lane above their beginnings, as far as there is room.
    fn labels(&self, buffer: &mut Buffer, lane: &Lane, y: u16) {
        let mut columns = self.columns().peekable();
        while let Some((x, from, to)) = columns.next() {
            let first = lane.stretches.partition_point(|stretch| stretch.to <= from);
            let Some(stretch) = lane.stretches.get(first).filter(|stretch| stretch.from < to) else {
                continue;
            };
            let mut room = 1;
            while columns.next_if(|(_, from, _)| *from < stretch.to).is_some() {
                room += 1;
            }
            let label: String = format!("╷{}", stretch.label).chars().take(room).collect();
            buffer.set_string(x, y, &label, Style::new());
        }
    }

    /// The most important mark in a column.
    fn mark(&self, lane: &Lane, from: Instant, to: Instant) -> Option<(&'static str, Style)> {
        let any = |instants: &[Instant]| {
            instants.get(instants.partition_point(|at| *at < from)).is_some_and(|at| *at < to)
        };
        if any(&lane.troubles) {
            return Some(("✕", self.style(Color::Red).bold()));
        }
        if any(&lane.said) {
            return Some(("\u{201c}", self.style(Color::Yellow).bold()));
        }
        if !lane.stretches.is_empty() {
            return None;
        }
        let (marked, due) = (any(&lane.marks), any(&lane.deadlines));
        let glyph = match (lane.thread.is_some(), marked, due) {
            (true, true, true) => "◆",
            (true, true, false) => "▲",
            (true, false, true) => "▼",
            (false, true, _) => "●",
            _ => return None,
        };
        Some((glyph, Style::new()))
    }

    fn cursor(&self, buffer: &mut Buffer) {
        let last = self.area.right() - 1;
        let found = self.columns().find(|(_, _, to)| self.view.cursor < *to).map_or(last, |(x, ..)| x);
        for y in self.area.y + ABOVE..self.area.bottom() - BELOW {
            if let Some(cell) = buffer.cell_mut((found, y)) {
                cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
            }
        }
    }

    fn foot(&self, buffer: &mut Buffer) {
        let y = self.area.bottom() - BELOW;
        let room = usize::from(self.area.width);
        let at = self.model.names.tick.logical(self.view.cursor);
        let told = self.model.lanes.get(self.view.lane).map(|lane| tell(self.model, lane, self.view.cursor));
        buffer.set_stringn(
            self.area.x,
            y,
            format!("{at}  {}", told.unwrap_or_default()),
            room,
            Style::new().bold(),
        );
        let line = match (&self.view.typed, &self.view.said) {
            (Some(typed), _) => format!("/{typed}▏"),
            (None, Some(said)) => said.clone(),
            (None, None) => {
                "arrows move  + - zoom  0 all  / search  n p trouble  [ ] job  Enter why  ? keys  q quit"
                    .to_owned()
            }
        };
        buffer.set_stringn(self.area.x, y + 1, line, room, self.style(Color::DarkGray));
    }
}

/// The bar for how much of a column a thread ran, or was ready.
fn bar(lane: &Lane, from: Instant, to: Instant) -> &'static str {
    const EIGHTHS: [&str; 9] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
    let part =
        |covered: Duration| (covered.ticks().saturating_mul(8)).div_ceil(to.since(from).ticks().max(1));
    let (running, open) = (part(lane.running.covered(from, to)), part(lane.open.covered(from, to)));
    match (usize::try_from(running), open) {
        (Ok(0), 0) => " ",
        (Ok(0), _) => "░",
        (Ok(eighths), _) => EIGHTHS[eighths.min(8)],
        _ => "█",
    }
}

/// The state of a lane at an instant, in words.
fn tell(model: &Model, lane: &Lane, at: Instant) -> String {
    let tick = model.names.tick;
    let state = match (lane.running.at(at), lane.open.at(at)) {
        (Some((from, to)), _) => {
            let woken = model.waker(at).map(|(by, woken)| {
                format!(", woken by {} at {}", model.names.thread(by), tick.logical(woken))
            });
            let run = format!("has the processor from {} to {}", tick.logical(from), tick.logical(to));
            run + &woken.unwrap_or_default()
        }
        (None, Some(_)) => "has a job and not the processor".to_owned(),
        (None, None) => "has nothing to do".to_owned(),
    };
    let job = model.job_before(lane, at).and_then(|job| model.history.jobs.get(job));
    let job = job.map(|job| {
        format!("; job released at {}, due at {}", tick.logical(job.release), tick.logical(job.deadline))
    });
    let said = model
        .said_before(lane, at)
        .map(|entry| format!("; said at {}: {}", tick.logical(entry.time), entry.words()));
    match (lane.thread, lane.stretch_at(at)) {
        (Some(_), _) => {
            format!("{} {state}{}{}", lane.name, job.unwrap_or_default(), said.unwrap_or_default())
        }
        (None, Some(stretch)) => {
            let (from, to) = (tick.logical(stretch.from), tick.logical(stretch.to));
            format!("{}: {} from {from} to {to}", lane.name, stretch.words())
        }
        (None, None) => lane.name.clone(),
    }
}

/// Draws lines in a panel over the lanes, as large as they need.
fn panel(frame: &mut Frame, lines: &[String], first: usize) {
    let all = frame.area();
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let width = u16::try_from(longest + 4).unwrap_or(u16::MAX).min(all.width);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(all.height.saturating_sub(2)).max(3);
    let area = Rect { x: (all.width - width) / 2, y: (all.height - height) / 2, width, height };
    let text: Vec<&str> = lines.iter().skip(first).map(String::as_str).collect();
    let title = " Escape closes, ↑ ↓ move ";
    Clear.render(area, frame.buffer_mut());
    frame.render_widget(Paragraph::new(text.join("\n")).block(Block::bordered().title(title)), area);
}

#[cfg(test)]
mod tests;
