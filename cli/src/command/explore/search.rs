//! The search: each run reports what it could have picked instead, and each alternative becomes a run.
//!
//! There is a horizon: after a violation the search looks only for earlier ones. So the last one found is the
//! earliest of all, and a search that completes has tried everything before it.

use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use beryl_trace::Names;
use beryl_trace::assertion::Stated;

use super::branches::{Branch, Branches, Order};
use super::session::{Choice, Ran, Session};
use super::violation::Violation;
use crate::console::Console;

/// How far the search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The end of the runs, in ticks.
    pub ticks: u64,
    /// The most states to visit.
    pub states: u64,
    /// The longest search, by this machine's clock.
    pub within: Option<Duration>,
}

/// A run that violates something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The picks of the run.
    pub picks: Vec<u8>,
    /// When the violation shows, in ticks.
    pub ticks: u64,
    /// What is violated, in words.
    pub what: String,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The number of distinct states.
    pub states: u64,
    /// The number of runs.
    pub runs: u64,
    /// Whether everything was tried.
    pub complete: bool,
    /// If not: all runs with at most this many picks other than the first were tried, if that is known.
    pub plain: Option<usize>,
    /// The earliest violation.
    pub found: Option<Found>,
    /// States per second.
    pub speed: u64,
}

/// A search under way.
pub struct Search<'a> {
    session: &'a mut Session,
    bounds: Bounds,
    stated: &'a [Stated],
    names: &'a Names,
    console: &'a Console,
    open: Branches,
    states: u64,
    runs: u64,
    found: Option<Found>,
}

impl<'a> Search<'a> {
    /// A search that starts with the run that always picks the first option.
    pub fn new(
        session: &'a mut Session,
        (bounds, order): (Bounds, Order),
        stated: &'a [Stated],
        names: &'a Names,
        console: &'a Console,
    ) -> Search<'a> {
        let open = Branches::new(order);
        Search { session, bounds, stated, names, console, open, states: 0, runs: 0, found: None }
    }

    /// Searches to the end, or as far as the bounds allow.
    pub fn run(mut self) -> Result<Searched> {
        let began = Instant::now();
        let mut told = began;
        self.try_picks(&[], None)?;
        while self.may_go_on(began)
            && let Some(branch) = self.open.pop()
        {
            self.try_picks(&branch.picks(), branch.before)?;
            if told.elapsed() > Duration::from_secs(1) {
                told = Instant::now();
                let Search { states, runs, .. } = &self;
                let speed = a_second(*states, began);
                let open = self.open.plain().map(|plain| format!("; all with up to {plain} other picks"));
                self.console.step(format_args!(
                    "{states} states in {runs} runs, {speed} states a second{}",
                    open.unwrap_or_default()
                ));
            }
        }
        let (complete, plain) = (self.open.is_empty(), self.open.plain());
        let Search { states, runs, found, .. } = self;
        Ok(Searched { states, runs, complete, plain, found, speed: a_second(states, began) })
    }

    fn may_go_on(&self, began: Instant) -> bool {
        let is_early = self.bounds.within.is_none_or(|within| began.elapsed() < within);
        is_early && self.states < self.bounds.states
    }

    fn try_picks(&mut self, picks: &[u8], before: Option<u64>) -> Result<()> {
        let Ran { states, made, trace } = self.session.run(self.bounds.ticks, picks)?;
        (self.states, self.runs) = (states, self.runs + 1);
        let place = picks.len().checked_sub(2);
        // The horizon may have moved closer, and this choice may now lie beyond it.
        let again = place.and_then(|place| made.get(place)).map(|choice| choice.print);
        if before.zip(again).is_some_and(|(before, again)| before != again) {
            bail!(
                "the same picks came to another state: the application, or its environment, keeps something in a `static` from \
                 one run to the next; let it live in ports, in objects, or in the environment's value"
            );
        }
        let path: Rc<[u8]> = made.iter().map(|choice| choice.pick).collect();
        if let Some(Violation { at, what }) = Violation::first(&trace, self.stated, self.names)? {
            let ticks = at.ticks();
            // From now on only earlier violations matter.
            if self.found.as_ref().is_none_or(|found| ticks < found.ticks) {
                self.bounds.ticks = ticks;
                self.found = Some(Found { picks: path.to_vec(), ticks, what });
            }
        }
        for (place, choice) in made.iter().enumerate().skip(picks.len()) {
            let before = print_before(&made, place);
            for pick in (1..choice.options).rev() {
                self.open.push(Branch { path: path.clone(), place, pick, before });
            }
        }
        Ok(())
    }
}

/// The fingerprint of the state before a choice; `None` if the choice was made in the same step as the one
/// before it.
fn print_before(made: &[Choice], place: usize) -> Option<u64> {
    let before = made.get(place.checked_sub(1)?)?.print;
    (made.get(place)?.print != before).then_some(before)
}

fn a_second(states: u64, began: Instant) -> u64 {
    let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
    states.saturating_mul(1000) / milliseconds
}
