//! What commands leave in `out/`: each its own, and none writes over what another left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use common::{beryl, change, example, folder, lock, root};

mod common;

/// All files in a folder with their contents. The picture of the last timeline is whoever's drew it last.
fn snapshot(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            files.extend(snapshot(&path));
        } else if !path.ends_with("timeline.svg") {
            files.insert(path.display().to_string(), fs::read(&path).expect("readable"));
        }
    }
    files
}

/// The landing, which has whatever a command asks for, under a name of its own.
fn system(name: &str) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    let landing = Path::new(&example("landing")).to_owned();
    for file in ["beryl.toml", "land.tdl", "link.key", "link.pub"] {
        fs::copy(landing.join(file), system.join(file)).expect("a copy");
    }
    let beside = folder().join("systems/helicopter");
    fs::create_dir_all(&beside).expect("a folder");
    fs::copy(landing.join("../helicopter/gust.csv"), beside.join("gust.csv")).expect("a copy");
    let examples = "../../../../examples";
    let description = system.join("beryl.toml");
    change(&description, "name = \"landing\"", &format!("name = {name:?}"));
    change(&description, "\"../helicopter", &format!("\"{examples}/helicopter"));
    change(&description, "\"app\"", &format!("\"{examples}/landing/app\""));
    change(&description, "\"plant\"", &format!("\"{examples}/landing/plant\""));
    system.display().to_string()
}

#[test]
fn no_command_writes_over_what_another_left() {
    const NAME: &str = "several_commands";
    let _lock = lock(NAME);
    let system = system(NAME);
    let results = folder().join("out").join(NAME);
    fs::remove_dir_all(&results).ok();
    let suite = folder().join("several_commands.toml");
    let row = format!("[[system]]\nfolder = {system:?}\nfor = \"100ms\"\nshows = \"files\"\n");
    fs::write(&suite, row).expect("written");
    let suite = suite.display().to_string();
    let trace = results.join("sim.trace").display().to_string();
    let run = results.join("sim.run").display().to_string();
    let length = ["--for", "100ms"];
    let commands: [&[&str]; 12] = [
        &["sim", &system, "--times", "random", "--seed", "7"],
        &["run", &system],
        &["check", &system],
        &["plan", &system],
        &["build", &system],
        &["explore", &system, "--for", "1ms"],
        &["faults", &system, "--runs", "2"],
        &["swap", &system, "land.tdl"],
        &["trace", "record", &system, "--on", "sim"],
        &["conformance", &suite],
        &["trace", "stats", &trace],
        &["sim", "--replay", &run],
    ];
    let mut left = BTreeMap::new();
    for command in commands {
        let timed = ["sim", "run", "faults", "swap"].contains(&command[0]) && command[1] != "--replay";
        let timed = timed || command.contains(&"record");
        let ran = beryl(&[command, if timed { &length[..] } else { &[] }].concat());
        // A swap takes longer than this run.
        assert!(ran.code == Some(0) || command[0] == "swap", "{command:?}: {ran:?}");
        let now = snapshot(&results);
        for (file, content) in &left {
            assert!(now.get(file) == Some(content), "{command:?} has changed {file}");
        }
        left = now;
    }
    assert!(folder().join("out/conformance").join(NAME).join("sim.trace").is_file());
    for look in ["html", "csv", "curves", "perfetto"] {
        beryl(&["trace", look, &trace]).ended(0);
    }
    assert_named(&snapshot(&results));
}

/// Each file has a row in the page about files, by its name or by what that ends with.
fn assert_named(left: &BTreeMap<String, Vec<u8>>) {
    let page = fs::read_to_string(root().join("docs/reference/files-and-variables.md")).expect("the page");
    assert!(left.len() > 20, "{:?}", left.keys());
    for file in left.keys().filter_map(|path| path.rsplit('/').next()) {
        let ends = file.match_indices('.').map(|(at, _)| &file[at..]);
        let is_named = |name: &str| page.contains(&format!("`{name}`"));
        assert!(is_named(file) || ends.into_iter().any(is_named), "no row has {file}");
    }
}
