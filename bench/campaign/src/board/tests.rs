//! Eight systems on the board, and proof that a step that is too long would be found.

mod virt;

use beryl_abi::Duration;
use beryl_builder::proof;
use beryl_kernel::Charges;

use super::charged::{Charged, Kind};
use super::tally::Tally;
use super::{NAME, Trial, alone, built, kernel, large};

/// Together these systems have steps of all kinds, and their longest steps cover each charged path: 20 and
/// 146 to a place in a band, 132 to one from an interrupt, 165 past threads raised by ceilings; 49, whose
/// alarms take more than half of their charge; 161, whose interrupts wake a waiting thread into a band;
/// 1000000137, whose programs and deferred work come closest to their charges; and one with a trace buffer,
/// whose longest step records a miss and an overrun.
const SEEDS: [u64; 8] = [20, 49, 132, 146, 161, 165, 1_000_000_028, 1_000_000_137];

fn part(charge: &mut Duration, of: u64) {
    *charge = Duration::from_ticks(charge.ticks() / of);
}

/// Breaches, beginning with this text, after changing the charges.
fn finds(trial: &Trial, charged: Charged, begin: &str, change: impl FnOnce(&mut Charges)) -> bool {
    let mut tally = Tally::default();
    trial.hold(&charged.with(change), &mut tally);
    tally.broken.iter().any(|broken| broken.said.starts_with(begin))
}

/// A charge, the steps that it covers, and a divisor large enough for the steps to exceed it. Steps stay
/// further below their charge if it has to cover more than these systems do.
type Lowered = (Kind, u64, fn(&mut Charges) -> &mut Duration);

const LOWERED: [Lowered; 8] = [
    (Kind::Alarm, 2, |charges| &mut charges.alarm),
    (Kind::Interrupt, 3, |charges| &mut charges.job),
    (Kind::Completion, 3, |charges| &mut charges.completion),
    // The longest calls only walk queues; those of these systems take a fifth of that.
    (Kind::Call, 6, |charges| &mut charges.call),
    (Kind::Release, 2, |charges| &mut charges.release),
    (Kind::Decision, 2, |charges| &mut charges.decision),
    (Kind::EMachine, 2, |charges| &mut charges.e_machine),
    // Charged like an interrupt that wakes a thread into a band; a call's deferred work takes a third of
    // that.
    (Kind::Deferred, 4, |charges| &mut charges.job),
];

/// A kind and its charge.
type Halved = (proof::Kind, fn(&mut Charges) -> &mut Duration);

/// Each kind with a charge, against which an image's bound is also checked.
const HALVED: [Halved; 7] = [
    (proof::Kind::Alarm, |charges| &mut charges.alarm),
    (proof::Kind::Release, |charges| &mut charges.release),
    (proof::Kind::Completion, |charges| &mut charges.completion),
    (proof::Kind::EMachine, |charges| &mut charges.instant_step),
    (proof::Kind::Decision, |charges| &mut charges.look),
    (proof::Kind::Job, |charges| &mut charges.job),
    (proof::Kind::Sorting, |charges| &mut charges.sorting),
];

#[test]
fn no_step_on_the_board_is_longer_than_it_is_charged_and_one_would_be_noticed() {
    let _alone = alone(NAME).expect("a lock");
    let mut tally = Tally::default();
    let (mut seen, mut bounded) = ([false; LOWERED.len()], [false; HALVED.len()]);
    for seed in SEEDS {
        let kernel = built(seed, None).expect("an image").expect("it is proved");
        let trial = Trial::of(seed, &kernel).expect("a run");
        let charged = Charged::of(&kernel.project);
        trial.hold(&charged, &mut tally);
        for (found, (kind, of, charge)) in seen.iter_mut().zip(LOWERED) {
            *found |= finds(&trial, charged, kind.name(), |charges| part(charge(charges), of));
        }
        for (found, (kind, charge)) in bounded.iter_mut().zip(HALVED) {
            let begin = format!("bound of {}: ", kind.name());
            *found |= finds(&trial, charged, &begin, |charges| part(charge(charges), 2));
        }
    }
    println!("{}\n{}", tally.table(), tally.bounds_table());
    assert!(tally.broken.is_empty(), "{:?}", tally.broken);
    let missing: Vec<_> = Kind::ALL.into_iter().filter(|kind| !tally.steps.contains_key(kind)).collect();
    assert_eq!(missing, [Kind::Sorting], "no drawn band is so large that a place is sorted in");
    let unnoticed: Vec<_> =
        LOWERED.into_iter().zip(seen).filter(|(_, found)| !found).map(|(row, _)| row.0).collect();
    assert_eq!(unnoticed, [], "nobody notices that these are charged too little");
    let unnoticed: Vec<_> =
        HALVED.into_iter().zip(bounded).filter(|(_, found)| !found).map(|(row, _)| row.0).collect();
    assert_eq!(unnoticed, [proof::Kind::Sorting], "no bound is above half of what is charged");
}

#[test]
fn large_systems_stay_below_their_charges() {
    let _alone = alone(NAME).expect("a lock");
    let mut tally = Tally::default();
    for (number, (name, written)) in (0..).zip(large::systems()) {
        let kernel = kernel(written, None).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let trial = Trial::of(number, &kernel).expect(name);
        let charged = Charged::of(&kernel.project);
        trial.hold(&charged, &mut tally);
        if name == "members" {
            let halved = |begin: &str| finds(&trial, charged, begin, |charges| part(&mut charges.sorting, 2));
            assert!(halved(Kind::Sorting.name()), "a step that sorts in is longer than half of its charge");
            assert!(halved("bound of step of sorting in: "), "and so is what it can be");
        }
    }
    println!("{}\n{}", tally.table(), tally.bounds_table());
    assert!(tally.broken.is_empty(), "{:?}", tally.broken);
}
