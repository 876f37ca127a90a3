//! `beryl test`: the unit tests of a system's crates.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Context;
use beryl_builder::environment::is_crate;
use beryl_builder::{Project, Variant, toolchain};

use crate::SystemFolder;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::home;

/// Run the unit tests of a system's crates: of its application, and of its environment if it has one.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  beryl test .\n  beryl test . -- --nocapture\n\nIt is `cargo test` in each crate, with Beryl's crates where cargo finds them."
)]
pub struct Test {
    #[command(flatten)]
    system: SystemFolder,
    /// What follows is for the tests' programs.
    #[arg(last = true, value_name = "ARGUMENTS")]
    others: Vec<String>,
}

impl Test {
    /// Runs them; what cargo says is shown as it comes.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = Project::load(&self.system.folder, Variant::default())?;
        let named = &self.system.folder;
        let folder = named.canonicalize().with_context(|| format!("can't find {}", named.display()))?;
        let products = toolchain::products()?.unwrap_or_else(|| folder.join("target")).join("test");
        let system = &project.description.system;
        let environment = system.environment.as_ref().filter(|name| is_crate(&name.value));
        let crates = [system.application.as_ref(), environment];
        let places: Vec<_> = crates.into_iter().flatten().map(|name| folder.join(&name.value)).collect();
        if places.is_empty() {
            console.say("it has no crates to test: all of its functions are in C");
        } else {
            home::tell_cargo(&folder)?;
        }
        let mut failed = Vec::new();
        for place in places {
            console.step(format_args!("testing {}", place.display()));
            let mut cargo = cargo();
            cargo.arg("test").arg("--manifest-path").arg(place.join("Cargo.toml"));
            cargo.arg("--target-dir").arg(&products).current_dir(&folder);
            cargo.arg("--").args(&self.others);
            let status =
                cargo.status().context("cargo can't be started; `beryl doctor` says what is missing")?;
            if !status.success() {
                failed.push(place);
            }
        }
        console.object(&serde_json::json!({ "failed": failed }));
        Ok(ExitCode::from(if failed.is_empty() { WELL } else { REFUSED }))
    }
}

fn cargo() -> Command {
    let mut cargo =
        Command::new(std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from));
    cargo.env_remove("CARGO_TARGET_DIR");
    cargo
}
