//! Worlds in C: the environment of an application without a line of Rust, in the simulation and beside emulated boards.

use std::fs;
use std::path::PathBuf;

use common::{Ran, beryl, change, copy, folder, left_text, lock, root};

mod common;

/// The system with a bell, under a name of its own.
fn bell(name: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    copy(&root().join("cli/tests/c/world"), &system);
    change(&system.join("beryl.toml"), "name = \"world\"", &format!("name = {name:?}"));
    system
}

/// What a command comes to with that system, for as long as ten strokes take.
fn ran(command: &str, system: &str, options: &[&str]) -> Ran {
    beryl(&[&[command, system, "--for", "52ms", "--unchecked"], options].concat())
}

#[test]
fn a_world_in_c_answers_the_simulation_and_every_board() {
    let _lock = lock("world_of_a_bell");
    let folder = bell("world_of_a_bell");
    let system = folder.display().to_string();
    // The tenth value: sines have the same bits on all machines.
    // And who knocks is served as the bell is.
    let report = "it rang 10 times, 8 knocks, and -544 came back of -544";
    let said = ran("sim", &system, &[]).ended(0);
    assert!(said.contains(report), "{said}");
    for board in ["mps2-an385", "virt"] {
        // The bell's line is no device's, so it has the same number on each board.
        change(&folder.join("beryl.toml"), "name = \"mps2-an385\"", &format!("name = {board:?}"));
        let said = ran("run", &system, &["--live"]).ended(0);
        assert!(said.contains(&format!("On {board}\n  {report}\n")), "{said}");
        change(&folder.join("beryl.toml"), &format!("name = {board:?}"), "name = \"mps2-an385\"");
    }
}

/// Each run has a world of its own, so searching and exploring, which make many in one program, find each as it begins.
#[test]
fn each_run_has_a_world_that_is_new() {
    let _lock = lock("world_anew");
    let system = bell("world_anew");
    change(
        &system.join("bell.c"),
        "    bell->value = 1;\n",
        "    if (bell->seen != 0 || bell->value != 0) {\n        return \"not new\";\n    }\n    bell->value = 1;\n",
    );
    let said = ran("sim", &system.display().to_string(), &["--search", "seeds", "--tries", "4"]);
    assert!(said.code == Some(0) && !said.everything().contains("not new"), "{said:?}");
}

/// The tank in C is the tank in Rust, to the bit.
#[test]
fn a_tank_in_c_is_filled_as_the_one_in_rust() {
    let _locks = [lock("tank_in_rust"), lock("tank_in_c")];
    let base = folder().join("systems/tanks");
    fs::remove_dir_all(&base).ok();
    fs::create_dir_all(&base).expect("a folder");
    let recordings = [("tank_in_rust", "rust"), ("tank_in_c", "c")].map(|(name, language)| {
        let system = base.join(name).display().to_string();
        beryl(&["new", &system, "--template", "controller", "--lang", language]).ended(0);
        let said = beryl(&["sim", &system]).ended(0);
        assert!(said.contains("the level is 99.0 mm"), "{said}");
        left_text(name, "sim.recording").replace(name, "tank")
    });
    assert!(recordings[0].lines().count() > 1_000);
    assert_eq!(recordings[0], recordings[1]);
}

#[test]
fn what_is_wrong_with_a_world_is_told() {
    let _lock = lock("world_gone_wrong");
    let changes = [
        ("", "", "it rang 10 times", 0),
        // It says itself that it doesn't begin, and that the system didn't do what it should.
        ("seed == 13 ?", "seed != 13 ?", "error: thirteen brings bad luck", 1),
        ("bell->heard == bell->value;", "bell->heard != bell->value;", "it rang 10 times", 1),
        // It lacks what each has, or has what nobody asks.
        ("void world_write(", "static void write(", "the world in C has no `world_write`", 1),
        ("const size_t world_size", "static const size_t size", "the world in C has no `world_size`", 1),
        ("bool world_interrupt(", "bool world_interrupts(", "no previous prototype for", 1),
        // It has another form than the header says.
        (
            "uint16_t *line) {\n    (void)bell;",
            "uint32_t *line) {\n    (void)bell;",
            "conflicting types for",
            1,
        ),
    ];
    for (from, to, expected, code) in changes {
        let system = bell("world_gone_wrong");
        change(&system.join("bell.c"), from, to);
        let said = ran("sim", &system.display().to_string(), &[]);
        assert!(said.everything().contains(expected) && said.code == Some(code), "{to}: {said:?}");
    }
    let system = bell("world_gone_wrong");
    change(&system.join("beryl.toml"), "\"bell.c\"", "\"gong.c\"");
    let said = beryl(&["check", &system.display().to_string()]).everything();
    assert!(said.contains("there is no world `gong.c`"), "{said}");
}
