//! All runs of a chain's modules as a graph: the state after an instant, and what may happen at the next.

use std::collections::BTreeMap;

use crate::chain::instants::{Due, Instants, instants};
use crate::chain::rows::Rows;
use crate::chain::{Chain, Mode, Module, Switch};
use crate::failure::Failure;
use crate::ticks::Ticks;

/// Stages are bits of a word.
pub(super) const MOST_STAGES: usize = 63;

/// The most states and edges to visit.
pub(crate) const MOST: usize = 20_000;

/// The end of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// An update of its actuator.
    Update,
    /// A publication of its last stage.
    Publication,
}

/// The state of a module after an instant: its mode, the time since its period began, and the index of the
/// mode's next instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct At {
    mode: usize,
    since: Ticks,
    next: usize,
}

/// A possible next instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The time until then; positive.
    pub wait: Ticks,
    /// The stages that publish, a bit each.
    pub publishes: u64,
    /// Whether the actuator is updated with the chain's value.
    pub is_update: bool,
    /// The stages that are released, a bit each.
    pub releases: u64,
    /// Those of them that read the chain's value.
    pub carries: u64,
    /// Those of them that read it at once.
    pub at_once: u64,
    /// The state after it.
    pub to: usize,
    /// Whether a module switches.
    pub switches: bool,
}

/// The graph. State 0, and perhaps some after it, are the ones after instant 0.
pub(crate) struct Runs {
    /// The number of stages of the chain.
    pub stages: usize,
    /// The steps to the states after instant 0, with the releases at it.
    pub begin: Vec<Step>,
    /// The possible next instants of all states, in sequence.
    steps: Vec<Step>,
    /// The end of each state's range in `steps`.
    ends: Vec<usize>,
    /// The modules' states, by state number.
    states: Rows<At>,
    /// Modes that are always left, by module.
    is_left: Vec<Vec<bool>>,
}

impl Runs {
    /// The runs of a valid chain.
    pub(crate) fn of(chain: &Chain, end: End) -> Result<Runs, Failure> {
        let mut search = Search::new(chain, end)?;
        search.now = chain
            .modules
            .iter()
            .map(|module| At { mode: module.start, since: Ticks::ZERO, next: 0 })
            .collect();
        let (mut begin, mut steps, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        search.is_start = true;
        search.steps_at(Ticks::ZERO, &mut begin)?;
        search.is_start = false;
        while ends.len() < search.states.count() {
            search.steps_from(ends.len(), &mut steps)?;
            if steps.len() > MOST {
                return Err(Failure::TooLong);
            }
            ends.push(steps.len());
        }
        let is_left = chain.modules.iter().map(|module| {
            let modes = module.modes.iter();
            modes.map(|mode| mode.switches.iter().any(|switch| switch.always)).collect()
        });
        let (stages, is_left) = (chain.stages(), is_left.collect());
        Ok(Runs { stages, begin, steps, ends, states: search.states, is_left })
    }

    /// The number of states.
    pub(crate) fn states(&self) -> usize {
        self.ends.len()
    }

    /// The possible next instants after a state.
    pub(crate) fn steps(&self, state: usize) -> &[Step] {
        let begin = state.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.steps[begin..self.ends[state]]
    }

    /// The steps of all states.
    pub(super) fn all_steps(&self) -> impl Iterator<Item = &Step> + Clone {
        self.steps.iter().chain(&self.begin)
    }

    /// The states of each combination of modes that can be kept.
    pub(super) fn kept(&self) -> BTreeMap<Vec<usize>, Vec<usize>> {
        let mut kept = BTreeMap::<Vec<usize>, Vec<usize>>::new();
        let mut modes = Vec::new();
        for (state, row) in self.states.iter().enumerate() {
            if row.iter().zip(&self.is_left).any(|(at, is_left)| is_left[at.mode]) {
                continue;
            }
            modes.clear();
            modes.extend(row.iter().map(|at| at.mode));
            match kept.get_mut(&modes) {
                Some(states) => states.push(state),
                None => drop(kept.insert(modes.clone(), vec![state])),
            }
        }
        kept
    }
}

/// One module's option at an instant: its state, the index of its mode's instant, if it has one then, and
/// whether it has switched.
#[derive(Clone, Copy)]
struct Onward {
    at: At,
    instant: Option<usize>,
    switches: bool,
    /// Whether its mode begins now, by a switch or because the system starts, and updates the actuator then.
    is_update: bool,
}

struct Search<'a> {
    chain: &'a Chain,
    /// Stages whose publications count as updates, a bit each.
    ends: u64,
    instants: Vec<Vec<Instants>>,
    states: Rows<At>,
    /// The modules' states at the current instant, before anything happens.
    now: Vec<At>,
    /// Whether that is instant 0, at which start modes are entered.
    is_start: bool,
    /// The options at that instant: one per module, then the same for the next option.
    ways: Vec<Onward>,
    /// The options extended by the next module that may switch.
    more: Vec<Onward>,
    row: Vec<At>,
}

impl<'a> Search<'a> {
    fn new(chain: &'a Chain, end: End) -> Result<Self, Failure> {
        let ends = if end == End::Publication { (1 << chain.stages()) >> 1 } else { 0 };
        let of_module = |module: &Module| {
            let modes = module.modes.iter().map(|mode| instants(mode, MOST).ok_or(Failure::TooLong));
            modes.collect::<Result<Vec<_>, _>>()
        };
        let instants = chain.modules.iter().map(of_module).collect::<Result<_, _>>()?;
        let states = Rows::new(chain.modules.len());
        let (now, ways, more, row) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Search { chain, ends, instants, states, now, is_start: false, ways, more, row })
    }

    /// Computes the possible next instants after a state.
    fn steps_from(&mut self, state: usize, steps: &mut Vec<Step>) -> Result<(), Failure> {
        let state = self.states.row(state).unwrap_or_default();
        let until = state.iter().zip(&self.instants).filter_map(|(at, modes)| {
            let (next, _) = modes[at.mode].get(at.next)?;
            Some(next.less(at.since))
        });
        // A period always ends.
        let wait = until.min().ok_or(Failure::TooLong)?;
        self.now.clear();
        for at in state {
            self.now.push(At { since: at.since.plus(wait)?, ..*at });
        }
        self.steps_at(wait, steps)
    }

    /// The possible outcomes of an instant, for each choice of switches.
    fn steps_at(&mut self, wait: Ticks, steps: &mut Vec<Step>) -> Result<(), Failure> {
        let (mut publishes, mut is_update, mut may_switch) = (0, false, false);
        self.ways.clear();
        for (index, (at, modes)) in self.now.iter().zip(&self.instants).enumerate() {
            let Some(due) = due(at, modes) else {
                self.ways.push(Onward { at: *at, instant: None, switches: false, is_update: false });
                continue;
            };
            publishes |= due.publishes;
            is_update |= due.is_update;
            may_switch |= !due.switches.is_empty();
            self.ways.push(self.stays(index, at));
        }
        is_update |= publishes & self.ends != 0;
        if may_switch {
            self.choose();
        }
        for way in self.ways.chunks_exact(self.now.len()) {
            let (mut releases, mut carries, mut at_once, mut switches) = (0, 0, 0, false);
            let is_update = is_update || way.iter().any(|onward| onward.is_update);
            for (onward, modes) in way.iter().zip(&self.instants) {
                let begun = onward.instant.and_then(|instant| modes[onward.at.mode].get(instant));
                if let Some((_, due)) = begun {
                    releases |= due.releases;
                    carries |= due.carries;
                    at_once |= due.at_once;
                }
                switches |= onward.switches;
            }
            self.row.clear();
            self.row.extend(way.iter().map(|onward| onward.at));
            let to = self.states.number(&self.row, MOST).ok_or(Failure::TooLong)?;
            steps.push(Step { wait, publishes, is_update, releases, carries, at_once, to, switches });
        }
        Ok(())
    }

    /// Multiplies the options by the possible targets of a module that tests switches now.
    fn choose(&mut self) {
        let width = self.now.len();
        for (index, (at, modes)) in self.now.iter().zip(&self.instants).enumerate() {
            let Some(due) = due(at, modes).filter(|due| !due.switches.is_empty()) else { continue };
            let own = &self.chain.modules[index].modes;
            let stays = self.stays(index, at);
            self.more.clear();
            for way in self.ways.chunks_exact(width) {
                for onward in targets(due, own, stays) {
                    let place = self.more.len() + index;
                    self.more.extend_from_slice(way);
                    self.more[place] = onward;
                }
                // One more than the limit, so that exceeding it shows.
                if self.more.len() > MOST * width {
                    break;
                }
            }
            std::mem::swap(&mut self.ways, &mut self.more);
        }
    }
}

impl Search<'_> {
    /// The state of a module that doesn't switch at one of its instants. Releases at the end of the period are those at
    /// its start.
    fn stays(&self, module: usize, at: &At) -> Onward {
        let is_over = at.next + 1 == self.instants[module][at.mode].len();
        let (instant, since) = if is_over { (0, Ticks::ZERO) } else { (at.next, at.since) };
        let is_update = self.is_start && self.chain.modules[module].modes[at.mode].enters;
        let at = At { since, next: instant + 1, ..*at };
        Onward { at, instant: Some(instant), switches: false, is_update }
    }
}

/// The events due for a module now.
fn due<'a>(at: &At, modes: &'a [Instants]) -> Option<&'a Due> {
    let (instant, due) = modes[at.mode].get(at.next)?;
    (*instant == at.since).then_some(due)
}

/// The possible states of a module after the switches that are tested now.
fn targets<'a>(due: &'a Due, modes: &'a [Mode], stays: Onward) -> impl Iterator<Item = Onward> + use<'a> {
    let switches = &modes[stays.at.mode].switches;
    let tested = due.switches.iter().map(|index| &switches[*index]);
    let taken = tested.clone().position(|switch| switch.always);
    let begun = |switch: &Switch| Onward {
        at: At { mode: switch.target, since: Ticks::ZERO, next: 1 },
        instant: Some(0),
        switches: true,
        is_update: modes[switch.target].enters,
    };
    let count = taken.map_or(due.switches.len(), |last| last + 1);
    tested.take(count).map(begun).chain(taken.is_none().then_some(stays))
}
