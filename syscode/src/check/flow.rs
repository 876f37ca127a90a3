//! The effect of an instruction on what is known, and where it leads.

use core::marker::PhantomData;

use super::Reason;
use super::mark::{Advance, Mode, State};
use super::structure::Structure;
use super::time::Image;
use crate::condition::Condition;
use crate::container::Exception;
use crate::instruction::{Instruction, phase};

/// The modes of code that runs at an instant.
const INSTANT: u8 = Mode::Start.bit() | Mode::Trigger.bit();
const HANDLER: u8 = Mode::Handler.bit();

/// An instruction and what is known there.
pub(super) struct Flow<'c, 'a, I> {
    check: &'c mut Structure<'a>,
    state: State,
    image: PhantomData<I>,
}

impl State {
    /// The start or a trigger's activation waits: it goes on as a thread, in a place that is still free.
    pub(super) fn into_thread(self) -> Result<State, Reason> {
        match self.threads {
            0 => Err(Reason::Threads),
            _ => Ok(State { mode: Mode::Thread, advance: Advance::None, threads: 0, triggers: 0, ..self }),
        }
    }
}

impl<I: Image> Flow<'_, '_, I> {
    /// Checks the current instruction, and notes where it leads.
    pub(super) fn of(
        check: &mut Structure<'_>,
        state: State,
        instruction: Instruction,
    ) -> Result<(), Reason> {
        let mut flow: Flow<'_, '_, I> = Flow { check, state, image: PhantomData };
        match instruction {
            Instruction::Call { .. } | Instruction::Calls { .. } => flow.next(state),
            Instruction::Jump { address: to } => flow.forward(to.into(), state),
            Instruction::Branch { address: to } => {
                flow.forward(to.into(), state)?;
                flow.next(state)
            }
            Instruction::Late { address: to, .. } | Instruction::Beat { address: to, .. } => {
                flow.only(INSTANT)?;
                flow.forward(to.into(), state)?;
                flow.next(state)
            }
            Instruction::Offender { address: to, .. } => {
                flow.only(HANDLER)?;
                flow.forward(to.into(), state)?;
                flow.next(state)
            }
            Instruction::Return {} => Ok(()),
            Instruction::Release { task, .. } if state.mode == Mode::Completion => flow.make_up(task.0),
            Instruction::Owed { task, address: to } => {
                flow.only(Mode::Completion.bit())?;
                flow.forward(to.into(), state)?;
                flow.next(State { advance: Advance::Released(task.0), ..state })
            }
            Instruction::Release { .. }
            | Instruction::Releases { .. }
            | Instruction::Period {}
            | Instruction::Round {} => {
                flow.only(INSTANT)?;
                flow.next(state)
            }
            Instruction::Future { .. } | Instruction::When { .. } | Instruction::Next { .. } => {
                flow.trigger()
            }
            Instruction::Phase { phase } => flow.phase(phase),
            Instruction::Dispatch { .. }
            | Instruction::DispatchUntil { .. }
            | Instruction::Idle { .. }
            | Instruction::Fork { .. }
                if !I::HAS_THREADS =>
            {
                flow.only(INSTANT)?;
                Err(Reason::Threads)
            }
            Instruction::Dispatch { task } => flow.dispatch(task.0),
            Instruction::DispatchUntil { task, until, otherwise } => {
                flow.dispatch_until(task.0, until, otherwise)
            }
            Instruction::Idle { until } => flow.idle(until),
            Instruction::Fork { .. } => flow.fork(),
            Instruction::Change { .. } => flow.only(INSTANT | HANDLER),
            Instruction::Terminate {} => {
                flow.only(HANDLER)?;
                flow.next(state)
            }
            Instruction::Resume {}
            | Instruction::Retry {}
            | Instruction::Postpone { .. }
            | Instruction::Tolerate { .. } => flow.only(HANDLER),
        }
    }

    /// The instruction is allowed in these modes only.
    fn only(&self, modes: u8) -> Result<(), Reason> {
        match self.state.mode {
            mode if mode.bit() & modes != 0 => Ok(()),
            Mode::Thread | Mode::Ending => Err(Reason::Thread),
            Mode::Completion => Err(Reason::Disagreement),
            _ => Err(Reason::Handler),
        }
    }

    /// A completion releases what is owed, and only once: so neither jobs nor releases go on for ever.
    fn make_up(&mut self, task: u8) -> Result<(), Reason> {
        match self.state.advance {
            Advance::Released(owed) if owed == task => {
                self.next(State { advance: Advance::None, ..self.state })
            }
            _ => Err(Reason::Disagreement),
        }
    }

    fn next(&mut self, state: State) -> Result<(), Reason> {
        let next = self.check.address + 1;
        if next >= self.check.container.length() {
            return Err(Reason::End);
        }
        self.check.enter::<I>(next, state)
    }

    fn forward(&mut self, to: usize, state: State) -> Result<(), Reason> {
        if to <= self.check.address {
            return Err(Reason::Backward);
        }
        self.check.enter::<I>(to, state)
    }

    fn trigger(&mut self) -> Result<(), Reason> {
        self.only(INSTANT)?;
        match self.state.triggers.checked_sub(1) {
            Some(triggers) => self.next(State { triggers, ..self.state }),
            None => Err(Reason::Triggers),
        }
    }

    fn phase(&mut self, phase: u8) -> Result<(), Reason> {
        self.only(INSTANT)?;
        if phase <= self.state.phase || phase >= phase::COUNT || self.state.triggers == 0 {
            return Err(Reason::Phase);
        }
        self.next(State { phase, ..self.state })
    }

    /// The state of the thread that waits here.
    fn wait(&mut self) -> Result<State, Reason> {
        match self.state.mode {
            Mode::Thread => Ok(self.state),
            Mode::Ending => Err(Reason::Threads),
            mode => {
                self.only(INSTANT)?;
                self.check.stand.begins_threads |= mode == Mode::Trigger;
                self.state.into_thread()
            }
        }
    }

    fn dispatch(&mut self, task: u8) -> Result<(), Reason> {
        let state = self.wait()?;
        self.next(self.after_job(task, state))
    }

    fn dispatch_until(&mut self, task: u8, until: u8, otherwise: u8) -> Result<(), Reason> {
        let state = self.wait()?;
        self.next(self.after_job(task, state))?;
        let expired = self.after(until, state);
        self.check.enter::<I>(self.check.address + 1 + usize::from(otherwise), expired)
    }

    fn idle(&mut self, until: u8) -> Result<(), Reason> {
        let state = self.wait()?;
        let expired = self.after(until, state);
        self.next(expired)
    }

    /// After a timeout: durations aren't zero, so time has passed since the thread began.
    fn after(&self, until: u8, state: State) -> State {
        let advance = match (state.advance, self.check.container.condition(until)) {
            (Advance::Done, _) | (_, Some(Condition::Clock(_))) => Advance::Done,
            (_, Some(Condition::Released(task))) => Advance::Released(task.0),
            (advance, _) => advance,
        };
        State { advance, ..state }
    }

    /// After a dispatch that waited for the task's job, or found that it had ended. A handler may have left
    /// the dispatch out.
    fn after_job(&self, task: u8, state: State) -> State {
        let mut is_certain = true;
        // bound: 255, what a container can count
        for (exception, _) in self.check.container.handlers() {
            is_certain &= exception != Exception::Share;
        }
        match state.advance {
            Advance::Released(released) if released == task && is_certain => {
                State { advance: Advance::Done, ..state }
            }
            _ => state,
        }
    }

    fn fork(&mut self) -> Result<(), Reason> {
        let state = self.state;
        match state.mode {
            Mode::Thread if state.advance != Advance::Done => Err(Reason::Endless),
            Mode::Thread => self.next(State { mode: Mode::Ending, ..state }),
            Mode::Ending => Err(Reason::Threads),
            mode => {
                self.only(INSTANT)?;
                self.check.stand.begins_threads |= mode == Mode::Trigger;
                match state.threads.checked_sub(1) {
                    Some(threads) => self.next(State { threads, ..state }),
                    None => Err(Reason::Threads),
                }
            }
        }
    }
}
