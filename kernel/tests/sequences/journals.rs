//! Journals: what a process has written down by itself is told when the kernel is entered, whatever it is.

use beryl_abi::call::SUCCESS;
use beryl_abi::{
    CallNumber, Classes, Duration, Instant, Journal, Kind, Line, Moment, Note, Record, ThreadId,
};
use beryl_kernel::{Call, Event};
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::host::Rig;
use crate::host::draft::{Draft, Noting, Queue};
use crate::host::objects::memory;

const PLACES: u32 = 4;
/// The journals of two processes.
const JOURNALS: [Journal; 2] =
    [Journal { address: 0x7000, places: PLACES }, Journal { address: 0x8000, places: PLACES }];
/// The reader of the buffer, the more urgent thread, and the only one of the other process.
const LOW: ThreadId = ThreadId(0);
const HIGH: ThreadId = ThreadId(1);

/// A thread of each process, while the host listens to these classes.
fn begun(classes: Classes) -> Rig<Noting> {
    let mut draft = Draft::<Noting>::new(&[Queue::Fixed]);
    draft.free(0, 0, 5);
    draft.free(1, 0, 9);
    let mut system = draft.finish().0;
    for (process, journal) in JOURNALS.into_iter().enumerate() {
        system.processes[process].memory[0] = memory(u8::try_from(process).unwrap());
        system.processes[process].journal = journal;
    }
    let mut rig = Rig::new(&system);
    rig.kernel.state.record(classes);
    rig.raise(Event::Start);
    rig
}

fn word(rig: &mut Rig<Noting>, journal: Journal, word: u32) -> u32 {
    rig.host().word(journal.address + word)
}

/// A thread writes an event as `user` does; answers whether there was room.
fn write(rig: &mut Rig<Noting>, journal: Journal, event: u32, value: u32) -> bool {
    let [put, end, mask] = [Journal::PUT, Journal::END, Journal::MASK].map(|at| word(rig, journal, at));
    if put == end {
        return false;
    }
    let place = Journal::place(journal.address, put, mask);
    let now = rig.host().clock.moment().ticks();
    let words =
        [(place, event), (place + 4, now), (place + 8, value), (journal.address, put.wrapping_add(1))];
    rig.host().memory.extend(words);
    true
}

fn call(rig: &mut Rig<Noting>, number: CallNumber, arguments: [u32; 4]) {
    rig.raise(Event::Call(Call { number: number as u32, arguments }));
}

/// What was told since somebody looked last, as kind, subject, and the first word.
fn told(rig: &mut Rig<Noting>) -> Vec<(u32, u16, u32)> {
    let note = |record: Record| record.note();
    let notes = std::mem::take(&mut rig.host().records).into_iter().map(note);
    notes.map(|note| (note.kind(), note.subject(), note.words[0])).collect()
}

const EVENT: u32 = Kind::Event as u32;
const SWITCH: u32 = Kind::Switch as u32;

#[test]
fn what_was_written_is_told_of_its_thread_before_all_that_the_kernel_does() {
    let mut rig = begun(Classes::EVENTS.with(Classes::SWITCHES));
    told(&mut rig);
    // The more urgent thread runs, and sleeps then.
    assert!(write(&mut rig, JOURNALS[1], 7, 1) && write(&mut rig, JOURNALS[1], 8, 2));
    call(&mut rig, CallNumber::SleepUntil, [255, 100, 0, 0]);
    assert_eq!(told(&mut rig), [(EVENT, 1, 7), (EVENT, 1, 8), (SWITCH, 0, 1)]);
    // What is left in the journal of a process that doesn't run is none of this one's.
    assert!(write(&mut rig, JOURNALS[0], 9, 3));
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), [(EVENT, 0, 9)]);
    // Nothing is told twice.
    rig.raise(Event::Interrupt(Line(77)));
    assert_eq!(told(&mut rig), []);
    // The alarm comes, and the kernel is entered for it.
    assert!(write(&mut rig, JOURNALS[0], 10, 4));
    rig.host().clock = Instant::from_ticks(100);
    rig.raise(Event::Alarm);
    assert_eq!(told(&mut rig), [(EVENT, 0, 10), (SWITCH, 1, 0)]);
}

#[test]
fn whoever_was_writing_when_the_kernel_was_entered_finds_another_count() {
    let mut rig = begun(Classes::EVENTS);
    for _ in 0..5 {
        let before = word(&mut rig, JOURNALS[1], Journal::PUT);
        rig.raise(Event::Interrupt(Line(77)));
        let [put, end] = [Journal::PUT, Journal::END].map(|at| word(&mut rig, JOURNALS[1], at));
        assert_eq!((put, end), (before + PLACES, before + 2 * PLACES), "it has all of its room");
    }
}

#[test]
fn a_full_journal_says_so_and_its_events_come_before_the_one_that_is_called() {
    let mut rig = begun(Classes::EVENTS);
    told(&mut rig);
    (0..PLACES).for_each(|number| assert!(write(&mut rig, JOURNALS[1], number, 0)));
    assert!(!write(&mut rig, JOURNALS[1], PLACES, 0));
    assert_eq!(word(&mut rig, JOURNALS[1], Journal::CALLS), 1);
    call(&mut rig, CallNumber::TraceEvent, [PLACES, 0, 0, 0]);
    let events: Vec<_> = (0..=PLACES).map(|number| (EVENT, 1, number)).collect();
    assert_eq!(told(&mut rig), events);
}

#[test]
fn journals_have_no_room_while_nobody_listens() {
    let mut rig = begun(Classes::SWITCHES);
    call(&mut rig, CallNumber::SleepUntil, [255, 100, 0, 0]);
    assert!(!write(&mut rig, JOURNALS[0], 1, 0) && word(&mut rig, JOURNALS[0], Journal::CALLS) == 0);
    // The reader listens: who is just writing begins anew.
    for (classes, has_room) in [(Classes::EVENTS, true), (Classes::NONE, false), (Classes::EVENTS, true)] {
        let before = JOURNALS.map(|journal| word(&mut rig, journal, Journal::PUT));
        call(&mut rig, CallNumber::TraceClasses, [classes.0.into(), 0, 0, 0]);
        for (journal, before) in JOURNALS.into_iter().zip(before) {
            let words = [Journal::PUT, Journal::END, Journal::CALLS].map(|at| word(&mut rig, journal, at));
            let [put, end, calls] = words;
            assert_ne!(put, before, "{journal:?}");
            assert_eq!((end - put, calls), if has_room { (PLACES, 1) } else { (0, 0) }, "{journal:?}");
        }
    }
}

/// Each round forges all of a journal: at most as many events are told as it has room for, all of the thread
/// that ran, all from its journal.
#[test]
fn forged_journals_tell_nothing_but_what_stands_in_them() {
    const SEED: u64 = 78;
    let mut random = Random::from_zero(SEED);
    let mut rig = begun(Classes::EVENTS);
    // What the kernel must not read says so.
    let outside = (0x6000..0x9000).step_by(4).map(|address| (address, 0xBAD));
    let own = |address: &u32| (0x8000..0x8000 + Journal::bytes(PLACES)).contains(address);
    rig.host().memory.extend(outside.filter(|(address, _)| !own(address)));
    told(&mut rig);
    for round in 0..2000 {
        let words = (0x8000..0x8000 + Journal::bytes(PLACES)).step_by(4);
        let forged: Vec<_> = words.map(|address| (address, forged(&mut random))).collect();
        let told_by_it: Vec<u32> = forged[4..].iter().step_by(3).map(|(_, word)| word & 0xFFFF).collect();
        rig.host().memory.extend(forged.iter().copied());
        rig.raise(Event::Interrupt(Line(77)));
        let told = told(&mut rig);
        assert!(told.len() <= PLACES as usize, "seed {SEED}, round {round}: {told:?}");
        for (kind, subject, event) in told {
            let is_own = (kind, subject) == (EVENT, HIGH.0.into()) && told_by_it.contains(&event);
            assert!(is_own, "seed {SEED}, round {round}: {event:#x} is told, there are {forged:x?}");
        }
    }
}

fn forged(random: &mut Random) -> u32 {
    let small = u32::try_from(random.below(12)).unwrap();
    match random.below(3) {
        0 => small,
        1 => small.wrapping_sub(6),
        _ => u32::try_from(random.below(1 << 32)).unwrap() & !0xBAD | 1,
    }
}

/// Whatever an event says of its time, it is told as between what was told before and now.
#[test]
fn forged_times_do_not_break_the_order_of_a_buffer() {
    let mut rig = begun(Classes::NONE);
    call(&mut rig, CallNumber::SleepUntil, [255, 0, 1, 0]);
    call(&mut rig, CallNumber::TraceClasses, [Classes::EVENTS.0.into(), 0, 0, 0]);
    let mut last = Instant::START;
    for (claimed, shift) in [(0, 5), (u32::MAX, 5), (1 << 31, 7), (0, 1 << 31)] {
        rig.host().clock = rig.host().clock.after(Duration::from_ticks(shift));
        let now = rig.host().clock.moment().ticks();
        let forged = Instant::START.moment().after(claimed).ticks();
        for time in [now.wrapping_sub(2), forged] {
            let put = word(&mut rig, JOURNALS[0], Journal::PUT);
            assert!(write(&mut rig, JOURNALS[0], 1, 2));
            let place = Journal::place(JOURNALS[0].address, put, PLACES - 1);
            rig.host().memory.insert(place + 4, time);
        }
        let to = memory(0).address;
        call(&mut rig, CallNumber::TraceRead, [0, to, 64, 0]);
        assert_eq!(rig.host().registers[&LOW][..2], [SUCCESS, 2]);
        let times = [4, 20].map(|at| rig.host().word(to + at));
        assert_eq!(rig.host().word(to), Note::event(LOW, 1, 2).header);
        // The first says the truth; the other claims what can't be.
        let clock = rig.host().clock;
        let times = times.map(|time| clock.last(Moment::from_ticks(time)));
        assert!(times.map(|time| clock.since(time).ticks()) == [2; 2], "{claimed}: {times:?}, now {now}");
        assert!(times[0] >= last, "{claimed}: {times:?} after {last:?}");
        last = times[1];
    }
}
