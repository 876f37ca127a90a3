//! `check --profile`: a system that keeps the rules passes, and each rule refuses the wrong example that the
//! book has for it.

use std::fs;

use beryl_builder::profile::Profile;
use common::{beryl, copy, example, folder, root};

mod common;

/// A band below the helicopter's, with threads for the wrong examples.
const REST: &str = "\n[[band]]\nname = \"rest\"\npolicy = \"fixed\"\n";

fn thread(name: &str, process: &str, more: &str) -> String {
    format!(
        "\n[thread.{name}]\nprocess = \"{process}\"\nband = \"rest\"\nentry = \"{name}\"\nstack = \"512\"\n{more}\n"
    )
}

/// A periodic thread with a priority.
fn job(name: &str, process: &str, priority: u32, more: &str) -> String {
    thread(name, process, &format!("priority = {priority}\nperiod = \"100ms\"\nworst = \"1ms\"\n{more}"))
}

/// For each rule what is added to the helicopter's description so that it is broken.
fn wrong() -> Vec<(&'static str, String)> {
    let held = |time: &str| format!("uses = [\"map\"]\nhold = {{ map = \"{time}\" }}");
    vec![
        (
            "proved-whole",
            format!(
                "{REST}[notification.told]\n{}{}",
                job("waits", "control", 2, "uses = [\"told.wait\"]"),
                job("tells", "control", 1, "uses = [\"told.notify\"]")
            ),
        ),
        ("times-declared", format!("{REST}{}", thread("always", "control", "priority = 1"))),
        (
            "times-declared",
            format!(
                "{REST}[endpoint.desk]\nrequest = \"int\"\nreply = \"int\"\n{}{}",
                thread("serves", "control", "priority = 1\nuses = [\"desk.serve\"]"),
                job("asks", "control", 2, "uses = [\"desk.call\"]")
            ),
        ),
        (
            "holds-declared",
            format!(
                "{REST}[semaphore.bus]\nkind = \"binary\"\n{}{}",
                job("one", "control", 2, "uses = [\"bus\"]"),
                job("other", "navigation", 1, "uses = [\"bus\"]\nhold = { bus = \"0.1ms\" }")
            ),
        ),
        (
            "nothing-believed",
            format!(
                "{REST}[lock.map]\n{}{}{}",
                job("above", "control", 3, &held("0.1ms")),
                job("between", "navigation", 2, ""),
                job("below", "control", 1, &held("0.1ms"))
            ),
        ),
        (
            "priorities-fixed",
            format!(
                "{REST}{}{}",
                job("moved", "control", 3, "priorities = [2, 4]"),
                job("mover", "control", 1, "uses = [\"moved.priority\"]")
            ),
        ),
    ]
}

/// Answers the exit code, and the names of the rules that are broken.
fn broken(system: &str) -> (i32, Vec<String>) {
    let said = beryl(&["--json", "check", "--profile", "high-integrity", system]);
    let rows = said.out.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let rules = rows.filter_map(|row| Some(row["rule"].as_str()?.to_owned()));
    (said.code.expect("it ends by itself"), rules.collect())
}

/// The helicopter with more in its description, and one text in it that is another.
fn helicopter(name: &str, more: &str, change: Option<(&str, &str)>) -> String {
    let system = folder().join("systems/profile").join(name);
    copy(&root().join("examples/helicopter"), &system);
    let path = system.join("beryl.toml");
    let mut text = fs::read_to_string(&path).expect("a description") + more;
    if let Some((from, to)) = change {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    fs::write(&path, text).expect("written");
    system.to_str().expect("a path").to_owned()
}

#[test]
fn the_helicopter_keeps_the_profile() {
    assert_eq!(broken(&example("helicopter")), (0, Vec::new()));
    let said = beryl(&["check", "--profile", "high-integrity", &example("helicopter")]).ended(0);
    let count = Profile::HighIntegrity.rules().len();
    assert!(said.ends_with(&format!("Profile high-integrity\n  keeps all {count} rules\n")), "{said}");
}

#[test]
fn each_rule_refuses_its_wrong_example() {
    let mut seen: Vec<(String, (i32, Vec<String>))> = Vec::new();
    for (rule, more) in wrong() {
        let name = format!("{rule}-{}", seen.len());
        seen.push((rule.to_owned(), broken(&helicopter(&name, &more, None))));
    }
    let process = ("[process.navigation]\n", "[process.navigation]\non_fault = \"stop-thread\"\n");
    let rule = "processes-stop-whole";
    seen.push((rule.to_owned(), broken(&helicopter(rule, "", Some(process)))));
    let rule = "charges-derived";
    let elsewhere = ("name = \"mps2-an385\"", "name = \"mps2-an521\"\nkernel = \"other core\"");
    seen.push((rule.to_owned(), broken(&helicopter(rule, "", Some(elsewhere)))));
    let spare = "\n[task.spare]\nprocess = \"control\"\nworst = \"1ms\"\nstack = \"512\"\n";
    let system = helicopter("no-warnings", spare, None);
    let timing = format!("{system}/helicopter.tdl");
    let text = fs::read_to_string(&timing).expect("a timing program");
    let task = "  task spare { output int x := 1; uses spare_impl(x); }\n\n  start mode";
    fs::write(&timing, text.replacen("  start mode", task, 1)).expect("written");
    seen.push(("no-warnings".to_owned(), broken(&system)));
    let rule = "no-arriving-programs";
    seen.push((rule.to_owned(), broken(&example("landing"))));
    for (rule, (code, rules)) in &seen {
        assert!(*code == 1 && rules.contains(rule), "{rule}: exit {code}, broken {rules:?}");
    }
    let mut has: Vec<_> = seen.iter().map(|(rule, _)| rule.as_str()).collect();
    let mut rules: Vec<_> = Profile::HighIntegrity.rules().iter().map(|rule| rule.name).collect();
    has.sort_unstable();
    has.dedup();
    rules.sort_unstable();
    assert_eq!(has, rules, "each rule has a wrong example");
}

/// The book gives each rule's reason.
#[test]
fn the_book_has_every_rule() {
    let page = fs::read_to_string(root().join("docs/05-proof.md")).expect("the chapter");
    for rule in Profile::HighIntegrity.rules() {
        assert!(
            page.contains(&format!("| `{}` | ", rule.name)),
            "docs/05-proof.md has no row for {}",
            rule.name
        );
    }
}

#[test]
fn an_unknown_profile_is_refused_with_those_that_there_are() {
    let said = beryl(&["check", "--profile", "low", &example("helicopter")]);
    assert!(said.code == Some(2) && said.err.contains("high-integrity"), "{said:?}");
}
