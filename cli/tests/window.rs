//! A process that uses the environment needs its device: who lacks it is told before anything runs, and what is proposed
//! helps.

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, assert_recorded, beryl, change, folder, lock};

mod common;

const DEVICES: &str = "devices = [\"environment\"]";

/// A system that `beryl new` makes, with something else in place of the device.
fn without_device(name: &str, made: &[&str], instead: &str) -> PathBuf {
    let place = folder().join("window").join(name);
    let _ = fs::remove_dir_all(&place);
    beryl(&[&["new", place.to_str().expect("a path")], made].concat()).ended(0);
    change(&place.join("beryl.toml"), DEVICES, instead);
    place
}

fn run(arguments: &[&str], place: &Path) -> Ran {
    let words = [&["--color", "never"], arguments, &[place.to_str().expect("a path")]].concat();
    beryl(&words)
}

/// What is refused, without what was printed and done before.
fn refused(ran: Ran) -> String {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let said = ran.everything();
    said.find("beryl::").map(|begin| said[begin..].to_owned()).unwrap_or_else(|| panic!("{said}"))
}

#[test]
fn a_function_that_plainly_uses_the_environment_is_found_by_check() {
    let _lock = lock("window_plain");
    for (name, made, instead, typed) in [
        ("plain", &["--template", "controller"] as &[_], "", DEVICES),
        (
            "plain_beside",
            &["--template", "controller"],
            "devices = [\"timer0\"]",
            "devices = [\"timer0\", \"environment\"]",
        ),
        ("plain_empty", &["--template", "controller"], "devices = []", DEVICES),
        ("plain_in_c", &["--lang", "c"], "", DEVICES),
    ] {
        let place = without_device(name, made, instead);
        let said = refused(run(&["check"], &place));
        assert_recorded(&format!("window/{name}.txt"), &said);
        for command in ["sim", "build"] {
            assert_eq!(refused(run(&[command], &place)), said, "{command}");
        }
        let description = place.join("beryl.toml");
        let head = if name == "plain_in_c" { "[process.lamp]" } else { "[process.tank]" };
        match instead.is_empty() {
            true => change(&description, head, &format!("{head}\n{typed}")),
            false => change(&description, instead, typed),
        }
        assert_eq!(run(&["check"], &place).code, Some(0), "{name}");
    }
}

/// The getter's call is behind another function: its text doesn't tell, the linked code does, on each board.
#[test]
fn what_only_linked_code_shows_is_found_by_build_and_run() {
    let _lock = lock("window_linked");
    let place = without_device("linked", &["--template", "controller"], "");
    let code = place.join("app/src/lib.rs");
    change(
        &code,
        "    environment::read(LEVEL, level);\n}",
        "    through(level);\n}\n\nfn through(level: &mut i32) {\n    environment::read(LEVEL, level);\n}",
    );
    change(&code, "    environment::write(PUMP, pump);", "    let _ = (PUMP, pump);");
    assert_eq!(run(&["check"], &place).code, Some(0));
    let said = refused(run(&["build"], &place));
    assert_recorded("window/linked.txt", &said);
    assert_eq!(refused(run(&["run", "--for", "100ms"], &place)), said);
    assert!(refused(run(&["build", "--board", "virt"], &place)).contains("add `environment` to `devices`"));
    change(&place.join("beryl.toml"), "[process.tank]", &format!("[process.tank]\n{DEVICES}"));
    assert_eq!(run(&["build"], &place).code, Some(0));
}

/// A getter that asks a device of its own needs no other: what the crate has beside doesn't count unless it is linked.
#[test]
fn who_never_looks_at_the_window_needs_no_device() {
    let _lock = lock("window_unused");
    let place = without_device("unused", &["--template", "controller"], "");
    let code = place.join("app/src/lib.rs");
    change(
        &code,
        "    environment::read(LEVEL, level);\n}",
        "    *level = 1;\n}\n\n/// For others.\npub fn unused(level: &mut i32) {\n    environment::read(LEVEL, level);\n}",
    );
    change(&code, "    environment::write(PUMP, pump);", "    let _ = (PUMP, pump);");
    for command in [&["check"] as &[_], &["build"], &["build", "--board", "virt"]] {
        assert_eq!(run(command, &place).code, Some(0), "{command:?}");
    }
}
