//! A swap on the emulated board, compared with its simulation.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_builder::image::Built;
use beryl_builder::{Project, emulator, image};
use beryl_link::Patience;
use beryl_trace::{Comparison, Names, Recording, Statistics, compare};

use super::order::Order;
use super::session::{News, Session};
use super::simulated::Swapped;
use super::{real_line, report, simulated};
use crate::command::run::identical;
use crate::command::sim::{end, simulate};
use crate::command::times::Span;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, Recorded, keep, names_of, workshop};

/// Nanoseconds of this machine's time; the emulated board's clock may stand still while this machine is busy.
const PATIENCE: Patience =
    Patience { answer: 10_000_000_000, order: 60_000_000_000, pause: 50_000_000, tries: 5 };

/// Until it answers for the first time: there are consoles that drop what comes before somebody listens.
const GREETING: Patience = Patience { answer: 500_000_000, tries: 100, ..PATIENCE };

/// How often to repeat the simulation and the run until the programs take over at the same instants.
const ROUNDS: u8 = 3;

/// The result of a run on the board.
struct Flown {
    recorded: Recorded,
    /// When programs took over, in ticks.
    swaps: Vec<u64>,
    /// Whether all orders were done.
    is_done: bool,
}

/// Sends the orders to the emulated board and compares the run with its simulation.
///
/// The board gets its sensor values from the simulation, so programs must take over at the same instants in
/// both. Checking a program takes no time in the simulator: if the board takes over later, the simulated
/// order is moved there and both are run once more.
pub fn swap(project: &Project, order: &Order, span: Span, console: &Console) -> Result<ExitCode, Failure> {
    let board = project.description.board.board.value;
    emulator::require(board, format_args!("not run on {}", board.name))?;
    let names = names_of(project)?;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    let mut rehearsed = order.clone();
    for round in 1..=ROUNDS {
        let swapped = simulated::simulate(project, &rehearsed, &names, span, console)?;
        let simulated_swaps = report::swaps(&swapped.simulated.recorded.events);
        let flown = fly(project, order, &built, &swapped, &names, span, console)?;
        let is_same_count = simulated_swaps.len() == flown.swaps.len();
        let leeway = order.leeway(project);
        let apart = farthest(&simulated_swaps, &flown.swaps).filter(|_| is_same_count);
        let is_same = apart.is_some_and(|apart| apart <= leeway.unwrap_or(0));
        if is_same || !is_same_count || round == ROUNDS {
            let is_done = swapped.is_done && flown.is_done;
            let statistics = show(project, &names, &flown, console)?;
            match apart {
                Some(0) => {}
                Some(apart) if is_same => events(project, apart, console),
                _ => return Ok(other_instants(project, console)),
            }
            let simulated = &swapped.simulated.recorded.recording;
            return Ok(verdict(project, &names, simulated, &flown, &statistics, is_done, console));
        }
        console.step("once more: the board's check took longer, so the programs took over later than in the simulation");
        rehearsed = order.at_instants(&flown.swaps, leeway.unwrap_or_else(|| lead(project)));
    }
    Ok(ExitCode::from(REFUSED))
}

/// Replaces a process on the emulated board. The simulation that it is compared with has the image's own process for ever,
/// so what the others write must not depend on it.
pub fn replace(project: &Project, order: &Order, span: Span, console: &Console) -> Result<ExitCode, Failure> {
    let board = project.description.board.board.value;
    emulator::require(board, format_args!("not run on {}", board.name))?;
    let names = names_of(project)?;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    let simulated = simulate(project, Place::of(project, "swap.sim"), &names, span, console)?;
    let swapped = Swapped { simulated, is_done: true };
    let flown = fly(project, order, &built, &swapped, &names, span, console)?;
    let statistics = show(project, &names, &flown, console)?;
    let simulated = &swapped.simulated.recorded.recording;
    Ok(verdict(project, &names, simulated, &flown, &statistics, flown.is_done, console))
}

/// The largest distance, in ticks, between takeovers on the two machines.
fn farthest(simulated: &[u64], flown: &[u64]) -> Option<u64> {
    let apart = simulated.iter().zip(flown).map(|(one, other)| one.abs_diff(*other));
    apart.chain([0]).max()
}

/// How long before its takeover a program is handed over in the repeated simulation, in ticks: within the
/// last period before the takeover, whichever program runs.
fn lead(project: &Project) -> u64 {
    let modules = project.assembly.modules.iter();
    let bodies = modules.chain(project.assembly.alternatives.iter().map(|row| &row.body));
    let modes = bodies.filter(|body| body.slot.is_some()).flat_map(|body| &body.modes);
    let periods = modes.map(|mode| mode.period.ticks());
    periods.min().unwrap_or(0) / 2
}

/// Runs the board with the simulation's sensor values and sends it the orders.
fn fly(
    project: &Project,
    order: &Order,
    built: &Built,
    swapped: &Swapped,
    names: &Names,
    span: Span,
    console: &Console,
) -> Result<Flown, Failure> {
    let board = project.description.board.board.value;
    let awake = awake(built)?;
    console.step(format_args!("running on {}", board.name));
    console.title(format_args!("Link, on {}", board.name));
    let window = swapped.simulated.accesses.window(board, end(project, span))?;
    let place = Place::of(project, format!("swap.{}", board.name));
    let speed = project.description.board.speed;
    let mut session = Session::new(order.plan(built.identity), PATIENCE).greeting(GREETING);
    let mut is_done = true;
    let (run, ()) =
        emulator::run_linked(board, awake, &window, speed, &place.scratch(), |mut input, output| {
            real_line::speak(&mut session, output, &mut input, |instant, news| {
                is_done &= !matches!(news, News::Refused(..));
                report::tell(instant, news, |shown| order.why(project, shown), console);
            })
        })?;
    let recorded = keep(&place, names, &run.trace)?;
    let swaps = report::swaps(&recorded.events);
    report::took_over(&swaps, project.tick().into(), console);
    report::end(session, console)?;
    Ok(Flown { recorded, swaps, is_done })
}

fn awake(built: &Built) -> anyhow::Result<&Path> {
    built.awake.as_deref().ok_or_else(|| {
        anyhow!(
            "the image's idle thread isn't the builder's, so nobody can speak with it while it is emulated"
        )
    })
}

fn show(project: &Project, names: &Names, flown: &Flown, console: &Console) -> Result<Statistics, Failure> {
    let statistics = Statistics::of(&flown.recorded.events, names);
    console.say(statistics.to_string().trim_end());
    crate::command::trace::violations(names, &flown.recorded.events, console);
    let json = serde_json::to_value(&statistics).context("statistics")?;
    let board = project.description.board.board.value.name;
    console.object(&serde_json::json!({ "board": board, "statistics": json }));
    Ok(statistics)
}

/// Reports takeovers at the same events, which come a little later on a board.
fn events(project: &Project, apart: u64, console: &Console) {
    let microseconds = apart.saturating_mul(project.tick().into()) / 1000;
    console.say(format_args!(
        "programs took over with the same events, up to {microseconds} us apart: a period that waits for an event ends when it comes"
    ));
    console.object(&serde_json::json!({ "taken_over_apart_us": microseconds }));
}

fn other_instants(project: &Project, console: &Console) -> ExitCode {
    console.say(format_args!(
        "{}: the programs took over at other instants than in the simulation, so the runs can't be compared; with \
         `--at` and `--back`, some seconds ahead, the instants are fixed",
        project.assembly.name
    ));
    console.object(&serde_json::json!({ "compared": false }));
    ExitCode::from(REFUSED)
}

fn verdict(
    project: &Project,
    names: &Names,
    simulated: &Recording,
    flown: &Flown,
    statistics: &Statistics,
    is_done: bool,
    console: &Console,
) -> ExitCode {
    let board = project.description.board.board.value.name;
    let tally = statistics.tally();
    let name = &project.assembly.name;
    match compare(simulated, &flown.recorded.recording) {
        Comparison::Equal { actuators, .. } => {
            console.say(format_args!(
                "{name}: {actuators} actuator writes, identical on sim and {board}; {tally}"
            ));
            console.object(&identical(actuators, tally));
            ExitCode::from(if tally.is_well() && is_done { WELL } else { REFUSED })
        }
        Comparison::Different(difference) => {
            let words = difference.in_words("sim", board, names);
            console.say(format_args!("{name}: sim and {board} differ\n{words}"));
            console.object(&serde_json::json!({ "identical": false, "difference": words }));
            ExitCode::from(REFUSED)
        }
    }
}
