//! The board's recording, read while it grows: who runs, which logical instant is being carried out, and which interrupts came.

use std::ops::Range;

use beryl_abi::{DecodedNote, Instant, Kind, Line, Note, ThreadId};

use super::{Broken, Shared};

/// What the recording says of the present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Heard {
    /// Who runs.
    pub(crate) thread: ThreadId,
    /// The logical instant that is being carried out, or the last one.
    pub(crate) logical: Instant,
    /// When the last record was made.
    pub(crate) time: Instant,
    /// How many instructions had been carried out when the kernel read that time.
    pub(crate) count: u64,
}

/// A recording and how far it has been read. Where memory is scarce the board begins at its start again whenever it is full.
#[derive(Debug)]
pub(crate) struct Recording {
    /// Where it is.
    place: Range<u32>,
    /// The first word that hasn't been read.
    next: u32,
    /// The end of what is written.
    end: u32,
    /// The words of a record that isn't whole yet.
    begun: Vec<u32>,
    /// How many instructions had been carried out when the clock was read last.
    clock_read: u64,
    heard: Heard,
    /// Lines whose interrupts came, and that nobody has asked for yet.
    taken: Vec<Line>,
}

/// Words of a record before its own: the header, and the time in two words.
const OWN: usize = 3;

impl Recording {
    /// A recording that will be there.
    pub(crate) fn new(place: Range<u32>) -> Recording {
        let start = place.start;
        let heard = Heard { thread: ThreadId::NONE, logical: Instant::START, time: Instant::START, count: 0 };
        Recording {
            place,
            next: start,
            end: start,
            begun: Vec::new(),
            clock_read: 0,
            heard,
            taken: Vec::new(),
        }
    }

    /// The board has read its clock.
    pub(crate) fn clock_was_read(&mut self, count: u64) {
        self.clock_read = count;
    }

    /// The kernel has written a word of a record. What hasn't been read when the memory is full may be written over, so it is
    /// read then.
    pub(crate) fn grew(&mut self, address: u32, memory: &impl Shared) -> Result<(), Broken> {
        self.next = self.next.min(address);
        self.end = address + 4;
        self.heard.count = self.clock_read;
        if self.end >= self.place.end {
            self.heard(memory)?;
        }
        Ok(())
    }

    /// Reads on, to the last record.
    pub(crate) fn heard(&mut self, memory: &impl Shared) -> Result<Heard, Broken> {
        let mut bytes = vec![0; usize::try_from(self.end - self.next).unwrap_or_default()];
        memory.read(self.next, &mut bytes)?;
        self.next = self.end;
        let mut words = std::mem::take(&mut self.begun);
        words.extend(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)));
        let mut rest = words.as_slice();
        while let Some((record, behind)) =
            rest.first().and_then(|header| rest.split_at_checked(length(*header)))
        {
            self.hear(record);
            rest = behind;
        }
        self.begun = rest.to_vec();
        Ok(self.heard)
    }

    /// The lines whose interrupts came since this was asked last, as far as the recording was [heard](Recording::heard).
    pub(crate) fn taken(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.taken)
    }

    fn hear(&mut self, record: &[u32]) {
        let [header, low, high, own @ ..] = record else { return };
        let [kind, number, high_number, _] = header.to_le_bytes();
        self.heard.time = Instant::from_ticks(u64::from(*high) << 32 | u64::from(*low));
        match (Kind::decode(kind.into()), own) {
            (Some(Kind::Switch), _) => self.heard.thread = ThreadId(number),
            (Some(kind @ (Kind::React | Kind::Interrupt)), own) => {
                let subject = u16::from_le_bytes([number, high_number]);
                let word = |index: usize| own.get(index).copied().unwrap_or_default();
                match DecodedNote::read(Note::of(kind, subject, [word(0), word(1)]), self.heard.time) {
                    Ok(DecodedNote::React { instant, .. }) => self.heard.logical = instant,
                    Ok(DecodedNote::Interrupt { line, .. }) => self.taken.push(line),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// How many words a record has.
fn length(header: u32) -> usize {
    let [.., behind] = header.to_le_bytes();
    1 + usize::from(behind).max(OWN - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugged::tests::Bytes;
    use beryl_abi::{ProgramId, Record};

    const START: u32 = 0x100;

    fn words(record: Record, time: u64) -> Vec<u32> {
        let mut words = Vec::new();
        record.encode(Instant::from_ticks(time), |word| words.push(word), |_| 0);
        words
    }

    /// Writes words as the kernel does, one by one.
    fn grow(recording: &mut Recording, memory: &Bytes, at: &mut u32, words: &[u32]) {
        for word in words {
            memory.write(*at, &word.to_le_bytes()).expect("room");
            recording.grew(*at, memory).expect("read");
            *at += 4;
        }
    }

    #[test]
    fn the_last_records_say_who_runs_and_which_instant_it_is() {
        let (memory, mut at) = (Bytes::new(0x400), START);
        let mut recording = Recording::new(START..START + 0x100);
        let at_start = recording.heard(&memory).expect("read");
        assert_eq!((at_start.thread, at_start.logical), (ThreadId::NONE, Instant::START));
        recording.clock_was_read(40);
        let instant = Instant::from_ticks((7 << 32) - 2);
        let react = Record::Note(Note::react(ProgramId(0), 3, instant));
        grow(&mut recording, &memory, &mut at, &words(react, (7 << 32) + 5));
        recording.clock_was_read(90);
        let switch = Record::Switch { to: ThreadId(4), from: ThreadId(1) };
        let switch = words(switch, (7 << 32) + 9);
        grow(&mut recording, &memory, &mut at, &switch);
        recording.clock_was_read(120);
        let told = Heard {
            thread: ThreadId(4),
            logical: instant,
            time: Instant::from_ticks((7 << 32) + 9),
            count: 90,
        };
        assert_eq!([recording.heard(&memory), recording.heard(&memory)], [Ok(told), Ok(told)]);
    }

    #[test]
    fn a_record_that_is_half_written_is_read_when_it_is_whole() {
        let (memory, mut at) = (Bytes::new(0x400), START);
        let mut recording = Recording::new(START..START + 0x100);
        let switch = words(Record::Switch { to: ThreadId(4), from: ThreadId(1) }, 10);
        grow(&mut recording, &memory, &mut at, &switch[..2]);
        assert_eq!(recording.heard(&memory).expect("read").thread, ThreadId::NONE);
        grow(&mut recording, &memory, &mut at, &switch[2..]);
        assert_eq!(recording.heard(&memory).expect("read").thread, ThreadId(4));
    }

    /// The third record begins in the last word, and goes on in the first one.
    #[test]
    fn a_recording_that_begins_anew_is_read_before_it_is_written_over() {
        let switch = |to| words(Record::Switch { to: ThreadId(to), from: ThreadId(1) }, to.into());
        let length = u32::try_from(switch(0).len()).expect("short");
        let (memory, limit) = (Bytes::new(0x400), START + (2 * length + 1) * 4);
        let mut recording = Recording::new(START..limit);
        let mut at = START;
        grow(&mut recording, &memory, &mut at, &[switch(2), switch(3), switch(4)[..1].to_vec()].concat());
        at = START;
        grow(&mut recording, &memory, &mut at, &switch(4)[1..]);
        assert_eq!(recording.heard(&memory).expect("read").thread, ThreadId(4));
        grow(&mut recording, &memory, &mut at, &switch(5));
        assert_eq!(recording.heard(&memory).expect("read").thread, ThreadId(5));
    }
}
