//! Turns the content of a board's trace buffer into the records of a trace.
//!
//! A note of the buffer has 16 bytes: header, low word of kernel time, two words that depend on its kind.
//! Instants in it are low words, each completed to the instant nearest to the note's time. The note's own
//! time is the last one with its low word before the frame was sent. A driver's value follows its note in
//! notes of its own, up to its first 32 bytes; so does a state message's.

use beryl_abi::words::{OfNote, Reader};
use beryl_abi::{Classes, DecodedNote, Instant, Kind, Moment, Note, Range, Record, Wrong};

/// The bytes of a note.
const NOTE: usize = 16;
/// The most bytes of a value that a board sends.
const MOST_OF_VALUE: u32 = 32;

/// Builds a trace from notes, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Drained {
    /// The number of notes that should precede the next frame.
    expected: Option<u32>,
    /// The record whose value isn't complete yet.
    coming: Option<Coming>,
    /// The time of the last record.
    last: Instant,
    bytes: Vec<u8>,
    notes: u64,
    lost: u64,
}

/// A record whose value isn't complete yet.
#[derive(Clone, Debug)]
struct Coming {
    record: Record,
    time: Instant,
    /// The kind of the notes with its value.
    parts: Kind,
    /// The length of the part of the value that is sent.
    length: u32,
    words: Vec<u32>,
}

impl Drained {
    /// Takes notes that were sent at `time`, after `before` earlier ones. Returns whether all of them are
    /// valid.
    pub fn take(&mut self, before: u32, time: Instant, notes: &[u8]) -> bool {
        let (notes, rest) = notes.as_chunks::<NOTE>();
        let missing = self.expected.map_or(0, |expected| before.wrapping_sub(expected));
        let count = u32::try_from(notes.len()).unwrap_or(u32::MAX);
        self.expected = Some(before.wrapping_add(count));
        let mut all_known = rest.is_empty();
        for (index, bytes) in notes.iter().enumerate() {
            let [header, moment, first, second] =
                [0, 4, 8, 12].map(|at| word(bytes.get(at..).unwrap_or_default()));
            let at = before_and_with(time, Moment::from_ticks(moment)).max(self.last);
            if index == 0 && missing > 0 {
                self.finish();
                self.note(Note::lost(missing), at);
            }
            self.notes += 1;
            all_known &= self.one(Note { header, words: [first, second] }, at);
        }
        all_known
    }

    /// Takes the records so far; each is returned once. A record with an incomplete value stays.
    pub fn records(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// How many notes arrived.
    #[must_use]
    pub fn notes(&self) -> u64 {
        self.notes
    }

    /// How many notes are known to be lost, on the board or on the line.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    fn one(&mut self, told: Note, time: Instant) -> bool {
        if [Kind::Value, Kind::Part].iter().any(|kind| told.kind() == *kind as u32) {
            return self.value(told);
        }
        self.finish();
        match record(told, time) {
            Ok(record @ Record::Driver { value, .. }) => self.begin(record, time, Kind::Value, value.length),
            Ok(record @ Record::State { value, .. }) => self.begin(record, time, Kind::Part, value.length),
            Ok(Record::Note(told)) => self.note(told, time),
            Ok(record) => self.write(&record, time, &[]),
            Err(_) => return false,
        }
        true
    }

    fn note(&mut self, told: Note, time: Instant) {
        if told.kind() == Kind::Lost as u32 {
            self.lost += u64::from(told.words[0]);
        }
        self.write(&Record::Note(told), time, &[]);
    }

    /// Waits for the value of a record.
    fn begin(&mut self, record: Record, time: Instant, parts: Kind, length: u32) {
        self.last = time;
        let length = length.min(MOST_OF_VALUE);
        self.coming = Some(Coming { record, time, parts, length, words: Vec::new() });
        if length == 0 {
            self.finish();
        }
    }

    /// Two words of a value; invalid without a record that has one.
    fn value(&mut self, told: Note) -> bool {
        let coming = self.coming.as_mut().filter(|coming| coming.parts as u32 == told.kind());
        let Some(coming) = coming else { return false };
        coming.words.extend(told.words);
        if u32::try_from(coming.words.len() * 4).is_ok_and(|bytes| bytes >= coming.length) {
            self.finish();
        }
        true
    }

    /// Writes a record with the part of its value that arrived.
    fn finish(&mut self) {
        let Some(Coming { record, time, length, words, .. }) = self.coming.take() else { return };
        let come = u32::try_from(words.len() * 4).unwrap_or(u32::MAX);
        let come = Range::new(0, length.min(come));
        self.write(&record.map(|_| come, |note| note), time, &words);
    }

    fn write(&mut self, record: &Record, time: Instant, words: &[u32]) {
        self.last = self.last.max(time);
        let bytes = &mut self.bytes;
        let word = |address: u32| {
            let place = usize::try_from(address / 4).unwrap_or(usize::MAX);
            words.get(place).copied().unwrap_or_default()
        };
        record.encode(time, |word| bytes.extend(word.to_le_bytes()), word);
    }
}

/// The last instant up to `time` with this low word.
fn before_and_with(time: Instant, moment: Moment) -> Instant {
    let ago = time.moment().ticks_since(moment);
    Instant::from_ticks(time.ticks().saturating_sub(ago.into()))
}

/// The record that a note was made from. The address of a driver's value is unknown, only its length.
fn record(told: Note, time: Instant) -> Result<Record, Wrong> {
    let kind = Kind::decode(told.kind()).ok_or(Wrong::Kind(told.kind()))?;
    Record::read(
        kind,
        told.subject(),
        OfNote::new(told.words, time),
        |words| Ok(Range::new(0, words.word()?)),
        |note| DecodedNote::read(note, time).map(|_| note),
    )
}

/// The readable records of some classes.
#[must_use]
pub fn only(trace: &[u8], classes: Classes) -> Vec<u8> {
    let (mut rest, mut chosen) = (trace, Vec::new());
    while let Some([kind, _, _, words]) = rest.first_chunk() {
        let length = 4 + usize::from(*words) * 4;
        let Some((record, behind)) = rest.split_at_checked(length) else { break };
        if Kind::decode((*kind).into()).is_some_and(|kind| classes.has(kind.class())) {
            chosen.extend_from_slice(record);
        }
        rest = behind;
    }
    chosen
}

fn word(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |word| u32::from_le_bytes(*word))
}

/// Parses the names of classes, as in `jobs,locks`.
///
/// # Errors
///
/// The first name that isn't a class.
pub fn classes(names: &str) -> Result<Classes, String> {
    let mut chosen = Classes::NONE;
    for name in names.split(',').map(str::trim) {
        let known = Classes::NAMED.iter().find(|(known, _)| *known == name);
        chosen = chosen.with(match (name, known) {
            ("all", _) => Classes::ALL,
            ("none", _) => Classes::NONE,
            (_, Some((_, class))) => *class,
            _ => {
                let all: Vec<_> = Classes::NAMED.iter().map(|(known, _)| *known).collect();
                return Err(format!(
                    "there is no class `{name}`; there are {}, and `all` and `none`",
                    all.join(", ")
                ));
            }
        });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests;
