//! Log statements: what threads say by the crate `defmt`, made words of again.
//!
//! A statement is some events of a thread (`beryl_abi::log`). Which text its numbers stand for is in the [`Statements`] that the
//! builder leaves. What can't be read is counted, with the reason.

mod statements;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use beryl_abi::log::Piece;
use beryl_abi::{DecodedNote, Instant, ThreadId};
use defmt_decoder::{DecodeError, Table};
use serde::Serialize;

use crate::event::{Event, Happening};
use crate::incident::Incident;
use crate::names::Names;
pub use statements::{Statements, Unreadable};

/// How much a statement matters, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// `trace!`
    Trace,
    /// `debug!`
    Debug,
    /// `info!`
    Info,
    /// `warn!`
    Warn,
    /// `error!`
    Error,
    /// `println!`, which is always told.
    Always,
}

impl Level {
    /// In a word of five letters at most.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Level::Trace => "trace",
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
            Level::Always => "",
        }
    }

    /// Of the words in which the decoder tells it.
    fn of(word: Option<&str>) -> Level {
        let levels = [Level::Trace, Level::Debug, Level::Info, Level::Warn, Level::Error];
        levels.into_iter().find(|level| Some(level.word()) == word).unwrap_or(Level::Always)
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When it was begun.
    pub time: Instant,
    /// By whom.
    pub thread: ThreadId,
    /// How much it matters.
    pub level: Level,
    /// What it says.
    pub text: String,
}

impl Entry {
    /// Its level and what it says.
    #[must_use]
    pub fn words(&self) -> String {
        match self.level {
            Level::Always => self.text.clone(),
            level => format!("{:<5} {}", level.word(), self.text),
        }
    }
}

/// Why a statement can't be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Illegible {
    /// It has no end, or no beginning: events were lost, the thread ended inside of it, or the trace begins or ends there.
    Cut,
    /// Its numbers stand for nothing, or not for what follows them.
    Wrong,
    /// Nothing is known of the statements of its process.
    Unknown(String),
}

impl fmt::Display for Illegible {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Illegible::Cut => formatter.write_str(
                "not whole: events were lost, the thread was stopped inside, or the trace begins or ends there",
            ),
            Illegible::Wrong => formatter.write_str("not what the image's statements look like"),
            Illegible::Unknown(why) => write!(formatter, "unreadable: {why}"),
        }
    }
}

/// All that was said in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// What could be read, in order.
    pub entries: Vec<Entry>,
    /// How many statements of which thread couldn't be, and why.
    pub illegible: BTreeMap<(ThreadId, Illegible), u64>,
}

impl Log {
    /// What was said in a run.
    #[must_use]
    pub fn of(events: &[Event], names: &Names, statements: &Statements) -> Log {
        let mut reading = Reading {
            names,
            statements,
            tables: BTreeMap::new(),
            open: BTreeMap::new(),
            log: Log::default(),
        };
        events.iter().for_each(|event| reading.take(event));
        reading.lose();
        reading.log.entries.sort_by_key(|entry| entry.time);
        reading.log
    }

    /// What was said as marks in a view. It is no trouble, whatever its level: the kernel knows of none.
    pub fn incidents(&self) -> impl Iterator<Item = Incident> {
        self.entries.iter().map(|entry| Incident {
            thread: Some(entry.thread),
            at: entry.time,
            label: "said",
            words: entry.words(),
            is_trouble: false,
        })
    }

    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.illegible.is_empty()
    }
}

/// A statement that has begun, or what is left of one.
enum Open {
    Whole(Instant, Vec<u8>),
    /// It was counted already; what comes of it is passed over.
    Cut,
}

/// The statements of a process, or why there are none.
type Known = Result<Table, Unreadable>;

struct Reading<'a> {
    names: &'a Names,
    statements: &'a Statements,
    tables: BTreeMap<&'a str, Known>,
    open: BTreeMap<ThreadId, Open>,
    log: Log,
}

impl Reading<'_> {
    fn take(&mut self, event: &Event) {
        match event.happening {
            Happening::Note(DecodedNote::Lost { .. }) => self.lose(),
            Happening::Note(DecodedNote::Event { thread, event: told, value }) => {
                match Piece::of(told, value) {
                    Some(Piece::Begin) => {
                        self.end(thread);
                        self.open.insert(thread, Open::Whole(event.time, Vec::new()));
                    }
                    Some(piece) => match self.open.get_mut(&thread) {
                        Some(Open::Whole(_, bytes)) => bytes.extend(piece.bytes()),
                        Some(Open::Cut) => {}
                        None => {
                            self.count(thread, Illegible::Cut);
                            self.open.insert(thread, Open::Cut);
                        }
                    },
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// Something is missing from here on: what is open is whole, or will never be.
    fn lose(&mut self) {
        let open: Vec<_> = self.open.keys().copied().collect();
        for thread in open {
            if !self.end(thread) {
                // What comes next may still be of it.
                self.open.insert(thread, Open::Cut);
            }
        }
    }

    /// Reads what a thread has said; whether it was whole.
    fn end(&mut self, thread: ThreadId) -> bool {
        let Some(Open::Whole(time, bytes)) = self.open.remove(&thread) else { return true };
        match self.read(thread, &bytes) {
            Ok((level, text)) => self.log.entries.push(Entry { time, thread, level, text }),
            Err(why) => {
                let is_cut = why == Illegible::Cut;
                self.count(thread, why);
                return !is_cut;
            }
        }
        true
    }

    fn count(&mut self, thread: ThreadId, why: Illegible) {
        *self.log.illegible.entry((thread, why)).or_default() += 1;
    }

    fn read(&mut self, thread: ThreadId, bytes: &[u8]) -> Result<(Level, String), Illegible> {
        let process = self.names.known_thread(thread).map_or("", |known| known.process.as_str());
        let known = self.tables.entry(process).or_insert_with(|| self.statements.table(process));
        let table = known.as_ref().map_err(|why| Illegible::Unknown(why.to_string()))?;
        match table.decode(bytes) {
            Ok((frame, length)) if length == bytes.len() => {
                let level = frame.level().map(|level| level.as_str());
                Ok((Level::of(level), frame.display_message().to_string()))
            }
            Err(DecodeError::UnexpectedEof) => Err(Illegible::Cut),
            Ok(_) | Err(DecodeError::Malformed) => Err(Illegible::Wrong),
        }
    }
}
