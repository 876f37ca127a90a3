//! What is done on entering a mode: where it is in the code, and what the analysis is told of it.

mod common;

use beryl_builder::assembly::Module;
use beryl_builder::proof;
use common::{listing, project};

const WINCH: &str = "module Winch {
  sensor int load uses read_load;
  sensor int wish uses read_wish;
  actuator int brake := 0 uses set_brake;
  actuator int motor := 0 uses set_motor;
  task pull { input int load; output int force := 0; uses pull_impl(load, force); }
  start mode hold [period = 100ms] {
    actuator [entering] brake := 3;
    mode [freq = 2] if is_wanted(wish) then wind;
  }
  mode wind [period = 20ms] {
    task [freq = 2] pull(load);
    actuator [freq = 1] motor := pull.force;
    actuator [entering] if is_heavy(load) then motor := wish;
    actuator [entering] brake := 0;
    mode [freq = 1] hold;
  }
}";

const DRIVERS: [(&str, &str); 6] = [
    ("one", "read_load"),
    ("one", "read_wish"),
    ("two", "set_brake"),
    ("two", "set_motor"),
    ("two", "is_wanted"),
    ("two", "is_heavy"),
];

#[test]
fn it_stands_where_the_mode_is_entered_behind_all_tests() {
    let project = project(WINCH, &[("one", "pull")], &DRIVERS);
    let expected = [
        ("0 phase switches", "the program begins: no actuator is due"),
        ("1 call wish", "as in the block of the start mode"),
        ("2 call is_wanted", "a switch may be taken at once"),
        ("3 branch @5", "it says no"),
        ("4 jump @38", "then only what is done on entering `wind` is"),
        ("5 jump @35", "`hold` is entered, where `wish` has been read"),
        ("6 phase switches", "the block of `hold`, which comes again: nothing is entered here"),
        ("7 call wish", "its guard's sensor"),
        ("8 call is_wanted", "its guard"),
        ("9 branch @11", "it says no"),
        ("10 jump @38", "`wind` is entered"),
        ("11 future 50ms, @13", "the second block, which is the same"),
        ("12 return", "the instant is complete"),
        ("13 phase switches", "in the middle of the period"),
        ("14 call wish", "its guard's sensor"),
        ("15 call is_wanted", "its guard"),
        ("16 branch @18", "it says no"),
        ("17 jump @38", "`wind` is entered"),
        ("18 future 50ms, @6", "the period ends"),
        ("19 return", "the instant is complete"),
        ("20 call publish pull", "the first block of `wind`"),
        ("21 phase actuators", "its update"),
        ("22 call motor", "with the task's output"),
        ("23 phase switches", "behind the actuators"),
        ("24 jump @32", "always: `hold` is entered, where nothing has been read"),
        ("25 call publish pull", "the second block of `wind`"),
        ("26 phase releases", "no actuator and no switch is due"),
        ("27 call load", "a new instant, a new reading"),
        ("28 call load to pull", "its input"),
        ("29 release pull, 10ms", "twice a period of 20 ms"),
        ("30 future 10ms, @20", "the period ends"),
        ("31 return", "the instant is complete"),
        ("32 call brake", "`hold` is entered, still in the phase of the switches"),
        ("33 future 50ms, @13", "its switch is due for the first time there"),
        ("34 return", "the instant is complete"),
        ("35 call brake", "the same where `wish` has been read"),
        ("36 future 50ms, @13", "which makes no difference here"),
        ("37 return", "the instant is complete"),
        ("38 call load", "`wind` is entered: the guard's sensor; the value's has been read"),
        ("39 call is_heavy", "the guard"),
        ("40 branch @42", "no: the motor isn't written"),
        ("41 call motor", "yes"),
        ("42 call brake", "in the order of the text"),
        ("43 phase releases", "all that is done on entering is done"),
        ("44 call load to pull", "not read again"),
        ("45 release pull, 10ms", "as in the mode's own block"),
        ("46 future 10ms, @25", "the second block"),
        ("47 return", "the instant is complete"),
    ];
    let found = listing(&project, 0);
    for (line, (expected, reason)) in found.iter().zip(expected) {
        assert_eq!(line, expected, "{reason}");
    }
    assert_eq!(found.len(), expected.len());
}

/// How often a driver is counted, in ms.
fn counted(text: &str, tasks: &[(&str, &str)], drivers: &[(&str, &str)]) -> Vec<(String, u64)> {
    let project = project(text, tasks, drivers);
    let rows = proof::system(&project).interference;
    rows.into_iter().map(|row| (row.name, row.period.get() / 25_000)).collect()
}

#[test]
fn it_counts_as_often_as_the_mode_may_be_entered() {
    let rows = counted(WINCH, &[("one", "pull")], &DRIVERS);
    // `hold` is entered from `wind`, each 20 ms at most, and `wind` from `hold`, each 50 ms.
    let [entered, winding] = [("brake", 20), ("brake", 50)].map(|(name, every)| (name.to_owned(), every));
    assert!(rows.contains(&entered) && rows.contains(&winding), "{rows:?}");
    for name in ["load", "is_heavy", "wish", "motor"] {
        assert!(rows.contains(&(name.to_owned(), 50)), "{name}: {rows:?}");
    }
    // Where no switch leads to it, a mode is entered once, which counts as once in a period.
    let text = "module Lamp { actuator int lamp := 0 uses set_lamp;
      start mode on [period = 100ms] { actuator [entering] lamp := 1; } }";
    let project = project(text, &[], &[("one", "set_lamp")]);
    assert!(project.assembly.modules.iter().all(Module::is_regular));
    assert_eq!(counted(text, &[], &[("one", "set_lamp")])[0], ("lamp".to_owned(), 100));
}

#[test]
fn modes_one_after_the_other_have_it_at_their_beginnings_alone() {
    let project = project(WINCH, &[("one", "pull")], &DRIVERS);
    let modal = proof::modal(&project).expect("it switches modes");
    let [hold, wind] = &modal.modules[0].modes[..] else { panic!("two modes") };
    assert!(hold.begins.is_empty() && hold.enters.get() > 0);
    // One setter; and in `wind` two getters, a guard and two setters.
    assert!(wind.enters > hold.enters.times(4).expect("it fits"), "{:?} {:?}", hold.enters, wind.enters);
    let plain = WINCH.replace("actuator [entering] brake := 3;", "");
    let modal = proof::modal(&common::project(&plain, &[("one", "pull")], &DRIVERS)).expect("it switches");
    assert_eq!(modal.modules[0].modes[0].enters.get(), 0);
}
