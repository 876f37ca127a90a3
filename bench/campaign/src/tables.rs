//! Tables: a project's rows in this program, as the builder writes them into a simulation program. No test compares the two.

use anyhow::{Context, Result, ensure};
use beryl_abi::{BandId, Duration, Line, ProcessId, Range, ThreadId};
use beryl_builder::assembly::objects::{Count, words};
use beryl_builder::assembly::{self, Assembly, DriverKind as Drives, Role};
use beryl_builder::{Project, proof};
use beryl_kernel::{
    Band, Driver, DriverKind, Endpoint, Interrupt, OnFault, Place, Policy, Process, Program, Rank, Semaphore,
    SemaphoreKind, System, Table, Thread, ThreadKind, sizes,
};

sizes! {
    /// Room for whatever is drawn.
    pub struct Room {
        threads: 32, processes: 4, bands: 8, slots: 64, drivers: 128, programs: 4, triggers: 8,
        semaphores: 4, conditions: 1, mailboxes: 1, endpoints: 2, notifications: 1, interrupts: 4,
        state_messages: 1, schedules: 4
    }
}

/// The tables of a project. They stay for as long as this program runs.
pub fn tables(project: &Project) -> Result<&'static System<Room>> {
    let rows = Rows { project, assembly: &project.assembly };
    let mut system = System::<Room>::empty();
    fill(&mut system.threads, rows.threads()?)?;
    fill(&mut system.processes, rows.processes()?)?;
    fill(&mut system.bands, rows.assembly.bands.iter().map(band).collect())?;
    for (index, thread) in rows.assembly.threads.iter().enumerate() {
        let is_dynamic = matches!(rows.assembly.bands[thread.band].policy, assembly::Policy::Dynamic { .. });
        if is_dynamic && thread.role.is_applications() {
            let slot = system.slots.get_mut(usize::from(thread.place)).context("too many slots")?;
            *slot = ThreadId(u8::try_from(index)?);
        }
    }
    fill(&mut system.drivers, rows.drivers()?)?;
    fill(&mut system.programs, rows.programs()?)?;
    fill(&mut system.semaphores, rows.semaphores())?;
    fill(&mut system.endpoints, rows.endpoints()?)?;
    fill(&mut system.interrupts, rows.interrupts()?)?;
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
            _ => (Duration::FOREVER, Duration::ZERO, 0),
        };
        let policy = self.assembly.bands[row.band].policy;
        let is_driver = matches!(row.role, Role::Drivers);
        let is_ranked = !matches!(policy, assembly::Policy::Fixed) && !is_driver;
        let place = match policy {
            _ if is_driver => Place::Fixed { priority: 0 },
            assembly::Policy::Dynamic { base, leaves } => Place::Dynamic { slot: row.place, base, leaves },
            assembly::Policy::Fixed => Place::Fixed { priority: row.place },
            assembly::Policy::Code { program, .. } => {
                Place::Coded { program: beryl_abi::ProgramId(u8::try_from(program)?) }
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
            on_completion: None,
        })
    }

    fn processes(&self) -> Result<Vec<Process>> {
        let rows = self.assembly.processes.iter().zip(&self.project.places.memories);
        let row = |(row, memories): (&assembly::Process, &Vec<Range>)| {
            let mut memory = [Range::EMPTY; Process::RANGES];
            memory.iter_mut().zip(memories).for_each(|(place, range)| *place = *range);
            let driver_thread = row.driver_thread.map(u8::try_from).transpose()?;
            let on_fault = if row.stops_thread_only { OnFault::StopThread } else { OnFault::StopProcess };
            Ok(Process { driver_thread: driver_thread.map_or(ThreadId::NONE, ThreadId), on_fault, memory })
        };
        rows.map(row).collect()
    }

    fn drivers(&self) -> Result<Vec<Driver>> {
        let shared = beryl_builder::emit::shared::bits(self.assembly);
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
        let Some(band) = row.band else { return Ok(plain) };
        let first = self.assembly.threads.iter().find(|thread| thread.band == band);
        Ok(Program {
            first_trigger: 0,
            conditions: row.conditions.clone().leak(),
            first_schedule: u8::try_from(self.assembly.threads_by_code(band))?,
            schedules: row.threads,
            rank: Rank::dynamic(first.map_or(31, |thread| thread.rank)),
            ..plain
        })
    }

    fn semaphores(&self) -> Vec<Semaphore> {
        let rows = self.assembly.objects.semaphores.iter();
        let kind = |count: &Count| match count {
            Count::Counting { initial, most } => SemaphoreKind::Counting { initial: *initial, most: *most },
            Count::Binary { word, .. } => SemaphoreKind::Binary {
                word: word.map_or(0, |word| self.project.places.address(&self.assembly.cells, word)),
            },
        };
        rows.map(|row| Semaphore { processes: row.processes, kind: kind(&row.count) }).collect()
    }

    fn endpoints(&self) -> Result<Vec<Endpoint>> {
        let rows = self.assembly.objects.endpoints.iter();
        let row = |row: &assembly::objects::Endpoint| {
            Ok(Endpoint {
                callers: row.callers,
                server: ThreadId(u8::try_from(row.server)?),
                request: u8::try_from(words(&row.request))?,
                reply: u8::try_from(words(&row.reply))?,
            })
        };
        rows.map(row).collect()
    }

    fn interrupts(&self) -> Result<Vec<Interrupt>> {
        let rows = self.assembly.objects.interrupts.iter();
        let row = |row: &assembly::objects::Interrupt| {
            let thread = row.thread.map(u8::try_from).transpose()?.map_or(ThreadId::NONE, ThreadId);
            Ok(Interrupt { line: Line(row.line), thread, bits: row.bits })
        };
        rows.map(row).collect()
    }
}
