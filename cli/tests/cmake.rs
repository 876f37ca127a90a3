//! Functions in C whose files are a target of CMake's: compiled, checked and run as files that the description names.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use common::places::places_with_floating;
use common::{beryl, change, copy, finish, folder, lock, program, root, told};

mod common;

/// The system under a name of its own.
fn system(name: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    fs::remove_dir_all(&system).ok();
    copy(&root().join("cli/tests/c/cmake"), &system);
    change(&system.join("beryl.toml"), "name = \"cmake\"", &format!("name = {name:?}"));
    system
}

fn sum(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |sum: u32, byte| (sum ^ u32::from(byte)).wrapping_mul(16_777_619))
}

#[test]
fn a_target_does_the_same_on_all_hosts() {
    let _lock = lock("cmake");
    let suite = folder().join("cmake.toml");
    let place = system("cmake");
    let description = place.join("beryl.toml");
    let text = format!(
        "[[system]]\nfolder = \"{}\"\nfor = \"20ms\"\nshows = \"CMake\"\ncompare = \"all\"\n",
        place.display()
    );
    fs::write(&suite, text).expect("written");
    let suite = suite.display().to_string();
    beryl(&["conformance", &suite]).ended(0);
    let expected = |system: &str| {
        let rounds = 0..20_u32;
        let values = rounds.clone().map(|round| round * 3).collect::<Vec<_>>();
        let means =
            (1..=values.len()).map(|end| values[end.saturating_sub(4)..end].iter().sum::<u32>() / 4 + 108);
        BTreeMap::from([
            (1, vec![sum("a \"b\" c"), sum(system), 199_901]),
            (2, rounds.map(|round| (round % 8) * (round % 8)).collect()),
            (3, means.collect()),
        ])
    };
    assert_eq!(told("cmake"), expected("Generic arm mps2-an385"));
    // And where processes are compiled for the processor's floating point.
    let text = fs::read_to_string(&description).expect("the description");
    let text = text.replace("memory = ", "floating = \"hardware\"\nmemory = ");
    fs::write(&description, text).expect("written");
    for board in places_with_floating("CMake") {
        beryl(&["conformance", &suite, "--board", board.name]).ended(0);
    }
    // Another processor is another machine to CMake, which knows nothing of it from before.
    let text = fs::read_to_string(&description).expect("the description");
    fs::write(&description, text.replace("floating = \"hardware\"\n", "")).expect("written");
    beryl(&["conformance", &suite, "--board", "virt"]).ended(0);
    assert_eq!(told("cmake"), expected("Generic riscv32 virt"));
}

#[test]
fn without_cmake_it_is_said_what_is_missing_and_how_to_get_it() {
    let _lock = lock("cmake_missing");
    let place = system("cmake_missing").display().to_string();
    let ran = finish(program(&["check", &place]).env("PATH", "/nowhere"));
    let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "CMake, which knows of what `app` is made, isn't there";
    assert!(
        ran.code == Some(1) && said.contains(told) && said.contains("`apt-get install cmake`"),
        "{ran:?}"
    );
    let doctor = finish(program(&["doctor"]).env("PATH", "/nowhere")).everything();
    assert!(doctor.contains("lacks CMake"), "{doctor}");
    assert!(beryl(&["doctor"]).everything().contains("has   CMake"));
}
