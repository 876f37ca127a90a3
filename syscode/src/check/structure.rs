//! Structure: what can be seen of a program without knowing how long anything takes.
//!
//! An accepted program, in the reference machine (`machine-model`):
//!
//! - has only instructions whose operands exist and are the program's own;
//! - takes a bounded number of instructions at each instant: inside of an activation the code goes forward only, phases rise, and
//!   a thread that comes round has let time pass or a job end;
//! - never needs more triggers than places, nor, if it begins threads at its start only, more threads than places.
//!
//! Steps: one instruction each. Memory: a word an instruction.
//!
//! ```text
//!   Clear --> Enter --> Targets --> Flow --> accepted
//!     marks     start, completions,  targets of      one pass forward: what is known on
//!     empty     handlers             `future` etc.   the way to each instruction
//! ```

use super::flow::Flow;
use super::mark::{MOST_THREADS, MOST_TRIGGERS, Mark, Mode, State};
use super::time::{Image, Parts};
use super::{Progress, Reason, Refusal};
use crate::condition::Condition;
use crate::container::Container;
use crate::instruction::Instruction;

/// What a program may name: a bit for each task and driver of the image, the lowest of the first byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rights<'a> {
    /// Tasks that it may release and dispatch.
    pub tasks: &'a [u8],
    /// Drivers that it may carry out.
    pub drivers: &'a [u8],
}

impl Rights<'_> {
    /// All tasks and drivers of any image.
    pub const ALL: Rights<'static> = Rights { tasks: &[0xFF; 32], drivers: &[0xFF; 8192] };

    fn has(bits: &[u8], number: usize) -> bool {
        bits.get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }
}

/// What is known of an accepted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Triggers begin threads, time and again: that their places suffice is for the check of time to see.
    pub begins_threads: bool,
}

/// Where the check stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Clear(usize),
    Enter,
    Targets(usize),
    Flow(usize),
}

/// How far a check has come, to be kept between its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stand {
    stage: Stage,
    begins_threads: bool,
}

impl Stand {
    /// Before the first step.
    pub const BEGIN: Stand = Stand { stage: Stage::Clear(0), begins_threads: false };
}

/// The check of a program's structure.
#[derive(Debug)]
pub struct Structure<'a> {
    pub(super) container: Container<'a>,
    rights: Rights<'a>,
    pub(super) marks: &'a mut [u32],
    stage: Stage,
    pub(super) begins_threads: bool,
}

impl<'a> Structure<'a> {
    /// A check that hasn't begun. `marks` must be as long as the code; what is in it doesn't matter.
    #[must_use]
    pub fn new(container: Container<'a>, rights: Rights<'a>, marks: &'a mut [u32]) -> Structure<'a> {
        Structure::resume(container, rights, marks, Stand::BEGIN)
    }

    /// A check that goes on where it stood, with the same arguments as before.
    #[must_use]
    pub fn resume(
        container: Container<'a>,
        rights: Rights<'a>,
        marks: &'a mut [u32],
        Stand { stage, begins_threads }: Stand,
    ) -> Structure<'a> {
        Structure { container, rights, marks, stage, begins_threads }
    }

    /// Where it stands.
    #[must_use]
    pub fn stand(&self) -> Stand {
        Stand { stage: self.stage, begins_threads: self.begins_threads }
    }

    /// Checks to the end.
    ///
    /// # Errors
    /// The first instruction that is at fault.
    pub fn run(mut self) -> Result<Shape, Refusal> {
        // bound: three steps an instruction, and three
        loop {
            match self.step() {
                Progress::Again => {}
                Progress::Accepted(shape) => return Ok(shape),
                Progress::Refused(refusal) => return Err(refusal),
            }
        }
    }

    /// One step: at most one instruction, or one entry of the container.
    pub fn step(&mut self) -> Progress<Shape> {
        self.step_for::<Parts<'_>>()
    }

    /// The same for programs of one kind of image. If it's one without threads, a program with places for them must have been refused.
    pub fn step_for<I: Image>(&mut self) -> Progress<Shape> {
        let answer = match self.stage {
            Stage::Clear(address) => self.clear(address),
            Stage::Enter => self.enter_entries::<I>(),
            Stage::Targets(address) => self.target::<I>(address),
            Stage::Flow(address) => self.flow::<I>(address),
        };
        match answer {
            Err(refusal) => Progress::Refused(refusal),
            Ok(Some(stage)) => {
                self.stage = stage;
                Progress::Again
            }
            Ok(None) => Progress::Accepted(Shape { begins_threads: self.begins_threads }),
        }
    }

    fn clear(&mut self, address: usize) -> Result<Option<Stage>, Refusal> {
        let at = |reason| Refusal { address: 0, reason };
        let length = self.container.length();
        if length == 0 {
            return Err(at(Reason::Empty));
        }
        if self.container.trigger_places() > MOST_TRIGGERS {
            return Err(at(Reason::Triggers));
        }
        if self.container.thread_places() > MOST_THREADS {
            return Err(at(Reason::Threads));
        }
        if address == length {
            return Ok(Some(Stage::Enter));
        }
        *self.marks.get_mut(address).ok_or(at(Reason::Memory))? = 0;
        Ok(Some(Stage::Clear(address + 1)))
    }

    /// The container's own entries: few, since it counts them in a byte.
    fn enter_entries<I: Image>(&mut self) -> Result<Option<Stage>, Refusal> {
        let container = self.container;
        self.enter::<I>(0, container.start().into(), self.entry(Mode::Start))?;
        for (task, address) in container.completions() {
            let address = usize::from(address);
            self.task(task).map_err(|reason| Refusal { address, reason })?;
            self.enter::<I>(address, address, self.entry(Mode::Completion))?;
        }
        for (_, address) in container.handlers() {
            self.enter::<I>(address.into(), address.into(), self.entry(Mode::Handler))?;
        }
        Ok(Some(Stage::Targets(0)))
    }

    /// What an instruction makes an entry of. That comes first, since entries may lie behind.
    fn target<I: Image>(&mut self, address: usize) -> Result<Option<Stage>, Refusal> {
        if address == self.container.length() {
            return Ok(Some(Stage::Flow(0)));
        }
        let instruction = self.instruction(address)?;
        self.operands(instruction).map_err(|reason| Refusal { address, reason })?;
        let entry = match instruction {
            Instruction::Future { address, .. } | Instruction::When { address, .. } => {
                Some((address, Mode::Trigger))
            }
            // Where there are no places, it is no thread that begins.
            Instruction::Fork { .. } if !I::HAS_THREADS || self.container.thread_places() == 0 => {
                return Err(Refusal { address, reason: Reason::Threads });
            }
            Instruction::Fork { address } => Some((address, Mode::Thread)),
            Instruction::Change { address } => Some((address, Mode::Start)),
            _ => None,
        };
        if let Some((to, mode)) = entry {
            self.enter::<I>(address, to.into(), self.entry(mode))?;
        }
        Ok(Some(Stage::Targets(address + 1)))
    }

    /// What follows from an instruction. Code that nothing reaches need only be code.
    fn flow<I: Image>(&mut self, address: usize) -> Result<Option<Stage>, Refusal> {
        if address == self.container.length() {
            return Ok(None);
        }
        if let Some(state) = self.marks.get(address).and_then(|word| Mark::from_word(*word).state()) {
            let instruction = self.instruction(address)?;
            Flow::<I>::of(self, address, state, instruction)?;
        }
        Ok(Some(Stage::Flow(address + 1)))
    }

    /// What something has when it begins.
    pub(super) fn entry(&self, mode: Mode) -> State {
        let (triggers, threads) = (self.container.trigger_places(), self.container.thread_places());
        match mode {
            Mode::Start => State::new(mode, triggers, threads),
            Mode::Trigger => State::new(mode, 1, threads),
            _ => State::new(mode, 0, 0),
        }
    }

    pub(super) fn instruction(&self, address: usize) -> Result<Instruction, Refusal> {
        let is_inside = address < self.container.length();
        let reason = if is_inside { Reason::Opcode } else { Reason::End };
        self.container.decoded(address).ok_or(Refusal { address, reason })
    }

    /// Another way leads from one instruction to another.
    pub(super) fn enter<I: Image>(&mut self, from: usize, to: usize, state: State) -> Result<(), Refusal> {
        let at = |reason| Refusal { address: from, reason };
        if to >= self.container.length() {
            return Err(at(Reason::Address));
        }
        let mark = self.marks.get_mut(to).ok_or(at(Reason::Memory))?;
        let known = Mark::from_word(*mark).state().unwrap_or(state);
        let begins = &mut self.begins_threads;
        let mut as_thread = |state: State, other: State| match (state.mode, other.mode) {
            (Mode::Start | Mode::Trigger, Mode::Thread | Mode::Ending) if I::HAS_THREADS => {
                *begins |= state.mode == Mode::Trigger;
                state.into_thread()
            }
            _ => Ok(state),
        };
        let (left, right) = (as_thread(state, known).map_err(at)?, as_thread(known, state).map_err(at)?);
        *mark = Mark::of(left.join(right).map_err(at)?).word();
        Ok(())
    }

    pub(super) fn operands(&self, instruction: Instruction) -> Result<(), Reason> {
        match instruction {
            Instruction::Call { driver } => self.drivers(driver.index(), 1),
            Instruction::Calls { first, count } => self.drivers(first.index(), count),
            Instruction::Release { task, deadline } => self.tasks(task.index(), deadline, 1),
            Instruction::Releases { first, deadline, count } => self.tasks(first.index(), deadline, count),
            Instruction::Future { delay, .. } => self.duration(delay),
            Instruction::When { condition, .. } => self.trigger(condition),
            Instruction::Dispatch { task }
            | Instruction::Late { task, .. }
            | Instruction::Owed { task, .. }
            | Instruction::Offender { task, .. } => self.task(task.0),
            Instruction::DispatchUntil { task, until, .. } => {
                self.task(task.0)?;
                self.timeout(until)
            }
            Instruction::Idle { until } => self.timeout(until),
            _ => Ok(()),
        }
    }

    fn drivers(&self, first: usize, count: u8) -> Result<(), Reason> {
        let mut numbers = first..first + usize::from(count);
        let is_own = |driver| Rights::has(self.rights.drivers, driver);
        let limit = usize::from(self.container.limits().drivers);
        match numbers.clone().next() {
            None => Err(Reason::Count),
            // bound: 255, the largest count
            Some(_) if numbers.end <= limit && numbers.all(is_own) => Ok(()),
            Some(_) => Err(Reason::Driver),
        }
    }

    fn tasks(&self, first: usize, deadline: u8, count: u8) -> Result<(), Reason> {
        if count == 0 {
            return Err(Reason::Count);
        }
        self.duration(deadline)?;
        // bound: 255, the largest count
        (first..first + usize::from(count)).try_for_each(|task| {
            u8::try_from(task).map_err(|_| Reason::Task).and_then(|task| self.task(task))
        })
    }

    fn task(&self, task: u8) -> Result<(), Reason> {
        let is_own = task < self.container.limits().tasks && Rights::has(self.rights.tasks, task.into());
        if is_own { Ok(()) } else { Err(Reason::Task) }
    }

    fn duration(&self, number: u8) -> Result<(), Reason> {
        self.container.duration(number).map(|_| ()).ok_or(Reason::Duration)
    }

    fn trigger(&self, number: u8) -> Result<(), Reason> {
        let port = |port: crate::PortId| match usize::from(port.0) < self.container.port_count() {
            true => Ok(()),
            false => Err(Reason::Condition),
        };
        match self.container.condition(number).ok_or(Reason::Condition)? {
            Condition::Completed(task) => self.task(task.0),
            Condition::Changed(id) | Condition::Compare(id, ..) => port(id),
            Condition::Interrupt(_) => Ok(()),
            Condition::Clock(_) | Condition::Released(_) => Err(Reason::Unsuitable),
        }
    }

    fn timeout(&self, number: u8) -> Result<(), Reason> {
        match self.container.condition(number).ok_or(Reason::Condition)? {
            Condition::Clock(duration) => self.duration(duration),
            Condition::Released(task) => self.task(task.0),
            _ => Err(Reason::Unsuitable),
        }
    }
}
