//! `beryl build`: builds the image to flash.

use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::stacks::{Need, Stack};
use beryl_builder::{Project, image};

use crate::SystemFolder;
use crate::command::board::Chosen;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{load, workshop};
use crate::{nodes, proof};

/// Build the image.
#[derive(clap::Args)]
#[command(
    after_help = "Stacks are computed from the linked programs; one that is too small for its thread is refused.\n\n\
                  Examples:\n  beryl build examples/helicopter\n  \
                  beryl build examples/formation                 an image for each of its nodes\n  \
                  beryl build examples/graft --process speaker     one process, for a system that runs"
)]
pub struct Build {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: Chosen,
    /// Build one process alone, to replace that of a running system; the image stays as it is.
    #[arg(long, value_name = "NAME")]
    process: Option<String>,
    /// Build it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
}

impl Build {
    /// Builds, and prints where everything is.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        // A process is one of one node: who names none hears so.
        if self.process.is_none()
            && let Some(system) = nodes::described(&self.system.folder, self.chosen.variant(), console)?
        {
            if !nodes::are_read_in_time(&system, console) && !self.unchecked {
                proof::how_to_go_on("build", console);
                return Ok(ExitCode::from(REFUSED));
            }
            let mut code = WELL;
            for node in &system.on_boards() {
                nodes::title(node, console);
                code = code.max(self.image(&node.project, console)?);
            }
            return Ok(ExitCode::from(code));
        }
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        match &self.process {
            Some(process) if self.may_be_built(&project, console) => alone(&project, process, console),
            Some(_) => Ok(ExitCode::from(REFUSED)),
            None => self.image(&project, console).map(ExitCode::from),
        }
    }

    /// Prints the proof; whether it holds, or doesn't have to.
    fn may_be_built(&self, project: &Project, console: &Console) -> bool {
        let may_be = proof::show(project, console) || self.unchecked;
        if !may_be {
            proof::how_to_go_on("build", console);
        }
        may_be
    }

    /// Builds the image of a system or of a node.
    fn image(&self, project: &Project, console: &Console) -> Result<u8, Failure> {
        if !self.may_be_built(project, console) {
            return Ok(REFUSED);
        }
        let built = image::build(project, &workshop(), |step| console.step(step))?;
        console.title("Memory");
        built.plan.to_string().lines().for_each(|line| console.say(format_args!("  {line}")));
        show_stacks(&built.stacks, console);
        console.say(format_args!(
            "\n{}: {} bytes, beside it the sources and listings it is made of",
            built.image.display(),
            built.flash
        ));
        console.object(&serde_json::json!({ "image": built.image, "bytes": built.flash }));
        Ok(WELL)
    }
}

/// Builds a process alone, and prints what it takes.
fn alone(project: &Project, name: &str, console: &Console) -> Result<ExitCode, Failure> {
    let process = replaceable(project, name)?;
    let built = image::replacement(project, &workshop(), process, |step| console.step(step))?;
    show_stacks(&built.stacks, console);
    console.say(format_args!(
        "\nprocess {name}: {} of {} bytes, once for each of its rooms: a running system takes the one for the room that is free",
        built.bytes, built.room
    ));
    built.files.iter().for_each(|file| console.say(format_args!("  {}", file.display())));
    console.object(&serde_json::json!({ "process": name, "files": built.files, "bytes": built.bytes }));
    Ok(ExitCode::from(WELL))
}

/// The position of a process that can be replaced.
fn replaceable(project: &Project, name: &str) -> anyhow::Result<usize> {
    let processes = &project.assembly.processes;
    let Some(process) = processes.iter().position(|process| process.name == name) else {
        let names: Vec<_> = processes.iter().map(|process| format!("`{}`", process.name)).collect();
        return Err(anyhow!("there is no process `{name}`; the system has {}", names.join(", ")));
    };
    match project.assembly.objects.replaceable.iter().any(|row| row.process == process) {
        true => Ok(process),
        false => Err(anyhow!(
            "process `{name}` can't be replaced; write `replaceable = \"8k\"` in [process.{name}], and build and load that image first"
        )),
    }
}

/// Prints the stack size that each thread needs.
fn show_stacks(stacks: &[Stack], console: &Console) {
    console.title("Stacks");
    let width = stacks.iter().map(|stack| stack.thread.chars().count()).max().unwrap_or(0);
    for stack in stacks {
        let Stack { thread, declared, .. } = stack;
        let need = match &stack.need {
            Need::Computed(bytes) => {
                format!("{bytes:>6} needed at most, {:>6} left", declared.saturating_sub(*bytes))
            }
            Need::Declared(reason) => format!("as declared; not computed: {reason}"),
        };
        console.say(format_args!("  {thread:width$} {declared:>6} bytes, {need}"));
    }
}
