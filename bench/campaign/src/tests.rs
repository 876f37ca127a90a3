//! A short campaign, and what shows that it would find something.

use crate::controls::{DIRECTED, PHASES, broken_without};
use crate::exact::exact;
use crate::held::{held, one};
use crate::summary::Summary;
use crate::terms::Term;
use crate::trial::{project, promised, runs, see};
use crate::written::{Kind, MORE, draw};

/// Seeds that differ from those of the long campaign's first batch.
const FROM: u64 = 7_000_000;

#[test]
fn what_is_accepted_never_misses_and_takes_no_longer_than_printed() {
    let summary = held(FROM, 80).expect("a campaign");
    println!("seeds from {FROM}: {summary:?}");
    assert_eq!(summary.broken, [], "seeds from {FROM}");
    assert_eq!(summary.unfit, 0, "seeds from {FROM}");
    assert!(summary.accepted >= 20 && summary.refused >= 20, "{} accepted", summary.accepted);
    assert!(summary.tightest.0 > 900, "runs come close to what is promised: {:?}", summary.tightest);
}

/// Systems that broke a promise once: of drivers beneath interrupts, of sections with their last call, of what is under way, of alarms
/// behind drivers, of several programs at an instant, of decisions behind jobs, and of the start.
const MENDED: [u64; 15] =
    [439, 486, 966, 5228, 10600, 11123, 12958, 16666, 17512, 19110, 22723, 30468, 35549, 49351, 49581];

#[test]
fn what_broke_a_promise_once_holds_now() {
    let mut summary = Summary::default();
    for seed in MENDED {
        one(seed, &mut summary).expect("a system");
    }
    assert_eq!(summary.broken, []);
    assert!(summary.accepted >= 11, "{} of {} are accepted", summary.accepted, MENDED.len());
}

#[test]
fn what_has_more_never_misses_either() {
    let summary = held(MORE + FROM, 150).expect("a campaign");
    println!("seeds from {}: {summary:?}", MORE + FROM);
    assert_eq!(summary.broken, []);
    assert!(summary.accepted >= 20 && summary.refused >= 40, "{} accepted", summary.accepted);
    for name in [
        "threads that others wake",
        "threads that sleep",
        "values that are read by calls",
        "mailboxes",
        "a band by S code",
        "tasks that interrupts release",
        "tasks that changes release",
        "a slot that is filled",
        "a trace buffer",
    ] {
        let class = summary.classes.get(name).copied().unwrap_or_default();
        assert!(class.accepted > 0, "no system with {name}");
    }
}

#[test]
fn programs_that_arrive_take_over_again_and_again() {
    let mut taken_over = 0;
    for seed in MORE..MORE + 250 {
        let Ok(project) = project(&draw(seed, Kind::Any)) else { continue };
        if !project.assembly.objects.slots.is_empty() && promised(&project).is_ok() {
            see(&project, runs(&project, seed)[0]).expect("a run");
            taken_over += crate::loading::taken_over();
        }
    }
    assert!(taken_over >= 5, "{taken_over} have");
}

#[test]
fn exact_tests_are_what_the_kernel_does() {
    let verdicts = exact(FROM, 60).expect("tests and runs agree");
    assert!(verdicts.accepted >= 15 && verdicts.refused >= 10, "seeds from {FROM}: {verdicts:?}");
}

/// Systems that break a proof without a term, as `./x bench campaign controls` finds them.
const SEEN: [(Term, u64); 11] = [
    (Term::Release, 77),
    (Term::Completion, 77),
    (Term::Switch, 1413),
    (Term::Instant, 55),
    (Term::UnderWay, 436),
    (Term::Alarm, 420),
    (Term::Driver, 562),
    (Term::Drivers, 46),
    (Term::Jobs, 77),
    (Term::AfterJobs, 77),
    (Term::WakeUps, 266),
];

#[test]
fn a_proof_without_the_end_of_sections_is_broken_in_some_phase() {
    let (seed, phases) = DIRECTED;
    assert_eq!(broken_without(seed, &[Term::Sections], phases).expect("a system")[..1], [Term::Sections]);
}

#[test]
fn a_proof_without_one_of_its_terms_is_broken() {
    for (term, seed) in SEEN {
        let broken = broken_without(seed, &[term], PHASES).expect("a system");
        assert!(broken.contains(&term), "nobody notices that `{}` isn't counted (seed {seed})", term.name());
    }
}
