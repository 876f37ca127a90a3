//! The paper's own semaphores on its own lists (EMERALDS, Figures 14 and 15), as measured by `bench/queues`.
//!
//! These are plain functions: they don't enter a kernel or save registers. [`with_switches`] adds Beryl's
//! costs for that.

use anyhow::{Context, Result, ensure};

use crate::console::Console;
use crate::recorded::Recorded;
use crate::row::Row;
use crate::semaphores::THREADS;

/// The benches in this file.
pub const NAMES: [&str; 2] = ["contention/cycle", "contention/pair"];

/// One of the paper's methods: its name, the scheme and the list as `bench/queues` names them, and the
/// corresponding kind of Beryl band.
pub struct Way {
    /// Its name.
    pub name: &'static str,
    scheme: &'static str,
    list: &'static str,
    /// The policy of Beryl's band.
    pub policy: &'static str,
    /// The calls of a cycle, with and without a switch.
    cycle: Calls,
    /// The same for acquire and release alone.
    pair: Calls,
}

/// The numbers of calls that end with a switch, and of those that don't.
struct Calls {
    switching: u64,
    others: u64,
}

/// The paper's methods, those of the same band side by side: the new one, then the standard one.
pub const WAYS: [Way; 4] = [
    Way {
        name: "the paper's new way",
        scheme: "early",
        list: "due",
        policy: "dynamic",
        cycle: EARLY,
        pair: EARLY_PAIR,
    },
    Way {
        name: "the paper's standard way",
        scheme: "standard",
        list: "due",
        policy: "dynamic",
        cycle: STANDARD,
        pair: STANDARD_PAIR,
    },
    Way {
        name: "the paper's new way",
        scheme: "early",
        list: "switching",
        policy: "fixed",
        cycle: EARLY,
        pair: EARLY_PAIR,
    },
    Way {
        name: "the paper's standard way",
        scheme: "standard",
        list: "moving",
        policy: "fixed",
        cycle: STANDARD,
        pair: STANDARD_PAIR,
    },
];

/// Signal, request, release and wait switch; the urgent task's own release doesn't.
const STANDARD: Calls = Calls { switching: 4, others: 1 };
/// Release and wait switch; the signal, requesting a semaphore already owned, and releasing it don't.
const EARLY: Calls = Calls { switching: 2, others: 3 };
/// Request and release switch: the paper's two.
const STANDARD_PAIR: Calls = Calls { switching: 2, others: 0 };
/// Release switches, requesting a semaphore already owned doesn't: the paper's one.
const EARLY_PAIR: Calls = Calls { switching: 1, others: 1 };

/// The rows from the output of the system that measures queues.
pub fn rows(console: &Console) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for way in &WAYS {
        for tasks in THREADS {
            rows.extend(of(console, way, tasks)?);
        }
    }
    Ok(rows)
}

fn of(console: &Console, way: &Way, tasks: usize) -> Result<[Row; 2]> {
    let most = |scheme: &str, list: &str, operation: &str| -> Result<u64> {
        let case = format!("contention/{scheme}/{list}/{tasks}/{operation}");
        let tally = console.tally(&case)?;
        let (least, most) = (tally.iter().min().copied(), tally.iter().max().copied());
        // The first cycle equals all others: the list returns to its state.
        ensure!(least == most, "{case}: {least:?} to {most:?}");
        Ok(most.unwrap_or_default())
    };
    let own = |operation: &str| most(way.scheme, way.list, operation);
    let plain = most("standard", if way.policy == "fixed" { "moving" } else { way.list }, "signal")?;
    let all = own("signal")? + own("acquire")? + own("release")?;
    // The extra work of an early signal, besides waking a task, belongs to acquiring.
    let pair = all.checked_sub(plain).context("acquiring costs less than nothing")?;
    let cycle = all + own("give")? + own("wait")?;
    let row = |bench: &str, count: u64| Row::instructions(bench, &case(way, tasks), &[count]);
    Ok([row(NAMES[0], cycle)?, row(NAMES[1], pair)?])
}

/// The instructions of a cycle, and of acquiring and releasing alone, with Beryl's costs for entering the
/// kernel and switching.
pub fn with_switches(recorded: &Recorded, way: &Way, tasks: usize) -> Result<[u64; 2]> {
    let switching = recorded.only("yield/two-processes")?.figures.max;
    let other = recorded.only("null-call")?.figures.max;
    let add = |bench: &str, calls: &Calls| -> Result<u64> {
        let work = recorded.row(bench, &case(way, tasks))?.figures.max;
        Ok(work + calls.switching * switching + calls.others * other)
    };
    Ok([add(NAMES[0], &way.cycle)?, add(NAMES[1], &way.pair)?])
}

/// The case of a method and a number of tasks.
pub fn case(way: &Way, tasks: usize) -> String {
    format!("{}, {}, {tasks} tasks", way.scheme, way.list)
}
