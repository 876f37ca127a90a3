//! Decoding: from the bytes of a trace to events. The binary form is described in [`beryl_abi::record`].

use std::fmt;

use beryl_abi::words::{OfTrace, Reader};
use beryl_abi::{DecodedNote, Kind, Wrong};

use crate::event::{Event, Happening};
use crate::file;
use crate::names::Form;

const WORD: usize = 4;

/// Why a stream of bytes is not a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the trace is damaged at byte {offset}: {reason}")]
pub struct DecodeError {
    /// Where the damaged record begins.
    pub offset: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The stream ends within a record.
    Truncated {
        /// The length of the record in bytes, as far as it is known.
        needed: usize,
        /// The bytes that are left.
        left: usize,
    },
    /// The file doesn't begin like a trace file.
    NoTrace,
    /// This program can't read files of this form.
    OtherForm(u32),
    /// No block is this long.
    BlockLength(u32),
    /// A block's checksum is wrong.
    Checksum {
        /// How many bytes the block has.
        bytes: usize,
    },
    /// There is no record of this kind.
    UnknownKind(u32),
    /// A record of this kind has another length.
    WrongLength {
        /// The kind's number.
        kind: u32,
        /// The words that follow the header.
        words: usize,
    },
    /// A thread, driver, program or line can't have this number.
    UnknownNumber(u32),
    /// There is no fault of this kind.
    UnknownFault(u32),
    /// Its time is earlier than the previous record's, or later than the next one's.
    TimeRunsBackwards,
    /// The value doesn't fill the record.
    WrongValueLength {
        /// The value's length in bytes, as the record states it.
        stated: u32,
        /// The words that the record has for it.
        words: usize,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Truncated { needed, left } => {
                write!(
                    formatter,
                    "the record needs {needed} bytes, {left} are left; was the file written to its end?"
                )
            }
            Reason::NoTrace => formatter.write_str(
                "it doesn't begin as a trace does: it is something else, its beginning is damaged, or a `beryl` that knew no checksums \
                 wrote it, which can read it",
            ),
            Reason::OtherForm(form) => {
                let known = Form::NUMBER;
                write!(
                    formatter,
                    "the trace has form {form}, and this program reads form {known}; read it with the `beryl` that recorded it"
                )
            }
            Reason::BlockLength(length) => write!(formatter, "no block of records has {length} bytes"),
            Reason::Checksum { bytes } => {
                write!(formatter, "something in the {bytes} bytes from there on isn't as it was written")
            }
            Reason::UnknownKind(kind) => {
                write!(formatter, "no record has kind {kind}; is this a trace, and of this version?")
            }
            Reason::WrongLength { kind, words } => {
                write!(formatter, "a record of kind {kind} can't have {words} words after its header")
            }
            Reason::UnknownNumber(number) => write!(formatter, "nothing can have the number {number}"),
            Reason::UnknownFault(number) => write!(formatter, "no fault has kind {number}"),
            Reason::TimeRunsBackwards => {
                write!(formatter, "time runs backwards between it and its neighbour")
            }
            Reason::WrongValueLength { stated, words } => {
                write!(formatter, "a value of {stated} bytes doesn't fill {words} words")
            }
        }
    }
}

/// All events of a trace, in order: from raw records as the kernel wrote them, or from a [`file`] of them.
///
/// # Errors
///
/// The first unreadable record. [`Decoder`] and [`file::readable`] also give the events before it.
pub fn decode(bytes: &[u8]) -> Result<Vec<Event>, DecodeError> {
    if !file::is_sealed(bytes) {
        return Decoder::new(bytes).collect();
    }
    match file::readable(bytes) {
        (events, None) => Ok(events),
        (_, Some(error)) => Err(error),
    }
}

/// The events up to the first unreadable record, and why it is unreadable. Kernel time never runs backwards:
/// a record that breaks this counts as damaged, and the trace is readable up to it.
#[must_use]
pub fn readable(bytes: &[u8]) -> (Vec<Event>, Option<DecodeError>) {
    let mut decoder = Decoder::new(bytes);
    let (mut events, mut offsets): (Vec<Event>, Vec<usize>) = Default::default();
    loop {
        let offset = decoder.offset;
        match decoder.next() {
            None => return (events, None),
            Some(Err(error)) => return (events, Some(error)),
            Some(Ok(event)) if events.last().is_some_and(|last| event.time < last.time) => {
                // The previous record is the bad one if the others are in order without it.
                let others = events.len().checked_sub(2).and_then(|before| events.get(before));
                if others.is_none_or(|before| before.time <= event.time) {
                    events.pop();
                }
                let offset = offsets.get(events.len()).copied().unwrap_or(offset);
                return (events, Some(DecodeError { offset, reason: Reason::TimeRunsBackwards }));
            }
            Some(Ok(event)) => {
                events.push(event);
                offsets.push(offset);
            }
        }
    }
}

/// Reads a trace event by event; ends after the last one or after the first error.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    rest: &'a [u8],
    offset: usize,
}

impl<'a> Decoder<'a> {
    /// Starts at the first byte.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder { rest: bytes, offset: 0 }
    }

    fn record(&mut self) -> Result<Event, Reason> {
        let truncated = |needed| Reason::Truncated { needed, left: self.rest.len() };
        let (header, body) = self.rest.split_first_chunk::<WORD>().ok_or(truncated(WORD))?;
        let [number, low, high, words] = *header;
        let kind = Kind::decode(number.into()).ok_or(Reason::UnknownKind(number.into()))?;
        let length = usize::from(words) * WORD;
        let (body, rest) = body.split_at_checked(length).ok_or(truncated(WORD + length))?;
        let event = event(kind, u16::from_le_bytes([low, high]), &words_of(body))?;
        self.rest = rest;
        self.offset += WORD + length;
        Ok(event)
    }
}

impl Iterator for Decoder<'_> {
    type Item = Result<Event, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let event = self.record().map_err(|reason| DecodeError { offset: self.offset, reason });
        if event.is_err() {
            self.rest = &[];
        }
        Some(event)
    }
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<WORD>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// The event of a record, given the words after its header.
fn event(kind: Kind, subject: u16, words: &[u32]) -> Result<Event, Reason> {
    let told = || {
        let mut own = OfTrace::new(words);
        let time = own.instant()?;
        let happening = Happening::read(kind, subject, own, value, |note| DecodedNote::read(note, time))?;
        Ok(Event { time, happening })
    };
    told().map_err(|wrong| match wrong {
        Wrong::Kind(kind) => Reason::UnknownKind(kind),
        Wrong::Length => Reason::WrongLength { kind: kind as u32, words: words.len() },
        Wrong::Number(number) => Reason::UnknownNumber(number),
        Wrong::Fault(number) => Reason::UnknownFault(number),
        Wrong::Value { stated, words } => Reason::WrongValueLength { stated, words },
    })
}

/// The value's bytes without the padding of its last word.
fn value(own: &mut OfTrace) -> Result<Vec<u8>, Wrong> {
    let (length, words) = own.value()?;
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    Ok(bytes.take(usize::try_from(length).unwrap_or(usize::MAX)).collect())
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::record as tests_record;
