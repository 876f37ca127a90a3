//! Crash records: what a thread had when it faulted is written down before it is stopped, and whoever reads the buffer gets
//! it, against the plainest list of records.

use std::collections::VecDeque;

use beryl_abi::call::SUCCESS;
use beryl_abi::crash::{CrashPart, Extent, HEAD, PARTS, PIECE, STACK_WORDS, WORDS};
use beryl_abi::words::Word;
use beryl_abi::{CallNumber, Classes, DecodedNote, Fault, FaultKind, Instant, Note, Record, ThreadId};
use beryl_kernel::{Budget, Call, Event, OnSpent, StepKind};
use beryl_testing::{Draw, SplitMix64};

use crate::assert_story;
use crate::host::Do::At;
use crate::host::Rig;
use crate::host::draft::{Crashing, Draft, Queue};
use crate::host::machine::Left;
use crate::host::objects::memory;

/// Process 0 has the reader, thread 0; process 1 two threads, 1 and 2, more urgent the second, and begins anew as often
/// as it likes; 3 idles.
fn draft() -> Draft<Crashing> {
    let mut draft = Draft::<Crashing>::new(&[Queue::Fixed]);
    draft.free(0, 0, 5);
    draft.free(1, 0, 8);
    draft.free(1, 0, 9);
    draft.restart(1, 8, 1);
    draft
}

fn begun(draft: Draft<Crashing>) -> Rig<Crashing> {
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.host().log.clear();
    rig
}

/// What a thread has whose registers and stack are numbered from `first`.
fn left(first: u32, has_frame: bool, stack: usize) -> Left {
    let numbered = |from: u32| std::array::from_fn(|index| from + u32::try_from(index).expect("few"));
    Left {
        stack_pointer: first,
        frame: has_frame.then(|| numbered(first + 100)),
        others: numbered(first + 200),
        stack: (first + 300..).take(stack).collect(),
    }
}

/// The record of it, as the plain rule has it.
fn expected(
    left: &Left,
    thread: ThreadId,
    fault: Fault,
    time: Instant,
    notes: u32,
    number: u32,
) -> [u32; WORDS] {
    let stack = left.stack.len().min(STACK_WORDS);
    let extent = Extent {
        kind: fault.kind,
        thread,
        has_frame: left.frame.is_some(),
        has_others: true,
        stack: u8::try_from(stack).expect("few"),
    };
    let mut words = [0; WORDS];
    words[..PIECE].copy_from_slice(&left.frame.unwrap_or_default());
    words[PIECE..2 * PIECE].copy_from_slice(&left.others);
    words[2 * PIECE..2 * PIECE + stack].copy_from_slice(&left.stack[..stack]);
    let head = [
        extent.word(),
        time.ticks() as u32,
        (time.ticks() >> 32) as u32,
        fault.address,
        fault.instruction,
        notes,
        left.stack_pointer,
        number,
    ];
    words[usize::from(HEAD) * PIECE..].copy_from_slice(&head);
    words
}

const FAULT: Fault = Fault { kind: FaultKind::Data, address: 0x40, instruction: 0x80 };
const CULPRIT: ThreadId = ThreadId(2);

/// The parts that a host was told.
fn told(rig: &mut Rig<Crashing>) -> Vec<(CrashPart, [u32; 2])> {
    let part = |record: Record| match record {
        Record::Note(note) => match DecodedNote::read(note, Instant::START) {
            Ok(DecodedNote::Crash { part, first, second }) => Some((part, [first, second])),
            _ => None,
        },
        _ => None,
    };
    std::mem::take(&mut rig.host().records).into_iter().filter_map(part).collect()
}

#[test]
fn a_record_is_written_before_anything_is_given_up() {
    let mut rig = begun(draft());
    rig.step(At(1 << 33));
    rig.host().log.clear();
    rig.host().left.insert(CULPRIT, left(1000, true, 40));
    rig.host().records.clear();
    rig.raise(Event::Fault(FAULT));
    let log = rig.host().log.clone();
    let kinds: Vec<_> =
        log.iter().filter_map(|line| line.split(' ').nth(1)).filter(|kind| *kind != "arm").collect();
    let parts = usize::from(PARTS);
    assert_eq!(kinds[..=parts], [&["fault"][..], &vec!["crash"; parts]].concat(), "{log:#?}");
    assert_story(
        &log.iter()
            .filter(|line| !line.contains("crash of") && !line.contains(" arm "))
            .map(|line| line.replace("8589934592 ", ""))
            .collect::<Vec<_>>(),
        &[
            "fault 2: access to memory that isn't its own",
            "restart 1",
            "restart 2",
            "renewal of 1: 1 0 1",
            "back: the memory of 1",
            "switch 2 to 2",
        ],
    );
    let words = expected(&left(1000, true, 40), CULPRIT, FAULT, Instant::from_ticks(1 << 33), 0, 1);
    let (pairs, _) = words.as_chunks::<2>();
    let number = |number: usize| CrashPart { thread: CULPRIT, number: u8::try_from(number).expect("few") };
    let all: Vec<_> = pairs.iter().enumerate().map(|(index, pair)| (number(index), *pair)).collect();
    assert_eq!(told(&mut rig), all);
}

/// Each piece is a step of its own, charged as a look for what a stop leaves.
#[test]
fn each_piece_is_a_step() {
    let mut rig = begun(draft());
    rig.host().left.insert(CULPRIT, left(1000, true, 40));
    rig.charged.clear();
    rig.raise(Event::Fault(FAULT));
    let kinds: Vec<_> = rig.charged.iter().take(9).map(|step| step.kind).collect();
    assert_eq!(kinds, [&[StepKind::Search; 8][..], &[StepKind::Stop]].concat());
}

/// A thread whose budget is used up was interrupted anywhere: what the exception hasn't stacked is in no memory.
#[test]
fn of_a_thread_that_an_interrupt_found_running_the_frame_is_known_alone() {
    let mut draft = draft();
    let budget = Budget { amount: 10, reaction: OnSpent::Stop, ..Budget::NONE };
    draft.budget(CULPRIT, budget);
    let mut rig = begun(draft);
    rig.host().left.insert(CULPRIT, left(1000, true, 3));
    rig.host().records.clear();
    rig.step(At(20));
    let words: Vec<_> = told(&mut rig).into_iter().flat_map(|(_, pair)| pair).collect();
    let extent =
        Extent { kind: FaultKind::Budget, thread: CULPRIT, has_frame: true, has_others: false, stack: 3 };
    assert_eq!(words[usize::from(HEAD) * PIECE], extent.word());
    assert_eq!(words[..PIECE], left(1000, true, 3).frame.expect("a frame"));
    assert_eq!(words[PIECE..2 * PIECE], [0; PIECE]);
}

fn ask(rig: &mut Rig<Crashing>, number: CallNumber, arguments: [u32; 4]) -> [u32; 3] {
    rig.raise(Event::Call(Call { number: number as u32, arguments }));
    rig.host().registers[&ThreadId(0)]
}

/// What the plain list has: two records at most, the old ones stay, each is read from its first part to its last.
#[derive(Default)]
struct Reference {
    kept: VecDeque<[u32; WORDS]>,
    read: usize,
    faults: u32,
}

impl Reference {
    fn fault(&mut self, left: &Left, time: Instant, fault: Fault) {
        self.faults += 1;
        if self.kept.len() < 2 {
            self.kept.push_back(expected(left, ThreadId(0), fault, time, 0, self.faults));
        }
    }

    fn take(&mut self, most: usize) -> Vec<[u32; 4]> {
        let mut taken = Vec::new();
        while taken.len() < most {
            let Some(record) = self.kept.front() else { break };
            let number = u8::try_from(self.read).expect("few");
            let pair = [record[2 * self.read], record[2 * self.read + 1]];
            let note = Note::crash(CrashPart { thread: ThreadId(0), number }, pair[0], pair[1]);
            taken.push([note.header, record[usize::from(HEAD) * PIECE + 1], pair[0], pair[1]]);
            self.read += 1;
            if self.read == usize::from(PARTS) {
                self.read = 0;
                self.kept.pop_front();
            }
        }
        taken
    }
}

/// The reader itself faults, and reads what is left of it when it has begun anew.
#[test]
fn whatever_faults_and_however_it_is_read_the_records_are_those_of_a_plain_list() {
    for seed in 0..beryl_testing::cases(60, 600) {
        let mut random = SplitMix64(seed);
        let mut draft = Draft::<Crashing>::new(&[Queue::Fixed]);
        draft.free(0, 0, 5);
        draft.restart(0, 8, 1);
        let mut system = draft.finish().0;
        system.processes[0].memory[0] = memory(0);
        let mut rig = Rig::new(&system);
        rig.kernel.state.set_tracing(false);
        rig.raise(Event::Start);
        let mut reference = Reference::default();
        let heard = ask(&mut rig, CallNumber::TraceClasses, [Classes::FAULTS.0.into(), 0, 0, 0]);
        assert_eq!(heard[0], SUCCESS);
        for step in 0..120 {
            let now = rig.host().clock.after(beryl_abi::Duration::from_ticks(random.within(2, 1 << 28)));
            rig.host().clock = now;
            if random.once_in(8) {
                let left = left(random.next() as u32 >> 4, random.once_in(2), random.below(50));
                let fault = Fault { address: random.next() as u32, ..FAULT };
                rig.host().left.insert(ThreadId(0), left.clone());
                ask(&mut rig, CallNumber::TraceClasses, [0, 0, 0, 0]);
                rig.raise(Event::Fault(fault));
                ask(&mut rig, CallNumber::TraceClasses, [Classes::FAULTS.0.into(), 0, 0, 0]);
                reference.fault(&left, now, fault);
            } else if random.once_in(10) {
                // Who doesn't want to hear of faults gets no records: they stay until somebody does.
                let to = memory(0).address;
                ask(&mut rig, CallNumber::TraceClasses, [0, 0, 0, 0]);
                assert_eq!(
                    ask(&mut rig, CallNumber::TraceRead, [0, to, 64, 0])[1],
                    0,
                    "seed {seed}, step {step}"
                );
                ask(&mut rig, CallNumber::TraceClasses, [Classes::FAULTS.0.into(), 0, 0, 0]);
            } else {
                let most = random.below(6);
                let expected = reference.take(most.min(4));
                let to = memory(0).address;
                let length = u32::try_from(most * 16).expect("short");
                let [status, count, _] = ask(&mut rig, CallNumber::TraceRead, [0, to, length, 0]);
                assert_eq!((status, count as usize), (SUCCESS, expected.len()), "seed {seed}, step {step}");
                let words: Vec<_> =
                    (to..).step_by(4).take(expected.len() * 4).map(|at| rig.host().word(at)).collect();
                assert_eq!(words, expected.concat(), "seed {seed}, step {step}");
            }
            rig.host().log.clear();
        }
    }
}
