//! Faults on purpose: each does what it says, whoever isn't harmed keeps its times, and a campaign is the same again.

use beryl_trace::{Event, Happening, Names, decode};
use common::{beryl, example, folder, left, left_text, lock};

mod common;

fn events(system: &str) -> Vec<Event> {
    decode(&left(system, "sim.trace")).expect("a whole trace")
}

/// A simulation with a fault; answers its exit code.
fn with(system: &str, length: &str, fault: &str) -> Option<i32> {
    let ran = beryl(&["sim", &example(system), "--for", length, "--fault", fault]);
    assert!(!ran.err.contains("panicked") && !ran.err.contains("error"), "{fault}: {ran:?}");
    ran.code
}

/// When the jobs of a task end, in ticks.
fn ends(system: &str, task: &str) -> Vec<u64> {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let task = names.thread_called(task).expect("a task");
    let is = |event: &&Event| matches!(event.happening, Happening::Complete { task: who } if who == task);
    events(system).iter().filter(is).map(|event| event.time.ticks()).collect()
}

#[test]
fn a_process_that_is_stopped_takes_no_time_from_others() {
    let _lock = lock("helicopter");
    beryl(&["sim", &example("helicopter"), "--for", "200ms"]).ended(0);
    let navigation = ends("helicopter", "navigate");
    assert_eq!(with("helicopter", "200ms", "stop:control@45ms"), Some(1));
    let faults: Vec<u64> = events("helicopter")
        .iter()
        .filter(|event| matches!(event.happening, Happening::Fault { .. }))
        .map(|event| event.time.ticks() * 40)
        .collect();
    assert_eq!(faults, [48_150_000], "where its job would have ended");
    assert_eq!(ends("helicopter", "control").len(), 2, "no more jobs");
    let now = ends("helicopter", "navigate");
    assert_eq!(now.len(), navigation.len());
    // The drivers of the process that is gone take no time any more: nobody is later for it.
    assert!(now.iter().zip(&navigation).all(|(now, before)| now <= before), "{now:?} {navigation:?}");
}

#[test]
fn a_bit_that_flips_changes_values_and_no_times() {
    let _lock = lock("helicopter");
    beryl(&["sim", &example("helicopter"), "--for", "200ms"]).ended(0);
    let before = left_text("helicopter", "sim.recording");
    let times = |all: Vec<Event>| all.into_iter().map(|event| event.time).collect::<Vec<_>>();
    let when = times(events("helicopter"));
    assert_eq!(with("helicopter", "200ms", "flip:control.350@45ms"), Some(0));
    let after = left_text("helicopter", "sim.recording");
    assert_ne!(before, after);
    assert_eq!(times(events("helicopter")), when);
    let run = folder().join("out/helicopter/sim.run").display().to_string();
    assert!(beryl(&["sim", "--replay", &run]).ended(0).contains("the same trace to the byte"));
}

#[test]
fn every_fault_of_an_interrupt_makes_a_difference() {
    let _lock = lock("engine");
    beryl(&["sim", &example("engine"), "--for", "100ms"]);
    let mut traces = vec![left("engine", "sim.trace")];
    for fault in
        ["drop:crank@50ms", "delay:crank@50ms+100us", "again:crank@50ms+100us", "storm:crank@50ms+20us*10"]
    {
        with("engine", "100ms", fault);
        let trace = left("engine", "sim.trace");
        assert!(traces.iter().all(|other| *other != trace), "{fault}");
        traces.push(trace);
    }
}

#[test]
fn processes_that_go_wrong_never_make_others_miss() {
    for (system, runs, kinds) in [("helicopter", 12, "stop,flip"), ("engine", 12, "stop,flip")] {
        let _lock = lock(system);
        let count = runs.to_string();
        let arguments = [
            "--json",
            "faults",
            &example(system),
            "--for",
            "100ms",
            "--runs",
            &count,
            "--kinds",
            kinds,
            "--seed",
            "3",
        ];
        let said = beryl(&arguments).ended(0);
        assert_eq!(said.lines().count(), runs, "{said}");
        assert_eq!(said, beryl(&arguments).ended(0), "seed 3 is the same again");
        let troubled = said.lines().filter(|line| !line.contains("\"troubled\":[]")).count();
        assert!(troubled > 0, "some do harm: {said}");
        assert!(said.lines().all(|line| line.contains("\"others\":[]")), "{said}");
    }
}

#[test]
fn what_cannot_go_wrong_is_refused_in_words() {
    let system = example("helicopter");
    for (fault, reason) in [
        ("stop:nobody@1ms", "there is no thread `nobody`; there are navigate, control"),
        ("flip:nobody.1@1ms", "there is no process `nobody`; there are navigation, control"),
        ("flip:control.448@1ms", "process `control` has 56 bytes of ports, so no bit 448"),
        ("drop:crank@1ms", "there is no interrupt `crank` in the description; there are: none"),
    ] {
        let ran = beryl(&["sim", &system, "--fault", fault]);
        assert!(ran.code == Some(1) && ran.err.contains(reason), "{fault}: {ran:?}");
    }
    assert_eq!(beryl(&["sim", &system, "--fault", "rain:a@1ms"]).code, Some(2));
    let ran = beryl(&["faults", &system, "--kinds", "storm"]);
    assert!(
        ran.code == Some(1) && ran.err.contains("has no place for `storm`: its description has no"),
        "{ran:?}"
    );
}
