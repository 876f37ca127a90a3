//! Examples with other lines in their descriptions.

use std::fs;
use std::path::PathBuf;

use beryl_builder::toolchain::root;

/// An example with other lines in its description, in a folder of this name.
pub fn changed(example: &str, name: &str, change: impl Fn(&str) -> String) -> PathBuf {
    let from = root().join("examples").join(example);
    let to = root().join("target/e2e/held").join(name);
    fs::create_dir_all(&to).expect("a folder");
    for entry in fs::read_dir(&from).expect("the example") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "tdl") {
            fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    let text = fs::read_to_string(from.join("beryl.toml")).expect("a description");
    let seen_from_there = |text: &str, key: &str| {
        let lines = text.lines().map(|line| match line.strip_prefix(&format!("{key} = \"")) {
            Some(path) => format!("{key} = \"../../../../examples/{example}/{path}"),
            None => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let text = change(&seen_from_there(&seen_from_there(&text, "application"), "environment"));
    fs::write(to.join("beryl.toml"), text).expect("written");
    to
}
