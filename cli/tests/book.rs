//! The book: its samples are a system that runs, and the tests that it names are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, beryl, folder, lock, root};

mod common;

const CHAPTER: &str = include_str!("../../docs/04-threads-and-what-they-share.md");

/// The fenced blocks of a kind, in order.
fn blocks(kind: &str) -> Vec<String> {
    let fence = format!("```{kind}");
    let mut lines = CHAPTER.lines();
    let mut found = Vec::new();
    while lines.by_ref().any(|line| line == fence) {
        let block = lines.by_ref().take_while(|line| *line != "```");
        found.push(block.map(|line| format!("{line}\n")).collect());
    }
    assert!(!found.is_empty(), "the chapter has no {kind}");
    found
}

/// The system that the chapter's samples make together. Each piece of Rust is a module of its own, so that a reader may
/// copy it as it stands.
fn system() -> PathBuf {
    let system = folder().join("systems/book");
    let source = system.join("app/src");
    fs::create_dir_all(&source).expect("a folder");
    fs::write(system.join("beryl.toml"), blocks("toml").join("\n")).expect("a description");
    let user = root().join("user");
    let manifest = format!(
        "[package]\nname = \"book\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nberyl-user = {{ path = {user:?} }}\n"
    );
    fs::write(system.join("app/Cargo.toml"), manifest).expect("a manifest");
    let mut library = "#![no_std]\n#![forbid(unsafe_code)]\n#![deny(warnings)]\n".to_owned();
    for (number, block) in blocks("rust").into_iter().enumerate() {
        fs::write(source.join(format!("sample_{number}.rs")), block).expect("a sample");
        library += &format!("\nmod sample_{number};\npub use sample_{number}::*;\n");
    }
    fs::write(source.join("lib.rs"), library).expect("a library");
    system
}

/// What stands under a title.
fn console<'a>(ran: &'a Ran, title: &str) -> Vec<&'a str> {
    let lines = ran.out.lines().skip_while(|line| *line != title).skip(1);
    lines.map(str::trim).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_samples_of_the_chapter_on_threads_are_a_system() {
    let _lock = lock("book");
    let system = system().display().to_string();
    let said = beryl(&["check", &system]).ended(0);
    for line in blocks("check").concat().lines() {
        assert!(said.lines().any(|found| found == line), "check doesn't say {line:?}: {said}");
    }
    let ran = beryl(&["run", &system, "--for", "100ms", "--to", "100ms"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let expected = blocks("console").concat();
    let expected: Vec<_> = expected.lines().collect();
    for title in ["Simulation", "On mps2-an385"] {
        assert_eq!(console(&ran, title), expected, "{title}: {ran:?}");
    }
}
