//! The machine of the scripted host: it does what it is asked for, and notes it.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::call::SUCCESS;
use beryl_abi::crash::{PIECE, STACK};
use beryl_abi::{Instant, Kind, Line, Moment, Note, ProcessId, Range, Record, ThreadId};
use beryl_kernel::{Event, Machine, Piece, Sizes, State, System, Table};

use super::asks;
use super::objects::{STORAGE, STORAGE_END};

/// A clock, an alarm, memory, registers, and a log.
#[derive(Clone, Debug)]
pub struct Host<S: Sizes> {
    system: &'static System<S>,
    /// What [`Machine::now`] says.
    pub clock: Instant,
    /// What the alarm is set to.
    pub alarm: Instant,
    /// Memory by address; words that nobody wrote are zero.
    pub memory: BTreeMap<u32, u32>,
    /// r0, r1 and r2 of threads that made a call.
    pub registers: BTreeMap<ThreadId, [u32; 3]>,
    /// System calls that haven't returned yet, by caller.
    pub pending: BTreeMap<ThreadId, u32>,
    /// The call that the last event let return: by whom, and its number.
    pub returned: Option<(ThreadId, u32)>,
    /// Threads that begin anew, since somebody looked last.
    pub restarted: Vec<ThreadId>,
    /// What threads have in their registers and on their stacks, as long as they aren't given up.
    pub left: BTreeMap<ThreadId, Left>,
    /// Lines that may come. All are masked until the kernel unmasks them.
    pub unmasked: BTreeSet<Line>,
    /// The story so far.
    pub log: Vec<String>,
    /// Every how many looks something is pending between two steps: 1 for always, 0 for never.
    pub pending_every: u32,
    /// How often the kernel has looked.
    looks: u32,
    /// The records that are made.
    pub records: Vec<Record>,
    /// The running thread's registers were given up: it must not go on as it was.
    given_up: bool,
    running: ThreadId,
}

/// What a thread has.
#[derive(Clone, Debug, Default)]
pub struct Left {
    /// The stack pointer.
    pub stack_pointer: u32,
    /// Its frame, if its stack has room for one.
    pub frame: Option<[u32; PIECE]>,
    /// The registers that aren't in it.
    pub others: [u32; PIECE],
    /// Its stack.
    pub stack: Vec<u32>,
}

/// What registers hold that nobody has written.
pub const NO_ANSWER: u32 = 0xA5A5_A5A5;
/// More effects than any run of these tests has.
const LONGEST_STORY: usize = 20_000;

impl<S: Sizes> Host<S> {
    /// A machine that has just been switched on.
    pub fn new(system: &'static System<S>) -> Host<S> {
        Host {
            system,
            clock: Instant::START,
            alarm: Instant::NEVER,
            memory: BTreeMap::new(),
            registers: BTreeMap::new(),
            pending: BTreeMap::new(),
            returned: None,
            restarted: Vec::new(),
            left: BTreeMap::new(),
            unmasked: BTreeSet::new(),
            log: Vec::new(),
            pending_every: 1,
            looks: 0,
            records: Vec::new(),
            given_up: false,
            running: ThreadId::NONE,
        }
    }

    /// An event interrupts the running thread, or is its call.
    pub fn user_stops(&mut self, running: ThreadId, event: Event) {
        self.running = running;
        if let Event::Call(call) = event {
            self.pending.insert(running, call.number);
            // A call that does what it says leaves the first as it is.
            self.registers.insert(running, [SUCCESS, NO_ANSWER, NO_ANSWER]);
        }
    }

    /// A thread goes on, behind the call that it made last; `as_it_was` if it had the processor.
    pub fn user_goes_on(&mut self, thread: ThreadId, as_it_was: bool) {
        let given_up = std::mem::take(&mut self.given_up);
        assert!(!(as_it_was && given_up), "{thread:?} goes on without its registers");
        self.returned = self.pending.remove(&thread).map(|number| (thread, number));
        let Some((_, number)) = self.returned else { return };
        let (call, answer) = (asks::call_name(number), asks::answer(number, self.registers[&thread]));
        self.note(format!("returns to {}: {call} {answer}", thread.0));
    }

    /// Adds a line to the story.
    pub fn note(&mut self, line: String) {
        assert!(self.log.len() < LONGEST_STORY, "the story never ends: {line}");
        self.log.push(format!("{} {line}", self.clock.ticks()));
    }

    /// The kernel writes messages only where their mailbox has room for them.
    fn check_storage(&self, to: u32, length: u32) {
        if !(STORAGE..STORAGE_END).contains(&to) {
            return;
        }
        let written = Range::new(to, length);
        let inside = (0..S::Mailboxes::LENGTH).any(|index| {
            let row = self.system.mailboxes.at(index);
            let each = u32::from(row.length).max(8);
            Range::new(row.base, each * u32::from(row.capacity)).contains(written)
        });
        assert!(inside, "{to:#x} is in no mailbox");
    }

    /// A word of memory.
    pub fn word(&self, address: u32) -> u32 {
        self.memory.get(&address).copied().unwrap_or_default()
    }
}

impl<S: Sizes> Machine<S> for Host<S> {
    fn system(&self) -> &'static System<S> {
        self.system
    }

    fn now(&mut self) -> Instant {
        self.clock
    }

    fn arm(&mut self, moment: Moment) {
        self.alarm = self.clock.nearest(moment);
        self.note(format!("arm {}", self.alarm.ticks()));
    }

    fn copy(&mut self, from: u32, to: u32, length: u32) {
        assert!(length <= 64 && [from, to, length].iter().all(|number| number.is_multiple_of(4)));
        self.check_storage(to, length);
        let words: Vec<_> = (0..length).step_by(4).map(|offset| self.word(from + offset)).collect();
        self.memory.extend((to..).step_by(4).zip(words));
        self.note(format!("copy {from:#x} to {to:#x}, {length} bytes"));
    }

    fn load(&mut self, address: u32) -> u32 {
        self.word(address)
    }

    fn store(&mut self, address: u32, value: u32) {
        self.check_storage(address, 4);
        self.memory.insert(address, value);
    }

    fn result(&mut self, thread: ThreadId, values: [u32; 2]) {
        let [first, second] = values;
        self.registers.entry(thread).or_insert([NO_ANSWER; 3])[1..].copy_from_slice(&values);
        self.note(format!("result of {}: {first:#x} {second:#x}", thread.0));
    }

    fn status(&mut self, thread: ThreadId, status: u32) {
        self.registers.entry(thread).or_insert([NO_ANSWER; 3])[0] = status;
        self.note(format!("status of {}: {status:#x}", thread.0));
    }

    fn restart(&mut self, thread: ThreadId) {
        self.pending.remove(&thread);
        self.restarted.push(thread);
        self.left.remove(&thread);
        self.given_up |= thread == self.running;
        self.note(format!("restart {}", thread.0));
    }

    fn begin_at(&mut self, thread: ThreadId, entry: u32) {
        self.note(format!("begin {} at {entry:#x}", thread.0));
    }

    fn put_back(&mut self, process: ProcessId, Piece { stretch, done }: Piece) -> Option<Piece> {
        let [memory, ..] = self.system.processes.at(process.index()).memory;
        let from = memory.address + done;
        self.memory.retain(|address, _| !(from..from + State::<S>::CHUNK).contains(address));
        let done = done + State::<S>::CHUNK;
        if done < memory.length {
            return Some(Piece { stretch, done });
        }
        self.note(format!("back: the memory of {}", process.0));
        None
    }

    fn stack_pointer(&mut self, thread: ThreadId) -> u32 {
        self.left.get(&thread).map_or(0, |left| left.stack_pointer)
    }

    fn write_down(&mut self, thread: ThreadId, piece: u8, words: &mut [u32; PIECE]) -> u8 {
        words.fill(0);
        let Some(left) = self.left.get(&thread) else { return 0 };
        let known: &[u32] = match piece {
            0 => left.frame.as_ref().map_or(&[], |frame| frame.as_slice()),
            1 => &left.others,
            deep => left.stack.get(usize::from(deep - STACK) * PIECE..).unwrap_or_default(),
        };
        words.iter_mut().zip(known).for_each(|(to, from)| *to = *from);
        known.len().min(PIECE) as u8
    }

    fn is_pending(&mut self) -> bool {
        self.looks += 1;
        self.pending_every > 0 && self.looks.is_multiple_of(self.pending_every)
    }

    fn sleep(&mut self, depth: u8) {
        self.note(format!("depth {depth}"));
    }

    fn mask(&mut self, line: Line) {
        self.unmasked.remove(&line);
        self.note(format!("mask {}", line.0));
    }

    fn unmask(&mut self, line: Line) {
        self.unmasked.insert(line);
        self.note(format!("unmask {}", line.0));
    }

    fn trace(&mut self, record: Record) {
        self.records.push(record);
        let line = match record {
            Record::Release { task, instant, deadline } => {
                format!("release {} at {} by {}", task.0, instant.ticks(), deadline.ticks())
            }
            Record::Switch { from, to } => format!("switch {} to {}", from.0, to.0),
            Record::Complete { task } => format!("complete {}", task.0),
            Record::Miss { task, deadline } => format!("miss {} by {}", task.0, deadline.ticks()),
            Record::Driver { driver, instant, value } => {
                format!("driver {} at {} = {}", driver.0, instant.ticks(), self.word(value.address))
            }
            Record::State { message, writes, value } => {
                format!("state {} written {writes} times = {}", message.0, self.word(value.address))
            }
            Record::Skip { program, instant } => format!("skip of {} at {}", program.0, instant.ticks()),
            Record::Violation { task, instant } => format!("violation {} at {}", task.0, instant.ticks()),
            Record::Fault { thread, fault } => format!("fault {}: {}", thread.0, fault.kind.words()),
            Record::Overrun { task } => format!("overrun {}", task.0),
            Record::Stray { line } => format!("stray {}", line.0),
            Record::Swap { program, room, instant } => {
                format!("swap {} to room {room} at {}", program.0, instant.ticks())
            }
            Record::Note(note) => told(&note),
        };
        self.note(line);
    }
}

/// A note as a line: what, of whom, and its words in bytes.
fn told(note: &Note) -> String {
    const KINDS: [&str; 20] = [
        "block",
        "wake",
        "lend",
        "hold",
        "free",
        "message",
        "interrupt",
        "acknowledge",
        "event",
        "react",
        "enter",
        "leave",
        "lost",
        "stop",
        "value",
        "budget",
        "sleep",
        "renewal",
        "crash",
        "lack",
    ];
    let kind = (note.kind() - Kind::Block as u32) as usize;
    let [first, second] = note.words;
    let [low, high, ..] = first.to_le_bytes();
    format!("{} of {}: {low} {high} {second}", KINDS[kind], note.subject())
}
