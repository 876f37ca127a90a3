//! `tables.rs`: the kernel's constant tables, the same for the board and for the simulation.

use std::fmt::Write as _;

use beryl_abi::{Duration, Journal, Range, ThreadId};
use beryl_syscode::{Condition, Listing};

use crate::assembly::limits::rows_for;
use crate::assembly::objects::Trace;
use crate::assembly::{Assembly, Driver, DriverKind, Places, Policy, Process, Role, Thread};
use crate::code::Program;
use crate::emit::File;
use crate::emit::object_rows::{ObjectTable, object_tables};
use crate::emit::{shared, slots};
use crate::{Project, proof};

/// The tables of a system, as Rust source.
#[must_use]
pub fn tables(project: &Project) -> File {
    let Project { assembly, programs, places, .. } = project;
    let tick = project.tick();
    let mut text = format!(
        "//! The kernel's tables for the system `{}`. Written by the builder; changes are lost.\n\
         #![allow(missing_docs, clippy::all)]\n\n\
         #[allow(unused_imports)]\nuse beryl_abi::{{BandId, Duration, Journal, Line, ProcessId, ProgramId, Range, SlotId, ThreadId}};\n\
         #[allow(unused_imports)]\nuse beryl_kernel::{{\n    \
         Band, Condition, Driver, DriverKind, Endpoint, EventGroup, Interrupt, Lines, Mailbox, Notification, OnFault, Place, Policy, Port, Rank,\n    \
         Process, Program, ProgramSlot, Semaphore, SemaphoreKind, StateMessage, System, Thread, ThreadKind,\n}};\n\
         #[allow(unused_imports)]\nuse beryl_kernel::row::{{Costs, PortId, Rights, Terms, Until, time}};\n\n",
        assembly.name
    );
    let objects = object_tables(assembly, places);
    let sizes = Sizes::of(assembly);
    text += &sizes.text(&objects, programs.iter().any(goes_round));
    text += "\n#[rustfmt::skip]\npub static SYSTEM: System<Sizes> = {\nlet mut system: System<Sizes> = System {\n";
    let threads = Threads { assembly, programs, places };
    let threads = assembly.threads.iter().enumerate().map(|(index, row)| threads.row(index, row));
    table(&mut text, "threads", sizes.threads, threads, "Thread::NONE");
    let processes = assembly.processes.iter().zip(&places.memories).zip(&places.journals);
    let processes = processes.map(|((row, memory), journal)| process(row, memory, *journal));
    table(&mut text, "processes", sizes.processes, processes, "Process::NONE");
    table(&mut text, "bands", sizes.bands, assembly.bands.iter().map(band), "Band { policy: Policy::Fixed }");
    table(&mut text, "slots", sizes.slots, slots(assembly, sizes.slots), "ThreadId::NONE");
    let shared = shared::bits(assembly, programs);
    let drivers = assembly.drivers.iter().zip(shared).map(|(row, shared)| driver(project, row, shared));
    table(&mut text, "drivers", sizes.drivers, drivers, "Driver::NONE");
    let rows = programs.iter().enumerate().map(|(index, row)| program(assembly, index, row));
    table(&mut text, "programs", sizes.programs, rows, "Program::NONE");
    for ObjectTable { name, filler, rows } in objects {
        table(&mut text, name, rows_for(rows.len()), rows.into_iter(), filler);
    }
    let slots = slots::rows(assembly, programs);
    table(&mut text, "program_slots", rows_for(slots.len()), slots.into_iter(), "ProgramSlot::NONE");
    let ports = assembly.ports.iter().map(|row| port(assembly, row, places));
    table(&mut text, "ports", rows_for(assembly.ports.len()), ports, "Port::NONE");
    text += "lines: Lines::NONE,\n};\nsystem.lines = Lines::of(&system.interrupts);\nsystem.drivers = Driver::noted(system.drivers, &system.threads);\nsystem\n};\n";
    for (index, row) in programs.iter().enumerate() {
        text += &code(assembly, index, row, tick);
    }
    File::new("tables.rs", text)
}

/// Lengths of the tables. Hot ones are powers of two, so that an index is masked, not compared.
pub(crate) struct Sizes {
    pub(crate) threads: usize,
    pub(crate) processes: usize,
    pub(crate) bands: usize,
    pub(crate) slots: usize,
    pub(crate) drivers: usize,
    pub(crate) programs: usize,
    pub(crate) triggers: usize,
    pub(crate) schedules: usize,
    pub(crate) event_triggers: usize,
    pub(crate) ports: usize,
    pub(crate) slots_of_programs: usize,
    pub(crate) rooms: u32,
    pub(crate) check_words: u32,
    pub(crate) trace: Option<Trace>,
    pub(crate) certified_only: bool,
    pub(crate) handlers: bool,
    pub(crate) ceilings: bool,
    pub(crate) has_periodic: bool,
    /// Whether some thread has a range of priorities.
    pub(crate) has_ranges: bool,
    /// How many events the largest journal has room for.
    pub(crate) journal: u32,
}

impl Sizes {
    pub(crate) fn of(assembly: &Assembly) -> Sizes {
        let slots = assembly.bands.iter().filter_map(|band| match band.policy {
            Policy::Dynamic { base, leaves } => Some(usize::from(base) + usize::from(leaves)),
            Policy::Fixed | Policy::Code { .. } => None,
        });
        let programs = assembly.programs().max(1).next_power_of_two();
        let schedules = assembly.schedules();
        Sizes {
            threads: rows_for(assembly.threads.len()),
            processes: rows_for(assembly.processes.len()),
            bands: assembly.bands.len().next_power_of_two(),
            slots: slots.max().unwrap_or(2).next_power_of_two(),
            drivers: assembly.drivers.len().max(1),
            programs,
            triggers: (programs + schedules).max(2).next_power_of_two(),
            schedules,
            event_triggers: assembly.event_triggers(),
            ports: rows_for(assembly.ports.len()),
            slots_of_programs: rows_for(assembly.objects.slots.len()),
            rooms: assembly.objects.rooms(),
            check_words: assembly.objects.check_words(),
            trace: assembly.objects.trace,
            certified_only: assembly.objects.certified_only(),
            handlers: assembly.has_reactions(),
            ceilings: assembly.threads.iter().any(|thread| thread.highest_ceiling > 0),
            has_periodic: assembly.threads.iter().any(|thread| matches!(thread.role, Role::Periodic(_))),
            has_ranges: assembly.threads.iter().any(|thread| thread.priorities.is_some()),
            journal: assembly.largest_journal(),
        }
    }

    fn text(&self, objects: &[ObjectTable], has_rounds: bool) -> String {
        let Sizes { threads, processes, bands, slots, drivers, programs, triggers, schedules, .. } = self;
        let rooms = match self.rooms {
            0 => String::new(),
            rooms => format!(
                "        program_slots: {}, rooms: {rooms}, check_words: {}{},\n",
                self.slots_of_programs,
                self.check_words,
                if self.certified_only { ", certified_only: true" } else { "" }
            ),
        };
        let schedules = match schedules {
            0 => String::new(),
            count => format!("        schedules: {count},\n"),
        };
        let event_triggers = match self.event_triggers {
            0 => String::new(),
            count => {
                format!(
                    "        trigger_places: {programs}, event_triggers: {count}, ports: {},\n",
                    self.ports
                )
            }
        };
        let notes = self.trace.map_or(String::new(), |trace| {
            format!(
                "        notes: {}, reader: {}, told: {:#x},\n",
                trace.notes, trace.reader, trace.classes.0
            )
        });
        let handlers = if self.handlers { "        handlers: true,\n" } else { "" };
        let rounds = if has_rounds { "        rounds: true,\n" } else { "" };
        let has_objects = objects.iter().any(|table| !table.rows.is_empty());
        let shared = if has_objects || self.ceilings { "" } else { "        shared: false,\n" };
        let ceilings = if self.ceilings { "" } else { "        ceilings: false,\n" };
        let periodic = if self.has_periodic { "" } else { "        periodic: false,\n" };
        let ranged = if self.has_ranges { "" } else { "        ranged: false,\n" };
        let journal = match self.journal {
            0 => String::new(),
            places => format!("        journal: {places},\n"),
        };
        // Without any, nothing of the kernel asks for event groups.
        let are_told = |table: &&ObjectTable| table.name != "event_groups" || !table.rows.is_empty();
        let objects = objects.iter().filter(are_told);
        let objects =
            objects.map(|table| format!("        {}: {},\n", table.name, rows_for(table.rows.len())));
        format!(
            "beryl_kernel::sizes! {{\n    pub struct Sizes {{\n        threads: {threads}, processes: {processes}, \
             bands: {bands}, slots: {slots},\n        drivers: {drivers}, programs: {programs}, \
             triggers: {triggers},\n{}{schedules}{rooms}{event_triggers}{notes}{handlers}{rounds}{shared}{ceilings}{periodic}{ranged}{journal}    }}\n}}\n",
            objects.collect::<String>()
        )
    }
}

fn table(text: &mut String, name: &str, length: usize, rows: impl Iterator<Item = String>, filler: &str) {
    *text += &format!("    {name}: [\n");
    let rows: Vec<_> = rows.collect();
    for row in rows.iter().map(String::as_str).chain(std::iter::repeat_n(filler, length - rows.len())) {
        *text += &format!("        {row},\n");
    }
    *text += "    ],\n";
}

struct Threads<'a> {
    assembly: &'a Assembly,
    programs: &'a [Program],
    places: &'a Places,
}

impl Threads<'_> {
    fn row(&self, index: usize, thread: &Thread) -> String {
        let kind = match &thread.role {
            Role::Task(_) => "Task",
            Role::Free { .. } => "Free",
            Role::Periodic(_) => "Periodic",
            Role::Drivers => "Drivers",
            Role::Idle => "Idle",
        };
        let (period, offset, catch_up) = match &thread.role {
            Role::Periodic(times) => (times.period, times.offset, times.catch_up),
            // How far what is owed to a task lies apart.
            Role::Task(task) if task.reaction.catch_up.is_some() => (task.separation, Duration::ZERO, 0),
            _ => (Duration::FOREVER, Duration::ZERO, 0),
        };
        let Range { address, length } = self.places.stacks[index];
        format!(
            "/* {index} {} */ Thread {{ kind: ThreadKind::{kind}, process: ProcessId({}), band: BandId({}), place: {}, \
             rank: {}, level: {}, highest_ceiling: {}, catch_up: {catch_up}, period: {}, offset: {}, deadline: {}, worst: {}, \
             stack: {}, words: {:#010x}, on_completion: {} }}",
            thread.name,
            thread.process,
            thread.band,
            self.place(thread),
            self.rank(thread),
            thread.level,
            thread.highest_ceiling,
            duration(period),
            duration(offset),
            duration(thread.role.deadline().unwrap_or(Duration::FOREVER)),
            duration(thread.worst),
            range(Range::new(address, length)),
            self.places.words(index),
            self.completion(index),
        )
    }

    fn rank(&self, thread: &Thread) -> String {
        let is_dynamic = !matches!(self.assembly.bands[thread.band].policy, Policy::Fixed);
        match is_dynamic && !matches!(thread.role, Role::Drivers) {
            true => format!("Rank::dynamic({})", thread.rank),
            false => format!("Rank::fixed({})", thread.rank),
        }
    }

    fn place(&self, thread: &Thread) -> String {
        match self.assembly.bands[thread.band].policy {
            // Driver threads run above all bands.
            _ if matches!(thread.role, Role::Drivers) => "Place::fixed(0)".to_owned(),
            Policy::Dynamic { .. } => {
                let slot = self.assembly.offered_to(thread.band);
                match slot.and_then(|slot| self.assembly.module_of(slot)) {
                    Some(module) => {
                        format!("Place::Offered {{ slot: {}, program: ProgramId({module}) }}", thread.place)
                    }
                    None => {
                        format!("Place::Dynamic {{ slot: {} }}", thread.place)
                    }
                }
            }
            Policy::Fixed => match thread.priorities {
                None => format!("Place::fixed({})", thread.place),
                Some([least, most]) => {
                    format!("Place::Fixed {{ priority: {}, least: {least}, most: {most} }}", thread.place)
                }
            },
            Policy::Code { program, .. } => format!("Place::Coded {{ program: ProgramId({program}) }}"),
        }
    }

    fn completion(&self, thread: usize) -> String {
        let entry = self.programs.iter().enumerate().find_map(|(program, row)| {
            let (_, address) = row.completions.iter().find(|(own, _)| *own == thread)?;
            Some(format!("Some((ProgramId({program}), {address}))"))
        });
        entry.unwrap_or_else(|| "None".to_owned())
    }
}

fn process(process: &Process, memory: &[Range], journal: Journal) -> String {
    let driver_thread = match process.driver_thread {
        Some(thread) => format!("ThreadId({thread})"),
        None => "ThreadId::NONE".to_owned(),
    };
    let on_fault = if process.stops_thread_only { "StopThread" } else { "StopProcess" };
    let memory = memory.iter().copied().map(range).chain(std::iter::repeat("Range::EMPTY".to_owned()));
    let memory: Vec<_> = memory.take(RANGES).collect();
    let journal = match journal {
        Journal::NONE => "Journal::NONE".to_owned(),
        Journal { address, places } => format!("Journal {{ address: {address:#010x}, places: {places} }}"),
    };
    format!(
        "/* {} */ Process {{ driver_thread: {driver_thread}, on_fault: OnFault::{on_fault}, memory: [{}], journal: {journal} }}",
        process.name,
        memory.join(", ")
    )
}

/// Ranges of a process that its threads may hand to the kernel; see `Process::RANGES` there.
const RANGES: usize = 3;

fn range(range: Range) -> String {
    match range.length {
        0 => "Range::EMPTY".to_owned(),
        length => format!("Range::new({:#010x}, {length})", range.address),
    }
}

fn band(band: &crate::assembly::Band) -> String {
    let policy = match band.policy {
        Policy::Dynamic { base, leaves } => format!("Dynamic {{ base: {base}, leaves: {leaves} }}"),
        Policy::Fixed => "Fixed".to_owned(),
        Policy::Code { .. } => "Fixed".to_owned(),
    };
    format!("/* {} */ Band {{ policy: Policy::{policy} }}", band.name)
}

/// Which thread has which slot of the dynamic bands.
fn slots(assembly: &Assembly, length: usize) -> impl Iterator<Item = String> {
    let mut slots = vec![ThreadId::NONE; length];
    for (index, thread) in assembly.threads.iter().enumerate() {
        let dynamic = matches!(assembly.bands[thread.band].policy, Policy::Dynamic { .. });
        if let (true, true, Ok(index)) = (dynamic, thread.role.is_applications(), u8::try_from(index)) {
            slots[usize::from(thread.place)] = ThreadId(index);
        }
    }
    slots.into_iter().map(|thread| match thread.is_some() {
        true => format!("ThreadId({})", thread.0),
        false => "ThreadId::NONE".to_owned(),
    })
}

fn driver(project: &Project, driver: &Driver, shared: u32) -> String {
    let (assembly, places) = (&project.assembly, &project.places);
    let budget = |function: usize| duration(proof::budget(project, driver.process, function));
    let kind = match driver.kind {
        DriverKind::Publish | DriverKind::Constant => "Copy".to_owned(),
        DriverKind::Input => "Input".to_owned(),
        DriverKind::Getter { function } => {
            format!("Getter {{ function: {function}, shared: {shared:#x}, budget: {} }}", budget(function))
        }
        DriverKind::Setter { function } => {
            format!("Setter {{ function: {function}, budget: {} }}", budget(function))
        }
        DriverKind::Guard { function } => {
            format!("Guard {{ function: {function}, budget: {} }}", budget(function))
        }
    };
    let task = driver.task.map_or("ThreadId::NONE".to_owned(), |task| format!("ThreadId({task})"));
    format!(
        "/* {} */ Driver {{ kind: DriverKind::{kind}, process: ProcessId({}), task: {task}, from: {:#010x}, to: {:#010x}, \
         length: {}, ..Driver::NONE }}",
        driver.name,
        driver.process,
        places.address(&assembly.cells, driver.from),
        places.address(&assembly.cells, driver.to),
        driver.length,
    )
}

fn port(assembly: &Assembly, port: &crate::assembly::Port, places: &Places) -> String {
    let address = places.address(&assembly.cells, port.cell);
    let length = assembly.cells.extent(port.cell, port.cell);
    format!("/* {} */ Port {{ address: {address:#010x}, length: {length} }}", port.name)
}

fn program(assembly: &Assembly, index: usize, program: &Program) -> String {
    let handlers = program.handler.map(|safety| format!("handlers: [{safety}, Program::NO_HANDLER], "));
    let handlers = handlers.unwrap_or_default();
    let conditions = match program.conditions.is_empty() {
        true => String::new(),
        false => format!("conditions: &CONDITIONS_{index}, "),
    };
    let schedule = match program.band {
        None => {
            let slot = assembly.modules.get(index).and_then(|module| module.slot);
            let slot = slot.map(|slot| format!("slot: SlotId({slot}), {}", takes(assembly, slot)));
            format!(
                "first_trigger: {index}, {handlers}{conditions}{}..Program::NONE",
                slot.unwrap_or_default()
            )
        }
        Some(band) => format!(
            "first_trigger: {index}, conditions: &CONDITIONS_{index}, first_schedule: {}, schedules: {}, rank: Rank::dynamic({}), ..Program::NONE",
            assembly.threads_by_code(band),
            program.threads,
            rank_of(assembly, band),
        ),
    };
    format!(
        "/* {} */ Program {{ code: &CODE_{index}, durations: &DURATIONS_{index}, start: {}, {schedule} }}",
        program.module, program.start
    )
}

/// The rank of a band that isn't a fixed one.
fn rank_of(assembly: &Assembly, band: usize) -> u8 {
    assembly.threads.iter().find(|thread| thread.band == band).map_or(31, |thread| thread.rank)
}

/// What the threads of a slot's programs need: places of their own, and the rank of what they take over.
fn takes(assembly: &Assembly, slot: usize) -> String {
    let band = assembly.objects.slots.get(slot).and_then(|row| row.offers);
    let Some((band, (first, count))) = band.zip(assembly.thread_places(slot)) else { return String::new() };
    format!("first_schedule: {first}, schedules: {count}, rank: Rank::dynamic({}), ", rank_of(assembly, band))
}

/// Whether activities of a program come with the beats of rounds.
fn goes_round(program: &Program) -> bool {
    program.conditions.iter().any(|condition| matches!(condition, Condition::Round { .. }))
}

/// What a program's threads wait for, and its rounds.
fn conditions(index: usize, program: &Program) -> String {
    if program.conditions.is_empty() && program.band.is_none() {
        return String::new();
    }
    let rows = program.conditions.iter().map(|condition| match condition {
        Condition::Clock(duration) => format!("Until::Clock({duration})"),
        Condition::Changed(port) => format!("Until::Changed(PortId({}))", port.0),
        Condition::Interrupt(line) => format!("Until::Interrupt(Line({}))", line.0),
        Condition::Round { length, beats } => {
            format!("Until::Round {{ length: {length}, beats: {beats:?} }}")
        }
        // Nothing else is made.
        other => format!("compile_error!({:?})", format!("{other:?}")),
    });
    let rows: Vec<_> = rows.collect();
    format!("\nstatic CONDITIONS_{index}: [Until; {}] = [{}];\n", rows.len(), rows.join(", "))
}

/// A program's instructions, each with its line of the listing.
fn code(assembly: &Assembly, index: usize, program: &Program, tick: u32) -> String {
    let listing = listing(assembly, program, tick);
    let mut text = format!(
        "\n/// System code of module `{}`.\n#[rustfmt::skip]\nstatic CODE_{index}: [u32; {}] = [\n",
        program.module,
        program.code.len()
    );
    for (word, line) in program.code.iter().zip(listing.lines()) {
        // Writing to a string can't fail.
        let _ = writeln!(text, "    {word:#010x}, // {line}");
    }
    let durations: Vec<_> = program.durations.iter().map(|known| duration(*known)).collect();
    text += &format!(
        "];\n\nstatic DURATIONS_{index}: [Duration; {}] = [{}];\n",
        durations.len(),
        durations.join(", ")
    );
    text + &conditions(index, program)
}

/// The listing of a program's system code, with the names of the assembly.
#[must_use]
pub fn listing(assembly: &Assembly, program: &Program, tick: u32) -> String {
    let driver = |number: u16| Some(assembly.drivers.get(usize::from(number))?.name.as_str());
    let task = |number: u8| Some(assembly.threads.get(usize::from(number))?.name.as_str());
    let port = |number: u16| Some(assembly.ports.get(usize::from(number))?.name.as_str());
    let listing = Listing {
        code: &program.code,
        durations: &program.durations,
        conditions: &program.conditions,
        tick,
        driver: &driver,
        task: &task,
        port: &port,
    };
    listing.to_string()
}

fn duration(duration: Duration) -> String {
    match duration {
        Duration::FOREVER => "Duration::FOREVER".to_owned(),
        other => format!("Duration::from_ticks({})", other.ticks()),
    }
}
