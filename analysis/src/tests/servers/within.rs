//! Partitions: supplies beside every beginning, tick by tick, and tasks and servers inside.

use beryl_testing::cases;

use super::*;
use crate::servers::supply::{Linear, Pulses, Whole};
use crate::servers::table::Table;
use crate::servers::{Supply, under};
use crate::tests::jobs;
use crate::{Failure, Fault, Utilisation};

const LENGTH: u64 = 400;

/// A random table: its ticks, and the same as windows.
fn table(random: &mut Random) -> (Vec<bool>, Table) {
    loop {
        let frame = random.within(4, 16);
        let ticks_of: Vec<bool> = (0..frame).map(|_| random.once_in(2)).collect();
        let mut windows: Vec<(Ticks, Ticks)> = Vec::new();
        for tick in (0..frame).filter(|tick| ticks_of[*tick as usize]) {
            match windows.last_mut() {
                // Windows may lie side by side.
                Some((begin, length)) if begin.get() + length.get() == tick && !random.once_in(4) => {
                    *length = ticks(length.get() + 1);
                }
                _ => windows.push((ticks(tick), ticks(1))),
            }
        }
        if !windows.is_empty() {
            return (ticks_of, Table::new(ticks(frame), &windows).unwrap());
        }
    }
}

fn is_open(of: &[bool], tick: u64) -> bool {
    of[(tick % of.len() as u64) as usize]
}

#[test]
fn a_tables_supply_is_the_least_over_all_beginnings() {
    for seed in 0..cases(200, 2000) {
        let (of, table) = table(&mut Random(seed));
        for length in 0..50 {
            let had = |start| (start..start + length).filter(|tick| is_open(&of, *tick)).count() as u64;
            let least = (0..of.len() as u64).map(had).min().unwrap();
            assert_eq!(
                table.least(ticks(length)).unwrap().get(),
                least,
                "seed {seed}: {table:?} in {length}"
            );
        }
    }
}

/// Whether the inverse is one.
fn is_inverse(supply: &impl Supply, case: &str) {
    for work in 1..40 {
        let window = supply.longest(ticks(work)).unwrap();
        let enough = supply.least(window).unwrap().get();
        let before = supply.least(window.less(ticks(1))).unwrap().get();
        assert!(enough >= work && before < work, "{case}: {work} in {window}, {before} before");
    }
    assert_eq!(supply.longest(Ticks::ZERO), Ok(Ticks::ZERO), "{case}");
}

#[test]
fn the_longest_time_for_work_is_the_shortest_window_that_has_it() {
    for seed in 0..cases(200, 2000) {
        let mut random = Random(seed);
        let (_, table) = table(&mut random);
        is_inverse(&table, &format!("seed {seed}: {table:?}"));
        table.starts().for_each(|start| is_inverse(&start, &format!("seed {seed}: {start:?}")));
        let (_, of, _) = system(&mut random);
        let resource = Pulses::of_resource(&of).unwrap();
        is_inverse(&resource, &format!("seed {seed}: {of:?}"));
        is_inverse(&resource.linear(), &format!("seed {seed}: {of:?}"));
    }
    is_inverse(&Whole, "the whole");
    is_inverse(&Linear::new(ticks(3), Utilisation::ONE), "a delay");
}

/// No more than the exact supply, and touching it where a budget begins.
#[test]
fn the_line_lies_beneath_and_touches() {
    for seed in 0..100 {
        let (_, of, _) = system(&mut Random(seed));
        let exact = Pulses::of_resource(&of).unwrap();
        let line = exact.linear();
        let both = |length| (exact.least(ticks(length)).unwrap(), line.least(ticks(length)).unwrap());
        assert!((0..200).map(both).all(|(exact, line)| line <= exact), "seed {seed}");
        for periods in 0..5 {
            let (exact, line) = both(exact.wait().get() + periods * of.period.get());
            assert_eq!(exact, line, "seed {seed}");
        }
    }
}

/// The ends of dense arrivals where the processor is had at some ticks only.
fn ends(
    list: &[jobs::Activation],
    key: impl Fn(&jobs::Activation) -> u64,
    open: impl Fn(u64) -> bool,
) -> Vec<u64> {
    let (mut done, mut ends) = (vec![0; list.len()], vec![0; list.len()]);
    for tick in (0..4 * LENGTH).filter(|tick| open(*tick)) {
        let ready = (0..list.len()).filter(|job| ends[*job] == 0 && list[*job].release <= tick);
        if let Some(job) = ready.min_by_key(|job| (key(&list[*job]), list[*job].arrival)) {
            done[job] += 1;
            ends[job] = if done[job] == list[job].work { tick + 1 } else { 0 };
        }
    }
    ends.iter().map(|end| if *end == 0 { 1_000_000 } else { *end }).collect()
}

/// Tasks released with their full jitter at instant `start`, whose arrivals may lie before.
fn activations(tasks: &[Sporadic], start: u64) -> Vec<jobs::Activation> {
    let of = |(index, of): (usize, &Sporadic)| jobs::dense(index, of, start, start + LENGTH);
    tasks.iter().enumerate().flat_map(of).collect()
}

/// A few tasks that ask for little, and now and then for all that there is.
fn inside(random: &mut Random) -> Vec<Sporadic> {
    (0..random.within(1, 3))
        .map(|_| {
            let period = *random.one_of(&[6, 8, 12, 16, 24]);
            let worst = random.within(1, (period / 6).max(1));
            let deadline = random.within(period / 2 + 1, 2 * period);
            task(period, worst).due(ticks(deadline)).released_within(ticks(*random.one_of(&[0, 0, 2])))
        })
        .collect()
}

/// Then somebody is late some day, though perhaps behind the end of a run.
fn asks_for_more(tasks: &[Sporadic], supply: &impl Supply) -> bool {
    crate::sporadic::utilisation(tasks).unwrap() > supply.share()
}

/// The responses that are within deadlines.
fn in_time(longest: &[u64], tasks: &[Sporadic], supply: &impl Supply) -> Vec<Option<Ticks>> {
    let of = |(index, longest): (usize, &u64)| {
        let is_sure = !asks_for_more(&tasks[..=index], supply);
        Some(ticks(*longest)).filter(|longest| is_sure && *longest <= tasks[index].deadline)
    };
    longest.iter().enumerate().map(of).collect()
}

/// From all instants of the frame, tick by tick: responses in a table are exact, also those of deadlines.
#[test]
fn tasks_in_a_table_take_as_long_as_the_worst_of_all_beginnings() {
    let (mut held, mut held_by_deadline, mut loose, mut answered, mut tried) = (0, 0, 0, 0, 0);
    for seed in 0..cases(300, 3000) {
        let mut random = Random(seed);
        let (of, table) = table(&mut random);
        let tasks = inside(&mut random);
        // A frame that begins behind the arrivals with jitter.
        let begin = 20 * of.len() as u64;
        let mut longest = vec![0; tasks.len()];
        let mut misses = false;
        for start in begin..begin + of.len() as u64 {
            let list = activations(&tasks, start);
            let by_priority = ends(&list, |job| job.task as u64, |now| is_open(&of, now));
            for (longest, now) in longest.iter_mut().zip(jobs::longest(tasks.len(), &list, &by_priority)) {
                *longest = now.max(*longest);
            }
            let by_deadline = ends(&list, |job| job.deadline, |now| is_open(&of, now));
            misses |= jobs::misses(&list, &by_deadline);
        }
        let expected = in_time(&longest, &tasks, &table);
        misses |= asks_for_more(&tasks, &table);
        assert_eq!(table.responses(&tasks).unwrap(), expected, "seed {seed}: {table:?} {tasks:?}");
        assert_eq!(table.holds_dynamic(&tasks), Ok(!misses), "seed {seed}: {table:?} {tasks:?}");
        for (safe, exact) in under::responses(&tasks, &[], &table).unwrap().into_iter().zip(&expected) {
            assert!(safe.is_none_or(|safe| exact.is_some_and(|exact| exact <= safe)), "seed {seed}");
            loose += u32::from(safe != *exact);
            answered += 1;
        }
        held += u32::from(expected.iter().all(Option::is_some));
        held_by_deadline += u32::from(!misses);
        tried += 1;
    }
    let some = tried / 10..tried * 9 / 10;
    assert!(some.contains(&held) && some.contains(&held_by_deadline), "{held} {held_by_deadline} of {tried}");
    assert!(loose > 0 && loose * 10 < answered, "{loose} of {answered} are loose");
}

/// The run of a periodic resource that has the least in all windows: used at once, and then late.
#[test]
fn tasks_in_a_periodic_resource_take_as_long_as_its_worst_run() {
    let (mut held, mut held_by_deadline, mut cases_of) = (0, 0, 0);
    for seed in 0..cases(300, 3000) {
        let mut random = Random(seed);
        let (_, of, _) = system(&mut random);
        let (budget, period) = (of.budget.get(), of.period.get());
        let tasks = inside(&mut random);
        let supply = Pulses::of_resource(&of).unwrap();
        let start = 20 * period + budget;
        let open = |now: u64| match now < 21 * period {
            true => now % period < budget,
            false => now % period >= period - budget,
        };
        let list = activations(&tasks, start);
        let by_priority = ends(&list, |job| job.task as u64, open);
        let longest = jobs::longest(tasks.len(), &list, &by_priority);
        let expected = in_time(&longest, &tasks, &supply);
        assert_eq!(
            under::responses(&tasks, &[], &supply).unwrap(),
            expected,
            "seed {seed}: {of:?} {tasks:?}"
        );
        let by_deadline = ends(&list, |job| job.deadline, open);
        let holds = !jobs::misses(&list, &by_deadline) && !asks_for_more(&tasks, &supply);
        assert_eq!(under::dynamic(&tasks, &supply), Ok(holds), "seed {seed}: {of:?} {tasks:?}");
        held += u32::from(expected.iter().all(Option::is_some));
        held_by_deadline += u32::from(holds);
        cases_of += 1;
    }
    assert!((30..cases_of - 30).contains(&held), "{held} of {cases_of}");
    assert!((30..cases_of - 30).contains(&held_by_deadline), "{held_by_deadline} of {cases_of}");
}

/// Tasks that ask for all of a supply are never done with their busy period, which repeats: all of its jobs count.
#[test]
fn tasks_that_ask_for_all_of_a_supply_take_as_long_as_their_longest_round() {
    let (mut tried, mut late_ones) = (0, 0);
    for seed in 0..cases(4000, 40_000) {
        let mut random = Random(seed);
        let period = *random.one_of(&[2, 3, 4, 6]);
        let of = Server::new(ticks(random.within(1, period)), ticks(period));
        let tasks: Vec<_> = (0..random.within(2, 3))
            .map(|_| {
                let period = *random.one_of(&[4, 6, 8, 12]);
                task(period, random.within(1, period / 2)).due(ticks(random.within(period / 2, 3 * period)))
            })
            .collect();
        if crate::sporadic::utilisation(&tasks).unwrap() != of.utilisation() {
            continue;
        }
        let supply = Pulses::of_resource(&of).unwrap();
        let (budget, start) = (of.budget.get(), 20 * period + of.budget.get());
        let open = |now: u64| now >= 21 * period && now % period >= period - budget;
        let list = activations(&tasks, start);
        // Whoever comes at the end isn't done.
        let done = |ends: Vec<u64>| {
            let all = list.iter().copied().zip(ends).filter(|(job, _)| job.arrival < start + LENGTH / 2);
            all.unzip::<_, _, Vec<_>, Vec<_>>()
        };
        let (jobs_done, by_priority) = done(ends(&list, |job| job.task as u64, open));
        let expected = in_time(&jobs::longest(tasks.len(), &jobs_done, &by_priority), &tasks, &supply);
        assert_eq!(
            under::responses(&tasks, &[], &supply).unwrap(),
            expected,
            "seed {seed}: {of:?} {tasks:?}"
        );
        let (jobs_done, by_deadline) = done(ends(&list, |job| job.deadline, open));
        let holds = !jobs::misses(&jobs_done, &by_deadline);
        assert_eq!(under::dynamic(&tasks, &supply), Ok(holds), "seed {seed}: {of:?} {tasks:?}");
        tried += 1;
        late_ones += u32::from(!holds);
    }
    assert!(tried > 100 && (10..tried - 10).contains(&late_ones), "{late_ones} of {tried} are late");
}

/// A server beneath tasks in a partition by a table: what closes the partition is a job above everybody.
#[test]
fn a_server_in_a_partition_gives_no_less_than_its_supply_within_that_of_the_partition() {
    let mut compared = 0;
    for seed in 0..cases(400, 4000) {
        let mut random = Random(seed);
        let (of_table, table) = table(&mut random);
        let (mut tasks, of, above) = system(&mut random);
        tasks.truncate(above);
        let Some(served) = of.served(&table, &tasks).unwrap() else { continue };
        let closed = (0..300).filter(|tick| !is_open(&of_table, *tick));
        let mut jobs: Vec<Job> = arrivals(&tasks, 300, &mut random);
        jobs.iter_mut().for_each(|job| job.task += 1);
        jobs.extend(closed.map(|tick| Job {
            task: 0,
            release: ticks(tick),
            worst: ticks(1),
            takes: ticks(1),
        }));
        jobs.sort_by_key(|job| job.release);
        let all: Vec<Sporadic> = std::iter::once(task(1, 1)).chain(tasks.iter().copied()).collect();
        let stream = task(2 * of.period.get(), of.budget.get()).due(ticks(100_000));
        for policy in FIXED {
            let given = workload(all.clone(), jobs.clone(), work(&of, 150, &mut random));
            let run = model::run(&given, &mut *server(policy, of, above + 1));
            let supply = policy.supply(&of, served).unwrap();
            for (length, least) in least(&given, &run, 200).into_iter().enumerate() {
                let bound = supply.least(ticks(length as u64)).unwrap().get();
                assert!(
                    least.is_none_or(|least| bound <= least),
                    "seed {seed}: {policy:?} {least:?} in {length}"
                );
            }
            // Inside the server: a stream of work, whose jobs are served in their order.
            let bound = under::responses(&[stream], &[], &supply).unwrap()[0].unwrap();
            let first = random.within(0, of.period.get());
            let comes: Vec<_> =
                (0..6).map(|job| (first + job * stream.period.get(), of.budget.get())).collect();
            let given = workload(all.clone(), jobs.clone(), soft(&comes));
            let run = model::run(&given, &mut *server(policy, of, above + 1));
            for (soft, end) in given.soft.iter().zip(&run.served).filter(|(_, end)| end.get() < 300) {
                let took = end.less(soft.arrival);
                assert!(took <= bound, "seed {seed}: {policy:?} took {took}, not {bound}");
            }
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared}");
}

#[test]
fn tables_that_are_none_are_refused() {
    let refused = |frame, windows: &[(u64, u64)]| {
        let windows: Vec<_> = windows.iter().map(|(begin, length)| (ticks(*begin), ticks(*length))).collect();
        matches!(
            Table::new(ticks(frame), &windows),
            Err(Failure::Invalid { fault: Fault::TableOutOfRange, .. })
        )
    };
    assert!(refused(10, &[]) && refused(10, &[(0, 0)]) && refused(10, &[(8, 3)]));
    assert!(refused(10, &[(4, 2), (0, 2)]) && refused(10, &[(0, 3), (2, 2)]));
    assert!(!refused(10, &[(0, 3), (3, 2), (9, 1)]));
}
