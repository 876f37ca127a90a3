//! Systems small enough to work out on paper.

use super::*;

/// Burns and Wellings' textbook set.
#[test]
fn response_times_of_a_fixed_band() {
    let proof = prove(&fixed(vec![task("a", 7, 3), task("b", 12, 3), task("c", 20, 5)])).unwrap();
    assert_eq!(responses(&proof), [3, 6, 20]);
    let margins: Vec<_> = proof.bands[0].tasks.iter().map(|task| task.margin.get()).collect();
    assert_eq!(margins, [4, 6, 0]);
    assert_eq!(proof.bands[0].method, Method::ResponseTime);
    assert_eq!(proof.hyperperiod, Some(ticks(420)));
}

/// Buttazzo's textbook set for the processor-demand criterion; the work due in 16 ticks is exactly 16.
#[test]
fn processor_demand_with_deadlines_before_periods() {
    let with_deadline =
        |name, worst, deadline, period| Task { deadline: ticks(deadline), ..task(name, period, worst) };
    let mut tasks =
        vec![with_deadline("a", 2, 4, 6), with_deadline("b", 2, 5, 8), with_deadline("c", 3, 7, 9)];
    let proof = prove(&dynamic(tasks.clone())).unwrap();
    assert_eq!(proof.bands[0].method, Method::ProcessorDemand);
    assert_eq!(proof.total.to_string(), "91.67 %");

    tasks[0].worst = ticks(3);
    let miss = missed(&dynamic(tasks));
    assert_eq!((miss.task.as_str(), miss.job.deadline, miss.unfinished), ("c", ticks(7), ticks(1)));
}

#[test]
fn the_counter_example_ends_at_the_earliest_missed_deadline() {
    let system = dynamic(vec![task("a", 4, 2), task("b", 6, 4)]);
    let miss = missed(&system);
    assert_eq!(drawn(&system, &miss.schedule), "a 0-2, b 2-6, a 6-8, b 8-12");
    let reason = "task a of band dynamic, released at 8, misses its deadline at 12 with 2 ticks of work left";
    let proposal = "shorten execution times in the counter-example by as much, or lengthen periods";
    assert_eq!(miss.to_string(), format!("{reason}; {proposal}"));
    assert_eq!(system.utilisation().unwrap().to_string(), "116.67 %");
    let releases: Vec<_> =
        miss.schedule.releases.iter().map(|job| (job.task.task, job.release.get())).collect();
    assert_eq!(releases, [(0, 0), (1, 0), (0, 4), (1, 6), (0, 8)]);
}

#[test]
fn the_counter_example_leaves_out_what_is_less_urgent() {
    let urgent = Task { offset: ticks(10), deadline: ticks(3), ..task("urgent", 10, 4) };
    let system = fixed(vec![urgent, task("slow", 20, 11)]);
    let miss = missed(&system);
    assert_eq!(drawn(&system, &miss.schedule), "urgent 10-13");
    assert_eq!((miss.schedule.start, miss.schedule.end, miss.unfinished), (ticks(10), ticks(13), ticks(1)));
}

/// Two tasks that never meet: together they are too much for the analysis, which lets them start together.
#[test]
fn offsets_can_prove_what_analysis_cannot() {
    let early = Task { deadline: ticks(5), ..task("early", 10, 4) };
    let late = Task { offset: ticks(5), ..early.clone() };
    let proof = prove(&dynamic(vec![early.clone(), late.clone()])).unwrap();
    assert_eq!(proof.bands[0].method, Method::Schedule);
    assert_eq!(responses(&proof), [4, 4]);
    missed(&dynamic(vec![early, Task { offset: ticks(0), ..late }]));
}

#[test]
fn kernel_costs_enter_demand_as_documented() {
    let mut system = dynamic(vec![task("work", 20, 3)]);
    system.interference = vec![Interference {
        name: "read".into(),
        period: ticks(20),
        worst: ticks(1),
        ..Interference::default()
    }];
    let [alarm, instant, driver, release, switch, completion] = [1, 2, 3, 1, 1, 2].map(ticks);
    let under_way = ticks(3);
    system.costs =
        KernelCosts { release, completion, switch, instant, driver, alarm, under_way, timers: Ticks::ZERO };
    let schedule = timeline(&system, ticks(20)).unwrap();
    assert_eq!(drawn(&system, &schedule), "kernel 0-3, read 3-7, kernel 7-8, work 8-15");
    let proof = prove(&system).unwrap();
    assert_eq!(responses(&proof), [15 + 3]);
    assert_eq!(
        (proof.drivers.to_string(), proof.bands[0].utilisation.to_string()),
        ("35.00 %".into(), "40.00 %".into())
    );
}

/// The timers of less urgent threads add to the kernel's work for them.
#[test]
fn timers_of_others_count_once() {
    let mut system = dynamic(vec![task("one", 20, 5)]);
    (system.costs.under_way, system.costs.timers) = (ticks(3), ticks(2));
    assert_eq!(responses(&prove(&system).unwrap()), [5 + 3 + 2]);
}

/// The kernel releases a job even where a more urgent one runs.
#[test]
fn a_release_delays_more_urgent_bands() {
    let mut system = dynamic(vec![task("urgent", 8, 4)]);
    system.bands.push(band(Policy::Fixed, vec![Task { offset: ticks(2), ..task("slow", 8, 1) }]));
    system.costs.release = ticks(1);
    let schedule = timeline(&system, ticks(8)).unwrap();
    assert_eq!(drawn(&system, &schedule), "kernel 0-1, urgent 1-2, kernel 2-3, urgent 3-6, slow 6-7");
    assert_eq!(responses(&prove(&system).unwrap()), [6, 7]);
}

#[test]
fn instants_within_others_are_counted_once() {
    let mut system = dynamic(vec![task("a", 4, 1), task("b", 8, 1)]);
    system.costs.instant = ticks(1);
    assert_eq!(prove(&system).unwrap().drivers, Utilisation::new(ticks(1), ticks(4)));
    system.bands[0].tasks[1].offset = ticks(2);
    assert_eq!(prove(&system).unwrap().drivers, Utilisation::new(ticks(3), ticks(8)));
}

#[test]
fn nonsense_is_refused_with_its_name() {
    let wrong = |change: fn(&mut Task)| {
        let mut task = task("t", 10, 2);
        change(&mut task);
        match prove(&dynamic(vec![task])) {
            Err(Failure::Invalid { name, fault }) if name == "t" => fault,
            other => panic!("expected a refusal, got {other:?}"),
        }
    };
    assert_eq!(wrong(|task| task.period = ticks(0)), Fault::NoPeriod);
    assert_eq!(wrong(|task| task.deadline = ticks(11)), Fault::DeadlineOutOfRange);
    assert_eq!(wrong(|task| task.deadline = ticks(0)), Fault::DeadlineOutOfRange);
    assert_eq!(wrong(|task| task.worst = ticks(0)), Fault::NoWorst);
    assert_eq!(wrong(|task| task.best = ticks(3)), Fault::BestAboveWorst);
}

#[test]
fn large_times_are_an_error_and_no_panic() {
    let prime_periods = [u64::MAX - 58, u64::MAX - 82, u64::MAX - 94];
    let tasks = prime_periods.map(|period| task("t", period, u64::MAX / 4)).to_vec();
    assert_eq!(prove(&dynamic(tasks)), Err(Failure::TimesTooLarge));
    let mut costly = dynamic(vec![task("t", 10, 1)]);
    costly.costs.switch = ticks(u64::MAX);
    assert_eq!(prove(&costly), Err(Failure::TimesTooLarge));
}

/// The periods have no common multiple within reach, so only analysis can prove it.
#[test]
fn a_long_hyperperiod_is_left_to_analysis() {
    let proof = prove(&dynamic(vec![task("a", 1_000_003, 400_000), task("b", 1_000_033, 400_000)])).unwrap();
    assert_eq!(proof.bands[0].tasks[0].observed, None);
    assert_eq!(proof.busy_period, ticks(800_000));
}

/// Utilisation above one, and a hyperperiod that doesn't fit: the counter-example is still found.
#[test]
fn overload_has_a_counter_example() {
    let miss = missed(&dynamic(vec![
        task("a", 4_294_967_291, 4_000_000_000),
        task("b", 4_294_967_279, 4_000_000_000),
    ]));
    assert_eq!((miss.task.as_str(), miss.job.deadline.get()), ("a", 4_294_967_291));
}

/// There are no tasks to be late, but the drivers never end.
#[test]
fn drivers_alone_can_be_too_much() {
    let driver = |worst| Interference { period: ticks(10), worst: ticks(worst), ..Interference::default() };
    let mut system = System { interference: vec![driver(5), driver(5)], ..System::default() };
    assert_eq!(prove(&system).unwrap().drivers, Utilisation::ONE);
    system.interference[0].worst = ticks(6);
    assert_eq!(
        prove(&system),
        Err(Failure::Overload { utilisation: Utilisation::new(ticks(11), ticks(10)) })
    );
}

#[test]
fn the_timeline_ends_at_its_end_or_at_the_first_miss() {
    let fits = dynamic(vec![task("a", 10, 2)]);
    let schedule = timeline(&fits, ticks(21)).unwrap();
    assert_eq!((drawn(&fits, &schedule).as_str(), schedule.end), ("a 0-2, a 10-12, a 20-21", ticks(21)));
    let late = dynamic(vec![task("a", 10, 12)]);
    let schedule = timeline(&late, ticks(21)).unwrap();
    assert_eq!((drawn(&late, &schedule).as_str(), schedule.end), ("a 0-10", ticks(10)));
}

#[test]
fn an_empty_system_is_proved() {
    let proof = prove(&System::default()).unwrap();
    assert_eq!((proof.bands.len(), proof.total, proof.busy_period), (0, Utilisation::ZERO, Ticks::ZERO));
}

#[test]
fn thirds_add_up_to_one() {
    let third = Utilisation::new(ticks(1), ticks(3));
    let whole = third.plus(third).unwrap().plus(third).unwrap();
    assert_eq!(whole, Utilisation::ONE);
    assert!(!whole.exceeds_one() && third < whole);
    assert_eq!(third.to_string(), "33.34 %");
}

/// Sixteen coprime periods, whose product has 160 bits: the sum is rounded up, but barely.
#[test]
fn utilisation_of_many_coprime_periods_is_barely_rounded() {
    let periods =
        [1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061, 1063, 1069, 1087, 1091, 1093, 1097]
            .map(ticks);
    let sum = |busy: fn(Ticks) -> Ticks| {
        periods
            .iter()
            .try_fold(Utilisation::ZERO, |sum, &period| sum.plus(Utilisation::new(busy(period), period)))
    };
    let nearly = Utilisation::new(ticks(15_225_985_296_217_900), ticks(1_000_000_000_000_000_000));
    let ones = sum(|_| ticks(1)).unwrap();
    assert!(
        ones > nearly
            && ones < nearly.plus(Utilisation::new(ticks(1), ticks(1_000_000_000_000_000))).unwrap(),
        "{ones:?}"
    );
    assert_eq!(sum(|period| period), Ok(Utilisation::new(ticks(16), ticks(1))));
}
