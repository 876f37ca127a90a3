//! Tables of sensor values: columns separated by commas, held as steps. See the chapter on environments.
//!
//! ```text
//! # a pump that fails
//! time ms, 0 int, 1 float, 1 float, interrupt 10
//! 0,       100,   0.5,     -0.5,
//! 2.5,     ,      0.75,    ,        1
//! ```
//! A column is a channel and a type; columns of one channel are the parts of its value, in order. An empty cell keeps what
//! was there before. A cell in the column of an interrupt raises its line. A third word is a name, for people.
#![forbid(unsafe_code)]

mod cell;
mod instant;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use beryl_abi::Line;
use beryl_abi::environment::Channel;

use cell::{Kind, Unit};
pub use instant::Nanoseconds;

/// Why a table can't be read: where, the reason, and a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// The file, if it is one.
    pub file: Option<PathBuf>,
    /// The line, from 1 on; 0 if it is about the whole.
    pub line: usize,
    /// The reason, and what would be right.
    pub reason: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(formatter, "{}:", file.display())?;
        }
        match self.line {
            0 => write!(formatter, " {}", self.reason),
            line if self.file.is_some() => write!(formatter, "{line}: {}", self.reason),
            line => write!(formatter, "line {line}: {}", self.reason),
        }
    }
}

impl std::error::Error for TableError {}

/// What a column is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// A part of a sensor's value.
    Part(Channel, Kind),
    /// An interrupt.
    Interrupt(Line),
}

/// A column: what it is about, and its cells that aren't empty, with their instants.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    about: About,
    /// What people call it.
    name: Option<String>,
    steps: Vec<(Nanoseconds, Vec<u8>)>,
}

/// A table that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<Column>,
}

/// A part of a value: where it begins, and what it is.
pub type Part<'a> = (usize, &'a [u8]);

impl Table {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// The file can't be read, or the first thing in it that isn't right.
    pub fn read(path: &Path) -> Result<Table, TableError> {
        let of_file = |line, reason| TableError { file: Some(path.to_owned()), line, reason };
        let text = fs::read_to_string(path).map_err(|reason| of_file(0, reason.to_string()))?;
        Table::parse(&text).map_err(|error| of_file(error.line, error.reason))
    }

    /// Reads a text.
    ///
    /// # Errors
    ///
    /// The first thing in it that isn't right.
    pub fn parse(text: &str) -> Result<Table, TableError> {
        let at = |line| move |reason| TableError { file: None, line, reason };
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let empty = "there is no heading; write one as in `time, 0 int, 1 float`".to_owned();
        let (number, heading) = lines.next().ok_or_else(|| at(1)(empty))?;
        let (unit, mut columns) = heading_of(heading).map_err(at(number))?;
        let mut last = None;
        for (number, line) in lines {
            let cells: Vec<_> = line.split(',').map(str::trim).collect();
            if cells.len() != columns.len() + 1 {
                let reason = format!(
                    "{} cells where the heading has {}; an empty cell keeps what was there, its comma is needed",
                    cells.len(),
                    columns.len() + 1
                );
                return Err(at(number)(reason));
            }
            let now = unit.instant(cells[0]).map_err(at(number))?;
            if last.is_some_and(|last| now <= last) {
                let reason =
                    format!("time {} isn't behind that of the row before; order the rows by time", cells[0]);
                return Err(at(number)(reason));
            }
            last = Some(now);
            for (column, cell) in columns.iter_mut().zip(&cells[1..]).filter(|(_, cell)| !cell.is_empty()) {
                column.add(now, cell).map_err(|reason| at(number)(column.named(reason)))?;
            }
        }
        match last {
            Some(_) => Ok(Table { columns }),
            None => Err(at(number)("there are no rows below the heading; write at least one".to_owned())),
        }
    }

    /// The parts of a channel's value at an instant that some row has said; nothing if no column is about it. And how
    /// long the value is.
    #[must_use]
    pub fn parts(&self, channel: Channel, instant: Nanoseconds) -> Option<(Vec<Part<'_>>, usize)> {
        let (mut parts, mut length, mut is_there) = (Vec::new(), 0, false);
        for column in &self.columns {
            let Some(kind) = column.about.part_of(channel) else { continue };
            is_there = true;
            let behind = column.steps.partition_point(|(from, _)| *from <= instant);
            if let Some((_, value)) = behind.checked_sub(1).and_then(|last| column.steps.get(last)) {
                parts.push((length, value.as_slice()));
            }
            length += kind.length();
        }
        is_there.then_some((parts, length))
    }

    /// All interrupts.
    pub fn interrupts(&self) -> impl Iterator<Item = (Nanoseconds, Line)> + '_ {
        self.columns.iter().flat_map(|column| {
            let line = match column.about {
                About::Interrupt(line) => Some(line),
                About::Part(..) => None,
            };
            column.steps.iter().filter_map(move |(instant, _)| Some((*instant, line?)))
        })
    }
}

impl About {
    /// What a part of this channel is, if it is one.
    fn part_of(self, channel: Channel) -> Option<Kind> {
        match self {
            About::Part(own, kind) if own == channel => Some(kind),
            About::Part(..) | About::Interrupt(_) => None,
        }
    }
}

impl Column {
    /// What is wrong in it, with its name.
    fn named(&self, reason: String) -> String {
        match &self.name {
            Some(name) => format!("{name}: {reason}"),
            None => reason,
        }
    }

    fn add(&mut self, now: Nanoseconds, cell: &str) -> Result<(), String> {
        let value = match self.about {
            About::Part(_, kind) => kind.bytes(cell)?,
            About::Interrupt(_) if cell == "1" => Vec::new(),
            About::Interrupt(_) => {
                return Err(format!(
                    "`{cell}` in the column of an interrupt; write 1 where it comes, or nothing"
                ));
            }
        };
        self.steps.push((now, value));
        Ok(())
    }
}

/// The unit of time and the columns.
fn heading_of(line: &str) -> Result<(Unit, Vec<Column>), String> {
    let mut cells = line.split(',').map(str::trim);
    let first = cells.next().unwrap_or_default();
    let unit = Unit::of(first).ok_or_else(|| {
        format!("`{first}` is no column of times; the first is `time` (in seconds), `time ms` or `time us`")
    })?;
    let column = |cell: &str| {
        let (about, name) = about(cell).ok_or_else(|| {
            format!(
                "`{cell}` is no column; write a channel and the type of its value, as in `0 int`, or a line, as in \
                 `interrupt 10`; types are {}",
                Kind::names()
            )
        })?;
        Ok(Column { about, name: name.map(str::to_owned), steps: Vec::new() })
    };
    let columns = cells.map(column).collect::<Result<Vec<_>, String>>()?;
    if columns.is_empty() {
        return Err("there is no column but the times; write one more, as in `time, 0 int`".to_owned());
    }
    Ok((unit, columns))
}

/// What a cell of the heading is about, and its name.
fn about(cell: &str) -> Option<(About, Option<&str>)> {
    let mut words = cell.split_whitespace();
    let (first, second, name) = (words.next()?, words.next()?, words.next());
    let about = match first {
        "interrupt" => About::Interrupt(Line(second.parse().ok()?)),
        channel => About::Part(Channel::new(channel.parse().ok()?), Kind::named(second)?),
    };
    words.next().is_none().then_some((about, name))
}

#[cfg(test)]
mod tests;
