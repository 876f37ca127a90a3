//! E code at an instant: its releases and the ports it touches.

use beryl_abi::Duration;

use super::paths::ENDED;
use super::scan::CHUNK;
use super::state::{FRESH, Head, NOBODY, Trigger, Wait};
use super::{Fault, Go, Image, Stage, Turn, Unknown};
use crate::instruction::Instruction;
use crate::round::{Round, is_beat};

impl<I: Image> Turn<'_, '_, I> {
    /// The first trigger of each program.
    pub(super) fn begin(&mut self, program: u8) -> Go {
        if program >= self.image.programs() {
            return self.to(Stage::React);
        }
        let address = self.image.start(program);
        self.stand_at(program, address);
        self.add_trigger(0, 0, address)?;
        self.to(Stage::Begin(program + 1))
    }

    /// The current program sets a trigger.
    fn add_trigger(&mut self, due: u32, phase: u8, address: u16) -> Go {
        let is_added = self.state.add_trigger(Trigger { due, phase, program: self.check.program, address });
        if is_added { Ok(()) } else { Err(Fault::Memory) }
    }

    /// The next trigger that is due, by phase, program and setting; or the threads.
    pub(super) fn react(&mut self) -> Go {
        let (mut first, mut lowest) = (0, u32::MAX);
        // bound: TRIGGERS
        for index in 0..self.state.trigger_count() {
            let Trigger { due, phase, program, .. } = self.state.trigger(index);
            let order = if due == 0 { u32::from(phase) << 8 | u32::from(program) } else { u32::MAX };
            if order < lowest {
                (first, lowest) = (index, order);
            }
        }
        if lowest == u32::MAX {
            return self.repeats();
        }
        let Trigger { program, address, .. } = self.state.trigger(first);
        self.state.remove_trigger(first);
        self.check.program = program;
        self.to(Stage::Code(address))
    }

    /// One instruction of E code; or another way of a guard, if one is behind.
    pub(super) fn code(&mut self, address: u16) -> Go {
        if let Some(stage) = self.other_way(address) {
            return self.to(stage);
        }
        if address == ENDED {
            return self.to(Stage::React);
        }
        let program = self.check.program;
        self.count(program, address)?;
        let next = address.saturating_add(1);
        let goes_on_at = match self.instruction() {
            Instruction::Call { driver } => return self.touches(driver.0, 1, Stage::Code(next)),
            Instruction::Calls { first, count } => return self.touches(first.0, count, Stage::Code(next)),
            Instruction::Release { task, deadline } => return self.releases(task.0, 1, deadline),
            Instruction::Releases { first, deadline, count } => {
                return self.releases(first.0, count, deadline);
            }
            Instruction::Future { delay, address: to } => {
                let due = self.duration(delay)?;
                self.add_trigger(due, 0, to)?;
                next
            }
            Instruction::Phase { phase } => {
                self.add_trigger(0, phase, next)?;
                ENDED
            }
            Instruction::Next { round, address: to } => {
                let next_beat = self.round(round)?.next(self.state.position(program));
                self.add_trigger(next_beat.ahead, 0, to)?;
                self.state.set_position(program, next_beat.position);
                next
            }
            Instruction::Beat { beat, address: to } => {
                let beat = Duration::from_ticks(self.duration(beat)?.into());
                if is_beat(self.state.position(program), beat) { next } else { to }
            }
            Instruction::Round {} => {
                self.state.set_position(program, 0);
                next
            }
            // A program that takes over is checked on its own.
            Instruction::Period {} => next,
            Instruction::Jump { address } => address,
            // A job that was late before this program took over may still be noted.
            Instruction::Branch { address: to } | Instruction::Late { address: to, .. } => {
                return self.store_way(to, false, Stage::Code(next));
            }
            Instruction::When { .. } => return Err(Fault::Unknown(Unknown::Event)),
            Instruction::Dispatch { .. }
            | Instruction::DispatchUntil { .. }
            | Instruction::Idle { .. }
            | Instruction::Fork { .. }
                if !I::HAS_THREADS =>
            {
                return Err(Fault::Threads);
            }
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } => {
                let rank = self.image.task(task.0).rank;
                let holder = self.state.find(0, |_, head| {
                    let holds = head.wait == Wait::Dispatch || head.wait == Wait::Due && head.task != NOBODY;
                    holds && self.image.task(head.task).rank == rank
                });
                if holder.is_some() && self.most_left(task.0) > 0 {
                    return Err(Fault::Share);
                }
                self.is_last()?;
                return self.begin_thread(address, ENDED);
            }
            Instruction::Idle { .. } => {
                self.is_last()?;
                return self.begin_thread(address, ENDED);
            }
            Instruction::Fork { address: to } => return self.begin_thread(to, next),
            // A program changes its mode once an instant.
            Instruction::Change { .. } if self.state.has_changed(program) => ENDED,
            Instruction::Change { address: to } => {
                self.change(program);
                return self.first(Stage::Free { place: 0, task: 0 }, Stage::Code(to));
            }
            _ => ENDED,
        };
        self.to(Stage::Code(goes_on_at))
    }

    /// The round of a condition. None of its times is longer than can be counted.
    fn round(&self, number: u8) -> Result<Round, Fault> {
        let condition = self.image.condition(self.check.program, number);
        let round = condition.and_then(|condition| {
            Round::of(condition, |number| {
                self.duration(number).ok().map(|ticks| Duration::from_ticks(ticks.into()))
            })
        });
        round.ok_or(Fault::Unknown(Unknown::Span))
    }

    /// Drops a program's triggers and threads, and begins a round, as at a start.
    fn change(&mut self, program: u8) {
        self.state.set_changed(program);
        self.state.set_position(program, 0);
        // bound: TRIGGERS
        for index in (0..self.state.trigger_count()).rev() {
            if self.state.trigger(index).program == program {
                self.state.remove_trigger(index);
            }
        }
        // bound: PLACES
        for place in 0..self.places() {
            let head = self.state.head(place);
            if head.wait != Wait::Free && head.program == program {
                self.state.set_head(place, Head { wait: Wait::Ended, address: 0, age: 0, ..head });
            }
        }
    }

    /// Carries out drivers, one each step.
    pub(super) fn touches(&mut self, first: u16, count: u8, then: Stage) -> Go {
        self.first(Stage::Touch { driver: first, end: first.saturating_add(count.into()) }, then)
    }

    /// Releases tasks, one each step; then comes the next instruction.
    fn releases(&mut self, first: u8, count: u8, deadline: u8) -> Go {
        let next = self.check.address.saturating_add(1);
        let end = first.saturating_add(count);
        self.first(Stage::Release { task: first, end, deadline }, Stage::Code(next))
    }

    /// A driver is carried out: no task whose ports it touches may be at work.
    pub(super) fn touch(&mut self, driver: u16, end: u16) -> Go {
        if driver >= end {
            return self.on();
        }
        // bound: 8, the words with a bit for each task
        for word in 0..self.check.shape.bits() as u8 {
            let mut touched = self.image.touched(driver, word);
            // bound: 32, the bits of a word
            while touched != 0 {
                let task = word.wrapping_mul(32).wrapping_add(touched.trailing_zeros() as u8);
                self.must_be_done(task)?;
                touched &= touched - 1;
            }
        }
        self.to(Stage::Touch { driver: driver + 1, end })
    }

    fn must_be_done(&self, task: u8) -> Go {
        if self.most_left(task) > 0 { Err(Fault::Safety(task)) } else { Ok(()) }
    }

    /// A task is released whose last job has ended; no thread can have seen the new one.
    pub(super) fn release(&mut self, task: u8, end: u8, deadline: u8) -> Go {
        if task >= end {
            return self.on();
        }
        if task >= self.check.shape.tasks {
            return Err(Fault::Unknown(Unknown::Shared));
        }
        self.must_be_done(task)?;
        let due = self.duration(deadline)?;
        let bound = self.image.task(task).bound;
        // bound: PLACES
        for place in 0..self.places() {
            if self.state.head(place).wait != Wait::Free {
                self.state.set_left(place, task, bound);
                self.state.set_certain(place, task, true);
            }
        }
        self.state.set_job_left(task, bound);
        if !self.state.is_dispatched(task) {
            self.state.set_due(task, due as i32);
        }
        self.state.set_marks(task, FRESH);
        self.to(Stage::Release { task: task + 1, end, deadline })
    }

    /// A thread that begins with a wait goes on at once if there is nothing to wait for. Whether that comes
    /// before the code of another trigger depends on which jobs are complete.
    fn is_last(&self) -> Go {
        // bound: TRIGGERS
        for index in 0..self.state.trigger_count() {
            if self.state.trigger(index).due == 0 {
                return Err(Fault::Unknown(Unknown::Moment));
            }
        }
        Ok(())
    }

    /// Another thread of the program goes on at `address`, at this instant; and the code at `then`.
    fn begin_thread(&mut self, address: u16, then: u16) -> Go {
        let program = self.check.program;
        let mut alive = 0_u32;
        // bound: PLACES
        for place in 0..self.places() {
            let head = self.state.head(place);
            if head.program == program && !matches!(head.wait, Wait::Free | Wait::Ended) {
                alive |= 1 << (head.thread & 31);
            }
        }
        if alive.count_ones() >= u32::from(self.image.thread_places(program)) {
            return Err(Fault::Threads);
        }
        let Some((place, thread)) = self.state.free_place().zip(self.state.new_thread()) else {
            return Err(Fault::Memory);
        };
        let head = Head { wait: Wait::Go, task: 0, address, thread, program, is_new: false, age: 0 };
        self.state.set_head(place, head);
        self.first(Stage::Birth { place, task: 0 }, Stage::Code(then))
    }

    /// The most that may be left of a task's job.
    pub(super) fn birth(&mut self, place: u8, task: u8) -> Go {
        if task >= self.check.shape.tasks {
            return self.on();
        }
        let (left, is_fresh) = (self.most_left(task), self.state.is_fresh(task));
        self.state.set_left(place, task, left);
        self.state.set_certain(place, task, is_fresh);
        self.to(Stage::Birth { place, task: task + 1 })
    }

    /// Threads with nothing left free their places: for each place at which a thread has ended, its tasks, a
    /// few each step.
    pub(super) fn free(&mut self, place: u8, task: u8) -> Go {
        let Some(used) = self.used_from(place) else { return self.on() };
        let task = if used == place { task } else { 0 };
        let Head { wait, thread, .. } = self.state.head(used);
        let next = Stage::Free { place: used + 1, task: 0 };
        if wait != Wait::Ended {
            return self.to(next);
        }
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            if self.state.left(used, task) > 0 && self.state.owner(task) == thread {
                return self.to(next);
            }
        }
        if end < self.check.shape.tasks {
            return self.to(Stage::Free { place: used, task: end });
        }
        self.state.free(used);
        match self.state.is_alive(thread) {
            true => self.to(next),
            false => self.to(Stage::Disown { thread, place: used + 1, task: 0 }),
        }
    }

    /// A thread has ended its jobs on every way: other threads may dispatch its tasks again.
    pub(super) fn disown(&mut self, thread: u8, place: u8, task: u8) -> Go {
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            if self.state.owner(task) == thread {
                self.state.set_owner(task, NOBODY);
                self.state.set_job_left(task, 0);
            }
        }
        match end < self.check.shape.tasks {
            true => self.to(Stage::Disown { thread, place, task: end }),
            false => self.to(Stage::Free { place, task: 0 }),
        }
    }
}
