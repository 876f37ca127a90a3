//! Drivers: the kernel makes copies itself; native functions run on a driver thread in user mode.
//!
//! While a native driver runs, logical time stands still: no task and no other system code runs.

use beryl_abi::{CallError, DriverId, Fault, FaultKind, Instant, ProgramId, Record, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::machine::activity::Activity;
use crate::rows::drivers::{Driver, DriverKind};
use crate::rows::fed::Fed;
use crate::rows::threads::ThreadKind;
use crate::scheduling::thread::Phase;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Begins a driver; the program goes on at `then`. No job is at work on the ports that it touches.
    pub(crate) fn begin_driver(&mut self, program: ProgramId, driver: DriverId, then: u16) -> Activity {
        let row = self.machine.system().drivers.at(driver.index());
        let after = Activity::Run { program, address: then };
        if self.is_out_of_order(row) {
            self.leave_out(program, row);
            return after;
        }
        if S::LINKED && row.kind.is_link() {
            return self.begin_link(program, driver, then);
        }
        if S::FED
            && let Some(part @ (Fed::Fetch { .. } | Fed::Feed { .. })) =
                self.machine.system().fed.get(driver.index())
        {
            return self.begin_fed(program, driver, *part, then);
        }
        match row.kind {
            // A value that one step can copy is copied in this step. Drivers of links are done with.
            DriverKind::Copy | DriverKind::Input | DriverKind::Ahead { .. } | DriverKind::Arrival
                if row.length <= State::<S>::CHUNK =>
            {
                self.machine.copy(row.from, row.to, row.length);
                self.trace_driver(driver, row);
                after
            }
            DriverKind::Copy
            | DriverKind::Input
            | DriverKind::Ahead { .. }
            | DriverKind::Arrival
            | DriverKind::Setter { .. } => Activity::Copy { program, driver, offset: 0, then },
            DriverKind::Getter { shared, .. } if self.has_read(shared) => after,
            DriverKind::Getter { .. } | DriverKind::Guard { .. } => self.start_native(program, driver, then),
        }
    }

    /// Copies the next chunk of a driver's value.
    pub(crate) fn copy_chunk(
        &mut self,
        program: ProgramId,
        driver: DriverId,
        offset: u32,
        then: u16,
    ) -> Activity {
        let row = self.machine.system().drivers.at(driver.index());
        let Some(from) = self.source(row) else {
            self.leave_out(program, row);
            return Activity::Run { program, address: then };
        };
        let left = row.length.saturating_sub(offset);
        self.machine.copy(
            from.saturating_add(offset),
            row.to.saturating_add(offset),
            left.min(State::<S>::CHUNK),
        );
        if left > State::<S>::CHUNK {
            return Activity::Copy {
                program,
                driver,
                offset: offset.saturating_add(State::<S>::CHUNK),
                then,
            };
        }
        self.trace_driver(driver, row);
        match row.kind {
            DriverKind::Setter { .. } => self.start_native(program, driver, then),
            DriverKind::Getter { shared, .. } => {
                let e_machine = &mut self.state.e_machine;
                e_machine.sensors.note(shared, e_machine.instant);
                Activity::Run { program, address: then }
            }
            _ => Activity::Run { program, address: then },
        }
    }

    /// Whether another program read a shared sensor at this instant.
    fn has_read(&self, shared: u32) -> bool {
        let e_machine = &self.state.e_machine;
        e_machine.sensors.have_been_read(shared, e_machine.instant)
    }

    /// Hands a native function to the driver thread of its process.
    fn start_native(&mut self, program: ProgramId, driver: DriverId, then: u16) -> Activity {
        let row = self.machine.system().drivers.at(driver.index());
        let thread = self.machine.system().processes.at(row.process.index()).driver_thread;
        let state = self.state.threads.at_mut(thread.index());
        let waiting = state.be_busy();
        if waiting {
            self.machine.result(thread, work(row));
        }
        Activity::Await { program, driver, thread, then, until: Instant::NEVER, fetched: waiting }
    }

    /// The driver thread gets the processor; its budget counts from now.
    #[inline(never)]
    pub(crate) fn wait_for_driver(&mut self) {
        let now = self.machine.now();
        if let Activity::Await { driver, until, .. } = &mut self.state.e_machine.activity
            && *until == Instant::NEVER
        {
            *until = now.after(self.machine.system().drivers.at(driver.index()).budget());
            let until = *until;
            self.arm_towards(until, now);
        }
        self.state.since = now.moment();
    }

    /// A driver thread has finished its function, or asks for its first one.
    pub(crate) fn driver_done(&mut self, verdict: bool) -> Outcome {
        if self.caller_kind() != ThreadKind::Drivers {
            return Err(CallError::WrongCaller);
        }
        let Activity::Await { program, driver, thread, then, until, fetched } = self.state.e_machine.activity
        else {
            return Err(CallError::WrongCaller);
        };
        let row = self.machine.system().drivers.at(driver.index());
        if !fetched {
            self.state.e_machine.activity =
                Activity::Await { program, driver, thread, then, until, fetched: true };
            self.machine.answer(thread, work(row));
            return Ok(Next::Stay);
        }
        self.charge_until_now();
        self.state.threads.at_mut(thread.index()).be_done();
        self.state.e_machine.activity = match row.kind {
            DriverKind::Getter { .. } => Activity::Copy { program, driver, offset: 0, then },
            DriverKind::Guard { .. } => {
                self.state.e_machine.programs.at_mut(program.index()).verdict = verdict;
                Activity::Run { program, address: then }
            }
            _ => Activity::Run { program, address: then },
        };
        Ok(Next::Again)
    }

    /// The alarm went off while a native driver runs: its budget is used up, or the alarm was early. Before
    /// the driver begins, no instant is due.
    pub(crate) fn check_budget(&mut self, driver: DriverId, until: Instant, now: Instant) {
        if until.is_due(now) {
            self.trace_exhaustion(driver, until, now);
            self.fault(Fault { kind: FaultKind::Budget, address: 0, instruction: 0 });
        } else {
            self.arm_towards(until, now);
        }
    }

    /// If `thread` runs a driver, skips that driver.
    pub(crate) fn give_up_driver(&mut self, thread: ThreadId) {
        let Activity::Await { program, driver, thread: busy, then, .. } = self.state.e_machine.activity
        else {
            return;
        };
        if thread == busy {
            self.state.threads.at_mut(thread.index()).end_job();
            self.state.e_machine.activity = Activity::Run { program, address: then };
            self.leave_out(program, self.machine.system().drivers.at(driver.index()));
        }
    }

    /// Skips a driver: its target keeps the old value, and a guard says no.
    pub(crate) fn leave_out(&mut self, program: ProgramId, row: &Driver) {
        if let DriverKind::Guard { .. } = row.kind {
            self.state.e_machine.programs.at_mut(program.index()).verdict = false;
        }
        self.trace(Record::Skip { program, instant: self.state.e_machine.instant });
    }

    /// Whether the driver's process, its task or its driver thread has been stopped.
    fn is_out_of_order(&self, row: &Driver) -> bool {
        let stopped = |thread: ThreadId| {
            thread.is_some() && self.state.threads.at(thread.index()).phase() == Phase::Stopped
        };
        self.state.processes.at(row.process.index()).stopped || stopped(row.task)
    }
}

/// What a driver thread is told: the function's number and the address of its value.
fn work(row: &Driver) -> [u32; 2] {
    match row.kind {
        DriverKind::Copy | DriverKind::Input | DriverKind::Ahead { .. } | DriverKind::Arrival => [0, 0],
        DriverKind::Getter { function, .. } | DriverKind::Guard { function, .. } => {
            [function.into(), row.from]
        }
        DriverKind::Setter { function, .. } => [function.into(), row.to],
    }
}
