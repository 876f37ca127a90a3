//! Pools: jobs that share a budget, beside a plain run of them, tick by tick.

use beryl_testing::cases;

use super::*;
use crate::servers::pools::{Member, Pool};
use crate::{Band, Failure, Policy as Order, System, Task, TaskIndex, prove};

/// A task of the run, in the order of the list if equally urgent.
#[derive(Clone, Debug)]
struct Row {
    period: u64,
    offset: u64,
    worst: u64,
    priority: u32,
    shares: bool,
}

/// A drawn system: tasks, and a budget that some of them share with one without jobs that never stops, below them.
#[derive(Clone, Debug)]
struct Drawn {
    rows: Vec<Row>,
    budget: Server,
}

fn drawn(random: &mut Random) -> Drawn {
    let period = random.within(4, 12);
    let budget = Server::new(ticks(random.within(1, period)), ticks(period));
    let row = |number: u64, random: &mut Random| {
        let shares = number < 2 || random.once_in(3);
        let period = period * random.within(1, 6) + random.within(0, 3);
        let worst = random.within(1, if shares { 3 } else { 2 });
        Row {
            period,
            offset: random.below(period as usize) as u64,
            worst,
            priority: random.below(4) as u32,
            shares,
        }
    };
    let count = random.within(2, 5);
    Drawn { rows: (0..count).map(|number| row(number, random)).collect(), budget }
}

fn system(drawn: &Drawn) -> System {
    let task = |row: &Row, name: String| Task {
        name,
        period: ticks(row.period),
        deadline: ticks(row.period),
        worst: ticks(row.worst),
        priority: row.priority,
        is_sporadic: true,
        ..Task::default()
    };
    let named = |shares: bool| {
        let rows = drawn.rows.iter().enumerate().filter(move |(_, row)| row.shares == shares);
        rows.map(move |(index, row)| task(row, index.to_string())).collect::<Vec<_>>()
    };
    let members = named(true);
    let server = Policy::Deferrable.as_task(&drawn.budget);
    let stands = Task {
        name: "budget".to_owned(),
        period: server.period,
        deadline: ticks(server.deadline.get() + server.jitter.get()),
        backlog: 1,
        worst: server.worst,
        priority: members.iter().map(|member| member.priority).max().unwrap(),
        is_sporadic: true,
        jitter: server.jitter,
        ..Task::default()
    };
    let tasks: Vec<Task> = std::iter::once(stands).chain(named(false)).collect();
    let pool = Pool {
        server: TaskIndex { band: 0, task: 0 },
        budget: drawn.budget,
        owed: Ticks::ZERO,
        is_charged: false,
        waking: Vec::new(),
        members: members.into_iter().map(|task| Member { band: 0, task }).collect(),
    };
    let bands = vec![Band { name: "all".to_owned(), policy: Order::Fixed, tasks }];
    System { bands, pools: vec![pool], ..System::default() }
}

/// The longest responses in a run: each tick is for the most urgent who may use it, among equals for one by chance.
fn seen(drawn: &Drawn, random: &mut Random, until: u64) -> Vec<u64> {
    let mut open: Vec<Vec<(u64, u64)>> = vec![Vec::new(); drawn.rows.len()];
    let (mut left, mut longest) = (0, vec![0; drawn.rows.len()]);
    let is_greedy = !random.once_in(4);
    for now in 0..until {
        if now % drawn.budget.period.get() == 0 {
            left = drawn.budget.budget.get();
        }
        for (row, open) in drawn.rows.iter().zip(&mut open) {
            if now >= row.offset && (now - row.offset) % row.period == 0 {
                open.push((now, row.worst));
            }
        }
        let may = |index: &usize| !open[*index].is_empty() && (left > 0 || !drawn.rows[*index].shares);
        let ready: Vec<usize> = (0..drawn.rows.len()).filter(may).collect();
        let first = ready.iter().map(|index| drawn.rows[*index].priority).max();
        let equals: Vec<usize> =
            ready.into_iter().filter(|index| Some(drawn.rows[*index].priority) == first).collect();
        if equals.is_empty() {
            left -= u64::from(is_greedy && left > 0);
            continue;
        }
        let next = *random.one_of(&equals);
        left -= u64::from(drawn.rows[next].shares);
        open[next][0].1 -= 1;
        if open[next][0].1 == 0 {
            let (release, _) = open[next].remove(0);
            longest[next] = (now + 1 - release).max(longest[next]);
        }
    }
    longest
}

#[test]
fn no_job_that_shares_a_budget_takes_longer_than_its_bound() {
    let (mut possible, mut proved, mut late, mut reached) = (0, 0, 0, 0);
    for seed in 0..cases(400, 20_000) {
        let mut random = Random(seed);
        let drawn = drawn(&mut random);
        let mut system = system(&drawn);
        let proof = prove(&system);
        let runs = (0..4).map(|_| seen(&drawn, &mut random, 3000));
        let seen =
            runs.reduce(|one, other| one.into_iter().zip(other).map(|(one, other)| one.max(other)).collect());
        let seen = seen.unwrap();
        match proof {
            Ok(proof) => {
                proved += 1;
                possible += 1;
                for task in proof.bands.iter().flat_map(|band| &band.tasks) {
                    let Ok(index) = task.name.parse::<usize>() else { continue };
                    assert!(
                        seen[index] <= task.response.get(),
                        "seed {seed}: {index} of {drawn:?}: {seen:?}, {task:?}"
                    );
                    reached += usize::from(drawn.rows[index].shares && seen[index] == task.response.get());
                }
            }
            Err(Failure::TimesTooLarge) => panic!("seed {seed}: {drawn:?}"),
            Err(_) => {
                // The others hold, and the budget is enough in the long run.
                system.pools.clear();
                let own = drawn.rows.iter().filter(|row| row.shares);
                let asked: f64 = own.map(|row| row.worst as f64 / row.period as f64).sum();
                let share = drawn.budget.budget.get() as f64 / drawn.budget.period.get() as f64;
                if prove(&system).is_ok() && asked <= share {
                    possible += 1;
                    late += usize::from(drawn.rows.iter().zip(&seen).any(|(row, seen)| *seen > row.period));
                }
            }
        }
    }
    println!(
        "{proved} of {possible} are proved, {late} of the others were late; {reached} bounds are reached"
    );
    assert!(proved * 2 > possible && reached > 50, "{proved} of {possible}, {reached}");
}

/// 4 of every 10 ticks for all, of which a job takes 2 every 40; nobody else is there.
#[test]
fn a_job_waits_for_the_rest_of_a_period_in_which_others_have_used_the_budget() {
    let member = Row { period: 40, offset: 0, worst: 2, priority: 1, shares: true };
    let mut drawn = Drawn { rows: vec![member], budget: Server::new(ticks(4), ticks(10)) };
    let response = |drawn: &Drawn| prove(&system(drawn)).unwrap().bands[0].tasks.last().unwrap().response;
    assert_eq!(response(&drawn), ticks(6 + 2));
    // Somebody above takes 3 of every 20: once while the budget is back, and the double hit isn't in its way.
    drawn.rows.push(Row { period: 20, offset: 0, worst: 3, priority: 2, shares: false });
    assert_eq!(response(&drawn), ticks(6 + 3 + 2));
    // What is owed, and what is charged in no time.
    let mut system = system(&drawn);
    (system.pools[0].owed, system.pools[0].is_charged) = (ticks(1), true);
    assert_eq!(prove(&system).unwrap().bands[0].tasks.last().unwrap().response, ticks(10 + 3 + 2));
    // Two in two periods: there are three a period, and nothing is left if four are owed.
    system.pools[0].owed = ticks(4);
    assert!(matches!(prove(&system), Err(Failure::NotProved { task, .. }) if task == "0"));
}
