//! Fixed bands with the given offsets: by hand, and compared with the schedule itself.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::*;
use crate::demand::Load;
use crate::in_step::response_times;
use crate::schedule::{Outcome, lay_out};

/// Two tasks that would be late together but never meet; the other periods are coprime, so no schedule
/// repeats soon.
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
    // If they may meet, the second is late.
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
        let mut system = random_systems::system_with_offsets_and_costs(&mut Random(seed), 20);
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

fn with_offsets(tasks: Vec<(u64, u64, u64)>) -> System {
    let of = |(period, offset, worst)| Task { offset: ticks(offset), ..task("t", period, worst) };
    fixed(tasks.into_iter().map(of).collect())
}

fn bounds(system: &System) -> Vec<u64> {
    responses_with_offsets(system).unwrap().into_iter().flatten().map(Ticks::get).collect()
}

/// By hand: tasks of 10, 20 and 40 that never meet; and of 10 and 15, which come 2 or 7 apart if one begins
/// at 2.
#[test]
fn tasks_of_different_periods_that_are_apart_do_not_wait() {
    assert_eq!(bounds(&with_offsets(vec![(10, 0, 4), (20, 5, 4), (40, 15, 4)])), [4, 4, 4]);
    assert_eq!(bounds(&with_offsets(vec![(10, 0, 3), (15, 2, 2)])), [3, 1 + 2]);
    // Negative controls: together they wait, and with 5 between them they meet at 20.
    assert_eq!(bounds(&with_offsets(vec![(10, 0, 4), (20, 0, 4), (40, 0, 4)])), [4, 8, 16]);
    assert_eq!(bounds(&with_offsets(vec![(10, 0, 3), (15, 5, 2)])), [3, 5]);
    // One that comes at any time comes with the second, and has a tick left when the first comes again.
    let mut unknown = with_offsets(vec![(10, 0, 4), (20, 5, 4), (40, 15, 2)]);
    unknown.bands[0].tasks[2].is_sporadic = true;
    assert_eq!(bounds(&unknown), [4, 4, 5 + 4 + 1]);
    // So does one for which system code is entered, and whose distances to the others aren't known.
    (unknown.bands[0].tasks[2].is_sporadic, unknown.bands[0].tasks[2].is_out_of_step) = (false, true);
    assert_eq!(bounds(&unknown), [4, 4, 5 + 4 + 1]);
}

/// If nothing comes at unknown times, the bounds equal the schedule's responses.
#[test]
fn bounds_over_a_hyperperiod_are_those_of_the_schedule() {
    let (mut compared, mut shorter) = (0, 0);
    for seed in 0..2000 {
        let mut random = Random(seed);
        let count = random.within(2, 4);
        let tasks = (0..count).map(|_| {
            let period = *random.one_of(&[4, 5, 6, 8, 10, 12, 15, 20]);
            (period, random.within(0, 2 * period), random.within(1, period / 3))
        });
        let system = with_offsets(tasks.collect());
        let Ok(Outcome::Repeats(seen)) = lay_out(&system) else { continue };
        if Load::of(&system).unwrap().utilisation().unwrap().exceeds_one() {
            continue;
        }
        let found = bounds(&system);
        let seen: Vec<u64> = seen.iter().flatten().map(|time| time.get()).collect();
        assert_eq!(found, seen, "seed {seed}: {system:#?}");
        let any = crate::proof::analyse(&Load::of(&system).unwrap(), 0, Policy::Fixed).unwrap().responses;
        compared += 1;
        shorter += u32::from(any.iter().zip(&found).any(|(any, found)| any.get() > *found));
    }
    assert!(compared > 700 && shorter > 200, "{compared} {shorter}");
}
