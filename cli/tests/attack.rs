//! Hostile processes in simulation: whoever is promised something keeps it, and what is only believed is named.

use std::collections::BTreeMap;
use std::path::Path;

use common::{Ran, beryl, change, copy, example, folder, lock, root};
use serde_json::Value;

mod common;

/// What a campaign said, an object a line.
fn said(ran: &Ran) -> Vec<Value> {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

/// The last object: the sums.
fn sums(said: &[Value]) -> &Value {
    said.iter().find(|object| object["attacked"].is_string()).expect("the sums")
}

fn hostile() -> String {
    root().join("kernel/boards/mps2-an385/hostile").display().to_string()
}

/// The processes' runs: who was hostile, and what is told of the others.
fn runs(said: &[Value]) -> Vec<&Value> {
    said.iter().filter(|object| object["process"].is_string()).collect()
}

#[test]
fn nobody_else_notices_whatever_a_process_does() {
    for (system, runs_wanted, length) in [(hostile(), "44", "100ms"), (example("runaway"), "22", "100ms")] {
        let _lock = lock(if system.ends_with("runaway") { "runaway" } else { "hostile" });
        let arguments = ["--json", "attack", &system, "--runs", runs_wanted, "--for", length, "--seed", "5"];
        let ran = beryl(&arguments);
        let objects = said(&ran);
        assert_eq!(sums(&objects)["broken"], 0, "{ran:?}");
        assert_eq!(runs(&objects).len().to_string(), runs_wanted);
        assert!(sums(&objects)["misdeeds"].as_u64().is_some_and(|count| count > 1_000), "{ran:?}");
        let is_hostile = |run: &&&Value| run["process"] == "hostile";
        let believed =
            runs(&objects).iter().filter(is_hostile).all(|run| run["believed"] == Value::Array(vec![]));
        assert!(believed, "each job of it has a budget, or is less urgent than all others: {ran:?}");
        assert_eq!(ran.out, beryl(&arguments).out, "seed 5 is the same again");
    }
}

#[test]
fn each_misdeed_that_there_is_a_place_for_is_done_and_faults_are_told() {
    let _lock = lock("engine");
    let ran = beryl(&["--json", "attack", &example("engine"), "--runs", "40", "--for", "50ms"]);
    let objects = said(&ran);
    for kind in ["spin", "call", "flood", "clock", "wait", "keep", "forge", "storm", "fault"] {
        assert!(sums(&objects)["counts"][kind].as_u64().is_some_and(|count| count > 0), "{kind}: {ran:?}");
    }
    let faults: u64 = runs(&objects).iter().filter_map(|run| run["faults"].as_u64()).sum();
    assert_eq!(sums(&objects)["counts"]["fault"], faults, "each has a thread and a kind");
}

#[test]
fn programs_are_torn_where_there_is_a_slot() {
    let _lock = lock("landing");
    let ran = beryl(&[
        "--json",
        "attack",
        &example("landing"),
        "--processes",
        "loader",
        "--misdeeds",
        "swap",
        "--runs",
        "6",
        "--for",
        "2s",
    ]);
    let objects = said(&ran);
    assert!(sums(&objects)["counts"]["swap"].as_u64().is_some_and(|count| count > 0), "{ran:?}");
}

/// The runaway example without its budget.
fn without_budget() -> String {
    let system = folder().join("systems/runaway_unbudgeted");
    copy(Path::new(&example("runaway")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"runaway\"", "name = \"runaway_unbudgeted\"");
    change(&description, "application = \"app\"", "application = \"../../../../examples/runaway/app\"");
    change(&description, "on_overrun = \"end-job\"", "on_overrun = \"count\"");
    system.display().to_string()
}

#[test]
fn who_is_late_for_what_is_only_believed_is_told_by_name() {
    let _lock = lock("runaway_unbudgeted");
    let said = beryl(&["attack", &without_budget(), "--misdeeds", "spin", "--runs", "8"]).ended(0);
    assert!(said.contains("  guess        0 of 1"), "nothing is guaranteed: {said}");
    assert!(said.contains("- steady, by guess in "), "{said}");
    assert!(said.contains(": no job of `guess` takes longer than its `worst`"), "{said}");
}

/// One fault in the background, with each step of the kernel as long as it is charged. It made `sample` late while
/// nothing counted what a stop takes.
#[test]
fn what_stopping_a_process_takes_makes_nobody_late() {
    let _lock = lock("engine");
    let engine = example("engine");
    let once = [
        "--processes",
        "diagnosis",
        "--misdeeds",
        "fault",
        "--costs",
        "worst",
        "--seed",
        "12",
        "--runs",
        "1",
    ];
    let said = beryl(&[&["attack", &engine, "--for", "200ms"][..], &once].concat()).ended(0);
    assert!(!said.contains("late because of what is only believed"), "{said}");
    let words: Vec<_> =
        said.lines().find(|line| line.contains("diagnosis")).expect("its row").split_whitespace().collect();
    // Of 14 threads 4 are guaranteed; one run, one misdeed, one fault, and nobody noticed.
    assert_eq!(words, ["diagnosis", "4", "of", "14", "1", "1", "1", "1", "0", "0"], "{said}");
}

#[test]
fn what_cannot_be_attacked_is_refused_in_words() {
    let system = example("helicopter");
    for (arguments, reason) in [
        (&["--misdeeds", "storm"][..], "has no place for `storm`: its description has no [interrupt.name]"),
        (&["--misdeeds", "swap"], "has no place for `swap`: none of its modules has a slot"),
        (&["--processes", "nobody"], "there is no process `nobody`; there are navigation, control"),
    ] {
        let ran = beryl(&[&["attack", &system], arguments].concat());
        assert!(ran.code == Some(1) && ran.err.contains(reason), "{arguments:?}: {ran:?}");
    }
    assert_eq!(beryl(&["attack", &system, "--misdeeds", "shout"]).code, Some(2));
    let ran = beryl(&["attack", &example("overload")]);
    assert!(
        ran.code == Some(1) && ran.err.contains("isn't time-safe, so nobody is promised anything"),
        "{ran:?}"
    );
}

#[test]
fn the_report_in_the_chapter_on_faults_is_what_comes_out() {
    let _lock = lock("runaway");
    let said = beryl(&["attack", &example("runaway"), "--runs", "40"]).ended(0);
    let chapter = std::fs::read_to_string(root().join("docs/07-faults.md")).expect("the chapter");
    let report: String = said
        .lines()
        .skip_while(|line| *line != "Attack")
        .skip(1)
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    assert!(!report.is_empty() && chapter.contains(&report), "{report}");
}

/// The systems of the page on attacks, how long a run of each is, and how many misdeeds are wanted; and of whom and which
/// alone, if not everybody does everything.
const ATTACKED: [(&str, &str, &str, Option<[&str; 2]>); 9] = [
    ("examples/engine", "200ms", "40000", None),
    ("examples/helicopter", "200ms", "40000", None),
    ("examples/runaway", "200ms", "40000", None),
    ("examples/limp", "200ms", "40000", None),
    ("examples/landing", "500ms", "40000", None),
    // Who receives programs does little between them.
    ("examples/landing", "5s", "4000", Some(["loader", "swap"])),
    ("examples/babble", "200ms", "40000", None),
    ("kernel/boards/mps2-an385/stranger", "200ms", "40000", None),
    ("kernel/boards/mps2-an385/hostile", "200ms", "40000", None),
];

#[test]
#[ignore = "a hundred thousand misdeeds and more take minutes; a cut of them is always tried"]
fn a_hundred_thousand_misdeeds_break_nothing_that_is_guaranteed() {
    let mut table = "| system | guaranteed | runs | misdeeds | faults | nobody | believed | broken |\n|---|--:|--:|--:|--:|--:|--:|--:|\n".to_owned();
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut misdeeds = 0;
    for (system, length, wanted, alone) in ATTACKED {
        let name = system.rsplit('/').next().unwrap_or(system);
        let _lock = lock(name);
        let folder = root().join(system).display().to_string();
        let all = ["--json", "attack", &folder, "--count", wanted, "--for", length, "--seed", "1"];
        let only = alone.map(|[process, kind]| ["--processes", process, "--misdeeds", kind]);
        let ran = beryl(&[&all[..], only.as_ref().map_or(&[][..], |only| only)].concat());
        let objects = said(&ran);
        let sums = sums(&objects);
        for (kind, count) in sums["counts"].as_object().expect("counts") {
            *kinds.entry(kind.clone()).or_default() += count.as_u64().expect("a count");
        }
        misdeeds += sums["misdeeds"].as_u64().expect("a count");
        let runs = runs(&objects);
        let is_none = |list: &Value| *list == Value::Array(vec![]);
        let count = |fits: &dyn Fn(&Value) -> bool| runs.iter().filter(|run| fits(run)).count();
        let quiet = count(&|run| is_none(&run["believed"]) && is_none(&run["broken"]));
        let believed = count(&|run| !is_none(&run["believed"]) && is_none(&run["broken"]));
        let broken = count(&|run| !is_none(&run["broken"]));
        let guaranteed = sums["guaranteed"].as_str().expect("words");
        let of = alone.map_or_else(String::new, |[process, kind]| format!(", only `{kind}` by `{process}`"));
        table += &format!(
            "| `{system}`{of} | {guaranteed} | {} | {} | {} | {quiet} | {believed} | {broken} |\n",
            runs.len(),
            sums["misdeeds"],
            sums["counts"]["fault"]
        );
    }
    assert!(misdeeds > 100_000, "{misdeeds}");
    let kinds: Vec<_> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    table += &format!("\n{misdeeds} misdeeds: {}.\n", kinds.join(", "));
    println!("{table}");
    if std::env::var_os("BERYL_BLESS").is_some() {
        let path = root().join("docs/measurements/attack.md");
        let page = std::fs::read_to_string(&path).expect("the page");
        let (before, rest) = page.split_once("<!-- table: simulation -->\n").expect("the table");
        let (_, after) = rest.split_once("<!-- end -->").expect("its end");
        std::fs::write(&path, format!("{before}<!-- table: simulation -->\n{table}<!-- end -->{after}"))
            .expect("written");
    }
}
