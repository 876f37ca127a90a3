//! `beryl fmt`: formats timing programs in their one layout.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_builder::BuildError;
use beryl_builder::workshop::replace;
use beryl_timing::{Source, format};

use crate::console::{Console, Failure, REFUSED, WELL};

/// Give timing programs their one layout.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  beryl fmt examples/helicopter\n  beryl fmt --check flight.tdl landing.tdl"
)]
pub struct Fmt {
    /// Timing programs (*.tdl), or folders with some.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Only say which would change; exit code 1 if any would.
    #[arg(long)]
    check: bool,
}

/// A program and its formatted text.
struct Formatted {
    path: PathBuf,
    before: String,
    after: String,
}

impl Fmt {
    /// Formats all files, or none if one of them can't be formatted.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let mut all = Vec::new();
        for path in &self.paths {
            for program in programs(path)? {
                all.push(formatted(program)?);
            }
        }
        let mut differs = false;
        for Formatted { path, before, after } in &all {
            let changes = before != after;
            differs |= changes;
            let shown = path.display();
            console.object(&serde_json::json!({ "file": shown.to_string(), "changes": changes }));
            if !changes {
                continue;
            }
            if self.check {
                console.say(format_args!("{shown} would change"));
            } else {
                replace(path, after.as_bytes())?;
                console.say(format_args!("{shown} changed"));
            }
        }
        if !differs {
            let files = if all.len() == 1 { "1 file".to_owned() } else { format!("{} files", all.len()) };
            console.say(format_args!("{files} in good order"));
        }
        Ok(ExitCode::from(if self.check && differs { REFUSED } else { WELL }))
    }
}

/// The file itself, or the timing programs of a folder, sorted by name.
fn programs(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = || format!("can't read the folder {}", path.display());
    let mut programs = Vec::new();
    for entry in fs::read_dir(path).with_context(unreadable)? {
        let program = entry.with_context(unreadable)?.path();
        if program.extension().is_some_and(|kind| kind == "tdl") && program.is_file() {
            programs.push(program);
        }
    }
    programs.sort();
    match programs.is_empty() {
        true => {
            Err(anyhow!("{} holds no timing program (*.tdl); name one, or its folder", path.display()).into())
        }
        false => Ok(programs),
    }
}

fn formatted(path: PathBuf) -> Result<Formatted, Failure> {
    let before = fs::read_to_string(&path).with_context(|| {
        format!("can't read {}; a timing program is a file of UTF-8 text", path.display())
    })?;
    let source = Source { name: path.display().to_string(), text: before };
    let after = format(&source).map_err(BuildError::Timing)?;
    Ok(Formatted { path, before: source.text, after })
}
