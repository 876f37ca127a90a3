//! The simulator against SimSo: the same systems of periodic threads in one run of this program, events of
//! their schedule a second. Both are given by their shortest time of several.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use beryl_builder::toolchain::root;
use beryl_testing::{Draw, SplitMix64 as Random};
use beryl_trace::jobs::History;
use beryl_trace::{Event, Happening, decode};
use serde::Deserialize;
use serde_json::json;

use crate::simulated::{Periodic, Scheduler};
use crate::time::{Aim, Row, shortest};

/// How long the systems run: a minute.
const UNTIL: u64 = 60_000;
/// Of the processor, in percent.
const SHARE: u64 = 65;

/// What SimSo says of a system.
#[derive(Debug, Deserialize)]
struct Theirs {
    ns: u64,
    jobs: usize,
    responses: Vec<u64>,
}

/// Ten, twenty and thirty threads by deadline and by priority, each with records and without.
pub fn rows() -> Result<Vec<(String, Row)>> {
    let mut rows = Vec::new();
    let python = python();
    if python.is_none() {
        eprintln!(
            "SimSo isn't installed: nothing to compare with; `./x bench host` installs it where there is Python's pip"
        );
    }
    for scheduler in [Scheduler::EarliestDeadline, Scheduler::ShortestPeriod] {
        for count in [10, 20, 30] {
            rows.extend(compared(&system(scheduler, count), python.as_ref())?);
        }
    }
    Ok(rows)
}

/// Threads with different periods, so that there is one order of priorities.
pub fn system(scheduler: Scheduler, count: u64) -> Periodic {
    let mut random = Random(count);
    let mut periods = BTreeSet::new();
    while periods.len() < usize::try_from(count).unwrap_or(0) {
        periods.insert(random.within(20, 400));
    }
    let work = |period: u64| (period * SHARE / 100 / count).max(1);
    let threads = periods.into_iter().map(|period| (period, work(period))).collect();
    Periodic { scheduler, threads, until: UNTIL }
}

fn compared(system: &Periodic, python: Option<&PathBuf>) -> Result<Vec<(String, Row)>> {
    let (tables, codes) = (system.tables()?, system.codes()?);
    let events = decode(&system.run(tables, &codes, true)?)?;
    let count = events.iter().filter(|event| is_of_schedule(event)).count();
    let theirs = python.map(|python| simso(python, system)).transpose()?;
    if let Some(theirs) = &theirs {
        agree(system, &events, theirs)?;
    }
    let word = match system.scheduler {
        Scheduler::EarliestDeadline => "edf",
        Scheduler::ShortestPeriod => "priorities",
    };
    let row = |records: bool| {
        let took = shortest(|| system.run(tables, &codes, records))?;
        let how = if records { "with records" } else { "without" };
        let row = Row {
            what: format!("{} threads, {count} events in a minute of theirs, {how}", system.threads.len()),
            took,
            theirs: theirs.as_ref().map(|theirs| Duration::from_nanos(theirs.ns)),
            aim: Aim::Faster { than: "SimSo", times: 100, events: count },
        };
        let suffix = if records { "" } else { "-quiet" };
        Ok((format!("/{word}-{}{suffix}", system.threads.len()), row))
    };
    [true, false].map(row).into_iter().collect()
}

/// Releases, ends and switches: what a simulator of schedules has to find.
fn is_of_schedule(event: &Event) -> bool {
    matches!(
        event.happening,
        Happening::Release { .. } | Happening::Complete { .. } | Happening::Switch { .. }
    )
}

/// Both have done the same: as many jobs, with the same longest responses.
fn agree(system: &Periodic, events: &[Event], theirs: &Theirs) -> Result<()> {
    let history = History::of(events);
    let done = history.jobs.iter().filter(|job| job.response().is_some()).count();
    ensure!(done.abs_diff(theirs.jobs) <= 1, "{done} jobs here, {} in SimSo: {system:?}", theirs.jobs);
    // By deadline, threads with the same deadline may run in either order.
    if system.scheduler == Scheduler::ShortestPeriod {
        for (index, longest) in theirs.responses.iter().enumerate() {
            let task = beryl_abi::ThreadId(u8::try_from(index)?);
            let own = history.jobs_of(task).filter_map(|job| job.response()).max().map(|own| own.ticks());
            ensure!(own == Some(*longest), "thread {index}: {own:?} here, {longest} in SimSo: {system:?}");
        }
    }
    Ok(())
}

fn simso(python: &PathBuf, system: &Periodic) -> Result<Theirs> {
    let script = root().join("bench/host/oracle.py");
    let policy = match system.scheduler {
        Scheduler::EarliestDeadline => "edf",
        Scheduler::ShortestPeriod => "rate",
    };
    let question = json!({ "policy": policy, "until": system.until, "tasks": system.threads });
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("can't start {}", python.display()))?;
    let mut questions = child.stdin.take().context("SimSo takes no questions")?;
    writeln!(questions, "{question}").context("SimSo has gone away")?;
    drop(questions);
    let output = child.wait_with_output().context("SimSo has gone away")?;
    if !output.status.success() {
        bail!("SimSo failed on {system:?}");
    }
    serde_json::from_slice(&output.stdout).context("SimSo's answer")
}

/// A Python that has SimSo: that of `./x bench host`, or the one of `SIMSO_PYTHON`.
fn python() -> Option<PathBuf> {
    let own = root().join("target/python/bin/python");
    let all = std::env::var_os("SIMSO_PYTHON").map(PathBuf::from).into_iter().chain([own, "python3".into()]);
    all.into_iter().find(|python| {
        let quiet = || Stdio::null();
        let tried =
            Command::new(python).args(["-c", "import simso"]).stdout(quiet()).stderr(quiet()).status();
        tried.is_ok_and(|status| status.success())
    })
}
