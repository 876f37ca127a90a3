//! The controller's arithmetic: what each law does at rest, in which direction it answers, and where it ends.

use engine::{Governor, REST, TEETH, Teeth, Trim, advance_for, approach, plate_for, pulse_for};

#[test]
fn teeth_give_the_speed_over_a_revolution() {
    // 1500 1/min: 20 teeth in 40 ms of 25,000 ticks, over the end of the low word.
    let mut teeth = Teeth::default();
    let speeds: Vec<f32> =
        (0..50).map(|tooth| teeth.pass((tooth * 50_000_u32).wrapping_sub(500_000))).collect();
    let (before, after) = speeds.split_at(TEETH as usize);
    assert!(before.iter().all(|speed| *speed == 0.0), "{before:?}");
    assert!(after.iter().all(|speed| *speed == 1500.0), "{after:?}");
    assert_eq!(teeth.count(), 50);
}

#[test]
fn a_revolution_ends_with_its_last_tooth() {
    let mut teeth = Teeth::default();
    let turns: Vec<u32> = (1..=65).filter(|tooth| (teeth.pass(*tooth), teeth.is_turn()).1).collect();
    assert_eq!(turns, [20, 40, 60]);
}

#[test]
fn at_its_target_the_governor_changes_nothing() {
    let mut governor = Governor::default();
    let loads = [(); 100].map(|()| governor.step(1000.0, 1000.0));
    assert_eq!(loads, [loads[0]; 100]);
}

#[test]
fn the_governor_answers_more_and_more_within_its_limits() {
    for (target, limit) in [(2500.0, 0.9), (200.0, 0.05)] {
        let mut governor = Governor::default();
        let loads: Vec<f32> = (0..400).map(|_| governor.step(target, 1000.0)).collect();
        assert!(loads.is_sorted_by(|a, b| if target > 1000.0 { a <= b } else { a >= b }), "{loads:?}");
        assert_eq!(loads.last(), Some(&limit));
        // What couldn't be done hasn't added up: the way back begins at once.
        let back = governor.step(1000.0, 1000.0);
        let again = governor.step(2000.0 - target, 1000.0);
        assert!(if target > 1000.0 { again < back } else { again > back }, "{back} {again}");
    }
}

#[test]
fn the_plate_lets_through_what_is_wanted() {
    // plate x (1 - load) = speed x load: half of the load at half of the speed needs half of the plate.
    assert!((plate_for(0.5, 2500.0) - (0.5 - REST)).abs() < 1e-6);
    assert!(
        plate_for(0.5, 2600.0) > plate_for(0.5, 2500.0) && plate_for(0.6, 2500.0) > plate_for(0.5, 2500.0)
    );
    for command in [plate_for(9.0, 9e9), plate_for(-1.0, -1.0), plate_for(f32::NAN, f32::NAN)] {
        assert!((-REST..=1.0 - REST).contains(&command), "{command}");
    }
}

#[test]
fn fuel_follows_load_and_corrections() {
    assert_eq!(pulse_for(0.5, 0.0, 0.0, 80.0), 5.0);
    assert!((pulse_for(0.5, 0.1, -0.1, 80.0) - 5.0).abs() < 1e-6);
    assert!(pulse_for(0.5, 0.0, 0.0, 20.0) > 5.0, "a cold engine needs more");
    assert_eq!([pulse_for(-1.0, 0.0, 0.0, 80.0), pulse_for(99.0, 0.0, 0.0, 80.0)], [0.0, 20.0]);
    assert_eq!(pulse_for(f32::NAN, 0.0, 0.0, 80.0), 0.0);
}

#[test]
fn a_lean_mixture_is_trimmed_richer_and_the_trim_stays() {
    let mut trim = Trim::default();
    let lean: Vec<f32> = (0..100).map(|_| trim.step(1.1)).collect();
    assert!(lean[0] > 0.0 && lean.is_sorted(), "{lean:?}");
    assert!((trim.step(1.0) - 0.2).abs() < 1e-3);
    let most = (0..10_000).map(|_| trim.step(2.0)).fold(0.0, f32::max);
    assert_eq!(most, 0.25);
}

#[test]
fn the_spark_comes_earlier_with_speed_and_later_with_load() {
    assert!(advance_for(2000.0, 0.5, 0.0) > advance_for(1000.0, 0.5, 0.0));
    assert!(advance_for(1000.0, 0.8, 0.0) < advance_for(1000.0, 0.5, 0.0));
    assert_eq!([advance_for(0.0, 1.0, -99.0), advance_for(5000.0, 0.0, 99.0)], [0.0, 50.0]);
}

#[test]
fn the_target_moves_straight_then_slower_and_never_beyond() {
    let mut aim = 1000.0;
    let aims: Vec<f32> = (0..200).map(|_| (aim = approach(aim, 2500.0), aim).1).collect();
    assert_eq!(aims[..3], [1040.0, 1080.0, 1120.0]);
    assert!(aims.is_sorted() && aims.iter().all(|aim| *aim <= 2500.0), "{aims:?}");
    assert!(aims.last().is_some_and(|aim| *aim > 2495.0), "{aims:?}");
    // The lever can't ask for more than the engine may do, nor for a stall.
    let ends = [9e9, 0.0].map(|asked| (0..500).fold(1000.0, |aim, _| approach(aim, asked)));
    assert!((ends[0] - 3000.0).abs() < 1.0 && (ends[1] - 1000.0).abs() < 1.0, "{ends:?}");
}
