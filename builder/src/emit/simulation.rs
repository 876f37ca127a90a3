//! The simulation program: the kernel's tables, the processes' glue and the environment in one host program.

use beryl_abi::{Duration, Range};
use beryl_kernel::Charges;

use crate::assembly::{Assembly, Home, Process, Role, Thread, Use};
use crate::emit::process::{entry, process, words};
use crate::emit::{File, c, identifier};
use crate::identity::Identity;
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
    let (assembly, places) = (&project.assembly, &project.places);
    let mut files = Vec::new();
    let mut text = format!(
        "//! The system `{}` as a program for this machine. Written by the builder; changes are lost.\n\
         #![allow(missing_docs, unused_imports, static_mut_refs)]\n\nuse beryl_abi::{{Duration, Range}};\n\
         use beryl_sim::{{Charges, ConsoleLines, Memory, Simulation, ThreadCode, Tick}};\n\nmod tables;\n",
        assembly.name
    );
    for (index, row) in assembly.processes.iter().enumerate() {
        text += &format!("mod process_{};\n", identifier(&row.name));
        let path = format!("simulation/src/process_{}.rs", identifier(&row.name));
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
        image.push(format!("({:#010x}, bytes(&INITIAL_{number}))", places.home(home)));
        text += &words(&format!("INITIAL_{number}"), "What ports hold at the start.", &bytes);
    }
    text += "\n/// The bytes of a list of words.\nfn bytes(words: &'static [u32]) -> &'static [u8] {\n    \
             let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();\n    bytes.leak()\n}\n";
    text += &format!(
        "\nfn main() -> std::process::ExitCode {{\n    let image = [{}];\n    beryl_sim::main(CHARGES, |seed| Simulation {{\n        \
         system: &tables::SYSTEM,\n        threads: THREADS,\n        memory: Memory {{ base: {:#010x}, size: {ram:#x}, \
         image: &image }},\n        tick: Tick::of_nanoseconds({}),\n        console: {},\n        environment: environment(seed),\n    }})\n}}\n",
        image.join(", "),
        board.ram.base,
        board.tick.get(),
        console(project.description.console),
    );
    text += &costs(&project.costs.charges);
    text += &environment(world);
    text += &c::definitions(assembly);
    files.push(File::new("simulation/src/main.rs", text));
    files
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
         hold: {}, drivers: &[{drivers}] }},\n",
        thread.name,
        duration(thread.best),
        duration(if thread.worst == Duration::FOREVER { thread.best } else { thread.worst }),
        thread.stack.get(),
        stack.address,
        stack.length,
        duration(hold(assembly, thread)),
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
        "\n/// What the proof charges for each kind of kernel step, in ticks.\nconst CHARGES: Charges = Charges {{\n    \
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
    let lines: Vec<_> =
        lines.iter().map(|(from, to)| format!("(beryl_abi::Line({from}), beryl_abi::Line({to}))")).collect();
    format!("Box::new(beryl_sim::Rewired::new(environment, &[{}]))", lines.join(", "))
}

/// What makes the environment.
pub(super) fn environment(world: &World) -> String {
    let made = match &world.made_of {
        MadeOf::Nothing => None,
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
        "\n/// What is at the other end of sensors and actuators.\nfn environment(seed: u64) -> Box<dyn beryl_sim::Environment> {{\n{body}}}\n"
    )
}
