//! The simulation program: the kernel's tables, the processes' glue and the environment in one host program.

use beryl_abi::{Duration, Range};
use beryl_kernel::Charges;

use crate::assembly::{Assembly, CellId, Home, Process, Role, Thread, Use};
use crate::crossing::Kept;
use crate::emit::process::{entry, process, words};
use crate::emit::{File, c, identifier};
use crate::identity::Identity;
use crate::nodes::{Node, Nodes};
use crate::plan::Board;
use crate::project::Project;

/// Where the environment's files are, and what it is.
#[derive(Clone, Debug)]
pub struct World {
    /// The folder of the system description.
    pub folder: String,
    /// What the description names.
    pub made_of: MadeOf,
    /// The lines that it raises, each with what stands in for it on the system's board; none on the board that the
    /// description names.
    pub lines: Vec<(u16, u16)>,
}

/// What an environment is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MadeOf {
    /// Nothing: sensors keep their first value, actuators go nowhere.
    Nothing,
    /// A crate.
    Crate,
    /// A world in C.
    C,
    /// The table in a file.
    Table(String),
}

/// The sources of a simulation program, beside `tables.rs`.
#[must_use]
pub fn simulation(
    project: &Project,
    board: &Board,
    ram: u32,
    world: &World,
    identity: Identity,
) -> Vec<File> {
    let (mut files, body) = system(project, board, ram, identity, "");
    let mut text = head(&project.assembly.name);
    text += &body;
    text += "\nfn main() -> std::process::ExitCode {\n    \
             beryl_sim::main(CHARGES, |seed| simulation(environment(seed)))\n}\n";
    text += &environment(world, !project.assembly.in_c.is_empty());
    files.push(File::new("simulation/src/main.rs", text));
    files
}

/// The first lines of a file.
fn head(name: &str) -> String {
    format!(
        "//! The system `{name}` as a program for this machine. Written by the builder; changes are lost.\n\
         #![allow(missing_docs, unused_imports, static_mut_refs)]\n"
    )
}

/// A system's part of the program, in the module `module`, or in none: the files of its processes, and the text
/// beside its tables.
fn system(
    project: &Project,
    board: &Board,
    ram: u32,
    identity: Identity,
    module: &str,
) -> (Vec<File>, String) {
    let (assembly, places) = (&project.assembly, &project.places);
    let mut files = Vec::new();
    let mut text = "\nuse beryl_abi::{Duration, Range};\n\
         use beryl_sim::{Charges, ConsoleLines, Environment, Memory, Simulation, ThreadCode, Tick};\n\nmod tables;\n"
        .to_owned();
    for (index, row) in assembly.processes.iter().enumerate() {
        text += &format!("mod process_{};\n", identifier(&row.name));
        let path = format!("simulation/src/{module}/process_{}.rs", identifier(&row.name)).replace("//", "/");
        files.push(File::new(path, process(project, index, identity)));
    }
    text += "\nstatic THREADS: &[ThreadCode] = &[\n";
    for (thread, stack) in assembly.threads.iter().zip(&places.stacks) {
        text += &code(assembly, thread, *stack);
    }
    text += "];\n";
    let mut image = Vec::new();
    let homes = (0..assembly.processes.len()).map(Home::Process).chain([Home::Published]);
    let images = homes.map(|home| (home, assembly.cells.image(home))).filter(|(_, bytes)| !bytes.is_empty());
    for (number, (home, bytes)) in images.enumerate() {
        let name = format!("INITIAL_{}{number}", module.to_uppercase());
        image.push(format!("({:#010x}, bytes(&{name}))", places.home(home)));
        text += &words(&name, "What ports hold at the start.", &bytes);
    }
    text += "\n/// The bytes of a list of words.\nfn bytes(words: &'static [u32]) -> &'static [u8] {\n    \
             let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();\n    bytes.leak()\n}\n";
    text += &format!(
        "\n/// What memory holds at the start.\nfn image() -> &'static [(u32, &'static [u8])] {{\n    \
         static IMAGE: std::sync::OnceLock<Vec<(u32, &'static [u8])>> = std::sync::OnceLock::new();\n    \
         IMAGE.get_or_init(|| vec![{}])\n}}\n",
        image.join(", ")
    );
    text += &format!(
        "\n/// The system in an environment.\npub fn simulation(environment: Box<dyn Environment>) -> Simulation<'static, tables::Sizes> {{\n    \
         Simulation {{\n        system: &tables::SYSTEM,\n        threads: THREADS,\n        memory: Memory {{ base: {:#010x}, size: {ram:#x}, \
         image: image() }},\n        tick: Tick::of_nanoseconds({}),\n        console: {},\n        environment,\n    }}\n}}\n",
        board.ram.base,
        board.tick.get(),
        console(project.description.console),
    );
    text += &costs(&project.costs.charges);
    text += &c::definitions(assembly, places);
    (files, text)
}

/// The sources of the simulation program of several nodes, beside their `tables.rs`. Each node's part is a module.
#[must_use]
pub fn simulation_of(nodes: &Nodes, identities: &[Identity], world: &World) -> Vec<File> {
    let (mut files, mut text) = (Vec::new(), head(&nodes.name));
    let mut made = String::new();
    for (number, (Node { name, project, .. }, identity)) in nodes.parts.iter().zip(identities).enumerate() {
        let (board, ram) = (project.description.board.board.value, project.description.board.ram.value.get());
        let module = module(name);
        let (own, body) = system(project, board, ram, *identity, &module);
        files.extend(own);
        files.push(File::new(format!("simulation/src/{module}/mod.rs"), body));
        text += &format!("\nmod {module};\n");
        made += &format!(
            "            Node::new({name:?}, {module}::CHARGES, {module}::simulation(world.view({}))){},\n",
            pairs(&lines(project)),
            doorbells(nodes, number)
        );
    }
    text += "\nuse beryl_sim::World;\nuse beryl_sim::nodes::{self, Node};\n";
    text += &bus(nodes);
    text += &shared(nodes);
    text += &format!(
        "\nfn main() -> std::process::ExitCode {{\n    nodes::main(&SCHEDULE, SHARED, |seed| {{\n        \
         let world = World::new(environment(seed));\n        vec![\n{made}        ]\n    }})\n}}\n"
    );
    // Each node has lines of its own board.
    let is_in_c = nodes.parts.iter().any(|node| !node.project.assembly.in_c.is_empty());
    text += &environment(&World { lines: Vec::new(), ..world.clone() }, is_in_c);
    files.push(File::new("simulation/src/main.rs", text));
    files
}

/// What a node can ring at other cores, if it can, as the simulator takes it.
fn doorbells(nodes: &Nodes, node: usize) -> String {
    let own = nodes.doorbells.iter().filter(|bell| bell.from == node).map(|bell| {
        format!(
            "beryl_sim::Doorbell {{ bell: {:#x}, to: {}, line: beryl_abi::Line({}), within: {} }}",
            bell.bell,
            bell.to,
            bell.line,
            nodes.bells_within(bell.to).get()
        )
    });
    let own: Vec<_> = own.collect();
    if own.is_empty() { String::new() } else { format!(".ringing(&[{}])", own.join(", ")) }
}

/// The lines on which something comes to a system: as its environment calls each, and as its board does.
fn lines(project: &Project) -> Vec<(u16, u16)> {
    let objects = &project.description.objects;
    let described = objects.interrupts.iter();
    let described = described.filter(|interrupt| !interrupt.is_silent && !interrupt.is_bell);
    let own = described.map(|interrupt| {
        let on_board = interrupt.line.value;
        let found = project.description.lines.iter().find(|(_, stand_in)| *stand_in == on_board);
        (found.map_or(on_board, |(named, _)| *named), on_board)
    });
    own.collect()
}

/// Pairs of lines in source.
fn pairs(lines: &[(u16, u16)]) -> String {
    let lines: Vec<_> =
        lines.iter().map(|(from, to)| format!("(beryl_abi::Line({from}), beryl_abi::Line({to}))")).collect();
    format!("&[{}]", lines.join(", "))
}

/// The module of a node.
pub(crate) fn module(node: &str) -> String {
    format!("node_{}", identifier(node))
}

/// The bus as the simulator takes it, and controllers of emulated nodes.
pub(super) fn bus(nodes: &Nodes) -> String {
    let mut text = "\nuse beryl_sim::{Frame, Link, Schedule};\n\n\
         /// When which node sends what, in nanoseconds.\nstatic SCHEDULE: Schedule<'static> = Schedule {\n"
        .to_owned();
    text += &format!("    cycle: {},\n    frames: &[\n", nodes.schedule.cycle.get());
    for frame in &nodes.schedule.frames {
        text += &format!(
            "        Frame {{ start: {}, end: {}, counts: {}, links: &{:?} }},\n",
            frame.start.get(),
            frame.end.get(),
            frame.counts.get(),
            frame.links
        );
    }
    text += "    ],\n    links: &[\n";
    text += &links(nodes, false);
    text += &format!("    ],\n    drift: {},\n", nodes.schedule.clocks.as_ref().map_or(0, |kept| kept.drift));
    text + &format!("    keeping: {},\n}};\n", keeping(nodes))
}

/// How clocks are kept together, as the simulator takes it.
fn keeping(nodes: &Nodes) -> String {
    let Some(Kept { frame, reading, one, spread, .. }) = &nodes.schedule.clocks else {
        return "None".to_owned();
    };
    format!(
        "Some(beryl_sim::Keeping {{ frame: {frame}, reading: {}, most: {}, spread: {} }})",
        reading.get(),
        one.get(),
        spread.get()
    )
}

/// What crosses between cores, as the simulator takes it.
fn shared(nodes: &Nodes) -> String {
    let text = "\n/// What cores of one machine share.\nstatic SHARED: &[Link<'static>] = &[\n".to_owned();
    text + &links(nodes, true) + "];\n"
}

/// The links as the simulator takes them, with those readers that see the memory of what writes, or those that don't.
fn links(nodes: &Nodes, are_near: bool) -> String {
    let mut text = String::new();
    for (number, link) in nodes.links.iter().enumerate() {
        let address = |node: usize, cell: CellId| {
            nodes
                .parts
                .get(node)
                .map_or(0, |node| node.project.places.address(&node.project.assembly.cells, cell))
        };
        let leaving = nodes
            .parts
            .get(link.from)
            .and_then(|node| node.project.assembly.leaving.iter().find(|row| row.link == number));
        let from = leaving.map_or(0, |row| address(link.from, row.cell));
        let readers = nodes.parts.iter().enumerate();
        let readers = readers.filter(|(index, _)| nodes.is_near(link, *index) == are_near);
        let arriving = readers.flat_map(|(index, node)| {
            let own = node.project.assembly.arriving.iter().filter(|row| row.link == number);
            own.map(move |row| (index, row.cell))
        });
        let to: Vec<_> =
            arriving.map(|(node, cell)| format!("({node}, {:#010x})", address(node, cell))).collect();
        text += &format!(
            "        // {}\n        Link {{ length: {}, from: ({}, {from:#010x}), to: &[{}] }},\n",
            link.name,
            link.length,
            link.from,
            to.join(", ")
        );
    }
    text
}

/// The lines of the board's console.
fn console(lines: [Option<u16>; 2]) -> String {
    let [received, sent] = lines.map(|line| match line {
        Some(line) => format!("Some(beryl_abi::Line({line}))"),
        None => "None".to_owned(),
    });
    format!("ConsoleLines {{ received: {received}, sent: {sent} }}")
}

fn code(assembly: &Assembly, thread: &Thread, stack: Range) -> String {
    let process = &assembly.processes[thread.process];
    let entry = match thread.role {
        Role::Idle => "None".to_owned(),
        _ => format!("Some(process_{}::{})", identifier(&process.name), entry(thread)),
    };
    let drivers = match thread.role {
        Role::Drivers => times(process),
        _ => String::new(),
    };
    format!(
        "    ThreadCode {{ name: {:?}, entry: {entry}, best: {}, worst: {}, stack: {}, memory: Range::new({:#010x}, {}), \
         hold: {}, section: {:?}, drivers: &[{drivers}] }},\n",
        thread.name,
        duration(thread.best),
        duration(if thread.worst == Duration::FOREVER { thread.best } else { thread.worst }),
        thread.stack.get(),
        stack.address,
        stack.length,
        duration(hold(assembly, thread)),
        assembly.section_ceiling(thread),
    )
}

/// The shortest that a thread may be inside of a section of its own.
fn hold(assembly: &Assembly, thread: &Thread) -> Duration {
    let own = thread.uses.iter().filter(|used| matches!(used, Use::Lock(_) | Use::Semaphore(_)));
    own.filter_map(|used| assembly.hold(thread, *used)).min().unwrap_or(Duration::FOREVER)
}

fn times(process: &Process) -> String {
    let times =
        process.functions.iter().map(|row| format!("({}, {})", duration(row.best), duration(row.worst)));
    times.collect::<Vec<_>>().join(", ")
}

fn duration(duration: Duration) -> String {
    format!("Duration::from_ticks({})", duration.ticks())
}

/// What the proof charges for each kind of kernel step.
fn costs(charges: &Charges) -> String {
    // Each field is named, so that none is forgotten.
    let Charges {
        alarm,
        release,
        sorting,
        completion,
        driver,
        switch,
        instant,
        instant_step,
        look,
        e_machine,
        decision,
        job,
        stop,
        search,
        call,
    } = *charges;
    format!(
        "\n/// What the proof charges for each kind of kernel step, in ticks.\npub const CHARGES: Charges = Charges {{\n    \
         alarm: {}, release: {}, sorting: {},\n    completion: {}, driver: {}, switch: {},\n    \
         instant: {}, instant_step: {}, look: {},\n    e_machine: {}, decision: {},\n    job: {}, stop: {}, search: {}, call: {},\n}};\n",
        duration(alarm),
        duration(release),
        duration(sorting),
        duration(completion),
        duration(driver),
        duration(switch),
        duration(instant),
        duration(instant_step),
        duration(look),
        duration(e_machine),
        duration(decision),
        duration(job),
        duration(stop),
        duration(search),
        duration(call),
    )
}

/// The environment in a box, on the lines of the board.
fn boxed(lines: &[(u16, u16)]) -> String {
    if lines.is_empty() {
        return "Box::new(environment)".to_owned();
    }
    format!("Box::new(beryl_sim::Rewired::new(environment, {}))", pairs(lines))
}

/// What makes the environment, in a program that has mathematics for C or hasn't.
pub(super) fn environment(world: &World, has_mathematics: bool) -> String {
    let in_c = match &world.made_of {
        MadeOf::C => c::world::environment(has_mathematics),
        _ => String::new(),
    };
    let made = match &world.made_of {
        MadeOf::Nothing => None,
        MadeOf::C => Some(format!("world::environment(seed, {:?})", world.folder)),
        MadeOf::Crate => {
            Some(format!("environment::environment(seed, std::path::Path::new({:?}))", world.folder))
        }
        MadeOf::Table(path) => Some(format!(
            "{{\n        let _ = seed;\n        beryl_sim::Signals::read(std::path::Path::new({path:?}))\n    }}"
        )),
    };
    let body = match made {
        Some(made) => format!(
            "    match {made} {{\n        Ok(environment) => {},\n        \
             Err(error) => {{\n            eprintln!(\"error: {{error}}\");\n            \
             std::process::exit(3)\n        }}\n    }}\n",
            boxed(&world.lines)
        ),
        None => "    let _ = seed;\n    Box::new(beryl_sim::Silent)\n".to_owned(),
    };
    format!(
        "\n/// What is at the other end of sensors and actuators.\nfn environment(seed: u64) -> Box<dyn beryl_sim::Environment> {{\n{body}}}\n{in_c}"
    )
}
