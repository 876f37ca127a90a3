//! The environment: road, wheel and referee as the simulated system meets them.

use std::path::Path;

use beryl_abi::Line;
use beryl_sim::{Environment, Nanoseconds};
use engine_road::{Road, Wheel, environment};

const MILLISECOND: u64 = 1_000_000;

fn at(milliseconds: u64) -> Nanoseconds {
    Nanoseconds::new(milliseconds * MILLISECOND)
}

/// The teeth from the start of a wheel on, ms, up to an instant: each asked for with the one before.
fn teeth(wheel: &mut Wheel, from: u64, to: u64) -> Vec<u64> {
    let mut teeth = Vec::new();
    let mut last = at(from);
    while let Some(tooth) = wheel.tooth_after(last).filter(|tooth| *tooth <= at(to)) {
        teeth.push(tooth.count() / MILLISECOND);
        last = tooth;
    }
    teeth
}

#[test]
fn a_wheel_that_nobody_turns_has_no_teeth() {
    assert_eq!(Wheel::default().tooth_after(at(5)), None);
}

#[test]
fn a_new_distance_counts_from_the_next_tooth_on() {
    let mut wheel = Wheel::default();
    wheel.turn(at(10), 4 * MILLISECOND);
    assert_eq!(teeth(&mut wheel, 10, 20), [14, 18]);
    wheel.turn(at(20), MILLISECOND);
    assert_eq!(teeth(&mut wheel, 18, 25), [22, 23, 24, 25]);
    // Asked again, it says the same.
    assert_eq!([(); 2].map(|()| wheel.tooth_after(at(25))), [Some(at(26)); 2]);
}

#[test]
fn lever_and_road_come_and_teeth_follow_the_wheel() {
    let Ok(mut drive) = environment(3, Path::new("."));
    assert_eq!(drive.interrupts(at(0)), None);
    let mut value = [0; 8];
    drive.read(at(3_000), engine::ROAD, &mut value);
    let (asked, torque) = value.split_at(4);
    let road = Road::new(3);
    assert_eq!(asked, road.asked(at(3_000)).to_le_bytes());
    assert_eq!(torque, road.torque(at(3_000)).to_le_bytes());
    drive.write(at(3_000), engine::TOOTH, &2_000_000_i32.to_le_bytes());
    assert_eq!(drive.interrupts(at(0)), Some((at(3_002), Line(10))));
    assert_eq!(drive.interrupts(at(3_002)), Some((at(3_004), Line(10))));
}

/// Told 20 teeth a revolution; 1000 1/min are 3 ms from tooth to tooth.
#[test]
fn the_end_says_whether_the_speed_was_held() {
    let Ok(drive) = environment(1, Path::new("."));
    let judged = |distance: i32, at_instant: u64| {
        let mut drive = drive.clone();
        drive.write(at(at_instant), engine::TOOTH, &distance.to_le_bytes());
        drive.finish(at(2_000))
    };
    assert_eq!(
        judged(3_000_000, 2_000).unwrap(),
        "speed held: at most 0 1/min from what is asked for, from 1600 ms after each change (bound 100)"
    );
    assert_eq!(
        judged(2_500_000, 2_000).unwrap_err(),
        "the speed was lost after 2000 ms: 1200 1/min where 1000 were asked for"
    );
    let early = judged(2_500_000, 1_000).unwrap_err();
    assert_eq!(early, "nothing to judge: 1600 ms after a change the speed is looked at");
}

#[test]
fn an_access_to_what_there_is_not_is_reported() {
    let Ok(mut drive) = environment(1, Path::new("."));
    drive.read(at(0), engine::TOOTH, &mut [0; 8]);
    assert_eq!(
        drive.finish(at(1)).unwrap_err(),
        "a read of 8 bytes on channel 1; there are lever and road on channel 0 (8 bytes), and the wheel on channel 1 \
         (4 bytes)"
    );
}

#[test]
fn seeds_give_different_roads_and_one_seed_the_same() {
    let drive = |seed| (0..20_000).map(|time| Road::new(seed).torque(at(time)).to_bits()).collect::<Vec<_>>();
    let roads = [1, 2, 3, 5].map(drive);
    assert_eq!(roads[0], drive(1));
    for (index, road) in roads.iter().enumerate() {
        assert!(!roads[..index].contains(road), "road {index}");
    }
}

#[test]
fn a_hill_takes_more_and_ends() {
    for seed in 1..20 {
        let road = Road::new(seed);
        let hill: Vec<u64> = (0..10_000).filter(|time| road.torque(at(*time)) > 15.0).collect();
        let [first, last] = [hill.first(), hill.last()].map(|end| *end.expect("a hill"));
        assert_eq!(hill.len() as u64, last - first + 1, "seed {seed}: one hill");
        assert_eq!(road.settled(at(first)), 0, "seed {seed}");
        assert_eq!(road.settled(at(last + 1)), 0, "seed {seed}");
    }
}
