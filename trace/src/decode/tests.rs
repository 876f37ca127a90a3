//! Decoding is the exact inverse of encoding, and damage is reported with its place.

use beryl_abi::kinds::Row;
use beryl_abi::{Instant, Note, ProgramId, Range, Record, ThreadId};
use proptest::prelude::*;

use super::*;

/// The record's bytes as a host writes them.
fn encoded(event: &Event) -> Vec<u8> {
    let (record, value) = record(&event.happening);
    let mut bytes = Vec::new();
    let word = |address: u32| {
        let start = usize::try_from(address).expect("a small address");
        let mut word = [0xEE; WORD]; // not part of the value
        value[start..].iter().zip(&mut word).for_each(|(from, to)| *to = *from);
        u32::from_le_bytes(word)
    };
    record.encode(event.time, |word| bytes.extend(word.to_le_bytes()), word);
    bytes
}

pub(crate) fn record(happening: &Happening) -> (Record, Vec<u8>) {
    let mut bytes = Vec::new();
    let place = |value: Vec<u8>| {
        bytes = value;
        Range::new(0, u32::try_from(bytes.len()).expect("a short value"))
    };
    (happening.clone().map(place, |told| told.note()), bytes)
}

fn stream(events: &[Event]) -> Vec<u8> {
    events.iter().flat_map(encoded).collect()
}

/// The content of a word: any number, more often a meaningful one, or two of these in its low bytes.
fn any_word() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0..16u32, (0..12u32, 0..256u32).prop_map(|(low, high)| low | high << 8)]
}

/// Any content that a record of any kind may have.
fn any_event() -> impl Strategy<Value = Event> {
    prop::sample::select(Kind::ROWS).prop_flat_map(|row| {
        let subject = prop_oneof![9 => 0..256u16, 1 => any::<u16>()];
        let longest = if row.value.is_some() { 1000 } else { 0 }; // the most that the header can count
        let value = prop::collection::vec(any::<u8>(), 0..=longest);
        let words = prop::collection::vec(any_word(), 2 + own_words(&row));
        (subject, words, value).prop_filter_map("no record", move |(subject, mut words, mut value)| {
            if row.value.is_some() {
                words.push(u32::try_from(value.len()).expect("a short value"));
                value.resize(value.len().next_multiple_of(WORD), 0xEE); // not part of the value
                words.extend(words_of(&value));
            }
            event(row.kind, subject, &words).ok()
        })
    })
}

/// The words of a record between its time and its value.
fn own_words(row: &Row) -> usize {
    if row.is_note { 2 } else { row.fields.iter().map(|(_, _, words)| words).sum() }
}

#[test]
fn a_reaction_keeps_its_instant_whatever_the_high_word_of_the_time() {
    for (time, instant) in [(5, 3), (0x1_0000_0001, 0xFFFF_FFF0), (0x7_8000_0000, 0x7_9000_0000)] {
        let [time, instant] = [time, instant].map(Instant::from_ticks);
        let told = DecodedNote::React { program: ProgramId(2), address: 7, instant };
        let event = Event { time, happening: Happening::Note(told) };
        assert_eq!(decode(&encoded(&event)), Ok(vec![event]));
    }
}

#[test]
fn every_number_of_a_wait_or_a_message_is_told_and_no_other() {
    let of = |kind, number| DecodedNote::read(Note::of(kind, 0, [number, 0]), Instant::START).is_ok();
    assert_eq!(
        (0..256).filter(|number| of(Kind::Block, *number)).collect::<Vec<_>>(),
        (1..=11).collect::<Vec<_>>()
    );
    assert_eq!(
        (0..256).filter(|number| of(Kind::Message, *number)).collect::<Vec<_>>(),
        (1..=13).collect::<Vec<_>>()
    );
}

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(any_event(), 0..20)
}

proptest! {
    #[test]
    fn decoding_is_the_inverse_of_encoding(events in any_events()) {
        prop_assert_eq!(decode(&stream(&events)), Ok(events));
    }

    #[test]
    fn any_bytes_are_a_trace_or_an_error_with_a_place(bytes: Vec<u8>) {
        if let Err(error) = decode(&bytes) {
            prop_assert!(error.offset < bytes.len());
        }
    }

    #[test]
    fn a_flipped_bit_leaves_the_events_before_it(events in any_events(), at: prop::sample::Index, bit in 0..8u32) {
        let mut bytes = stream(&events);
        prop_assume!(!bytes.is_empty());
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        let before = whole_records_before(&events, at);
        let read: Vec<Event> = Decoder::new(&bytes).map_while(Result::ok).collect();
        prop_assert_eq!(&read[..before], &events[..before]);
    }

    #[test]
    fn a_cut_stream_is_truncated_where_the_last_record_begins(events in any_events(), at: prop::sample::Index) {
        let bytes = stream(&events);
        prop_assume!(!bytes.is_empty());
        let cut = at.index(bytes.len());
        let before = whole_records_before(&events, cut);
        let start = stream(&events[..before]).len();
        match decode(&bytes[..cut]) {
            Ok(read) => prop_assert!(start == cut && read == events[..before]),
            Err(error) => {
                prop_assert_eq!(error.offset, start);
                let truncated = matches!(error.reason, Reason::Truncated { .. });
                prop_assert!(truncated);
            }
        }
    }
}

#[test]
fn of_a_record_out_of_time_and_its_neighbour_the_right_one_is_blamed() {
    let at = |ticks| Event {
        time: Instant::from_ticks(ticks),
        happening: Happening::Complete { task: ThreadId(1) },
    };
    let read = |times: &[u64]| {
        let events: Vec<Event> = times.iter().copied().map(at).collect();
        let (events, damage) = readable(&stream(&events));
        (events.len(), damage.map(|error| (error.offset / 12, error.reason)))
    };
    let backwards = |place| Some((place, Reason::TimeRunsBackwards));
    assert_eq!(read(&[1, 2, 2, 9]), (4, None));
    assert_eq!(read(&[1, 2, 900, 3, 4]), (2, backwards(2)), "the third is too late");
    assert_eq!(read(&[5, 6, 7, 1, 8]), (3, backwards(3)), "the fourth is too early");
    assert_eq!(read(&[900, 1]), (0, backwards(0)));
    assert_eq!(read(&[]), (0, None));
}

fn whole_records_before(events: &[Event], offset: usize) -> usize {
    (0..=events.len()).rev().find(|count| stream(&events[..*count]).len() <= offset).unwrap_or(0)
}

/// A header, the time, then the words.
fn bytes(kind: u32, subject: u32, words: &[u32]) -> Vec<u8> {
    let count = u32::try_from(words.len()).expect("few words") + 2;
    let header = kind | subject << 8 | count << 24;
    [&[header, 7, 0], words].concat().iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn damage_is_named_with_its_reason() {
    let cases = [
        (vec![1, 2], Reason::Truncated { needed: 4, left: 2 }),
        (bytes(Kind::Complete as u32, 1, &[])[..8].to_vec(), Reason::Truncated { needed: 12, left: 8 }),
        (bytes(0, 0, &[]), Reason::UnknownKind(0)),
        (bytes(99, 0, &[]), Reason::UnknownKind(99)),
        (bytes(Kind::Switch as u32, 1, &[1, 2]), Reason::WrongLength { kind: Kind::Switch as u32, words: 4 }),
        (bytes(Kind::Switch as u32, 300, &[0]), Reason::UnknownNumber(300)),
        (bytes(Kind::Switch as u32, 1, &[256]), Reason::UnknownNumber(256)),
        (bytes(Kind::Skip as u32, 256, &[0, 0]), Reason::UnknownNumber(256)),
        (bytes(Kind::Fault as u32, 1, &[0x101, 0, 0]), Reason::UnknownFault(0x101)),
        (bytes(Kind::Driver as u32, 1, &[0, 0, 5, 9]), Reason::WrongValueLength { stated: 5, words: 1 }),
        (bytes(Kind::Driver as u32, 1, &[0, 0, 4]), Reason::WrongValueLength { stated: 4, words: 0 }),
        (vec![3, 0, 0, 0], Reason::WrongLength { kind: Kind::Complete as u32, words: 0 }),
    ];
    for (bytes, reason) in cases {
        assert_eq!(decode(&bytes), Err(DecodeError { offset: 0, reason }), "{bytes:?}");
    }
}

#[test]
fn the_error_says_where_and_what_to_do() {
    let mut trace = bytes(Kind::Complete as u32, 1, &[]);
    trace.extend(bytes(77, 0, &[]));
    let error = decode(&trace).expect_err("kind 77");
    assert_eq!(
        error.to_string(),
        "the trace is damaged at byte 12: no record has kind 77; is this a trace, and of this version?"
    );
}
