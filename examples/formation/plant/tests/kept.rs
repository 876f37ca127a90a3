//! Formation: the tasks keep it within the stated bound, and only by their vote.

mod closed_loop;

use closed_loop::{Third, Update, fly};
use core::time::Duration;
use formation_plant::{ENVELOPE, Formation, Helicopter};
use helicopter_plant::{Gusts, Noise};

const SEEDS: [u64; 10] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];
const FLIGHT: Duration = Duration::from_secs(12);

fn gusts() -> Gusts {
    Gusts::parse(include_str!("../../gust.csv")).expect("the example's gusts are well-formed")
}

fn flown(seed: u64, third: Third) -> (Formation, Vec<Update>) {
    let mut formation = Formation::new(seed, &gusts());
    let updates = fly(&mut formation, third, FLIGHT);
    (formation, updates)
}

#[test]
fn formation_keeps_to_three_quarters_of_the_bound() {
    for seed in SEEDS {
        let (formation, _) = flown(seed, Third::Outvoted);
        let worst = [Helicopter::Left, Helicopter::Right].map(|who| formation.worst(who));
        println!("seed {seed}: {worst:.3?}");
        assert!(worst.iter().all(|worst| *worst <= 0.75 * ENVELOPE), "seed {seed}: {worst:?}");
        assert_eq!(formation.departure(), None, "seed {seed}");
    }
}

/// The third of those who say where the leader is goes wrong, and no rotor knows.
#[test]
fn who_is_wrong_is_outvoted() {
    for seed in SEEDS {
        let [outvoted, right] = [Third::Outvoted, Third::Right].map(|third| flown(seed, third).1);
        let differs = outvoted.iter().zip(&right).find(|(one, other)| one != other);
        assert_eq!((differs, outvoted.len()), (None, right.len()), "seed {seed}");
    }
}

/// The negative control: who believes the third loses formation soon after it goes wrong, at 2 s.
#[test]
fn without_a_vote_formation_is_lost() {
    for seed in SEEDS {
        let departure = flown(seed, Third::Believed).0.departure().expect("the bound is left");
        println!("seed {seed}: {departure}");
        let seconds = departure.instant.as_secs_f64();
        assert!((2.0..3.5).contains(&seconds), "seed {seed}: {departure}");
    }
}

#[test]
fn the_leader_flies_its_course() {
    for seed in SEEDS {
        let (formation, _) = flown(seed, Third::Outvoted);
        let leader = formation.state(Helicopter::Leader);
        assert!((leader.x - 3.0).abs() < 0.5 && (leader.z - 1.0).abs() < 0.25, "seed {seed}: {leader:?}");
    }
}

/// Behind the course, and in still air, all come to rest in their places.
#[test]
fn in_still_air_all_come_to_rest_in_their_places() {
    let mut formation = Formation::with_noise(0, &Gusts::calm(), Noise::NONE);
    fly(&mut formation, Third::Outvoted, 3 * FLIGHT);
    for who in Helicopter::ALL {
        let state = formation.state(who);
        let off = [state.x - 3.0, state.z - 1.0, state.x_velocity, state.z_velocity];
        assert!(off.iter().all(|part| part.abs() < 0.01), "{who}: {state:?}");
    }
}

#[test]
fn every_period_updates_each_rotor_once() {
    let (_, updates) = flown(SEEDS[0], Third::Outvoted);
    let instants: Vec<(Duration, Helicopter)> = updates.iter().map(|&(at, who, _)| (at, who)).collect();
    let of_period = |period| Helicopter::ALL.map(|who| (Duration::from_millis(20) * period, who));
    let expected: Vec<(Duration, Helicopter)> = (0..=600).flat_map(of_period).collect();
    assert_eq!(instants, expected);
}

#[test]
fn a_seed_gives_the_same_flight_to_the_bit_and_another_another() {
    let flights = SEEDS.map(|seed| flown(seed, Third::Outvoted).1);
    for (index, flight) in flights.iter().enumerate() {
        assert!(*flight == flown(SEEDS[index], Third::Outvoted).1, "seed {}", SEEDS[index]);
        assert!(!flights[..index].contains(flight), "seed {}", SEEDS[index]);
    }
}
