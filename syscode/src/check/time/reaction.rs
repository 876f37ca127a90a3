//! E code at an instant: what it releases and touches.

use super::paths::ENDED;
use super::scan::CHUNK;
use super::state::{Head, NOBODY, Trigger, Wait};
use super::{Fault, Go, Image, Stage, Stop, Turn, Unknown};
use crate::instruction::Instruction;

impl<I: Image> Turn<'_, '_, I> {
    /// The first trigger of each program.
    pub(super) fn begin(&mut self, program: u8) -> Go {
        if program >= self.image.programs() {
            return Ok(Some(Stage::React));
        }
        let address = self.image.start(program);
        self.add_trigger(Trigger { due: 0, phase: 0, program, address }, address)?;
        Ok(Some(Stage::Begin(program + 1)))
    }

    fn add_trigger(&mut self, trigger: Trigger, from: u16) -> Result<(), Stop> {
        let is_added = self.state.add_trigger(trigger);
        if is_added { Ok(()) } else { self.breach(trigger.program, from, Fault::Memory) }
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
            return Ok(Some(Stage::Repeat(Self::first_word())));
        }
        let Trigger { program, address, .. } = self.state.trigger(first);
        self.state.remove_trigger(first);
        Ok(Some(Stage::Code { program, address }))
    }

    /// One instruction of E code; or another way of a guard, if one is behind.
    pub(super) fn code(&mut self, program: u8, address: u16) -> Go {
        if let Some(stage) = self.other_way(program, address) {
            return Ok(Some(stage));
        }
        if address == ENDED {
            return Ok(Some(Stage::React));
        }
        self.count(program, address)?;
        let then = Stage::Code { program, address: address.saturating_add(1) };
        let end = Stage::Code { program, address: ENDED };
        match self.instruction(program, address) {
            Instruction::Call { driver } => self.touches(program, address, (driver.0, 1), then),
            Instruction::Calls { first, count } => self.touches(program, address, (first.0, count), then),
            Instruction::Release { task, deadline } => {
                let end = task.0.saturating_add(1);
                self.first(Stage::Release { program, address, task: task.0, end, deadline }, then)
            }
            Instruction::Releases { first, deadline, count } => {
                let end = first.0.saturating_add(count);
                self.first(Stage::Release { program, address, task: first.0, end, deadline }, then)
            }
            Instruction::Future { delay, address: to } => {
                let due = self.duration(program, address, delay)?;
                self.add_trigger(Trigger { due, phase: 0, program, address: to }, address)?;
                Ok(Some(then))
            }
            Instruction::Phase { phase } => {
                let next = address.saturating_add(1);
                self.add_trigger(Trigger { due: 0, phase, program, address: next }, address)?;
                Ok(Some(end))
            }
            // Another program that takes over is checked on its own.
            Instruction::Period {} => Ok(Some(then)),
            Instruction::Jump { address } => Ok(Some(Stage::Code { program, address })),
            // What was late before this program took over may still be noted.
            Instruction::Branch { address: to } | Instruction::Late { address: to, .. } => {
                self.branch(program, address, to, then)
            }
            Instruction::When { .. } => self.breach(program, address, Fault::Unknown(Unknown::Event)),
            Instruction::Dispatch { .. }
            | Instruction::DispatchUntil { .. }
            | Instruction::Idle { .. }
            | Instruction::Fork { .. }
                if !I::HAS_THREADS =>
            {
                self.breach(program, address, Fault::Threads)
            }
            Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. } => {
                let rank = self.image.task(task.0).rank;
                let holder = self.state.find(0, |_, head| {
                    let holds = head.wait == Wait::Dispatch || head.wait == Wait::Due && head.task != NOBODY;
                    holds && self.image.task(head.task).rank == rank
                });
                if holder.is_some() && self.most_left(task.0) > 0 {
                    return self.breach(program, address, Fault::Share);
                }
                self.is_last(program, address)?;
                self.begin_thread(program, address, address, end)
            }
            Instruction::Idle { .. } => {
                self.is_last(program, address)?;
                self.begin_thread(program, address, address, end)
            }
            Instruction::Fork { address: to } => self.begin_thread(program, address, to, then),
            // A program changes its mode once an instant.
            Instruction::Change { .. } if self.state.has_changed(program) => Ok(Some(end)),
            Instruction::Change { address: to } => {
                self.change(program);
                self.first(Stage::Free { place: 0, task: 0 }, Stage::Code { program, address: to })
            }
            _ => Ok(Some(end)),
        }
    }

    /// Drops a program's triggers and threads.
    fn change(&mut self, program: u8) {
        self.state.set_changed(program);
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

    /// Carries out drivers, one a step.
    pub(super) fn touches(
        &mut self,
        program: u8,
        address: u16,
        (first, count): (u16, u8),
        then: Stage,
    ) -> Go {
        let end = first.saturating_add(count.into());
        self.first(Stage::Touch { program, address, driver: first, end }, then)
    }

    /// A driver is carried out: nobody whose ports it touches may be at work.
    pub(super) fn touch(&mut self, program: u8, address: u16, driver: u16, end: u16) -> Go {
        if driver >= end {
            return Ok(Some(self.check.after));
        }
        // bound: 8, the words with a bit for each task
        for word in 0..self.check.shape.bits() as u8 {
            let mut touched = self.image.touched(driver, word);
            // bound: 32, the bits of a word
            while touched != 0 {
                let task = word.wrapping_mul(32).wrapping_add(touched.trailing_zeros() as u8);
                if self.most_left(task) > 0 {
                    return self.breach(program, address, Fault::Safety(task));
                }
                touched &= touched - 1;
            }
        }
        Ok(Some(Stage::Touch { program, address, driver: driver + 1, end }))
    }

    /// A task is released whose last job has ended; no thread can have seen the new one.
    pub(super) fn release(&mut self, program: u8, address: u16, task: u8, end: u8, deadline: u8) -> Go {
        if task >= end {
            return Ok(Some(self.check.after));
        }
        if task >= self.check.shape.tasks {
            return self.breach(program, address, Fault::Unknown(Unknown::Shared));
        }
        if self.most_left(task) > 0 {
            return self.breach(program, address, Fault::Safety(task));
        }
        let due = self.duration(program, address, deadline)?;
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
            self.state.set_times(task, i32::try_from(due).unwrap_or(i32::MAX), 0);
        }
        self.state.set_fresh(task, true);
        self.state.set_owner(task, NOBODY);
        Ok(Some(Stage::Release { program, address, task: task + 1, end, deadline }))
    }

    /// A thread that begins with a wait goes on at once if there is nothing to wait for: whether that is before another trigger's code
    /// has run depends on what is complete.
    fn is_last(&self, program: u8, address: u16) -> Result<(), Stop> {
        // bound: TRIGGERS
        for index in 0..self.state.trigger_count() {
            if self.state.trigger(index).due == 0 {
                return self.breach(program, address, Fault::Unknown(Unknown::Moment));
            }
        }
        Ok(())
    }

    /// Another thread goes on at an address, at this instant.
    fn begin_thread(&mut self, program: u8, from: u16, address: u16, then: Stage) -> Go {
        let mut alive = 0_u32;
        // bound: PLACES
        for place in 0..self.places() {
            let head = self.state.head(place);
            if head.program == program && !matches!(head.wait, Wait::Free | Wait::Ended) {
                alive |= 1 << (head.thread & 31);
            }
        }
        if alive.count_ones() >= u32::from(self.image.thread_places(program)) {
            return self.breach(program, from, Fault::Threads);
        }
        let Some((place, thread)) = self.state.free_place().zip(self.state.new_thread()) else {
            return self.breach(program, from, Fault::Memory);
        };
        let head = Head { wait: Wait::Go, task: 0, address, thread, program, is_new: false, age: 0 };
        self.state.set_head(place, head);
        self.first(Stage::Birth { place, task: 0 }, then)
    }

    /// The most that may be left of a task's job.
    pub(super) fn birth(&mut self, place: u8, task: u8) -> Go {
        if task >= self.check.shape.tasks {
            return Ok(Some(self.check.after));
        }
        let (left, is_fresh) = (self.most_left(task), self.state.is_fresh(task));
        self.state.set_left(place, task, left);
        self.state.set_certain(place, task, is_fresh);
        Ok(Some(Stage::Birth { place, task: task + 1 }))
    }

    /// Threads of which nothing is left make room: for each place that a thread has ended at, its tasks, so many a step.
    pub(super) fn free(&mut self, place: u8, task: u8) -> Go {
        let Some(used) = self.used_from(place) else { return Ok(Some(self.check.after)) };
        let task = if used == place { task } else { 0 };
        let Head { wait, thread, .. } = self.state.head(used);
        let next = Ok(Some(Stage::Free { place: used + 1, task: 0 }));
        if wait != Wait::Ended {
            return next;
        }
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            if self.state.left(used, task) > 0 && self.state.owner(task) == thread {
                return next;
            }
        }
        if end < self.check.shape.tasks {
            return Ok(Some(Stage::Free { place: used, task: end }));
        }
        self.state.free(used);
        if self.state.is_alive(thread) {
            next
        } else {
            Ok(Some(Stage::Disown { thread, place: used + 1, task: 0 }))
        }
    }

    /// Every way that a thread took has ended its jobs: what it dispatched is anybody's again.
    pub(super) fn disown(&mut self, thread: u8, place: u8, task: u8) -> Go {
        let end = task.saturating_add(CHUNK as u8).min(self.check.shape.tasks);
        // bound: 8
        for task in task..end {
            if self.state.owner(task) == thread {
                self.state.set_owner(task, NOBODY);
                self.state.set_job_left(task, 0);
            }
        }
        Ok(Some(match end < self.check.shape.tasks {
            true => Stage::Disown { thread, place, task: end },
            false => Stage::Free { place, task: 0 },
        }))
    }
}
