//! Drawn and large systems on virt, whose steps are charged by a factor and numbers of its own: none is longer, and each of these
//! numbers but one would be missed.

use beryl_bench::step::Kernel;
use beryl_builder::board::Board;
use beryl_builder::board::processor::{Processor, Unmeasured};

use super::super::charged::{Charged, Kind};
use super::super::tally::Tally;
use super::super::{ELSEWHERE, NAME, Trial, alone, built, kernel, large};

/// Systems that are proved on virt, too: without other objects than locks and semaphores, as on the first board; and with all kinds. Of these
/// the second has the longest call, a message of 16 words whose place another one takes at once, and the third a trace buffer. In the last
/// but one calls are taken up at length with so many beginnings that the last ones of all events once weren't followed; the last has the longest round of
/// the E machine.
const SEEDS: [u64; 12] = [
    20,
    49,
    132,
    146,
    161,
    165,
    1_000_000_001,
    1_000_000_006,
    1_000_000_009,
    1_000_000_016,
    1_000_000_018,
    1_000_000_144,
];

/// What is charged there, and less of it.
type Lowered = (&'static str, fn(&mut Unmeasured));

const LOWERED: [Lowered; 7] = [
    ("steps", |unmeasured| unmeasured.steps -= 10),
    ("alarm", |unmeasured| unmeasured.more.alarm /= 2),
    ("sorting", |unmeasured| unmeasured.more.sorting = 0),
    ("completion", |unmeasured| unmeasured.more.completion = 0),
    ("decision", |unmeasured| unmeasured.more.decision /= 2),
    ("search", |unmeasured| unmeasured.more.search /= 2),
    ("other", |unmeasured| unmeasured.more.other /= 2),
];

/// Runs a system and holds it to its charges; which of the lowered numbers would be too low for it.
fn held(seed: u64, kernel: &Kernel, tally: &mut Tally) -> [bool; LOWERED.len()] {
    let trial = Trial::of(seed, kernel).unwrap_or_else(|error| panic!("{error:?}"));
    trial.hold(&Charged::of(&kernel.project), tally);
    LOWERED.map(|(_, lower)| {
        let mut processor = Processor { ..*kernel.processor() };
        lower(&mut processor.unmeasured);
        let charged = |kind: beryl_builder::proof::Kind| kind.charged(&kernel.project.assembly, &processor);
        trial.bounds.iter().any(|(bound, _)| bound.instructions > charged(bound.kind))
    })
}

#[test]
fn no_step_on_virt_is_longer_than_it_is_charged_and_each_number_is_needed() {
    let _alone = alone(NAME).expect("a lock");
    let board = Board::named(ELSEWHERE).expect("the board");
    assert_eq!(board.processor.unmeasured.more.stop, 0, "what else there is, is lowered here");
    let mut tally = Tally::default();
    let mut needed = [false; LOWERED.len()];
    let mut note = |found: [bool; LOWERED.len()]| {
        needed.iter_mut().zip(found).for_each(|(needed, found)| *needed |= found);
    };
    for seed in SEEDS {
        let kernel = built(seed, Some(board)).unwrap_or_else(|error| panic!("{error:?}"));
        let kernel = kernel.unwrap_or_else(|| panic!("seed {seed} isn't proved"));
        note(held(seed, &kernel, &mut tally));
    }
    for (number, (name, written)) in (0..).zip(large::systems()) {
        let kernel = kernel(written, Some(board)).unwrap_or_else(|error| panic!("{name}: {error:?}"));
        note(held(number, &kernel, &mut tally));
    }
    println!("{}\n{}", tally.table(), tally.bounds_table());
    assert!(tally.broken.is_empty(), "{:?}", tally.broken);
    let missing: Vec<_> = Kind::ALL.into_iter().filter(|kind| !tally.steps.contains_key(kind)).collect();
    assert_eq!(missing, []);
    let unnoticed = LOWERED.into_iter().zip(needed).filter(|(_, needed)| !needed);
    let unnoticed: Vec<_> = unnoticed.map(|((name, _), _)| name).collect();
    assert_eq!(unnoticed, ["sorting"], "the factor alone is enough for sixty threads in a band");
}
