//! System code while it is written: instructions whose addresses aren't known yet.

use std::collections::BTreeSet;

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::Condition;
use beryl_syscode::instruction::Instruction;
use beryl_syscode::round::BEATS;

/// An address that is known when the code is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(usize);

/// The fewest objects of which a run is made.
const SHORTEST_RUN: usize = 4;

/// An instruction that asks something of a task, from its operands.
type Question = fn(ThreadId, u16) -> Instruction;

/// An instruction, perhaps with an address that isn't known yet.
#[derive(Clone, Copy)]
enum Draft {
    Ready(Instruction),
    Jump(Label),
    Branch(Label),
    Future { delay: u8, label: Label },
    When { condition: u8, label: Label },
    Next { round: u8, label: Label },
    Beat { beat: u8, label: Label },
    Ask { make: Question, task: ThreadId, label: Label },
}

impl Draft {
    /// The instruction, if nothing of it is open.
    fn ready(self) -> Option<Instruction> {
        if let Draft::Ready(instruction) = self { Some(instruction) } else { None }
    }

    /// The same instruction for the object whose number is larger by so much.
    fn successor(self, distance: usize) -> Option<Draft> {
        Some(Draft::Ready(match self {
            Draft::Ready(Instruction::Call { driver: DriverId(first) }) => {
                Instruction::Call { driver: DriverId(first.checked_add(distance.try_into().ok()?)?) }
            }
            Draft::Ready(Instruction::Release { task: ThreadId(first), deadline }) => Instruction::Release {
                task: ThreadId(first.checked_add(distance.try_into().ok()?)?),
                deadline,
            },
            _ => return None,
        }))
    }

    /// The instruction for so many objects.
    fn run(self, length: usize) -> Option<Draft> {
        let count = length.try_into().ok()?;
        Some(Draft::Ready(match self {
            Draft::Ready(Instruction::Call { driver: first }) => Instruction::Calls { first, count },
            Draft::Ready(Instruction::Release { task: first, deadline }) => {
                Instruction::Releases { first, deadline, count }
            }
            _ => return None,
        }))
    }
}

/// What is written so far.
#[derive(Default)]
pub(super) struct Drafts {
    drafts: Vec<Draft>,
    labels: Vec<usize>,
    /// The durations that instructions name, in the order of their first use.
    pub(super) durations: Vec<Duration>,
    /// The conditions, in the same order.
    pub(super) conditions: Vec<Condition>,
    /// The sensors that the code may come to more than once at an instant, as their getters.
    pub(super) read_again: BTreeSet<usize>,
}

impl Drafts {
    /// A label that is placed later.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(usize::MAX);
        Label(self.labels.len() - 1)
    }

    /// The label stands for the next instruction.
    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0] = self.drafts.len();
    }

    pub(super) fn put(&mut self, instruction: Instruction) {
        self.drafts.push(Draft::Ready(instruction));
    }

    pub(super) fn call(&mut self, driver: usize) {
        self.put(Instruction::Call { driver: DriverId(u16::try_from(driver).unwrap_or(u16::MAX)) });
    }

    pub(super) fn release(&mut self, thread: usize, deadline: Duration) {
        let deadline = self.duration(deadline);
        self.put(Instruction::Release { task: ThreadId(u8::try_from(thread).unwrap_or(u8::MAX)), deadline });
    }

    pub(super) fn jump(&mut self, label: Label) {
        self.drafts.push(Draft::Jump(label));
    }

    /// Goes on at the label if the last guard said no.
    pub(super) fn branch(&mut self, label: Label) {
        self.drafts.push(Draft::Branch(label));
    }

    pub(super) fn future(&mut self, delay: Duration, label: Label) {
        let delay = self.duration(delay);
        self.drafts.push(Draft::Future { delay, label });
    }

    /// Goes on at the label at the next beat of a round.
    pub(super) fn next(&mut self, round: Duration, beats: &[Duration], label: Label) {
        let length = self.duration(round);
        let mut numbers = [length; BEATS];
        for (number, beat) in numbers.iter_mut().zip(beats) {
            *number = self.duration(*beat);
        }
        let round = self.condition(Condition::Round { length, beats: numbers });
        self.drafts.push(Draft::Next { round, label });
    }

    /// Goes on at the label unless a beat comes.
    pub(super) fn beat(&mut self, beat: Duration, label: Label) {
        let beat = self.duration(beat);
        self.drafts.push(Draft::Beat { beat, label });
    }

    /// Goes on at the label when a condition of the pool holds.
    pub(super) fn when(&mut self, condition: u8, label: Label) {
        self.drafts.push(Draft::When { condition, label });
    }

    /// Goes on at the label if the answer to a question about a task is no.
    pub(super) fn ask(&mut self, make: Question, task: ThreadId, label: Label) {
        self.drafts.push(Draft::Ask { make, task, label });
    }

    /// The address for which a label stands, when the code is complete.
    pub(super) fn address(&self, label: Label) -> u16 {
        u16::try_from(self.labels[label.0]).unwrap_or(u16::MAX)
    }

    /// How many instructions have been written.
    pub(super) fn length(&self) -> usize {
        self.drafts.len()
    }

    /// The number of a duration in the pool; who asks for the code refuses pools that are too large.
    fn duration(&mut self, duration: Duration) -> u8 {
        let known = self.durations.iter().position(|other| *other == duration);
        let number = known.unwrap_or_else(|| {
            self.durations.push(duration);
            self.durations.len() - 1
        });
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    /// The number of a condition in the pool. There is at most one for each mode, so it fits into a byte as long as the
    /// numbers of durations do.
    fn condition(&mut self, condition: Condition) -> u8 {
        let known = self.conditions.iter().position(|other| *other == condition);
        let number = known.unwrap_or_else(|| {
            self.conditions.push(condition);
            self.conditions.len() - 1
        });
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    /// Makes runs of long sequences of drivers, and of tasks, whose numbers follow each other. Short sequences stay as
    /// they are: a run would save a word or two, and people read the code more often than it is carried out.
    pub(super) fn join_runs(&mut self) {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut places = Vec::new();
        let mut position = 0;
        while position < self.drafts.len() {
            let length = self.run_from(position);
            let joined = if length >= SHORTEST_RUN { self.drafts[position].run(length) } else { None };
            let taken = if joined.is_some() { length } else { 1 };
            places.extend(std::iter::repeat_n(drafts.len(), taken));
            drafts.push(joined.unwrap_or(self.drafts[position]));
            position += taken;
        }
        places.push(drafts.len());
        for label in &mut self.labels {
            *label = places.get(*label).copied().unwrap_or(*label);
        }
        self.drafts = drafts;
    }

    /// The instruction at a position, if nothing of it is open.
    fn ready(&self, position: usize) -> Option<Instruction> {
        self.drafts.get(position).and_then(|draft| draft.ready())
    }

    /// How many instructions from a position on are the same for objects that follow each other. No jump leads in
    /// between.
    fn run_from(&self, position: usize) -> usize {
        let is_entry = |position: usize| self.labels.contains(&position);
        let follows = |length: &usize| {
            let next = position + length;
            let follower = self.drafts[position].successor(*length).and_then(Draft::ready);
            follower.is_some() && self.ready(next) == follower && !is_entry(next)
        };
        1 + (1..usize::from(u8::MAX)).take_while(follows).count()
    }

    /// The instructions' words.
    pub(super) fn words(&self) -> Vec<u32> {
        let address = |label: Label| self.address(label);
        let instructions = self.drafts.iter().map(|draft| match *draft {
            Draft::Ready(instruction) => instruction,
            Draft::Jump(label) => Instruction::Jump { address: address(label) },
            Draft::Branch(label) => Instruction::Branch { address: address(label) },
            Draft::Future { delay, label } => Instruction::Future { delay, address: address(label) },
            Draft::Ask { make, task, label } => make(task, address(label)),
            Draft::When { condition, label } => Instruction::When { condition, address: address(label) },
            Draft::Next { round, label } => Instruction::Next { round, address: address(label) },
            Draft::Beat { beat, label } => Instruction::Beat { beat, address: address(label) },
        });
        instructions.map(Instruction::encode).collect()
    }
}
