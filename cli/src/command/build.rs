//! `beryl build`: builds the image to flash.

use std::process::ExitCode;

use beryl_builder::image;
use beryl_builder::stacks::{Need, Stack};

use crate::SystemFolder;
use crate::command::board::Chosen;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{load, workshop};
use crate::proof;

/// Build the image.
#[derive(clap::Args)]
#[command(
    after_help = "Stacks are computed from the linked programs; one that is too small for its thread is refused.\n\n\
                  Example:\n  beryl build examples/helicopter"
)]
pub struct Build {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: Chosen,
    /// Build it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
}

impl Build {
    /// Builds, and prints where everything is.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        if !proof::show(&project, console) && !self.unchecked {
            proof::how_to_go_on("build", console);
            return Ok(ExitCode::from(REFUSED));
        }
        let built = image::build(&project, &workshop(), |step| console.step(step))?;
        console.title("Memory");
        built.plan.to_string().lines().for_each(|line| console.say(format_args!("  {line}")));
        show_stacks(&built.stacks, console);
        console.say(format_args!(
            "\n{}: {} bytes, beside it the sources and listings it is made of",
            built.image.display(),
            built.flash
        ));
        console.object(&serde_json::json!({ "image": built.image, "bytes": built.flash }));
        Ok(ExitCode::from(WELL))
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
