//! Native functions in C: the lift, part of it in C, moves as it does in Rust, on both machines.

use std::fs;
use std::path::PathBuf;

use common::{TWIN, beryl, change, folder, left, left_text, lock, root};

mod common;

const IN_C: &str = "[c]\nsources = [\"cabin.c\", \"door.c\"]\nfunctions = [\"drive_impl\", \"must_travel\", \"ring_impl\", \
                    \"is_calm\", \"read_gap\", \"set_leaf\"]\n\n[board]";

/// The lift with its cabin in C.
fn lift(name: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for (from, file) in [("examples/lift", "beryl.toml"), ("examples/lift", "lift.tdl")] {
        fs::copy(root().join(from).join(file), system.join(file)).expect("a copy");
    }
    for file in ["cabin.c", "door.c", "limits.h"] {
        fs::copy(root().join("cli/tests/c").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"lift\"", &format!("name = {name:?}"));
    for part in ["app", "shaft"] {
        change(&description, &format!("= {part:?}"), &format!("= \"../../../../examples/lift/{part}\""));
    }
    change(&description, "[board]", IN_C);
    system
}

#[test]
fn a_lift_in_c_moves_as_one_in_rust() {
    let _locks = [lock("lift"), lock("lift_in_c")];
    let system = lift("lift_in_c");
    beryl(&["sim", &common::example("lift"), "--for", "20s"]).ended(0);
    let said = beryl(&["run", &system.display().to_string(), "--for", "20s"]).ended(0);
    let last = "lift_in_c: 854 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    let in_rust = left_text("lift", "sim.recording");
    let in_c = [TWIN, "mps2-an385"].map(|machine| left_text("lift_in_c", &format!("{machine}.recording")));
    assert_eq!([in_rust.replace("lift", "lift_in_c"), in_c[1].clone()], [in_c[0].clone(), in_c[0].clone()]);
    // The functions of the application have the same names; these were called.
    let symbols = fs::read(folder().join("build/lift_in_c/cabin.elf")).expect("a program");
    assert!(
        symbols.windows(7).any(|window| window == b"cabin.c"),
        "its debugging information names the source"
    );
}

/// Systems of the conformance suite, with their functions as `cli/tests/c` has them in C.
const TWINS: [(&str, &str); 10] = [
    ("mailbox", "burst impatient reader taker"),
    ("endpoint", "server asker eager passer"),
    ("conditions", "filler waiting moody opener passing"),
    ("event_groups", "readying gathering hasty keeping"),
    ("timeouts", "notifier waiter waits_for_any sleeper"),
    ("shared", "publisher follower latecomer halves onlooker"),
    ("inheritance", "low middle top producer consumer"),
    ("tasks", "blend_impl single_impl noting leveller show_single"),
    ("slots", "changer"),
    ("turns", "listener"),
];

/// In how many shares they have their turn.
const SHARES: usize = 4;

/// A system of the suite with its functions in C, under its own name: so both have the same trace.
fn twin(name: &str, functions: &str) -> String {
    let from = root().join("conformance").join(name);
    let system = folder().join("systems/in_c").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for file in [format!("{name}.tdl"), "beryl.toml".to_owned()] {
        if from.join(&file).exists() {
            fs::copy(from.join(&file), system.join(&file)).expect("a copy");
        }
    }
    for file in [format!("{name}.c"), "work.h".to_owned()] {
        fs::copy(root().join("cli/tests/c").join(&file), system.join(&file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "application = \"../app\"", "application = \"../../../../../conformance/app\"");
    let functions: Vec<_> = functions.split(' ').collect();
    let in_c = format!("[c]\nsources = [\"{name}.c\"]\nfunctions = {functions:?}\n\n[board]");
    change(&description, "[board]", &in_c);
    change(&description, &format!("name = {name:?}"), &format!("name = \"{name}_in_c\""));
    system.display().to_string()
}

/// Threads, tasks and drivers in C do on both machines what those in Rust do, event by event; in the
/// simulation to the byte. So they do for another processor.
#[test]
fn objects_in_c_are_used_as_in_rust() {
    let _lock = lock("in_c");
    let twins = beryl_testing::whose_turn(TWINS, SHARES);
    let mut suite = String::new();
    for (name, functions) in &twins {
        suite += &format!(
            "[[system]]\nfolder = {:?}\nfor = \"61ms\"\nshows = \"C\"\ncompare = \"all\"\n",
            twin(name, functions)
        );
    }
    let path = folder().join("in_c.toml");
    fs::write(&path, suite).expect("written");
    let path = path.display().to_string();
    beryl(&["conformance", &path, "--board", "virt"]).ended(0);
    beryl(&["conformance", &path]).ended(0);
    for (name, _) in twins {
        let _lock = lock(&format!("{name}_in_rust"));
        let rust = root().join("conformance").join(name).display().to_string();
        let ran = beryl(&["sim", &rust, "--for", "61ms", "--times", "best", "--unchecked"]);
        assert!(ran.code == Some(0) || ran.code == Some(1), "{ran:?}");
        let rust = left(name, "sim.trace");
        let c = left("conformance", &format!("{name}_in_c/sim.trace"));
        assert!(rust == c && rust.len() > 2_000, "{name}: {} and {} bytes", rust.len(), c.len());
    }
}

/// A system without a line of Rust that has a supervisor: it hears what the one in Rust does, event by event.
#[test]
fn a_supervisor_in_c_hears_what_one_in_rust_does() {
    let _locks = [lock("warden"), lock("warden_in_c")];
    let system = folder().join("systems/warden_in_c");
    fs::create_dir_all(&system).expect("a folder");
    for (from, file) in [
        ("examples/warden", "beryl.toml"),
        ("examples/warden", "warden.tdl"),
        ("cli/tests/c/warden", "warden.c"),
    ] {
        fs::copy(root().join(from).join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"warden\"", "name = \"warden_in_c\"");
    change(&description, "application = \"app\"\n", "");
    change(&description, "[board]", "[c]\nsources = [\"warden.c\"]\n\n[board]");
    beryl(&["sim", &common::example("warden"), "--for", "200ms"]);
    let system = system.display().to_string();
    beryl(&["sim", &system, "--for", "200ms"]);
    let [rust, c] = ["warden", "warden_in_c"].map(|name| left(name, "sim.trace"));
    assert!(rust == c && rust.len() > 1_000, "{} and {} bytes", rust.len(), c.len());
    for board in ["mps2-an385", "virt"] {
        // What virt takes for its kernel leaves too little for the proof.
        let said = beryl(&["run", &system, "--board", board, "--for", "200ms", "--unchecked"]);
        let same = format!("actuator writes, identical on sim and {board};");
        assert!(said.out.contains(&same), "{said:?}");
    }
}

#[test]
fn a_change_of_a_port_is_an_error_of_the_c_compiler() {
    let _lock = lock("lift_c_port");
    let system = lift("lift_c_port");
    let place = "struct Place { int cabin; int wanted; }";
    let changes = [
        (
            "state int strokes := 0;",
            "state long strokes := 0;",
            "door.c",
            "conflicting types for 'ring_impl'",
        ),
        (place, "struct Place { int height; int wanted; }", "cabin.c", "no member named 'cabin'"),
        (
            "must_travel(place, gap)",
            "must_travel(place, gap, 5)",
            "cabin.c",
            "conflicting types for 'must_travel'",
        ),
    ];
    for (from, to, file, expected) in changes {
        fs::copy(root().join("examples/lift/lift.tdl"), system.join("lift.tdl")).expect("a copy");
        change(&system.join("lift.tdl"), from, to);
        let what = format!("compiling {file} failed");
        for command in ["sim", "build"] {
            let ran = beryl(&[command, &system.display().to_string()]);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            let said = ran.err.replace(['‘', '’'], "'");
            let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(said.contains(&what) && said.contains(expected), "{command}: {said}");
        }
    }
}
