//! What is proposed to a process that lacks the environment's device, typed: then it has it, beside all that it had.

use std::fs;
use std::path::Path;

use beryl_builder::description::Description;
use beryl_builder::error::BuildError;
use beryl_builder::functions::window::{has_device, lacking};
use beryl_builder::{Project, Variant};

#[test]
fn the_proposal_gives_the_device_whatever_else_the_process_has() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/helicopter");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window");
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(example.join("helicopter.tdl"), folder.join("helicopter.tdl")).expect("a copy");
    let right = fs::read_to_string(example.join("beryl.toml")).expect("a text");
    let line = "devices = [\"environment\"]";
    assert_eq!(right.matches(line).count(), 2, "{right}");
    for (devices, expected) in [
        ("", &["environment"] as &[_]),
        ("devices = []", &["environment"]),
        ("devices = [\"timer0\"]", &["timer0", "environment"]),
        ("devices = [\n  \"uart0\",\n  'timer0', # the last\n]", &["uart0", "timer0", "environment"]),
    ] {
        let text = right.replacen(line, devices, 1);
        fs::write(folder.join("beryl.toml"), &text).expect("written");
        let project = Project::load(&folder, Variant::default()).expect("it can be read");
        assert!(!has_device(&project, 0) && has_device(&project, 1));
        let BuildError::Description(told) = lacking(&project, 0, "a test") else { panic!("{devices}") };
        let problems: Vec<_> = told.iter().map(|one| one.problem().clone()).collect();
        let [problem] = &problems[..] else { panic!("{problems:?}") };
        let [edit] = problem.help.proposals() else { panic!("{problem:?}") };
        let mut typed = text.clone();
        let begin = edit.place.offset();
        typed.replace_range(begin..begin + edit.place.len(), &edit.text);
        let read =
            Description::parse("beryl.toml", &typed).unwrap_or_else(|wrong| panic!("{typed}: {wrong:?}"));
        let names: Vec<_> = read.processes[0].devices.iter().map(|device| device.value.name).collect();
        assert_eq!(names, expected, "{devices}");
    }
}
