//! What is in view: a window in time, a cursor, a lane, and the text being entered.

use beryl_abi::{Duration, Instant};
use beryl_builder::quantity::Nanoseconds;
use beryl_trace::LogicalInstant;
use beryl_trace::why::Chain;

use super::model::Model;

/// The state of the screen.
pub struct View {
    /// The first visible instant.
    pub from: Instant,
    /// The end of the visible part.
    pub to: Instant,
    /// The instant under the cursor.
    pub cursor: Instant,
    /// The selected lane.
    pub lane: usize,
    /// The first visible lane.
    pub top: usize,
    /// The number of columns for time, as of the last drawing.
    pub columns: u64,
    /// Whether to follow the end of the file.
    pub follows: bool,
    /// The search text while it is being entered.
    pub typed: Option<String>,
    /// The last message, until the next key.
    pub said: Option<String>,
    /// The lines of a panel over the lanes, and the first visible one.
    pub panel: Option<(Vec<String>, usize)>,
}

impl View {
    /// A view of the whole run.
    pub fn of(model: &Model, follows: bool) -> View {
        let (from, to) = model.span;
        View {
            from,
            to,
            cursor: from,
            lane: 0,
            top: 0,
            columns: 1,
            follows,
            typed: None,
            said: None,
            panel: None,
        }
    }

    /// How long the window is.
    pub fn length(&self) -> Duration {
        self.to.since(self.from)
    }

    /// How long a column is, at least a tick.
    pub fn column(&self) -> Duration {
        Duration::from_ticks(self.length().ticks().div_ceil(self.columns.max(1)).max(1))
    }

    /// Shows a window of `length` around an instant, clipped to the run.
    fn show(&mut self, model: &Model, middle: Instant, length: Duration) {
        let (start, end) = model.span;
        let whole = end.since(start).ticks().max(1);
        let length = length.ticks().clamp(self.columns.min(whole), whole);
        let latest = end.ticks().saturating_sub(length);
        let from = middle.ticks().saturating_sub(length / 2).clamp(start.ticks().min(latest), latest);
        self.from = Instant::from_ticks(from);
        self.to = self.from.after(Duration::from_ticks(length));
        self.cursor = middle.clamp(self.from, self.to);
    }

    /// Shows the whole run.
    pub fn whole(&mut self, model: &Model) {
        (self.from, self.to) = model.span;
    }

    /// Zooms in or out by a factor of two around the cursor.
    pub fn zoom(&mut self, model: &Model, closer: bool) {
        let length = self.length().ticks();
        let length = if closer { length / 2 } else { length.saturating_mul(2) };
        let cursor = self.cursor;
        self.show(model, cursor, Duration::from_ticks(length));
        self.cursor = cursor;
    }

    /// Moves the cursor by columns, and the window with it if necessary.
    pub fn move_by(&mut self, model: &Model, columns: i64) {
        let distance = Duration::from_ticks(self.column().ticks().saturating_mul(columns.unsigned_abs()));
        let (start, end) = model.span;
        let moved = match columns {
            0.. => self.cursor.after(distance),
            _ => Instant::START.after(self.cursor.since(Instant::START).minus(distance)),
        };
        self.go_to(model, moved.clamp(start, end));
    }

    /// Puts the cursor at an instant; the window moves only if it has to.
    pub fn go_to(&mut self, model: &Model, at: Instant) {
        if at < self.from || at >= self.to {
            let length = self.length();
            self.show(model, at, length);
        }
        self.cursor = at;
    }

    /// Goes to the newest part of a growing trace.
    pub fn go_to_end(&mut self, model: &Model) {
        let (start, end) = model.span;
        let length = self.length().ticks().min(end.since(start).ticks());
        self.to = end;
        self.from = Instant::from_ticks(end.ticks().saturating_sub(length));
        self.cursor = end;
    }

    /// Selects another lane.
    pub fn select(&mut self, model: &Model, lane: usize) {
        self.lane = lane.min(model.lanes.len().saturating_sub(1));
    }

    /// The next or previous instant of a sorted list.
    fn beside(&self, instants: &[Instant], next: bool) -> Option<Instant> {
        match next {
            true => instants.get(instants.partition_point(|at| *at <= self.cursor)).copied(),
            false => instants[..instants.partition_point(|at| *at < self.cursor)].last().copied(),
        }
    }

    /// Goes to the next or previous release in the lane.
    pub fn go_to_job(&mut self, model: &Model, next: bool) {
        let Some(lane) = model.lanes.get(self.lane) else { return };
        match self.beside(&lane.marks, next) {
            Some(at) => self.go_to(model, at),
            None => self.said = Some(format!("{}: there is no more in this direction", lane.name)),
        }
    }

    /// Goes to what the lane's thread says next, or said before.
    pub fn go_to_said(&mut self, model: &Model, next: bool) {
        let Some(lane) = model.lanes.get(self.lane) else { return };
        let Some(at) = self.beside(&lane.said, next) else {
            self.said = Some(format!("{}: it said nothing in this direction", lane.name));
            return;
        };
        self.said = model.said_before(lane, at).map(|entry| entry.words());
        self.go_to(model, at);
    }

    /// Goes to the next or previous trouble.
    pub fn go_to_trouble(&mut self, model: &Model, next: bool) {
        let troubles: Vec<_> = model.troubles.iter().filter(|told| told.is_trouble).collect();
        let all: Vec<Instant> = troubles.iter().map(|told| told.at).collect();
        let Some(at) = self.beside(&all, next) else {
            self.said = Some("nothing went wrong in this direction".to_owned());
            return;
        };
        let told = troubles[all.partition_point(|other| *other < at)];
        if let Some(lane) =
            model.lanes.iter().position(|lane| lane.thread.is_some() && lane.thread == told.thread)
        {
            self.select(model, lane);
        }
        self.said = Some(told.words.clone());
        self.go_to(model, at);
    }

    /// Searches for `thread`, `20ms` or `thread@20ms`.
    pub fn search(&mut self, model: &Model, text: &str) {
        let (name, time) = match text.rsplit_once('@') {
            Some((name, time)) => (Some(name), Some(time)),
            None if text.starts_with(|first: char| first.is_ascii_digit()) => (None, Some(text)),
            None => (Some(text), None),
        };
        if let Some(name) = name {
            let exact = model.lanes.iter().position(|lane| lane.name == name);
            match exact.or_else(|| model.lanes.iter().position(|lane| lane.name.contains(name))) {
                Some(lane) => self.select(model, lane),
                None => return self.said = Some(format!("nothing is called `{name}`")),
            }
        }
        match time.map(Nanoseconds::read) {
            None => {}
            Some(Ok(time)) => {
                let asked = LogicalInstant::from_nanoseconds(time.get());
                let (at, end) = (model.names.tick.instant(asked), model.history.span.1);
                if at > end {
                    let end = model.names.tick.logical(end);
                    return self.said = Some(format!("the trace ends at {end}, and {asked} is later"));
                }
                self.go_to(model, at.max(model.span.0));
            }
            Some(Err(reason)) => self.said = Some(format!("{reason}; write {}", Nanoseconds::NOTATION)),
        }
    }

    /// Opens the panel that says why the job under the cursor was late or early.
    pub fn ask_why(&mut self, model: &Model) {
        let job = model.lanes.get(self.lane).and_then(|lane| model.job_before(lane, self.cursor));
        let Some(chain) = job.and_then(|job| Chain::of(&model.history, &model.names, job)) else {
            self.said = Some("there is no job here; [ and ] go to the lane's jobs".to_owned());
            return;
        };
        let mut lines = vec![
            format!("{}, job {}", model.names.thread(chain.job.task), chain.number),
            chain.verdict(&model.names),
            String::new(),
        ];
        lines.extend(chain.lines(&model.history, &model.names));
        lines.push(String::new());
        lines.extend(chain.sums(&model.names).lines().map(str::to_owned));
        lines.extend(chain.blame(&model.names));
        self.panel = Some((lines, 0));
    }
}
