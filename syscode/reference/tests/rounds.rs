//! Rounds in the reference machine: one block for all instants is what a block for each is, and the check of
//! time says the same of both.

mod random;
mod show;
mod timed;

use beryl_assembler::Program;
use beryl_reference::{Driver, Execution, Policy, World};
use beryl_testing::{Draw, XorShiftStar as Random};
use timed::{Periodic, UNIT, check, e_code, folded, hyperperiod, is_well_formed, world};

/// Two to four tasks whose periods may have little in common.
fn random_tasks(random: &mut Random) -> Vec<Periodic> {
    let count = 2 + random.below(3);
    let mut task = || {
        let period = UNIT * *random.one_of(&[2, 3, 4, 5, 6, 7, 12]);
        Periodic { period, bound: 1 + random.below(UNIT as usize * 2) as u32 }
    };
    (0..count).map(|_| task()).collect()
}

#[test]
fn a_round_is_what_its_instants_are_one_by_one() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let tasks = random_tasks(&mut random);
        let bounds: Vec<_> = tasks.iter().map(|task| task.bound).collect();
        let [each, round] = [e_code(&tasks, ""), folded(&tasks, "")].map(|text| show::program(&text));
        assert!(is_well_formed(&round), "seed {seed}");
        let policy = *random.one_of(&[Policy::EarliestDeadline, Policy::FixedPriority]);
        let world = |longest: bool| {
            let bounds = bounds.clone();
            let execution: Execution =
                Box::new(
                    move |task, number| if longest { bounds[task].into() } else { 1 + number as u64 % 7 },
                );
            world(&tasks, policy, execution)
        };
        for longest in [false, true] {
            let happened = |program: &Program| {
                let until = 2 * hyperperiod(&tasks) + 1;
                show::run(std::slice::from_ref(program), world(longest), until).expect("no trap")
            };
            assert_eq!(happened(&round), happened(&each), "seed {seed}: {tasks:?}");
        }
        match (check(&round, &world(true), &bounds), check(&each, &world(true), &bounds)) {
            (Ok(round), Ok(each)) => {
                assert_eq!(round.instants, each.instants, "seed {seed}");
                accepted += 1;
            }
            (Err(round), Err(each)) => {
                assert_eq!((round.at, round.fault), (each.at, each.fault), "seed {seed}");
                refused += 1;
            }
            (round, each) => panic!("seed {seed}: {round:?}, but {each:?}"),
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}

#[test]
fn a_round_may_begin_anew_before_it_ends() {
    let text = "driver d0, d1, d2
        block: beat 3, a
            call d0
        a:  beat 7, b
            call d1
        b:  beat 9, c
            call d2
            round
        c:  next round(21, 3, 7, 9), block
            return";
    let world = World { drivers: vec![Driver::copy(0, 0); 3], ports: vec![0], ..World::of_times(&[]) };
    let expected = " 0: call d0, call d1, call d2
 3: call d0
 6: call d0
 7: call d1
 9: call d0, call d2
12: call d0
15: call d0
16: call d1
18: call d0, call d2
";
    show::happens(text, world, 19, expected);
}
