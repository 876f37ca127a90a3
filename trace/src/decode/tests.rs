//! Decoding is the exact inverse of encoding, and damage is an error with its place.

use beryl_abi::{Range, Record};
use proptest::prelude::*;

use super::*;

/// The record's bytes as a host writes them.
fn encoded(event: &Event) -> Vec<u8> {
    let (record, value) = record(&event.happening);
    let mut bytes = Vec::new();
    let word = |address: u32| {
        let start = usize::try_from(address).expect("a small address");
        let mut word = [0xEE; WORD]; // what lies behind the value is not part of it
        value[start..].iter().zip(&mut word).for_each(|(from, to)| *to = *from);
        u32::from_le_bytes(word)
    };
    record.encode(event.time, |word| bytes.extend(word.to_le_bytes()), word);
    bytes
}

pub(crate) fn record(happening: &Happening) -> (Record, Vec<u8>) {
    let record = match happening.clone() {
        Happening::Release { task, instant, deadline } => Record::Release { task, instant, deadline },
        Happening::Switch { from, to } => Record::Switch { from, to },
        Happening::Complete { task } => Record::Complete { task },
        Happening::Miss { task, deadline } => Record::Miss { task, deadline },
        Happening::Driver { driver, instant, value } => {
            let range = Range::new(0, u32::try_from(value.len()).expect("a short value"));
            return (Record::Driver { driver, instant, value: range }, value);
        }
        Happening::Skip { program, instant } => Record::Skip { program, instant },
        Happening::Violation { task, instant } => Record::Violation { task, instant },
        Happening::Fault { thread, fault } => Record::Fault { thread, fault },
        Happening::Overrun { task } => Record::Overrun { task },
        Happening::Stray { line } => Record::Stray { line },
        Happening::Swap { program, room, instant } => Record::Swap { program, room, instant },
        Happening::Note(told) => Record::Note(told.note()),
    };
    (record, Vec::new())
}

fn stream(events: &[Event]) -> Vec<u8> {
    events.iter().flat_map(encoded).collect()
}

prop_compose! {
    fn any_instant()(ticks: u64) -> Instant { Instant::from_ticks(ticks) }
}
prop_compose! {
    fn any_thread()(number: u8) -> ThreadId { ThreadId(number) }
}
prop_compose! {
    fn any_fault()(index in 0..FaultKind::ALL.len(), address: u32, instruction: u32) -> Fault {
        Fault { kind: FaultKind::ALL[index], address, instruction }
    }
}

fn any_happening() -> impl Strategy<Value = Happening> {
    let value = prop::collection::vec(any::<u8>(), 0..=1000); // the longest that the header can count
    prop_oneof![
        (any_thread(), any_instant(), any_instant())
            .prop_map(|(task, instant, deadline)| Happening::Release { task, instant, deadline }),
        (any_thread(), any_thread()).prop_map(|(from, to)| Happening::Switch { from, to }),
        any_thread().prop_map(|task| Happening::Complete { task }),
        (any_thread(), any_instant()).prop_map(|(task, deadline)| Happening::Miss { task, deadline }),
        (any::<u16>(), any_instant(), value).prop_map(|(driver, instant, value)| Happening::Driver {
            driver: DriverId(driver),
            instant,
            value
        }),
        (any::<u8>(), any_instant())
            .prop_map(|(program, instant)| Happening::Skip { program: ProgramId(program), instant }),
        (any_thread(), any_instant()).prop_map(|(task, instant)| Happening::Violation { task, instant }),
        (any_thread(), any_fault()).prop_map(|(thread, fault)| Happening::Fault { thread, fault }),
        any_thread().prop_map(|task| Happening::Overrun { task }),
        any::<u16>().prop_map(|line| Happening::Stray { line: Line(line) }),
        (any::<u8>(), any::<u8>(), any_instant()).prop_map(|(program, room, instant)| Happening::Swap {
            program: ProgramId(program),
            room,
            instant
        }),
        any_told().prop_map(Happening::Note),
    ]
}

/// Whatever numbers may tell; only of reactions the instant is near the time of the note, which has a test of its own.
fn any_told() -> impl Strategy<Value = Told> {
    let words = prop_oneof![(0..16u32, any::<u32>()), (any::<u32>(), 0..16u32)];
    (prop_oneof![note::BLOCK..=note::STOP, Just(note::BUDGET)], any::<u8>(), words).prop_filter_map(
        "no note",
        |(kind, subject, (first, second))| {
            let told = Told::of(kind, subject.into(), [first, second], Instant::START).ok()?;
            Some(told).filter(|told| !matches!(told, Told::React { .. }))
        },
    )
}

#[test]
fn a_reaction_keeps_its_instant_whatever_the_high_word_of_the_time() {
    for (time, instant) in [(5, 3), (0x1_0000_0001, 0xFFFF_FFF0), (0x7_8000_0000, 0x7_9000_0000)] {
        let [time, instant] = [time, instant].map(Instant::from_ticks);
        let told = Told::React { program: ProgramId(2), address: 7, instant };
        let event = Event { time, happening: Happening::Note(told) };
        assert_eq!(decode(&encoded(&event)), Ok(vec![event]));
    }
}

#[test]
fn every_number_of_a_wait_or_a_message_is_told_and_no_other() {
    let of = |kind, number| Told::of(kind, 0, [number, 0], Instant::START).is_ok();
    assert_eq!(
        (0..256).filter(|number| of(note::BLOCK, *number)).collect::<Vec<_>>(),
        (1..=11).collect::<Vec<_>>()
    );
    assert_eq!(
        (0..256).filter(|number| of(note::MESSAGE, *number)).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7]
    );
}

fn any_events() -> impl Strategy<Value = Vec<Event>> {
    let event = (any_instant(), any_happening()).prop_map(|(time, happening)| Event { time, happening });
    prop::collection::vec(event, 0..20)
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
        (bytes(kind::COMPLETE, 1, &[])[..8].to_vec(), Reason::Truncated { needed: 12, left: 8 }),
        (bytes(0, 0, &[]), Reason::UnknownKind(0)),
        (bytes(99, 0, &[]), Reason::UnknownKind(99)),
        (bytes(kind::SWITCH, 1, &[1, 2]), Reason::WrongLength { kind: kind::SWITCH, words: 4 }),
        (bytes(kind::SWITCH, 300, &[0]), Reason::UnknownNumber(300)),
        (bytes(kind::SWITCH, 1, &[256]), Reason::UnknownNumber(256)),
        (bytes(kind::SKIP, 256, &[0, 0]), Reason::UnknownNumber(256)),
        (bytes(kind::FAULT, 1, &[0x101, 0, 0]), Reason::UnknownFault(0x101)),
        (bytes(kind::DRIVER, 1, &[0, 0, 5, 9]), Reason::WrongValueLength { stated: 5, words: 1 }),
        (bytes(kind::DRIVER, 1, &[0, 0, 4]), Reason::WrongValueLength { stated: 4, words: 0 }),
        (vec![3, 0, 0, 0], Reason::WrongLength { kind: kind::COMPLETE, words: 0 }),
    ];
    for (bytes, reason) in cases {
        assert_eq!(decode(&bytes), Err(DecodeError { offset: 0, reason }), "{bytes:?}");
    }
}

#[test]
fn the_error_says_where_and_what_to_do() {
    let mut trace = bytes(kind::COMPLETE, 1, &[]);
    trace.extend(bytes(77, 0, &[]));
    let error = decode(&trace).expect_err("kind 77");
    assert_eq!(
        error.to_string(),
        "the trace is damaged at byte 12: no record has kind 77; is this a trace, and of this version?"
    );
}
