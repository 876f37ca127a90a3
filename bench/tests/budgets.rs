//! Kernels with budgets, with depths of sleep, and with processes that begin anew: no step is longer than it is
//! charged, of each kind.

mod changed;
mod held;

use std::fs;
use std::path::{Path, PathBuf};

use beryl_bench::row::Row;
use beryl_bench::systems::BENCH;
use beryl_bench::{counted, jobs};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use changed::changed;

#[test]
fn steps_of_tasks_with_budgets_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/runaway")).has_budgets());
}

#[test]
fn steps_of_threads_with_budgets_and_objects_take_no_longer_than_they_are_charged() {
    // The least that a job takes is said of jobs alone.
    let ending = |text: &str| text.replace("\nbest = ", "\non_overrun = \"end-job\"\nbest = ");
    assert!(held::all(&changed("engine", "with-budgets", ending)).has_budgets());
}

#[test]
fn steps_of_a_process_that_begins_anew_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/phoenix")).has_restarts());
}

#[test]
fn steps_of_a_kernel_in_which_a_process_can_be_replaced_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/graft")).has_replaceable());
}

#[test]
fn steps_of_threads_and_objects_that_begin_anew_take_no_longer_than_they_are_charged() {
    let lines = "\non_fault = \"restart\"\nrestarts = { most = 3, within = \"1s\" }\nmemory = ";
    let beginning = |text: &str| text.replace("\nmemory = ", lines);
    assert!(held::all(&changed("engine", "with-restarts", beginning)).has_restarts());
}

#[test]
fn steps_of_a_kernel_that_writes_faults_down_take_no_longer_than_they_are_charged() {
    assert_eq!(held::all(&root().join("examples/stray")).crashes, 4);
    let writing = |text: &str| text.replace("\napplication = ", "\ncrashes = 3\napplication = ");
    assert_eq!(held::all(&changed("engine", "with-crashes", writing)).crashes, 3);
    let ending = |text: &str| writing(text).replace("\nbest = ", "\non_overrun = \"fault\"\nbest = ");
    assert!(held::all(&changed("engine", "with-crashes-and-budgets", ending)).has_budgets());
}

#[test]
fn steps_of_a_kernel_with_a_supervisor_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/warden")).is_supervised());
    let lines = "[process.guess]\non_fault = \"restart\"\nrestarts = { most = 3, within = \"1s\" }\n";
    let beginning = |text: &str| {
        let text = text.replace("name = \"warden\"", "name = \"warden_anew\"");
        text.replace("[process.guess]\n", lines)
    };
    let system = held::all(&changed("warden", "warden-anew", beginning));
    assert!(system.is_supervised() && system.has_restarts());
}

#[test]
fn steps_of_a_kernel_with_watchdogs_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/watchdog")).has_watchdogs());
    let watched = |text: &str| {
        let text = text.replace("name = \"warden\"", "name = \"warden_watched\"");
        text.replace("[thread.warden]\n", "[thread.warden]\nwatchdog = \"10ms\"\n")
    };
    let system = held::all(&changed("warden", "warden-watched", watched));
    assert!(system.has_watchdogs() && !system.has_restarts());
}

/// The engine with all of its bands in one partition.
fn in_one(text: &str) -> String {
    let windows = "[partitions]\nframe = \"20ms\"\nwindows = [{ partition = \"engine\", from = \"1ms\", until = \"19ms\" }]\n";
    let text = text.replace("\npolicy = ", "\npartition = \"engine\"\npolicy = ");
    format!("{text}\n\n{windows}")
}

#[test]
fn steps_of_a_kernel_with_windows_take_no_longer_than_they_are_charged() {
    assert!(held::all(&changed("engine", "with-windows", in_one)).has_partitions());
}

#[test]
fn steps_of_a_kernel_with_windows_and_budgets_take_no_longer_than_they_are_charged() {
    let server = "entry = \"calibrate\"\n";
    let budget = format!("{server}budget = \"1ms\"\nevery = \"20ms\"\npolicy = \"sporadic\"\n");
    let nested = |text: &str| {
        let text = in_one(text).replace("name = \"engine\"", "name = \"engine_nested\"");
        text.replace(server, &budget).replace("\nbest = ", "\non_overrun = \"end-job\"\nbest = ")
    };
    let system = held::all(&changed("engine", "with-nested", nested));
    assert!(system.has_partitions() && system.has_background() && system.has_rules());
    let shared = |text: &str| {
        in_one(&with_a_shared_budget(text)).replace("\"engine_shared\"", "\"engine_nested_shared\"")
    };
    let system = held::all(&changed("engine", "with-nested-shared", shared));
    assert!(system.has_partitions() && system.has_pools());
}

#[test]
fn steps_of_threads_whose_budgets_come_back_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/shell")).has_background());
    // Its server has a place of its own behind its answers.
    let server = "entry = \"calibrate\"\n";
    let budget = format!("{server}budget = \"1ms\"\nevery = \"20ms\"\n");
    let served = |text: &str| text.replace(server, &budget);
    assert!(held::all(&changed("engine", "with-served", served)).has_background());
}

#[test]
fn steps_of_threads_whose_budgets_come_back_by_other_rules_take_no_longer_than_they_are_charged() {
    for rule in ["sporadic", "polling"] {
        // Another name is another folder: these tests build side by side.
        let named = |text: &str, name: &str| {
            text.replace(&format!("name = \"{name}\""), &format!("name = \"{name}_{rule}\""))
        };
        let policy = format!("every = \"20ms\"\npolicy = \"{rule}\"");
        let every = |text: &str| named(text, "shell").replace("every = \"20ms\"", &policy);
        assert!(held::all(&changed("shell", &format!("shell-{rule}"), every)).has_rules());
        // Its server has a place of its own behind its answers, and a waiter stands in queues of all kinds.
        let server = "entry = \"calibrate\"\n";
        let budget = format!("{server}budget = \"1ms\"\nevery = \"20ms\"\n");
        let served =
            |text: &str| named(text, "engine").replace(server, &budget).replace("every = \"20ms\"", &policy);
        assert!(held::all(&changed("engine", &format!("with-{rule}"), served)).has_rules());
    }
}

#[test]
fn steps_that_put_a_deadline_off_take_no_longer_than_they_are_charged() {
    // The shell goes by its deadline, and so does everything beside it.
    let shell = |text: &str| {
        text.replace("name = \"shell\"", "name = \"shell_constant\"")
            .replace("every = \"20ms\"", "every = \"20ms\"\npolicy = \"constant-bandwidth\"")
            .replace("priority = 9\n", "")
            .replace("priority = 1\n", "")
            .replace("policy = \"fixed\"", "policy = \"dynamic\"")
    };
    assert!(held::all(&changed("shell", "shell-constant", shell)).has_bandwidth());
    // An interrupt wakes it, among many with deadlines.
    let engine = |text: &str| {
        let at = text.find("separation = \"1ms\"").expect("the crank");
        let end = at + text[at..].find("entry").expect("its entry");
        let share = "budget = \"100us\"\nevery = \"1ms\"\npolicy = \"constant-bandwidth\"\n";
        let text = format!("{}{share}{}", &text[..at], &text[end..]);
        text.replace("name = \"engine\"", "name = \"engine_constant\"")
    };
    assert!(held::all(&changed("engine", "engine-constant", engine)).has_bandwidth());
}

/// The engine with a server and a thread that waits for everything in a process of their own, which has a budget.
fn with_a_shared_budget(text: &str) -> String {
    let text = ["calibrate", "diagnose"].into_iter().fold(text.to_owned(), |text, name| {
        let at = text.find(&format!("[thread.{name}]")).expect("the thread");
        let (before, from) = text.split_at(at);
        before.to_owned() + &from.replacen("process = \"diagnosis\"", "process = \"service\"", 1)
    });
    let service =
        "[process.service]\nmemory = \"256\"\nbudget = \"2ms\"\nevery = \"20ms\"\n\n[process.bench]";
    text.replace("name = \"engine\"", "name = \"engine_shared\"").replace("[process.bench]", service)
}

#[test]
fn steps_of_threads_that_share_a_budget_take_no_longer_than_they_are_charged() {
    let budget = "budget = \"2ms\"\nevery = \"20ms\"\n";
    let other = "[thread.other]\nprocess = \"shell\"\nband = \"all\"\npriority = 8\nentry = \"shell\"\nstack = \"512\"\n\n[task.steady]";
    let shared = |text: &str| {
        let text =
            text.replace(budget, "").replace("[process.shell]\n", &format!("[process.shell]\n{budget}"));
        text.replace("name = \"shell\"", "name = \"shell_shared\"").replace("[task.steady]", other)
    };
    assert!(held::all(&changed("shell", "shell-shared", shared)).has_pools());
    assert!(held::all(&changed("engine", "engine-shared", with_a_shared_budget)).has_pools());
}

#[test]
fn steps_of_a_kernel_with_depths_of_sleep_take_no_longer_than_they_are_charged() {
    let depths =
        "\n[[sleep]]\nname = \"stop\"\nwake = \"40us\"\n\n[[sleep]]\nname = \"standby\"\nwake = \"0.2ms\"\n";
    for example in beryl_testing::whose_turn(["meter", "runaway", "engine"], 3) {
        let name = format!("{example}-with-depths");
        let system = held::all(&changed(example, &name, |text| format!("{text}{depths}")));
        assert_eq!(system.sleeps.len(), 2, "{example}");
    }
}

/// What a job costs more in a kernel with budgets: two switches and a release, with an alarm that stays as it is
/// set, and with one that moves to the budget's end and back.
#[test]
fn a_job_with_a_budget_costs_as_much_more_as_is_written() {
    let workshop = Workshop::new(&root());
    let median = |rows: [Row; 2]| rows.map(|row| row.figures.median);
    let without = median(jobs::pair(&workshop, "fixed", 15).expect("a run"));
    // Ten seconds end behind everything that is due, a millisecond before it.
    let [stays, moves] =
        ["10s", "1ms"].map(|worst| median(jobs::with_budgets(&workshop, "fixed", 15, worst).expect("a run")));
    println!("a job, without a budget, with one: {without:?}, {stays:?}, {moves:?}");
    assert!(stays[0] <= without[0] + MORE[0], "{stays:?} instead of {without:?}");
    assert!(moves[0] <= without[0] + MORE[1], "{moves:?} instead of {without:?}");
}

/// In instructions.
const MORE: [u64; 2] = [62, 92];

/// What a switch costs in a kernel with budgets, in instructions more than without the part: between threads of which
/// none has one, between two that have one with an alarm that stays, and with one that moves each time, and between two
/// that share one.
#[test]
fn a_switch_with_a_budget_costs_as_much_more_as_is_written() {
    let workshop = Workshop::new(&root());
    let yielding = |folder: &Path| {
        let project = Project::load(folder, Variant::default()).unwrap_or_else(|error| panic!("{error:?}"));
        let rows = counted::rows_of(&project, &workshop).expect("a run");
        rows.iter().find(|row| row.bench == "yield/same-process").expect("a row").figures.median
    };
    let without = yielding(&root().join(BENCH));
    let budget = |amount: &str, every: &str| {
        format!("budget = \"{amount}\"\nevery = \"{every}\"\non_overrun = \"tell\"\n")
    };
    // The released task's period, in which each of both runs for about half of the time.
    let period = "20480us";
    let same = ["thread.same_one", "thread.same_other"];
    let cases = [
        ("nobody", &["thread.releases"][..], budget("1ms", "10s")),
        ("stays", &same[..], budget("9s", "10s")),
        ("moves", &same[..], budget("13ms", period)),
        ("shared", &same[..], "group = \"pair\"\n".into()),
    ];
    let pair = format!("\n[group.pair]\n{}", budget("9s", "10s"));
    for ((name, threads, lines), more) in cases.into_iter().zip(MORE_IN_A_SWITCH) {
        let end = if name == "shared" { pair.as_str() } else { "" };
        let with = yielding(&with_lines(name, threads, &lines, end));
        println!("a switch, {name}: {without} without, {with} with");
        assert!(with <= without + more, "{name}: {with} instead of {without}");
    }
}

/// The measured system under another name, with more lines under the heads of these threads and at its end.
fn with_lines(name: &str, threads: &[&str], lines: &str, end: &str) -> PathBuf {
    let (from, to) = (root().join(BENCH), root().join("target/e2e/switches").join(name));
    fs::create_dir_all(&to).expect("a folder");
    fs::copy(from.join("bench.tdl"), to.join("bench.tdl")).expect("a copy");
    let text = fs::read_to_string(from.join("beryl.toml")).expect("a description");
    let text = text.replace("name = \"bench\"", &format!("name = \"bench_{name}\""));
    let text = text.replace("application = \"../app\"", "application = \"../../../../bench/app\"");
    let text = threads.iter().fold(text, |text, thread| {
        let head = format!("[{thread}]\n");
        assert!(text.contains(&head), "{thread}");
        text.replace(&head, &format!("{head}{lines}"))
    });
    fs::write(to.join("beryl.toml"), text + end).expect("written");
    to
}

/// In instructions.
const MORE_IN_A_SWITCH: [u64; 4] = [15, 15, 32, 60];
