//! `bench/objects` with more in its description, and what that costs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use beryl_bench::{objects, systems};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};

/// The system under another name, with more lines under the heads of these objects; those of no object come at the end.
pub fn with(name: &str, lines: &[(&str, &str)]) -> PathBuf {
    let folder = root().join("target/e2e").join(name).join("objects");
    fs::create_dir_all(&folder).expect("a folder");
    let text = fs::read_to_string(root().join("bench/objects/beryl.toml")).expect("a description");
    let text = text.replace("name = \"bench_objects\"", &format!("name = \"bench_objects_{name}\""));
    let text = text.replace("application = \"../app\"", "application = \"../../../../bench/app\"");
    let text = lines.iter().fold(text, |text, (object, line)| {
        if object.is_empty() {
            return format!("{text}\n{line}");
        }
        let head = format!("\n[{object}]\n");
        assert!(text.contains(&head), "{object}");
        text.replace(&head, &format!("{head}{line}\n"))
    });
    write_once(&folder.join("beryl.toml"), &text);
    folder
}

/// Writes a file unless it is there: tests with the same system stand side by side, and another one may be reading it.
fn write_once(path: &Path, text: &str) {
    static WRITING: Mutex<()> = Mutex::new(());
    let _alone = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).expect("written");
    }
}

/// Each of these benches takes at most so many instructions more than in the system as it is.
pub fn assert_cost(folder: &Path, more: &[(&str, u64)]) {
    let workshop = Workshop::new(&root());
    let with = Project::load(folder, Variant::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let without = systems::load(systems::OBJECTS).expect("a system");
    let [without, with] =
        [without, with].map(|project| objects::rows_of(&project, &workshop).expect("a run"));
    for (bench, more) in more {
        let [without, with] = [&without, &with]
            .map(|rows| rows.iter().find(|row| row.bench == *bench).expect("a row").figures.median);
        println!("{bench}: {without} without, {with} with");
        assert!(with <= without + more, "{bench}: {with} instead of {without}");
    }
}
