//! Fixed bands with the given offsets: by hand, and against the schedule itself.

use super::random_systems::Random;
use super::*;
use crate::demand::Load;
use crate::in_step::response_times;
use crate::schedule::{Outcome, lay_out};

/// Two tasks that would be late together and never meet; where others have periods that share nothing, no schedule repeats soon.
fn apart() -> System {
    let early = Task { deadline: ticks(5), ..task("early", 10, 4) };
    let late = Task { name: "late".into(), offset: ticks(25), ..early.clone() };
    let odd = [1009, 1013, 1019, 1021].map(|period| task("odd", period, 1));
    fixed([vec![early, late], odd.to_vec()].concat())
}

#[test]
fn tasks_that_never_meet_are_proved_where_no_schedule_repeats() {
    let system = apart();
    let proof = prove(&system).unwrap();
    assert_eq!(proof.bands[0].method, Method::Offsets);
    assert_eq!(responses(&proof)[..2], [4, 4]);
    // The odd ones fit between: 1 + 1 + 1 + 1 of 2 in each 10.
    assert_eq!(responses(&proof)[2..], [5, 10, 15, 20]);
    // Where they may meet, the second is late.
    let mut together = apart();
    together.bands[0].tasks[1].offset = ticks(20);
    assert!(matches!(prove(&together), Err(Failure::NotSchedulable(_))));
    let mut unknown = apart();
    unknown.bands[0].tasks[1].is_sporadic = true;
    assert!(prove(&unknown).is_err());
}

#[test]
fn what_is_in_the_way_counts_with_offsets_too() {
    let mut system = apart();
    let user = |thread: usize, hold| User {
        thread,
        urgency: Some(Urgency { priority: system.bands[0].tasks[thread].priority, ..Urgency::default() }),
        hold: ticks(hold),
    };
    let lock = |hold| Lock { users: vec![user(0, 1), user(2, hold)], ..Lock::default() };
    system.locks = vec![lock(1)];
    let proof = prove(&system).unwrap();
    assert_eq!((proof.bands[0].method, responses(&proof)[0], responses(&proof)[1]), (Method::Offsets, 5, 5));
    system.locks = vec![lock(2)];
    assert!(matches!(prove(&system), Err(Failure::NotProved { .. })));
}

#[test]
fn no_schedule_takes_longer_than_with_its_offsets() {
    let (mut looked, mut reached, mut shorter) = (0, 0, 0);
    for seed in 0..4000 {
        let mut system = Random(seed).system_with_offsets_and_costs(20);
        system.bands.iter_mut().for_each(|band| band.policy = Policy::Fixed);
        let Ok(Outcome::Repeats(seen)) = lay_out(&system) else { continue };
        let load = Load::of(&system).unwrap();
        if load.utilisation().unwrap().exceeds_one() {
            continue;
        }
        for (index, seen) in seen.iter().enumerate() {
            let Some(bounds) = response_times(&system, &load, index).unwrap() else { continue };
            let any = crate::proof::analyse(&load, index, Policy::Fixed).unwrap().responses;
            let deadlines = system.bands[index].tasks.iter().map(|task| task.deadline);
            for (((seen, bound), any), deadline) in seen.iter().zip(&bounds).zip(&any).zip(deadlines) {
                assert!(seen <= bound, "seed {seed}: {seen} beyond {bound}: {system:#?}");
                assert!(bound <= any || *any > deadline, "seed {seed}: {bound} beyond {any}: {system:#?}");
                looked += 1;
                reached += u32::from(seen == bound);
                shorter += u32::from(bound < any);
            }
        }
    }
    assert!(looked > 500 && reached > 100 && shorter > 50, "{looked} {reached} {shorter}");
}
