//! How a module's blocks are put together: where it begins, guards among many tasks, and how much fits.

mod common;

use beryl_builder::code::CodeError;
use common::{described, listing, project, try_project};

/// Four tasks at an instant come together; one with a guard keeps its place in the text, and all of them do.
#[test]
fn a_guard_among_many_tasks_guards_its_own_release() {
    let task = |name: &str| format!("task {name} {{ output int o := 0; uses {name}_impl(o); }}\n");
    let names = ["d", "c", "b", "a"];
    let tasks: String = ["a", "b", "c", "d"].map(task).concat();
    let timing = format!(
        "module Many {{ sensor int s uses read_s; {tasks} start mode only [period = 10ms] {{
           task [freq = 1] d(); task [freq = 1] if may(s) then c(); task [freq = 1] b(); task [freq = 1] a(); }} }}"
    );
    let project = project(&timing, &names.map(|name| ("one", name)), &[("one", "read_s"), ("one", "may")]);
    let found = listing(&project, 0);
    let begin = found.iter().position(|line| line.ends_with("phase releases")).expect("releases");
    let words: Vec<_> = found[begin + 1..].iter().filter_map(|line| line.split_once(' ')).collect();
    let words: Vec<_> =
        words.into_iter().map(|(_, words)| words.split(", @").next().unwrap_or(words)).collect();
    let expected = [
        "call s",
        "call may",
        "branch",
        "release c, 10ms",
        "release d, 10ms",
        "release b, 10ms",
        "release a, 10ms",
        "future 10ms",
        "return",
    ];
    let words: Vec<_> = words.iter().map(|words| words.split(" @").next().unwrap_or(words)).collect();
    assert_eq!(words, expected, "{found:#?}");
}

#[test]
fn a_module_begins_in_its_start_mode_wherever_that_stands() {
    let timing = "module M { task t { output int o := 0; uses t_impl(o); }
        task u { output int o := 0; uses u_impl(o); } sensor int s uses read_s;
        mode other [period = 20ms] { task [freq = 1] t(); mode [freq = 1] if may(s) then first; }
        start mode first [period = 10ms] { task [freq = 1] u(); mode [freq = 1] if may(s) then other; } }";
    let project = project(timing, &[("one", "t"), ("one", "u")], &[("one", "read_s"), ("one", "may")]);
    let found = listing(&project, 0);
    let target: usize = found[0].rsplit('@').next().and_then(|text| text.parse().ok()).expect("a jump");
    let release = found[target..].iter().find(|line| line.contains(" release "));
    assert!(release.is_some_and(|line| line.contains("release u, 10ms")), "{found:#?}");
    // Behind the outputs of that mode's first instant.
    assert!(found[target - 1].ends_with("call publish u"), "{found:#?}");
}

/// Tasks, actuators and switches all count, where a period is so long that its instants can't share their code.
#[test]
fn what_is_due_in_a_period_is_counted_before_it_is_written() {
    let refused = |activities: &str| {
        let timing = format!(
            "module M {{ task t {{ output int o := 0; uses t_impl(o); }} actuator int a := 0 uses set_a;
             mode other [period = 350s] {{ task [freq = 1] t(); }}
             start mode only [period = 350s] {{ {activities} }} }}"
        );
        let drivers = [("one", "set_a"), ("one", "may")];
        match try_project(&timing, described("", &[("one", "t")], &drivers)) {
            Err(CodeError::TooLong { instructions, .. }) => Some(instructions),
            Err(other) => panic!("{other}"),
            Ok(_) => None,
        }
    };
    let guard = "if may(t.o) then";
    let update = format!("actuator [freq = 70000] {guard} a := t.o;");
    assert_eq!(refused(&format!("{update} mode [freq = 1] {guard} other;")), Some(70_001));
    let switch = format!("actuator [freq = 35000] {guard} a := t.o;");
    assert_eq!(refused(&format!("{switch} mode [freq = 35000] {guard} other;")), Some(70_000));
}
