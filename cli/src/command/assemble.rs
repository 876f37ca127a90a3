//! `beryl assemble`: hand-written system code, from text to a container and back.

mod certify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_assembler::{Program, assemble, disassemble};
use beryl_builder::board::Board;
use beryl_builder::workshop::replace;
use beryl_syscode::Container;
use beryl_syscode::check::{Refusal, Rights, Structure};

use crate::broken;
use crate::command::board::named;
use crate::console::{Console, Failure, WELL};

/// Make a container of system code from its text, or a text from a container.
///
/// A container for a slot has the names of the image's programs, in their order: begin with the text of one
/// that `beryl build` has left.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl build examples/landing
  beryl assemble build/landing/land.bsc --out slower.bsa       the text of a container
  beryl assemble slower.bsa --out slower.bsc                   and back, when it has been changed
  beryl swap examples/landing slower.bsc
  beryl assemble examples/sampler/by_pulse.bsa --certify examples/sampler --out by_pulse.bsc
    by_pulse.bsc: 10 instructions, 210 bytes
      certified for slot `Sampler` of sampler; the target checks that in 51 steps

The text: docs/reference/system-code.md")]
pub struct Assemble {
    /// A text (*.bsa), or a container (*.bsc).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the result goes [a container beside its text; a text to standard output].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Give the program the certificate for its module's slot in this system: a program that waits for events
    /// needs one.
    #[arg(long, value_name = "SYSTEM")]
    certify: Option<PathBuf>,
    /// The board of that system, if not the one that its description names: the text has its ticks, and its lines.
    #[arg(long, value_name = "BOARD", value_parser = named, requires = "certify")]
    board: Option<&'static Board>,
}

impl Assemble {
    /// Assembles or disassembles; writes nothing if there is a mistake.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let bytes = fs::read(&self.file).with_context(|| format!("can't read {}", self.file.display()))?;
        let is_container = bytes.starts_with(b"BSC");
        let (mut program, tick) = match (is_container, &self.certify) {
            (true, None) => return self.to_text(&bytes, console),
            (true, Some(_)) => (self.of_container(&bytes)?, None),
            (false, _) => self.of_text(bytes)?,
        };
        let out = self.out.clone().unwrap_or_else(|| self.file.with_extension("bsc"));
        self.must_be_another(&out)?;
        let shown = self.file.display().to_string();
        let certified = self.certify.as_deref().map(|system| {
            certify::give(&mut program, &certify::target(system, self.board, tick, &shown)?, &shown)
        });
        let certified = certified.transpose()?;
        let bytes = program.to_bytes();
        replace(&out, &bytes)?;
        let (instructions, length) = (program.code.len(), bytes.len());
        console.say(format_args!("{}: {instructions} instructions, {length} bytes", out.display()));
        if let Some(certified) = &certified {
            console.say(format_args!(
                "  certified for slot `{}` of {}; the target checks that in {} steps",
                program.module, certified.system, certified.steps
            ));
        }
        let broken = broken_rule(&bytes);
        if let Some((refusal, run)) = &broken {
            console.say(format_args!("  who checks it will refuse it: {refusal}\n{}", run.trim_end()));
        }
        let refused = broken.as_ref().map(|(refusal, _)| refusal.to_string());
        let run: Vec<_> = broken.iter().flat_map(|(_, run)| run.lines()).collect();
        console.object(&serde_json::json!({
            "container": out.display().to_string(), "instructions": instructions, "bytes": length,
            "refused": refused, "run": run, "certificate": program.certificate,
            "steps": certified.map(|certified| certified.steps),
        }));
        Ok(ExitCode::from(WELL))
    }

    /// A program, and the nanoseconds of its ticks, if its text says so.
    fn of_text(&self, bytes: Vec<u8>) -> Result<(Program, Option<u64>), Failure> {
        let shown = self.file.display();
        let text = String::from_utf8(bytes)
            .map_err(|_| anyhow!("{shown} is neither UTF-8 text nor a container of system code"))?;
        let program = assemble(&text).map_err(|mistakes| {
            let lines: Vec<_> = mistakes.iter().map(|mistake| format!("{shown}:{mistake}")).collect();
            anyhow!("{}", lines.join("\n"))
        })?;
        Ok((program, beryl_assembler::tick(&text)))
    }

    fn of_container(&self, bytes: &[u8]) -> Result<Program, Failure> {
        let program = Program::from_bytes(bytes).map_err(|reason| {
            anyhow!(
                "{}: {reason}; build the system again with `beryl build`, and copy the file whole",
                self.file.display()
            )
        })?;
        Ok(program)
    }

    fn to_text(&self, bytes: &[u8], console: &Console) -> Result<ExitCode, Failure> {
        let text = disassemble(&self.of_container(bytes)?);
        match &self.out {
            Some(out) => {
                self.must_be_another(out)?;
                replace(out, text.as_bytes())?;
                console.say(format_args!("{}: {} lines", out.display(), text.lines().count()));
            }
            None => console.say(text.trim_end()),
        }
        console.object(&serde_json::json!({ "text": text }));
        Ok(ExitCode::from(WELL))
    }

    /// Refuses to overwrite the input.
    fn must_be_another(&self, out: &Path) -> Result<(), Failure> {
        match out == self.file {
            true => {
                Err(anyhow!("{} would be written over; name another file with --out", out.display()).into())
            }
            false => Ok(()),
        }
    }
}

/// The structural rule that a program breaks, with the shortest run: any sequence of words can be assembled.
fn broken_rule(bytes: &[u8]) -> Option<(Refusal, String)> {
    let container = Container::read(bytes).ok()?;
    let mut marks = vec![0; container.length()];
    let refusal = Structure::new(container, Rights::ALL, &mut marks).run().err()?;
    Some((refusal, broken::way(container, refusal)))
}
