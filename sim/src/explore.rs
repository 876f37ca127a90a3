//! Exploring: runs that follow a scenario and stop where another run has been before.
//!
//! A run is named by its picks wherever there is a choice: of a job's execution time, of how much of that
//! passes before an access to shared memory, of an interrupt that may come. The searcher is another program:
//! it reads the alternatives of a run's picks and asks for those. This program runs, remembers the states
//! that it has seen, and cuts a run short at a known one.

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

/// The states that runs have reached, by their prints.
#[derive(Debug, Default)]
pub struct Known {
    prints: HashSet<u64>,
    /// Whether runs end where another one has been.
    merges: bool,
}

impl Known {
    /// No states yet. If runs don't merge, every state counts as new.
    #[must_use]
    pub fn new(merges: bool) -> Known {
        Known { prints: HashSet::new(), merges }
    }

    /// How many states there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.prints.len()
    }

    /// Notes a state. Returns whether the run that has reached it goes on.
    pub(crate) fn is_new(&mut self, print: u64) -> bool {
        self.prints.insert(print)
    }

    /// Whether a state that is reached in different ways counts as one.
    pub(crate) fn merges(&self) -> bool {
        self.merges
    }
}

/// The result of a run with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explored {
    /// The choices, each with the print of the state after it.
    pub made: Vec<(Choice, u64)>,
    /// Whether the run was cut where another one had been.
    pub is_cut: bool,
    /// The kernel's records.
    pub trace: Vec<u8>,
}

/// Runs a simulation with a scenario until its end, or until it reaches a known state. States before the
/// scenario's last pick are known, and don't count.
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

/// Carries out orders, a line each, until there are no more.
///
/// An order is `TICKS STOP PICKS`: where the run ends, what ends it early (or `-`), and the picks, separated
/// by dots (or `-`). The answer is `ran CUT STATES BYTES MADE` and a line feed, then this many bytes of
/// trace; MADE are the choices as `OPTIONS.PICK.PRINT`, separated by commas (or `-`). Or it is
/// `failed REASON`.
///
/// # Errors
/// If the program that asks has gone away, or an order is malformed.
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

/// The picks in a text.
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
