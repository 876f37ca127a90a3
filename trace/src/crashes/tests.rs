//! Records are put together whatever else is told between their parts, and only if all of them are there.

use beryl_abi::crash::CrashPart;
use beryl_abi::{FaultKind, ProcessId};

use super::*;

const THREAD: ThreadId = ThreadId(3);

/// Of a processor whose frame has the place in its seventh word, and what it returns to in its sixth.
const REGISTERS: Registers = Registers {
    written_down: [
        ["r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr"],
        ["r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"],
    ],
    shown: [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "lr", "pc", "xpsr",
    ],
    instruction: "pc",
    link: "lr",
};

/// A record whose words are their own numbers but for the head, with `extent`.
fn words(extent: u32) -> [u32; WORDS] {
    let mut words = std::array::from_fn(|index| u32::try_from(index).expect("few words"));
    words[usize::from(HEAD) * PIECE] = extent;
    words
}

fn extent(has_frame: bool, has_others: bool, stack: u8) -> u32 {
    Extent { kind: FaultKind::Data, thread: THREAD, has_frame, has_others, stack }.word()
}

fn parts(thread: ThreadId, words: &[u32]) -> Vec<Event> {
    let part = |(number, pair): (usize, &[u32])| {
        let part = CrashPart { thread, number: u8::try_from(number).expect("few parts") };
        note(DecodedNote::Crash { part, first: pair[0], second: pair[1] })
    };
    words.chunks(2).enumerate().map(part).collect()
}

fn note(told: DecodedNote) -> Event {
    Event { time: Instant::from_ticks(9), happening: Happening::Note(told) }
}

fn expected(frame: bool, others: bool, stack: u32) -> Crash {
    Crash {
        thread: THREAD,
        fault: Fault { kind: FaultKind::Data, address: 51, instruction: 52 },
        time: Instant::from_ticks(50 << 32 | 49),
        number: 55,
        notes: 53,
        stack_pointer: 54,
        frame: frame.then_some([0, 1, 2, 3, 4, 5, 6, 7]),
        others: others.then_some([8, 9, 10, 11, 12, 13, 14, 15]),
        stack: (16..16 + stack).collect(),
    }
}

#[test]
fn what_is_told_of_a_thread_is_what_was_written_down() {
    for (frame, others, stack) in [(true, true, 32), (true, false, 5), (false, true, 0), (false, false, 32)] {
        let events = parts(THREAD, &words(extent(frame, others, stack)));
        assert_eq!(crashes(&events), [expected(frame, others, stack.into())]);
    }
}

#[test]
fn registers_have_their_names_in_their_order() {
    let names = |crash: &Crash| {
        let registers = crash.registers(&REGISTERS);
        registers.into_iter().map(|(name, _)| name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&expected(true, true, 0)), "r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 lr pc xpsr sp");
    assert_eq!(names(&expected(false, true, 0)), "r4 r5 r6 r7 r8 r9 r10 r11 sp");
    assert_eq!(names(&expected(true, false, 0)), "r0 r1 r2 r3 r12 lr pc xpsr sp");
    let known = |crash: &Crash| (crash.instruction(&REGISTERS), crash.link(&REGISTERS));
    assert_eq!(known(&expected(true, true, 0)), (Some(6), Some(5)));
    assert_eq!(known(&expected(false, true, 0)), (None, None));
}

#[test]
fn parts_of_two_records_may_come_between_each_other() {
    let other = ThreadId(7);
    let of_other =
        Extent { kind: FaultKind::Panic, thread: other, has_frame: true, has_others: true, stack: 1 };
    let (one, two) = (parts(THREAD, &words(extent(true, true, 32))), parts(other, &words(of_other.word())));
    let restart = note(DecodedNote::Restart { process: ProcessId(1), is_allowed: true, made: 1 });
    let mixed: Vec<_> = one.into_iter().zip(two).flat_map(|(one, two)| [one, restart.clone(), two]).collect();
    let told: Vec<_> = crashes(&mixed).iter().map(|crash| (crash.thread, crash.stack.len())).collect();
    assert_eq!(told, [(THREAD, 32), (other, 1)]);
}

#[test]
fn a_record_with_a_part_missing_is_none() {
    let all = parts(THREAD, &words(extent(true, true, 32)));
    for missing in 0..all.len() {
        let mut events = all.clone();
        events.remove(missing);
        assert_eq!(crashes(&events), [], "without part {missing}");
        // The next one begins anew.
        events.extend(all.clone());
        assert_eq!(crashes(&events).len(), 1, "without part {missing}");
    }
}

#[test]
fn what_happened_last_stands_before_the_fault_and_not_behind_it() {
    let names = Names::parse(
        r#"{ "system": "s", "tick": { "nanoseconds": 40, "ticks": 1 }, "processes": ["p"],
             "threads": [], "drivers": [], "programs": [] }"#,
    )
    .expect("names");
    let at = |ticks, happening| Event { time: Instant::from_ticks(ticks), happening };
    let complete = |task| Happening::Complete { task: ThreadId(task) };
    let fault = Happening::Fault { thread: THREAD, fault: expected(true, true, 0).fault };
    let events = [
        at(1, complete(0)),
        at(2, complete(1)),
        at(3, Happening::Note(DecodedNote::Wake { thread: THREAD })),
        at(4, complete(2)),
        at(5, fault),
        at(6, complete(4)),
    ];
    let crash = Crash { time: Instant::from_ticks(5), ..expected(true, true, 0) };
    let told = before(&crash, &events, 2, &names);
    let ticks: Vec<_> = told.iter().map(|(time, words)| (time.ticks(), words.as_str())).collect();
    assert_eq!(ticks, [(2, "thread 1 is done"), (4, "thread 2 is done")]);
}
