//! What is generated from modes: blocks of each, switches between them, guards, slots; and what the analysis is told.

mod common;

use std::fs;
use std::path::Path;

use beryl_analysis::{Method, prove};
use beryl_builder::assembly::Role;
use beryl_builder::emit::{process, tables};
use beryl_builder::identity::Identity;
use beryl_builder::{Project, Variant, proof};
use common::{listing, project};

const LANDING: &str = "module Landing {
  sensor int height uses read_height;
  sensor int ground uses read_ground;
  actuator int gear := 0 uses set_gear;
  task estimate { input int raw; input int gain; output int height := 0; uses estimate_impl(raw, gain, height); }
  task extend { input int speed; output int angle := 0; uses extend_impl(speed, angle); }
  start mode cruise [period = 20ms] {
    task [freq = 1] estimate(height, 1);
    mode [freq = 1] if is_low(height) then descend;
    mode [freq = 1] if is_down(ground, 7) then cruise;
  }
  mode descend [period = 10ms] {
    task     [freq = 2] estimate(height, 2);
    task     [freq = 1] if is_low(estimate.height) then extend(ground);
    actuator [freq = 1] if is_down(ground, 7) then gear := height;
    mode     [freq = 1] cruise;
  }
}";

const TASKS: [(&str, &str); 2] = [("one", "estimate"), ("two", "extend")];
const DRIVERS: [(&str, &str); 5] = [
    ("one", "read_height"),
    ("one", "read_ground"),
    ("two", "set_gear"),
    ("one", "is_low"),
    ("two", "is_down"),
];

#[test]
fn every_mode_has_its_blocks_and_a_switch_enters_at_the_releases() {
    let text = LANDING.replace("is_low(estimate.height)", "is_high(estimate.height)");
    let project = project(&text, &TASKS, &[&DRIVERS[..], &[("two", "is_high")]].concat());
    let expected = [
        ("0 jump @2", "cruise is the start mode; no task has ended yet"),
        ("1 call publish estimate", "cruise: its logical execution time ends"),
        ("2 phase switches", "no actuator is due in cruise"),
        ("3 call height", "the first guard's sensor"),
        ("4 call is_low", "in the order of the text"),
        ("5 branch @7", "it says no"),
        ("6 jump @41", "descend begins; height has been read"),
        ("7 call ground", "the second guard's sensor, only now"),
        ("8 call is_down", "with a constant"),
        ("9 branch @11", "it says no"),
        ("10 jump @35", "cruise begins anew; both have been read"),
        ("11 phase releases", "no switch was taken"),
        ("12 call height to estimate", "the sensor has been read at this instant"),
        ("13 call 1 to estimate", "in the other mode it's another constant"),
        ("14 release estimate, 20ms", "with the logical execution time of this mode"),
        ("15 future 20ms, @1", "nothing is due in between"),
        ("16 return", "the instant is complete"),
        ("17 call publish estimate", "descend, at the end of its period"),
        ("18 call publish extend", "whether it was released or not: its outputs are what they were"),
        ("19 phase actuators", "all outputs are visible"),
        ("20 call ground", "the guard's sensor"),
        ("21 call height", "that of the value, before the guard"),
        ("22 call is_down", "the guard"),
        ("23 branch @25", "no: nothing is written"),
        ("24 call gear", "yes"),
        ("25 phase switches", "behind the actuators"),
        (
            "26 jump @35",
            "no guard: always, so that nothing of this mode follows; the same has been read as at 10",
        ),
        ("27 call publish estimate", "descend, the middle of its period"),
        ("28 phase releases", "no switch is due here"),
        ("29 call height", "a new instant, a new reading"),
        ("30 call height to estimate", "its first input"),
        ("31 call 2 to estimate", "its second"),
        ("32 release estimate, 5ms", "twice a period of 10ms"),
        ("33 future 5ms, @17", "to the end of the period"),
        ("34 return", "the instant is complete"),
        ("35 phase releases", "cruise is entered, where height and ground have been read"),
        ("36 call height to estimate", "not read again"),
        ("37 call 1 to estimate", "as in the mode's own block"),
        ("38 release estimate, 20ms", "as in the mode's own block"),
        ("39 future 20ms, @1", "actuators and switches are due for the first time there"),
        ("40 return", "the instant is complete"),
        ("41 phase releases", "descend is entered, where only height has been read"),
        ("42 call height to estimate", "not read again"),
        ("43 call 2 to estimate", "as in the mode's own block"),
        ("44 release estimate, 5ms", "as in the mode's own block"),
        ("45 call ground", "the guarded task's sensor, before the guard"),
        ("46 call is_high", "the guard looks at an output"),
        ("47 branch @50", "no: nothing is copied or released"),
        ("48 call ground to extend", "yes: its input"),
        ("49 release extend, 10ms", "once a period"),
        ("50 future 5ms, @27", "the middle of the period"),
        ("51 return", "the instant is complete"),
    ];
    let found = listing(&project, 0);
    for (line, (expected, reason)) in found.iter().zip(expected) {
        assert_eq!(line, expected, "{reason}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn a_guard_says_no_where_its_process_stands_and_is_called_with_published_values() {
    let project = project(LANDING, &TASKS, &DRIVERS);
    let text = tables::tables(&project).text;
    let guards = text.lines().filter(|line| line.contains("DriverKind::Guard"));
    let rows: Vec<_> = guards.filter_map(|row| Some(row.trim().split_once(", from:")?.0)).collect();
    let row = |name: &str, function: u8, process: u8| {
        format!(
            "/* {name} */ Driver {{ kind: DriverKind::Guard {{ function: {function}, budget: Duration::from_ticks(1250) }}, \
             process: ProcessId({process}), task: ThreadId::NONE"
        )
    };
    let expected = [row("is_low", 2, 0), row("is_down", 0, 1), row("is_low", 3, 0)];
    assert_eq!(
        rows, expected,
        "one for each choice of values: a sensor's, a sensor's and a constant, an output's"
    );
    let glue = process::process(&project, 1, Identity::NONE);
    let cell = |name: &str| {
        let driver = project.assembly.drivers.iter().find(|driver| driver.name == name).expect("a driver");
        project.places.address(&project.assembly.cells, driver.to)
    };
    let expected =
        format!("application::is_down(&*memory::at::<i32>({:#010x}), &*memory::at::<i32>(", cell("ground"));
    assert!(glue.contains(&expected), "{glue}");
}

const SLOTS: &str = "module Arm {
  sensor int angle uses read_angle;
  actuator int motor := 0 uses set_motor;
  task plan { input int angle; output int way := 0; uses plan_impl(angle, way); }
  task act { input int way; output int force := 0; uses act_impl(way, force); }
  start mode move [period = 40ms] {
    task     [freq = 4, slots = 1-2] plan(angle);
    task     [freq = 4, slots = 2|3-4] act(plan.way);
    actuator [freq = 1] motor := act.force;
    mode     [freq = 1] if is_idle(angle) then move;
  }
}";

#[test]
fn slots_release_and_publish_where_they_begin_and_end() {
    let drivers = [("one", "read_angle"), ("one", "set_motor"), ("one", "is_idle")];
    let project = project(SLOTS, &[("one", "plan"), ("one", "act")], &drivers);
    let expected = "0 jump @2, 1 call publish act, 2 phase actuators, 3 call motor, 4 phase switches, 5 call angle, \
        6 call is_idle, 7 branch @9, 8 jump @25, \
        9 phase releases, 10 call angle to plan, 11 release plan, 20ms, 12 future 10ms, @14, 13 return, \
        14 phase releases, 15 call plan.way to act, 16 release act, 10ms, 17 future 10ms, @19, 18 return, \
        19 call publish plan, 20 call publish act, 21 phase releases, 22 call plan.way to act, 23 release act, 20ms, \
        24 future 20ms, @1, 25 return";
    let expected = expected.replace(
        "24 future 20ms, @1, 25 return",
        "24 future 20ms, @1, 25 return, \
        26 phase releases, 27 call angle to plan, 28 release plan, 20ms, 29 future 10ms, @14, 30 return",
    );
    assert_eq!(listing(&project, 0).join(", "), expected.replace("8 jump @25", "8 jump @26"));
    let lengths = project.assembly.threads.iter().filter_map(|thread| match &thread.role {
        Role::Task(task) => {
            Some([task.logical, task.longest, task.separation].map(|time| time.ticks() / 25_000))
        }
        _ => None,
    });
    // `plan` begins every 40 ms, and with a switch at the end of a period no sooner; `act` at 10, 20, 50, 60 ...
    assert_eq!(lengths.collect::<Vec<_>>(), [[20, 20, 40], [10, 20, 10]], "in milliseconds");
}

#[test]
fn releases_come_closest_across_a_switch() {
    let text = "module Jump {
      task t { uses t_impl(); }
      start mode slow [period = 40ms] { task [freq = 4, slots = 1] t(); mode [freq = 4] late; }
      mode late [period = 20ms] { task [freq = 4, slots = 2-4] t(); mode [freq = 1] slow; }
    }";
    let project = project(text, &[("one", "t")], &[]);
    let times = project.assembly.threads.iter().find_map(|thread| match &thread.role {
        Role::Task(task) => {
            Some([task.logical, task.longest, task.separation].map(|time| time.ticks() / 25_000))
        }
        _ => None,
    });
    // Within a mode it is 40 ms and 20 ms. `slow` may be left 10 ms after a release, and the mode that comes
    // then is taken for the one that releases soonest: `slow` itself, at once. In truth it is `late`, 5 ms
    // later: the bound is safe.
    assert_eq!(times, Some([10, 15, 10]), "in milliseconds");
}

#[test]
fn a_band_by_code_takes_no_task_that_switches_modes() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("modes_by_code");
    fs::create_dir_all(&folder).expect("a folder");
    let description = "[system]\nname = \"jump\"\ntiming = [\"jump.tdl\"]\napplication = \"app\"\n\
        [board]\nname = \"mps2-an385\"\nflash = \"64k\"\nram = \"24k\"\n[process.one]\nmemory = \"64\"\n\
        [[band]]\nname = \"all\"\npolicy = \"code\"\n\
        [task.t]\nprocess = \"one\"\nworst = \"1ms\"\nstack = \"512\"\n";
    fs::write(folder.join("beryl.toml"), description).expect("written");
    let program = |rest: &str| {
        let text = format!(
            "module Jump {{ task t {{ uses t_impl(); }} start mode m [period = 40ms] {{ {rest} }} }}"
        );
        fs::write(folder.join("jump.tdl"), text).expect("written");
        Project::load(&folder, Variant::default()).map_err(|wrong| wrong.to_string())
    };
    assert!(program("task [freq = 4] t();").is_ok(), "without modes and slots it can be scheduled");
    let refused = program("").expect_err("nothing releases it");
    assert!(refused.contains("no mode of the image releases task `t`"), "{refused}");
    // 10 us: the kernel's steps alone take more.
    let refused = program("task [freq = 4000] t();").expect_err("nothing is left for it");
    assert!(
        refused.contains("of each 10us, the time that the periods of its tasks have in common"),
        "{refused}"
    );
    for rest in ["task [freq = 4] t(); mode [freq = 1] m;", "task [freq = 4, slots = 1] t();"] {
        let refused = program(rest).expect_err("its releases don't come at equal distances");
        assert!(
            refused.contains("task `t` belongs to module `Jump`, which switches modes or uses slots"),
            "{refused}"
        );
    }
}

/// A task that must be done in half of its period, below a thread that takes a part of the other half.
#[test]
fn a_schedule_from_the_start_on_proves_nothing_where_releases_come_otherwise() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("modes_out_of_step");
    fs::create_dir_all(&folder).expect("a folder");
    let description = "[system]\nname = \"step\"\ntiming = [\"step.tdl\"]\napplication = \"app\"\n\
        [board]\nname = \"mps2-an385\"\nflash = \"64k\"\nram = \"24k\"\n[process.one]\nmemory = \"64\"\n\
        [[band]]\nname = \"all\"\npolicy = \"fixed\"\n\
        [task.t]\nprocess = \"one\"\nworst = \"4ms\"\nstack = \"512\"\nband = \"all\"\npriority = 1\n\
        [thread.u]\nprocess = \"one\"\nentry = \"u\"\nstack = \"512\"\nperiod = \"10ms\"\noffset = \"5ms\"\n\
        deadline = \"3ms\"\nworst = \"2ms\"\nband = \"all\"\npriority = 2\n";
    fs::write(folder.join("beryl.toml"), description).expect("written");
    let out_of_step = |mode: &str| {
        let text = format!(
            "module Step {{ task t {{ uses t_impl(); }} start mode m [period = 10ms] {{ {mode} }} }}"
        );
        fs::write(folder.join("step.tdl"), text).expect("written");
        let project = Project::load(&folder, Variant::default()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let system = proof::system(&project);
        let t = system.bands[0].tasks.iter().find(|task| task.name == "t").expect("t");
        assert_eq!(t.is_out_of_step, mode.contains("slots"));
        let proof = prove(&system).expect("its schedule holds");
        (proof.bands[0].method, !proof::out_of_step(&project.assembly, &proof).is_empty())
    };
    // Whenever `u` comes, 2 ms more: within 10 ms, not within 5 ms.
    assert_eq!(out_of_step("task [freq = 1] t();"), (Method::ResponseTime, false));
    assert_eq!(out_of_step("task [freq = 2, slots = 1] t();"), (Method::Schedule, true));
}

#[test]
fn modes_are_said_to_be_counted_together() {
    let project = project(LANDING, &TASKS, &DRIVERS);
    let said = proof::together(&project.assembly).expect("it has two modes");
    assert!(said.starts_with("all modes of module `Landing` are counted as if they ran at a time"), "{said}");
    let single =
        "module One { task t { uses t_impl(); } start mode m [period = 1ms] { task [freq = 1] t(); } }";
    let single = common::project(single, &[("one", "t")], &[]);
    assert_eq!(proof::together(&single.assembly), None);
}

#[test]
fn the_analysis_counts_all_modes_together() {
    let project = project(LANDING, &TASKS, &DRIVERS);
    let system = proof::system(&project);
    let milliseconds = |ticks: u64| ticks / 25_000;
    let tasks = system.bands.iter().flat_map(|band| &band.tasks);
    let tasks: Vec<_> = tasks
        .map(|task| {
            let times = [task.period, task.deadline, task.spread].map(|time| milliseconds(time.get()));
            (task.name.as_str(), times)
        })
        .collect();
    // A release of `estimate` in cruise is 20 ms before one in descend, one there 5 ms before the next of
    // either. In cruise it has 20 ms, in descend 5.
    assert_eq!(tasks, [("estimate", [5, 5, 15]), ("extend", [10, 10, 0])]);
    let drivers: Vec<_> =
        system.interference.iter().map(|row| (row.name.as_str(), milliseconds(row.period.get()))).collect();
    let expected = [
        ("publish estimate", 5),
        ("height", 20),
        ("height to estimate", 5),
        ("1 to estimate", 5),
        ("height", 20),
        ("is_low", 20),
        ("ground", 20),
        ("is_down", 20),
        ("height", 5),
        ("2 to estimate", 5),
        ("is_low", 10),
        ("publish extend", 10),
        ("ground", 10),
        ("ground to extend", 10),
        ("ground", 10),
        ("is_down", 10),
        ("height", 10),
        ("gear", 10),
        // Of the rhythms of both modes: 20, 5 and 10.
        ("instants of Landing", 5),
    ];
    assert_eq!(drivers, expected);
}

#[test]
fn modules_switch_each_on_their_own() {
    let two = format!("{LANDING}\n{}", LANDING.replace("module Landing", "module Again"));
    let tasks = [("one", "estimate"), ("two", "extend")];
    let project = project(&two, &tasks, &DRIVERS);
    let codes = |module: usize| listing(&project, module).len();
    assert_eq!((project.programs.len(), codes(0), codes(1)), (2, 52, 52));
    let first: Vec<_> = listing(&project, 0).iter().map(|line| line.replace("Landing.", "")).collect();
    let second: Vec<_> = listing(&project, 1).iter().map(|line| line.replace("Again.", "")).collect();
    assert_eq!(first, second, "the same program with drivers and tasks of its own");
    assert!(project.programs[0].code != project.programs[1].code);
}

/// Two modes with a task each, of which each takes more than half of the processor; and a module beneath.
const IN_TURN: &str = "module Turns {
  task early { uses early_impl(); }
  task late { uses late_impl(); }
  start mode first [period = 10ms] { task [freq = 1] early(); mode [freq = 1] second; }
  mode second [period = 20ms] { task [freq = 2] late(); mode [freq = 2] first; }
}";

#[test]
fn modes_that_follow_each_other_are_not_counted_at_a_time() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("modes_in_turn");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("turns.tdl"), IN_TURN).expect("written");
    let proved = |worst: &str| {
        let mut description = "[system]\nname = \"turns\"\ntiming = [\"turns.tdl\"]\napplication = \"app\"\n\
            [board]\nname = \"mps2-an385\"\nflash = \"64k\"\nram = \"24k\"\n[process.one]\nmemory = \"64\"\n\
            [[band]]\nname = \"all\"\npolicy = \"dynamic\"\n"
            .to_owned();
        for task in ["early", "late"] {
            description +=
                &format!("[task.{task}]\nprocess = \"one\"\nworst = \"{worst}\"\nstack = \"512\"\n");
        }
        fs::write(folder.join("beryl.toml"), description).expect("written");
        let project = Project::load(&folder, Variant::default()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assert_eq!(proof::modal(&project).expect("it switches").modules[0].modes.len(), 2);
        (prove(&proof::system(&project)).is_ok(), proof::prove(&project).is_ok())
    };
    assert_eq!(proved("2ms"), (true, true));
    assert_eq!(proved("7ms"), (false, true), "14 of 10 ms at a time, but never at a time");
    assert_eq!(proved("11ms"), (false, false));
}

#[test]
fn what_is_due_at_an_instant_is_what_the_mode_does_there() {
    let project = project(LANDING, &TASKS, &DRIVERS);
    let modal = proof::modal(&project).expect("it switches modes");
    let milliseconds = |time: beryl_analysis::Ticks| time.get() / 25_000;
    let counts = |rows: &[(beryl_analysis::Ticks, beryl_analysis::Ticks)]| {
        let mut counts = std::collections::BTreeMap::<u64, usize>::new();
        rows.iter().for_each(|(at, _)| *counts.entry(milliseconds(*at)).or_default() += 1);
        counts.into_iter().collect::<Vec<_>>()
    };
    let [cruise, descend] = &modal.modules[0].modes[..] else { panic!("two modes") };
    // At 20: the task's outputs, the two guards with a sensor each. At 0: the sensor and two inputs.
    assert_eq!((counts(&cruise.calls), counts(&cruise.begins)), (vec![(20, 5)], vec![(0, 3)]));
    // Every 5: outputs of `estimate`. At 10, too: those of `extend`, the actuator with its sensor, guards that share
    // sensors with it.
    let jobs: Vec<_> = descend
        .jobs
        .iter()
        .map(|job| (job.task.task, milliseconds(job.start), milliseconds(job.end)))
        .collect();
    assert_eq!(jobs, [(0, 0, 5), (0, 5, 10), (1, 0, 10)]);
    let expected = (vec![(5, 1), (10, 6)], vec![(0, 6), (5, 3)]);
    assert_eq!((counts(&descend.calls), counts(&descend.begins)), expected);
}

#[test]
fn updates_and_switches_in_slots_come_where_the_slots_end() {
    let text = "module Arm {
      sensor int angle uses read_angle;
      actuator int motor := 0 uses set_motor;
      task turn { input int angle; output int force := 0; uses turn_impl(angle, force); }
      start mode turning [period = 40ms] {
        task     [freq = 8, slots = 2-3] turn(angle);
        actuator [freq = 8, slots = 2-3] motor := turn.force;
        mode     [freq = 8, slots = 3|8] if is_done(angle) then turning;
      }
    }";
    let drivers = [("one", "read_angle"), ("one", "set_motor"), ("one", "is_done")];
    let project = project(text, &[("one", "turn")], &drivers);
    let expected = "0 jump @1, 1 phase switches, 2 call angle, 3 call is_done, 4 branch @6, 5 jump @24, \
        6 future 5ms, @8, 7 return, 8 phase releases, 9 call angle, 10 call angle to turn, 11 release turn, 10ms, \
        12 future 10ms, @14, 13 return, 14 call publish turn, 15 phase actuators, 16 call motor, 17 phase switches, \
        18 call angle, 19 call is_done";
    let found = listing(&project, 0);
    assert_eq!(found[..20].join(", "), expected, "{}", found.join("\n"));
    let modal = proof::modal(&project).expect("it switches modes, and uses slots");
    let [mode] = &modal.modules[0].modes[..] else { panic!("one mode") };
    let milliseconds = |time: &beryl_analysis::Ticks| time.get() / 25_000;
    let calls: Vec<_> = mode.calls.iter().map(|(at, _)| milliseconds(at)).collect();
    // Outputs and motor, and the switch with its sensor at each of its two slots: at once, once, and not at 0.
    assert_eq!(calls, [15, 40, 15, 15, 15, 40], "{:?}", mode.calls);
    let tested = vec![15, 40].into_iter().map(|at| beryl_analysis::Ticks::new(at * 25_000)).collect();
    assert_eq!(mode.switches[0].tested, beryl_analysis::Rhythm::At(tested));
    // Where modes are counted at a time: 15 ms from a switch to the next update or test, since the mode begins anew.
    let rows = proof::system(&project).interference;
    let every = |name: &str| rows.iter().find(|row| row.name == name).map(|row| milliseconds(&row.period));
    assert_eq!((every("motor"), every("is_done")), (Some(15), Some(15)));
}
