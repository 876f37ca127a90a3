//! From a project to the image: processes linked one by one, the kernel last, all merged.
//!
//! ```text
//!   glue + application --cargo--> libprocess.a --link--> process.elf --+
//!   tables, layout ---------------cargo-----------------> kernel.elf --+--merge--> image.bin
//! ```
//! Everything in RAM has its place already: variables get what the description allows. In flash, places are known
//! once sizes are: see `image/placing.rs`.

mod kernel;
mod placing;
mod process;
mod replacement;
mod same_bits;
mod switches;
mod window;

use std::path::{Path, PathBuf};

use beryl_trace::log::Statements;

use crate::alone::Alone;
use crate::application::Application;
use crate::assembly::{Assembly, Home};
use crate::board::{code, code_at};
use crate::c::{Compiled, Machine, compile};
use crate::emit::container::containers;
use crate::emit::manifest::{Dependency, package, patches, workspace};
use crate::emit::process::{has_slots, identity_symbol};
use crate::emit::{File, c, identifier};
use crate::error::BuildError;
use crate::functions::refused;
use crate::identity::Identity;
use crate::plan::Plan;
use crate::project::Project;
use crate::quantity::Bytes;
use crate::simulate::listings;
use crate::stacks::Stack;
use crate::statements;
use crate::toolchain::{Toolchain, crates};
use crate::workshop::{Workshop, lock_versions, replace};
use placing::{InFlash, Site};
use process::ProcessImage;
pub use process::loads;
pub use replacement::{Replacement, replacement};

/// A built image.
#[derive(Clone, Debug)]
pub struct Built {
    /// What is flashed, from the start of the flash.
    pub image: PathBuf,
    /// The same for an emulated board with somebody at its console's line, if that is possible: its idle thread doesn't
    /// sleep.
    pub awake: Option<PathBuf>,
    /// The kernel alone, with symbols.
    pub kernel: PathBuf,
    /// Where everything is, text included.
    pub plan: Plan,
    /// Bytes of flash that the image takes.
    pub flash: u32,
    /// The image's identity.
    pub identity: Identity,
    /// How large stacks are, and what they need.
    pub stacks: Vec<Stack>,
    /// What its log statements say.
    pub statements: Statements,
}

/// Builds the image of a project. `step` is told what is being done.
///
/// # Errors
/// What the compiler says about the application, and limits that only linked programs show.
pub fn build(
    project: &Project,
    workshop: &Workshop,
    mut step: impl FnMut(&str),
) -> Result<Built, BuildError> {
    let toolchain = Toolchain::find(project.plan.board.processor.target)?;
    let folder = workshop.folder(&project.assembly.name);
    let _alone = Alone::in_folder(&folder)?;
    workshop.write(&project.assembly.name, &sources(project, workshop)?)?;
    workshop.write(&project.assembly.name, &listings(project)?)?;
    for (name, bytes) in containers(project) {
        replace(&folder.join(name), &bytes)?;
    }
    lock_versions(&folder.join("image"))?;
    let objects = Objects::compiled(project, workshop)?;
    step("compiling the processes");
    let all: Vec<_> = (0..project.assembly.processes.len()).collect();
    cargo(project, workshop, "process", &all)?;
    let site = Site { project, workshop, toolchain: &toolchain, objects: &objects };
    let InFlash { plan, processes, kernel, stacks } = site.place(&mut step)?;
    let mut merged = merge(&plan, &kernel, &processes)?;
    let kernel_file = folder.join("kernel.elf");
    replace(&kernel_file, &kernel)?;
    let identity = Identity::seal(&mut merged, &identity_places(project, &plan, &processes)?);
    let image = folder.join("image.bin");
    replace(&image, &merged)?;
    replace(&folder.join("identity.txt"), format!("{identity}\n").as_bytes())?;
    replace(&folder.join("regions.txt"), plan.to_string().as_bytes())?;
    let awake = wide_awake(&folder, &plan, &merged, &processes)?;
    let flash = u32::try_from(merged.len()).unwrap_or(u32::MAX);
    let statements = statements::of_processes(processes.iter().map(ProcessImage::named))?;
    Ok(Built { image, awake, kernel: kernel_file, plan, flash, identity, stacks, statements })
}

/// The kernel of a system alone, linked behind its tables, for whoever measures it. It doesn't need the application,
/// and doesn't know where the code of processes is.
///
/// # Errors
/// What the compiler says.
pub fn kernel_alone(project: &Project) -> Result<Vec<u8>, BuildError> {
    let processor = project.plan.board.processor;
    let toolchain = Toolchain::find(processor.target)?;
    kernel::linked(
        processor,
        &toolchain,
        &kernel::sources(project, &project.plan, &kernel::without_processes(project))?,
    )
}

/// Bytes of flash that the kernel of a system takes, wherever it is placed. It is compiled to find out.
///
/// # Errors
/// What the compiler says.
pub fn kernel_size(project: &Project) -> Result<Bytes, BuildError> {
    let end = kernel::end(&kernel_alone(project)?)?;
    let size = end.saturating_sub(project.plan.board.flash.base);
    Ok(Bytes::new(size.saturating_add(placing::MARGIN)))
}

fn process_package(project: &Project, workshop: &Workshop, process: usize) -> String {
    workshop.package(&project.assembly.name, &identifier(&project.assembly.processes[process].name))
}

/// What a process is compiled for.
fn process_target(project: &Project, process: usize) -> &'static str {
    let is_floating = project.assembly.processes.get(process).is_some_and(|row| row.is_floating);
    project.plan.board.target(is_floating)
}

/// What was in C: for processes without floating point in hardware, and for those with it, as far as there are any.
struct Objects([Compiled; 2]);

impl Objects {
    fn compiled(project: &Project, workshop: &Workshop) -> Result<Objects, BuildError> {
        let of = |machine, is_floating| {
            let rows = &project.assembly.processes;
            match rows.iter().any(|row| row.is_floating == is_floating) {
                true => compile(project, workshop, machine),
                false => Ok(Compiled::default()),
            }
        };
        Ok(Objects([of(Machine::Board, false)?, of(Machine::Floating, true)?]))
    }

    /// Those of a process.
    fn of(&self, project: &Project, process: usize) -> &Compiled {
        let Objects([software, hardware]) = self;
        let is_floating = project.assembly.processes.get(process).is_some_and(|row| row.is_floating);
        if is_floating { hardware } else { software }
    }
}

/// The generated workspace of the processes.
fn sources(project: &Project, workshop: &Workshop) -> Result<Vec<File>, BuildError> {
    let assembly = &project.assembly;
    let folder =
        project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))?;
    let application = Application::of(project, workshop, &assembly.name, &folder)?;
    let root = crates()?;
    let (abi, user) = (root.join("kernel/abi"), root.join("user"));
    let dependencies = [
        Dependency { name: "beryl-abi", package: "beryl-abi", path: &abi, features: &[] },
        Dependency {
            name: "beryl-user",
            package: "beryl-user",
            path: &user,
            features: project.plan.board.user,
        },
        application.dependency(),
    ];
    let mut files = application.files.clone();
    let mut members = Vec::new();
    for (index, row) in assembly.processes.iter().enumerate() {
        let name = identifier(&row.name);
        let path = format!("image/{name}");
        let library = "[lib]\ncrate-type = [\"staticlib\"]\n\n";
        files.push(package(&path, &process_package(project, workshop, index), library, &dependencies));
        files.push(File { path: format!("{path}/src/lib.rs"), text: process_root(assembly, index) });
        let glue = crate::emit::process::process(project, index, Identity::NONE);
        files.push(File {
            path: format!("{path}/src/glue.rs"),
            text: glue + &c::definitions(assembly, &project.places),
        });
        members.push(name);
    }
    files.push(workspace("image", &members, &patches(&root, &folder)));
    Ok(files)
}

/// The root of a process's crate: the glue, what its ports start with, and in the first process
/// what is published at the start and the idle thread.
fn process_root(assembly: &Assembly, index: usize) -> String {
    let mut text = format!(
        "//! Process `{}`. Written by the builder; changes are lost.\n#![no_std]\n\nmod glue;\npub use glue::*;\n",
        assembly.processes[index].name
    );
    let ports = assembly.cells.image(Home::Process(index));
    text += &crate::emit::process::words("BERYL_PORTS", "What the ports hold at the start.", &ports);
    if index == 0 {
        let published = assembly.cells.image(Home::Published);
        text +=
            &crate::emit::process::words("BERYL_PUBLISHED", "What is published at the start.", &published);
        let idle = if assembly.sleeps.is_empty() { "idle" } else { "sleep" };
        text += &format!(
            "\n/// The idle thread.\n#[unsafe(no_mangle)]\npub extern \"C\" fn thread_idle() -> ! {{\n    \
             beryl_user::task::{idle}()\n}}\n"
        );
    }
    text
}

/// Compiles processes, each for its target.
fn cargo(
    project: &Project,
    workshop: &Workshop,
    profile: &str,
    processes: &[usize],
) -> Result<(), BuildError> {
    let workspace = workshop.folder(&project.assembly.name).join("image");
    let board = project.plan.board;
    let mut targets = vec![board.target(false), board.target(true)];
    targets.dedup();
    for target in targets {
        let of_it: Vec<_> =
            processes.iter().filter(|process| process_target(project, **process) == target).collect();
        if of_it.is_empty() {
            continue;
        }
        let mut command = Toolchain::find(target)?.cargo(target, workshop.target());
        command.args(["--profile", profile, "--manifest-path"]).arg(workspace.join("Cargo.toml"));
        of_it.into_iter().for_each(|process| {
            command.args(["--package", &process_package(project, workshop, *process)]);
        });
        refused::cargo("compiling the processes", command, project, &workspace)?;
    }
    Ok(())
}

/// Leaves the image with an idle thread that doesn't sleep, beside the other.
fn wide_awake(
    folder: &Path,
    plan: &Plan,
    image: &[u8],
    processes: &[ProcessImage],
) -> Result<Option<PathBuf>, BuildError> {
    let Some(first) = processes.first() else { return Ok(None) };
    let address = code_at(first.symbol("thread_idle")?);
    let idle = usize::try_from(address.saturating_sub(plan.board.flash.base)).unwrap_or(usize::MAX);
    let Some(bytes) = code::awake::awake(image, idle, plan.board.processor.rest) else { return Ok(None) };
    let path = folder.join("awake.bin");
    replace(&path, &bytes)?;
    Ok(Some(path))
}

/// Where in the image its identity stands: once in each process that writes slots.
fn identity_places(
    project: &Project,
    plan: &Plan,
    processes: &[ProcessImage],
) -> Result<Vec<usize>, BuildError> {
    let rows = project.assembly.processes.iter().zip(processes).enumerate();
    let with_slots = rows.filter(|(index, _)| has_slots(&project.assembly, *index));
    let place = |(_, (row, process)): (usize, (&crate::assembly::Process, &ProcessImage))| {
        let address = process.symbol(&identity_symbol(&row.name))?;
        Ok(usize::try_from(address.saturating_sub(plan.board.flash.base)).unwrap_or(usize::MAX))
    };
    with_slots.map(place).collect()
}

/// The content of the flash: the kernel, then the processes, with gaps filled by ones as in erased flash.
fn merge(plan: &Plan, kernel: &[u8], processes: &[ProcessImage]) -> Result<Vec<u8>, BuildError> {
    let kernel = process::loads(kernel)?;
    let kernel = kernel.iter().map(|(address, bytes)| (*address, bytes.as_slice()));
    let loads = kernel.chain(processes.iter().flat_map(ProcessImage::loads)).map(|(address, bytes)| {
        let start = usize::try_from(address.saturating_sub(plan.board.flash.base)).unwrap_or(usize::MAX);
        (start..start.saturating_add(bytes.len()), bytes)
    });
    let loads: Vec<_> = loads.collect();
    let length = loads.iter().map(|(place, _)| place.end).max().unwrap_or(0);
    let limit = plan.limits.flash.get();
    if length > usize::try_from(limit).unwrap_or(usize::MAX) {
        return Err(BuildError::Limit {
            message: format!("the image has {length} bytes, the description allows {limit} of flash"),
            proposal: format!(
                "raise `flash` in [board] to \"{}k\", or make the application smaller",
                length.div_ceil(1024)
            ),
        });
    }
    let mut image = vec![0xFF; length];
    for (place, bytes) in loads {
        image[place].copy_from_slice(bytes);
    }
    Ok(image)
}

#[cfg(test)]
mod tests;
