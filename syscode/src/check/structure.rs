//! Structure: everything that can be seen of a program without knowing how long anything takes.
//!
//! An accepted program, in the reference machine (`beryl-reference`):
//!
//! - has only instructions whose operands exist and are the program's own;
//! - takes a bounded number of instructions at each instant: inside an activation the code only goes forward,
//!   phases rise, and a thread that cycles has let time pass or a job end;
//! - never needs more triggers than places, nor, if it begins threads at its start only, more threads than
//!   places.
//!
//! Steps: one instruction each. Memory: one word for each instruction.
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

/// The rights of a program: a bit for each task and driver of the image, starting at the lowest bit of the
/// first byte.
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

/// Facts about an accepted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Triggers begin threads again and again: the check of time has to see that their places suffice.
    pub begins_threads: bool,
}

/// The stage of the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Clear,
    Enter,
    Targets,
    Flow,
    Accepted,
}

/// How far a check has come, to be kept between its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stand {
    stage: Stage,
    pub(super) begins_threads: bool,
    /// The next instruction.
    next: u16,
}

impl Stand {
    /// Before the first step.
    pub const BEGIN: Stand = Stand { stage: Stage::Clear, begins_threads: false, next: 0 };
}

/// The check of a program's structure.
#[derive(Debug)]
pub struct Structure<'a> {
    pub(super) container: Container<'a>,
    rights: Rights<'a>,
    pub(super) marks: &'a mut [u32],
    pub(super) stand: Stand,
    /// The current instruction, which any fault is reported for.
    pub(super) address: usize,
}

impl<'a> Structure<'a> {
    /// A check that hasn't begun. `marks` must be as long as the code; its content doesn't matter.
    #[must_use]
    pub fn new(container: Container<'a>, rights: Rights<'a>, marks: &'a mut [u32]) -> Structure<'a> {
        Structure::resume(container, rights, marks, Stand::BEGIN)
    }

    /// A check that goes on from where it stopped, with the same arguments as before.
    #[must_use]
    pub fn resume(
        container: Container<'a>,
        rights: Rights<'a>,
        marks: &'a mut [u32],
        stand: Stand,
    ) -> Structure<'a> {
        Structure { container, rights, marks, stand, address: 0 }
    }

    /// How far it has come.
    #[must_use]
    pub fn stand(&self) -> Stand {
        self.stand
    }

    /// Checks to the end.
    ///
    /// # Errors
    /// The first instruction at fault.
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

    /// One step, for programs of one kind of image. If that is one without threads, programs with places for
    /// them must have been refused before.
    pub fn step_for<I: Image>(&mut self) -> Progress<Shape> {
        match self.look::<I>() {
            Err(reason) => Progress::Refused(Refusal { address: self.address, reason }),
            Ok(()) if self.stand.stage == Stage::Accepted => {
                Progress::Accepted(Shape { begins_threads: self.stand.begins_threads })
            }
            Ok(()) => Progress::Again,
        }
    }

    /// Checks the next instruction, or after the last goes on to the next stage.
    fn look<I: Image>(&mut self) -> Result<(), Reason> {
        let Stand { stage, next, .. } = self.stand;
        let is_inside = usize::from(next) < self.container.length();
        match stage {
            Stage::Clear => self.clear(next)?,
            Stage::Enter => self.enter_entries::<I>()?,
            Stage::Targets if is_inside => self.target::<I>(next)?,
            Stage::Flow if is_inside => self.flow::<I>(next)?,
            _ => {}
        }
        (self.stand.stage, self.stand.next) = match stage {
            Stage::Clear | Stage::Targets | Stage::Flow if is_inside => (stage, next + 1),
            Stage::Clear => (Stage::Enter, 0),
            Stage::Enter => (Stage::Targets, 0),
            Stage::Targets => (Stage::Flow, 0),
            Stage::Flow | Stage::Accepted => (Stage::Accepted, 0),
        };
        Ok(())
    }

    fn clear(&mut self, address: u16) -> Result<(), Reason> {
        let length = self.container.length();
        if length == 0 {
            return Err(Reason::Empty);
        }
        if self.container.trigger_places() > MOST_TRIGGERS {
            return Err(Reason::Triggers);
        }
        if self.container.thread_places() > MOST_THREADS {
            return Err(Reason::Threads);
        }
        match self.marks.get_mut(usize::from(address)) {
            Some(mark) => *mark = 0,
            None if usize::from(address) < length => return Err(Reason::Memory),
            None => {}
        }
        Ok(())
    }

    /// The container's own entries: few, since it counts them in a byte.
    fn enter_entries<I: Image>(&mut self) -> Result<(), Reason> {
        let container = self.container;
        self.enter::<I>(container.start().into(), self.entry(Mode::Start))?;
        for (task, address) in container.completions() {
            self.address = address.into();
            self.task(task)?;
            self.enter::<I>(self.address, self.entry(Mode::Completion))?;
        }
        for (_, address) in container.handlers() {
            self.address = address.into();
            self.enter::<I>(self.address, self.entry(Mode::Handler))?;
        }
        Ok(())
    }

    /// Marks the instruction that this one makes an entry. That comes first, since entries may lie behind.
    fn target<I: Image>(&mut self, address: u16) -> Result<(), Reason> {
        let instruction = self.instruction(address.into())?;
        let entry = self.operands::<I>(instruction)?;
        // Without places no thread begins.
        if matches!(instruction, Instruction::Fork { .. })
            && (!I::HAS_THREADS || self.container.thread_places() == 0)
        {
            return Err(Reason::Threads);
        }
        match entry {
            Some((to, mode)) => self.enter::<I>(to.into(), self.entry(mode)),
            None => Ok(()),
        }
    }

    /// Follows an instruction. Code that nothing reaches only has to be code.
    fn flow<I: Image>(&mut self, address: u16) -> Result<(), Reason> {
        let address = usize::from(address);
        let Some(state) = self.marks.get(address).and_then(|word| Mark::from_word(*word).state()) else {
            return Ok(());
        };
        let instruction = self.instruction(address)?;
        Flow::<I>::of(self, state, instruction)
    }

    /// The state in which something begins.
    pub(super) fn entry(&self, mode: Mode) -> State {
        let (triggers, threads) = (self.container.trigger_places(), self.container.thread_places());
        match mode {
            Mode::Start => State::new(mode, triggers, threads),
            Mode::Trigger => State::new(mode, 1, threads),
            _ => State::new(mode, 0, 0),
        }
    }

    /// Makes an instruction the current one.
    pub(super) fn instruction(&mut self, address: usize) -> Result<Instruction, Reason> {
        self.address = address;
        let reason = if address < self.container.length() { Reason::Opcode } else { Reason::End };
        self.container.decoded(address).ok_or(reason)
    }

    /// Notes another way to an instruction.
    #[inline(never)]
    pub(super) fn enter<I: Image>(&mut self, to: usize, state: State) -> Result<(), Reason> {
        if to >= self.container.length() {
            return Err(Reason::Address);
        }
        let mark = self.marks.get_mut(to).ok_or(Reason::Memory)?;
        let known = Mark::from_word(*mark).state().unwrap_or(state);
        let begins = &mut self.stand.begins_threads;
        let mut as_thread = |state: State, other: State| match (state.mode, other.mode) {
            (Mode::Start | Mode::Trigger, Mode::Thread | Mode::Ending) if I::HAS_THREADS => {
                *begins |= state.mode == Mode::Trigger;
                state.into_thread()
            }
            _ => Ok(state),
        };
        let (left, right) = (as_thread(state, known)?, as_thread(known, state)?);
        *mark = Mark::of(left.join(right)?).word();
        Ok(())
    }

    /// Checks that its operands exist and are the program's; returns the instruction that it makes an entry.
    pub(super) fn operands<I: Image>(&self, instruction: Instruction) -> Result<Option<(u16, Mode)>, Reason> {
        let entry = match instruction {
            Instruction::Future { address, .. }
            | Instruction::When { address, .. }
            | Instruction::Next { address, .. } => Some((address, Mode::Trigger)),
            Instruction::Fork { address } => Some((address, Mode::Thread)),
            Instruction::Change { address } => Some((address, Mode::Start)),
            _ => None,
        };
        match instruction {
            Instruction::Call { driver } => self.drivers(driver.index(), 1),
            Instruction::Calls { first, count } => self.drivers(first.index(), count),
            Instruction::Release { task, deadline } => self.tasks(task.index(), deadline, 1),
            Instruction::Releases { first, deadline, count } => self.tasks(first.index(), deadline, count),
            Instruction::Future { delay, .. } => self.duration(delay),
            Instruction::When { condition, .. } => self.trigger(condition),
            Instruction::Beat { beat, .. } => self.duration(beat),
            Instruction::Next { round, .. } => self.round(round),
            Instruction::Dispatch { task }
            | Instruction::Late { task, .. }
            | Instruction::Owed { task, .. }
            | Instruction::Offender { task, .. } => self.task(task.0),
            Instruction::DispatchUntil { task, until, .. } => {
                self.task(task.0).and_then(|()| self.timeout::<I>(until))
            }
            Instruction::Idle { until } => self.timeout::<I>(until),
            _ => Ok(()),
        }?;
        Ok(entry)
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
            Condition::Clock(_) | Condition::Released(_) | Condition::Round { .. } => Err(Reason::Unsuitable),
        }
    }

    fn round(&self, number: u8) -> Result<(), Reason> {
        let Condition::Round { length, beats } = self.container.condition(number).ok_or(Reason::Condition)?
        else {
            return Err(Reason::Unsuitable);
        };
        self.duration(length)?;
        // bound: BEATS
        beats.into_iter().try_for_each(|beat| self.duration(beat))
    }

    fn timeout<I: Image>(&self, number: u8) -> Result<(), Reason> {
        match self.container.condition(number).ok_or(Reason::Condition)? {
            Condition::Clock(duration) => self.duration(duration),
            Condition::Released(task) => self.task(task.0),
            _ if I::HAS_EVENT_TIMEOUTS => self.trigger(number),
            _ => Err(Reason::Unsuitable),
        }
    }
}
