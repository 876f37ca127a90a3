//! Budgets in partitions, beside a plain run, tick by tick: one that somebody without jobs has, and one that several share.

use beryl_testing::{Draw, SplitMix64 as Random, cases};

use super::partitions::framed;
use crate::model::{System, Task};
use crate::partitions::Frame;
use crate::servers::pools::{Member, Pool};
use crate::servers::{Policy, Server};
use crate::ticks::Ticks;
use crate::{Failure, TaskIndex, prove};

/// A task of the run, in its band.
#[derive(Clone, Debug)]
struct Row {
    band: usize,
    period: u64,
    worst: u64,
    priority: u32,
    /// Whether it pays from the budget.
    pays: bool,
}

/// A frame, whose the bands are, and a budget in the first partition, which may be the background.
#[derive(Clone, Debug)]
struct Drawn {
    length: u64,
    windows: Vec<(u64, u64, usize)>,
    of_band: Vec<Option<usize>>,
    rows: Vec<Row>,
    budget: Server,
    /// Where somebody without jobs stands who uses all that is left.
    greedy: (usize, u32),
}

fn drawn(random: &mut Random, is_shared: bool) -> Drawn {
    let length = random.within(8, 20);
    let (mut windows, mut at) = (Vec::new(), random.within(0, 2));
    while at + 2 < length {
        let lasts = random.within(2, 9).min(length - at);
        windows.push((at, lasts, usize::from(random.below(3) == 0)));
        at += lasts + random.within(0, 2);
    }
    let length = length + 2;
    windows.extend(
        (0..2)
            .filter(|whose| !windows.iter().any(|(.., of)| of == whose))
            .map(|whose| (length - 2 + whose as u64, 1, whose))
            .collect::<Vec<_>>(),
    );
    let of_band = vec![random.once_in(2).then_some(0), Some(0), Some(1), None];
    let every = random.within(length / 2, length * 3);
    let budget = Server::new(Ticks::new(random.within(1, every / 3)), Ticks::new(every));
    let mut rows = Vec::new();
    for (band, of) in of_band.iter().enumerate() {
        for _ in 0..random.within(0, 2) {
            let pays = is_shared && *of == Some(0) && !random.once_in(3);
            let period = length * random.within(2, 9) + random.within(0, 5);
            rows.push(Row {
                band,
                period,
                worst: random.within(1, 3),
                priority: random.within(1, 4) as u32,
                pays,
            });
        }
    }
    // Without jobs it is less urgent than all with jobs that pay with it.
    let greedy = if is_shared { (1, 0) } else { (1, random.within(0, 4) as u32) };
    Drawn { length, windows, of_band, rows, budget, greedy }
}

fn system(drawn: &Drawn) -> System {
    let task = |index: usize, row: &Row| Task {
        name: index.to_string(),
        period: Ticks::new(row.period),
        deadline: Ticks::new(row.period),
        worst: Ticks::new(row.worst),
        priority: row.priority,
        is_sporadic: true,
        ..Task::default()
    };
    let server = Policy::Deferrable.as_task(&drawn.budget);
    let members: Vec<(usize, Task)> = drawn
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.pays)
        .map(|(index, row)| (row.band, task(index, row)))
        .collect();
    let own = (drawn.greedy.0, std::cmp::Reverse(drawn.greedy.1));
    let (band, priority) = members
        .iter()
        .map(|(band, task)| (*band, std::cmp::Reverse(task.priority)))
        .chain([own])
        .min()
        .unwrap();
    let stands = Task {
        name: "budget".to_owned(),
        period: server.period,
        deadline: Ticks::new(server.deadline.get() + server.jitter.get()),
        backlog: 1,
        worst: server.worst,
        priority: priority.0,
        is_sporadic: true,
        jitter: server.jitter,
        ..Task::default()
    };
    let bands = drawn.of_band.iter().enumerate().map(|(number, of)| {
        let own = drawn.rows.iter().enumerate().filter(|(_, row)| row.band == number && !row.pays);
        let own = own.map(|(index, row)| task(index, row));
        (*of, (number == band).then(|| stands.clone()).into_iter().chain(own).collect())
    });
    let system = framed(bands.collect(), drawn.length, &drawn.windows);
    let pool = (!members.is_empty()).then(|| Pool {
        server: TaskIndex { band, task: 0 },
        budget: drawn.budget,
        owed: Ticks::ZERO,
        is_charged: false,
        waking: Vec::new(),
        members: members.into_iter().map(|(band, task)| Member { band, task }).collect(),
    });
    System { pools: pool.into_iter().collect(), ..system }
}

/// The longest responses in a run. Jobs come a period apart at least; whoever has no jobs wants the processor by chance, and
/// only with what is left of the budget.
fn seen(drawn: &Drawn, frame: &Frame, random: &mut Random) -> Vec<u64> {
    let mut open: Vec<Vec<(u64, u64)>> = vec![Vec::new(); drawn.rows.len()];
    let mut next: Vec<u64> = drawn.rows.iter().map(|row| random.within(0, row.period)).collect();
    let (mut left, mut longest, mut wants) = (0, vec![0; drawn.rows.len()], true);
    let late = random.below(3);
    for now in 0..900 {
        if now % drawn.budget.period.get() == 0 {
            left = drawn.budget.budget.get();
        }
        wants ^= random.once_in(9);
        for (number, row) in
            drawn.rows.iter().enumerate().filter(|(number, _)| next[*number] == now).collect::<Vec<_>>()
        {
            open[number].push((now, row.worst));
            next[number] = now + row.period + if late == 0 { random.within(0, 9) } else { 0 };
        }
        let at = now % frame.length.get();
        let mut windows = frame.windows.iter();
        let window = windows.find(|(from, lasts, _)| (from.get()..from.get() + lasts.get()).contains(&at));
        let window = window.map(|(.., whose)| *whose);
        let counts = |band: usize| drawn.of_band[band].is_none() || drawn.of_band[band] == window;
        let ready =
            drawn.rows.iter().enumerate().filter(|(number, row)| {
                counts(row.band) && !open[*number].is_empty() && (left > 0 || !row.pays)
            });
        let jobs = ready.map(|(number, row)| ((row.band, std::cmp::Reverse(row.priority)), Some(number)));
        let greedy = (wants && left > 0 && counts(drawn.greedy.0))
            .then_some(((drawn.greedy.0, std::cmp::Reverse(drawn.greedy.1)), None));
        // Of equals the one without jobs goes first.
        match greedy.into_iter().chain(jobs).min_by_key(|(place, _)| *place) {
            Some((_, None)) => left -= 1,
            Some((_, Some(number))) => {
                left -= u64::from(drawn.rows[number].pays);
                open[number][0].1 -= 1;
                if open[number][0].1 == 0 {
                    let (came, _) = open[number].remove(0);
                    longest[number] = longest[number].max(now + 1 - came);
                }
            }
            None => {}
        }
    }
    longest
}

/// How many are proved, how many of the bounds of jobs in the budget's partition are reached, and how many of the refused
/// are late in a run.
fn tried(is_shared: bool) -> [usize; 3] {
    let [mut proved, mut reached, mut late] = [0; 3];
    for seed in 0..cases(1500, 40_000) {
        let mut random = Random(seed);
        let drawn = drawn(&mut random, is_shared);
        if is_shared && !drawn.rows.iter().any(|row| row.pays) {
            continue;
        }
        let system = system(&drawn);
        let frame = system.frame.clone().unwrap();
        let mut runs = (0..4).map(|_| seen(&drawn, &frame, &mut random)).collect::<Vec<_>>().into_iter();
        let first = runs.next().unwrap();
        let seen: Vec<u64> = runs.fold(first, |one, other| {
            one.into_iter().zip(other).map(|(one, other)| one.max(other)).collect()
        });
        match prove(&system) {
            Ok(proof) => {
                proved += 1;
                for task in proof.bands.iter().flat_map(|band| &band.tasks) {
                    let Ok(index) = task.name.parse::<usize>() else { continue };
                    let (row, bound) = (&drawn.rows[index], task.response.get());
                    assert!(seen[index] <= bound, "seed {seed}: {index} of {drawn:?}: {seen:?}, {task:?}");
                    let counts = if is_shared { row.pays } else { drawn.of_band[row.band] == Some(0) };
                    reached += usize::from(counts && seen[index] == bound);
                }
            }
            Err(Failure::TimesTooLarge) => panic!("seed {seed}: {drawn:?}"),
            Err(_) => late += usize::from(drawn.rows.iter().zip(&seen).any(|(row, seen)| *seen > row.period)),
        }
    }
    [proved, reached, late]
}

#[test]
fn who_has_a_budget_in_a_partition_delays_nobody_beyond_his_bound() {
    let [proved, reached, late] = tried(false);
    println!("{proved} are proved, {reached} bounds are reached, {late} of the others were late");
    assert!(proved > 300 && reached > 100, "{proved} proved, {reached} bounds reached");
}

#[test]
fn no_job_that_shares_a_budget_in_a_partition_takes_longer_than_its_bound() {
    let [proved, reached, late] = tried(true);
    println!("{proved} are proved, {reached} bounds are reached, {late} of the others were late");
    // Seldom does everything come together that a bound counts: the windows, and what others leave of the budget.
    assert!(proved > 100 && reached > 2, "{proved} proved, {reached} bounds reached");
}

/// Half of each frame of 20, and 4 of every 20 ticks for all, of which a job takes 2 every 80.
fn half(shares: bool) -> Drawn {
    let job = Row { band: 0, period: 80, worst: 2, priority: 1, pays: shares };
    Drawn {
        length: 20,
        windows: vec![(0, 10, 0), (10, 10, 1)],
        of_band: vec![Some(0), Some(0), Some(1)],
        rows: vec![job],
        budget: Server::new(Ticks::new(4), Ticks::new(20)),
        greedy: (1, 0),
    }
}

fn response(system: &System) -> Ticks {
    prove(system).unwrap().bands[0].tasks.last().unwrap().response
}

#[test]
fn a_job_waits_for_its_window_and_one_that_shares_a_budget_for_that_too() {
    // The time that isn't its window, and its own.
    assert_eq!(response(&system(&half(false))), Ticks::new(10 + 2));
    // All was used in four ticks, and when it is back the window is closed: 16 and 10, and its own.
    assert_eq!(response(&system(&half(true))), Ticks::new(16 + 10 + 2));
}

#[test]
fn what_nobody_pays_for_isnt_taken_from_a_budget_and_what_the_kernel_does_around_windows_is() {
    let mut system = system(&half(true));
    system.costs.timers = Ticks::new(1);
    // Of the 4 one is gone for timers that are set already, and one for those of the time between windows: it is used up in
    // two, and back for certain when a tick for each has passed besides.
    assert_eq!(response(&system), Ticks::new(18 + 10 + 2 + 2));
    // Two more than there is.
    system.pools[0].owed = Ticks::new(2);
    assert!(prove(&system).is_err(), "nothing is left for certain");
}
