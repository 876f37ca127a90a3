//! Constant bandwidth in a dynamic band: nobody is late, the work has its supply, and a task doesn't stand for it.

use beryl_testing::cases;

use super::*;
use crate::servers::bandwidth;
use crate::{edf, sporadic};

const LENGTH: u64 = 160;

fn in_a_dynamic_band(tasks: Vec<Sporadic>, jobs: Vec<Job>, work: Vec<Soft>) -> Workload {
    Workload { order: Order::Deadlines, ..workload(tasks, jobs, work) }
}

/// Two tasks and a server, nearly full.
fn band(random: &mut Random, implicit: bool) -> (Vec<Sporadic>, Server) {
    let period = random.within(3, 12);
    let server = Server::new(ticks(random.within(1, period.div_ceil(2))), ticks(period));
    let tasks = (0..random.within(1, 3)).map(|_| {
        let period = random.within(4, 20);
        let worst = random.within(1, (period / 3).max(1));
        let deadline = if implicit { period } else { random.within(worst, period) };
        task(period, worst).due(ticks(deadline))
    });
    (tasks.collect(), server)
}

#[test]
fn no_band_with_a_constant_bandwidth_server_that_holds_is_late() {
    let (mut held, mut refused) = (0, 0);
    for seed in 0..cases(800, 10_000) {
        let mut random = Random(seed);
        let implicit = random.once_in(3);
        let (tasks, of) = band(&mut random, implicit);
        let holds = bandwidth::holds(&[of], &tasks).unwrap();
        let is_full = sporadic::utilisation(&tasks).unwrap().plus(of.utilisation()).unwrap().exceeds_one();
        assert!(!(holds && is_full) && (holds || is_full || !implicit), "seed {seed}: {tasks:?} {of:?}");
        if !holds {
            refused += 1;
            continue;
        }
        held += 1;
        let jobs = match random.once_in(2) {
            true => dense(&tasks, &[7; 3][..tasks.len()], LENGTH),
            false => arrivals(&tasks, LENGTH, &mut random),
        };
        let given = in_a_dynamic_band(tasks, jobs, work(&of, LENGTH, &mut random));
        let run = model::run(&given, &mut *server(Policy::Bandwidth, of, 0));
        assert_eq!(late(&given, &run), None, "seed {seed}: {given:?} {of:?}");
        let supply = Policy::Bandwidth.supply(&of, of.period).unwrap();
        let most = most(&run, LENGTH, |_| true);
        for (length, (most, least)) in most.iter().zip(least(&given, &run, LENGTH)).enumerate() {
            let window = ticks(length as u64);
            let (cost, had) = (
                bandwidth::interference(&of, window).unwrap(),
                crate::servers::Supply::least(&supply, window).unwrap(),
            );
            assert!(*most <= cost.get(), "seed {seed}: {of:?} took {most} in {window}");
            assert!(
                least.is_none_or(|least| had.get() <= least),
                "seed {seed}: {of:?} {least:?} in {window}"
            );
        }
    }
    assert!(held > 300 && refused > 100, "{held} held, {refused} refused");
}

/// A server as a member of a dynamic band of a system.
fn share(of: &Server) -> crate::Task {
    crate::Task {
        name: "server".into(),
        period: of.period,
        deadline: of.period,
        worst: of.budget,
        is_sporadic: true,
        is_share: true,
        ..crate::Task::default()
    }
}

fn member(number: usize, of: &Sporadic) -> crate::Task {
    let (name, is_sporadic) = (format!("task {number}"), true);
    let Sporadic { period, deadline, worst, .. } = *of;
    crate::Task { name, period, deadline, worst, is_sporadic, ..crate::Task::default() }
}

fn system(servers: &[Server], tasks: &[Sporadic], costs: crate::KernelCosts) -> crate::System {
    let tasks = tasks.iter().enumerate().map(|(number, of)| member(number, of));
    let tasks = servers.iter().map(share).chain(tasks).collect();
    let band = crate::Band { name: "band".into(), policy: crate::Policy::Dynamic, tasks };
    crate::System { bands: vec![band], costs, ..crate::System::default() }
}

/// The proof of a system takes whole ticks of the share, so it may accept a little more than the test by supplies.
#[test]
fn a_system_with_shares_holds_where_the_servers_do_and_nobody_is_late_where_it_does() {
    let (mut held, mut more, mut refused) = (0, 0, 0);
    for seed in 0..cases(1500, 10_000) {
        let mut random = Random(seed);
        let (tasks, of) = band(&mut random, false);
        let proof = crate::prove(&system(&[of], &tasks, crate::KernelCosts::default()));
        let by_supply = bandwidth::holds(&[of], &tasks).unwrap();
        assert!(proof.is_ok() || !by_supply, "seed {seed}: {tasks:?} {of:?} {proof:?}");
        let Ok(proof) = proof else {
            refused += 1;
            continue;
        };
        held += 1;
        more += usize::from(!by_supply);
        assert!(proof.bands[0].tasks.iter().all(|task| task.response == task.deadline), "seed {seed}");
        for _ in 0..4 {
            let jobs = match random.once_in(2) {
                true => dense(&tasks, &[7; 3][..tasks.len()], LENGTH),
                false => arrivals(&tasks, LENGTH, &mut random),
            };
            let given = in_a_dynamic_band(tasks.clone(), jobs, work(&of, LENGTH, &mut random));
            let run = model::run(&given, &mut *server(Policy::Bandwidth, of, 0));
            assert_eq!(late(&given, &run), None, "seed {seed}: {given:?} {of:?}");
        }
    }
    assert!(
        held > 600 && more > 20 && refused > 200,
        "{held} held, {more} of them by the ticks, {refused} refused"
    );
}

#[test]
fn what_the_kernel_does_for_a_share_counts_for_each_period_begun_and_once_more() {
    // Half of the processor, and four ticks of the kernel in 40, twice at the start.
    let (of, costs) = (
        Server::new(ticks(20), ticks(40)),
        crate::KernelCosts {
            switch: ticks(1),
            completion: ticks(1),
            release: ticks(1),
            ..Default::default()
        },
    );
    let holds = |deadline: u64, costs| {
        let hard = task(1000, 1).due(ticks(deadline));
        crate::prove(&system(&[of], &[hard], costs)).is_ok()
    };
    // 1 tick and the share
    assert_eq!([1, 2, 3].map(|deadline| holds(deadline, Default::default())), [true; 3]);
    // With costs the task takes 4, and 1 above all.
    let first = (1..400).find(|deadline| holds(*deadline, costs));
    let least = (1..400).find(|window: &u64| {
        let share = window / 2;
        (1..=*window).any(|done: u64| share + 4 + 1 + 4 * (done.div_ceil(40) + 1) <= done)
    });
    assert_eq!(first, least);
    assert!(first.is_some(), "it holds at last");
}

#[test]
fn who_is_released_late_beside_a_share_has_no_bound() {
    let of = Server::new(ticks(1), ticks(10));
    let late = task(100, 1).due(ticks(50)).released_within(ticks(3));
    let jitter = |jitter| {
        let mut given = system(&[of], &[late], crate::KernelCosts::default());
        given.bands[0].tasks[1].jitter = ticks(jitter);
        crate::prove(&given).is_ok()
    };
    assert_eq!([jitter(0), jitter(3)], [true, false]);
}

/// What is left of a budget may be due sooner than a period, which no task's job is.
#[test]
fn a_rest_of_the_budget_is_due_sooner_than_a_task_would_be() {
    let of = Server::new(ticks(5), ticks(10));
    let hard = task(100, 4).due(ticks(5));
    // Three ticks from instant 0, with the deadline 10. At 5 two are left, less than the half of 5.
    let jobs = vec![Job { task: 0, release: ticks(5), worst: ticks(4), takes: ticks(4) }];
    let given = in_a_dynamic_band(vec![hard], jobs, soft(&[(0, 3), (5, 2)]));
    let run = model::run(&given, &mut *server(Policy::Bandwidth, of, 0));
    assert_eq!(late(&given, &run), Some(0));
    let with_a_task = [Policy::Bandwidth.as_task(&of), hard];
    assert_eq!(edf::holds(&with_a_task), Ok(true));
    assert_eq!(bandwidth::holds(&[of], &[hard]), Ok(false));
    assert_eq!(bandwidth::demand(&of, ticks(5)), Ok(ticks(2)));
    assert_eq!(bandwidth::holds(&[of], &[hard.due(ticks(8))]), Ok(true));
    // With a deadline that is the period, a task does stand for it.
    assert_eq!(bandwidth::holds(&[of], &[task(8, 4)]), Ok(true));
    assert_eq!(bandwidth::holds(&[of], &[task(7, 4)]), Ok(false));
}

/// The instants of an example: used up at 3, so it waits until 10 though nobody else wants to run.
#[test]
fn a_hard_server_waits_for_its_deadline() {
    let of = Server::new(ticks(3), ticks(10));
    let given = in_a_dynamic_band(Vec::new(), Vec::new(), soft(&[(0, 7), (24, 1), (26, 9)]));
    let run = model::run(&given, &mut *server(Policy::Bandwidth, of, 0));
    let pieces: Vec<_> = run.pieces.iter().map(|piece| (piece.start.get(), piece.end.get())).collect();
    // At 24 two are left until 30, more than the share: a new deadline, 34. At 26 two fit until then.
    assert_eq!(pieces, [(0, 3), (10, 13), (20, 21), (24, 25), (26, 28), (34, 37), (44, 47), (54, 55)]);
}

#[test]
fn servers_of_the_whole_processor_leave_nothing() {
    let halves = [Server::new(ticks(5), ticks(10)), Server::new(ticks(2), ticks(4))];
    assert_eq!(bandwidth::holds(&halves, &[]), Ok(true));
    assert_eq!(bandwidth::holds(&halves, &[task(1000, 1)]), Ok(false));
    assert_eq!(bandwidth::holds(&[halves[0], halves[1], halves[1]], &[]), Ok(false));
    assert!(bandwidth::holds(&[Server::new(ticks(2), ticks(1))], &[]).is_err());
}
