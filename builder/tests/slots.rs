//! Slots: what other programs of a module need is in the image, and each goes with it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use beryl_builder::code::Program;
use beryl_builder::emit::container::containers;
use beryl_builder::emit::tables;
use beryl_builder::proof::Accepted;
use beryl_builder::{BuildError, Project, Variant, proof};
use beryl_syscode::check::time::Loss;
use beryl_syscode::check::{Rights, Structure};
use beryl_syscode::refused::Refused;
use beryl_syscode::{Container, Instruction};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/landing")
}

fn landing() -> Project {
    Project::load(&folder(), Variant::default()).expect("the example is right")
}

#[test]
fn drivers_that_only_the_other_program_needs_follow_those_of_the_image() {
    let project = landing();
    let names: Vec<_> = project.assembly.drivers.iter().map(|driver| driver.name.as_str()).collect();
    let expected = [
        "publish navigate",
        "publish control",
        "publish land",
        "gps",
        "attitude",
        "gps to navigate",
        "attitude to navigate",
        "control.command to navigate",
        "navigate.motion to control",
        "attitude to control",
        "rotor",
        // land.tdl
        "land.command to navigate",
        "navigate.motion to land",
        "attitude to land",
        "rotor",
    ];
    assert_eq!(names, expected);
    let [hover, land] = [10, 14].map(|driver| &project.assembly.drivers[driver]);
    assert_eq!((hover.kind, hover.to), (land.kind, land.to), "both set the same rotor");
    assert_ne!(hover.from, land.from);
}

#[test]
fn both_programs_say_where_another_may_take_over() {
    let project = landing();
    for program in project.programs.iter().chain(&project.alternatives) {
        let instructions: Vec<_> =
            program.code.iter().filter_map(|word| Instruction::decode(*word)).collect();
        let periods = instructions.iter().filter(|one| matches!(one, Instruction::Period {})).count();
        assert_eq!(periods, 1, "{}", program.module);
        let Some(Instruction::Jump { address }) = instructions.first() else {
            panic!("no jump at the start")
        };
        assert_eq!(instructions[usize::from(*address)], Instruction::Period {}, "it starts with a period");
    }
}

#[test]
fn a_program_from_the_other_text_passes_all_that_the_target_asks() {
    let project = landing();
    let containers = containers(&project);
    let named = |name: &str| &containers.iter().find(|(known, _)| known == name).expect("written").1;
    let (own, other) = (named("helicopter.bsc"), named("land.bsc"));
    let (own, other) = (Container::read(own).expect("whole"), Container::read(other).expect("whole"));
    assert_eq!(own.interface(), other.interface());
    let table = tables::tables(&project).text;
    let row = table.lines().find(|line| line.contains("ProgramSlot {")).expect("a row for the slot");
    // Tasks 0 to 2; all drivers.
    let expected = format!(
        "/* Helicopter */ ProgramSlot {{ processes: 0x4, base: 0, size: 1024, terms: Terms {{ interface: {:#010x}, rights: Rights {{ \
         tasks: &[7], drivers: &[255, 127] }}, lines: &[], ports: 0, triggers: 1, threads: 0, certified_only: false, grain: 250000, times: &[{}], policies: &[time::Policy::EarliestDeadline], \
         costs: Costs {{ drivers: &[{}], instruction: 385, most: 37244, threads: 0 }}, losses: &[time::Loss {{ period: 250000, worst: 44109, is_in_step: true }}] }} }},",
        own.interface(),
        // navigate, control and land: what they take at most, and what the kernel does for a job
        [76_021, 126_021, 126_021]
            .map(|bound| format!("time::Task {{ bound: {bound}, rank: 0 }}"))
            .join(", "),
        // two steps of the kernel; a sensor or an actuator takes 50 us, the calls of its process, the alarm
        // of its budget, and in it what the kernel does for the two lines of the link
        [770, 770, 770, 6231, 6231, 770, 770, 770, 770, 770, 6231, 770, 770, 770, 6231]
            .map(|ticks| ticks.to_string())
            .join(", "),
    );
    assert_eq!(row.trim(), expected);
    let rights = Rights { tasks: &[7], drivers: &[255, 127] };
    let mut marks = vec![Default::default(); other.length()];
    Structure::new(other, rights, &mut marks).run().expect("its structure is right");
}

/// The example with some of its texts changed: file, from, to.
fn with(name: &str, changes: &[(&str, &str, &str)]) -> Result<Project, BuildError> {
    let place = std::env::temp_dir().join(format!("beryl-slots-{name}-{}", std::process::id()));
    let example = place.join("landing");
    let helicopter = place.join("helicopter");
    std::fs::create_dir_all(&example).expect("a folder");
    std::fs::create_dir_all(&helicopter).expect("a folder");
    for name in ["beryl.toml", "land.tdl"] {
        std::fs::copy(folder().join(name), example.join(name)).expect("a copy");
    }
    let program = "helicopter.tdl";
    std::fs::copy(folder().join("../helicopter").join(program), helicopter.join(program)).expect("a copy");
    for (file, from, to) in changes {
        let text = std::fs::read_to_string(example.join(file)).expect("a text");
        assert!(text.contains(from), "{file} has no {from}");
        std::fs::write(example.join(file), text.replacen(from, to, 1)).expect("written");
    }
    let project = Project::load(&example, Variant::default());
    std::fs::remove_dir_all(&place).expect("removed");
    project
}

/// What is said of the example with a text changed.
fn changed(name: &str, file: &str, from: &str, to: &str) -> String {
    let error = with(name, &[(file, from, to)]).expect_err("it is wrong");
    let handler = miette::NarratableReportHandler::new();
    let mut words = String::new();
    handler.render_report(&mut words, &error).expect("words");
    words
}

/// What the target would say of the other program.
fn checked(project: &Project) -> Result<Accepted, Refused> {
    proof::check(project, 0, &project.alternatives[0])
}

/// The example with another mode in its other program, in which so much more is done on entering it.
fn with_another_mode(name: &str, entering: &str) -> Project {
    let mode = format!(
        "    actuator [freq = 2] rotor := land.command;
    mode [freq = 1] if is_level(attitude) then touching;
  }}
  mode touching [period = 40ms] {{{entering}
    task     [freq = 4] navigate(gps, attitude, land.command);
    actuator [freq = 1] if is_level(attitude) then rotor := land.command;
    mode [freq = 1] landing;
  }}"
    );
    let project = with(
        name,
        &[
            (
                "land.tdl",
                "    actuator [freq = 2] rotor := land.command;
  }",
                &mode,
            ),
            (
                "beryl.toml",
                "[slot.Helicopter]",
                "[driver.is_level]\nprocess = \"control\"\nworst = \"50us\"\n\n[slot.Helicopter]",
            ),
        ],
    );
    project.expect("it is right")
}

#[test]
fn a_program_with_modes_and_guards_is_accepted() {
    let project = with_another_mode("modes", "");
    let accepted = checked(&project).expect("accepted");
    assert!(!accepted.is_certified, "guards are outside of what a certificate can speak of");
}

#[test]
fn what_is_done_on_entering_a_mode_is_checked_as_part_of_its_instant() {
    let plain = with_another_mode("entered", "");
    let entering = "\n    actuator [entering] if is_level(attitude) then rotor := {0.0, 0.0};";
    let project = with_another_mode("entering", entering);
    assert!(checked(&project).is_ok());
    // What is enough for a program without it isn't for one with it.
    let enough = (1..).map(|most| most * 100).find(|most| {
        let project = plain.clone().with(|system| system.supplies[0].most = *most);
        checked(&project).is_ok()
    });
    let most = enough.expect("it is accepted");
    let refused = checked(&project.with(|system| system.supplies[0].most = most));
    assert!(matches!(refused, Err(Refused::Heavy(_))), "{refused:?}");
}

#[test]
fn programs_that_arrive_have_the_handlers_of_their_tasks() {
    let on_miss = "[task.navigate]\non_miss = { outputs = \"initial\", set = \"rotor\" }\n";
    let project = with("handlers", &[("beryl.toml", "[task.navigate]\n", on_miss)]).expect("it is right");
    for program in project.programs.iter().chain(&project.alternatives) {
        let handler = usize::from(program.handler.expect("a handler"));
        let code = program.code[handler..].iter().filter_map(|word| Instruction::decode(*word));
        let names = code.filter_map(|instruction| match instruction {
            Instruction::Call { driver } => Some(project.assembly.drivers[driver.index()].name.as_str()),
            _ => None,
        });
        assert_eq!(names.collect::<Vec<_>>(), ["initial navigate.motion", "rotor"]);
        // Nothing is late in what a certificate speaks of, so the handler is none of its business.
        assert!(proof::check(&project, 0, program).expect("accepted").is_certified);
    }
    // 17 drivers, and the module may name all of them.
    let table = tables::tables(&project).text;
    assert!(table.contains("rights: Rights { tasks: &[7], drivers: &[255, 255, 1] }"), "{table}");
    // Who makes up for releases enters where the task completes, which only the image's program could know.
    let catch_up = "[task.navigate]\non_miss = { catch_up = 1 }\n";
    let error = with("owed", &[("beryl.toml", "[task.navigate]\n", catch_up)]).expect_err("it has a slot");
    let mut words = String::new();
    miette::NarratableReportHandler::new().render_report(&mut words, &error).expect("words");
    assert!(words.contains("releases of task `navigate` can't be made up for"), "{words}");
}

#[test]
fn programs_for_a_slot_are_certified_and_checked_in_fewer_steps() {
    let project = landing();
    let mut steps = Vec::new();
    for program in project.programs.iter().chain(&project.alternatives) {
        let bare = Program { certificate: Vec::new(), ..program.clone() };
        let [with, without] = [program, &bare].map(|one| proof::check(&project, 0, one).expect("accepted"));
        assert!(with.is_certified && !without.is_certified, "{}", program.module);
        // A busy period, and the first deadline behind which nothing is due any more.
        assert_eq!(program.certificate, [410_390, 164_239], "{}", program.module);
        // docs/reference/system-code.md tells these.
        steps.push((program.module.as_str(), with.steps, without.steps));
    }
    assert_eq!(steps, [("Helicopter", 163, 237), ("Helicopter", 330, 368)]);
}

/// What a less urgent thread holds is lost to the module, and a program that has no time for that is refused.
#[test]
fn programs_are_checked_with_what_others_hold() {
    let held = |name: &str, hold: &str| {
        let semaphore = format!("[semaphore.shared]\nkind = \"binary\"\nhold = \"{hold}\"\n\n[mailbox.line]");
        let changes = [
            ("beryl.toml", "[task.navigate]", "[task.navigate]\nuses = [\"shared\"]"),
            ("beryl.toml", "\"line.receive\", \"sent\"]", "\"line.receive\", \"sent\", \"shared\"]"),
            ("beryl.toml", "[mailbox.line]", &semaphore),
        ];
        with(name, &changes).expect("it is a system")
    };
    // In this system nothing is lost but to instants, which are 10 ms apart, 250,000 ticks of 40 ns, and to
    // what is less urgent.
    let lost = |project: &Project| -> Loss {
        let losses = &project.supplies[0].losses;
        assert_eq!(losses.len(), 1);
        losses[0]
    };
    let [short, twice] = ["100us", "200us"].map(|time| held("briefly_held", time));
    let [none, one, two] = [&landing(), &short, &twice].map(lost);
    assert_eq!((one.period, one.is_in_step, two.worst - one.worst), (250_000, true, 2_500));
    // The call that passes it on, with three steps that it may leave over; and every step is longer by a
    // semaphore that may be walked.
    let more = one.worst - none.worst;
    assert_eq!(more, 8_984, "2500 ticks are the section itself");
    assert!(checked(&short).is_ok());
    assert!(checked(&held("long_held", "3ms")).is_err());
}

/// No program without a certificate is taken, so the kernel has nothing that carries programs out.
#[test]
fn a_slot_may_want_a_certificate() {
    let want = ("beryl.toml", "size = \"1k\"", "size = \"1k\"\ncheck = \"certificate\"");
    let project = with("certified", &[want]).expect("it is right");
    assert!(checked(&project).expect("it has one").is_certified);
    let bare = Program { certificate: Vec::new(), ..project.alternatives[0].clone() };
    assert_eq!(proof::check(&project, 0, &bare), Err(Refused::Uncertified));
    let text = |project: &Project| tables::tables(project).text;
    let (any, certified) = (text(&landing()), text(&project));
    assert!(
        any.contains("rooms: 2048, check_words: 256,\n") && any.contains("certified_only: false"),
        "{any}"
    );
    let sizes = "rooms: 2048, check_words: 256, certified_only: true,\n";
    assert!(
        certified.contains(sizes) && certified.contains("threads: 0, certified_only: true, grain"),
        "{certified}"
    );
    let wrong =
        with("uncertain", &[(want.0, want.1, "size = \"1k\"\ncheck = \"none\"")]).expect_err("no such check");
    let mut words = String::new();
    miette::NarratableReportHandler::new().render_report(&mut words, &wrong).expect("words");
    assert!(words.contains("the choices: `any`, `certificate`"), "{words}");
}

/// A busy period that isn't one, and a supply that has less than the certificate was made for.
#[test]
fn a_certificate_that_does_not_hold_is_refused() {
    let project = landing();
    let mut program = project.alternatives[0].clone();
    program.certificate[0] = 1;
    assert_eq!(proof::check(&project, 0, &program), Err(Refused::Certificate { rank: 0, number: 0 }));
    let project = project.with(|system| system.supplies[0].losses[0].worst *= 4);
    assert!(matches!(checked(&project), Err(Refused::Certificate { rank: 0, .. })));
    assert_eq!(proof::certified(&project, 0, &program), [0; 0]);
}

#[test]
fn a_certificate_for_which_a_slot_has_no_room_is_left_out() {
    let project = with("room", &[("beryl.toml", "size = \"1k\"", "size = \"540\"")]).expect("it is right");
    let containers = containers(&project);
    let written: Vec<_> =
        containers.iter().map(|(name, bytes)| (name.as_str(), bytes[3], bytes.len())).collect();
    assert_eq!(written, [("helicopter.bsc", b'3', 450), ("land.bsc", b'1', 538)]);
    assert!(!checked(&project).expect("accepted").is_certified);
}

#[test]
fn a_program_whose_instants_take_more_than_was_counted_is_refused() {
    let project = landing();
    assert!(checked(&project).is_ok());
    let project = project.with(|system| system.supplies[0].most = 13_000);
    // With phases and the drivers around them, the second call of a process, 6300, is one too much.
    assert_eq!(checked(&project), Err(Refused::Heavy(7)));
}

#[test]
fn tasks_of_a_slot_have_an_order() {
    let placed = |priorities: [u8; 3]| {
        // The only line of each task that no other one has is that of its name.
        let rows = [
            "[task.navigate]\n",
            "[task.control]\n",
            "[task.land]                     # only land.tdl releases it\n",
        ];
        let texts = rows
            .into_iter()
            .zip(priorities)
            .map(|(row, priority)| (row, format!("{row}priority = {priority}\n")));
        let texts: Vec<_> = texts.collect();
        let policy = ("name = \"flight\"\npolicy = \"dynamic\"", "name = \"flight\"\npolicy = \"fixed\"");
        let texts = texts.iter().map(|(from, to)| ("beryl.toml", *from, to.as_str()));
        let changes: Vec<_> = [("beryl.toml", policy.0, policy.1)].into_iter().chain(texts).collect();
        with("order", &changes)
    };
    assert!(placed([3, 2, 1]).is_ok());
    let error = placed([3, 2, 2]).expect_err("nobody knows who goes first");
    let mut words = String::new();
    miette::NarratableReportHandler::new().render_report(&mut words, &error).expect("words");
    assert!(
        words.contains("tasks `control` and `land` of a module with a slot have the same priority"),
        "{words}"
    );
}

#[test]
fn what_does_not_go_with_the_image_is_said() {
    for (name, file, from, to, expected) in [
        ("task", "land.tdl", "estimate := {0.0", "estimate := {1.0", "task `navigate` isn't the one"),
        ("sensor", "land.tdl", "uses read_attitude", "uses read_gyro", "sensor `attitude` isn't the one"),
        ("actuator", "land.tdl", "{9.81, 0.0} uses", "{9.8, 0.0} uses", "actuator `rotor` isn't the one"),
        ("module", "land.tdl", "module Helicopter", "module Plane", "land.tdl has no module `Helicopter`"),
        ("slot", "beryl.toml", "[slot.Helicopter]", "[slot.Helicopte]", "there is no object `Helicopter`"),
        ("size", "beryl.toml", "size = \"1k\"", "size = \"1021\"", "rooms of 1021 bytes"),
        ("file", "beryl.toml", "land.tdl\"]", "lend.tdl\"]", "lend.tdl can't be read"),
    ] {
        let words = changed(name, file, from, to);
        assert!(words.contains(expected), "{name}: {words}");
    }
}

/// Outputs for which programs of a slot may wait.
#[test]
fn a_slot_may_name_ports_for_which_programs_wait() {
    let named = |ports: &str| format!("size = \"1k\"\nports = [{ports}]");
    let words = changed("ports", "beryl.toml", "size = \"1k\"", &named("\"navigate.motoin\""));
    assert!(words.contains("can't wait for `navigate.motoin`: there is no such output"), "{words}");
    assert!(words.contains("did you mean `navigate.motion`?"), "{words}");
    let array = with("array", &[("beryl.toml", "size = \"1k\"", &named("\"control.command\""))]);
    let array = array.unwrap_or_else(|error| panic!("{error:?}"));
    let held: Vec<_> = array.assembly.ports.iter().map(|port| array.assembly.held(port)).collect();
    assert_eq!(held, [beryl_kernel::Held::Bytes(8)], "two numbers");

    let example = folder().join("../sampler");
    let project = Project::load(&example, Variant::default()).expect("the example is right");
    let names: Vec<_> = project.assembly.ports.iter().map(|port| port.name.as_str()).collect();
    assert_eq!((names, project.assembly.event_triggers()), (vec!["steer.volume"], 2));
    let said = |texts: Vec<(&str, Vec<(&str, &str)>)>| refused_sampler(&example, texts);
    // More than the kernel compares.
    let zeros = format!("output int[17] volume := {{{}}}", ["0"; 17].join(", "));
    let long = vec![("output int volume := 0", zeros.as_str())];
    let words = said(vec![("sampler.tdl", vec![]), ("stream.tdl", long), ("beryl.toml", vec![])]);
    let expected = "`steer.volume` of type `int[17]` can't be looked at: it has 68 bytes, and the kernel compares up to 64";
    assert!(words.contains(expected), "{words}");
    // One name, and two outputs that have it.
    let texts = vec![
        ("sampler.tdl", vec![]),
        (
            "stream.tdl",
            vec![("task count", "public task sample"), ("total", "bottles"), ("] count();", "] sample();")],
        ),
        (
            "beryl.toml",
            vec![
                ("[task.sample]", "[task.\"Sampler.sample\"]"),
                ("[task.count]", "[task.\"Stream.sample\"]"),
                ("steer.volume", "sample.bottles"),
            ],
        ),
    ];
    let words = said(texts);
    assert!(words.contains("write `Sampler.sample.bottles` or `Stream.sample.bottles`"), "{words}");
}

/// What is said of the sampler with some of its texts changed.
fn refused_sampler(example: &Path, texts: Vec<(&str, Vec<(&str, &str)>)>) -> String {
    static COPIES: AtomicUsize = AtomicUsize::new(0);
    let copy = COPIES.fetch_add(1, Ordering::Relaxed);
    let place = std::env::temp_dir().join(format!("beryl-slots-sampler-{}-{copy}", std::process::id()));
    std::fs::create_dir_all(&place).expect("a folder");
    for (file, changes) in texts {
        let text = std::fs::read_to_string(example.join(file)).expect("a text");
        let text = changes.iter().fold(text, |text, (from, to)| text.replace(from, to));
        std::fs::write(place.join(file), text).expect("written");
    }
    let error = Project::load(&place, Variant::default()).expect_err("it is refused");
    std::fs::remove_dir_all(&place).expect("removed");
    let mut words = String::new();
    miette::NarratableReportHandler::new().render_report(&mut words, &error).expect("words");
    words
}
