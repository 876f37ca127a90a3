//! Controls: a campaign against proofs with one term left out on purpose. It has to detect each of them.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use beryl_analysis::prove;
use beryl_builder::Project;
use beryl_builder::proof::modal;
use beryl_testing::{Draw, SplitMix64 as Random};

use crate::terms::Term;
use crate::trial::{Run, project, promised, promises, runs, see};
use crate::written::{FURTHER, Kind, MORE, SUPPLIED, draw};

/// For each term the first system that breaks a proof without it, and how many were drawn up to then.
pub type Found = BTreeMap<Term, Option<(u64, u64)>>;

/// Searches this many systems, from a seed on.
pub fn controls(from: u64, most: u64) -> Result<Found> {
    let mut found: Found = Term::ALL.map(|term| (term, None)).into_iter().collect();
    for seed in from..from.saturating_add(most) {
        let open: Vec<Term> =
            found.iter().filter(|(_, seen)| seen.is_none()).map(|(term, _)| *term).collect();
        if open.is_empty() {
            break;
        }
        for term in broken_without((seed, Kind::Any), &open, PHASES)? {
            found.insert(term, Some((seed, seed - from + 1)));
        }
    }
    for (term, kind, first) in ELSEWHERE {
        let mut drawn = 0;
        while found[&term].is_none() && drawn < most {
            let seed = first + drawn;
            drawn += 1;
            if !broken_without((seed, kind), &[term], PHASES)?.is_empty() {
                found.insert(term, Some((seed, drawn)));
            }
        }
    }
    Ok(found)
}

/// Where to look for terms that don't occur in systems of other seeds, or not enough.
const ELSEWHERE: [(Term, Kind, u64); 7] = [
    (Term::Sections, Kind::Sections, 1),
    (Term::Programs, Kind::Together, 1),
    (Term::Timers, Kind::Any, FURTHER),
    (Term::WakeUps, Kind::Any, MORE),
    (Term::AfterJobs, Kind::Any, MORE),
    (Term::Replenishments, Kind::Any, SUPPLIED),
    (Term::Kept, Kind::Any, SUPPLIED),
];

/// Which of some terms are needed: without them, runs break the proof of a system with a given seed and kind.
pub fn broken_without((seed, kind): (u64, Kind), terms: &[Term], phases: u64) -> Result<Vec<Term>> {
    let Ok(project) = project(&draw(seed, kind)) else { return Ok(Vec::new()) };
    // If modules switch modes, the analysis takes another input.
    let Ok(whole) = promised(&project) else { return Ok(Vec::new()) };
    if modal(&project).is_some() {
        return Ok(Vec::new());
    }
    let lowered = terms.iter().filter_map(|term| {
        let proof = prove(&term.without(&project)?).ok()?;
        Some((*term, promises(&project, &proof)))
    });
    let lowered: Vec<_> = lowered.collect();
    let mut broken = Vec::new();
    let others = if lowered.iter().any(|(term, _)| term.depends_on_phases()) { phases } else { 0 };
    for run in runs(&project, seed).into_iter().chain(in_other_phases(&project, seed, others)) {
        let seen = see(&project, run)?;
        ensure!(seen.broken(&whole).is_none(), "seed {seed}: the whole proof is broken");
        let by_this = lowered.iter().filter(|(_, promises)| seen.broken(promises).is_some());
        broken.extend(by_this.map(|(term, _)| *term));
    }
    Ok(broken)
}

/// More runs with the longest times, with sections and interrupts at other points.
fn in_other_phases(project: &Project, seed: u64, count: u64) -> impl Iterator<Item = Run> {
    let [worst, _] = runs(project, seed);
    let mut random = Random(seed);
    (0..count).map(move |_| Run { seed: random.within(0, u64::MAX - 1), ..worst })
}

/// How many for each system.
pub const PHASES: u64 = 12;
