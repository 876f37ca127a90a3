//! The rows of threads, of their processes and of the bands in which they stand.

use beryl_abi::{BandId, Duration, ProcessId, ProgramId, Range, ThreadId};
use beryl_kernel::{Band, OnFault, Place, Policy, Process, Rank, Thread, ThreadKind};

use super::{Row, narrow, thread};
use crate::assembly::{self, Assembly, Role};
use crate::project::Project;

pub(super) fn threads(project: &Project) -> Vec<Row<Thread>> {
    let rows = project.assembly.threads.iter().enumerate();
    rows.map(|(index, row)| Row::new(&row.name, of_thread(project, index, row))).collect()
}

fn of_thread(project: &Project, index: usize, row: &assembly::Thread) -> Thread {
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
    Thread {
        kind,
        process: ProcessId(narrow(row.process, u8::MAX)),
        band: BandId(narrow(row.band, u8::MAX)),
        place: place(&project.assembly, row),
        rank: rank(&project.assembly, row),
        level: row.level,
        highest_ceiling: row.highest_ceiling,
        catch_up,
        period,
        offset,
        deadline: row.role.deadline().unwrap_or(Duration::FOREVER),
        worst: row.worst,
        stack: project.places.stacks[index],
        words: project.places.words(index),
        on_completion: on_completion(project, index),
    }
}

fn rank(assembly: &Assembly, row: &assembly::Thread) -> Rank {
    let is_dynamic = !matches!(assembly.bands[row.band].policy, assembly::Policy::Fixed);
    match is_dynamic && !matches!(row.role, Role::Drivers) {
        true => Rank::dynamic(row.rank),
        false => Rank::fixed(row.rank),
    }
}

fn place(assembly: &Assembly, row: &assembly::Thread) -> Place {
    let program = |number: usize| ProgramId(narrow(number, u8::MAX));
    match assembly.bands[row.band].policy {
        // Driver threads run above all bands.
        _ if matches!(row.role, Role::Drivers) => Place::fixed(0),
        assembly::Policy::Dynamic { .. } => {
            let slot = assembly.offered_to(row.band);
            match slot.and_then(|slot| assembly.module_of(slot)) {
                Some(module) => Place::Offered { slot: row.place, program: program(module) },
                None => Place::Dynamic { slot: row.place },
            }
        }
        assembly::Policy::Fixed => Place::Fixed { priority: row.place, least: row.least(), most: row.most() },
        assembly::Policy::Code { program: number, .. } => Place::Coded { program: program(number) },
    }
}

/// The program that the completions of a thread's jobs enter, and where.
fn on_completion(project: &Project, thread: usize) -> Option<(ProgramId, u16)> {
    project.programs.iter().enumerate().find_map(|(program, row)| {
        let (_, address) = row.completions.iter().find(|(own, _)| *own == thread)?;
        Some((ProgramId(narrow(program, u8::MAX)), *address))
    })
}

pub(super) fn processes(project: &Project) -> Vec<Row<Process>> {
    let places = project.places.memories.iter().zip(&project.places.journals);
    let rows = project.assembly.processes.iter().zip(places);
    let row = |(row, (memories, journal)): (&assembly::Process, (&Vec<Range>, &_))| {
        let mut memory = [Range::EMPTY; Process::RANGES];
        memory.iter_mut().zip(memories).for_each(|(place, range)| *place = *range);
        let on_fault = if row.stops_thread_only { OnFault::StopThread } else { OnFault::StopProcess };
        let driver_thread = row.driver_thread.map_or(ThreadId::NONE, thread);
        Row::new(&row.name, Process { driver_thread, on_fault, memory, journal: *journal })
    };
    rows.map(row).collect()
}

pub(super) fn bands(project: &Project) -> Vec<Row<Band>> {
    let row = |band: &assembly::Band| {
        let policy = match band.policy {
            assembly::Policy::Dynamic { base, leaves } => Policy::Dynamic { base, leaves },
            assembly::Policy::Fixed | assembly::Policy::Code { .. } => Policy::Fixed,
        };
        Row::new(&band.name, Band { policy })
    };
    project.assembly.bands.iter().map(row).collect()
}

/// Up to the last that is somebody's.
pub(super) fn slots(project: &Project) -> Vec<ThreadId> {
    let assembly = &project.assembly;
    let mut slots = Vec::new();
    for (index, row) in assembly.threads.iter().enumerate() {
        let is_dynamic = matches!(assembly.bands[row.band].policy, assembly::Policy::Dynamic { .. });
        if is_dynamic && row.role.is_applications() {
            let slot = usize::from(row.place);
            slots.resize(slots.len().max(slot + 1), ThreadId::NONE);
            slots[slot] = thread(index);
        }
    }
    slots
}
