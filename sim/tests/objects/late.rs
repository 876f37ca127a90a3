//! Threads that wake up when they like, in a dynamic band: late ones go by a deadline that counts from then
//! on, and none takes longer than the analysis of such deadlines says.

use std::cell::RefCell;

use beryl_analysis::{Sporadic, Ticks, edf};
use beryl_testing::{Draw, XorShift as Random};

use crate::scenario::{Scenario, end, note, notes, sleep_until, spend, urgent};

const LENGTH: u64 = 20_000;
/// All times are numbers of this. An end of a job comes behind a release at the same instant, so each work is a tick
/// longer in the analysis.
const UNIT: u64 = 10;

thread_local! {
    static TASKS: RefCell<(Vec<Sporadic>, Random)> =
        const { RefCell::new((Vec::new(), Random::behind(1))) };
}

extern "C" fn first() -> ! {
    sleep_until(5);
    spend(3);
    end("first")
}

extern "C" fn second() -> ! {
    sleep_until(5);
    spend(3);
    end("second")
}

/// The first was to come at 0, with 10 ticks: before the second, by an order of arrivals.
#[test]
fn who_wakes_up_late_goes_by_a_deadline_from_then_on() {
    let scenario = Scenario::new().thread(urgent(0, 10), first).thread(urgent(1, 8), second);
    assert_eq!(scenario.notes(100), ["8 second", "11 first"]);
}

extern "C" fn thread<const ME: usize>() -> ! {
    let task = TASKS.with_borrow(|(tasks, _)| tasks[ME]);
    let mut arrival = 0;
    loop {
        let (wait, late) = TASKS.with_borrow_mut(|(_, random)| {
            let late = random.under(task.jitter.get() / UNIT + 1) * UNIT;
            // Half of them come as soon as they may.
            (random.under(2) * random.under(5) * UNIT, late)
        });
        arrival += task.period.get() + wait;
        sleep_until(arrival + late);
        spend(task.worst.get());
        note(&format!("{ME} {arrival}"));
    }
}

fn tasks(random: &mut Random) -> Vec<Sporadic> {
    let task = |_| {
        let period = UNIT * (20 + random.under(20));
        let deadline = period - UNIT * random.under(12);
        let jitter = UNIT * random.under(7);
        let worst = UNIT * (1 + random.under(9));
        Sporadic::implicit(Ticks::new(period), Ticks::new(worst))
            .due(Ticks::new(deadline))
            .released_within(Ticks::new(jitter))
    };
    (0..2).map(task).collect()
}

fn longest_seen(tasks: &[Sporadic], seed: u64) -> Vec<u64> {
    TASKS.set((tasks.to_vec(), Random::behind(seed | 1)));
    let deadline = |index: usize| tasks[index].deadline.get();
    let scenario = Scenario::new()
        .thread(urgent(0, deadline(0)), thread::<0>)
        .thread(urgent(1, deadline(1)), thread::<1>);
    let mut longest = vec![0; tasks.len()];
    for line in notes(&scenario.outcome(LENGTH).unwrap()) {
        let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let [instant, index, arrival] = numbers[..] else { panic!("{line}") };
        let longest = &mut longest[usize::try_from(index).unwrap()];
        *longest = (instant - arrival).max(*longest);
    }
    longest
}

#[test]
fn nobody_who_comes_late_takes_longer_than_the_analysis_says() {
    let (mut held, mut reached, mut beyond_arrivals) = (0, 0, 0);
    for seed in 1..=200 {
        let mut random = Random::new(seed);
        let tasks = tasks(&mut random);
        let counted: Vec<_> = tasks
            .iter()
            .map(|task| Sporadic { worst: task.worst.plus(Ticks::new(1)).unwrap(), ..*task })
            .collect();
        let bounds = edf::late::response_times(&counted).unwrap();
        // Only one job at a time is what the analysis and the kernel agree on.
        if bounds.iter().zip(&tasks).any(|(bound, task)| *bound > task.deadline) {
            continue;
        }
        held += 1;
        let seen = longest_seen(&tasks, seed);
        let exceeds = |bounds: &[Ticks]| seen.iter().zip(bounds).any(|(seen, bound)| *seen > bound.get());
        assert!(!exceeds(&bounds), "seed {seed}: {seen:?} of {bounds:?}: {tasks:?}");
        reached += seen.iter().zip(&bounds).filter(|(seen, bound)| **seen + UNIT > bound.get()).count();
        // Negative control: the order of arrivals isn't the kernel's.
        beyond_arrivals += u32::from(exceeds(&edf::response_times(&counted).unwrap()));
    }
    assert!(held > 80 && reached > 80 && beyond_arrivals > 5, "{held} {reached} {beyond_arrivals}");
}
