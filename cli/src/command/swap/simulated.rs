//! A swap in the simulator.

use std::io::{BufReader, Read};
use std::process::{ExitCode, Output, Stdio};

use anyhow::{Context, anyhow};
use beryl_builder::Project;
use beryl_builder::simulate::identity;
use beryl_link::Patience;
use beryl_trace::{Names, Statistics};

use super::order::Order;
use super::session::{News, Session};
use super::{report, virtual_line};
use crate::command::sim::{Prepared, Simulated};
use crate::command::times::Span;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, names_of};

/// Nanoseconds of virtual time. A loader in the background waits for the processor, so there is no hurry.
const PATIENCE: Patience =
    Patience { answer: 1_000_000_000, order: 5_000_000_000, pause: 20_000_000, tries: 5 };

/// The result of a swap: the run, and whether all orders were done.
pub struct Swapped {
    /// The run.
    pub simulated: Simulated,
    /// Whether all orders were done.
    pub is_done: bool,
}

/// Simulates a system and sends it the orders.
pub fn swap(project: &Project, order: &Order, span: Span, console: &Console) -> Result<ExitCode, Failure> {
    let names = names_of(project)?;
    let Swapped { simulated, is_done } = simulate(project, order, &names, span, console)?;
    let statistics = Statistics::of(&simulated.recorded.events, &names);
    let (well, report) = &simulated.report;
    console.title("Simulation");
    report.lines().for_each(|line| console.say(format_args!("  {line}")));
    console.title("Statistics");
    console.say(statistics.to_string().trim_end());
    crate::command::trace::violations(&names, &simulated.recorded.events, console);
    let json = serde_json::to_value(&statistics).context("statistics")?;
    console.object(&serde_json::json!({ "simulation": report.trim_end(), "well": well, "statistics": json }));
    let tally = statistics.tally();
    console.say(format_args!("{}: {tally}", names.system));
    console.object(&serde_json::json!(tally));
    Ok(ExitCode::from(if *well && tally.is_well() && is_done { WELL } else { REFUSED }))
}

/// The same without the statistics.
pub fn simulate(
    project: &Project,
    order: &Order,
    names: &Names,
    span: Span,
    console: &Console,
) -> Result<Swapped, Failure> {
    let options = ["--peer", "pipe"].map(str::to_owned);
    let mut prepared = Prepared::new(project, Place::of(project, "swap.sim"), span, &options, console)?;
    console.step("simulating");
    console.title("Link, simulated");
    let mut session = Session::new(order.plan(identity(project)), PATIENCE);
    let mut refused = false;
    let output = talk(&mut prepared, &mut session, order.baud, |instant, news| {
        refused |= matches!(news, News::Refused(..));
        report::tell(instant, news, |shown| order.why(project, shown), console);
    })?;
    let simulated = prepared.collect(names, &output)?;
    let swaps = report::swaps(&simulated.recorded.events);
    report::took_over(&swaps, project.tick().into(), console);
    report::end(session, console)?;
    Ok(Swapped { simulated, is_done: !refused })
}

/// Runs the simulation with a session at the other end of its console.
fn talk(
    prepared: &mut Prepared,
    session: &mut Session,
    baud: u32,
    tell: impl FnMut(u64, &News),
) -> Result<Output, Failure> {
    let piped = prepared.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = piped.spawn();
    let mut child = child.with_context(|| prepared.unstartable())?;
    let streams = child.stdout.take().zip(child.stdin.take());
    let (questions, mut answers) = streams.ok_or_else(|| anyhow!("the simulation has no streams"))?;
    let mut questions = BufReader::new(questions);
    // If the simulation stops, its standard error says why.
    let _ = virtual_line::speak(session, baud, &mut questions, &mut answers, tell);
    drop(answers);
    let mut report = Vec::new();
    questions.read_to_end(&mut report).context("the simulation's report can't be read")?;
    let output = child.wait_with_output().with_context(|| prepared.unstartable())?;
    Ok(Output { stdout: report, ..output })
}
