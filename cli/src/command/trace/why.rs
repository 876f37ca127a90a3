//! `beryl trace why`: the chain of causes that made a job late or early.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::anyhow;
use beryl_abi::Instant;
use beryl_builder::quantity::Nanoseconds;
use beryl_trace::assertion::stated;
use beryl_trace::incident::Incident;
use beryl_trace::jobs::{History, Job, Outcome};
use beryl_trace::modes::Modes;
use beryl_trace::why::Chain;
use beryl_trace::{DecodedNote, Event, Happening, LogicalInstant, Names};
use serde_json::json;

use super::opened::Opened;
use super::within;
use crate::console::{Console, Failure};

/// Say why a job was late or early: each step from its release to its end.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace why navigate@20ms out/helicopter/sim.trace    the job that was released at 20 ms or last before it
  beryl trace why monitor@worst out/engine/sim.trace        the job with the longest response time
  beryl trace why control@miss out/overload/sim.trace       the first job that missed its deadline or was stopped
  beryl trace why control@#3 out/overload/sim.trace         the third job

The chain says who had the processor, and what the job waited for where the trace has notes of it. In a module with several
modes it says in which the job was released, and which modules went over to another meanwhile:
  push, job 109
    in time: done after 2.15 ms, 17.85 ms before its deadline; usual are 2.25 ms
    released in mode opening of Door, which began at 2450 ms")]
pub struct Why {
    /// Which job: TASK@TIME, TASK@worst, TASK@miss or TASK@#NUMBER.
    #[arg(value_name = "TASK@TIME")]
    job: Wanted,
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Which job to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    task: String,
    which: Which,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// The last one released at or before this instant.
    At(Nanoseconds),
    /// The one with the longest response time.
    Worst,
    /// The first that missed its deadline or was stopped.
    Miss,
    /// The job with this number, from 1.
    Number(usize),
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        let form = "write TASK@TIME like `navigate@20ms`, or TASK@worst, TASK@miss, TASK@#3";
        let (task, which) = text.rsplit_once('@').ok_or(form)?;
        let which = match (which, which.strip_prefix('#')) {
            ("worst", _) => Which::Worst,
            ("miss", _) => Which::Miss,
            (_, Some(number)) => match number.parse() {
                Ok(number) if number > 0 => Which::Number(number),
                _ => return Err(format!("jobs are counted from 1; {form}")),
            },
            (time, None) => {
                Which::At(crate::command::times::time(time).map_err(|reason| format!("{reason}; {form}"))?)
            }
        };
        Ok(Wanted { task: task.to_owned(), which })
    }
}

impl Why {
    /// Finds the job and prints its chain.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let names = &opened.names;
        let history = History::of(&opened.events);
        let position = self.job.find(&history, names)?;
        let chain = Chain::of(&history, names, position).ok_or_else(|| anyhow!("that job is gone"))?;
        console.title(format_args!("{}, job {}", self.job.task, chain.number));
        console.say(format_args!("  {}", chain.verdict(names)));
        let end = chain.job.end.unwrap_or_else(|| chain.end());
        let modes = Modes::of(&opened.events, names).around(chain.job.task, chain.job.release, end, names);
        modes.iter().for_each(|line| console.say(format_args!("  {line}")));
        let budgets = spent(&opened.events, &history, chain.job.release, end, names);
        budgets.iter().for_each(|line| console.say(format_args!("  {line}")));
        console.title("From release to end");
        chain.lines(&history, names).iter().for_each(|line| console.say(format_args!("  {line}")));
        console.title("What the time was used for");
        chain.sums(names).lines().for_each(|line| console.say(format_args!("  {line}")));
        chain.blame(names).iter().for_each(|line| console.say(format_args!("  {line}")));
        let mut value = chain.to_json(&history, names);
        value["modes"] = json!(modes);
        value["budgets"] = json!(budgets);
        console.object(&value);
        Ok(opened.exit_code())
    }
}

/// Which budgets were used up between two instants; the first few.
fn spent(events: &[Event], history: &History, from: Instant, to: Instant, names: &Names) -> Vec<String> {
    const MOST: usize = 5;
    let is_within = |event: &&Event| from <= event.time && event.time <= to;
    let notes = events.iter().filter(is_within);
    let notes = notes.filter(|event| matches!(event.happening, Happening::Note(DecodedNote::Budget { .. })));
    let told = notes.filter_map(|event| Incident::of(event, history, names)).take(MOST);
    told.map(|told| {
        let thread = told.thread.map(|thread| names.thread(thread)).unwrap_or_default();
        format!("at {} {thread}: {}", names.tick.logical(told.at), told.words)
    })
    .collect()
}

impl Wanted {
    /// The index of the job among all jobs.
    fn find(&self, history: &History, names: &Names) -> anyhow::Result<usize> {
        let thread = stated::task(&self.task, names)?;
        let mut jobs = history.jobs.iter().enumerate().filter(|(_, job)| job.task == thread);
        let failed =
            |job: &Job| matches!(job.outcome, Outcome::Missed | Outcome::Violated | Outcome::Faulted);
        let (found, otherwise) = match self.which {
            Which::At(time) => {
                let asked = LogicalInstant::from_nanoseconds(time.get());
                let at = within(&format!("{}@{asked}", self.task), time, names, history.span.1)?;
                let found = jobs.filter(|(_, job)| job.release <= at).max_by_key(|(_, job)| job.release);
                (found, "no job of it has been released by then")
            }
            Which::Worst => (jobs.max_by_key(|(_, job)| job.response()), "it has no job in this trace"),
            Which::Miss => (
                jobs.find(|(_, job)| failed(job)),
                "none of its jobs missed its deadline or was stopped; ask for @worst",
            ),
            Which::Number(number) => (jobs.nth(number - 1), "it hasn't that many jobs"),
        };
        found.map(|(position, _)| position).ok_or_else(|| anyhow!("`{}`: {otherwise}", self.task))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_named_in_four_ways() {
        let wanted = |text: &str| text.parse::<Wanted>().map(|wanted| (wanted.task, wanted.which));
        assert_eq!(wanted("a@20ms"), Ok(("a".into(), Which::At(Nanoseconds::new(20_000_000)))));
        assert_eq!(wanted("a.b@worst"), Ok(("a.b".into(), Which::Worst)));
        assert_eq!(wanted("a@miss"), Ok(("a".into(), Which::Miss)));
        assert_eq!(wanted("a@#12"), Ok(("a".into(), Which::Number(12))));
        for wrong in ["a", "a@", "a@20", "a@#0", "a@#x", "a@later", "@"] {
            assert!(wanted(wrong).is_err_and(|reason| reason.contains("TASK@worst")), "{wrong}");
        }
    }
}
