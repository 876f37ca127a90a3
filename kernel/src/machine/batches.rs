//! Batches: drivers that one instruction calls, or tasks that one releases, carried out one after the other.
//!
//! An instruction for a single object is a batch of one. Each object is a step of its own: pending events are
//! taken after it, and the batch goes on where it was. Work that all objects of a batch share is done once.

use beryl_abi::{Classes, DriverId, Instant, ProgramId, Record, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::activity::{Activity, Ahead};
use crate::rows::drivers::Driver;
use crate::rows::threads::{Place, Thread};
use crate::scheduling::thread::{Phase, Standing};
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::Table;

/// The objects of an instruction: the first and how many.
#[derive(Clone, Copy)]
pub(crate) struct Batch {
    first: usize,
    count: u8,
}

impl Batch {
    /// Drivers.
    #[inline(always)]
    pub fn of_drivers(first: DriverId, count: u8) -> Batch {
        Batch { first: first.index(), count }
    }

    /// Tasks.
    #[inline(always)]
    pub fn of_tasks(first: ThreadId, count: u8) -> Batch {
        Batch { first: first.index(), count }
    }

    /// The driver after those that are done.
    #[inline(always)]
    fn driver(self, done: usize) -> DriverId {
        DriverId((self.first + done) as u16)
    }

    /// The rows after those that are done; at least one, since the builder has checked the table.
    #[inline(always)]
    fn rest<Row>(self, rows: &[Row], done: usize) -> &[Row] {
        let end = usize::from(self.count).max(done + 1);
        rows.get(self.first + done..self.first + end).unwrap_or_default()
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Carries out the rest of a batch of drivers.
    #[inline(always)]
    pub(crate) fn call_all(&mut self, program: ProgramId, address: u16, batch: Batch) -> Ahead {
        let done: usize = self.state.e_machine.done.into();
        let row = self.machine.system().drivers.at(batch.first + done);
        if !row.kind.is_copy() {
            return self.call_with_care(program, address, batch.driver(done), [done as u8, batch.count]);
        }
        match row.is_own_word {
            true => self.call_in_a_row(program, address, batch, done),
            false => self.call_each(program, address, batch, done),
        }
    }

    /// Carries out those that only copy a word of their own task.
    #[inline(never)]
    fn call_in_a_row(&mut self, program: ProgramId, address: u16, batch: Batch, done: usize) -> Ahead {
        let rows = batch.rest(self.machine.system().drivers.rows(), done);
        let in_a_row = match self.state.tracing.has(Classes::DRIVERS) {
            true => self.copy_own_words::<true>(batch.driver(done), rows),
            false => self.copy_own_words::<false>(batch.driver(done), rows),
        };
        match in_a_row {
            0 => self.call_with_care(program, address, batch.driver(done), [done as u8, batch.count]),
            in_a_row => Some(self.go_on_in_batch(address, [(done + in_a_row) as u8, batch.count])),
        }
    }

    /// Carries out any drivers.
    #[inline(never)]
    fn call_each(&mut self, program: ProgramId, address: u16, batch: Batch, mut done: usize) -> Ahead {
        let is_tracing = self.state.tracing.has(Classes::DRIVERS);
        // bound: STEPS, each round is one
        for row in batch.rest(self.machine.system().drivers.rows(), done) {
            if !self.is_plain_copy(row) {
                return self.call_with_care(program, address, batch.driver(done), [done as u8, batch.count]);
            }
            self.machine.copy_value(row.from, row.to, row.length);
            if is_tracing {
                self.tell_of_driver(batch.driver(done), row);
            }
            done += 1;
            if self.machine.is_pending() {
                break;
            }
        }
        self.break_batch(program, address, [done as u8, batch.count])
    }

    /// Releases the rest of a batch of tasks. Each job is to be done `within` from this instant, or from the
    /// instant at which its release was owed.
    #[inline(never)]
    pub(crate) fn release_all(
        &mut self,
        program: ProgramId,
        address: u16,
        batch: Batch,
        within: u8,
    ) -> Ahead {
        let deadline = self.state.e_machine.reference.after(self.duration_of(program, within));
        let done = self.state.e_machine.done.into();
        let is_coded = matches!(self.machine.system().threads.at(batch.first).place, Place::Coded { .. });
        if S::SCHEDULED && is_coded && !self.state.e_machine.has_expectant {
            let rows = batch.rest(self.machine.system().threads.rows(), done);
            let in_a_row = match self.state.tracing.has(Classes::JOBS) {
                true => self.release_coded::<true>(batch.first + done, rows, deadline),
                false => self.release_coded::<false>(batch.first + done, rows, deadline),
            };
            if in_a_row > 0 {
                return Some(self.go_on_in_batch(address, [(done + in_a_row) as u8, batch.count]));
            }
        }
        self.release_each(program, address, batch, done, deadline)
    }

    /// Releases any tasks.
    #[inline(always)]
    fn release_each(
        &mut self,
        program: ProgramId,
        address: u16,
        batch: Batch,
        mut done: usize,
        deadline: Instant,
    ) -> Ahead {
        let is_tracing = self.state.tracing.has(Classes::JOBS);
        // bound: STEPS, each round is one
        for row in batch.rest(self.machine.system().threads.rows(), done) {
            let task = ThreadId((batch.first + done) as u8);
            if !self.is_plain_job(task) {
                return self.release_with_care(program, address, task, deadline, [done as u8, batch.count]);
            }
            self.release(task, row, deadline);
            if is_tracing {
                self.tell_of_job(task, deadline);
            }
            done += 1;
            if self.state.bands.is_sorting() || self.machine.is_pending() {
                break;
            }
        }
        self.break_batch(program, address, [done as u8, batch.count])
    }

    /// Carries out drivers that only copy a word of their own task. Stops at the first one that needs more,
    /// or as soon as something is pending. Returns how many it carried out.
    #[inline(never)]
    fn copy_own_words<const TOLD: bool>(&mut self, first: DriverId, rows: &[Driver]) -> usize {
        // bound: STEPS, each round is one
        for (index, row) in rows.iter().enumerate() {
            // If the task belongs to a process that was stopped, it is stopped too.
            if !row.is_own_word || self.state.threads.at(row.task.index()).phase() != Phase::Dormant {
                return index;
            }
            self.machine.copy_word(row.from, row.to);
            if TOLD {
                self.tell_of_driver(DriverId((first.index() + index) as u16), row);
            }
            if self.machine.is_pending() {
                return index + 1;
            }
        }
        rows.len()
    }

    /// Releases dormant tasks that wait for a program to dispatch them. Stops at the first one that needs
    /// more, or as soon as something is pending. Returns how many it released.
    #[inline(never)]
    fn release_coded<const TOLD: bool>(&mut self, first: usize, rows: &[Thread], deadline: Instant) -> usize {
        // bound: STEPS, each round is one
        for (index, row) in rows.iter().enumerate() {
            let job = self.state.threads.at(first + index);
            let is_coded = matches!(row.place, Place::Coded { .. });
            if !is_coded || job.phase() != Phase::Dormant || job.parked().is_some() {
                return index;
            }
            // No thread has dispatched a task that was dormant, so its program's rank stays as it is.
            let task = ThreadId((first + index) as u8);
            self.clock_begins_anew(task);
            let job = self.state.threads.at_mut(task.index());
            job.begin(deadline);
            job.stand(Standing::In);
            self.begin_budget(task);
            if TOLD {
                self.tell_of_job(task, deadline);
            }
            if self.machine.is_pending() {
                return index + 1;
            }
        }
        rows.len()
    }

    /// This many objects of a batch are done; returns where the program goes on once nothing is pending.
    #[inline(always)]
    fn go_on_in_batch(&mut self, address: u16, [done, count]: [u8; 2]) -> u16 {
        let is_over = done >= count;
        self.state.e_machine.done = if is_over { 0 } else { done };
        if is_over { address.saturating_add(1) } else { address }
    }

    /// This many objects of a batch are done; any others have to wait.
    #[inline(always)]
    fn break_batch(&mut self, program: ProgramId, address: u16, [done, count]: [u8; 2]) -> Ahead {
        if done >= count {
            self.state.e_machine.done = 0;
            return Some(address.saturating_add(1));
        }
        self.state.e_machine.done = done;
        self.break_off(Activity::Run { program, address })
    }

    /// Whether a driver only makes a copy that fits in one step, no job is at work on its ports, and nothing
    /// of it is stopped.
    #[inline(always)]
    fn is_plain_copy(&self, row: &Driver) -> bool {
        let is_short = row.length <= State::<S>::CHUNK;
        let [other, _] = row.others;
        let is_free =
            !row.task.is_some() || self.state.threads.at(row.task.index()).phase() == Phase::Dormant;
        let is_in_order = !self.state.processes.at(row.process.index()).stopped;
        row.kind.is_copy() && is_short && is_free && !other.is_some() && is_in_order
    }

    /// Whether a task isn't at work, wasn't stopped, and no place is parked at it.
    #[inline(always)]
    fn is_plain_job(&self, task: ThreadId) -> bool {
        let job = self.state.threads.at(task.index());
        job.phase() == Phase::Dormant && !job.parked().is_some()
    }

    /// Any other driver.
    #[inline(never)]
    fn call_with_care(
        &mut self,
        program: ProgramId,
        address: u16,
        driver: DriverId,
        [done, count]: [u8; 2],
    ) -> Ahead {
        self.state.e_machine.done = done;
        let activity = match self.in_the_way(driver) {
            None => {
                let then = self.advance(count, address);
                self.begin_driver(program, driver, then)
            }
            Some(task) => self.call_in_spite(program, address, driver, task),
        };
        self.follow(activity)
    }

    /// A task that is at work, or was stopped, or at which places are parked that return now.
    #[cold]
    #[inline(never)]
    fn release_with_care(
        &mut self,
        program: ProgramId,
        address: u16,
        task: ThreadId,
        deadline: Instant,
        [done, count]: [u8; 2],
    ) -> Ahead {
        self.state.e_machine.done = done;
        if self.is_at_work(task) {
            return self.release_in_spite(program, address, task);
        }
        let instant = self.state.e_machine.instant;
        if self.state.threads.at(task.index()).phase() == Phase::Dormant {
            self.release(task, self.machine.system().threads.at(task.index()), deadline);
            self.bring_back(task);
            self.trace(Record::Release { task, instant, deadline });
        } else {
            self.trace(Record::Skip { program, instant });
        }
        Some(self.advance(count, address))
    }

    /// Releases a job of a task, which isn't at work and wasn't stopped, at the current logical instant.
    #[inline(always)]
    fn release(&mut self, task: ThreadId, row: &Thread, deadline: Instant) {
        self.begin_budget(task);
        self.clock_begins_anew(task);
        let job = self.state.threads.at_mut(task.index());
        job.begin(deadline);
        if S::SCHEDULED && matches!(row.place, Place::Coded { .. }) {
            job.stand(Standing::In);
            self.state.bands.insert_coded(task, row.rank.number());
        } else {
            self.stand_in_band(task);
        }
        if S::SCHEDULED && self.state.e_machine.has_expectant {
            self.tell_of_release(task);
        }
    }

    /// An object of a batch is done; returns where the program goes on.
    #[inline(always)]
    pub(crate) fn advance(&mut self, count: u8, address: u16) -> u16 {
        let done = self.state.e_machine.done.saturating_add(1);
        self.go_on_in_batch(address, [done, count])
    }

    #[cold]
    #[inline(never)]
    fn tell_of_job(&mut self, task: ThreadId, deadline: Instant) {
        self.trace(Record::Release { task, instant: self.state.e_machine.instant, deadline });
    }
}
