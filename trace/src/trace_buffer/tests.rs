//! What a board keeps of records, and what can be recovered from it.

use beryl_abi::{
    Awaited, DriverId, Fault, FaultKind, Line, ProgramId, SemaphoreId, StateMessageId, ThreadId,
};
use proptest::prelude::*;

use super::*;
use crate::decode;
use crate::event::{Event, Happening};

/// A note as a board's buffer holds it.
fn kept(note: Note, time: Instant) -> Vec<u8> {
    let [first, second] = note.words;
    [note.header, time.moment().ticks(), first, second].iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The notes that a board keeps of a record: its own, and those of a value.
fn kept_of(record: &Record, time: Instant, value: &[u8]) -> Vec<u8> {
    let mut bytes = kept(record.note(), time);
    let parts = if matches!(record, Record::State { .. }) { Kind::Part } else { Kind::Value };
    for pair in value[..value.len().min(32)].chunks(8) {
        let mut words = [0; 8];
        words[..pair.len()].copy_from_slice(pair);
        let [first, second] = [&words[..4], &words[4..]].map(word);
        bytes.extend(kept(Note::of(parts, 0, [first, second]), time));
    }
    bytes
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn events(drained: &mut Drained) -> Vec<Event> {
    decode(&drained.records()).expect("records")
}

#[test]
fn a_flight_of_records_comes_back_as_it_was() {
    let base = 0x3_FFFF_FF00; // the low word wraps around in between
    let fault = Fault { kind: FaultKind::Bus, address: 0x4000_0000, instruction: 0 };
    let (task, driver, program) = (ThreadId(3), DriverId(0x1234), ProgramId(1));
    let happened = [
        Happening::Release { task, instant: at(base), deadline: at(base + 0x1000) },
        Happening::Switch { from: ThreadId(7), to: task },
        Happening::Driver { driver, instant: at(base), value: vec![1, 2, 3, 4, 5, 6, 7, 8, 9] },
        Happening::Driver { driver, instant: at(base), value: vec![] },
        Happening::State { message: StateMessageId(5), writes: 3, value: (1..=12).collect() },
        Happening::Complete { task },
        Happening::Miss { task, deadline: at(base - 5) },
        Happening::Skip { program, instant: at(base) },
        Happening::Violation { task, instant: at(base) },
        Happening::Fault { thread: task, fault },
        Happening::Overrun { task },
        Happening::Stray { line: Line(300) },
        Happening::Swap { program, room: 1, instant: at(base + 0x200) },
        Happening::Note(crate::DecodedNote::Hold { thread: task, lock: SemaphoreId(2) }),
        Happening::Note(crate::DecodedNote::Block { thread: task, awaited: Awaited::Send, object: 1 }),
    ];
    let expected: Vec<Event> = (base..)
        .step_by(0x40)
        .zip(happened)
        .map(|(time, happening)| Event { time: at(time), happening })
        .collect();
    let mut drained = Drained::default();
    let mut before = 0;
    for event in &expected {
        let (record, value) = crate::decode::tests_record(&event.happening);
        let bytes = kept_of(&record, event.time, &value);
        assert!(drained.take(before, event.time.after(beryl_abi::Duration::from_ticks(9)), &bytes));
        before += u32::try_from(bytes.len() / NOTE).expect("few");
    }
    assert_eq!(events(&mut drained), expected);
    assert_eq!((drained.notes(), drained.lost()), (u64::from(before), 0));
}

#[test]
fn what_is_lost_is_counted_where_it_is_missing() {
    let mut drained = Drained::default();
    let note = |time| kept(Note::wake(ThreadId(1)), at(time));
    drained.take(4, at(10), &note(10));
    // two frames, with three notes in all, are lost
    drained.take(8, at(20), &note(20));
    drained.take(9, at(30), &kept(Note::lost(7), at(25)));
    let told: Vec<_> =
        events(&mut drained).iter().map(|event| (event.time.ticks(), event.happening.clone())).collect();
    let wake = Happening::Note(crate::DecodedNote::Wake { thread: ThreadId(1) });
    let lost = |count| Happening::Note(crate::DecodedNote::Lost { count });
    assert_eq!(told, [(10, wake.clone()), (20, lost(3)), (20, wake), (25, lost(7))]);
    assert_eq!(drained.lost(), 10);
}

#[test]
fn a_value_that_breaks_off_is_as_long_as_it_came_and_a_long_one_is_cut() {
    let mut drained = Drained::default();
    let record =
        |length| Record::Driver { driver: DriverId(1), instant: at(0), value: Range::new(0, length) };
    let bytes = kept_of(&record(20), at(5), &[9; 20]);
    drained.take(0, at(5), &bytes[..2 * NOTE]);
    drained.take(2, at(6), &kept(Note::wake(ThreadId(1)), at(6)));
    drained.take(3, at(7), &kept_of(&record(100), at(7), &[8; 100]));
    let values: Vec<_> = events(&mut drained)
        .into_iter()
        .filter_map(|event| match event.happening {
            Happening::Driver { value, .. } => Some(value),
            _ => None,
        })
        .collect();
    assert_eq!(values, [vec![9; 8], vec![8; 32]]);
}

/// What belongs to a record of another kind, or to none, is no part of a value.
#[test]
fn parts_of_another_kind_of_value_are_refused() {
    let mut drained = Drained::default();
    let record = Record::State { message: StateMessageId(1), writes: 1, value: Range::new(0, 12) };
    let bytes = kept_of(&record, at(5), &[9; 12]);
    assert!(drained.take(0, at(5), &bytes[..2 * NOTE]));
    assert!(!drained.take(2, at(6), &kept(Note::of(Kind::Value, 0, [7, 7]), at(6))));
    assert!(drained.take(3, at(7), &bytes[2 * NOTE..]));
    assert!(!drained.take(4, at(8), &kept(Note::of(Kind::Part, 0, [7, 7]), at(8))));
    let told: Vec<_> = events(&mut drained).into_iter().map(|event| event.happening).collect();
    assert_eq!(told, [Happening::State { message: StateMessageId(1), writes: 1, value: vec![9; 12] }]);
}

#[test]
fn classes_are_called_by_their_names() {
    assert_eq!(classes("jobs, locks"), Ok(Classes::JOBS.with(Classes::LOCKS)));
    assert_eq!((classes("all"), classes("none")), (Ok(Classes::ALL), Ok(Classes::NONE)));
    let error = classes("jobs,lock").expect_err("no class");
    assert!(error.starts_with("there is no class `lock`; there are jobs, switches,"), "{error}");
}

proptest! {
    /// Whatever arrives on the line, the result is a trace in time order.
    #[test]
    fn any_notes_are_a_trace(frames in prop::collection::vec((any::<u32>(), any::<u64>(), prop::collection::vec(any::<u8>(), 0..64)), 0..8)) {
        let mut drained = Drained::default();
        for (before, time, notes) in frames {
            drained.take(before, at(time), &notes);
        }
        let (events, damage) = crate::decode::readable(&drained.records());
        prop_assert_eq!(damage, None);
        prop_assert!(events.is_sorted_by_key(|event| event.time));
    }
}
