//! The paths through a module's modes, from instant to instant.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::failure::Failure;
use crate::modes::{Job, Mode, Module};
use crate::ticks::Ticks;

/// The most instants and edges between them.
const MOST: usize = 20_000;

/// The events of an instant. The kernel enters system code at each.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// Its number within the module.
    pub number: usize,
    /// The time since the previous instant; positive.
    pub wait: Ticks,
    /// The time that drivers take.
    pub calls: Ticks,
    /// Jobs due at it.
    pub ends: Vec<Job>,
    /// Jobs released at it.
    pub releases: Vec<Job>,
    /// The state after it.
    pub to: usize,
}

/// A module's paths: the possible next steps after each state.
pub(super) struct Steps {
    pub after: Vec<Vec<Step>>,
    /// The longest period of a mode.
    pub longest: Ticks,
}

/// The events due at an instant of a mode's period.
#[derive(Clone, Default)]
struct Due {
    calls: Ticks,
    ends: Vec<Job>,
    targets: BTreeSet<usize>,
}

/// The events that begin at one.
#[derive(Clone, Default)]
struct Begun {
    calls: Ticks,
    releases: Vec<Job>,
}

/// A mode by its instants.
struct Instants {
    /// After 0, up to the period.
    due: BTreeMap<Ticks, Due>,
    /// From 0, before the period.
    begun: BTreeMap<Ticks, Begun>,
    /// When it is entered, beside what begins at 0.
    enters: Ticks,
}

impl Steps {
    pub(super) fn of(module: &Module) -> Result<Steps, Failure> {
        let modes = module.modes.iter().map(Instants::of).collect::<Result<Vec<_>, _>>()?;
        let mut states: Vec<(usize, Ticks)> = Vec::new();
        let mut numbers = HashMap::new();
        let mut number = |state: (usize, Ticks), states: &mut Vec<_>| {
            *numbers.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        (0..modes.len()).for_each(|mode| {
            number((mode, Ticks::ZERO), &mut states);
        });
        let (mut after, mut count) = (Vec::new(), 0);
        while let Some((mode, since)) = states.get(after.len()).copied() {
            let mut steps = next(&modes, mode, since, &mut |state| number(state, &mut states))?;
            for step in &mut steps {
                step.number = count;
                count += 1;
            }
            if count > MOST {
                return Err(Failure::TooLong);
            }
            after.push(steps);
        }
        // It may start in any of them. Nothing leads to these states; a run, and so a window, begins there.
        for (mode, row) in modes.iter().enumerate().filter(|(_, row)| row.enters > Ticks::ZERO) {
            let begun = row.begun.get(&Ticks::ZERO).cloned().unwrap_or_default();
            let (calls, releases) = (row.enters.plus(begun.calls)?, begun.releases);
            let (wait, to) = (Ticks::new(1), number((mode, Ticks::ZERO), &mut states));
            after.push(vec![Step { number: count, wait, calls, ends: Vec::new(), releases, to }]);
            count += 1;
        }
        let longest = module.modes.iter().map(|mode| mode.period).max().unwrap_or(Ticks::ZERO);
        Ok(Steps { after, longest })
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &Step> {
        self.after.iter().flatten()
    }
}

/// The possible next steps.
fn next(
    modes: &[Instants],
    mode: usize,
    since: Ticks,
    number: &mut impl FnMut((usize, Ticks)) -> usize,
) -> Result<Vec<Step>, Failure> {
    let own = &modes[mode];
    // A period always ends.
    let (at, due) = own.due.range(since.plus(Ticks::new(1))?..).next().ok_or(Failure::TooLong)?;
    let is_last = own.due.range(at.plus(Ticks::new(1))?..).next().is_none();
    let stays = (mode, if is_last { Ticks::ZERO } else { *at });
    let targets = due.targets.iter().map(|target| ((*target, Ticks::ZERO), modes[*target].enters));
    let nothing = Begun::default();
    let steps = targets.chain([(stays, Ticks::ZERO)]).map(|((mode, begins), enters)| {
        let begun = modes[mode].begun.get(&begins).unwrap_or(&nothing);
        Ok(Step {
            number: 0,
            wait: at.less(since),
            calls: due.calls.plus(enters)?.plus(begun.calls)?,
            ends: due.ends.clone(),
            releases: begun.releases.clone(),
            to: number((mode, begins)),
        })
    });
    steps.collect()
}

impl Job {
    /// Its logical execution time.
    pub(super) fn length(&self) -> Ticks {
        self.end.less(self.start)
    }
}

impl Instants {
    fn of(mode: &Mode) -> Result<Instants, Failure> {
        let mut due = BTreeMap::from([(mode.period, Due::default())]);
        let mut begun = BTreeMap::<Ticks, Begun>::new();
        for job in &mode.jobs {
            begun.entry(job.start).or_default().releases.push(*job);
            due.entry(job.end).or_default().ends.push(*job);
        }
        for (at, calls) in &mode.calls {
            let due = due.entry(*at).or_default();
            due.calls = due.calls.plus(*calls)?;
        }
        for (at, calls) in &mode.begins {
            let begun = begun.entry(*at).or_default();
            begun.calls = begun.calls.plus(*calls)?;
        }
        for switch in &mode.switches {
            for at in switch.tested.instants(mode.period, MOST).ok_or(Failure::TooLong)? {
                due.entry(at).or_default().targets.insert(switch.target);
            }
        }
        // A beginning within the period is an instant, too.
        begun.keys().filter(|at| **at > Ticks::ZERO).for_each(|at| {
            due.entry(*at).or_default();
        });
        Ok(Instants { due, begun, enters: mode.enters })
    }
}
