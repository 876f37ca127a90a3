//! The paper's own semaphores on its own lists (EMERALDS, Figures 14 and 15): what `bench/queues` measures of them.
//!
//! Functions were measured: no kernel is entered and no registers are saved. [`with_switches`] adds what Beryl needs for that.

use anyhow::{Context, Result, ensure};

use crate::console::Console;
use crate::recorded::Recorded;
use crate::row::Row;
use crate::semaphores::THREADS;

/// What is measured here.
pub const NAMES: [&str; 2] = ["contention/cycle", "contention/pair"];

/// A way of the paper's: what it is called, the scheme and the list as `bench/queues` names them, and the kind of Beryl's bands that corresponds.
pub struct Way {
    /// What it is called.
    pub name: &'static str,
    scheme: &'static str,
    list: &'static str,
    /// The policy of Beryl's band.
    pub policy: &'static str,
    /// Calls of a cycle that end with a switch, and that don't.
    cycle: Calls,
    /// Those of acquire and release alone.
    pair: Calls,
}

/// Calls that end with a switch, and that don't.
struct Calls {
    switching: u64,
    others: u64,
}

/// The paper's ways, those of a band next to each other: its new one, and the standard one.
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

/// Signal, ask, give back and wait switch; the urgent task's own giving back doesn't.
const STANDARD: Calls = Calls { switching: 4, others: 1 };
/// Giving back and waiting switch; the signal, asking for what one has, and giving it back don't.
const EARLY: Calls = Calls { switching: 2, others: 3 };
/// Asking and giving back switch: the paper's two.
const STANDARD_PAIR: Calls = Calls { switching: 2, others: 0 };
/// Giving back switches, asking for what one has doesn't: the paper's one.
const EARLY_PAIR: Calls = Calls { switching: 1, others: 1 };

/// The rows of what the system printed that measures queues.
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
        // The first cycle is like all others: the list is as it was.
        ensure!(least == most, "{case}: {least:?} to {most:?}");
        Ok(most.unwrap_or_default())
    };
    let own = |operation: &str| most(way.scheme, way.list, operation);
    let plain = most("standard", if way.policy == "fixed" { "moving" } else { way.list }, "signal")?;
    let all = own("signal")? + own("acquire")? + own("release")?;
    // What an early signal does beside waking a task is part of acquiring.
    let pair = all.checked_sub(plain).context("acquiring costs less than nothing")?;
    let cycle = all + own("give")? + own("wait")?;
    let row = |bench: &str, count: u64| Row::instructions(bench, &case(way, tasks), &[count]);
    Ok([row(NAMES[0], cycle)?, row(NAMES[1], pair)?])
}

/// Instructions of a cycle, and of acquiring and releasing alone, with what Beryl needs to enter the kernel and to switch.
pub fn with_switches(recorded: &Recorded, way: &Way, tasks: usize) -> Result<[u64; 2]> {
    let switching = recorded.only("yield/two-processes")?.figures.max;
    let other = recorded.only("null-call")?.figures.max;
    let add = |bench: &str, calls: &Calls| -> Result<u64> {
        let work = recorded.row(bench, &case(way, tasks))?.figures.max;
        Ok(work + calls.switching * switching + calls.others * other)
    };
    Ok([add(NAMES[0], &way.cycle)?, add(NAMES[1], &way.pair)?])
}

/// The case of a way and a number of tasks.
pub fn case(way: &Way, tasks: usize) -> String {
    format!("{}, {}, {tasks} tasks", way.scheme, way.list)
}
