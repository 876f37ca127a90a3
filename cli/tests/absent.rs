//! What the documents say isn't there, isn't: each sentence stands here with a check that fails once it is.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::board::{BOARDS, Board};

use common::{beryl, root};

mod common;

/// A document's sentence, and whether it still holds.
type Absent = (&'static str, fn() -> bool);

const README: [Absent; 3] = [
    (
        "waiting inside of jobs for conditions, mailboxes, event groups and notifications counted by the proof: `check` says where",
        || {
            let suite = root().join("conformance/mailbox").display().to_string();
            beryl(&["check", &suite]).out.contains("waiting inside of jobs isn't counted")
        },
    ),
    ("a real board", || are_emulated(&ALL_BOARDS)),
    ("other protection units than those of Armv7-M, Armv8-M and RISC-V", || {
        folders("kernel/ports") == ["cortex-m", "riscv"]
    }),
];

const CAVEATS: [Absent; 3] = [
    ("No code here has run on silicon.", || are_emulated(&ALL_BOARDS)),
    ("There is no pipeline, no wait state, no cache", || are_emulated(&ALL_BOARDS)),
    (
        "Of waits that come back owning a semaphore, all but the end of a job have no form in C, and no thread raises an interrupt",
        || {
            let source = fs::read_to_string(root().join("user/src/c.rs")).expect("a source");
            ["receive_then", "until_then"].iter().all(|word| !source.contains(word))
        },
    ),
];

/// The folders of boards, and of what some have in common.
const ALL_BOARDS: [&str; 8] =
    ["emulated", "mps2", "mps2-an385", "mps2-an386", "mps2-an505", "mps2-an521", "stm32f405", "virt"];

/// Whether these are all boards, what some have in common among them, and an emulator is told to be each of them.
fn are_emulated(all: &[&str]) -> bool {
    let is_emulated = |board: &Board| board.emulated.first() == Some(&"-M");
    folders("kernel/boards") == *all && BOARDS.iter().all(is_emulated)
}

/// The folders in a folder, by name.
fn folders(of: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(of)).expect("a folder").map(|entry| entry.expect("readable"));
    let names = entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    // What reads the code of ports is none, and what they have in common isn't either.
    let mut names: Vec<_> = names.filter(|name| !["code", "common"].contains(&name.as_str())).collect();
    names.sort();
    names
}

/// A document as one line.
fn document(name: &str) -> String {
    let text = fs::read_to_string(root().join(name)).expect("a document");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_said_not_to_be_there_is_not_there() {
    for (name, list) in [("README.md", &README[..]), ("CAVEATS.md", &CAVEATS)] {
        let text = document(name);
        for (sentence, holds) in list {
            assert!(text.contains(sentence), "{name} doesn't say any more: {sentence}");
            assert!(holds(), "{name} says what isn't so any more: {sentence}");
        }
    }
}

#[test]
fn what_the_front_page_lists_as_lacking_has_its_checks() {
    let text = fs::read_to_string(root().join("README.md")).expect("the page");
    let (_, rest) = text.split_once("Not yet:\n").expect("a list");
    let (list, _) = rest.split_once("Not intended:").expect("its end");
    let items: Vec<_> = list
        .split("\n- ")
        .skip(1)
        .map(|item| item.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(items, README.map(|(sentence, _)| sentence));
}

/// How sentences deny something.
const DENIALS: [&str; 9] = [
    "there is no ",
    "there is none",
    "there are no ",
    "there are none",
    "has no form",
    "have no form",
    "can't",
    "cannot",
    " yet",
];

/// Denials, and what holds each: document, a part of the sentence, and a test, a refused program or a file in
/// backquotes; or `a meaning`, of one that explains a word and denies nothing that could come to be.
const STATED: &str = include_str!("absent/stated.txt");

/// The documents that say how things are. Decisions say how they were.
fn documents() -> Vec<String> {
    let mut files =
        ["README.md", "CAVEATS.md", "CONTRIBUTING.md", "bench/README.md"].map(str::to_owned).to_vec();
    let examples = folders("examples").into_iter().map(|example| format!("examples/{example}"));
    for folder in
        ["docs", "docs/reference", "docs/measurements"].map(str::to_owned).into_iter().chain(examples)
    {
        let entries =
            fs::read_dir(root().join(&folder)).expect("a folder").map(|entry| entry.expect("readable"));
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        files.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    files
}

/// The sentences of a document, without samples and what is made; a row of a table is one.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences: Vec<String> = vec![String::new()];
    let (mut is_sample, mut is_made) = (false, false);
    for line in text.lines() {
        let line = line.trim();
        is_sample ^= line.starts_with("```");
        is_made |= line.starts_with("<!-- table: ") || line.starts_with("<!-- figures");
        is_made &= !line.starts_with("<!-- end");
        let begins = line.is_empty() || ["- ", "#", "|", "<!--"].iter().any(|first| line.starts_with(first));
        if is_sample || begins {
            sentences.push(String::new());
        }
        if is_sample || is_made || line.starts_with("<!--") {
            continue;
        }
        let parts: Vec<_> =
            if line.starts_with('|') { vec![line] } else { line.split_inclusive(". ").collect() };
        for part in parts {
            let last = sentences.last_mut().expect("there is one");
            *last += &format!("{} ", part.trim());
            if part.ends_with(". ") || part.ends_with('.') {
                sentences.push(String::new());
            }
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

fn denies(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    DENIALS.iter().any(|denial| {
        let ends = |behind: &str| !behind.starts_with(|letter: char| letter.is_alphabetic());
        let mut found = sentence.match_indices(denial);
        found.any(|(place, denial)| denial.ends_with(' ') || ends(&sentence[place + denial.len()..]))
    })
}

/// What may hold a denial: the names of tests, of programs and descriptions that are refused, and of files.
struct Holding {
    code: String,
    refused: Vec<String>,
}

impl Holding {
    fn read() -> Holding {
        let mut code = String::new();
        let mut refused = Vec::new();
        for path in files(&root()) {
            let path = path.display().to_string();
            if path.ends_with(".rs") {
                code += &fs::read_to_string(&path).expect("a source");
            } else if let Some((_, name)) = path.split_once("/wrong/") {
                refused.push(name.split(['.', '/']).next().unwrap_or_default().to_owned());
            }
        }
        Holding { code, refused }
    }

    /// Whether a text names something that holds it.
    fn is_named(&self, text: &str) -> bool {
        let mut words = text.split('`').skip(1).step_by(2).filter(|word| !word.contains(' '));
        words.any(|word| {
            self.refused.iter().any(|name| name == word)
                || word.matches('_').count() >= 3 && self.code.contains(&format!("fn {word}("))
                || word.contains('/') && root().join(word).exists()
        })
    }
}

/// The files of the workspace, without what is built.
fn files(of: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(of).expect("a folder") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match path.is_dir() {
            true if name == "target" || name.starts_with('.') => {}
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

#[test]
fn denials_are_seen() {
    let text = "<!-- table: a -->\n| there is none |\n<!-- end -->\nOne. There is\nno such thing, and it\ncan't be. Not\nyet. Nobody else.\n```\nthere is no\n```\n| a | there are none |\n";
    let found: Vec<_> = sentences(text).into_iter().filter(|sentence| denies(sentence)).collect();
    assert_eq!(found, ["There is no such thing, and it can't be. ", "Not yet. ", "| a | there are none | "]);
}

#[test]
fn nothing_is_denied_without_a_check() {
    let holding = Holding::read();
    let rows: Vec<[&str; 3]> = STATED
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let row: Vec<_> = line.split(" | ").collect();
            row.try_into().unwrap_or_else(|_| {
                panic!("`{line}` isn't document, part of the sentence, and what holds it")
            })
        })
        .collect();
    for [_, part, reason] in &rows {
        let is_held = reason.starts_with("a meaning: ") || holding.is_named(reason);
        assert!(is_held, "`{reason}` names no test, refused program or file that is there: {part}");
    }
    let mut unused: BTreeSet<_> = rows.iter().collect();
    let mut without = Vec::new();
    for name in documents() {
        let text = fs::read_to_string(root().join(&name)).expect("a document");
        // What the front page lacks is a list with a check for each.
        let text = match text.split_once("Not yet:\n") {
            Some((before, rest)) => {
                format!("{before}{}", rest.split_once("Not intended:").expect("its end").1)
            }
            None => text,
        };
        for sentence in sentences(&text).into_iter().filter(|sentence| denies(sentence)) {
            let stated: Vec<_> =
                rows.iter().filter(|[of, part, _]| *of == name && sentence.contains(part)).collect();
            stated.iter().for_each(|row| {
                unused.remove(row);
            });
            let is_listed = name == "CAVEATS.md"
                && CAVEATS
                    .iter()
                    .any(|(known, _)| sentence.contains(known) || known.contains(sentence.trim()));
            if stated.is_empty() && !is_listed && !holding.is_named(&sentence) {
                without.push(format!("{name} | {sentence}"));
            }
        }
    }
    assert!(
        without.is_empty(),
        "name what holds these, there or in cli/tests/absent/stated.txt:\n{}",
        without.join("\n")
    );
    assert!(unused.is_empty(), "no document denies {unused:#?}");
}
