//! What is generated from `on_miss`: handlers, drivers in place of outputs, switches that lateness takes; and
//! what is refused.

mod common;

use beryl_builder::assembly::assemble;
use beryl_builder::description::Description;
use beryl_builder::{Project, proof};
use beryl_timing::Source;
use common::{description, listing, try_project};

const DRIVE: &str = "module Drive {
  actuator int motor := 0 uses set_motor;
  actuator int brake := 1 uses set_brake;
  task plan { output int speed := 7; uses plan_impl(speed); }
  task watch { input int speed; output int seen := 0; uses watch_impl(speed, seen); }
  task note { input int seen; uses note_impl(seen); }
  start mode drive [period = 20ms] {
    task     [freq = 1] plan();
    task     [freq = 2] watch(plan.speed);
    task     [freq = 1] note(watch.seen);
    actuator [freq = 1] motor := plan.speed;
  }
  mode limp [period = 10ms] {
    task [freq = 1] watch(plan.speed);
  }
}";

const TASKS: [(&str, &str); 3] = [("one", "plan"), ("one", "watch"), ("two", "note")];
const DRIVERS: [(&str, &str); 2] = [("one", "set_motor"), ("two", "set_brake")];

/// The system with lines in the sections of tasks.
fn text(reactions: &[(&str, &str)]) -> String {
    let text = description("", &TASKS, &DRIVERS);
    reactions.iter().fold(text, |text, (task, line)| {
        text.replace(&format!("[task.{task}]\n"), &format!("[task.{task}]\non_miss = {line}\n"))
    })
}

fn project(reactions: &[(&str, &str)]) -> Project {
    let described = Description::parse("beryl.toml", &text(reactions)).expect("a description");
    try_project(DRIVE, described).expect("the system can be expressed")
}

#[test]
fn a_handler_asks_for_the_task_and_a_switch_for_its_lateness() {
    let table = "{ outputs = \"initial\", set = \"brake\", mode = \"limp\" }";
    let project = project(&[("plan", table), ("watch", "\"skip\"")]);
    let expected = [
        ("0 jump @3", "drive is the start mode"),
        ("1 call publish plan", "drive: logical execution times end"),
        ("2 call publish watch", ""),
        ("3 phase actuators", ""),
        ("4 call motor", "with what plan's output is now: its initial value, if the job was late"),
        ("5 phase switches", "no task is torn here"),
        ("6 late plan, @8", "no job was"),
        ("7 jump @28", "one was: limp takes part from its releases on"),
        ("8 phase releases", ""),
        ("9 release plan, 20ms", ""),
        ("10 call plan.speed to watch", ""),
        ("11 release watch, 10ms", ""),
        ("12 call watch.seen to note", ""),
        ("13 release note, 20ms", ""),
        ("14 future 10ms, @16", ""),
        ("15 return", ""),
        ("16 call publish watch", "in the middle of plan: nobody asks for its lateness"),
        ("17 phase releases", ""),
        ("18 call plan.speed to watch", ""),
        ("19 release watch, 10ms", ""),
        ("20 future 10ms, @1", ""),
        ("21 return", ""),
        ("22 call publish watch", "limp"),
        ("23 phase releases", ""),
        ("24 call plan.speed to watch", ""),
        ("25 release watch, 10ms", ""),
        ("26 future 10ms, @22", ""),
        ("27 return", ""),
        ("28 phase releases", "limp is entered"),
        ("29 call plan.speed to watch", ""),
        ("30 release watch, 10ms", ""),
        ("31 future 10ms, @22", ""),
        ("32 return", ""),
        ("33 offender watch, @35", "the handler: a job that goes on"),
        ("34 resume", ""),
        ("35 offender plan, @40", "one that is stopped, with something in place of its outputs"),
        ("36 call initial plan.speed", ""),
        ("37 call brake", ""),
        ("38 terminate", ""),
        ("39 resume", "its outputs are left out"),
        ("40 offender note, @43", "one without outputs, as by default"),
        ("41 terminate", ""),
        ("42 retry", "its input is for the next job"),
        ("43 terminate", "one with outputs, as by default"),
        ("44 resume", ""),
    ];
    let found = listing(&project, 0);
    for (line, (expected, why)) in found.iter().zip(expected) {
        assert_eq!(line, expected, "{why}\n{found:#?}");
    }
    assert_eq!(found.len(), expected.len());
    assert_eq!(project.programs[0].handler, Some(33));
}

#[test]
fn without_reactions_there_is_no_handler_and_nothing_is_asked() {
    let plain = listing(&project(&[]), 0);
    let said = listing(&project(&[("plan", "\"stop\""), ("note", "{ job = \"stop\" }")]), 0);
    assert_eq!(plain, said);
    assert!(plain.iter().all(|line| !line.contains("late") && !line.contains("resume")));
    assert_eq!(project(&[]).programs[0].handler, None);
}

/// A mode that only lateness leads to is counted: without the switch, limp would never be entered.
#[test]
fn the_proof_counts_switches_of_late_jobs() {
    let switches = |project: &Project| {
        let modal = proof::modal(project);
        modal.map(|modal| modal.modules[0].modes.iter().map(|mode| mode.switches.len()).collect::<Vec<_>>())
    };
    assert_eq!(switches(&project(&[])), None);
    let both = project(&[("plan", "{ mode = \"limp\" }"), ("watch", "{ job = \"skip\", mode = \"drive\" }")]);
    assert_eq!(switches(&both), Some(vec![1, 1]));
    assert!(both.programs[0].handler.is_some());
}

/// What `assemble` says of reactions that name what isn't there.
fn refused(timing: &str, reactions: &[(&str, &str)]) -> Vec<String> {
    refused_text(timing, &text(reactions))
}

fn refused_text(timing: &str, description: &str) -> Vec<String> {
    let described = Description::parse("beryl.toml", description).expect("a description");
    let source = Source { name: "small.tdl".to_owned(), text: timing.to_owned() };
    let model = beryl_timing::compile(&[source]).expect("a program");
    let wrong = assemble(&model, &described).expect_err("something is missing");
    wrong.iter().map(|wrong| wrong.to_string()).collect()
}

#[test]
fn modes_and_actuators_must_be_the_modules_own() {
    assert_eq!(
        refused(DRIVE, &[("plan", "{ mode = \"lmp\" }"), ("note", "{ set = \"wheel\" }")]),
        ["module `Drive` has no mode `lmp`", "module `Drive` has no actuator `wheel`"]
    );
}

/// The system with a function that handlers call.
fn with_driver(reactions: &[(&str, &str)]) -> String {
    format!("{}\n[driver.slow_down]\nprocess = \"two\"\nworst = \"20us\"\n", text(reactions))
}

#[test]
fn a_handler_calls_a_function_with_what_an_output_is_then() {
    let reaction = "{ outputs = \"initial\", call = \"slow_down\", with = \"plan.speed\", set = \"brake\" }";
    let same = "{ call = \"slow_down\", with = \"plan.speed\" }";
    let described = Description::parse("beryl.toml", &with_driver(&[("plan", reaction), ("note", same)]));
    let project = try_project(DRIVE, described.expect("a description")).expect("it can be expressed");
    let handler = listing(&project, 0).split_off(project.programs[0].handler.expect("a handler").into());
    let expected = [
        "offender plan",
        // before the output is another one
        "call slow_down",
        "call initial plan.speed",
        "call brake",
        "terminate",
        "resume",
        "offender note",
        "call slow_down",
        "terminate",
        "retry",
        "terminate",
        "resume",
    ];
    let words = |line: &String| {
        line.split_once(' ').map(|(_, rest)| rest.split(", @").next().unwrap_or(rest).to_owned())
    };
    assert_eq!(handler.iter().filter_map(words).collect::<Vec<_>>(), expected, "{handler:#?}");
    let drivers = project.assembly.drivers.iter().filter(|row| row.name == "slow_down");
    let drivers: Vec<_> = drivers.collect();
    let [driver] = drivers[..] else { panic!("one driver: {drivers:?}") };
    let publish =
        project.assembly.drivers.iter().find(|row| row.name == "publish plan").expect("a publisher");
    assert_eq!((driver.from, driver.process, driver.task), (publish.to, 1, None));
}

#[test]
fn functions_that_handlers_call_must_be_described_and_given_one_type() {
    let called = |line: &str| refused_text(DRIVE, &with_driver(&[("plan", line)]));
    assert_eq!(
        called("{ call = \"slow_dwn\", with = \"plan.speed\" }"),
        [
            "nothing says where the native driver `slow_dwn` runs",
            "the timing program has no getter, setter or guard `slow_down`"
        ]
    );
    assert_eq!(
        called("{ call = \"slow_down\", with = \"plan.sped\" }"),
        ["module `Drive` has no output `plan.sped`"]
    );
    assert_eq!(
        called("{ call = \"slow_down\", with = \"watch.speed\" }"),
        ["module `Drive` has no output `watch.speed`"],
        "an input isn't one"
    );
    let text = DRIVE
        .replace("output int seen", "output boolean seen")
        .replace("input int seen", "input boolean seen");
    let text = text.replace("boolean seen := 0", "boolean seen := false");
    assert_eq!(
        refused_text(&text, &with_driver(&[("plan", "{ call = \"set_motor\", with = \"watch.seen\" }")]))[0],
        "`set_motor` is given values of another type elsewhere"
    );
}

#[test]
fn what_is_owed_to_a_task_comes_at_its_completion() {
    let project = project(&[("plan", "{ catch_up = 2, mode = \"limp\" }")]);
    let found = listing(&project, 0);
    let [(task, entry)] = project.programs[0].completions[..] else { panic!("one entry") };
    assert_eq!(project.assembly.threads[task].name, "plan");
    let entry = usize::from(entry);
    let expected = [
        format!("{entry} owed plan, @{}", entry + 2),
        format!("{} release plan, 20ms", entry + 1),
        format!("{} return", entry + 2),
        format!("{} offender plan, @{}", entry + 3, entry + 5),
        format!("{} postpone 2", entry + 4),
    ];
    assert_eq!(found[entry..entry + 5], expected);
    let names: Vec<_> = proof::system(&project).interference.into_iter().map(|row| row.name).collect();
    assert!(names.iter().any(|name| name == "completions of plan"), "{names:?}");
    assert!(names.iter().any(|name| name == "lateness of plan"), "{names:?}");
}

#[test]
fn where_outputs_become_visible_at_completion_it_is_inputs_and_releases_that_meet_a_job() {
    let text = text(&[("plan", "{ outputs = \"initial\" }")]);
    let text = text.replacen("[system]\n", "[system]\noutputs = \"completion\"\n", 1);
    let described = Description::parse("beryl.toml", &text).expect("a description");
    let project = try_project(DRIVE, described).expect("it can be expressed");
    let at = usize::from(project.programs[0].handler.expect("a handler"));
    let handler = listing(&project, 0).split_off(at);
    let words: Vec<_> = handler.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    // What comes next is carried out for the new job: of `watch`, the fastest, of `plan`, and of `note`.
    let stopped = ["offender", "terminate", "retry"];
    let expected =
        [&stopped[..], &["offender", "call", "terminate", "retry"], &stopped, &["terminate", "resume"]];
    assert_eq!(words, expected.concat(), "{handler:#?}");
    let entered: Vec<_> = project.programs[0].completions.iter().map(|(task, _)| *task).collect();
    assert_eq!(entered.len(), 2, "those of both tasks with outputs");
}

#[test]
fn a_job_that_goes_on_for_a_while_is_stopped_after_it() {
    let project = project(&[("plan", "{ most = 3 }"), ("note", "{ job = \"skip\", most = 1 }")]);
    let at = usize::from(project.programs[0].handler.expect("a handler"));
    let handler = listing(&project, 0).split_off(at);
    let words: Vec<_> =
        handler.iter().filter_map(|line| line.split_once(' ')).map(|(_, rest)| rest).collect();
    let [first, second] = [format!("offender plan, @{}", at + 2), format!("offender note, @{}", at + 4)];
    assert_eq!(words, [first.as_str(), "tolerate 3", second.as_str(), "tolerate 1", "terminate", "resume"]);
}

#[test]
fn releases_that_differ_cannot_be_made_up_for() {
    // 10 ms in both modes, with other inputs.
    let text =
        DRIVE.replace("task [freq = 1] watch(plan.speed);\n  }\n}", "task [freq = 1] watch(3);\n  }\n}");
    let alike = [("watch", "{ catch_up = 1 }")];
    assert_eq!(refused(&text, &alike).len(), 1);
    let described = Description::parse("beryl.toml", &self::text(&alike)).expect("a description");
    assert!(try_project(DRIVE, described).is_ok());
}

/// What a description says that contradicts itself.
#[test]
fn reactions_that_contradict_each_other_are_refused() {
    for (line, message) in [
        ("\"count\"", "`on_miss` of task `plan` can't be `count`"),
        ("7", "`on_miss` of task `plan` is a whole number"),
        ("{ jobs = \"skip\" }", "`on_miss` of task `plan` has no key `jobs`"),
        (
            "{ job = \"skip\", set = \"brake\" }",
            "`set` goes with jobs that are stopped, and this one goes on",
        ),
        (
            "{ catch_up = 1, outputs = \"initial\" }",
            "`outputs` goes with jobs that are stopped, and this one goes on",
        ),
        ("{ job = \"stop\", catch_up = 1 }", "`catch_up` goes with jobs that go on, and this one is stopped"),
        ("{ job = \"stop\", most = 1 }", "`most` goes with jobs that go on, and this one is stopped"),
        (
            "{ catch_up = 1, most = 1 }",
            "releases are made up for with `catch_up`, or counted with `most`: not both",
        ),
        ("{ most = 128 }", "`most` of `on_miss` of task `plan` is out of range"),
        ("{ catch_up = 0 }", "`catch_up` of `on_miss` of task `plan` is out of range"),
        (
            "{ job = \"skip\", call = \"slow_down\", with = \"plan.speed\" }",
            "`call` goes with jobs that are stopped, and this one goes on",
        ),
        (
            "{ call = \"slow_down\" }",
            "a function is called with an output's value: `call` and `with` go together",
        ),
        (
            "{ with = \"plan.speed\" }",
            "a function is called with an output's value: `call` and `with` go together",
        ),
        ("{ call = \"slow_down\", with = \"speed\" }", "`with` of `on_miss` of task `plan` isn't an output"),
        ("{ outputs = \"zero\" }", "`outputs` of `on_miss` of task `plan` can't be `zero`"),
    ] {
        let wrong = Description::parse("beryl.toml", &text(&[("plan", line)])).expect_err(line);
        let said: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!(said, [message], "{line}");
    }
}
