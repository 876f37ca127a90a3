//! From the tables of the file to the parts of the description.

use super::apart;
use super::assertions::assertions;
use super::cmsis::{self, cmsis};
use super::diagnostic::Reporter;
use super::doorbells::{self, Sides};
use super::duplicates::refuse_duplicates;
use super::floating;
use super::in_c::{self, in_c};
use super::members::Members;
use super::object_sections::objects;
use super::on_hold::{self, on_hold};
use super::on_miss::on_miss;
use super::on_overrun::{check_beside, on_overrun};
use super::partitions::{self, partitions};
use super::placed::value;
use super::readable::Parts;
use super::replaceable;
use super::replicas::replicas;
use super::restarts::restarts;
use super::section::{Entry, Section};
use super::shared;
use super::sleep::{SLEEP, sleep};
use super::stand_ins::{On, StandIns, on};
use super::tells::tells;
use super::thread::thread;
use super::times::best_and_worst;
use super::units::units;
use super::uses::Known;
use super::value::{Between, Places, Text, UpTo, name, path};
use super::waits::{self, waits};
use super::{Band, BoardUse, Driver, Group, KernelCosts, Node, Placed, Process, Scheme, System, Task};
use super::{cores, delayed, nodes};
use crate::board::{BOARDS, Board};

const SYSTEM: &[&str] =
    &["name", "timing", "application", "environment", "outputs", "crashes", "refusals", "log"];
const BOARD: &[&str] = &["name", "flash", "ram", "speed", apart::KEY];
const PROCESS: &[&str] = &[
    "memory",
    "devices",
    "on_fault",
    "restarts",
    "replaceable",
    "budget",
    "every",
    "on_overrun",
    "tells",
    "driver_stack",
    nodes::KEY,
    cores::KEY,
    "journal",
    "critical_section",
    floating::KEY,
];
const BAND: &[&str] =
    &["name", "policy", "schedule", "slice", partitions::KEY, "budget", "every", "on_overrun"];
const GROUP: &[&str] = &["budget", "every", "on_overrun"];
const TASK: &[&str] = &[
    "process",
    "function",
    "band",
    "best",
    "worst",
    "deadline",
    "stack",
    "priority",
    "on_miss",
    "on_overrun",
    "tells",
    "uses",
    "hold",
    on_hold::KEY,
    waits::KEY,
    delayed::KEY,
];
const DRIVER: &[&str] = &["process", "best", "worst"];
const KERNEL: &[&str] = &["release", "completion", "switch", "instant", "driver", "alarm"];

/// The most crash records that the kernel keeps.
const MOST_CRASHES: u16 = 64;

/// What `speed` is where nothing is said: 32 ns an instruction, about 31 million a second.
const USUAL_SPEED: u8 = 5;

/// Reads the file. Processes, bands and objects come first, because all others name them.
///
/// A board that was `chosen` stands in for the one that is named.
///
/// What doorbells are to the part that this is, if it is one, is in `sides`.
pub(super) fn parts(
    file: &Section<'_>,
    chosen: Option<&'static Board>,
    sides: Option<&Sides>,
    reporter: &mut Reporter,
) -> Parts {
    let entries = |key, reporter: &mut Reporter| file.entries(key, reporter);
    let board = file.section("board", BOARD, reporter);
    let known = board.as_ref().and_then(|board| named_board(board, reporter));
    let (on, mut stand_ins) = match known {
        Some(named) => {
            let (on, stand_ins) = on(file, named, chosen.unwrap_or(named.value), reporter);
            (on, Some(stand_ins))
        }
        None => (On::default(), None),
    };
    let boards = [known, known.map(|named| Placed { value: chosen.unwrap_or(named.value), ..named })];
    let process_entries = entries("process", reporter);
    let nodes = cores::kernels(file, chosen, reporter);
    let processes = each(&process_entries, |entry| process(entry, stand_ins.as_mut(), &nodes, reporter));
    let band_sections = file.list("band", BAND, reporter);
    let names = process_entries.iter().map(|entry| entry.name.value.clone()).collect();
    let bands: Vec<_> = band_sections.iter().filter_map(|section| band(section, reporter)).collect();
    let unclear = bands.len() < file.count("band") || same_band_twice(&bands, reporter);
    let group_entries = entries("group", reporter);
    let groups = each(&group_entries, |entry| group(entry, reporter));
    let named = group_entries.iter().map(|entry| entry.name.value.as_str()).collect();
    let members = Members::new(names, &bands, (&groups, named), unclear);
    let (mut objects, unclear) = objects(file, reporter);
    let cmsis_section = file.optional_section(cmsis::TABLE, cmsis::KEYS, reporter);
    let mut pools =
        cmsis_section.as_ref().and_then(|section| cmsis(section, &members, file.has("c"), reporter));
    if let Some(stand_ins) = &mut stand_ins {
        stand_ins.replace(&mut objects.interrupts, reporter);
    }
    doorbells::add(&mut objects, sides);
    let usable = Known::new(&objects, unclear);
    // Who writes the description names none of the pools' objects.
    let mut all = objects.clone();
    pools.iter().for_each(|pools| pools.add_objects(&mut all));
    if let Some((pools, section)) = pools.as_mut().zip(cmsis_section.as_ref()) {
        pools.read_uses(section, &usable, reporter);
    }
    refuse_duplicates("shared object", &Known::new(&all, unclear).names(), reporter);
    let system_section = file.section("system", SYSTEM, reporter);
    let is_in_rust = system_section.as_ref().is_none_or(|section| section.has("application"));
    let all_in_c = !is_in_rust && file.has("c");
    Parts {
        system: system_section.and_then(|section| system(&section, all_in_c, reporter)),
        c: file
            .optional_section("c", in_c::KEYS, reporter)
            .map(|section| in_c(&section, all_in_c, pools.as_ref(), reporter))
            .unwrap_or_default(),
        board: board.and_then(|section| board_use(&section, boards, &on, reporter)),
        processes,
        bands: bands.clone(),
        groups: groups.clone(),
        tasks: each(&entries("task", reporter), |entry| task(entry, &members, &usable, reporter)),
        drivers: each(&entries("driver", reporter), |entry| driver(entry, &members, reporter)),
        threads: each(&entries("thread", reporter), |entry| thread(entry, &members, &usable, reporter))
            .into_iter()
            .chain(pools.iter().flat_map(|pools| pools.make_threads(&all)))
            .collect(),
        cmsis: pools,
        objects: all,
        sleeps: file
            .list("sleep", SLEEP, reporter)
            .iter()
            .filter_map(|section| sleep(section, reporter))
            .collect(),
        partitions: partitions(file, reporter),
        costs: file
            .optional_section("kernel", KERNEL, reporter)
            .map(|section| costs(&section, reporter))
            .unwrap_or_default(),
        bus: nodes::bus(file, &nodes, reporter),
        replicas: replicas(file, members.processes(), reporter),
        nodes,
        asserted: assertions(file, reporter),
        units: units(file, reporter),
        console: stand_ins.as_ref().map(StandIns::console).unwrap_or_default(),
        lines: stand_ins.as_ref().map(StandIns::lines).unwrap_or_default(),
    }
}

fn each<'a, T>(entries: &[Entry<'a>], read: impl FnMut(&Entry<'a>) -> Option<T>) -> Vec<T> {
    entries.iter().filter_map(read).collect()
}

/// The system itself. Where all functions are in C, there is no crate of them.
fn system(section: &Section<'_>, all_in_c: bool, reporter: &mut Reporter) -> Option<System> {
    let name = section.required("name", reporter);
    // Whatever is wrong with it, the other keys are looked at, too.
    let application =
        if all_in_c { Some(None) } else { section.required("application", reporter).map(path).map(Some) };
    Some(System {
        timing: section.values("timing", reporter).into_iter().map(path).collect(),
        environment: section.optional("environment", reporter).map(path),
        outputs: section.optional("outputs", reporter).map(value).unwrap_or_default(),
        crashes: section
            .optional::<Between<1, MOST_CRASHES>>("crashes", reporter)
            .map_or(0, |crashes| crashes.value.0),
        refusals: section.optional("refusals", reporter).map(value).unwrap_or_default(),
        log: section.optional("log", reporter).map(value).unwrap_or_default(),
        application: application?,
        name: name.map(self::name)?,
    })
}

fn named_board(section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<&'static Board>> {
    let Placed { value: Text(name), place } = section.required("name", reporter)?;
    let boards: Vec<&str> = BOARDS.iter().map(|board| board.name).collect();
    let found = Board::named(&name);
    if found.is_none() {
        reporter.unknown("board", &Placed::new(name, place), &boards);
    }
    Some(Placed::new(found?, place))
}

fn board_use(
    section: &Section<'_>,
    [named, board]: [Option<Placed<&'static Board>>; 2],
    on: &On,
    reporter: &mut Reporter,
) -> Option<BoardUse> {
    let flash = section.required("flash", reporter);
    let ram = section.required("ram", reporter);
    let speed = section.optional::<UpTo<10>>("speed", reporter).map_or(USUAL_SPEED, |speed| speed.value.0);
    let apart = named.and_then(|named| apart::board(section, named.value, reporter));
    let board = board?;
    let apart = on.apart.or(apart.filter(|apart| apart.name == board.name));
    Some(BoardUse {
        board: Placed { value: apart.unwrap_or(board.value), ..board },
        flash: on.flash.or(flash)?,
        ram: on.ram.or(ram)?,
        speed: on.speed.unwrap_or(speed),
    })
}

fn process(
    entry: &Entry<'_>,
    mut stand_ins: Option<&mut StandIns>,
    nodes: &[Node],
    reporter: &mut Reporter,
) -> Option<Process> {
    let section = entry.open("process", 1, PROCESS, reporter)?;
    let memory = section.required("memory", reporter);
    let names: Vec<Placed<Text>> = section.values("devices", reporter);
    let names = names.into_iter().map(|Placed { value: Text(name), place }| Placed::new(name, place));
    let on_fault = section.optional("on_fault", reporter);
    Some(Process {
        restarts: restarts(&section, on_fault, reporter),
        replaceable: section.optional(replaceable::KEY, reporter),
        budget: shared::budget(&section, ("process", None), reporter)?,
        tells: tells(&section, reporter),
        device_line: section.line_of("devices", reporter),
        devices: names.filter_map(|name| stand_ins.as_mut()?.device(name, reporter)).collect(),
        on_fault: on_fault.map(value).unwrap_or_default(),
        driver_stack: section.optional("driver_stack", reporter),
        journal: section.optional("journal", reporter).map(|Placed { value: Places(places), .. }| places),
        critical_section: section
            .optional("critical_section", reporter)
            .map(|Placed { value: Text(name), place }| Placed::new(name, place)),
        node: cores::of_process(&section, nodes, reporter)?,
        floating: section.optional(floating::KEY, reporter),
        memory: memory?,
        name: entry.name.clone(),
    })
}

fn band(section: &Section<'_>, reporter: &mut Reporter) -> Option<Band> {
    let name = section.required("name", reporter);
    let policy = value(section.required("policy", reporter)?);
    let scheme = Scheme::of(section, policy, reporter)?;
    let partition = partitions::of_band(section, reporter);
    let budget = shared::budget(section, ("band", Some(policy)), reporter)?;
    Some(Band { name: self::name(name?), policy, scheme, partition, budget })
}

fn group(entry: &Entry<'_>, reporter: &mut Reporter) -> Option<Group> {
    let section = entry.open("group", 1, GROUP, reporter)?;
    match shared::budget(&section, ("group", None), reporter)? {
        Some(budget) => Some(Group { name: entry.name.clone(), budget }),
        None => {
            let help = "a group shares a budget: add `budget = \"2ms\"` and `every = \"20ms\"`".into();
            let help = section.with_line(help, "budget = \"2ms\"\nevery = \"20ms\"", reporter);
            section.missing("`budget`", help, reporter);
            None
        }
    }
}

fn same_band_twice(bands: &[Band], reporter: &mut Reporter) -> bool {
    refuse_duplicates("band", &bands.iter().map(|band| &band.name).collect::<Vec<_>>(), reporter)
}

fn task(
    entry: &Entry<'_>,
    members: &Members<'_>,
    known: &Known<'_>,
    reporter: &mut Reporter,
) -> Option<Task> {
    let section = entry.open("task", 2, TASK, reporter)?;
    let process = members.process(&section, reporter);
    let function = section.optional("function", reporter).map(self::name);
    let place = members.task_place(&section, reporter);
    let stack = section.required("stack", reporter);
    let times = best_and_worst(&section, reporter);
    let uses = known.resolve(section.texts("uses", reporter), reporter);
    let holds = known.holds(&section, &uses, reporter);
    let on_hold = on_hold(&section, reporter);
    let waits = waits(&section, &uses, reporter);
    let delayed = section.texts(delayed::KEY, reporter);
    let deadline = section.optional("deadline", reporter);
    let on_miss = on_miss(&section, reporter);
    let on_overrun = on_overrun(&section, reporter);
    check_beside(on_overrun, &on_miss, reporter);
    let tells = tells(&section, reporter);
    let (band, priority) = place?;
    let (best, worst) = times?;
    let (module, name) = match entry.name.split_once('.') {
        Some((module, name)) => (Some(module.to_owned()), name),
        None => (None, entry.name.as_str()),
    };
    let name = Placed::new(name.to_owned(), entry.name.place);
    let (process, stack) = (process?, stack?);
    Some(Task {
        module,
        name,
        process,
        function,
        band,
        best,
        worst,
        deadline,
        stack,
        priority,
        on_miss,
        on_overrun,
        tells,
        uses,
        holds,
        on_hold,
        waits,
        delayed,
    })
}

fn driver(entry: &Entry<'_>, members: &Members<'_>, reporter: &mut Reporter) -> Option<Driver> {
    let section = entry.open("driver", 1, DRIVER, reporter)?;
    let process = members.process(&section, reporter);
    let (best, worst) = best_and_worst(&section, reporter)?;
    Some(Driver { name: entry.name.clone(), process: process?, best, worst })
}

fn costs(section: &Section<'_>, reporter: &mut Reporter) -> KernelCosts {
    let mut cost = |key| section.optional(key, reporter).map(value);
    KernelCosts {
        release: cost("release"),
        completion: cost("completion"),
        switch: cost("switch"),
        instant: cost("instant"),
        driver: cost("driver"),
        alarm: cost("alarm"),
    }
}
