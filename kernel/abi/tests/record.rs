//! The binary form of trace records, word by word, and the numbers that users rely on.

use beryl_abi::{
    Awaited, CallNumber, Classes, CrashPart, DriverId, Duration, Fault, FaultKind, Instant, Kind, Line, Note,
    Passed, ProcessId, ProgramId, Range, Record, SemaphoreId, StateMessageId, ThreadId,
};

const AT: Instant = Instant::from_ticks(0x0000_0005_0000_0009);
const INSTANT: Instant = Instant::from_ticks(0x0000_0001_0000_0002);
const TASK: ThreadId = ThreadId(3);

fn words(record: Record) -> Vec<u32> {
    let mut words = Vec::new();
    record.encode(AT, |word| words.push(word), |address| 0xA000_0000 | address);
    words
}

#[test]
fn every_record_has_its_words() {
    let deadline = Instant::from_ticks(7);
    let fault = Fault { kind: FaultKind::StackOverflow, address: 0x2000_0000, instruction: 0x40 };
    let cases = [
        // header: the number of words that follow, the subject, the kind; then the time, low and high
        (Record::Release { task: TASK, instant: INSTANT, deadline }, vec![0x0600_0301, 9, 5, 2, 1, 7, 0]),
        (Record::Switch { from: ThreadId(1), to: TASK }, vec![0x0300_0302, 9, 5, 1]),
        (Record::Complete { task: TASK }, vec![0x0200_0303, 9, 5]),
        (Record::Miss { task: TASK, deadline }, vec![0x0400_0304, 9, 5, 7, 0]),
        // the value comes last, in whole words, behind its length in bytes
        (
            Record::Driver { driver: DriverId(0x1234), instant: INSTANT, value: Range::new(0x10, 5) },
            vec![0x0712_3405, 9, 5, 2, 1, 5, 0xA000_0010, 0xA000_0014],
        ),
        (
            Record::Driver { driver: DriverId(1), instant: INSTANT, value: Range::EMPTY },
            vec![0x0500_0105, 9, 5, 2, 1, 0],
        ),
        (Record::Skip { program: ProgramId(2), instant: INSTANT }, vec![0x0400_0206, 9, 5, 2, 1]),
        (Record::Violation { task: TASK, instant: INSTANT }, vec![0x0400_0307, 9, 5, 2, 1]),
        (Record::Fault { thread: TASK, fault }, vec![0x0500_0308, 9, 5, 3, 0x2000_0000, 0x40]),
        (Record::Overrun { task: TASK }, vec![0x0200_0309, 9, 5]),
        (Record::Stray { line: Line(0xABCD) }, vec![0x02AB_CD0A, 9, 5]),
        (
            Record::Swap { program: ProgramId(2), room: 1, instant: Instant::from_ticks(0x0102_0304_0506) },
            vec![0x0500_020B, 9, 5, 0x0304_0506, 0x0102, 1],
        ),
        (
            Record::State { message: StateMessageId(3), writes: 7, value: Range::new(0x10, 8) },
            vec![0x0600_0320, 9, 5, 7, 8, 0xA000_0010, 0xA000_0014],
        ),
        // notes have two words, whatever they tell
        (Record::Note(Note::block(TASK, Awaited::Receive, 9)), vec![0x0400_030C, 9, 5, 0x0907, 0]),
        (Record::Note(Note::wake(TASK)), vec![0x0400_030D, 9, 5, 0, 0]),
        (
            Record::Note(Note::lend(TASK, Awaited::Semaphore, 2, ThreadId(7))),
            vec![0x0400_030E, 9, 5, 0x0204, 7],
        ),
        (Record::Note(Note::hold(TASK, SemaphoreId(2))), vec![0x0400_030F, 9, 5, 2, 0]),
        (Record::Note(Note::free(TASK, SemaphoreId(2))), vec![0x0400_0310, 9, 5, 2, 0]),
        (Record::Note(Note::message(TASK, Passed::Notified, 4)), vec![0x0400_0311, 9, 5, 0x0405, 0]),
        (Record::Note(Note::block(TASK, Awaited::EventGroup, 2)), vec![0x0400_030C, 9, 5, 0x020B, 0]),
        (Record::Note(Note::message(TASK, Passed::Set, 4)), vec![0x0400_0311, 9, 5, 0x0406, 0]),
        (Record::Note(Note::message(TASK, Passed::Cleared, 4)), vec![0x0400_0311, 9, 5, 0x0407, 0]),
        (Record::Note(Note::message(TASK, Passed::SetEarly, 4)), vec![0x0400_0311, 9, 5, 0x040B, 0]),
        (Record::Note(Note::interrupt(TASK, Line(0x123))), vec![0x0400_0312, 9, 5, 0x123, 0]),
        (Record::Note(Note::acknowledge(TASK, Line(10))), vec![0x0400_0313, 9, 5, 10, 0]),
        (Record::Note(Note::event(TASK, 0xABCD, 0x8000_0001)), vec![0x0400_0314, 9, 5, 0xABCD, 0x8000_0001]),
        (Record::Note(Note::react(ProgramId(1), 77, INSTANT)), vec![0x0400_0115, 9, 5, 77, 2]),
        (Record::Note(Note::enter(TASK, 2)), vec![0x0400_0316, 9, 5, 2, 0]),
        (Record::Note(Note::leave(TASK)), vec![0x0400_0317, 9, 5, 0, 0]),
        (Record::Note(Note::lost(1000)), vec![0x0400_0018, 9, 5, 1000, 0]),
        (Record::Note(Note::stop(TASK, true)), vec![0x0400_0319, 9, 5, 1, 0]),
    ];
    for (record, expected) in cases {
        let found = words(record);
        assert_eq!(found, expected, "{record:?}");
        assert_eq!(found[0] >> 24, u32::try_from(found.len() - 1).unwrap(), "{record:?}");
        assert_eq!(Kind::decode(found[0] & 0xFF).map(Kind::class), Some(record.class()), "{record:?}");
    }
}

/// What a target keeps of a record: kind, subject and class in the header, then two words.
#[test]
fn every_record_has_its_note() {
    let deadline = Instant::from_ticks(0x7_0000_0007);
    let fault = Fault { kind: FaultKind::StackOverflow, address: 0x2000_0000, instruction: 0x40 };
    let used = Duration::from_ticks(5);
    let cases = [
        (Record::Release { task: TASK, instant: INSTANT, deadline }, Classes::JOBS, 0x0000_0301, [2, 7]),
        (Record::Switch { from: ThreadId(1), to: TASK }, Classes::SWITCHES, 0x0100_0302, [1, 0]),
        (
            Record::Driver { driver: DriverId(0x1234), instant: INSTANT, value: Range::new(0x10, 5) },
            Classes::DRIVERS,
            0x0212_3405,
            [2, 5],
        ),
        (Record::Fault { thread: TASK, fault }, Classes::FAULTS, 0x0400_0308, [3, 0x2000_0000]),
        (
            Record::Swap { program: ProgramId(2), room: 1, instant: INSTANT },
            Classes::SWAPS,
            0x0300_020B,
            [2, 1],
        ),
        (
            Record::State { message: StateMessageId(3), writes: 7, value: Range::new(0x10, 8) },
            Classes::STATES,
            0x0D00_0320,
            [7, 8],
        ),
        (Record::Note(Note::budget(TASK, None, used)), Classes::BUDGETS, 0x0C00_031B, [0, 5]),
        (Record::Note(Note::budget(TASK, Some(DriverId(7)), used)), Classes::BUDGETS, 0x0C00_031B, [8, 5]),
        // what is longer than a word can say is told as the longest
        (
            Record::Note(Note::budget(TASK, None, Duration::FOREVER)),
            Classes::BUDGETS,
            0x0C00_031B,
            [0, u32::MAX],
        ),
        (Record::Note(Note::restart(ProcessId(2), true, 7)), Classes::FAULTS, 0x0400_021D, [1, 7]),
        (
            Record::Note(Note::crash(CrashPart { thread: TASK, number: 27 }, 8, 9)),
            Classes::FAULTS,
            0x041B_031E,
            [8, 9],
        ),
        (Record::Note(Note::event(TASK, 4, 5)), Classes::EVENTS, 0x0B00_0314, [4, 5]),
    ];
    for (record, class, header, words) in cases {
        assert_eq!((record.class(), record.note()), (class, Note { header, words }), "{record:?}");
        assert_eq!(record.note().class(), class, "{record:?}");
    }
    assert_eq!(Classes::NAMED.len(), 14);
    assert_eq!(Classes::NAMED.iter().fold(Classes::NONE, |all, (_, class)| all.with(*class)), Classes::ALL);
}

#[test]
fn numbers_decode_to_what_they_were() {
    for number in 0..=u8::MAX {
        let kind = FaultKind::decode(number);
        assert_eq!(kind.map(|kind| kind as u8), (1..=14).contains(&number).then_some(number));
        let call = CallNumber::decode(number.into());
        assert_eq!(
            call.map(|call| call as u32),
            (usize::from(number) < CallNumber::ALL.len()).then_some(number.into())
        );
    }
    assert_eq!(CallNumber::decode(u32::MAX), None);
    assert_eq!(CallNumber::ALL.len(), 36);
}

#[test]
fn time_saturates_and_never_wraps() {
    let (last, one) = (Instant::from_ticks(u64::MAX - 1), Duration::from_ticks(1));
    assert_eq!(last.after(one), Instant::NEVER);
    assert_eq!(last.after(Duration::FOREVER), Instant::NEVER);
    assert_eq!(Instant::START.since(last), Duration::ZERO);
    assert_eq!(last.since(Instant::START).plus(Duration::FOREVER), Duration::FOREVER);
    assert_eq!(one.minus(Duration::FOREVER), Duration::ZERO);
    assert!(Instant::START.is_due(Instant::START) && !last.is_due(Instant::START));
}
