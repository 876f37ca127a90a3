//! A shell with a budget above a task: whatever it is told to do, the task isn't late; in the simulator and on the
//! board.

use std::path::Path;

use common::{beryl, change, copy, example, folder, lock};

mod common;

/// What the last line says of a run in which all jobs of the task are in time.
const NOT_LATE: &str = "0 deadline misses";

#[test]
fn who_is_less_urgent_is_not_late_for_a_thread_that_does_not_stop() {
    let _lock = lock("shell");
    let said = beryl(&["run", &example("shell"), "--for", "100ms"]).ended(0);
    assert!(
        said.contains("10 actuator writes, identical on sim and mps2-an385; 0 deadline misses"),
        "{said}"
    );
    for costs in ["none", "worst"] {
        let said = beryl(&["sim", &example("shell"), "--for", "200ms", "--costs", costs]).ended(0);
        assert!(said.contains(NOT_LATE), "{said}");
    }
}

#[test]
fn check_counts_a_budget_and_says_that_it_is_enforced() {
    let said = beryl(&["check", &example("shell")]).ended(0);
    let row = said.lines().find(|line| line.starts_with("  shell ")).expect("its row");
    // In every 20 ms it has 2.
    assert!(row.contains("20.000 ms   2.000 ms"), "{row}");
    assert!(said.contains("  time-safe: every job completes"), "{said}");
    assert!(said.contains("  enforced: in no period does `shell` take more than its budget"), "{said}");
    assert!(said.contains("  believed: no job of `steady` takes longer than its worst"), "{said}");
}

/// The example under another name, with other lines in its description.
fn changed(name: &str, lines: &[(&str, &str)]) -> String {
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("shell")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"shell\"", &format!("name = \"{name}\""));
    let application = "application = \"../../../../examples/shell/app\"";
    change(&description, "application = \"app\"", application);
    lines.iter().for_each(|(from, to)| change(&description, from, to));
    system.display().to_string()
}

const BUDGET: &str = "budget = \"2ms\"\nevery = \"20ms\"\n";

#[test]
fn without_a_budget_the_task_is_late_and_check_says_that_it_may_be() {
    let _lock = lock("shell_without");
    let system = changed("shell_without", &[(BUDGET, "")]);
    let said = beryl(&["check", &system]);
    assert!(
        said.out.contains("thread `shell` may run before `steady`, for how long isn't declared"),
        "{said:?}"
    );
    assert!(!said.out.contains("  time-safe:"), "{said:?}");
    let said = beryl(&["sim", &system, "--for", "60ms"]).ended(1);
    assert!(said.contains("`steady` hadn't completed"), "{said}");
}

#[test]
fn a_budget_that_is_only_told_of_proves_nothing() {
    let _lock = lock("shell_told");
    let system = changed("shell_told", &[(BUDGET, &format!("{BUDGET}on_overrun = \"tell\"\n"))]);
    let said = beryl(&["check", &system]);
    assert!(said.out.contains("is only told: nothing ends what goes beyond its `budget`"), "{said:?}");
    let said = beryl(&["sim", &system, "--for", "60ms"]).ended(1);
    assert!(said.contains("`steady` hadn't completed"), "{said}");
}

#[test]
fn who_waits_for_its_budget_leaves_the_rest_to_nobody_and_who_faults_is_stopped() {
    let _lock = lock("shell_waits");
    for reaction in ["wait", "fault"] {
        let lines = format!("{BUDGET}on_overrun = \"{reaction}\"\n");
        let system = changed("shell_waits", &[(BUDGET, &lines)]);
        let said = beryl(&["sim", &system, "--for", "100ms"]);
        assert!(!said.out.contains("hadn't completed"), "{said:?}");
        assert_eq!(said.code, Some(i32::from(reaction == "fault")), "{said:?}");
    }
}

#[test]
fn a_sporadic_budget_is_a_periodic_job_where_a_deferrable_one_is_not() {
    let _lock = lock("shell_rules");
    // In 10 ms of the task, a deferrable budget of 2.8 ms may be used twice.
    let with = |policy: &str| {
        let lines = format!("budget = \"2.8ms\"\nevery = \"20ms\"\npolicy = \"{policy}\"\n");
        changed("shell_rules", &[(BUDGET, &lines)])
    };
    let said = beryl(&["check", &with("deferrable")]);
    assert!(said.code != Some(0) && !said.out.contains("  time-safe:"), "{said:?}");
    for policy in ["sporadic", "polling"] {
        let system = with(policy);
        let said = beryl(&["check", &system]).ended(0);
        assert!(said.contains("  time-safe: every job completes"), "{said}");
        assert!(said.contains("  enforced: in no period does `shell` take more than its budget"), "{said}");
        let said = beryl(&["run", &system, "--for", "100ms"]).ended(0);
        assert!(
            said.contains("10 actuator writes, identical on sim and mps2-an385; 0 deadline misses"),
            "{said}"
        );
        let said = beryl(&["sim", &system, "--for", "400ms", "--costs", "worst"]).ended(0);
        assert!(said.contains(NOT_LATE), "{said}");
    }
}

/// What two shells may use in every period, together or each.
const HALF: &str = "budget = \"1.5ms\"\nevery = \"20ms\"\n";

/// The example with two shells, with these lines in their process and in each of them.
fn two_shells(name: &str, in_process: &str, in_each: &str, lines: &[(&str, &str)]) -> String {
    let process = format!("[process.shell]\n{in_process}");
    let place = "process = \"shell\"\nband = \"all\"\npriority = 8\n";
    let other =
        format!("[thread.other]\n{place}entry = \"shell\"\nstack = \"512\"\n{in_each}\n[task.steady]");
    let shells = [(BUDGET, in_each), ("[process.shell]\n", &process), ("[task.steady]", &other)];
    changed(name, &[&shells, lines].concat())
}

#[test]
fn two_shells_with_one_budget_take_no_more_than_one() {
    let _lock = lock("shell_shared");
    for reaction in ["", "on_overrun = \"wait\"\n"] {
        let system = two_shells("shell_shared", &format!("{HALF}{reaction}"), "", &[]);
        let said = beryl(&["check", &system]).ended(0);
        assert!(said.contains("  time-safe: every job completes"), "{said}");
        assert!(
            said.contains("  enforced: in no period do all threads of `shell` together take more"),
            "{said}"
        );
        let said = beryl(&["run", &system, "--for", "100ms"]).ended(0);
        assert!(
            said.contains("10 actuator writes, identical on sim and mps2-an385; 0 deadline misses"),
            "{said}"
        );
        let said = beryl(&["sim", &system, "--for", "400ms", "--costs", "worst"]).ended(0);
        assert!(said.contains(NOT_LATE), "{said}");
    }
}

/// What threads used is measured from outside, by the trace: of who waits for a budget, nothing is used beyond it.
#[test]
fn what_two_shells_use_together_is_one_budget() {
    let _lock = lock("shell_measured");
    let system = two_shells("shell_measured", &format!("{HALF}on_overrun = \"wait\"\n"), "", &[]);
    let said = beryl(&["--json", "sim", &system, "--for", "400ms"]).ended(0);
    let statistics: serde_json::Value =
        serde_json::from_str(said.lines().next().expect("a line")).expect("an object");
    let threads = statistics["statistics"]["threads"].as_array().expect("the threads");
    let of_shell = threads.iter().filter(|thread| thread["process"] == "shell");
    let shares: Vec<f64> = of_shell.filter_map(|thread| thread["share"].as_f64()).collect();
    // Both run; and together for 1.5 ms in every 20, and a tick until each end is seen.
    assert_eq!(shares.len(), 2, "{threads:?}");
    assert!(shares.iter().all(|share| *share > 0.0), "{shares:?}");
    assert!((0.07..0.0755).contains(&shares.iter().sum::<f64>()), "{shares:?}");
}

#[test]
fn two_shells_with_a_budget_each_are_too_much() {
    let _lock = lock("shell_each");
    let system = two_shells("shell_each", "", HALF, &[]);
    let said = beryl(&["check", &system]);
    assert!(said.code != Some(0) && !said.out.contains("  time-safe:"), "{said:?}");
}

#[test]
fn what_the_proof_counts_for_a_shared_budget_is_enough_where_little_is_left() {
    let _lock = lock("shell_shared_tight");
    let with = |microseconds: u32| {
        let worst = format!("worst = \"{microseconds}us\"");
        two_shells("shell_shared_tight", HALF, "", &[("worst = \"3ms\"", &worst)])
    };
    let mut longest = (3000..4600).rev().step_by(20);
    let is_proved = |system: &String| beryl(&["check", system]).code == Some(0);
    let system = longest.find_map(|worst| Some(with(worst)).filter(is_proved)).expect("3 ms are proved");
    let said = beryl(&["sim", &system, "--for", "400ms", "--costs", "worst"]).ended(0);
    assert!(said.contains(NOT_LATE), "{said}");
}

/// The shell, which never stops, with a thread above it that has a job to be done in so many milliseconds.
fn shell_and_blink(name: &str, budget: &str, deadline: &str) -> String {
    let process = format!("[process.shell]\n{budget}");
    let blink = format!(
        "[thread.blink]\nprocess = \"shell\"\nband = \"all\"\npriority = 10\nentry = \"blink\"\nstack = \"512\"\n\
         period = \"80ms\"\noffset = \"5ms\"\nworst = \"0.3ms\"\ndeadline = \"{deadline}\"\n\n[task.steady]"
    );
    let faster = ("ram = \"24k\"", "ram = \"24k\"\nspeed = 3");
    changed(name, &[(BUDGET, ""), faster, ("[process.shell]\n", &process), ("[task.steady]", &blink)])
}

#[test]
fn a_job_that_shares_a_budget_with_a_shell_is_done_when_that_is_back() {
    let _lock = lock("shell_blink");
    let waits = format!("{HALF}on_overrun = \"wait\"\n");
    let response = |said: &str| -> f64 {
        let row = said.lines().find(|line| line.starts_with("  blink ")).expect("its row");
        row.split_whitespace().nth(6).and_then(|text| text.parse().ok()).expect("a response")
    };
    let said = beryl(&["check", &shell_and_blink("shell_blink", &waits, "40ms")]).ended(0);
    assert!(said.contains("  time-safe: every job completes"), "{said}");
    assert!(said.contains("  believed: no job of `steady`, `blink` takes longer than its worst"), "{said}");
    // The budget is used up when it comes, at 5 ms in a period of 20; the proof knows of no offsets.
    let bound = response(&said);
    assert!((20.0..24.0).contains(&bound), "{said}");
    // As tight as it may be: nobody is late in the simulator, or on the board.
    let tight = shell_and_blink("shell_blink", &waits, &format!("{}us", (bound * 1000.0).ceil() + 1.0));
    for costs in ["none", "worst", "random"] {
        let said = beryl(&["sim", &tight, "--for", "800ms", "--costs", costs]).ended(0);
        assert!(said.contains(NOT_LATE), "{said}");
    }
    let said = beryl(&["run", &tight, "--for", "200ms"]).ended(0);
    assert!(said.contains("identical on sim and mps2-an385; 0 deadline misses"), "{said}");
    // In less than the rest of the period it can't be done: it isn't proved, and it is late.
    let short = shell_and_blink("shell_blink", &waits, "14ms");
    let said = beryl(&["check", &short]);
    assert!(said.code != Some(0) && said.out.contains("task blink may take"), "{said:?}");
    let said = beryl(&["sim", &short, "--for", "200ms", "--unchecked"]).ended(1);
    assert!(said.contains("blink"), "{said}");
}

/// Each thread of the process does what it likes: all of them together can't take more than its budget.
#[test]
fn a_hostile_process_takes_no_more_than_its_budget_with_all_its_threads() {
    let _lock = lock("shell_attacked");
    let system = two_shells("shell_attacked", HALF, "", &[]);
    let attack = ["--processes", "shell", "--runs", "22", "--for", "200ms", "--seed", "3"];
    let ran = beryl(&[&["--json", "attack", &system], &attack[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let objects: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let runs = || objects.iter().filter(|object| object["process"].is_string());
    assert_eq!(runs().count(), 22);
    assert!(runs().all(|run| run["believed"] == serde_json::json!([])), "nothing is only believed: {ran:?}");
    let sums = objects.iter().find(|object| object["attacked"].is_string()).expect("the sums");
    assert_eq!(sums["broken"], 0, "{ran:?}");
    assert!(sums["misdeeds"].as_u64().is_some_and(|count| count > 500), "{ran:?}");
}

#[test]
fn what_the_proof_counts_for_a_budget_is_enough_where_little_is_left() {
    let _lock = lock("shell_tight");
    // Of ten milliseconds hardly any is left: with 20 us more it isn't proved.
    let with = |microseconds: u32| {
        changed("shell_tight", &[("worst = \"3ms\"", &format!("worst = \"{microseconds}us\""))])
    };
    let mut longest = (3000..4600).rev().step_by(20);
    let is_proved = |system: &String| beryl(&["check", system]).code == Some(0);
    let system = longest.find_map(|worst| Some(with(worst)).filter(is_proved)).expect("3 ms are proved");
    let said = beryl(&["sim", &system, "--for", "400ms", "--costs", "worst"]).ended(0);
    assert!(said.contains(NOT_LATE), "{said}");
}
