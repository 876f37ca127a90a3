//! Guards that are expressions: where they are asked, what they are charged, and who may be asked together.

use beryl_builder::assembly::{Assembly, Function, Shape, assemble};
use beryl_timing::{Source, compile};
use common::described;

mod common;

const PROGRAM: &str = "module M {
  struct Fix { int x; float y; }
  sensor Fix fix uses read;
  sensor boolean on uses look;
  task t { input int a; output int value := 0; output double fine := 0; uses t_impl(a, value, fine); }
  start mode m [period = 10ms] {
    task [freq = 1] t(fix.x);
    mode [freq = 1] if GUARD then m;
  }
}
";

/// The system with this guard: sensors in process one, and in process two all else.
fn system(guard: &str) -> Result<Assembly, String> {
    let drivers = [("one", "read"), ("one", "look"), ("one", "is_odd"), ("two", "is_low")];
    let drivers: Vec<_> =
        drivers.into_iter().filter(|(_, name)| guard.contains(name) || !name.starts_with("is")).collect();
    let text = PROGRAM.replace("GUARD", guard);
    let model = compile(&[Source { name: "small.tdl".to_owned(), text }]).expect("it is right");
    let assembly = assemble(&model, &described("", &[("two", "t")], &drivers));
    assembly.map_err(|wrong| wrong.iter().map(ToString::to_string).collect())
}

/// The process in which the guard is asked, and its function there.
fn asked(guard: &str) -> (String, Function) {
    let assembly = system(guard).unwrap_or_else(|wrong| panic!("{wrong}"));
    let found = assembly.processes.iter().find_map(|process| {
        let is = |row: &&Function| matches!(row.shape, Shape::Holds { .. });
        Some((process.name.clone(), process.functions.iter().find(is)?.clone()))
    });
    found.expect("an expression")
}

#[test]
fn an_expression_is_asked_where_its_guards_sensors_or_tasks_are() {
    for (guard, expected) in [
        ("t.value > 1 and not is_odd(t.value)", "one"),
        ("on and is_low(fix)", "two"),
        ("t.value > 1 and fix.y > 0.5", "one"),
        ("not (t.value > 1)", "two"),
    ] {
        let (process, function) = asked(guard);
        assert_eq!((process.as_str(), function.name.as_str()), (expected, guard));
    }
}

#[test]
fn an_expression_is_charged_by_what_it_asks() {
    let worst = |guard: &str| asked(guard).1.worst;
    assert!(worst("on and not on") == worst("not on or on"));
    assert!(worst("on and fix.x > 1") > worst("not on"));
    assert!(worst("fix.y > 1") > worst("fix.x > 1"));
    assert_eq!(worst("t.fine > 1"), worst("1 <= fix.y"));
    let declared = system("is_odd(t.value)").expect("a system");
    let declared = declared.processes.iter().flat_map(|process| &process.functions);
    let declared = declared.clone().find(|row| row.name == "is_odd").expect("it is there").worst;
    assert!(worst("not is_odd(t.value)") > declared, "what a native guard may take is part of it");
}

#[test]
fn native_guards_of_two_processes_are_not_asked_together() {
    let wrong = system("is_odd(t.value) and is_low(fix)").expect_err("two processes");
    assert!(wrong.contains("`is_low` runs in another process than the native guard before it"), "{wrong}");
}
