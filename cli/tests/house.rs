//! The house: arrows between crates point down only, and unsafe code stays in the rooms that are for it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each crate may depend on. A crate that isn't here may not exist.
const ARROWS: &[(&str, &[&str])] = &[
    ("abi", &[]),
    ("syscode", &["abi"]),
    ("kernel", &["abi", "syscode"]),
    ("ports/cortex-m", &["abi", "kernel"]),
    ("boards/mps2-an385", &["abi", "kernel", "ports/cortex-m"]),
    ("boards/mps2-an385/faults/app", &["user"]),
    ("user", &["abi"]),
    ("sim", &["abi", "kernel", "user"]),
    ("timing", &[]),
    ("analysis", &[]),
    ("trace", &["abi"]),
    (
        "builder",
        &["abi", "syscode", "kernel", "ports/cortex-m", "boards/mps2-an385", "timing", "analysis", "trace"],
    ),
    ("cli", &["abi", "syscode", "timing", "analysis", "trace", "builder"]),
    ("bench", &["abi", "kernel", "builder", "trace", "bench/path"]),
    ("bench/path", &[]),
    ("bench/system/app", &["user"]),
    ("examples/helicopter/app", &["user"]),
    ("examples/helicopter/plant", &["abi", "sim"]),
    ("examples/overload/app", &["user"]),
    ("examples/stray/app", &["user"]),
];

/// Crates whose code may be unsafe, each block with its argument. `examples/stray` is wrong on purpose.
const UNSAFE: &[&str] = &[
    "ports/cortex-m",
    "boards/mps2-an385",
    "user",
    "bench/system/app",
    "boards/mps2-an385/faults/app",
    "examples/stray/app",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(folder: &str) -> toml::Table {
    let path = root().join(folder).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn members() -> Vec<String> {
    let members = manifest(".")["workspace"]["members"].clone();
    members
        .as_array()
        .expect("a list")
        .iter()
        .map(|member| member.as_str().expect("a path").to_owned())
        .collect()
}

fn package(folder: &str) -> String {
    manifest(folder)["package"]["name"].as_str().expect("a name").to_owned()
}

#[test]
fn arrows_between_crates_point_down() {
    let members = members();
    let folders: BTreeMap<_, _> = members.iter().map(|folder| (package(folder), folder.as_str())).collect();
    for folder in &members {
        let (_, allowed) = ARROWS
            .iter()
            .find(|(name, _)| name == folder)
            .unwrap_or_else(|| panic!("`{folder}` has no place in the house"));
        let manifest = manifest(folder);
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for name in dependencies.into_iter().flat_map(toml::Table::keys) {
            if let Some(target) = folders.get(name) {
                assert!(allowed.contains(target), "`{folder}` may not depend on `{target}`");
            }
        }
    }
}

#[test]
fn the_kernel_depends_on_nothing_but_abi_and_syscode() {
    for folder in ["abi", "syscode", "kernel"] {
        let manifest = manifest(folder);
        let names: BTreeSet<_> =
            manifest["dependencies"].as_table().expect("a table").keys().map(String::as_str).collect();
        let allowed = BTreeSet::from(["beryl-abi", "beryl-syscode", "crc32fast"]);
        assert!(names.is_subset(&allowed), "{folder}: {names:?}");
    }
}

#[test]
fn unsafe_code_is_forbidden_outside_of_its_rooms() {
    for folder in members() {
        if UNSAFE.contains(&folder.as_str()) || folder == "sim" {
            continue;
        }
        let source = root().join(&folder).join("src");
        let roots: Vec<_> =
            ["lib.rs", "main.rs"].iter().map(|name| source.join(name)).filter(|path| path.exists()).collect();
        assert!(!roots.is_empty(), "{folder} has no root");
        for path in roots {
            let text = fs::read_to_string(&path).expect("readable");
            assert!(
                text.contains("#![forbid(unsafe_code)]"),
                "{} doesn't forbid unsafe code",
                path.display()
            );
        }
    }
}

#[test]
fn the_simulator_is_unsafe_in_its_fiber_host_only() {
    let mut folders = vec![root().join("sim/src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("readable") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            let uses = text.lines().any(|line| {
                let code = line.split("//").next().unwrap_or_default();
                ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"]
                    .iter()
                    .any(|form| code.contains(form))
            });
            seen += usize::from(uses);
            assert!(
                !uses
                    || path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("fiber")),
                "{}",
                path.display()
            );
        }
    }
    assert!(seen > 0, "the fiber host has unsafe code, so this test must have seen some");
}
