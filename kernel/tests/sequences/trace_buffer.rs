//! The buffer for notes, against a queue in the plainest code: all sequences of what writers and the reader
//! do, up to a length.

use std::collections::VecDeque;

use beryl_abi::call::SUCCESS;
use beryl_abi::{CallError, CallNumber, Classes, Instant, Line, Note, ThreadId};
use beryl_kernel::{Call, Event};

use crate::host::Do::At;
use crate::host::Rig;
use crate::host::code::{RETURN, call, future};
use crate::host::draft::{Draft, Noting, Queue};
use crate::host::objects::memory;

/// What the only thread does, which is the reader, or what comes from outside.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// It tells something.
    Tell,
    /// An interrupt comes that nobody serves: two notes, of two classes.
    Interrupt,
    /// It takes notes out, as many as have room.
    Take(u32),
    /// It chooses classes.
    Choose(Classes),
}

const ACTS: [Act; 6] = [
    Act::Tell,
    Act::Interrupt,
    Act::Take(1),
    Act::Take(9),
    Act::Choose(Classes::EVENTS.with(Classes::INTERRUPTS)),
    Act::Choose(Classes::FAULTS),
];
/// The length of the sequences: long enough to fill the buffer twice, and to empty it.
const LENGTH: usize = 6;
/// How many notes have room.
const ROOM: usize = 4;
const STEP: u64 = 0x4000_0001;
const READER: ThreadId = ThreadId(0);

/// The reference: what is in the buffer, and what isn't.
#[derive(Clone, Default)]
struct Reference {
    kept: VecDeque<[u32; 4]>,
    lost: u32,
    classes: Classes,
    told: u32,
}

impl Reference {
    fn put(&mut self, note: Note, now: Instant) {
        if !self.classes.has(note.class()) {
            return;
        }
        match self.kept.len() < ROOM {
            true => self.kept.push_back([note.header, now.moment().ticks(), note.words[0], note.words[1]]),
            false => self.lost += 1,
        }
    }

    fn take(&mut self, most: u32, now: Instant) -> Vec<[u32; 4]> {
        let count = self.kept.len().min(most.min(4) as usize);
        let taken: Vec<_> = self.kept.drain(..count).collect();
        let lost = Note::lost(self.lost);
        if !taken.is_empty() && std::mem::take(&mut self.lost) > 0 {
            self.kept.push_back([lost.header, now.moment().ticks(), lost.words[0], 0]);
        }
        taken
    }
}

fn ask(rig: &mut Rig<Noting>, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
    rig.raise(Event::Call(Call { number: number as u32, arguments }));
    rig.host().registers[&READER]
}

/// Does one thing with both, and compares.
fn act(rig: &mut Rig<Noting>, reference: &mut Reference, act: Act) {
    let now = rig.host().clock.after(beryl_abi::Duration::from_ticks(STEP));
    rig.host().clock = now;
    let to = memory(0).address;
    match act {
        Act::Tell => {
            reference.told += 1;
            reference.put(Note::event(READER, 5, reference.told), now);
            assert_eq!(ask(rig, CallNumber::TraceEvent, [5, reference.told, 0, 0])[0], SUCCESS);
        }
        Act::Interrupt => {
            reference.put(Note::interrupt(ThreadId::NONE, Line(9)), now);
            reference.put(beryl_abi::Record::Stray { line: Line(9) }.note(), now);
            rig.raise(Event::Interrupt(Line(9)));
        }
        Act::Take(most) => {
            let expected = reference.take(most, now);
            let [status, count, _] = ask(rig, CallNumber::TraceRead, [0, to, most * 16 + 15, 0]);
            assert_eq!((status, count as usize), (SUCCESS, expected.len()));
            let words = expected.iter().flatten().zip((to..).step_by(4));
            words.for_each(|(word, address)| assert_eq!(rig.host().word(address), *word, "{expected:x?}"));
        }
        Act::Choose(classes) => {
            reference.classes = classes;
            assert_eq!(ask(rig, CallNumber::TraceClasses, [classes.0.into(), 0, 0, 0])[0], SUCCESS);
        }
    }
}

fn explore(rig: &Rig<Noting>, reference: &Reference, left: usize, count: &mut usize) {
    if left == 0 {
        *count += 1;
        return;
    }
    for next in ACTS {
        let (mut rig, mut reference) = (rig.clone(), reference.clone());
        act(&mut rig, &mut reference, next);
        rig.host().log.clear();
        explore(&rig, &reference, left - 1, count);
    }
}

fn begun() -> Rig<Noting> {
    let mut draft = Draft::<Noting>::new(&[Queue::Fixed]);
    draft.free(0, 0, 5);
    let memory = memory(0);
    let mut system = draft.finish().0;
    system.processes[0].memory[0] = memory;
    let mut rig = Rig::new(&system);
    rig.kernel.state.set_tracing(false);
    // Nothing comes in between: the same twice is enough for other tests.
    rig.disturbed = false;
    rig.raise(Event::Start);
    rig
}

#[test]
fn all_that_writers_and_reader_can_do_is_what_a_queue_does() {
    let (mut rig, mut reference, mut count) = (begun(), Reference::default(), 0);
    act(&mut rig, &mut reference, Act::Choose(Classes::EVENTS));
    explore(&rig, &reference, LENGTH, &mut count);
    assert_eq!(count, ACTS.len().pow(6));
}

/// The counters of what went in and out are words: a buffer that has seen more than they count goes on.
#[test]
fn a_buffer_goes_round_any_number_of_times() {
    let (mut rig, mut reference) = (begun(), Reference::default());
    act(&mut rig, &mut reference, Act::Choose(Classes::EVENTS));
    for round in 0..1000 {
        (0..round % 7).for_each(|_| act(&mut rig, &mut reference, Act::Tell));
        act(&mut rig, &mut reference, Act::Take(round % 6));
        rig.host().log.clear();
    }
}

#[test]
fn only_the_reader_reads_and_into_its_own_memory() {
    let mut rig = begun();
    let refused = |rig: &mut Rig<Noting>, number, arguments| ask(rig, number, arguments)[0];
    let stranger = memory(1).address;
    assert_eq!(refused(&mut rig, CallNumber::TraceRead, [0, stranger, 16, 0]), CallError::BadAddress as u32);
    assert_eq!(
        refused(&mut rig, CallNumber::TraceRead, [0, memory(0).address + 2, 16, 0]),
        CallError::BadAddress as u32
    );

    let mut draft = Draft::<Noting>::new(&[Queue::Fixed]);
    draft.free(0, 0, 5);
    draft.free(0, 0, 9);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    for number in [CallNumber::TraceRead, CallNumber::TraceClasses] {
        rig.raise(Event::Call(Call { number: number as u32, arguments: [0; 4] }));
        assert_eq!(rig.host().registers[&ThreadId(1)][0], CallError::NoSuchObject as u32);
    }
}

#[test]
fn a_drivers_value_stands_behind_its_note_two_words_a_note() {
    let mut draft = Draft::<Noting>::new(&[Queue::Dynamic(2), Queue::Fixed]);
    draft.free(0, 1, 5);
    let task = draft.task(0, 0, 0);
    let driver = draft.copy(task, 0x200, 0x100, 12);
    draft.program(&[5], &[future(0, 2), RETURN, call(driver), RETURN]);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    for (address, value) in [(0x200, 7), (0x204, 8), (0x208, 9), (0x20C, 10)] {
        rig.host().memory.insert(address, value);
    }
    ask(&mut rig, CallNumber::TraceClasses, [Classes::DRIVERS.0.into(), 0, 0, 0]);
    rig.step(At(5));
    let to = memory(0).address;
    assert_eq!(ask(&mut rig, CallNumber::TraceRead, [0, to, 64, 0])[..2], [SUCCESS, 3]);
    let words = [24, 28, 40, 44].map(|offset| rig.host().word(to + offset));
    assert_eq!(words, [7, 8, 9, 0]);
}
