//! Random trouble on the line, and random bytes at both ends: never a wrong program, always in step again.

mod line;

use beryl_link::{Outcome, Reason, Sender};
use line::{Line, PATIENCE, back, program, signed};
use proptest::prelude::*;

/// What happens to a byte, by chance.
#[derive(Clone, Copy, Debug)]
enum Trouble {
    Lost,
    Twice,
    Flipped(u8),
    Noise(u8),
    Zero,
}

fn trouble() -> impl Strategy<Value = Trouble> {
    prop_oneof![
        Just(Trouble::Lost),
        Just(Trouble::Twice),
        (0_u8..8).prop_map(Trouble::Flipped),
        any::<u8>().prop_map(Trouble::Noise),
        Just(Trouble::Zero),
    ]
}

fn applied(trouble: Trouble, byte: u8) -> Vec<u8> {
    match trouble {
        Trouble::Lost => vec![],
        Trouble::Twice => vec![byte, byte],
        Trouble::Flipped(bit) => vec![byte ^ 1 << bit],
        Trouble::Noise(noise) => vec![byte, noise],
        Trouble::Zero => vec![byte, 0],
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Three orders on a line with trouble at random places, then three without: what ran is what was signed, each at
    /// most once and in order, and without trouble everything works again.
    #[test]
    fn trouble_never_lets_anything_run_that_was_not_signed(
        troubles in proptest::collection::btree_map(0_usize..4000, trouble(), 0..60),
    ) {
        let mut line = Line::new();
        let mut number = 0;
        for is_troubled in [true, false] {
            for _ in 0..3 {
                number += 1;
                let program = program(number as u8, 200 + number as usize);
                let sender = Sender::new(signed(number, &program), PATIENCE, number as u8);
                let outcome = line.exchange(sender, &program, |_, place, byte| match troubles.get(&place) {
                    Some(trouble) if is_troubled => applied(*trouble, byte),
                    _ => vec![byte],
                });
                if !is_troubled {
                    prop_assert_eq!(outcome, Outcome::Running { steps: 3 });
                }
            }
        }
        let programs: Vec<_> = (1..=6).map(|number| program(number as u8, 200 + number as usize)).collect();
        let mut rest = programs.iter();
        for ran in &line.slot.written {
            prop_assert!(rest.any(|program| program == ran), "a wrong program, or one out of order");
        }
        prop_assert_eq!(&line.slot.ran[line.slot.ran.len() - 3..], &programs[3..]);
    }

    /// Pieces of real exchanges, shuffled, repeated and mixed with noise, as somebody would who has listened for long.
    #[test]
    fn whoever_has_heard_everything_makes_nothing_happen_that_was_not_ordered(
        cuts in proptest::collection::vec((0_usize..6000, 1_usize..700, any::<bool>()), 1..40),
        noise in proptest::collection::vec(any::<u8>(), 0..50),
    ) {
        let (first, second) = (program(1, 300), program(2, 200));
        let mut line = Line::new();
        line.swap(1, &first);
        line.swap(2, &second);
        line.exchange(Sender::new(back(3), PATIENCE, 0), &[], line::well);
        let (heard, ran) = (line.sent.clone(), line.slot.ran.clone());
        for (from, length, with_noise) in cuts {
            let piece: Vec<u8> = heard.iter().cycle().skip(from).take(length).copied().collect();
            line.feed(&piece);
            if with_noise {
                line.feed(&noise);
            }
            line.work();
        }
        prop_assert_eq!(&line.slot.ran, &ran);
        prop_assert_eq!(line.board.last(), 3);
        let next = program(4, 100);
        prop_assert_eq!(line.swap(4, &next), Outcome::Running { steps: 3 });
    }

    /// Bytes that mean nothing: neither end stumbles, the board hands nothing over, and a whole order still
    /// gets through.
    #[test]
    fn noise_is_noise(noise in proptest::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(0)], 0..3000)) {
        let program = program(1, 50);
        let mut sender = Sender::new(signed(1, &program), PATIENCE, 0);
        noise.iter().for_each(|byte| {
            sender.hear(*byte, 0);
        });
        prop_assert_eq!(sender.outcome(), None);
        let mut line = Line::new();
        line.feed(&noise);
        line.work();
        prop_assert!(line.slot.written.is_empty());
        prop_assert_eq!(line.exchange(sender, &program, line::well), Outcome::Running { steps: 3 });
    }
}

#[test]
fn every_reason_has_words_of_its_own() {
    let words: std::collections::BTreeSet<_> =
        Reason::ALL.iter().map(|reason| beryl_link::Refusal::plain(*reason).to_string()).collect();
    assert_eq!(words.len(), Reason::ALL.len());
}
