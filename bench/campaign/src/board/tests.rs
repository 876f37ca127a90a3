//! Six systems on the board, and what shows that a step too long would be found.

use beryl_abi::Duration;
use beryl_kernel::Charges;

use super::charged::{Charged, Kind};
use super::tally::Tally;
use super::{NAME, Trial, alone, built};

/// Systems of which one or the other has steps of all kinds, and whose longest steps go by each way that is charged: 20 and 146 to a place in a
/// band, 132 there from an interrupt, 165 past those who are raised by ceilings; 49, whose alarms take more than half of what they are charged; and one with a trace buffer, whose longest step is one that tells
/// of a miss and an overrun.
const SEEDS: [u64; 6] = [20, 49, 132, 146, 165, 1_000_000_028];

fn part(charge: &mut Duration, of: u64) {
    *charge = Duration::from_ticks(charge.ticks() / of);
}

/// Whether a step of some kind is longer than it is charged, once charges are changed.
fn finds(trial: &Trial, charged: Charged, kind: Kind, change: impl FnOnce(&mut Charges)) -> bool {
    let mut tally = Tally::default();
    trial.hold(&charged.with(change), &mut tally);
    tally.broken.iter().any(|broken| broken.said.starts_with(kind.name()))
}

#[test]
fn no_step_on_the_board_is_longer_than_it_is_charged_and_one_would_be_noticed() {
    let _alone = alone(NAME).expect("a lock");
    let mut tally = Tally::default();
    let mut noticed = [false; 4];
    for seed in SEEDS {
        let kernel = built(seed).expect("an image").expect("it is proved");
        let trial = Trial::of(seed, &kernel).expect("a run");
        let charged = Charged::of(&kernel.project);
        trial.hold(&charged, &mut tally);
        noticed[0] |= finds(&trial, charged, Kind::Alarm, |charges| part(&mut charges.alarm, 2));
        noticed[1] |= finds(&trial, charged, Kind::Completion, |charges| part(&mut charges.completion, 3));
        noticed[2] |= finds(&trial, charged, Kind::Round, |charges| {
            [&mut charges.release, &mut charges.instant, &mut charges.job]
                .into_iter()
                .for_each(|charge| part(charge, 2));
        });
        // A call is charged the longest step of all, which only faults, timeouts and queues take; the calls of these systems take a
        // tenth of it, so less than that has to be noticed.
        noticed[3] |= finds(&trial, charged, Kind::Call, |charges| part(&mut charges.call, 12));
    }
    println!("{tally:?}");
    assert!(tally.broken.is_empty(), "{:?}", tally.broken);
    let missing: Vec<_> = Kind::ALL.into_iter().filter(|kind| !tally.steps.contains_key(kind)).collect();
    assert_eq!(missing, [], "nothing was seen of these");
    assert_eq!(noticed, [true; 4], "charges of alarms, ends of jobs, rounds and calls that are too low");
}
