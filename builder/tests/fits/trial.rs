//! One system on trial: what is said of it before it is built is held to what is built.

use std::fs;
use std::num::NonZero;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use beryl_builder::footprint::{self, MARGIN, Tables};
use beryl_builder::image::{Built, build, kernel_size};
use beryl_builder::plan::{Interval, Linked};
use beryl_builder::quantity::Bytes;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{BuildError, Project, Variant};
use beryl_testing::{Draw, SplitMix64 as Random};
use object::{Object, ObjectSection, ObjectSymbol};

use crate::systems::System;

/// Nobody is refused who has so much more than what the system takes.
pub const MOST_TO_SPARE: u64 = 2048;
const MOST_OF_RAM_TO_SPARE: u64 = 64;

/// The folder that all tests share in which images are built: what is compiled once serves them all.
pub fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace");
    beryl_testing::folder(&root)
}

/// Who builds systems: one of several at a time, each with files and a folder of compiled things of its own.
/// (Cargo builds one thing at a time in a folder.) The first shares the folder of all tests.
#[derive(Clone, Copy, Debug)]
pub struct Worker(pub usize);

impl Worker {
    /// What its systems are called.
    pub fn name(self) -> String {
        if self.0 == 0 { "fits".to_owned() } else { format!("fits{}", self.0) }
    }

    pub fn workshop(self) -> Workshop {
        let own = folder().join("workers").join(self.0.to_string());
        Workshop::new(&if self.0 == 0 { folder() } else { own })
    }
}

/// How many systems may be built at a time: as many as there are processors.
pub fn all_workers() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Does something with each seed, several at a time, and says how far it is. One that goes wrong is told at
/// the end, behind all others.
pub fn each<R: Send>(seeds: Range<u64>, workers: usize, work: impl Fn(Worker, u64) -> R + Sync) -> Vec<R> {
    let (next, begun, count) = (AtomicU64::new(seeds.start), Instant::now(), seeds.end - seeds.start);
    let results = Mutex::new(Vec::new());
    let run = |worker| {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.contains(&seed) {
                break;
            }
            let result = catch_unwind(AssertUnwindSafe(|| work(worker, seed)));
            let mut results = results.lock().expect("nothing fails while it is held");
            results.push((seed, result));
            let (done, seconds) = (results.len() as u64, begun.elapsed().as_secs());
            println!(
                "{done} of {count}: {seconds} s so far, about {} s left",
                seconds * (count - done) / done
            );
        }
    };
    thread::scope(|scope| {
        for worker in (0..workers).map(Worker) {
            let run = &run;
            scope.spawn(move || run(worker));
        }
    });
    let mut results = results.into_inner().expect("nothing failed while it was held");
    results.sort_by_key(|(seed, _)| *seed);
    let wrong: Vec<_> = results.iter().filter(|(_, result)| result.is_err()).map(|(seed, _)| seed).collect();
    assert!(wrong.is_empty(), "seeds {wrong:?} went wrong; what is said above tells how");
    results.into_iter().filter_map(|(_, result)| result.ok()).collect()
}

/// Keeps other tests away from a system's files until it is dropped.
pub fn lock(name: &str) -> fs::File {
    fs::create_dir_all(folder()).expect("a folder");
    let file = fs::File::create(folder().join(format!("{name}.lock"))).expect("a lock file");
    file.lock().expect("a lock");
    file
}

/// A system in a folder of its own, with these limits.
pub fn load(name: &str, system: &System, flash: &str, ram: &str) -> Result<Project, BuildError> {
    let systems = folder().join("fits");
    let (place, application) = (systems.join(name), systems.join("app"));
    let user = Path::new(env!("CARGO_MANIFEST_DIR")).join("../user").canonicalize().expect("a crate");
    let manifest = format!(
        "[package]\nname = \"fits\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nbase = {{ package = \"beryl-user\", path = {user:?} }}\n"
    )
    .replace("base", "beryl-user");
    let files = [
        (application.join("Cargo.toml"), manifest),
        (application.join("src/lib.rs"), include_str!("application.rs").to_owned()),
        (place.join("beryl.toml"), system.description(name, flash, ram)),
        (place.join("random.tdl"), system.timing.clone().unwrap_or_default()),
    ];
    {
        // Several systems at a time have one application.
        let _lock = lock("app");
        for (path, text) in files {
            replace(&path, text.as_bytes())?;
        }
    }
    Project::load(&place, Variant::default())
}

/// The same as `beryl check` reads it: known to have room for its kernel.
fn checked(worker: Worker, system: &System, flash: u64, ram: u64) -> Result<Project, BuildError> {
    load(&worker.name(), system, &size(flash), &size(ram))?.settled(|_| {})
}

/// A size as a description writes it.
pub fn size(bytes: u64) -> String {
    bytes.to_string()
}

/// Everything that is said of an error.
pub fn told(wrong: BuildError) -> String {
    format!("{:?}", miette::Report::new(wrong))
}

/// What a linked kernel has, and where.
pub struct Kernel(Vec<u8>);

impl Kernel {
    pub fn read(path: &Path) -> Kernel {
        Kernel(fs::read(path).expect("a kernel"))
    }

    pub fn of(bytes: Vec<u8>) -> Kernel {
        Kernel(bytes)
    }

    /// Bytes of flash.
    pub fn flash(&self) -> u64 {
        let sections = [".vector_table", ".text", ".rodata", ".data"].map(|name| self.section(name));
        sections.into_iter().sum()
    }

    /// Bytes of variables.
    pub fn variables(&self) -> u64 {
        [".data", ".bss", ".uninit"].map(|name| self.section(name)).into_iter().sum()
    }

    fn section(&self, name: &str) -> u64 {
        let file = object::File::parse(self.0.as_slice()).expect("a linked kernel");
        file.section_by_name(name).map_or(0, |section| section.size())
    }

    /// Sizes of the statics whose names begin so, and of those without a name.
    fn statics(&self, name: &str) -> Vec<u64> {
        let file = object::File::parse(self.0.as_slice()).expect("a linked kernel");
        let is = |symbol: &object::Symbol<'_, '_>| symbol.name().is_ok_and(|own| own.contains(name));
        file.symbols().filter(is).map(|symbol| symbol.size()).collect()
    }
}

/// What is planned for a kernel is enough for it, and no more above than its prediction may have been wrong below.
fn check_bound(project: &Project, kernel: &Kernel) {
    let planned: u64 = footprint::flash(project).get().into();
    let taken = kernel.flash();
    println!(
        "planned {planned} for {taken}: predicted {} too much",
        planned.cast_signed() - (taken + u64::from(MARGIN)).cast_signed()
    );
    assert!(
        (taken..=taken + 2 * u64::from(MARGIN)).contains(&planned),
        "{planned} bytes are planned for a kernel of {taken}: if the kernel has changed, measure it again (`./x bench fits --record`)"
    );
}

/// What `check` measures where a bound is too much, without processes, is what the kernel takes beside them.
fn check_measure(project: &Project, kernel: &Kernel) {
    const MOST_BESIDE: u64 = 128;
    let measured = kernel_size(project).unwrap_or_else(|wrong| panic!("{}", told(wrong)));
    let (measured, taken) = (u64::from(measured.get()), kernel.flash());
    println!("measured {measured} for {taken}");
    assert!(
        (taken..=taken + MOST_BESIDE).contains(&measured),
        "a kernel of {taken} is measured as {measured}"
    );
}

/// Tables are as large as they were counted, to the byte, and variables, but for what aligns them.
fn check_tables(project: &Project, kernel: &Kernel) {
    let (assembly, programs) = (&project.assembly, &project.programs);
    let tables = Tables::of(assembly);
    assert_eq!(kernel.statics("6tables6SYSTEM"), [tables.system()], "the kernel's tables");
    let named =
        ["6CODE_", "DURATIONS_", "CONDITIONS_"].map(|name| kernel.statics(name).into_iter().sum::<u64>());
    let counted: u64 = programs.iter().map(|program| tables.program(program)).sum();
    assert_eq!(named.into_iter().sum::<u64>(), counted, "system code");
    let (planned, taken) = (
        u64::from(footprint::ram(project.plan.board.processor, assembly, &project.slots).get())
            - footprint::STACK,
        kernel.variables(),
    );
    assert!(
        (taken..=taken + MOST_OF_RAM_TO_SPARE).contains(&planned),
        "{planned} bytes for variables of {taken}"
    );
}

/// The kernel's code with its constants, where tables have rows of these sizes.
pub fn code(project: &Project, kernel: &Kernel, tables: &Tables<'_>) -> u64 {
    kernel.flash()
        - project.description.board.board.vectors()
        - tables.flash(&project.programs, &project.supplies)
}

/// What a system needs of flash in truth, in the plan with the smallest share for its kernel.
fn needed(project: &Project, built: &Built) -> u64 {
    let kernel = Bytes::new(u32::try_from(Kernel::read(&built.kernel).flash()).expect("it fits"));
    let linked = |process: &beryl_builder::plan::ProcessPlan| {
        let [text, data, zeros] = [process.text, process.load, Interval::EMPTY].map(Interval::length);
        Linked { text, data: data.min(process.data.length()), zeros }
    };
    let linked: Vec<_> = built.plan.processes.iter().map(linked).collect();
    project.plan_flash(kernel, &linked).expect("it fits").flash_used().get().into()
}

/// What came of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Built,
    /// By `check`, already.
    RefusedAtOnce,
    /// By `build`, for what its processes take.
    Refused,
    /// Whatever room there is: a band by code is drawn with tasks that no code can schedule.
    NoSchedule,
}

/// Builds a system where there is room, then where there is just enough or too little.
pub fn try_it(worker: Worker, seed: u64, system: &System) -> Outcome {
    let (name, workshop) = (&*worker.name(), worker.workshop());
    let project = match load(name, system, "4M", "4M").map_err(told) {
        Ok(project) => project,
        Err(said) if said.contains("can't be scheduled by code") => return Outcome::NoSchedule,
        Err(said) => panic!("{seed}: {said}"),
    };
    let built = build(&project, &workshop, |_| {});
    let built = built.unwrap_or_else(|wrong| panic!("{seed}: {}", told(wrong)));
    let (kernel, needed) = (Kernel::read(&built.kernel), needed(&project, &built));
    check_tables(&project, &kernel);
    check_bound(&project, &kernel);
    check_measure(&project, &kernel);
    let ram = u64::from(project.plan.ram_used().get());
    assert!(load(name, system, "4M", &size(ram - 1)).is_err(), "{seed}: {ram} bytes of RAM");
    let mut random = Random(seed);
    let flash = match random.under(3) {
        0 => needed + MOST_TO_SPARE,
        1 => needed - 1 - random.under(needed / 4),
        _ => needed - 1 + random.under(MOST_TO_SPARE),
    };
    let (outcome, said) = match checked(worker, system, flash, ram) {
        Err(wrong) => (Outcome::RefusedAtOnce, told(wrong)),
        Ok(project) => match build(&project, &workshop, |_| {}) {
            Ok(built) => {
                assert!(u64::from(built.flash) <= flash, "{seed}: {} of {flash} bytes", built.flash);
                (Outcome::Built, String::new())
            }
            Err(wrong @ BuildError::Plan(_)) => (Outcome::Refused, told(wrong)),
            Err(wrong) => panic!("{seed}: {}", told(wrong)),
        },
    };
    match outcome {
        Outcome::Built => assert!(flash >= needed, "{seed}: {flash} of {needed} bytes are enough"),
        Outcome::Refused | Outcome::RefusedAtOnce | Outcome::NoSchedule => {
            assert!(
                flash < needed + MOST_TO_SPARE,
                "{seed}: {flash} bytes aren't enough for {needed}: {said}"
            );
            check_refusal(worker, seed, system, &project, outcome, ram, &said);
        }
    }
    outcome
}

/// A refusal counts bytes, of each process if it is for those, and proposes what helps.
fn check_refusal(
    worker: Worker,
    seed: u64,
    system: &System,
    project: &Project,
    outcome: Outcome,
    ram: u64,
    said: &str,
) {
    let said = said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ");
    assert!(said.contains("bytes of flash") && said.contains("kernel "), "{seed}: {said}");
    if outcome == Outcome::Refused {
        let assembly = &project.assembly;
        let with_code = |(index, _): &(usize, _)| assembly.threads_of(*index).next().is_some();
        for (_, process) in assembly.processes.iter().enumerate().filter(with_code) {
            assert!(said.contains(&format!("process `{}` ", process.name)), "{seed}: {said}");
        }
    }
    let allowed =
        said.split_once("allow \"").and_then(|(_, rest)| rest.split_once('"')).expect("a proposal").0;
    let helped = load(&worker.name(), system, allowed, &size(ram))
        .and_then(|project| project.settled(|_| {}))
        .unwrap_or_else(|wrong| panic!("{seed}: {}", told(wrong)));
    if outcome == Outcome::Refused {
        build(&helped, &worker.workshop(), |_| {}).unwrap_or_else(|wrong| panic!("{seed}: {}", told(wrong)));
    }
}
