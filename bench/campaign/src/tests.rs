//! A short campaign, and what shows that it would find something.

use crate::controls::{PHASES, broken_without};
use crate::exact::exact;
use crate::held::{held, one};
use crate::summary::Summary;
use crate::terms::Term;
use crate::trial::{project, promised, runs, see};
use crate::written::{FURTHER, Kind, MORE, draw};

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

/// The same of systems with more: of threads that sleep, and of triggers that look at ports.
const MENDED_WITH_MORE: [u64; 14] = [
    1_000_001_865,
    1_000_002_766,
    1_000_016_990,
    1_000_017_019,
    1_000_017_418,
    1_000_024_626,
    1_000_024_851,
    1_000_028_162,
    1_000_029_652,
    1_000_029_940,
    1_000_032_094,
    1_000_033_737,
    1_000_035_597,
    1_000_037_279,
];

#[test]
fn what_broke_a_promise_with_more_holds_now() {
    let mut summary = Summary::default();
    for seed in MENDED_WITH_MORE {
        one(seed, &mut summary).expect("a system");
    }
    assert_eq!(summary.broken, []);
    assert!(summary.accepted >= 10, "{} of {} are accepted", summary.accepted, MENDED_WITH_MORE.len());
}

#[test]
fn who_waits_with_a_limit_never_misses_either() {
    let summary = held(FURTHER + FROM, 100).expect("a campaign");
    println!("seeds from {}: {summary:?}", FURTHER + FROM);
    assert_eq!(summary.broken, []);
    for name in ["waits with a limit", "threads below that doze", "conditions"] {
        let class = summary.classes.get(name).copied().unwrap_or_default();
        assert!(class.accepted > 0, "no system with {name}");
    }
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
    (Term::Release, 426),
    (Term::Completion, 277),
    (Term::Switch, 496),
    (Term::Instant, 55),
    (Term::UnderWay, 1168),
    (Term::Timers, FURTHER + 169),
    (Term::Alarm, 732),
    (Term::Driver, 562),
    (Term::Drivers, 46),
    (Term::AfterJobs, 593),
    (Term::WakeUps, MORE + 6),
];

#[test]
fn a_proof_with_one_program_at_an_instant_is_broken_where_there_are_more() {
    let broken = broken_without((5, Kind::Together), &[Term::Programs], PHASES).expect("a system");
    assert!(broken.contains(&Term::Programs), "nobody notices that several programs are one");
}

#[test]
fn a_proof_without_one_of_its_terms_is_broken() {
    for (term, seed) in SEEN {
        // Sections and wake-ups are tried in other phases, too, and so are all with them.
        let terms = [term, Term::Sections, Term::WakeUps];
        let broken = broken_without((seed, Kind::Any), &terms, PHASES).expect("a system");
        assert!(broken.contains(&term), "nobody notices that `{}` isn't counted (seed {seed})", term.name());
    }
}
