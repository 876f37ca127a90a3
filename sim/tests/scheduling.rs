//! Whole traces of the controller: who runs when, and what that doesn't change.

mod controller;

use beryl_abi::{Duration, Instant};
use beryl_sim::{Access, Direction, ExecutionTimes, Memory, Options, Simulation, SimulationError, run};
use controller::records::{driver_values, lines, without_switches};
use controller::{ACTUATOR, SYSTEM, application, recorded, simulate, simulation, threads, threads_taking};

#[test]
fn the_earliest_deadline_runs_and_preempts() {
    let expected = [
        "0 switch 3 to 2",
        "2 driver 0 at 0: [0]", // two ticks of the getter
        "2 driver 1 at 0: [0]",
        "2 release 0 at 0 until 100",
        "2 driver 3 at 0: [0]",
        "2 release 1 at 0 until 200",
        "2 switch 2 to 0",
        "32 complete 0",
        "32 switch 0 to 1",
        "100 driver 2 at 100: [1]", // fast's output becomes visible
        "100 switch 1 to 2",
        "102 driver 0 at 100: [10]",
        "102 driver 1 at 100: [10]",
        "102 release 0 at 100 until 200",
        "102 switch 2 to 0", // preempts slow: same deadline, first place
        "132 complete 0",
        "132 switch 0 to 1",
        "154 complete 1", // 68 ticks before, 22 after
        "154 switch 1 to 3",
        "200 driver 2 at 200: [11]",
        "200 driver 4 at 200: [0]",
        "200 driver 5 at 200: [0]",
        "200 switch 3 to 2",
        "205 driver 0 at 200: [20]",
    ];
    assert_eq!(recorded(&threads(), 206)[..expected.len()], expected);
}

#[test]
fn at_one_instant_completion_comes_before_the_trigger() {
    let expected = [
        "60 complete 0",
        "100 driver 2 at 100: [1]",
        "100 driver 0 at 100: [10]",
        "100 driver 1 at 100: [10]",
        "100 release 0 at 100 until 200",
        "160 complete 0",
        "200 complete 1", // exactly at the end of its logical execution time
        "200 driver 2 at 200: [11]",
        "200 driver 4 at 200: [0]",
    ];
    let records = without_switches(&recorded(&threads_taking(60, 80), 201));
    assert_eq!(records[5..5 + expected.len()], expected);
    assert!(!records.iter().any(|record| record.contains("violation")));
}

#[test]
fn a_job_that_has_spent_its_time_completes_before_the_trigger() {
    let mut threads = threads_taking(60, 80);
    threads[1].entry = Some(application::spending);
    let records = recorded(&threads, 201);
    assert!(records.contains(&"200 complete 1".to_owned()));
    assert!(!records.iter().any(|record| record.contains("violation")));
}

#[test]
fn a_job_that_has_not_begun_lets_the_trigger_pass() {
    // Fast has the processor all the time, so slow, which takes none, never gets it.
    let records = without_switches(&recorded(&threads_taking(100, 0), 201));
    let ends: Vec<_> = records.iter().filter(|record| record.contains("complete")).collect();
    assert_eq!(ends, ["100 complete 0", "200 complete 0"]);
    assert!(records.contains(&"200 violation 1 at 200".to_owned()));
}

#[test]
fn one_tick_more_is_a_violation_at_the_end_of_the_logical_execution_time() {
    let expected = [
        "160 complete 0",
        "200 driver 2 at 200: [11]",
        "200 violation 1 at 200", // driver 4 isn't carried out
        "200 driver 5 at 200: [0]",
        "200 driver 0 at 200: [20]",
        "200 driver 1 at 200: [20]",
        "200 release 0 at 200 until 300",
        "200 driver 3 at 200: [11]",
        "200 release 1 at 200 until 400",
        "260 complete 0",
    ];
    let records = without_switches(&recorded(&threads_taking(60, 81), 300));
    assert_eq!(records[10..10 + expected.len()], expected);
}

#[test]
fn a_task_begins_anew_after_a_violation() {
    let mut threads = threads_taking(10, 10);
    threads[1].entry = Some(application::slow_at_first);
    let records = recorded(&threads, 801);
    let outputs =
        driver_values(&records).into_iter().filter(|line| line.starts_with("4 ")).collect::<Vec<_>>();
    assert!(records.contains(&"200 violation 1 at 200".to_owned()));
    assert_eq!(outputs, ["4 at 400: [1]", "4 at 600: [2]", "4 at 800: [3]"]);
}

#[test]
fn values_and_logical_instants_do_not_depend_on_execution_times() {
    let worst = simulate(&threads(), ExecutionTimes::Worst, 4000).unwrap();
    for seed in 0..20 {
        let random = simulate(&threads(), ExecutionTimes::Random { seed }, 4000).unwrap();
        assert_ne!(random.trace, worst.trace, "seed {seed}");
        assert_eq!(random.accesses, worst.accesses, "seed {seed}");
        assert_eq!(driver_values(&lines(&random.trace)), driver_values(&lines(&worst.trace)), "seed {seed}");
    }
}

#[test]
fn actuators_get_what_the_logical_data_flow_says() {
    let outcome = simulate(&threads(), ExecutionTimes::Best, 1000).unwrap();
    let written = |access: &Access| {
        let value = u32::from_le_bytes(access.value.clone().try_into().unwrap());
        assert_eq!(access.channel, ACTUATOR);
        (access.instant.count(), value)
    };
    let writes: Vec<_> =
        outcome.accesses.iter().filter(|access| access.direction == Direction::Write).map(written).collect();
    // The sensor at 100 reads 10, fast makes it 11 by 200, slow 22 by 400.
    assert_eq!(writes, [(200, 0), (400, 22), (600, 62), (800, 102)]);
}

#[test]
fn a_run_is_a_function_of_its_inputs() {
    let random = |seed| simulate(&threads(), ExecutionTimes::Random { seed }, 20_000).unwrap();
    assert_eq!(random(5), random(5));
    assert_ne!(random(5).trace, random(6).trace);
}

#[test]
fn the_run_ends_before_its_last_instant() {
    let outcome = simulate(&threads(), ExecutionTimes::Worst, 200).unwrap();
    assert_eq!(lines(&outcome.trace).last().unwrap(), "154 switch 1 to 3");
    assert_eq!(outcome.environment, Ok("ended at 200 ns".to_owned()));
    let counts = outcome.counts;
    assert_eq!((counts.releases, counts.completions, counts.switches, counts.drivers), (3, 3, 7, 6));
    assert_eq!((counts.misses, counts.violations, counts.faults, counts.skips), (0, 0, 0, 0));
}

#[test]
fn spent_time_comes_out_of_the_drawn_time() {
    let mut threads = threads_taking(30, 90);
    threads[0].entry = Some(application::talkative);
    let outcome = simulate(&threads, ExecutionTimes::Worst, 150).unwrap();
    assert_eq!(outcome.console, "at 7 after 7\nat 107 after 7\n");
    let completions: Vec<_> =
        lines(&outcome.trace).into_iter().filter(|line| line.contains("complete 0")).collect();
    assert_eq!(completions, ["30 complete 0", "130 complete 0"]);
}

#[test]
fn code_without_execution_time_is_reported_when_time_stands_still() {
    let mut threads = threads_taking(10, 10);
    threads[1].entry = Some(application::restless);
    let error = simulate(&threads, ExecutionTimes::Worst, 1000).unwrap_err();
    assert!(
        matches!(error, SimulationError::Stuck { thread: "slow", instant } if instant.ticks() == 10),
        "{error}"
    );
}

#[test]
fn wrong_descriptions_are_refused() {
    let options = Options::until(Instant::from_ticks(1000));
    let mut threads = threads();
    let memory = Memory { base: 0x2000_0000, size: 4, image: &[(0x2000_0000, &[1; 5])] };
    let error = run(Simulation { memory, ..simulation(&SYSTEM, &threads) }, &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the system's memory: the initial 5 bytes at 0x20000000 lie outside of memory"
    );

    threads[0].best = Duration::from_ticks(31);
    let error = run(simulation(&SYSTEM, &threads), &options).unwrap_err();
    assert!(matches!(error, SimulationError::Times { thread: "fast" }), "{error}");

    threads[0].best = Duration::ZERO;
    threads[2].drivers = &[];
    let error = run(simulation(&SYSTEM, &threads), &options).unwrap_err();
    assert!(matches!(error, SimulationError::UnknownDriver { thread: "drivers", function: 0 }), "{error}");

    threads[2].entry = None;
    let error = run(simulation(&SYSTEM, &threads), &options).unwrap_err();
    assert!(matches!(error, SimulationError::NoCode { thread: 2 }), "{error}");
}
