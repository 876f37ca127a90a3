//! `beryl trace stats`: all figures of a run, or of two side by side.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use beryl_trace::statistics::{Difference, Distribution, TaskStatistics};
use beryl_trace::{Statistics, lookup};
use serde_json::json;

use super::opened::Opened;
use crate::console::{Console, Failure};

/// Print response times, execution times against what is declared, jitter, the processor by thread.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace stats out/engine/sim.trace
  beryl trace stats out/engine/sim.trace --task map
  beryl trace stats out/engine/sim.trace --compare out/engine/mps2-an385.trace

A task's execution time is the time that it had the processor, as switches tell: what the kernel does meanwhile is
part of it. What threads wait for, locks, modes and the kernel's own time have tables where the trace has notes of them:
  Modes
    module     mode  entered     in it    share  longest
    Cabin     stand        2  15750 ms  78.79 %  8900 ms
    Cabin    travel        2   4240 ms  21.21 %  2120 ms")]
pub struct Stats {
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show the histograms of this task.
    #[arg(long, value_name = "NAME", conflicts_with = "compare")]
    task: Option<String>,
    /// Another trace to compare it with, beside its own names.json.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

impl Stats {
    /// Prints the tables.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let statistics = Statistics::of(&opened.events, &opened.names);
        match (&self.compare, &self.task) {
            (Some(other), _) => {
                let other = Opened::read(other, console)?;
                compare(&statistics, &Statistics::of(&other.events, &other.names), console)?;
                return Ok(if other.is_damaged { other.exit_code() } else { opened.exit_code() });
            }
            (None, Some(name)) => histograms(find(&statistics, name)?, console)?,
            (None, None) => tables(&statistics, console)?,
        }
        Ok(opened.exit_code())
    }
}

fn tables(statistics: &Statistics, console: &Console) -> anyhow::Result<()> {
    let parts = [
        ("Jobs", statistics.to_string()),
        ("Response times, from release to completion", statistics.response_table()),
        ("Execution times, observed against declared", statistics.execution_table()),
        ("The processor", statistics.processor_table()),
        ("How deep the processor slept", statistics.sleep_table()),
        ("Modes", statistics.mode_table()),
        ("What threads waited for", statistics.wait_table()),
        ("Locks", statistics.lock_table()),
        ("Budgets that were used up", statistics.budget_table()),
        ("What was refused", statistics.refused_table()),
        ("What threads have no right to", statistics.lacked_table()),
        ("Promises, observed against declared", statistics.promise_table()),
        ("What the kernel took, its triggers included", statistics.kernel_table()),
        ("Sensors and actuators, from logical to physical instant", statistics.driver_table()),
    ];
    // Leave out tables that have only a head.
    for (title, text) in parts.iter().filter(|(_, text)| text.lines().count() > 1) {
        console.title(title);
        text.trim_end().lines().for_each(|line| console.say(format_args!("  {line}")));
    }
    let mut value = serde_json::to_value(statistics).context("statistics")?;
    value["warnings"] = json!(statistics.warnings());
    console.object(&value);
    if statistics.lost > 0 {
        console.warn(format_args!(
            "{} notes were lost on the way into this trace: what it says is less than what happened",
            statistics.lost
        ));
    }
    if !console.is_json() {
        statistics.warnings().iter().for_each(|warning| console.warn(warning));
    }
    Ok(())
}

fn find<'a>(statistics: &'a Statistics, name: &str) -> anyhow::Result<&'a TaskStatistics> {
    Ok(lookup::one("task", name, statistics.tasks.iter().map(|task| (task.task.as_str(), task)))?)
}

fn histograms(task: &TaskStatistics, console: &Console) -> anyhow::Result<()> {
    let show = |title: &str, distribution: Option<&Distribution>| {
        console.title(format_args!("{}: {title}", task.task));
        match distribution {
            None => console.say("  no job completed"),
            Some(distribution) => {
                let width = console.width().saturating_sub(30);
                distribution.histogram(width).lines().for_each(|line| console.say(format_args!("  {line}")));
            }
        }
    };
    show("response times", task.response.as_ref());
    show("execution times", task.execution.as_ref().map(|execution| &execution.observed));
    console.object(&serde_json::to_value(task).context("statistics")?);
    Ok(())
}

fn compare(first: &Statistics, second: &Statistics, console: &Console) -> anyhow::Result<()> {
    let difference = Difference::of(first, second);
    console.title("First run → second run");
    difference.to_string().trim_end().lines().for_each(|line| console.say(format_args!("  {line}")));
    console.object(&serde_json::to_value(&difference).context("difference")?);
    Ok(())
}
