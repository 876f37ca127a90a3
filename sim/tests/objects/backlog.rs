//! Deadlines beyond periods: random threads that make up for releases, run by the kernel in a dynamic band.
//! No job takes longer than the analysis says, and none is skipped.

use std::cell::RefCell;

use beryl_abi::{BandId, Duration};
use beryl_analysis::{Sporadic, Ticks, edf};
use beryl_kernel::{Place, Thread};
use beryl_testing::{Draw, XorShift as Random};
use beryl_user::period::Period;

use crate::scenario::{Scenario, note, notes, periodic, spend};

const LENGTH: u64 = 20_000;
const UNIT: u64 = 10;
const BACKLOG: u8 = 3;

thread_local! {
    static WORK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

extern "C" fn thread<const ME: usize>() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    let work = WORK.with_borrow(|all| all[ME]);
    loop {
        spend(work);
        note(&ME.to_string());
        period.wait();
    }
}

fn task(random: &mut Random) -> Sporadic {
    let period = UNIT * (8 + random.under(12));
    let worst = UNIT * (1 + random.under(period / UNIT * 2 / 3));
    let deadline = period + UNIT * random.under(3 * period / UNIT);
    Sporadic::implicit(Ticks::new(period), Ticks::new(worst)).due(Ticks::new(deadline))
}

/// The longest response of each thread, if job after job is done.
fn longest_seen(tasks: &[Sporadic], offsets: &[u64]) -> Vec<u64> {
    WORK.set(tasks.iter().map(|task| task.worst.get()).collect());
    let row = |index: usize| Thread {
        band: BandId(0),
        place: Place::Dynamic { slot: u8::try_from(index).unwrap() },
        deadline: Duration::from_ticks(tasks[index].deadline.get()),
        catch_up: BACKLOG,
        ..periodic(1, offsets[index], tasks[index].period.get())
    };
    let scenario = Scenario::new().thread(row(0), thread::<0>).thread(row(1), thread::<1>);
    let (mut longest, mut jobs) = (vec![0; 2], [0_u64; 2]);
    for line in notes(&scenario.outcome(LENGTH).unwrap()) {
        let (instant, index) = line.split_once(' ').unwrap();
        let index: usize = index.parse().unwrap();
        let release = offsets[index] + jobs[index] * tasks[index].period.get();
        jobs[index] += 1;
        longest[index] = (instant.parse::<u64>().unwrap() - release).max(longest[index]);
    }
    longest
}

#[test]
fn nobody_who_makes_up_for_releases_takes_longer_than_the_analysis_says() {
    let (mut held, mut beyond, mut reached) = (0, 0, 0);
    for seed in 1..=400 {
        let mut random = Random::new(seed);
        let tasks = [0; 2].map(|_| task(&mut random));
        let offsets = [0; 2].map(|_| UNIT * random.under(4));
        // An end of a job comes behind a release at the same instant.
        let counted = tasks.map(|task| Sporadic { worst: task.worst.plus(Ticks::new(1)).unwrap(), ..task });
        let Ok(bounds) = edf::response_times(&counted) else { continue };
        let fits = |(bound, task): (&Ticks, &Sporadic)| {
            *bound <= task.deadline && bound.get() <= (u64::from(BACKLOG) + 1) * task.period.get()
        };
        if !bounds.iter().zip(&tasks).all(fits) {
            continue;
        }
        held += 1;
        let seen = longest_seen(&tasks, &offsets);
        let within = seen.iter().zip(&bounds).all(|(seen, bound)| *seen <= bound.get());
        assert!(within, "seed {seed}: {seen:?} of {bounds:?}: {tasks:?} {offsets:?}");
        beyond += seen.iter().zip(&tasks).filter(|(seen, task)| **seen > task.period.get()).count();
        reached += seen.iter().zip(&bounds).filter(|(seen, bound)| **seen + UNIT > bound.get()).count();
    }
    assert!(held > 60 && beyond > 10 && reached > 30, "{held} {beyond} {reached}");
}
