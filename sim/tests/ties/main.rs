//! Equals: who is as urgent as somebody else. No order between them is promised, so what is proved holds in
//! all of them: random systems with many equals are run by the kernel, in several orders of their
//! description, with the longest, the shortest and random execution times. No job takes longer than was
//! promised, and nothing that was accepted misses.
//!
//! `BERYL_SYSTEMS=20000 cargo test -p beryl-sim --test ties -- --nocapture` tries as many, and says what it found.

#[allow(dead_code, reason = "the controller's tests use the rest")]
#[path = "../controller/records.rs"]
mod records;

mod drawn;
mod kernel;

use beryl_analysis::{
    Failure, KernelCosts, Method, Proof, System, Ticks, modes, prove, responses_with_offsets, sensitivity,
};
use beryl_sim::ExecutionTimes;
use beryl_testing::{Draw, SplitMix64 as Random};

use drawn::{Drawn, UNIT};
use kernel::{Seen, seen};

/// How many systems each test tries, if nobody says otherwise.
const SYSTEMS: u64 = 100;
/// Three times that after which all periods come again, and the offsets.
const LENGTH: u64 = 150 * UNIT;
/// In how many orders each is described, and in how many a run is looked for.
const ORDERS: u64 = 3;
const TRIES: u64 = 60;

fn seeds() -> std::ops::Range<u64> {
    0..std::env::var("BERYL_SYSTEMS").map_or(SYSTEMS, |count| count.parse().expect("a number"))
}

/// A system in one order, and what was seen of its members in a run.
struct Run {
    drawn: Drawn,
    seen: Vec<Option<Vec<Seen>>>,
}

impl Run {
    fn misses(&self) -> bool {
        let is_late = |job: &Seen| job.response > job.deadline;
        self.seen.iter().any(|jobs| jobs.as_ref().is_none_or(|jobs| jobs.iter().any(is_late)))
    }
}

/// In all its orders, with all kinds of execution times.
fn runs(drawn: &Drawn, seed: u64, length: u64) -> Vec<Run> {
    let of_order = |order: u64| {
        let other =
            if order == 0 { drawn.clone() } else { drawn.otherwise(seed.wrapping_mul(ORDERS) + order) };
        let random = ExecutionTimes::Random { seed: seed ^ order };
        [ExecutionTimes::Worst, ExecutionTimes::Best, random]
            .map(|times| Run { seen: seen(&other, times, length), drawn: other.clone() })
    };
    (0..ORDERS).flat_map(of_order).collect()
}

/// Fails where a job took longer than is promised of its task, by bands and places in them; a bound beyond
/// the deadline promises nothing.
fn assert_within(bounds: &[Vec<Ticks>], drawn: &Drawn, runs: &[Run], whose: &str) {
    for run in runs {
        for (member, jobs) in run.drawn.members.iter().zip(&run.seen) {
            let place = drawn.place(&member.name);
            let bound = bounds[place.band][place.task].get();
            if bound > member.deadline {
                continue;
            }
            let longest = jobs.as_ref().map(|jobs| jobs.iter().map(|job| job.response).max().unwrap_or(0));
            let is_within = longest.is_some_and(|longest| longest <= bound);
            assert!(is_within, "{whose}: {} takes {longest:?} of {bound}: {:#?}", member.name, run.drawn);
        }
    }
}

fn responses(proof: &Proof) -> Vec<Vec<Ticks>> {
    proof.bands.iter().map(|band| band.tasks.iter().map(|task| task.response).collect()).collect()
}

fn is_by_schedule(proof: &Proof) -> bool {
    proof.bands.iter().any(|band| band.method == Method::Schedule)
}

/// What is promised of a system doesn't depend on the order in which it is described.
fn assert_same_in_other_orders(drawn: &Drawn, runs: &[Run], verdict: &Result<Proof, Failure>, seed: u64) {
    for run in runs.iter().step_by(ORDERS as usize) {
        let other = prove(&run.drawn.system());
        assert_eq!(verdict.is_ok(), other.is_ok(), "seed {seed}: {:#?}", run.drawn);
        if let (Ok(proof), Ok(other)) = (verdict, &other) {
            for member in &drawn.members {
                let [own, their] = [drawn, &run.drawn].map(|drawn| drawn.place(&member.name));
                let [own, their] =
                    [(proof, own), (other, their)].map(|(proof, at)| responses(proof)[at.band][at.task]);
                assert_eq!(own, their, "seed {seed}: {}: {:#?}", member.name, run.drawn);
            }
        }
    }
}

#[test]
fn no_order_of_equals_takes_longer_than_promised() {
    let (mut accepted, mut by_schedule, mut shown, mut missed, mut refused) = (0, 0, 0, 0, 0);
    for seed in seeds() {
        let drawn = Drawn::of(seed);
        let runs = runs(&drawn, seed, LENGTH);
        let bounds = responses_with_offsets(&drawn.system()).expect("it isn't overloaded");
        assert_within(&bounds, &drawn, &runs, &format!("with offsets, seed {seed}"));
        let verdict = prove(&drawn.system());
        assert_same_in_other_orders(&drawn, &runs, &verdict, seed);
        match verdict {
            Ok(proof) => {
                assert_within(&responses(&proof), &drawn, &runs, &format!("seed {seed}"));
                accepted += 1;
                by_schedule += u64::from(is_by_schedule(&proof));
            }
            Err(Failure::NotSchedulable(_)) => {
                shown += 1;
                missed += u64::from(runs.iter().any(Run::misses));
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 30 && by_schedule > 0 && shown > 20, "{accepted} {by_schedule} {shown}");
    println!(
        "{accepted} accepted, {by_schedule} by their schedules; {shown} refused with a run, of which {missed} miss here; {refused} \
         refused without"
    );
}

#[test]
fn what_is_left_may_be_used() {
    let (mut tried, mut by_schedule) = (0, 0);
    for seed in seeds() {
        let drawn = Drawn::of(seed);
        let Ok(proof) = prove(&drawn.system()) else { continue };
        let random = &mut Random(seed);
        let mut longer = drawn.clone();
        let member = random.below(longer.members.len());
        let place = drawn.place(&drawn.members[member].name);
        let most = sensitivity::longest(&drawn.system()).expect("it is proved");
        longer.members[member].worst = most[place.band][place.task].get();
        let mut slower = drawn.clone();
        let factor = sensitivity::speed(&drawn.system()).expect("it is proved").slowdown.get();
        slower.members.iter_mut().for_each(|member| member.worst = member.worst * factor / 10_000);
        for other in [longer, slower] {
            let runs = runs(&other, seed, LENGTH);
            assert!(!runs.iter().any(Run::misses), "seed {seed}: {other:#?}");
            tried += 1;
        }
        by_schedule += u64::from(is_by_schedule(&proof));
    }
    println!("{tried} with longer times, {by_schedule} by their schedules");
    assert!(tried > 60 && by_schedule > 0, "{tried} {by_schedule}");
}

/// A run that is shown can be: without equals in it, the kernel comes to it; with equals, if they are
/// described in some other way.
#[test]
fn runs_that_are_shown_can_be() {
    let (mut without, mut with, mut found) = (0, 0, 0);
    for seed in seeds() {
        let drawn = Drawn::of(seed);
        let at_once = System { costs: KernelCosts::default(), ..drawn.system() };
        let Err(Failure::NotSchedulable(miss)) = prove(&at_once) else { continue };
        let misses = |order: u64| {
            let drawn = drawn.otherwise(order);
            let seen = seen(&drawn, ExecutionTimes::Worst, LENGTH);
            Run { drawn, seen }.misses()
        };
        if miss.equals.is_empty() {
            without += 1;
            assert!(misses(seed), "seed {seed}: {miss:?}: {drawn:#?}");
        } else {
            with += 1;
            found += u64::from((0..TRIES).any(misses));
        }
    }
    println!(
        "{without} without equals; {with} with equals, of which {found} miss in an order that was tried"
    );
    assert!(without > 9 && with > 2 && 10 * found >= 9 * with, "{without} {with} {found}");
}

/// A job's margin is told, since logical execution times of one task may differ.
#[test]
fn no_mode_leaves_less_than_promised() {
    let mut accepted = 0;
    for seed in seeds() {
        let drawn = Drawn::with_modes(seed);
        let Ok(proof) = modes::prove(&drawn.modal()) else { continue };
        accepted += 1;
        for run in runs(&drawn, seed, 4 * LENGTH) {
            for (member, jobs) in run.drawn.members.iter().zip(&run.seen) {
                let place = drawn.place(&member.name);
                let margin = proof.bands[place.band].tasks[place.task].margin.get();
                let least = jobs.as_ref().map(|jobs| {
                    let left = |job: &Seen| job.deadline.checked_sub(job.response);
                    jobs.iter().map(left).min().unwrap_or(Some(u64::MAX))
                });
                let is_within = least.flatten().is_some_and(|least| least >= margin);
                assert!(
                    is_within,
                    "seed {seed}: {} has {least:?} of {margin}: {:#?}",
                    member.name, run.drawn
                );
            }
        }
    }
    println!("{accepted} accepted");
    assert!(accepted > 20, "{accepted}");
}
