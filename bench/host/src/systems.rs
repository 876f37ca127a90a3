//! Placement into bands, and the proof of a large system.

use std::time::Duration;

use anyhow::{Result, ensure};
use beryl_analysis::csd::placement::{Test, cheapest};
use beryl_analysis::{Band, Policy, Sporadic, System, Task, Ticks, prove};

use crate::random::tasks;
use crate::time::{Aim, Row, median};

/// The cheapest placement of a hundred tasks into two dynamic bands and a fixed one.
pub fn placement() -> Result<Row> {
    const TASKS: u64 = 100;
    let tasks = tasks(1, TASKS, 80);
    // A tree's decision grows with its size, a queue's with the list's.
    let costs = |sizes: &[usize], band: usize| {
        let size = sizes.get(band).copied().unwrap_or_default();
        let is_dynamic = band + 1 < sizes.len();
        let grows = if is_dynamic { size } else { size / 10 };
        Ticks::new(u64::try_from(grows / 20 + 1).unwrap_or(u64::MAX))
    };
    let search = || Ok(cheapest(&tasks, 2, &costs, Test::Sound)?);
    ensure!(search()?.is_some(), "there is a placement");
    let took = median(search)?;
    let what = format!("CSD-3, the cheapest placement of {TASKS} tasks");
    Ok(Row { what, took, theirs: None, aim: Aim::Within(Duration::from_millis(50)) })
}

/// The proof of a thousand tasks in four bands.
pub fn prove_a_thousand() -> Result<Row> {
    const TASKS: usize = 1000;
    // Periods of a usual kind, so that the schedule repeats.
    const PERIODS: [u64; 8] = [10, 20, 25, 40, 50, 100, 200, 400];
    let list: Vec<Sporadic> = tasks(2, u64::try_from(TASKS)?, 60);
    let rows = list.iter().enumerate().map(|(index, row)| {
        let period = PERIODS.get(index * PERIODS.len() / TASKS).copied().unwrap_or(400);
        // Each has two to six parts of ten thousand.
        let worst = Ticks::new((2 + row.worst.get() % 5) * period);
        let (period, deadline) = (Ticks::new(period * 10_000), Ticks::new(period * 10_000));
        let priority = u32::try_from(TASKS - index).unwrap_or_default();
        Task { name: format!("t{index}"), period, deadline, worst, priority, ..Task::default() }
    });
    let rows: Vec<_> = rows.collect();
    let bands = rows.chunks(TASKS / 4).enumerate().map(|(index, tasks)| Band {
        name: format!("band {index}"),
        policy: if index < 3 { Policy::Dynamic } else { Policy::Fixed },
        tasks: tasks.to_vec(),
    });
    let system = System { bands: bands.collect(), ..System::default() };
    ensure!(prove(&system).is_ok(), "it holds");
    let took = median(|| Ok(prove(&system)?))?;
    let what = format!(
        "prove, {TASKS} tasks in three dynamic bands and a fixed one, {} of the processor",
        system.utilisation()?
    );
    Ok(Row { what, took, theirs: None, aim: Aim::Within(Duration::from_secs(2)) })
}

/// The proof of five hundred tasks in one dynamic band, whose schedule doesn't repeat in any time that can be
/// waited for.
pub fn prove_a_long_band() -> Result<Row> {
    const TASKS: u64 = 500;
    let rows = tasks(3, TASKS, 90).into_iter().enumerate().map(|(index, row)| Task {
        name: format!("t{index}"),
        period: row.period,
        deadline: row.deadline,
        worst: row.worst,
        ..Task::default()
    });
    let band = Band { name: "all".to_owned(), policy: Policy::Dynamic, tasks: rows.collect() };
    let system = System { bands: vec![band], ..System::default() };
    ensure!(prove(&system).is_ok(), "it holds");
    let took = median(|| Ok(prove(&system)?))?;
    let what = format!("prove, {TASKS} tasks in a dynamic band, {} of the processor", system.utilisation()?);
    Ok(Row { what, took, theirs: None, aim: Aim::Within(Duration::from_secs(2)) })
}
