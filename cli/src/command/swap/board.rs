//! A swap on a board: the emulated one, compared with its simulation, or a real one at a serial line.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use beryl_builder::{BuildError, Project, emulator, image};
use beryl_link::Patience;
use beryl_trace::{Comparison, Statistics, compare};
use serial2::SerialPort;

use super::order::Order;
use super::session::{News, Session};
use super::{real_line, report, simulated};
use crate::command::sim::end;
use crate::command::times::Span;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{keep, names_of, results, workshop};

/// Nanoseconds of this machine's time.
const PATIENCE: Patience =
    Patience { answer: 1_000_000_000, order: 5_000_000_000, pause: 50_000_000, tries: 5 };

/// The same on an emulated board, whose time may stand still while this machine does something else.
const MORE_PATIENCE: Patience =
    Patience { answer: 10_000_000_000, order: 60_000_000_000, pause: 50_000_000, tries: 5 };

/// Sends what is ordered to the emulated board, and compares the run with its simulation.
pub fn emulated(
    project: &Project,
    order: &Order,
    span: Span,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let board = project.description.board.board.value;
    if !emulator::is_installed() {
        return Err(BuildError::Tool {
            missing: format!("not run on {}: {} isn't installed", board.name, emulator::PROGRAM),
            proposal: "run `./x setup`, or install Debian's package qemu-system-arm".to_owned(),
        }
        .into());
    }
    let names = names_of(project)?;
    let simulated = simulated::simulate(project, order, &names, span, console)?;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    let awake = built.awake.as_ref().ok_or_else(|| {
        anyhow!(
            "the image's idle thread isn't the builder's, so nobody can speak with it while it is emulated"
        )
    })?;
    console.step(format_args!("running on {}", board.name));
    console.title(format_args!("Link, on {}", board.name));
    let window = simulated.simulated.accesses.window(board, end(project, span))?;
    let folder = results(project).join(board.name);
    let speed = project.description.board.speed;
    let mut session = Session::new(order.plan(built.identity), MORE_PATIENCE);
    let mut refused = false;
    let (run, ()) = emulator::run_linked(board, awake, &window, speed, &folder, |mut input, output| {
        let spoken = real_line::speak(&mut session, output, &mut input, |instant, news| {
            refused |= matches!(news, News::Refused(..));
            report::tell(instant, news, console);
        });
        // The emulator's console must not end before the run does.
        std::mem::forget(input);
        spoken
    })?;
    let recorded = keep(project, &names, board.name, &run.trace)?;
    let swaps = [&simulated.simulated.recorded, &recorded].map(|recorded| report::swaps(&recorded.events));
    report::took_over(&swaps[1], project.tick().into(), console);
    report::end(session, console)?;

    let statistics = Statistics::of(&recorded.events, &names);
    console.say(statistics.to_string().trim_end());
    crate::command::trace::violations(&names, &recorded.events, console);
    let json = serde_json::to_value(&statistics).context("statistics")?;
    console.object(&serde_json::json!({ "board": board.name, "statistics": json }));
    if swaps[0] != swaps[1] {
        console.say(format_args!(
            "{}: the programs took over at other instants than in the simulation, so the runs can't be compared; with \
             `--at` and `--back` the instants are fixed",
            project.assembly.name
        ));
        console.object(&serde_json::json!({ "compared": false }));
        return Ok(ExitCode::from(REFUSED));
    }
    let (misses, faults) = (statistics.failures(), statistics.faults.len());
    let name = &project.assembly.name;
    match compare(&simulated.simulated.recorded.recording, &recorded.recording) {
        Comparison::Equal { actuators, .. } => {
            console.say(format_args!(
                "{name}: {actuators} actuator writes, identical on sim and {}; {misses} deadline misses, {faults} faults",
                board.name
            ));
            console.object(&serde_json::json!({
                "identical": true, "actuator_writes": actuators, "deadline_misses": misses, "faults": faults,
            }));
            let is_well = misses == 0 && faults == 0 && simulated.is_done && !refused;
            Ok(ExitCode::from(if is_well { WELL } else { REFUSED }))
        }
        Comparison::Different(difference) => {
            let words = difference.in_words("sim", board.name, &names);
            console.say(format_args!("{name}: sim and {} differ\n{words}", board.name));
            console.object(&serde_json::json!({ "identical": false, "difference": words }));
            Ok(ExitCode::from(REFUSED))
        }
    }
}

/// Sends what is ordered over a serial line to a board that runs the system's image.
pub fn by_port(
    path: &Path,
    project: &Project,
    order: &Order,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let open = || -> std::io::Result<SerialPort> {
        let mut port = SerialPort::open(path, order.baud)?;
        port.set_read_timeout(Duration::from_millis(100))?;
        Ok(port)
    };
    let port = open().with_context(|| format!("can't open the serial line {}", path.display()))?;
    let port = Arc::new(port);
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    console.title(format_args!("Link, at {}", path.display()));
    let mut session = Session::new(order.plan(built.identity), PATIENCE);
    let mut refused = false;
    real_line::speak(&mut session, Shared(Arc::clone(&port)), &mut Shared(port), |instant, news| {
        refused |= matches!(news, News::Refused(..));
        report::tell(instant, news, console);
    })
    .with_context(|| format!("the serial line {} broke", path.display()))?;
    if !session.is_over() {
        return Err(anyhow!("the serial line {} was closed", path.display()).into());
    }
    report::end(session, console)?;
    Ok(ExitCode::from(if refused { REFUSED } else { WELL }))
}

/// A serial line that two threads use, one each way.
struct Shared(Arc<SerialPort>);

impl std::io::Read for Shared {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(bytes)
    }
}

impl std::io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}
