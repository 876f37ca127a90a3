//! `beryl trace html`: a trace as one web page.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::workshop::replace;
use beryl_trace::html::{self, Run};
use serde_json::json;

use super::opened::Opened;
use super::several::{self, OpenedSeveral};
use crate::console::{Console, Failure, WELL};

/// Write a trace as one web page that needs nothing else.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace html out/engine/sim.trace    writes out/engine/sim.html
  beryl trace html out/lift/sim.trace --beside out/lift/mps2-an385.trace    the values of both, one over the other
  beryl trace html out/formation/sim.kernels.json    all nodes and cores of a run on one axis

The page shows modes, lanes by process and thread, sensors, actuators, ports, locks and interrupts, zooms and pans, tells what
is under the pointer, and says why a job that is clicked was late or early. Below them are curves of values and of the load,
with cursors to measure between and a table of what can be seen. Of nodes and cores each has a group of lanes, and arrows lead from where one
has sent a value to the job of another one that has it. It needs no network. `?` on the page draws its signs and lists its keys.")]
pub struct Html {
    /// A trace, beside its names.json; or what a run of several nodes or cores has left in out/, as NAME.kernels.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Another run of the same system, beside its own names.json: its values are laid over those of the first.
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Where the page is written [beside the trace].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Html {
    /// Writes the page.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        if several::is_several(&self.file) {
            return self.several(console);
        }
        let opened = Opened::read(&self.file, console)?;
        let beside = self.beside.as_ref().map(|file| Opened::read(file, console)).transpose()?;
        let shown: Vec<&Opened> = [&opened].into_iter().chain(&beside).collect();
        let titles: Vec<String> = shown.iter().map(|one| one.title()).collect();
        console.step(format_args!("making the page of {} events", opened.events.len()));
        let logs = shown.iter().map(|one| one.log()).collect::<anyhow::Result<Vec<_>>>()?;
        let runs = shown.iter().zip(&titles).zip(&logs).map(|((one, title), log)| Run {
            events: &one.events,
            names: &one.names,
            title,
            log: log.as_ref(),
        });
        let page = html::page_of(&runs.collect::<Vec<_>>());
        let path = opened.result(self.output.as_deref(), "html");
        replace(&path, page.as_bytes())?;
        let (events, size) = (opened.events.len(), page.len());
        console.say(format_args!("{}: {events} events, {} kB", path.display(), size.div_ceil(1024)));
        console.object(&json!({ "page": path.display().to_string(), "events": events, "bytes": size }));
        Ok(shown.iter().find(|one| one.is_damaged).unwrap_or(&&opened).exit_code())
    }

    /// Writes the page of several kernels.
    fn several(&self, console: &Console) -> Result<ExitCode, Failure> {
        if self.beside.is_some() {
            let why = "`--beside` is about runs of one kernel; name a trace of one, and the other run's of the same";
            return Err(anyhow::anyhow!(why).into());
        }
        let opened = OpenedSeveral::read(&self.file, console)?;
        let events: usize = opened.kernels.iter().map(|kernel| kernel.events.len()).sum();
        console.step(format_args!("making the page of {events} events of {} kernels", opened.kernels.len()));
        let titles: Vec<String> = opened.kernels.iter().map(Opened::title).collect();
        let logs = opened.kernels.iter().map(Opened::log).collect::<anyhow::Result<Vec<_>>>()?;
        let runs = opened.kernels.iter().zip(&titles).zip(&logs).map(|((one, title), log)| Run {
            events: &one.events,
            names: &one.names,
            title,
            log: log.as_ref(),
        });
        let page = html::page_of_several(&opened.title(), &opened.several, &runs.collect::<Vec<_>>());
        let path = opened.result(self.output.as_deref(), "html");
        replace(&path, page.as_bytes())?;
        let (kernels, size) = (opened.kernels.len(), page.len());
        let kilobytes = size.div_ceil(1024);
        console.say(format_args!("{}: {events} events of {kernels} kernels, {kilobytes} kB", path.display()));
        console.object(&json!({
            "page": path.display().to_string(), "kernels": kernels, "events": events, "bytes": size,
        }));
        let damaged = opened.kernels.iter().find(|one| one.is_damaged);
        Ok(damaged.map_or(ExitCode::from(WELL), Opened::exit_code))
    }
}
