//! `beryl build`: the image that is flashed.

use std::process::ExitCode;

use beryl_builder::{Project, Variant, image};

use crate::SystemFolder;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::workshop;
use crate::proof;

/// Build the image.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  beryl build examples/helicopter")]
pub struct Build {
    #[command(flatten)]
    system: SystemFolder,
    /// Build it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
}

impl Build {
    /// Builds and prints where everything is.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = Project::load(&self.system.folder, Variant::default())?;
        if !proof::show(&project, console) && !self.unchecked {
            proof::how_to_go_on("build", console);
            return Ok(ExitCode::from(REFUSED));
        }
        let built = image::build(&project, &workshop(), |step| console.step(step))?;
        console.title("Memory");
        built.plan.to_string().lines().for_each(|line| console.say(format_args!("  {line}")));
        console.say(format_args!(
            "\n{}: {} bytes, beside it the sources and listings it is made of",
            built.image.display(),
            built.flash
        ));
        console.object(&serde_json::json!({ "image": built.image, "bytes": built.flash }));
        Ok(ExitCode::from(WELL))
    }
}
