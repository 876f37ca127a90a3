//! `tables.rs`: the kernel's constant tables, the same for the board and for the simulation.

use std::fmt::Write as _;

use beryl_abi::Duration;
use beryl_kernel::{Budget, LEAST_LINES};
use beryl_syscode::{Condition, Listing};

use crate::assembly::Assembly;
use crate::assembly::limits::rows_for;
use crate::code::{Program, SlotCode};
use crate::costs::Costed;
use crate::emit::source::{self, sources};
use crate::emit::{File, replaceable, slots};
use crate::footprint::Sizes;
use crate::project::Project;
use crate::rows::{Objects, Row, Rows};

/// The tables of a system, as Rust source.
#[must_use]
pub fn tables(project: &Project) -> File {
    let (assembly, programs) = (&project.assembly, &project.programs);
    let check_words = SlotCode::most_words(&project.slots);
    let tick = project.tick();
    let mut text = format!(
        "//! The kernel's tables for the system `{}`. Written by the builder; changes are lost.\n\
         #![allow(missing_docs, clippy::all)]\n\n\
         #[allow(unused_imports)]\nuse beryl_abi::{{BandId, Duration, EndpointId, EventGroupId, Journal, Line, MailboxId, NotificationId, ProcessId, ProgramId, Range, SlotId, ThreadId}};\n\
         #[allow(unused_imports)]\nuse beryl_kernel::{{\n    \
         Asked, Band, Budget, ComesBack, Condition, Depth, Driver, DriverKind, Endpoint, EventGroup, Fed, Gate, Gated, GateId, Held, Interrupt, Limit, LimitId, Lines, Mailbox, Notification, OnEarly, OnFault, OnSpent, Place, Policy, Pooled, Port, Rank,\n    \
         Process, Program, ProgramSlot, Replaceable, ReportId, Restart, Rule, Semaphore, SemaphoreKind, StateMessage, System, Telling, Thread, ThreadKind, Watchdog, WatchdogId, Watched, Window,\n}};\n\
         #[allow(unused_imports)]\nuse beryl_kernel::row::{{Absent, Costs, PortId, Rights, Terms, Until, time}};\n\n",
        assembly.name
    );
    let rows = Rows::of(project);
    let objects = objects(&rows.objects);
    let sizes = Sizes::of(assembly);
    text += &sizes_in_source(&sizes, check_words, &objects, programs.iter().any(goes_round), &project.costed);
    text += "\n#[rustfmt::skip]\npub static SYSTEM: System<Sizes> = {\nlet mut system: System<Sizes> = System {\n";
    let threads = rows.threads.iter().enumerate();
    let threads: Vec<_> = threads.map(|(index, row)| source::numbered(index, row)).collect();
    table(&mut text, "threads", sizes.threads, &threads, "Thread::NONE");
    table(&mut text, "processes", sizes.processes, &sources(&rows.processes), "Process::NONE");
    table(&mut text, "bands", sizes.bands, &sources(&rows.bands), "Band { policy: Policy::Fixed }");
    table(&mut text, "slots", sizes.slots, &sources(&rows.slots), "ThreadId::NONE");
    table(&mut text, "drivers", sizes.drivers, &sources(&rows.drivers), "Driver::NONE");
    let own = rows.programs.iter().zip(programs).enumerate();
    let own: Vec<_> = own.map(|(index, (row, program))| self::program(row, program, index)).collect();
    table(&mut text, "programs", sizes.programs, &own, "Program::NONE");
    for ObjectTable { name, filler, rows } in objects {
        table(&mut text, name, rows_for(rows.len()), &rows, filler);
    }
    let slots = slots::slots(project, &rows.program_slots);
    table(&mut text, "program_slots", rows_for(slots.len()), &slots, "ProgramSlot::NONE");
    let ports = sources(&rows.objects.ports);
    table(&mut text, "ports", rows_for(ports.len()), &ports, "Port::NONE");
    match sizes.has_budgets {
        true => table(&mut text, "budgets", sizes.threads, &sources(&rows.budgets), "Budget::NONE"),
        false => text += "    budgets: Absent,\n",
    }
    match sizes.has_rules {
        true => table(&mut text, "rules", sizes.threads, &sources(&rows.rules), "Rule::Deferrable"),
        false => text += "    rules: Absent,\n",
    }
    match sizes.has_pools {
        true => table(&mut text, "pools", sizes.threads, &sources(&rows.pools), "Pooled::ALONE"),
        false => text += "    pools: Absent,\n",
    }
    match sizes.has_restarts {
        true => table(&mut text, "restarts", sizes.processes, &sources(&rows.restarts), "Restart::NONE"),
        false => text += "    restarts: Absent,\n",
    }
    match sizes.has_replaceable {
        true => table(
            &mut text,
            "replaceable",
            sizes.processes,
            &replaceable::replaceable(project, &rows.replaceable),
            "Replaceable::NONE",
        ),
        false => text += "    replaceable: Absent,\n",
    }
    match sizes.reports {
        0 => text += "    watched: Absent,\n    tellings: Absent,\n",
        reports => {
            let subjects = sizes.threads + sizes.gates + sizes.lacked;
            table(&mut text, "watched", subjects, &sources(&rows.watched), "Watched::NONE");
            table(&mut text, "tellings", reports, &sources(&rows.tellings), "Telling::NONE");
        }
    }
    let mut watchdogs = "";
    match sizes.watchdogs {
        0 => text += "    watchdogs: Absent,\n    watchdog_of: Absent,\n",
        count => {
            table(&mut text, "watchdogs", count, &sources(&rows.watchdogs), "Watchdog::NONE");
            let mailboxes = rows_for(assembly.objects.mailboxes.len());
            text += &format!("    watchdog_of: [WatchdogId::NONE; {mailboxes}],\n");
            watchdogs = "system.watchdog_of = beryl_kernel::watchdogs_of(&system.watchdogs);\n";
        }
    }
    let mut doors = "";
    match sizes.gates {
        0 => text += "    gates: Absent,\n    doors: Absent,\n",
        gates => {
            table(&mut text, "gates", gates, &sources(&rows.gates), "Gate::NONE");
            text += "    doors: [GateId::NONE; beryl_kernel::door::<Sizes>(Gated::Nothing)],\n";
            doors = "system.doors = beryl_kernel::doors::<Sizes, _>(&system.gates);\n";
        }
    }
    let mut clients = "";
    match sizes.limits {
        0 => text += "    limits: Absent,\n    clients: Absent,\n",
        limits => {
            table(&mut text, "limits", limits, &sources(&rows.limits), "Limit::NONE");
            text += "    clients: [LimitId::NONE; beryl_kernel::client::<Sizes>(Asked::Nothing, ProcessId(0))],\n";
            clients = "system.clients = beryl_kernel::clients::<Sizes, _>(&system.limits);\n";
        }
    }
    match sizes.windows {
        0 => text += "    windows: Absent,\n",
        count => table(&mut text, "windows", count, &sources(&rows.windows), "Window::NONE"),
    }
    match rows.depths.len() {
        0 => text += "    depths: Absent,\n",
        count => table(&mut text, "depths", count, &sources(&rows.depths), "Depth::NONE"),
    }
    match sizes.links {
        0 => text += "    fed: Absent,\n",
        _ => table(&mut text, "fed", sizes.drivers, &sources(&rows.fed), "Fed::Nothing"),
    }
    text += "lines: Lines::NONE,\n};\nsystem.lines = Lines::of(&system.interrupts);\nsystem.drivers = Driver::noted(system.drivers, &system.threads);\n";
    text += doors;
    text += clients;
    text += watchdogs;
    text += "system\n};\n";
    for (index, row) in programs.iter().enumerate() {
        text += &code(assembly, index, row, tick);
    }
    File::new("tables.rs", text)
}

/// How long each thread may take, with the kernel's way until it goes on; nothing where nobody polices that.
fn policed(name: &str, holds: &[Duration], costed: &Costed) -> String {
    let ticks = |hold: &Duration| costed.enforced(*hold).min(Budget::LONGEST.into());
    let all: Vec<u64> = holds.iter().map(ticks).collect();
    if all.is_empty() { String::new() } else { format!("        {name}: &{all:?},\n") }
}

/// The lengths as the kernel takes them.
fn sizes_in_source(
    sizes: &Sizes,
    check_words: u32,
    objects: &[ObjectTable],
    has_rounds: bool,
    costed: &Costed,
) -> String {
    let Sizes { threads, processes, bands, slots, drivers, programs, triggers, schedules, .. } = sizes;
    let rooms = match sizes.rooms {
        0 => String::new(),
        rooms => format!(
            "        program_slots: {}, rooms: {rooms}, check_words: {}{},\n",
            sizes.slots_of_programs,
            check_words,
            if sizes.certified_only { ", certified_only: true" } else { "" }
        ),
    };
    let schedules = match schedules {
        0 => String::new(),
        count => format!("        schedules: {count},\n"),
    };
    let event_triggers = match sizes.event_triggers {
        0 => String::new(),
        count => {
            let kept = if sizes.kept > 0 { format!(", kept: {}", sizes.kept) } else { String::new() };
            format!(
                "        trigger_places: {programs}, event_triggers: {count}, ports: {}{kept},\n",
                sizes.ports
            )
        }
    };
    let notes = sizes.trace.map_or(String::new(), |trace| {
        format!("        notes: {}, reader: {}, told: {:#x},\n", trace.notes, trace.reader, trace.classes.0)
    });
    let handlers = if sizes.handlers { "        handlers: true,\n" } else { "" };
    let rounds = if has_rounds { "        rounds: true,\n" } else { "" };
    let has_objects = objects.iter().any(|table| !table.rows.is_empty());
    let shared = if has_objects || sizes.ceilings { "" } else { "        shared: false,\n" };
    let ceilings = if sizes.ceilings { "" } else { "        ceilings: false,\n" };
    let periodic = if sizes.has_periodic { "" } else { "        periodic: false,\n" };
    let ranged = if sizes.has_ranges { "" } else { "        ranged: false,\n" };
    let journal = match sizes.journal {
        0 => String::new(),
        places => format!("        journal: {places},\n"),
    };
    let budgets = if sizes.has_budgets { format!("        budgets: {threads},\n") } else { String::new() };
    let rules = match (sizes.has_rules, sizes.has_bandwidth) {
        (false, _) => String::new(),
        (true, false) => format!("        rules: {threads},\n"),
        (true, true) => format!("        rules: {threads}, constant: true,\n"),
    };
    let pools = if sizes.has_pools { format!("        pools: {threads},\n") } else { String::new() };
    let gates = match sizes.gates {
        0 => String::new(),
        gates => format!("        gates: {gates},\n"),
    };
    let depths = match sizes.depths {
        0 => String::new(),
        count => format!("        depths: {count},\n"),
    };
    let restarts = match sizes.has_restarts {
        true => format!("        restarts: {processes},\n"),
        false => String::new(),
    };
    let limits = match sizes.limits {
        0 => String::new(),
        limits => format!("        limits: {limits}, credits: {},\n", sizes.credits),
    };
    let crashes = match sizes.crashes {
        0 => String::new(),
        count => format!("        crashes: {count},\n"),
    };
    let reports = match sizes.reports {
        0 => String::new(),
        count => format!("        reports: {count},\n"),
    };
    let lacked = match sizes.lacked {
        0 => String::new(),
        threads => format!("        lacked: {threads},\n"),
    };
    let watchdogs = match sizes.watchdogs {
        0 => String::new(),
        count => format!("        watchdogs: {count},\n"),
    };
    let windows = match sizes.windows {
        0 => String::new(),
        count => format!("        windows: {count},\n"),
    };
    let holds = policed("holds", &sizes.policed, costed);
    let answers = policed("answers", &sizes.answering, costed);
    let followed: Vec<_> = sizes.followed.iter().map(source::Source::source).collect();
    let followed = match followed.is_empty() {
        true => String::new(),
        false => format!("        followed: &[{}],\n", followed.join(", ")),
    };
    let waits: Vec<_> = sizes.waits.iter().map(|waits| format!("beryl_kernel::Waits::{waits:?}")).collect();
    let waits = match waits.is_empty() {
        true => String::new(),
        false => format!("        waits: &[{}],\n", waits.join(", ")),
    };
    let replaced = match sizes.has_replaceable {
        true => format!("        replaced: {processes},\n"),
        false => String::new(),
    };
    let lines = match sizes.lines {
        LEAST_LINES => String::new(),
        lines => format!("        lines: {lines},\n"),
    };
    let linked = if sizes.linked { "        linked: true,\n" } else { "" };
    let links = match sizes.links {
        0 => String::new(),
        count => format!("        links: {count},\n"),
    };
    let rings = if sizes.rings { "        rings: true,\n" } else { "" };
    // Without any, nothing of the kernel asks for event groups.
    let are_told = |table: &&ObjectTable| table.name != "event_groups" || !table.rows.is_empty();
    let objects = objects.iter().filter(are_told);
    let objects = objects.map(|table| format!("        {}: {},\n", table.name, rows_for(table.rows.len())));
    format!(
        "beryl_kernel::sizes! {{\n    pub struct Sizes {{\n        threads: {threads}, processes: {processes}, \
         bands: {bands}, slots: {slots},\n        drivers: {drivers}, programs: {programs}, \
         triggers: {triggers},\n{}{schedules}{rooms}{event_triggers}{notes}{handlers}{rounds}{shared}{ceilings}{periodic}{ranged}{journal}{followed}{holds}{answers}{budgets}{rules}{pools}{gates}{depths}{restarts}{limits}{crashes}{reports}{lacked}{watchdogs}{windows}{waits}{replaced}{lines}{linked}{links}{rings}    }}\n}}\n",
        objects.collect::<String>()
    )
}

/// A table of objects: its name in the system, what fills it up, and its rows.
struct ObjectTable {
    name: &'static str,
    filler: &'static str,
    rows: Vec<String>,
}

/// All tables of objects, in the order of the system's fields.
fn objects(all: &Objects) -> [ObjectTable; 8] {
    [
        ObjectTable { name: "semaphores", filler: "Semaphore::NONE", rows: sources(&all.semaphores) },
        ObjectTable { name: "conditions", filler: "Condition::NONE", rows: sources(&all.conditions) },
        ObjectTable { name: "mailboxes", filler: "Mailbox::NONE", rows: sources(&all.mailboxes) },
        ObjectTable { name: "endpoints", filler: "Endpoint::NONE", rows: sources(&all.endpoints) },
        ObjectTable {
            name: "notifications",
            filler: "Notification::NONE",
            rows: sources(&all.notifications),
        },
        ObjectTable { name: "interrupts", filler: "Interrupt::NONE", rows: sources(&all.interrupts) },
        ObjectTable {
            name: "state_messages",
            filler: "StateMessage::NONE",
            rows: sources(&all.state_messages),
        },
        ObjectTable { name: "event_groups", filler: "EventGroup::NONE", rows: sources(&all.event_groups) },
    ]
}

fn table(text: &mut String, name: &str, length: usize, rows: &[String], filler: &str) {
    *text += &format!("    {name}: [\n");
    let fillers = std::iter::repeat_n(filler, length.saturating_sub(rows.len()));
    for row in rows.iter().map(String::as_str).chain(fillers) {
        *text += &format!("        {row},\n");
    }
    *text += "    ],\n";
}

fn program(row: &Row<beryl_kernel::Program>, program: &Program, index: usize) -> String {
    let has_conditions = !program.conditions.is_empty() || program.band.is_some();
    format!("/* {} */ {}", row.name, source::program(&row.row, has_conditions, index))
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
    let durations = sources(&program.durations);
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
