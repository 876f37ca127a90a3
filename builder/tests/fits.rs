//! What is said to fit fits, and what doesn't is refused with its bytes: random systems of everything, built.
//!
//! A longer run: `./x bench fits`. The measures to which `check` adds up a kernel are written by
//! `./x bench fits --record`.

mod common;
#[path = "fits/record.rs"]
mod measuring;
#[path = "fits/systems.rs"]
mod systems;
#[path = "fits/trial.rs"]
mod trial;

use std::collections::BTreeMap;
use std::env;

use beryl_builder::footprint::{CODE, NAMES, ROWS, Rows};
use systems::System;
use trial::{Outcome, Worker, all_workers, each, lock, try_it};

/// The rows as the compiler lays them out.
fn probed(rows: &[(&'static str, u64)]) -> Rows {
    Rows::of(|name| {
        let (_, size) = rows.iter().find(|(own, _)| *own == name).expect("a row of each name");
        u32::try_from(*size).expect("a small row")
    })
}

#[test]
fn rows_are_as_large_as_the_compiler_makes_them() {
    let _lock = lock("rows");
    assert_eq!(ROWS, probed(&measuring::rows()), "write them again: see the top of this file");
}

#[test]
fn each_feature_has_its_weight() {
    assert_eq!(CODE.iter().map(|(name, _)| *name).collect::<Vec<_>>(), NAMES);
}

fn try_all(seeds: std::ops::Range<u64>, workers: usize) -> BTreeMap<&'static str, u32> {
    let _lock = lock("fits");
    let tried = each(seeds, workers, |worker, seed| {
        let outcome = try_it(worker, seed, &System::of(seed));
        println!("system {seed}: {outcome:?}");
        outcome
    });
    let mut outcomes = BTreeMap::new();
    for outcome in tried {
        let name = match outcome {
            Outcome::Built => "built",
            Outcome::Refused => "refused for their processes",
            Outcome::RefusedAtOnce => "refused at once",
            Outcome::NoSchedule => "refused, whatever the flash",
        };
        *outcomes.entry(name).or_default() += 1;
    }
    outcomes
}

#[test]
fn random_systems_fit_or_are_refused_with_their_bytes() {
    // What one worker needs is compiled for other tests, too.
    let outcomes = try_all(500..506, 1);
    assert!(outcomes.len() > 1, "they all ended alike: {outcomes:?}");
}

/// A release each millisecond, written out for a second: 36 kB of system code, for a task with a single driver.
fn much_code() -> System {
    let timing = "module Long {\n  task tick { output int x := 0; uses job_1(x); }\n  \
                  start mode only [period = 1s] { task [freq = 1000] tick(); }\n}\n";
    System::given(
        "[process.only]\nmemory = \"64\"\n[[band]]\nname = \"all\"\npolicy = \"dynamic\"\n\
         [task.tick]\nprocess = \"only\"\nworst = \"10us\"\nstack = \"512\"\n",
        timing,
    )
}

#[test]
fn system_code_is_counted() {
    let _lock = lock("fits");
    // Whatever the seed draws, and as much as there is to spare.
    try_it(Worker(0), 3, &much_code());
}

/// A few threads with one of each object, in two processes; the initialised variables of one are an odd
/// number of words and fill its memory.
fn one_of_each() -> System {
    System::given(include_str!("fits/one_of_each.toml"), "")
}

#[test]
fn one_of_each_object_fits() {
    let _lock = lock("fits");
    try_it(Worker(0), 2, &one_of_each());
}

#[test]
#[ignore = "builds 300 systems, which takes a dozen minutes: `./x bench fits`; a few are always tried"]
fn many_random_systems() {
    let number =
        |name: &str, default| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (seed, count) = (number("SEED", 1000), number("SYSTEMS", 300));
    println!("{:?}", try_all(seed..seed + count, all_workers()));
}

#[test]
#[ignore = "writes the record of the kernel's measures; see the top of this file"]
fn record() {
    assert!(env::var_os("BERYL_BLESS").is_some(), "it writes only if BERYL_BLESS is set");
    let _lock = [lock("rows"), lock("fits")];
    let rows = measuring::rows();
    measuring::record(&rows, probed(&rows), &[much_code(), one_of_each()]);
}
