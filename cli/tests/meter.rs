//! The meter: tasks that an interrupt and a port release do the same on every machine and with any times, and
//! never more often than was proved.

use std::fs;

use beryl_trace::{Happening, Names, decode};
use common::{TWIN, beryl, change, example, folder, left, left_text, lock, root};

mod common;

const TIME: [&str; 2] = ["--for", "2s"];
const LAST_LINE: &str = "meter: 150 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
/// Ticks of a millisecond.
const MILLISECOND: u64 = 25_000;

/// When a machine's last run released a task, in ticks.
fn releases(system: &str, machine: &str, task: &str) -> Vec<u64> {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let thread = names.threads.iter().position(|thread| thread.name == task).expect("a task");
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let release = |event: &beryl_trace::Event| match event.happening {
        Happening::Release { task: own, instant, .. } if own.index() == thread => Some(instant.ticks()),
        _ => None,
    };
    events.iter().filter_map(release).collect()
}

#[test]
fn every_change_is_seen_at_its_instant() {
    let _lock = lock("meter");
    let said = beryl(&[&["run", &example("meter")], &TIME[..]].concat()).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let warned = releases("meter", TWIN, "warn");
    assert_eq!(warned, releases("meter", "mps2-an385", "warn"));
    // A job of 40 ms ends at each, and is the first of another class: less than 3 pulses, less than 5, more.
    let at: Vec<u64> = warned.iter().map(|ticks| ticks / MILLISECOND).collect();
    assert!(at.iter().all(|at| at % 40 == 0), "{at:?}");
    assert_eq!(at.first(), Some(&720), "the tap is wide open from 600 ms on");
    let [simulated, flown] = [TWIN, "mps2-an385"].map(|machine| releases("meter", machine, "count"));
    assert_eq!((simulated.len(), flown.len()), (114, 114));
    // Both wheels begin to turn when they are told so: on the board some steps of the kernel later.
    for (simulated, flown) in simulated.iter().zip(&flown) {
        assert!((*simulated..simulated + MILLISECOND / 2).contains(flown), "{simulated} {flown}");
    }
}

#[test]
fn values_do_not_depend_on_execution_times() {
    let _lock = lock("meter");
    let recording = |options: &[&str]| {
        beryl(&[&["sim", &example("meter")], &TIME[..], options].concat()).ended(0);
        left_text("meter", "sim.recording")
    };
    let worst = recording(&[]);
    for times in [&["--times", "best"][..], &["--times", "random", "--seed", "7"]] {
        assert_eq!(recording(times), worst, "{times:?}");
    }
}

/// A copy of the example by another name, in which some texts are others: file, from, to.
fn copy(name: &str, changes: &[(&str, &str, &str)]) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "meter.tdl"] {
        fs::copy(root().join("examples/meter").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"meter\"", &format!("name = {name:?}"));
    for part in ["app", "pipe"] {
        change(&description, &format!("= {part:?}"), &format!("= \"../../../../examples/meter/{part}\""));
    }
    changes.iter().for_each(|(file, from, to)| change(&system.join(file), from, to));
    system.display().to_string()
}

#[test]
fn pulses_that_storm_release_their_task_once_in_a_separation() {
    let _lock = lock("meter_patient");
    // It is looked at less often than pulses come.
    let system = copy("meter_patient", &[("beryl.toml", "separation = \"6ms\"", "separation = \"15ms\"")]);
    beryl(&[&["sim", &system], &TIME[..]].concat()).ended(0);
    let released = releases("meter_patient", "sim", "count");
    let distances: Vec<_> = released.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(distances.iter().all(|distance| *distance >= 15 * MILLISECOND), "{distances:?}");
    // A pulse that came meanwhile is waiting: so they follow each other at exactly that distance.
    let closest = distances.iter().filter(|distance| **distance == 15 * MILLISECOND).count();
    assert!(closest > 50, "{distances:?}");
}

/// While the tap is open, the module changes its mode at each end of a period; pulses and alarms come in both.
#[test]
fn what_events_release_goes_on_in_whichever_mode_the_module_is() {
    let _lock = lock("meter_modes");
    let flow = "    actuator [freq = 2] lamp := warn.shown;\n  }";
    let modes = "    actuator [freq = 2] lamp := warn.shown;\n    mode [freq = 1] if is_shown(valve) then calm;\n  }\n  \
                 mode calm [period = 120ms] {\n    task [freq = 2] control(count.total, valve);\n    \
                 actuator [freq = 2] pump := control.interval;\n    actuator [freq = 1] lamp := warn.shown;\n    \
                 mode [freq = 1] if is_shown(valve) then flow;\n  }";
    // Modes are counted as if both ran at a time, which leaves less time to a job.
    let shorter = ("beryl.toml", "worst = \"2ms\"", "worst = \"1ms\"");
    let system = copy("meter_modes", &[("meter.tdl", flow, modes), shorter]);
    let proved = beryl(&["check", &system]).ended(0);
    assert!(proved.contains("time-safe: every job completes within its logical execution time"), "{proved}");
    let said = beryl(&[&["run", &system], &TIME[..]].concat()).ended(0);
    let last = said.lines().last().unwrap_or_default();
    assert!(last.ends_with("identical on sim and mps2-an385; 0 deadline misses"), "{said}");
    let both = |task: &str| [TWIN, "mps2-an385"].map(|machine| releases("meter_modes", machine, task));
    let [controlled, on_board] = both("control");
    assert_eq!(controlled, on_board);
    let periods: Vec<_> = controlled.windows(2).map(|pair| (pair[1] - pair[0]) / MILLISECOND).collect();
    assert!(periods.windows(4).any(|some| some == [40, 60, 60, 40]), "it changes to and fro: {periods:?}");
    let [warned, on_board] = both("warn");
    assert_eq!(warned, on_board);
    // Alarms become visible where a job of either mode ends.
    assert!(warned.len() > 3 && warned.iter().all(|at| controlled.contains(at)), "{warned:?} {controlled:?}");
    let [counted, on_board] = both("count");
    assert_eq!(counted.len(), on_board.len());
    let least = counted.windows(2).map(|pair| pair[1] - pair[0]).min();
    assert!(counted.len() > 60 && least >= Some(6 * MILLISECOND), "{least:?} of {}", counted.len());
}

/// A pulse releases `count`, what it has counted `warn`, and what that shows `tell`: each at the instant at which the one before is
/// done, on each machine, and no closer than the proof says.
#[test]
fn tasks_that_wait_for_each_others_outputs_go_on_at_completions() {
    let chain = [
        (
            "meter.tdl",
            "trigger = control.alarm, priority = 1] if is_shown(valve) then warn(control.alarm)",
            TELLS,
        ),
        (
            "meter.tdl",
            "  start mode",
            "  task tell { input int shown; state int n := 0; output int told := 0; uses warn_impl(shown, n, told); }\n\n  start mode",
        ),
        ("beryl.toml", "[driver.is_shown]\nprocess = \"office\"\nworst = \"50us\"\n", ""),
        ("beryl.toml", "worst = \"0.2ms\"", "worst = \"0.2ms\"\ndeadline = \"2.5ms\""),
        ("beryl.toml", "worst = \"2ms\"", "worst = \"0.5ms\""),
        // What events come to at a logical instant isn't what is looked at here.
        ("meter.tdl", "lamp := warn.shown", "lamp := control.interval"),
        ("beryl.toml", "separation = \"6ms\"", "separation = \"9ms\""),
        ("beryl.toml", "speed = 5", "speed = 3"),
        ("beryl.toml", "speed = 4", "speed = 2"),
        (
            "beryl.toml",
            "[task.warn]\nprocess = \"office\"\nband = \"pulses\"\npriority = 1\nworst = \"1ms\"",
            "[task.tell]\nprocess = \"office\"\nband = \"pulses\"\npriority = 0\nworst = \"0.1ms\"\nstack = \"512\"\n\n\
             [task.warn]\nprocess = \"office\"\nband = \"pulses\"\npriority = 1\nworst = \"0.1ms\"\ndeadline = \"3ms\"",
        ),
    ];
    let _lock = lock("meter_chain");
    let system = copy("meter_chain", &chain);
    let listed = beryl(&["check", &system]).ended(0);
    for line in [
        "when     change(count.total), @2",
        "when     change(warn.shown), @2",
        "time-safe: every job completes",
    ] {
        assert!(listed.contains(line), "no {line}: {listed}");
    }
    for board in ["mps2-an385", "virt"] {
        let said = beryl(&[&["run", &system, "--board", board], &TIME[..]].concat()).ended(0);
        let last = said.lines().last().unwrap_or_default();
        assert!(last.ends_with(&format!("identical on sim and {board}; 0 deadline misses")), "{said}");
        for machine in [&format!("{board}.sim"), board] {
            let [counted, warned, told] =
                ["count", "warn", "tell"].map(|task| jobs("meter_chain", machine, task));
            assert!(counted.len() > 80, "{machine}: {counted:?}");
            // The completion is told some instructions behind its instant.
            for (before, behind) in [(&counted, &warned), (&warned, &told)] {
                assert_eq!(before.len(), behind.len(), "{machine}");
                let mut pairs = before.iter().zip(behind);
                assert!(
                    pairs.all(|([_, end], [begin, _])| (0..2_000).contains(&(end - begin))),
                    "{machine}: {before:?} {behind:?}"
                );
            }
            let distances = warned.windows(2).map(|pair| pair[1][0] - pair[0][0]);
            assert!(distances.min() >= Some(6_500_000), "{machine}: {warned:?}");
        }
    }
}

const TELLS: &str = "trigger = count.total, priority = 1] warn(count.total);\n    task [trigger = warn.shown, priority = 0] tell(warn.shown)";

/// When jobs of a task were released and done in a machine's last run, in nanoseconds.
fn jobs(system: &str, machine: &str, task: &str) -> Vec<[u64; 2]> {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let thread = names.thread_called(task).expect("a task");
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let (mut jobs, mut released) = (Vec::new(), None);
    for event in &events {
        match event.happening {
            Happening::Release { task, instant, .. } if task == thread => released = Some(instant),
            Happening::Complete { task } if task == thread => {
                let released = released.take().expect("it was released");
                jobs.push([released, event.time].map(|instant| names.tick.logical(instant).nanoseconds()));
            }
            _ => {}
        }
    }
    jobs
}

#[test]
fn the_proof_counts_what_can_come() {
    let said = beryl(&["check", &example("meter")]).ended(0);
    assert!(said.contains("time-safe: every job completes within its logical execution time"), "{said}");
    let row = said.lines().find(|line| line.trim_start().starts_with("count")).expect("its row");
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!(words[2..4], ["6.000", "ms"], "{row}");
    assert!(!said.contains("isn't declared"), "nothing is left out of the proof: {said}");
}
