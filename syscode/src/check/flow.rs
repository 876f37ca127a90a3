//! What an instruction does to what is known, and where it leads.

use core::marker::PhantomData;

use super::mark::{Advance, Mode, State};
use super::structure::Structure;
use super::time::Image;
use super::{Reason, Refusal};
use crate::condition::Condition;
use crate::container::Exception;
use crate::instruction::{Instruction, phase};

/// An instruction and what is known where it stands.
pub(super) struct Flow<'c, 'a, I> {
    check: &'c mut Structure<'a>,
    address: usize,
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
    /// Checks an instruction where it stands, and notes where it leads.
    pub(super) fn of(
        check: &mut Structure<'_>,
        address: usize,
        state: State,
        instruction: Instruction,
    ) -> Result<(), Refusal> {
        let mut flow: Flow<'_, '_, I> = Flow { check, address, state, image: PhantomData };
        match instruction {
            Instruction::Call { .. } | Instruction::Calls { .. } => flow.next(state),
            Instruction::Jump { address: to } => flow.forward(to.into(), state),
            Instruction::Branch { address: to } => {
                flow.forward(to.into(), state)?;
                flow.next(state)
            }
            Instruction::Late { address: to, .. } => {
                flow.only(&[Mode::Start, Mode::Trigger])?;
                flow.forward(to.into(), state)?;
                flow.next(state)
            }
            Instruction::Offender { address: to, .. } => {
                flow.only(&[Mode::Handler])?;
                flow.forward(to.into(), state)?;
                flow.next(state)
            }
            Instruction::Return {} => Ok(()),
            Instruction::Release { task, .. } if state.mode == Mode::Completion => flow.make_up(task.0),
            Instruction::Owed { task, address: to } => {
                flow.only(&[Mode::Completion])?;
                flow.forward(to.into(), state)?;
                flow.next(State { advance: Advance::Released(task.0), ..state })
            }
            Instruction::Release { .. } | Instruction::Releases { .. } | Instruction::Period {} => {
                flow.only(&[Mode::Start, Mode::Trigger])?;
                flow.next(state)
            }
            Instruction::Future { .. } | Instruction::When { .. } => flow.trigger(),
            Instruction::Phase { phase } => flow.phase(phase),
            Instruction::Dispatch { .. }
            | Instruction::DispatchUntil { .. }
            | Instruction::Idle { .. }
            | Instruction::Fork { .. }
                if !I::HAS_THREADS =>
            {
                flow.only(&[Mode::Start, Mode::Trigger])?;
                flow.refuse(Reason::Threads)
            }
            Instruction::Dispatch { task } => flow.dispatch(task.0),
            Instruction::DispatchUntil { task, until, otherwise } => {
                flow.dispatch_until(task.0, until, otherwise)
            }
            Instruction::Idle { until } => flow.idle(until),
            Instruction::Fork { .. } => flow.fork(),
            Instruction::Change { .. } => flow.only(&[Mode::Start, Mode::Trigger, Mode::Handler]),
            Instruction::Terminate {} => {
                flow.only(&[Mode::Handler])?;
                flow.next(state)
            }
            Instruction::Resume {}
            | Instruction::Retry {}
            | Instruction::Postpone { .. }
            | Instruction::Tolerate { .. } => flow.only(&[Mode::Handler]),
        }
    }

    fn refuse<T>(&self, reason: Reason) -> Result<T, Refusal> {
        Err(Refusal { address: self.address, reason })
    }

    /// The instruction belongs into these modes only.
    fn only(&self, modes: &[Mode]) -> Result<(), Refusal> {
        let mut is_one = false;
        // bound: 6, all modes
        for mode in modes {
            is_one |= *mode == self.state.mode;
        }
        match self.state.mode {
            _ if is_one => Ok(()),
            Mode::Thread | Mode::Ending => self.refuse(Reason::Thread),
            Mode::Completion => self.refuse(Reason::Disagreement),
            _ => self.refuse(Reason::Handler),
        }
    }

    /// A completion releases what is owed, and that once: so there is no end of neither jobs nor releases.
    fn make_up(&mut self, task: u8) -> Result<(), Refusal> {
        match self.state.advance {
            Advance::Released(owed) if owed == task => {
                self.next(State { advance: Advance::None, ..self.state })
            }
            _ => self.refuse(Reason::Disagreement),
        }
    }

    fn next(&mut self, state: State) -> Result<(), Refusal> {
        let next = self.address + 1;
        if next >= self.check.container.length() {
            return self.refuse(Reason::End);
        }
        self.check.enter::<I>(self.address, next, state)
    }

    fn forward(&mut self, to: usize, state: State) -> Result<(), Refusal> {
        if to <= self.address {
            return self.refuse(Reason::Backward);
        }
        self.check.enter::<I>(self.address, to, state)
    }

    fn trigger(&mut self) -> Result<(), Refusal> {
        self.only(&[Mode::Start, Mode::Trigger])?;
        match self.state.triggers.checked_sub(1) {
            Some(triggers) => self.next(State { triggers, ..self.state }),
            None => self.refuse(Reason::Triggers),
        }
    }

    fn phase(&mut self, phase: u8) -> Result<(), Refusal> {
        self.only(&[Mode::Start, Mode::Trigger])?;
        if phase <= self.state.phase || phase >= phase::COUNT || self.state.triggers == 0 {
            return self.refuse(Reason::Phase);
        }
        self.next(State { phase, ..self.state })
    }

    /// The state of the thread that waits here.
    fn wait(&mut self) -> Result<State, Refusal> {
        match self.state.mode {
            Mode::Thread => Ok(self.state),
            Mode::Ending => self.refuse(Reason::Threads),
            mode => {
                self.only(&[Mode::Start, Mode::Trigger])?;
                self.check.begins_threads |= mode == Mode::Trigger;
                self.state.into_thread().or_else(|reason| self.refuse(reason))
            }
        }
    }

    fn dispatch(&mut self, task: u8) -> Result<(), Refusal> {
        let state = self.wait()?;
        self.next(self.after_job(task, state))
    }

    fn dispatch_until(&mut self, task: u8, until: u8, otherwise: u8) -> Result<(), Refusal> {
        let state = self.wait()?;
        self.next(self.after_job(task, state))?;
        let expired = self.after(until, state);
        self.check.enter::<I>(self.address, self.address + 1 + usize::from(otherwise), expired)
    }

    fn idle(&mut self, until: u8) -> Result<(), Refusal> {
        let state = self.wait()?;
        let expired = self.after(until, state);
        self.next(expired)
    }

    /// Behind a timeout: durations aren't zero, so time has passed since the thread began.
    fn after(&self, until: u8, state: State) -> State {
        let advance = match (state.advance, self.check.container.condition(until)) {
            (Advance::Done, _) | (_, Some(Condition::Clock(_))) => Advance::Done,
            (_, Some(Condition::Released(task))) => Advance::Released(task.0),
            (advance, _) => advance,
        };
        State { advance, ..state }
    }

    /// Behind a dispatch that waited for the task's job, or found that it had ended. A handler may have left the dispatch out.
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

    fn fork(&mut self) -> Result<(), Refusal> {
        let state = self.state;
        match state.mode {
            Mode::Thread if state.advance != Advance::Done => self.refuse(Reason::Endless),
            Mode::Thread => self.next(State { mode: Mode::Ending, ..state }),
            Mode::Ending => self.refuse(Reason::Threads),
            mode => {
                self.only(&[Mode::Start, Mode::Trigger])?;
                self.check.begins_threads |= mode == Mode::Trigger;
                match state.threads.checked_sub(1) {
                    Some(threads) => self.next(State { threads, ..state }),
                    None => self.refuse(Reason::Threads),
                }
            }
        }
    }
}
