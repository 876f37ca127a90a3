//! What a traced board and whoever records it say to each other, in frames of the same line.
//!
//! | kind | message | from | payload |
//! |---|---|---|---|
//! | 0x10 | choose | recorder | classes (2) |
//! | 0x90 | notes | board | how many were sent before these (4), kernel time (8), up to 12 notes of 16 bytes |
//! | 0x91 | tracing | board | classes (2), identity of the image (32) |
//!
//! The board sends notes without being asked, and says `tracing` when it begins and whenever it was told to
//! choose. What is lost on the line shows in the count; nothing is sent twice.

use crate::bytes::{Reader, Writer};
use crate::frame::{Frame, Frames, Heard, LONGEST_PAYLOAD, Outgoing};
use crate::order::Identity;

/// Bytes of a note.
pub const NOTE_BYTES: usize = 16;
/// The most notes of a frame.
pub const MOST_NOTES: usize = 12;
const HEAD: usize = 12;

const _: () = assert!(HEAD + MOST_NOTES * NOTE_BYTES <= LONGEST_PAYLOAD);

const CHOOSE: u8 = 0x10;
const NOTES: u8 = 0x90;
const TRACING: u8 = 0x91;

/// The board's end: collects notes until a frame is full.
#[derive(Clone, Debug)]
pub struct Drain {
    identity: Identity,
    frames: Frames,
    notes: [u8; MOST_NOTES * NOTE_BYTES],
    length: usize,
    /// How many notes were sent before.
    sent: u32,
    sequence: u8,
}

impl Drain {
    /// The end of a board that runs this image.
    #[must_use]
    pub fn new(identity: Identity) -> Drain {
        Drain {
            identity,
            frames: Frames::default(),
            notes: [0; MOST_NOTES * NOTE_BYTES],
            length: 0,
            sent: 0,
            sequence: 0,
        }
    }

    /// A byte that has come; answers the classes that it asks for, if it ends a frame that does.
    pub fn hear(&mut self, byte: u8) -> Option<u16> {
        match self.frames.take(byte) {
            Some(Heard::Frame(Frame { kind: CHOOSE, payload, .. })) => {
                payload.try_into().ok().map(u16::from_le_bytes)
            }
            _ => None,
        }
    }

    /// Says which classes are told from now on.
    pub fn tracing(&mut self, classes: u16) -> Outgoing {
        let mut payload = [0; 34];
        let mut writer = Writer::new(&mut payload);
        writer.put(&classes.to_le_bytes());
        writer.put(&self.identity.0);
        self.frame(TRACING, &payload)
    }

    /// How many bytes of notes have room before [`Drain::send`].
    #[must_use]
    pub fn room(&self) -> usize {
        self.notes.len() - self.length
    }

    /// Adds notes; what has no room is left out.
    pub fn add(&mut self, notes: &[u8]) {
        let end = self.length + notes.len();
        if let Some(place) = self.notes.get_mut(self.length..end) {
            place.copy_from_slice(notes);
            self.length = end;
        }
    }

    /// Sends what was added, at this kernel time; nothing if there is nothing.
    pub fn send(&mut self, now: u64) -> Option<Outgoing> {
        if self.length == 0 {
            return None;
        }
        let mut payload = [0; LONGEST_PAYLOAD];
        let mut writer = Writer::new(&mut payload);
        writer.put(&self.sent.to_le_bytes());
        writer.put(&now.to_le_bytes());
        writer.put(self.notes.get(..self.length).unwrap_or_default());
        let length = writer.length();
        self.sent = self.sent.wrapping_add((self.length / NOTE_BYTES) as u32);
        self.length = 0;
        Some(self.frame(NOTES, payload.get(..length).unwrap_or_default()))
    }

    fn frame(&mut self, kind: u8, payload: &[u8]) -> Outgoing {
        self.sequence = self.sequence.wrapping_add(1);
        Outgoing::new(Frame { kind, sequence: self.sequence, payload })
    }
}

/// Asks a board for classes.
#[must_use]
pub fn choose(classes: u16) -> Outgoing {
    Outgoing::new(Frame { kind: CHOOSE, sequence: 0, payload: &classes.to_le_bytes() })
}

/// What a board says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// Which classes it tells from now on, and which image it runs.
    Tracing {
        /// The classes.
        classes: u16,
        /// The image.
        identity: Identity,
    },
    /// Notes.
    Notes {
        /// How many there were before these.
        before: u32,
        /// Kernel time when they were sent.
        time: u64,
        /// The notes: 16 bytes each.
        notes: &'a [u8],
    },
}

impl<'a> Said<'a> {
    /// What a frame says, or nothing.
    #[must_use]
    pub fn decode(frame: &Frame<'a>) -> Option<Said<'a>> {
        let mut reader = Reader(frame.payload);
        match frame.kind {
            TRACING => {
                let classes = reader.half()?;
                Some(Said::Tracing { classes, identity: Identity(reader.array()?) })
            }
            NOTES => {
                let before = reader.word()?;
                let time = reader.long()?;
                let notes = frame.payload.get(HEAD..).unwrap_or_default();
                notes.len().is_multiple_of(NOTE_BYTES).then_some(Said::Notes { before, time, notes })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// What somebody hears of a line, in order; what is no frame of these is left out.
    fn heard(line: &[u8]) -> Vec<(u8, Vec<u8>)> {
        let mut frames = Frames::default();
        let mut found = Vec::new();
        for byte in line {
            if let Some(Heard::Frame(frame)) = frames.take(*byte) {
                found.push((frame.kind, frame.payload.to_vec()));
            }
        }
        found
    }

    #[test]
    fn notes_are_counted_so_that_a_lost_frame_shows() {
        let mut drain = Drain::new(Identity([7; 32]));
        let note = |number: u8| [number; NOTE_BYTES];
        let mut line: Vec<u8> = Vec::new();
        assert!(drain.send(1).is_none());
        for frame in 0..3_u8 {
            (0..=frame).for_each(|number| drain.add(&note(number)));
            line.extend(drain.send(frame.into()).unwrap().as_ref());
        }
        let found: Vec<_> = heard(&line)
            .iter()
            .map(|(kind, payload)| {
                match Said::decode(&Frame { kind: *kind, sequence: 0, payload }).unwrap() {
                    Said::Notes { before, time, notes } => (before, time, notes.len() / NOTE_BYTES),
                    said @ Said::Tracing { .. } => panic!("{said:?}"),
                }
            })
            .collect();
        assert_eq!(found, [(0, 0, 1), (1, 1, 2), (3, 2, 3)]);
    }

    #[test]
    fn a_full_frame_has_twelve_notes_and_more_have_no_room() {
        let mut drain = Drain::new(Identity([7; 32]));
        for _ in 0..MOST_NOTES + 3 {
            drain.add(&[0; NOTE_BYTES]);
        }
        assert_eq!(drain.room(), 0);
        let line = drain.send(0).unwrap();
        assert_eq!(heard(line.as_ref())[0].1.len(), HEAD + MOST_NOTES * NOTE_BYTES);
        assert_eq!(drain.room(), MOST_NOTES * NOTE_BYTES);
    }

    #[test]
    fn classes_are_chosen_by_a_whole_frame_and_by_nothing_else() {
        let asked = choose(0x0ABC);
        let mut drain = Drain::new(Identity([7; 32]));
        let mut chosen = |line: &[u8]| line.iter().filter_map(|byte| drain.hear(*byte)).collect::<Vec<_>>();
        assert_eq!(chosen(asked.as_ref()), [0x0ABC]);
        for at in 1..asked.as_ref().len() - 1 {
            let mut line = asked.as_ref().to_vec();
            line[at] ^= 0x10;
            assert_eq!(chosen(&line), [], "byte {at}");
        }
        assert_eq!(chosen(asked.as_ref()), [0x0ABC]);
        let said = heard(drain.tracing(3).as_ref());
        let frame = Frame { kind: said[0].0, sequence: 0, payload: &said[0].1 };
        assert_eq!(Said::decode(&frame), Some(Said::Tracing { classes: 3, identity: Identity([7; 32]) }));
    }

    #[test]
    fn what_is_too_short_or_of_another_length_says_nothing() {
        let decode = |kind, payload: &[u8]| Said::decode(&Frame { kind, sequence: 0, payload }).is_some();
        assert!(decode(NOTES, &[0; HEAD]) && decode(NOTES, &[0; HEAD + NOTE_BYTES]));
        assert!(
            !decode(NOTES, &[0; HEAD - 1]) && !decode(NOTES, &[0; HEAD + 1]) && !decode(TRACING, &[0; 33])
        );
        assert!(!decode(0x81, &[0; 64]));
    }
}
