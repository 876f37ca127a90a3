use super::{Clock, Clocks, Keeping};
use crate::times::SplitMix64;

#[test]
fn an_exact_clock_shows_common_time() {
    for at in [0, 1, 999, 1_000_000_007, u64::MAX - 1, u64::MAX] {
        assert_eq!((Clock::EXACT.shows(at), Clock::EXACT.comes(at)), (at, at));
    }
}

/// 100 parts in a million are 100 us in a second.
#[test]
fn a_clock_that_is_too_fast_gains_what_its_drift_says() {
    let fast = Clock { billionths: 100_000, ..Clock::EXACT };
    assert_eq!((fast.shows(1_000_000_000), fast.comes(1_000_100_000)), (1_000_100_000, 1_000_000_000));
    let slow = Clock { billionths: -100_000, ..Clock::EXACT };
    assert_eq!((slow.shows(1_000_000_000), slow.comes(999_900_000)), (999_900_000, 1_000_000_000));
}

/// It is 5 us ahead, and loses that over 10 ms; half of it in the first half.
#[test]
fn a_correction_is_spread_and_then_over() {
    let mut clock = Clock::EXACT;
    clock.correct(20_000_000, 5_000, 10_000_000);
    let shown = [20_000_000, 25_000_000, 30_000_000, 40_000_000].map(|at| clock.shows(at));
    assert_eq!(shown, [20_000_000, 24_997_500, 29_995_000, 39_995_000]);
}

/// Whatever a clock's rate and correction: it never goes back, goes through every value at an instant that is found, and
/// goes on from where it was when it is corrected again.
#[test]
fn no_clock_goes_back_or_leaves_an_instant_out() {
    for seed in 0..2000 {
        let mut dice = SplitMix64(seed);
        let drift = dice.up_to(2_000_000) as i64 - 1_000_000;
        let mut clock = Clock { billionths: drift, ..Clock::EXACT };
        let (mut at, mut shown) = (0, 0);
        for _ in 0..50 {
            at += dice.up_to(3_000);
            let now = clock.shows(at);
            assert!(now >= shown, "seed {seed}: {now} behind {shown}");
            shown = now;
            let ahead = shown + dice.up_to(5_000);
            let comes = clock.comes(ahead);
            assert!(clock.shows(comes) >= ahead && comes >= clock.corrected, "seed {seed}");
            assert!(comes <= clock.corrected || clock.shows(comes - 1) < ahead, "seed {seed}: too late");
            if dice.up_to(4) == 0 {
                let spread = 10 + dice.up_to(2_000);
                clock.correct(at, dice.up_to(spread) as i64 - (spread / 2) as i64, spread);
                assert_eq!(clock.shows(at), shown, "seed {seed}");
            }
        }
    }
}

/// Two clocks that are as wrong as may be, on either side: one frame in 10 ms keeps them as near as the drift in that time
/// and the error of reading, with one frame in three lost, too; without, they part.
#[test]
fn what_is_heard_keeps_clocks_together() {
    let (cycle, drift, reading) = (10_000_000, 100, 500);
    let apart = |most: u64, is_heard: &dyn Fn(u64) -> bool| {
        let keeping = Keeping { frame: 0, reading, most, spread: cycle / 2 };
        let mut clocks = Clocks::new(2, drift, 1, Some(keeping));
        clocks.clocks[0].billionths = 100_000;
        clocks.clocks[1].billionths = -100_000;
        for round in 1..1000 {
            let end = round * cycle;
            let at = clocks.comes(0, end);
            clocks.look(at);
            if is_heard(round) {
                clocks.hear(0, 0, (at, end), |_| 40);
            }
        }
        clocks.apart()
    };
    // The drift between two corrections is 2 us, and 4 us if one of them is lost.
    let each = apart(10_000, &|_| true);
    assert!((2_000..2_000 + 550).contains(&each), "{each}");
    let one_lost = apart(10_000, &|round| round % 3 != 0);
    assert!((4_000..4_000 + 550).contains(&one_lost), "{one_lost}");
    assert!(apart(10_000, &|_| false) > 1_900_000);
}
