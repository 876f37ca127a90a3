//! The rows of drivers and of programs.

use beryl_abi::{ProcessId, SlotId, ThreadId};
use beryl_kernel::{Driver, DriverKind, Program, ProgramSlot, Rank};

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
        Drives::Publish | Drives::Constant => DriverKind::Copy,
        Drives::Input => DriverKind::Input,
        Drives::Ahead { by } => DriverKind::Ahead { by },
        Drives::Arrival => DriverKind::Arrival,
        Drives::Fetch { writer, link } => {
            DriverKind::Fetch { writer: thread(writer), link: narrow(link, u16::MAX) }
        }
        Drives::Feed { link } => DriverKind::Feed { link: narrow(link, u16::MAX) },
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
    let address = |cell| project.places.address(&project.assembly.cells, cell);
    Driver {
        kind,
        process: ProcessId(narrow(row.process, u8::MAX)),
        task: row.task.map_or(ThreadId::NONE, thread),
        from: address(row.from),
        to: address(row.to),
        length: row.length,
        ..Driver::NONE
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
