//! `beryl fmt` gives timing programs their one layout, and never half of it.

use std::fs;
use std::path::PathBuf;

use common::{beryl, folder, root};

mod common;

const UNTIDY: &str = "module M{start mode m[period=1ms]{}} // a\n";
const TIDY: &str = "module M { start mode m [period = 1ms] { } }  // a\n";

/// A folder of its own for each test, with these files.
fn with_files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = folder().join("fmt").join(name);
    fs::remove_dir_all(&path).ok();
    fs::create_dir_all(&path).expect("a folder");
    files.iter().for_each(|(file, text)| fs::write(path.join(file), text).expect("written"));
    path
}

#[test]
fn a_folder_is_formatted_once() {
    let system = with_files("once", &[("one.tdl", UNTIDY), ("two.tdl", TIDY), ("notes.txt", UNTIDY)]);
    let path = system.display().to_string();
    let read = |file: &str| fs::read_to_string(system.join(file)).expect("readable");
    let said = beryl(&["fmt", "--check", &path]).ended(1);
    assert_eq!(said, format!("{path}/one.tdl would change\n"));
    assert_eq!(read("one.tdl"), UNTIDY, "only looked at");
    let said = beryl(&["fmt", &path]).ended(0);
    assert_eq!(said, format!("{path}/one.tdl changed\n"));
    assert_eq!([read("one.tdl"), read("two.tdl"), read("notes.txt")], [TIDY, TIDY, UNTIDY]);
    for arguments in [vec!["fmt", &path], vec!["fmt", "--check", &path]] {
        assert_eq!(beryl(&arguments).ended(0), "2 files in good order\n");
    }
}

#[test]
fn a_program_that_cannot_be_read_leaves_all_as_they_are() {
    let system =
        with_files("wrong", &[("a.tdl", UNTIDY), ("b.tdl", "module M { start mode m [period = 1ms] { }")]);
    let ran = beryl(&["fmt", &system.display().to_string()]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("b.tdl:1:10") && ran.err.contains("add the missing `}`"), "{ran:?}");
    assert_eq!(fs::read_to_string(system.join("a.tdl")).expect("readable"), UNTIDY);
}

#[test]
fn what_is_not_there_is_said() {
    let empty = with_files("empty", &[]).display().to_string();
    for (path, expected) in
        [(empty.as_str(), "holds no timing program"), ("nowhere.tdl", "can't read nowhere.tdl")]
    {
        let ran = beryl(&["fmt", path]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.err.contains(expected), "{ran:?}");
    }
    assert_eq!(beryl(&["fmt"]).code, Some(2), "the command line is wrong");
}

#[test]
fn machines_are_told_every_file() {
    let system = with_files("json", &[("one.tdl", UNTIDY), ("two.tdl", TIDY)]);
    let ran = beryl(&["fmt", "--check", "--json", &system.display().to_string()]);
    let objects: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let changes: Vec<_> = objects.iter().map(|object| object["changes"].as_bool()).collect();
    assert_eq!((ran.code, changes), (Some(1), vec![Some(true), Some(false)]));
}

#[test]
fn the_examples_have_their_layout() {
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(root().join("examples")).expect("the examples") {
        folders.push(entry.expect("readable").path());
    }
    folders.retain(|path| path.is_dir());
    let has_program = |folder: &PathBuf| {
        let mut files = fs::read_dir(folder).expect("readable");
        files.any(|file| file.expect("readable").path().extension().is_some_and(|kind| kind == "tdl"))
    };
    let folders = folders.iter().filter(|folder| has_program(folder)).map(|one| one.display().to_string());
    let folders: Vec<_> = folders.collect();
    assert!(folders.len() >= 4, "{folders:?}");
    for folder in folders {
        beryl(&["fmt", "--check", &folder]).ended(0);
    }
}
