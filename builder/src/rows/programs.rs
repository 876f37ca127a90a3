//! The rows of drivers and of programs.

use beryl_abi::{ProcessId, SlotId, ThreadId};
use beryl_kernel::{Driver, DriverKind, Fed, Program, ProgramSlot, Rank};

use super::{Row, narrow, shared, thread};
use crate::assembly::{self, Assembly, DriverKind as Drives};
use crate::code;
use crate::load::budget;
use crate::project::Project;

pub(super) fn drivers(project: &Project) -> Vec<Row<Driver>> {
    let shared = shared::bits(&project.assembly, &project.programs);
    let rows = project.assembly.drivers.iter().zip(shared);
    rows.map(|(row, shared)| Row::new(&row.name, driver(project, row, shared))).collect()
}

fn driver(project: &Project, row: &assembly::Driver, shared: u32) -> Driver {
    let native = |function: usize| (narrow(function, u8::MAX), budget(project, row.process, function));
    let kind = match row.kind {
        Drives::Publish | Drives::Constant | Drives::Feed { .. } => DriverKind::Copy,
        Drives::Input | Drives::Fetch { .. } => DriverKind::Input,
        Drives::Ahead { by } => DriverKind::Ahead { by },
        Drives::Arrival => DriverKind::Arrival,
        Drives::Getter { function } => {
            let (function, budget) = native(function);
            DriverKind::Getter { function, shared, budget }
        }
        Drives::Setter { function } => {
            let (function, budget) = native(function);
            DriverKind::Setter { function, budget }
        }
        Drives::Guard { function } => {
            let (function, budget) = native(function);
            DriverKind::Guard { function, budget }
        }
    };
    let task = row.task.map_or(ThreadId::NONE, thread);
    // What has a part in a link is never carried out by a short way.
    let other = if part(row) == Fed::Nothing { ThreadId::NONE } else { task };
    let address = |cell| project.places.address(&project.assembly.cells, cell);
    Driver {
        kind,
        process: ProcessId(narrow(row.process, u8::MAX)),
        task,
        others: [other, ThreadId::NONE],
        from: address(row.from),
        to: address(row.to),
        length: row.length,
        ..Driver::NONE
    }
}

/// Which part each driver has in links between tasks; none at all if there are no such links.
pub(super) fn fed(project: &Project) -> Vec<Row<Fed>> {
    let is_fed = project.assembly.links() > 0;
    let rows = project.assembly.drivers.iter().filter(|_| is_fed);
    rows.map(|row| Row::new(&row.name, part(row))).collect()
}

fn part(row: &assembly::Driver) -> Fed {
    match row.kind {
        Drives::Fetch { writer, link } => Fed::Fetch { writer: thread(writer), link: narrow(link, u8::MAX) },
        Drives::Feed { link } => Fed::Feed { link: narrow(link, u8::MAX) },
        _ => Fed::Nothing,
    }
}

pub(super) fn programs(project: &Project) -> Vec<Row<Program>> {
    let rows = project.programs.iter().enumerate();
    rows.map(|(index, row)| Row::new(&row.module, program(&project.assembly, index, row))).collect()
}

fn program(assembly: &Assembly, index: usize, row: &code::Program) -> Program {
    let plain = Program { start: row.start, first_trigger: narrow(index, u8::MAX), ..Program::NONE };
    if let Some(band) = row.band {
        return Program {
            first_schedule: narrow(assembly.threads_by_code(band), u8::MAX),
            schedules: row.threads,
            rank: rank_of(assembly, band),
            ..plain
        };
    }
    let handlers = row.handler.map_or(plain.handlers, |safety| [safety, Program::NO_HANDLER]);
    let slot = assembly.modules.get(index).and_then(|module| module.slot);
    let plain =
        Program { handlers, slot: slot.map_or(plain.slot, |slot| SlotId(narrow(slot, u8::MAX))), ..plain };
    // What the threads of a slot's programs need: places of their own, and the rank of what they take over.
    let band = slot.and_then(|slot| assembly.objects.slots.get(slot)?.offers);
    match band.zip(slot.and_then(|slot| assembly.thread_places(slot))) {
        Some((band, (first, count))) => Program {
            first_schedule: narrow(first, u8::MAX),
            schedules: narrow(count, u8::MAX),
            rank: rank_of(assembly, band),
            ..plain
        },
        None => plain,
    }
}

pub(super) fn slots(project: &Project) -> Vec<Row<ProgramSlot>> {
    let row = |slot: &assembly::objects::Slot| {
        let [base, size] = [slot.base, slot.size].map(|bytes| u16::try_from(bytes).unwrap_or(u16::MAX));
        Row::new(&slot.name, ProgramSlot { processes: slot.processes, base, size, ..ProgramSlot::NONE })
    };
    project.assembly.objects.slots.iter().map(row).collect()
}

/// The rank of a band that isn't a fixed one.
fn rank_of(assembly: &Assembly, band: usize) -> Rank {
    let first = assembly.threads.iter().find(|thread| thread.band == band);
    Rank::dynamic(first.map_or(31, |thread| thread.rank))
}
