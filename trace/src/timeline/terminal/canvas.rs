//! A line of characters, each with its paint.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

/// The meaning of a character, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Strong,
    Frame,
    Running,
    Preempted,
    Release,
    Deadline,
    Wake,
    Driver,
    Trouble,
}

impl Paint {
    fn style(self) -> Style {
        let coloured = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Paint::Plain => Style::new(),
            Paint::Strong => Style::new().bold(),
            Paint::Frame => Style::new().dimmed(),
            Paint::Running => coloured(AnsiColor::Green),
            Paint::Preempted => coloured(AnsiColor::Yellow),
            Paint::Release | Paint::Deadline => coloured(AnsiColor::Cyan),
            Paint::Wake => coloured(AnsiColor::Magenta),
            Paint::Driver => coloured(AnsiColor::Blue),
            Paint::Trouble => coloured(AnsiColor::Red).bold(),
        }
    }
}

/// A line of fixed width.
#[derive(Clone, Debug)]
pub(super) struct Line(Vec<(char, Paint)>);

impl Line {
    pub(super) fn blank(width: usize) -> Line {
        Line(vec![(' ', Paint::Plain); width])
    }

    /// Puts a character; outside of the line it is ignored.
    pub(super) fn put(&mut self, column: usize, character: char, paint: Paint) {
        if let Some(cell) = self.0.get_mut(column) {
            *cell = (character, paint);
        }
    }

    /// The character in a column; outside of the line it is a space.
    pub(super) fn at(&self, column: usize) -> char {
        self.0.get(column).map_or(' ', |(character, _)| *character)
    }

    /// Writes a text and returns the column after it. Replaces unprintable characters, which would break the
    /// box.
    pub(super) fn write(&mut self, column: usize, text: &str, paint: Paint) -> usize {
        let printable = text.chars().map(|character| if character.is_control() { '?' } else { character });
        printable.fold(column, |column, character| {
            self.put(column, character, paint);
            column + 1
        })
    }

    pub(super) fn to_text(&self, colour: bool) -> String {
        if !colour {
            return self.0.iter().map(|(character, _)| character).collect();
        }
        let mut text = String::new();
        for run in self.0.chunk_by(|left, right| left.1 == right.1) {
            let characters: String = run.iter().map(|(character, _)| character).collect();
            let style = run.first().map_or(Paint::Plain, |(_, paint)| *paint).style();
            // Writing to a string can't fail.
            let _ = write!(text, "{style}{characters}{style:#}");
        }
        text
    }
}
