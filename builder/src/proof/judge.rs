//! The judge: whether a system holds as its files describe it, and how much longer everything might take.
//!
//! `beryl check` prints its verdict, and `beryl plan` compares systems by it. So a proposal gets the same verdict
//! from both, also once it is typed.

use beryl_analysis::TaskIndex;
use beryl_analysis::sensitivity::{
    Factor, bears, bears_at_any_offsets, bears_in_modes, speed, speed_in_modes,
};

use super::{Proved, Question, check, modal, prove, ranges, system};
use crate::project::Project;

/// How far a proof reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// How many times as long everything might take, the kernel too.
    pub slowdown: Factor,
    /// The first thread that isn't proved any more beyond it, if that is one.
    pub late_first: Option<String>,
}

impl Proved {
    /// How far a proof reaches, for all priorities that threads may have. Nothing if times are too large to tell.
    #[must_use]
    pub fn reach(&self) -> Option<Reach> {
        let each = self.lowered.iter().map(Question::reach);
        each.fold(self.of.reach(), |least, other| {
            let (least, other) = (least?, other?);
            Some(if other.slowdown < least.slowdown { other } else { least })
        })
    }

    fn bears(&self, factor: Factor) -> bool {
        std::iter::once(&self.of).chain(&self.lowered).all(|of| match of {
            Question::InTurn(modal) => bears_in_modes(modal, factor).unwrap_or(false),
            Question::AllModes(system) => bears(system, factor).unwrap_or(false),
        })
    }
}

impl Question {
    /// How far its proof reaches. Nothing if times are too large to tell.
    fn reach(&self) -> Option<Reach> {
        match self {
            Question::InTurn(modal) => {
                let (slowdown, late_first) = speed_in_modes(modal).ok()?;
                Some(Reach { slowdown, late_first })
            }
            Question::AllModes(system) => {
                let speed = speed(system).ok()?;
                let name = |index: TaskIndex| {
                    Some(system.bands.get(index.band)?.tasks.get(index.task)?.name.clone())
                };
                Some(Reach { slowdown: speed.slowdown, late_first: speed.breaks_first.and_then(name) })
            }
        }
    }
}

/// How many times as long everything might take, whichever of a system's programs run. Nothing if `beryl check`
/// refuses it.
#[must_use]
pub fn slowdown(project: &Project) -> Option<Factor> {
    if !boards_accept(project) {
        return None;
    }
    let each = all(project).map(|project| Some(prove(&project).ok()?.reach()?.slowdown));
    each.reduce(|one, other| Some(one?.min(other?))).flatten()
}

/// Whether everything may take so many times as long: the question of [`slowdown`] for one factor.
#[must_use]
pub fn is_slow_enough(project: &Project, factor: Factor) -> bool {
    all(project).flat_map(ranges::all).all(|project| match modal(&project) {
        // Without modes, the proof doesn't need the response times.
        None => bears(&system(&project), factor).unwrap_or(false),
        Some(_) => prove(&project).is_ok_and(|proved| proved.bears(factor)),
    })
}

/// A quick answer to the same question, for many systems. It may say no because no schedule was laid out.
#[must_use]
pub fn is_slow_enough_at_once(project: &Project, factor: Factor) -> bool {
    all(project).flat_map(ranges::all).all(|project| match modal(&project) {
        None => bears_at_any_offsets(&system(&project), factor).unwrap_or(false),
        Some(modal) => bears_in_modes(&modal, factor).unwrap_or(false),
    })
}

/// A system with each of its programs in turn.
pub fn all(project: &Project) -> impl Iterator<Item = Project> + '_ {
    let others = (0..project.assembly.alternatives.len()).filter_map(|index| project.after(index));
    std::iter::once(project.clone()).chain(others)
}

/// Whether the board's own check will accept each of the other programs.
fn boards_accept(project: &Project) -> bool {
    let rows = project.assembly.alternatives.iter().zip(&project.alternatives);
    rows.into_iter()
        .all(|(row, program)| check(project, row.body.slot.unwrap_or(usize::MAX), program).is_ok())
}
