//! The graph of all runs in the most naive way: instants in trees, states in lists of their own.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use crate::chain::instants::{Due, instants};
use crate::chain::state_graph::{End, MOST, Step};
use crate::chain::{Chain, Module, Switch};
use crate::failure::Failure;
use crate::ticks::Ticks;

/// The state of a module after an instant: its mode, and the time since its period began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct At {
    mode: usize,
    since: Ticks,
}

/// The first steps, and the possible next steps by state.
pub(super) fn runs(chain: &Chain, end: End) -> Result<(Vec<Step>, Vec<Vec<Step>>), Failure> {
    let mut search = Search::new(chain, end)?;
    let start: Vec<_> =
        chain.modules.iter().map(|module| At { mode: module.start, since: Ticks::ZERO }).collect();
    let begin = search.steps_at(&start, Ticks::ZERO, true)?;
    let mut steps = Vec::new();
    let mut count = 0;
    while let Some(state) = search.states.get(steps.len()).cloned() {
        let next = search.steps_from(&state)?;
        count += next.len();
        if count > MOST {
            return Err(Failure::TooLong);
        }
        steps.push(next);
    }
    Ok((begin, steps))
}

type Tree = BTreeMap<Ticks, Due>;

struct Search<'a> {
    chain: &'a Chain,
    /// Stages whose publications count as updates, a bit each.
    ends: u64,
    instants: Vec<Vec<Tree>>,
    states: Vec<Vec<At>>,
    known: HashMap<Vec<At>, usize>,
}

impl<'a> Search<'a> {
    fn new(chain: &'a Chain, end: End) -> Result<Self, Failure> {
        let ends = if end == End::Publication { (1 << chain.stages()) >> 1 } else { 0 };
        let of_module = |module: &Module| {
            let modes = module
                .modes
                .iter()
                .map(|mode| Ok(instants(mode, MOST).ok_or(Failure::TooLong)?.into_iter().collect::<Tree>()));
            modes.collect::<Result<Vec<_>, Failure>>()
        };
        let instants = chain.modules.iter().map(of_module).collect::<Result<_, _>>()?;
        Ok(Search { chain, ends, instants, states: Vec::new(), known: HashMap::default() })
    }

    /// The possible next steps after a state.
    fn steps_from(&mut self, state: &[At]) -> Result<Vec<Step>, Failure> {
        let until = state.iter().zip(&self.instants).filter_map(|(at, modes)| {
            let behind = (Bound::Excluded(at.since), Bound::Unbounded);
            let (next, _) = modes[at.mode].range(behind).next()?;
            Some(next.less(at.since))
        });
        // A period always ends.
        let wait = until.min().ok_or(Failure::TooLong)?;
        let then = state.iter().map(|at| Ok(At { since: at.since.plus(wait)?, ..*at }));
        let then = then.collect::<Result<Vec<_>, Failure>>()?;
        self.steps_at(&then, wait, false)
    }

    /// The possible outcomes of an instant, for each choice of switches.
    fn steps_at(&mut self, now: &[At], wait: Ticks, is_start: bool) -> Result<Vec<Step>, Failure> {
        let dues: Vec<Option<&Due>> =
            now.iter().zip(&self.instants).map(|(at, modes)| modes[at.mode].get(&at.since)).collect();
        let publishes = dues.iter().flatten().fold(0, |all, due| all | due.publishes);
        let is_update = dues.iter().flatten().any(|due| due.is_update) || publishes & self.ends != 0;
        let enters = |module: usize, at: &At| self.chain.modules[module].modes[at.mode].enters;
        // The states, whether one of them is of another mode, and whether the actuator is updated on entering one.
        let mut ways: Vec<(Vec<At>, bool, bool)> = vec![(Vec::with_capacity(now.len()), false, false)];
        for (index, (at, due)) in now.iter().zip(&dues).enumerate() {
            if due.is_none_or(|due| due.switches.is_empty()) {
                let stays = self.stays(index, *at);
                ways.iter_mut().for_each(|(way, _, entered)| {
                    way.push(stays);
                    *entered |= is_start && enters(index, at);
                });
                continue;
            }
            let targets = self.targets(index, *at, *due);
            let extended = ways.iter().flat_map(|(way, switches, entered)| {
                targets.iter().map(move |(to, own)| {
                    let entered = *entered || (is_start || *own) && enters(index, to);
                    ([way.as_slice(), &[*to]].concat(), *switches || *own, entered)
                })
            });
            // One more than the limit, so that exceeding it shows.
            ways = extended.take(MOST + 1).collect();
        }
        let mut steps = Vec::new();
        for (way, switches, entered) in ways {
            let is_update = is_update || entered;
            let begun =
                way.iter().zip(&self.instants).filter_map(|(at, modes)| modes[at.mode].get(&at.since));
            let (releases, carries, at_once) = begun.fold((0, 0, 0), |(releases, carries, at_once), due| {
                (releases | due.releases, carries | due.carries, at_once | due.at_once)
            });
            let to = self.number(way)?;
            steps.push(Step { wait, publishes, is_update, releases, carries, at_once, to, switches });
        }
        Ok(steps)
    }

    /// The possible states of a module after the switches of an instant, and whether it has switched.
    fn targets(&self, module: usize, at: At, due: Option<&Due>) -> Vec<(At, bool)> {
        let mode = &self.chain.modules[module].modes[at.mode];
        let tested = due.map_or(&[] as &[usize], |due| &due.switches);
        let tested: Vec<&Switch> = tested.iter().map(|index| &mode.switches[*index]).collect();
        let mut targets = Vec::new();
        for switch in &tested {
            targets.push((At { mode: switch.target, since: Ticks::ZERO }, true));
            if switch.always {
                return targets;
            }
        }
        targets.push((self.stays(module, at), false));
        targets
    }

    /// The state of a module that doesn't switch.
    fn stays(&self, module: usize, at: At) -> At {
        let period = self.chain.modules[module].modes[at.mode].period;
        At { since: if at.since == period { Ticks::ZERO } else { at.since }, ..at }
    }

    fn number(&mut self, state: Vec<At>) -> Result<usize, Failure> {
        if let Some(number) = self.known.get(&state) {
            return Ok(*number);
        }
        let number = self.states.len();
        if number >= MOST {
            return Err(Failure::TooLong);
        }
        self.known.insert(state.clone(), number);
        self.states.push(state);
        Ok(number)
    }
}
