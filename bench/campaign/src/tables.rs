//! Tables: a project's rows in this program, as the builder writes them into a simulation program.

#[cfg(test)]
mod as_text;
mod objects;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, ensure};
use beryl_abi::{BandId, Duration, Journal, ProcessId, ProgramId, Range, SlotId, ThreadId};
use beryl_builder::assembly::{self, Assembly, DriverKind as Drives, Role};
use beryl_builder::emit::slots::Asked;
use beryl_builder::{Project, proof};
use beryl_kernel::{
    Band, Driver, DriverKind, Lines, OnFault, Place, Policy, Process, Program, ProgramSlot, Rank, Sizes,
    System, Table, Thread, ThreadKind,
};

use crate::bodies::MOST;
use objects::Objects;

/// Sizes of tables for whatever is drawn.
pub trait Large: Sizes<Threads = [Thread; MOST], Drivers = [Driver; DRIVERS]> {}

impl<S: Sizes<Threads = [Thread; MOST], Drivers = [Driver; DRIVERS]>> Large for S {}

/// The most drivers of a system.
pub const DRIVERS: usize = 128;

/// The tables of a project. They stay for as long as this program runs.
pub fn tables<S: Large>(project: &Project) -> Result<&'static System<S>> {
    let rows = Rows { project, assembly: &project.assembly };
    let mut system = System::<S>::empty();
    fill(&mut system.threads, rows.threads()?)?;
    fill(&mut system.processes, rows.processes()?)?;
    fill(&mut system.bands, rows.assembly.bands.iter().map(band).collect())?;
    for (index, thread) in rows.assembly.threads.iter().enumerate() {
        let is_dynamic = matches!(rows.assembly.bands[thread.band].policy, assembly::Policy::Dynamic { .. });
        if is_dynamic && thread.role.is_applications() {
            let slot =
                system.slots.rows_mut().get_mut(usize::from(thread.place)).context("too many slots")?;
            *slot = ThreadId(u8::try_from(index)?);
        }
    }
    fill(&mut system.drivers, rows.drivers()?)?;
    fill(&mut system.programs, rows.programs()?)?;
    let objects = Objects { project, assembly: rows.assembly };
    fill(&mut system.semaphores, objects.semaphores())?;
    fill(&mut system.conditions, objects.conditions())?;
    fill(&mut system.mailboxes, objects.mailboxes()?)?;
    fill(&mut system.endpoints, objects.endpoints()?)?;
    fill(&mut system.event_groups, objects.event_groups())?;
    fill(&mut system.notifications, objects.notifications()?)?;
    fill(&mut system.interrupts, objects.interrupts()?)?;
    fill(&mut system.state_messages, objects.state_messages()?)?;
    fill(&mut system.program_slots, rows.program_slots()?)?;
    fill(&mut system.ports, objects.ports()?)?;
    system.lines = Lines::of(system.interrupts.rows());
    system.drivers = Driver::noted(system.drivers, &system.threads);
    Ok(Box::leak(Box::new(system)))
}

fn fill<Row>(table: &mut impl Table<Row>, rows: Vec<Row>) -> Result<()> {
    ensure!(rows.len() <= table.rows().len(), "{} rows don't fit into a table", rows.len());
    table.rows_mut().iter_mut().zip(rows).for_each(|(place, row)| *place = row);
    Ok(())
}

fn band(band: &assembly::Band) -> Band {
    let policy = match band.policy {
        assembly::Policy::Dynamic { base, leaves } => Policy::Dynamic { base, leaves },
        assembly::Policy::Fixed | assembly::Policy::Code { .. } => Policy::Fixed,
    };
    Band { policy }
}

struct Rows<'a> {
    project: &'a Project,
    assembly: &'a Assembly,
}

impl Rows<'_> {
    fn threads(&self) -> Result<Vec<Thread>> {
        self.assembly.threads.iter().enumerate().map(|(index, row)| self.thread(index, row)).collect()
    }

    fn thread(&self, index: usize, row: &assembly::Thread) -> Result<Thread> {
        let kind = match row.role {
            Role::Task(_) => ThreadKind::Task,
            Role::Free { .. } => ThreadKind::Free,
            Role::Periodic(_) => ThreadKind::Periodic,
            Role::Drivers => ThreadKind::Drivers,
            Role::Idle => ThreadKind::Idle,
        };
        let (period, offset, catch_up) = match &row.role {
            Role::Periodic(times) => (times.period, times.offset, times.catch_up),
            // How far what is owed to a task lies apart.
            Role::Task(task) if task.reaction.catch_up.is_some() => (task.separation, Duration::ZERO, 0),
            _ => (Duration::FOREVER, Duration::ZERO, 0),
        };
        let policy = self.assembly.bands[row.band].policy;
        let is_driver = matches!(row.role, Role::Drivers);
        let is_ranked = !matches!(policy, assembly::Policy::Fixed) && !is_driver;
        let place = match policy {
            _ if is_driver => Place::fixed(0),
            assembly::Policy::Dynamic { .. } => Place::Dynamic { slot: row.place },
            assembly::Policy::Fixed => {
                Place::Fixed { priority: row.place, least: row.least(), most: row.most() }
            }
            assembly::Policy::Code { program, .. } => {
                Place::Coded { program: ProgramId(u8::try_from(program)?) }
            }
        };
        Ok(Thread {
            kind,
            process: ProcessId(u8::try_from(row.process)?),
            band: BandId(u8::try_from(row.band)?),
            place,
            rank: if is_ranked { Rank::dynamic(row.rank) } else { Rank::fixed(row.rank) },
            level: row.level,
            highest_ceiling: row.highest_ceiling,
            catch_up,
            period,
            offset,
            deadline: row.role.deadline().unwrap_or(Duration::FOREVER),
            worst: row.worst,
            stack: self.project.places.stacks[index],
            words: self.project.places.words(index),
            on_completion: self.on_completion(index)?,
        })
    }

    fn on_completion(&self, thread: usize) -> Result<Option<(ProgramId, u16)>> {
        for (program, row) in self.project.programs.iter().enumerate() {
            if let Some((_, address)) = row.completions.iter().find(|(own, _)| *own == thread) {
                return Ok(Some((ProgramId(u8::try_from(program)?), *address)));
            }
        }
        Ok(None)
    }

    fn processes(&self) -> Result<Vec<Process>> {
        let rows = self.assembly.processes.iter().zip(&self.project.places.memories);
        let row = |(row, memories): (&assembly::Process, &Vec<Range>)| {
            let mut memory = [Range::EMPTY; Process::RANGES];
            memory.iter_mut().zip(memories).for_each(|(place, range)| *place = *range);
            let driver_thread = row.driver_thread.map(u8::try_from).transpose()?;
            let on_fault = if row.stops_thread_only { OnFault::StopThread } else { OnFault::StopProcess };
            Ok(Process {
                driver_thread: driver_thread.map_or(ThreadId::NONE, ThreadId),
                on_fault,
                memory,
                journal: Journal::NONE,
            })
        };
        rows.map(row).collect()
    }

    fn drivers(&self) -> Result<Vec<Driver>> {
        let shared = beryl_builder::emit::shared::bits(self.assembly, &self.project.programs);
        let rows = self.assembly.drivers.iter().zip(shared);
        rows.map(|(row, shared)| self.driver(row, shared)).collect()
    }

    fn driver(&self, row: &assembly::Driver, shared: u32) -> Result<Driver> {
        let native = |number: usize| -> Result<_> {
            Ok((u8::try_from(number)?, proof::budget(self.project, row.process, number)))
        };
        let kind = match row.kind {
            Drives::Publish | Drives::Constant => DriverKind::Copy,
            Drives::Input => DriverKind::Input,
            Drives::Getter { function } => {
                native(function).map(|(function, budget)| DriverKind::Getter { function, shared, budget })?
            }
            Drives::Setter { function } => {
                native(function).map(|(function, budget)| DriverKind::Setter { function, budget })?
            }
            Drives::Guard { function } => {
                native(function).map(|(function, budget)| DriverKind::Guard { function, budget })?
            }
        };
        let (places, cells) = (&self.project.places, &self.assembly.cells);
        Ok(Driver {
            kind,
            process: ProcessId(u8::try_from(row.process)?),
            task: row.task.map(u8::try_from).transpose()?.map_or(ThreadId::NONE, ThreadId),
            from: places.address(cells, row.from),
            to: places.address(cells, row.to),
            length: row.length,
            ..Driver::NONE
        })
    }

    fn programs(&self) -> Result<Vec<Program>> {
        self.project.programs.iter().enumerate().map(|(index, row)| self.program(index, row)).collect()
    }

    fn program(&self, index: usize, row: &beryl_builder::code::Program) -> Result<Program> {
        ensure!(row.handler.is_none(), "programs with handlers aren't drawn");
        let plain = Program {
            code: row.code.clone().leak(),
            durations: row.durations.clone().leak(),
            start: row.start,
            first_trigger: u8::try_from(index)?,
            ..Program::NONE
        };
        let plain = Program { conditions: row.conditions.clone().leak(), ..plain };
        let Some(band) = row.band else {
            let slot = self.assembly.modules.get(index).and_then(|module| module.slot);
            let slot = slot.map(u8::try_from).transpose()?.map_or(plain.slot, SlotId);
            return Ok(Program { slot, ..plain });
        };
        let first = self.assembly.threads.iter().find(|thread| thread.band == band);
        Ok(Program {
            first_schedule: u8::try_from(self.assembly.threads_by_code(band))?,
            schedules: row.threads,
            rank: Rank::dynamic(first.map_or(31, |thread| thread.rank)),
            ..plain
        })
    }

    fn program_slots(&self) -> Result<Vec<ProgramSlot>> {
        let row = |(index, slot): (usize, &assembly::objects::Slot)| {
            let asked = Box::leak(Box::new(Asked::of(self.assembly, &self.project.programs, index)));
            let slot = Box::leak(Box::new(slot.clone()));
            Ok(ProgramSlot {
                processes: slot.processes,
                base: u16::try_from(slot.base)?,
                size: u16::try_from(slot.size)?,
                terms: asked.terms(slot),
            })
        };
        self.assembly.objects.slots.iter().enumerate().map(row).collect()
    }
}
