//! Hover: the helicopter's tasks hold it within the stated bounds, and only they do.

mod closed_loop;

use closed_loop::{Controller, Publication, Update, fly};
use core::time::Duration;
use helicopter_plant::{Excursion, Gusts, HOVER, Noise, Plant, Sample};

const SEEDS: [u64; 10] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89];
const FLIGHT: Duration = Duration::from_secs(10);

fn gusts() -> Gusts {
    Gusts::parse(include_str!("../../gust.csv")).expect("the example's gusts are well-formed")
}

fn hover(seed: u64) -> (Plant, Vec<Update>) {
    let mut plant = Plant::new(seed, gusts());
    let updates = fly(&mut plant, Controller::On, Publication::AtEnd, FLIGHT);
    (plant, updates)
}

#[test]
fn hover_keeps_to_three_fifths_of_the_bounds() {
    for seed in SEEDS {
        let (plant, _) = hover(seed);
        let Excursion { horizontal, vertical } = plant.worst();
        println!("seed {seed}: {}", plant.worst());
        assert!(horizontal <= 0.6 * HOVER.horizontal, "seed {seed}: {horizontal} m horizontally");
        assert!(vertical <= 0.6 * HOVER.vertical, "seed {seed}: {vertical} m vertically");
        assert_eq!(plant.departure(), None, "seed {seed}");
    }
}

/// Nothing that a seed decides reaches the helicopter here, so one seed stands for all.
#[test]
fn hover_is_lost_without_control() {
    let mut plant = Plant::new(SEEDS[0], gusts());
    fly(&mut plant, Controller::Off, Publication::AtEnd, FLIGHT);
    let departure = plant.departure().expect("the bounds are left");
    assert_eq!(
        departure.to_string(),
        "hover was lost after 2.189 s: +1.000 m forward, -0.215 m up, where ±1.0 m and ±0.5 m are the bounds"
    );
}

/// Wind of 0.1 m/s for a second, then still air: the pitch is unstable by itself.
#[test]
fn a_nudge_is_enough_to_lose_hover_without_control() {
    let nudge = "time_s,horizontal_m_per_s,vertical_m_per_s\n0,0.1,0\n1,0.1,0\n1.1,0,0\n";
    let swings = |controller| {
        let mut plant = Plant::with_noise(0, Gusts::parse(nudge).unwrap(), Noise::NONE);
        fly(&mut plant, controller, Publication::AtEnd, 3 * FLIGHT);
        plant.worst().horizontal
    };
    assert!(swings(Controller::Off) > HOVER.horizontal);
    assert!(swings(Controller::On) < 0.05 * HOVER.horizontal);
}

#[test]
fn every_period_updates_the_rotor_once() {
    let (_, updates) = hover(SEEDS[0]);
    let instants: Vec<Duration> = updates.iter().map(|&(instant, _)| instant).collect();
    let expected: Vec<Duration> = (0..=500).map(|period| Duration::from_millis(20) * period).collect();
    assert_eq!(instants, expected);
}

#[test]
fn after_a_gust_the_helicopter_returns_and_rests() {
    let gust = "time_s,horizontal_m_per_s,vertical_m_per_s\n0,2,1\n1,2,1\n1.1,0,0\n";
    let mut plant = Plant::with_noise(0, Gusts::parse(gust).unwrap(), Noise::NONE);
    fly(&mut plant, Controller::On, Publication::AtEnd, 4 * FLIGHT);
    let distances: Vec<f64> = plant.trajectory().iter().map(distance).collect();

    // Each ten seconds' largest distance is a small part of the ten seconds' before.
    let by_flight: Vec<f64> =
        distances.chunks(500).take(4).map(|part| part.iter().copied().fold(0.0, f64::max)).collect();
    println!("{by_flight:?}");
    assert!(by_flight.is_sorted_by(|before, after| *after < 0.2 * before), "{by_flight:?}");
}

fn distance(sample: &Sample) -> f64 {
    sample.state.x.hypot(sample.state.z)
}

#[test]
fn in_still_air_and_without_noise_the_helicopter_stays_where_it_is() {
    let mut plant = Plant::with_noise(0, Gusts::calm(), Noise::NONE);
    fly(&mut plant, Controller::On, Publication::AtEnd, FLIGHT);
    let Excursion { horizontal, vertical } = plant.worst();
    assert!(horizontal < 1e-5 && vertical < 1e-5, "{:?}", plant.worst());
}

#[test]
fn a_seed_gives_the_same_flight_to_the_bit() {
    for seed in SEEDS {
        let (first, first_updates) = hover(seed);
        let (second, second_updates) = hover(seed);
        assert_eq!(first_updates, second_updates, "seed {seed}");
        assert_eq!(first.trajectory(), second.trajectory(), "seed {seed}");
    }
}

#[test]
fn seeds_give_different_flights() {
    let flights = SEEDS.map(|seed| hover(seed).1);
    for (index, flight) in flights.iter().enumerate() {
        assert!(!flights[..index].contains(flight), "seed {}", SEEDS[index]);
    }
}

/// Navigation's second job of a period would see a command too early: the recordings tell.
#[test]
fn publishing_at_completion_gives_another_recording() {
    for seed in SEEDS {
        let (_, at_end) = hover(seed);
        let mut plant = Plant::new(seed, gusts());
        let at_completion = fly(&mut plant, Controller::On, Publication::AtCompletion, FLIGHT);
        assert_eq!(at_end.len(), at_completion.len());
        assert_ne!(at_end, at_completion, "seed {seed}");
    }
}
