//! What is surely not meant, and harms nothing, is told, and no reason to refuse a system.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_abi::Duration;
use beryl_builder::assembly::Role;
use beryl_builder::proof::prove;
use beryl_builder::{Project, Variant};
use miette::{Diagnostic, Severity};

/// The helicopter with a task that no mode invokes.
fn system() -> PathBuf {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/helicopter");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("warnings");
    fs::create_dir_all(&folder).expect("a folder");
    let read = |file: &str| fs::read_to_string(example.join(file)).expect("a text");
    let task = "  task spare { output int x := 1; uses spare_impl(x); }\n\n  start mode";
    let program = read("helicopter.tdl").replacen("  start mode", task, 1);
    fs::write(folder.join("helicopter.tdl"), program).expect("written");
    let row = "\n[task.spare]\nprocess = \"control\"\nworst = \"1ms\"\nstack = \"512\"\n";
    fs::write(folder.join("beryl.toml"), read("beryl.toml") + row).expect("written");
    folder
}

#[test]
fn a_task_that_no_mode_invokes_is_a_warning() {
    let project = Project::load(&system(), Variant::default()).expect("it can be built");
    let [warning] = &project.assembly.warnings[..] else { panic!("{:?}", project.assembly.warnings) };
    assert_eq!(warning.severity(), Some(Severity::Warning));
    let said = warning.to_string();
    assert!(said.starts_with("task `spare` is never released: no mode of module "), "{said}");
    assert!(warning.labels().is_some_and(|mut labels| labels.next().is_some()), "it has a place");
    // It takes no time, and the proof is that of the others.
    let proved = prove(&project).expect("time-safe");
    let tasks: Vec<_> =
        proved.proof.bands.iter().flat_map(|band| &band.tasks).map(|task| &task.name).collect();
    assert_eq!(tasks, ["navigate", "control"]);
    let spare = project.assembly.threads.iter().find(|thread| thread.name == "spare").expect("a thread");
    assert!(matches!(&spare.role, Role::Task(task) if task.logical == Duration::FOREVER));
}
