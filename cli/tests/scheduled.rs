//! The helicopter with its tasks scheduled by a program instead of by deadlines: it flies the same to the bit.

use std::fs;
use std::path::PathBuf;

use common::{TWIN, beryl, change, example, folder, left, left_text, lock, root};

mod common;

const LAST_LINE: &str = "scheduled: 500 actuator writes, identical on sim and mps2-an385; 0 deadline misses";

fn system() -> String {
    root().join("cli/tests/scheduled").display().to_string()
}

#[test]
fn the_flight_is_the_same_whoever_schedules_it() {
    let _lock = lock("scheduled");
    let said = beryl(&["run", &system(), "--board", "mps2-an385"]).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let flights = [TWIN, "mps2-an385"].map(|machine| left_text("scheduled", &format!("{machine}.recording")));
    let _lock = lock("helicopter");
    beryl(&["sim", &example("helicopter")]).ended(0);
    let by_deadline = left_text("helicopter", "sim.recording");
    assert!(by_deadline.lines().count() > 500);
    assert!(flights.iter().all(|flight| *flight == by_deadline), "the schedule shows in what was written");
    // In the simulator, jobs take the same times under both; their order on the processor is the same, too.
    assert!(!left("scheduled", "mps2-an385.sim.trace").is_empty());
}

#[test]
fn the_schedule_is_code_that_can_be_read() {
    let said = beryl(&["check", &system()]).ended(0);
    let schedule: Vec<_> =
        said.lines().skip_while(|line| !line.contains("module schedule_of_flight")).take(10).collect();
    let expected = [
        "  module schedule_of_flight: 36 bytes",
        "     0  fork     @2",
        "     1  return",
        "     2  dispatch navigate, 10ms, @5",
        "     3  dispatch control, 10ms, @5",
        "     4  idle     10ms",
        "     5  dispatch navigate, 20ms, @7",
        "     6  idle     20ms",
        "     7  fork     @2",
        "     8  return",
    ];
    assert_eq!(schedule, expected, "{said}");
    // A job may be kept for a later block though the processor is free: no earlier end is promised, for no
    // longer times.
    let row = said.lines().find(|line| line.starts_with("  navigate")).expect("its row");
    let row: Vec<_> = row.split_whitespace().collect();
    assert_eq!(row[2..], ["10.000", "ms", "3.000", "ms", "10.000", "ms", "0.000", "ms", "flight"], "{said}");
    assert!(
        said.contains("bands by code: jobs end by their deadlines") && !said.contains("would still hold"),
        "{said}"
    );
}

/// A schedule takes the processor when it likes, which the analysis of a band below doesn't count on.
#[test]
fn nothing_is_proved_below_a_schedule() {
    let path = folder().join("below_a_schedule");
    let _lock = lock("below_a_schedule");
    fs::create_dir_all(&path).expect("a folder");
    let description = path.join("beryl.toml");
    fs::copy(root().join("cli/tests/scheduled/beryl.toml"), &description).expect("a copy");
    let bands = "name = \"upper\"\npolicy = \"code\"\n\n[[band]]\nname = \"lower\"\npolicy = \"dynamic\"";
    change(&description, "name = \"flight\"\npolicy = \"code\"", bands);
    change(&description, "[task.navigate]\n", "[task.navigate]\nband = \"upper\"\n");
    change(&description, "[task.control]\n", "[task.control]\nband = \"lower\"\n");
    let said = beryl(&["check", &path.display().to_string()]).ended(0);
    assert!(said.contains("`control` stands below band `upper`, which is scheduled by code"), "{said}");
    assert!(!said.contains("time-safe: every job completes"), "{said}");
}

#[test]
fn two_schedules_one_above_the_other_fly_the_same() {
    let path = folder().join("two_schedules");
    let _lock = lock("two_schedules");
    fs::create_dir_all(&path).expect("a folder");
    for file in ["beryl.toml", "gust.csv"] {
        fs::copy(root().join("cli/tests/scheduled").join(file), path.join(file)).expect("a copy");
    }
    let description = path.join("beryl.toml");
    change(&description, "name = \"scheduled\"", "name = \"two_schedules\"");
    let bands = "name = \"upper\"\npolicy = \"code\"\n\n[[band]]\nname = \"lower\"\npolicy = \"code\"";
    change(&description, "name = \"flight\"\npolicy = \"code\"", bands);
    change(&description, "[task.navigate]\n", "[task.navigate]\nband = \"upper\"\n");
    change(&description, "[task.control]\n", "[task.control]\nband = \"lower\"\n");
    beryl(&["sim", &path.display().to_string()]).ended(0);
    let flight = left_text("two_schedules", "sim.recording");
    let _lock = lock("helicopter");
    beryl(&["sim", &example("helicopter")]).ended(0);
    assert!(flight == left_text("helicopter", "sim.recording"), "the schedules show in what was written");
}

/// A description like that of the system, with keys behind the band's policy, in a folder as deep in the tree.
fn with_band(name: &str, keys: &str) -> PathBuf {
    let path = folder().join(name);
    fs::create_dir_all(&path).expect("a folder");
    for file in ["beryl.toml", "gust.csv"] {
        fs::copy(root().join("cli/tests/scheduled").join(file), path.join(file)).expect("a copy");
    }
    let description = path.join("beryl.toml");
    change(&description, "name = \"scheduled\"", &format!("name = \"{name}\""));
    change(&description, "policy = \"code\"", &format!("policy = \"code\"\n{keys}"));
    path
}

#[test]
fn whichever_scheme_writes_the_schedule_the_flight_is_the_same() {
    let flight = {
        let _lock = lock("helicopter");
        beryl(&["sim", &example("helicopter")]).ended(0);
        left_text("helicopter", "sim.recording")
    };
    let schemes = [
        ("to_the_end", "schedule = \"non-preemptive\"", "     4  idle     10ms"),
        ("by_rate", "schedule = \"rate-monotonic\"", "     6  dispatch control, 20ms, @8"),
        ("in_slices", "schedule = \"time-sliced\"\nslice = \"5ms\"", "     2  dispatch navigate, 5ms, @3"),
        ("each_its_own", "schedule = \"thread-per-task\"\nslice = \"5ms\"", "     1  fork     @11"),
    ];
    for (name, keys, line) in schemes {
        let _lock = lock(name);
        let path = with_band(name, keys).display().to_string();
        let listed = beryl(&["check", &path]).ended(0);
        assert!(listed.lines().any(|row| row == line), "{name}: no `{line}` in {listed}");
        let said = beryl(&["run", &path, "--board", "mps2-an385"]).ended(0);
        let last = format!("{name}: 500 actuator writes, identical on sim and mps2-an385; 0 deadline misses");
        assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
        assert!(
            left_text(name, "mps2-an385.sim.recording") == flight,
            "{name}: the schedule shows in what was written"
        );
    }
}

/// Control has a deadline within the first of four slices, and its job goes before navigation's. Whatever a job
/// and the kernel take, it is done by then.
#[test]
fn jobs_of_a_schedule_keep_deadlines_before_their_times_end() {
    let name = "deadline_in_slices";
    let _lock = lock(name);
    let slices = |deadline: &str, slice: &str| {
        let path = with_band(name, &format!("schedule = \"time-sliced\"\nslice = \"{slice}\""));
        let description = path.join("beryl.toml");
        change(&description, "worst = \"5ms\"", &format!("worst = \"2.5ms\"\ndeadline = \"{deadline}\""));
        path.display().to_string()
    };
    let path = slices("5.9ms", "5ms");
    let listed = beryl(&["check", &path]).ended(0);
    assert!(
        listed.contains(
            "     2  dispatch control, 5ms, @3\n     3  idle     5ms\n     4  dispatch navigate, 10ms"
        ),
        "{listed}"
    );
    let row = |said: &str, task: &str| {
        let row = said.lines().find(|line| line.trim_start().starts_with(task)).unwrap_or_default();
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let promised = row(&listed, "control ");
    assert_eq!(promised[2..8], ["5.900", "ms", "2.500", "ms", "5.900", "ms"], "{listed}");
    let said = beryl(&["sim", &path, "--costs", "worst", "--times", "worst", "--for", "500ms"]).ended(0);
    assert!(said.contains("0 deadline misses"), "{said}");
    let response: f64 = row(&said, "control ")[11].parse().expect("milliseconds");
    assert!((2.5..5.0).contains(&response), "{said}");
    let said = beryl(&["run", &path, "--board", "mps2-an385", "--for", "500ms"]).ended(0);
    assert!(said.contains("identical on sim and mps2-an385; 0 deadline misses"), "{said}");

    // Nothing is certain within a slice.
    let said = beryl(&["check", &slices("4.9ms", "5ms")]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    for part in ["task `control` must be done 4900us after", "is certain every 5ms only", "\"time-sliced\""] {
        assert!(said.err.contains(part), "no {part}: {}", said.err);
    }
    // In slices of half the length there is such an end, but the job is longer.
    let said = beryl(&["check", &slices("4.9ms", "2.5ms")]);
    assert!(said.err.contains("task `control` isn't done 2500us"), "{}", said.err);
}

#[test]
fn a_scheme_that_is_late_or_has_odd_slices_is_refused_in_words() {
    let wrong = [
        ("late_slices", "schedule = \"time-sliced\"\nslice = \"2.5ms\"", "task `control` isn't done 20ms"),
        (
            "odd_slices",
            "schedule = \"time-sliced\"\nslice = \"4ms\"",
            "slices of 4ms don't fill a period of 10ms",
        ),
    ];
    for (name, keys, reason) in wrong {
        let _lock = lock(name);
        let said = beryl(&["check", &with_band(name, keys).display().to_string()]);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
        assert!(said.err.contains(reason), "{name}: {}", said.err);
    }
}

#[test]
fn a_band_without_a_schedule_is_refused_in_words() {
    let path = folder().join("unscheduled");
    let _lock = lock("unscheduled");
    fs::create_dir_all(&path).expect("a folder");
    let description = path.join("beryl.toml");
    fs::copy(root().join("cli/tests/scheduled/beryl.toml"), &description).expect("a copy");
    // It lies as deep in the tree as the original, so its relative paths lead to the same files.
    change(&description, "worst = \"5ms\"", "worst = \"15ms\"");
    let said = beryl(&["check", &path.display().to_string()]);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    let parts = ["band `flight` can't be scheduled by code", "task `control` isn't done 20ms", "\"dynamic\""];
    parts.iter().for_each(|part| assert!(said.err.contains(part), "no {part}: {}", said.err));
}
