//! The crates of a system: where they can't be had, don't compile or don't fit, it is told, and nothing is left behind.

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, assert_recorded, beryl, change, copy, finish, folder, lock, masked, program};

mod common;

const DESCRIPTION: &str = "beryl.toml";
const MANIFEST: &str = "app/Cargo.toml";
const SOURCE: &str = "app/src/lib.rs";

/// A copy of the tank, with something changed, under a name of its own; nothing of an earlier run is left.
fn tank(name: &str, (file, from, to): (&str, &str, &str)) -> PathBuf {
    let system = folder().join("crates").join(name);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crates/tank"), &system);
    change(&system.join(DESCRIPTION), "name = \"tank\"", &format!("name = {name:?}"));
    change(&system.join(file), from, to);
    for products in ["build", "out"] {
        fs::remove_dir_all(folder().join(products).join(name)).ok();
    }
    system
}

/// Runs a command on a system, with lines so long that none is broken.
fn told(command: &str, system: &Path) -> Ran {
    let system = system.display().to_string();
    finish(program(&[command, &system]).env("COLUMNS", "1000").env("CARGO_TERM_COLOR", "never"))
}

fn assert_refused(name: &str, ran: &Ran) {
    assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
    assert!(!ran.err.contains("panicked"), "{name}: {}", ran.err);
    assert!(!folder().join("out").join(name).exists(), "{name} left results");
    assert!(!folder().join("build").join(name).join("image.bin").exists(), "{name} left an image");
}

/// The diagnostic alone, without what was being done before it.
fn diagnostic(ran: &Ran) -> String {
    let lines: Vec<_> = ran.err.lines().filter(|line| !line.ends_with(" ...")).collect();
    masked(&lines.join("\n"))
}

#[test]
fn the_tank_is_right_as_it_is() {
    let _lock = lock("tank");
    let system = tank("tank", (SOURCE, "", "")).display().to_string();
    beryl(&["sim", &system, "--for", "100ms"]).ended(0);
    beryl(&["build", &system]).ended(0);
}

#[test]
fn crates_that_can_not_be_had() {
    let application = "application = \"app\"";
    let cases = [
        ("no_application", (DESCRIPTION, application, "application = \"apq\"")),
        ("no_environment", (DESCRIPTION, application, "application = \"app\"\nenvironment = \"sea\"")),
        ("no_package", (MANIFEST, "name = \"tank\"\n", "")),
        ("no_manifest", (MANIFEST, "[package]", "[package")),
    ];
    for (name, changed) in cases {
        let name = format!("tank_{name}");
        let ran = told("sim", &tank(&name, changed));
        assert_refused(&name, &ran);
        assert_recorded(&format!("crates/{name}.txt"), &diagnostic(&ran));
    }
}

/// Which function of the crate isn't as the program calls it, found by looking for its name, and by both ways of compiling.
#[test]
fn crates_that_do_not_compile() {
    let _lock = lock("tank_does_not_compile");
    let name = "tank_does_not_compile";
    let cases = [
        (
            "pub fn hold_impl",
            "pub fn hodl_impl",
            ["is called `hold_impl`", "did you mean `hodl_impl`?", "tank.tdl:"],
        ),
        (
            "level: &i32,",
            "level: &i64,",
            ["isn't what the system calls", "pub fn hold_impl(level: &i64, opening: &mut i32)", "tank.tdl:"],
        ),
    ];
    for (from, to, parts) in cases {
        for command in ["sim", "build"] {
            let ran = told(command, &tank(name, (SOURCE, from, to)));
            assert_refused(name, &ran);
            for part in parts {
                assert!(ran.err.contains(part), "{command} says nothing of {part:?}: {}", ran.err);
            }
        }
    }
}

/// Limits that only linked programs show.
#[test]
fn crates_that_do_not_fit() {
    let _lock = lock("tank_does_not_fit");
    let function = "pub fn hold_impl(level: &i32, opening: &mut i32) {\n";
    let counters = "use core::sync::atomic::{AtomicU32, Ordering};\n\n\
                    static SEEN: [AtomicU32; 17] = [const { AtomicU32::new(0) }; 17];\n\n";
    let count = "    SEEN[(*level & 15) as usize].fetch_add(1, Ordering::Relaxed);\n";
    let table = "static CURVE: [u8; 65536] = [7; 65536];\n\n";
    let look = "    if CURVE[(*level & 0xFFFF) as usize] == 0 {\n        return;\n    }\n";
    let cases = [
        ("too_many_variables", counters, count, "memory = \"64\""),
        ("too_large_for_the_flash", table, look, "flash = \"64k\""),
    ];
    for (name, item, statement, limit) in cases {
        let name = format!("tank_{name}");
        let system = tank(&name, (SOURCE, function, &format!("{item}{function}{statement}")));
        let ran = told("build", &system);
        assert_refused(&name, &ran);
        assert_recorded(&format!("crates/{name}.txt"), &diagnostic(&ran));
        // The number that it names is enough.
        let help = ran.err.lines().find(|line| line.contains("help: ")).expect("a help");
        let enough = help.split('"').nth(1).expect("a number");
        let key = limit.split_once(" = ").expect("a key").0;
        change(&system.join(DESCRIPTION), limit, &format!("{key} = \"{enough}\""));
        beryl(&["build", &system.display().to_string()]).ended(0);
    }
}

/// A system that was well and no longer is keeps the image that it had, whole.
#[test]
fn a_failed_build_leaves_the_last_image_alone() {
    let _lock = lock("tank_rebuilt");
    let name = "tank_rebuilt";
    let system = tank(name, (SOURCE, "", ""));
    beryl(&["build", &system.display().to_string()]).ended(0);
    let image = || fs::read(folder().join("build").join(name).join("image.bin")).expect("an image");
    let before = image();
    change(&system.join(SOURCE), "opening: &mut i32", "opening: &mut f32");
    assert_eq!(told("build", &system).code, Some(1));
    assert_eq!(image(), before);
}
