//! Exploring: runs that follow a scenario and stop where another run has been before.
//!
//! A run is named by what it picks where there is a choice: of a job's execution time, of how much of it passes before an
//! access to something shared, of an interrupt that may come. The searcher is another program, which reads what a run could have
//! picked instead and asks for that; this one runs, remembers which states it has seen, and cuts a run short where it comes to one.

use std::collections::HashSet;
use std::io::{BufRead, Write};

use beryl_abi::Instant;
use beryl_kernel::Sizes;

use crate::error::SimulationError;
use crate::peer::Nobody;
use crate::processor::Processor;
use crate::scenario::{Choice, Scenario};
use crate::simulation::{Options, Simulation};
use crate::trace::Stop;

/// The states that runs have come to, by their prints.
#[derive(Debug, Default)]
pub struct Known {
    prints: HashSet<u64>,
    /// Whether runs end where another one has been.
    merges: bool,
}

impl Known {
    /// No states yet. Where runs don't merge, all that they come to counts as new.
    #[must_use]
    pub fn new(merges: bool) -> Known {
        Known { prints: HashSet::new(), merges }
    }

    /// How many states there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.prints.len()
    }

    /// Takes note of a state. Whether a run that has come to it goes on.
    pub(crate) fn is_new(&mut self, print: u64) -> bool {
        self.prints.insert(print)
    }

    /// Whether states are equal that were come to in different ways.
    pub(crate) fn merges(&self) -> bool {
        self.merges
    }
}

/// What came of a run with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// The choices, each with the print of the state after it.
    pub made: Vec<(Choice, u64)>,
    /// Whether the run was cut where another one had been.
    pub is_cut: bool,
    /// The kernel's records.
    pub trace: Vec<u8>,
}

/// Runs a simulation with a scenario until its end, or until it comes to a state that is known already; states before the scenario's
/// last pick are, and don't count.
///
/// # Errors
/// See [`SimulationError`].
pub fn explore<S: Sizes>(
    simulation: Simulation<'_, S>,
    options: &Options,
    scenario: &Scenario,
    known: &mut Known,
) -> Result<Explored, SimulationError> {
    Processor::new(simulation, Box::new(Nobody), options, scenario)?.explore(scenario.picks.len(), known)
}

/// Answers orders, a line each, until there are no more.
///
/// An order is `TICKS STOP PICKS`: where the run ends, what ends it before (or `-`), and the picks, with points between them (or
/// `-`). The answer is `ran CUT STATES BYTES MADE` and a line feed, then so many bytes of trace; MADE are the choices as
/// `OPTIONS.PICK.PRINT`, with commas between them (or `-`). Or it is `failed REASON`.
///
/// # Errors
/// If the one who asks has gone away, or an order isn't one.
pub(crate) fn serve<'a, S: Sizes>(
    make: &impl Fn(u64) -> Simulation<'a, S>,
    seed: u64,
    options: &Options,
    scenario: &Scenario,
    merges: bool,
    orders: impl BufRead,
    mut answers: impl Write,
) -> Result<(), String> {
    let mut known = Known::new(merges);
    for order in orders.lines() {
        let order = order.map_err(|error| error.to_string())?;
        let (options, picks) = read(&order, options).ok_or_else(|| format!("`{order}` is no order"))?;
        let scenario = Scenario { picks, ..scenario.clone() };
        let answer = match explore(make(seed), &options, &scenario, &mut known) {
            Err(error) => format!("failed {error}\n").into_bytes(),
            Ok(explored) => answer(&explored, &known),
        };
        answers.write_all(&answer).and_then(|()| answers.flush()).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn read(order: &str, options: &Options) -> Option<(Options, Vec<u8>)> {
    let mut words = order.split(' ');
    let until = Instant::from_ticks(words.next()?.parse().ok()?);
    let stop = match words.next()? {
        "-" => None,
        name => Some(Stop::NAMES.iter().find(|(known, _)| *known == name)?.1),
    };
    Some((Options { until, stop, ..*options }, picks(words.next()?)?))
}

/// The picks that a text names.
pub(crate) fn picks(text: &str) -> Option<Vec<u8>> {
    match text {
        "-" => Some(Vec::new()),
        text => text.split('.').map(|pick| pick.parse().ok()).collect(),
    }
}

fn answer(explored: &Explored, known: &Known) -> Vec<u8> {
    let made = explored.made.iter();
    let made: Vec<_> =
        made.map(|(choice, print)| format!("{}.{}.{print:x}", choice.options, choice.pick)).collect();
    let made = if made.is_empty() { "-".to_owned() } else { made.join(",") };
    let cut = u8::from(explored.is_cut);
    let mut answer = format!("ran {cut} {} {} {made}\n", known.count(), explored.trace.len()).into_bytes();
    answer.extend_from_slice(&explored.trace);
    answer
}
