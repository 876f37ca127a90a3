//! What the documents say isn't there, isn't: each sentence stands here with a check that fails once it is.

use std::fs;

use beryl_builder::plan::BOARDS;

use common::{beryl, change, folder, root};

mod common;

/// A document's sentence, and whether it still holds.
type Absent = (&'static str, fn() -> bool);

const README: [Absent; 5] = [
    (
        "waiting inside of jobs for conditions, mailboxes and notifications counted by the proof: `check` says where",
        || {
            let suite = root().join("conformance/mailbox").display().to_string();
            beryl(&["check", &suite]).out.contains("waiting inside of jobs isn't counted")
        },
    ),
    ("partitions, and budgets of threads", || {
        is_refused("[thread.extra]\nbudget = \"1ms\"\n", "budget")
            && is_refused("[partition.extra]\n", "partition")
    }),
    ("a real board; RISC-V beyond compiling the kernel", || {
        folders("boards") == ["mps2-an385"] && BOARDS.len() == 1 && folders("ports") == ["cortex-m"]
    }),
    ("other protection units than that of Armv7-M; several cores", || {
        folders("ports") == ["cortex-m"] && is_refused("[board]\ncores = 2\n", "cores")
    }),
    ("a processor with floating point", || BOARDS.iter().all(|board| board.processor == "cortex-m3")),
];

const CAVEATS: [Absent; 3] = [
    ("No code here has run on silicon.", || folders("boards") == ["mps2-an385"]),
    ("There is no pipeline, no wait state, no cache", || folders("boards") == ["mps2-an385"]),
    (
        "Slots, the trace's reader, the console's device, and waits that come back owning a semaphore have no form in C.",
        || {
            let source = fs::read_to_string(root().join("user/src/c.rs")).expect("a source");
            ["slot", "trace::Trace", "transmit", "wait_then", "until_then"]
                .iter()
                .all(|word| !source.contains(word))
        },
    ),
];

/// The folders in a folder.
fn folders(of: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(of)).expect("a folder").map(|entry| entry.expect("readable"));
    entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Whether a description with something more is refused for a word of it.
fn is_refused(more: &str, word: &str) -> bool {
    let system = folder().join("systems/absent").join(word);
    common::copy(&root().join("conformance/bands"), &system);
    let description = system.join("beryl.toml");
    let section = more.lines().next().expect("a section");
    match section {
        "[board]" => change(&description, "[board]\n", more),
        _ => {
            let text = fs::read_to_string(&description).expect("a description");
            fs::write(&description, format!("{text}\n{more}")).expect("written");
        }
    }
    let ran = beryl(&["check", &system.display().to_string()]);
    ran.code == Some(1) && ran.err.contains(&format!("`{word}`"))
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

/// How sentences begin that deny something.
const DENIALS: [&str; 4] = ["There is no ", "there is no ", "have no form ", "has no form "];

#[test]
fn nothing_is_denied_without_a_check() {
    let text = fs::read_to_string(root().join("README.md")).expect("the page");
    let (_, rest) = text.split_once("Not yet:\n").expect("a list");
    let (list, _) = rest.split_once("Not intended:").expect("its end");
    let items: Vec<_> = list
        .split("\n- ")
        .skip(1)
        .map(|item| item.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(items, README.map(|(sentence, _)| sentence));
    for (name, list) in [("README.md", &README[..]), ("CAVEATS.md", &CAVEATS)] {
        let text = document(name);
        let denials = DENIALS.iter().flat_map(|denial| text.match_indices(denial));
        for (place, denial) in denials {
            let start = text[..place].rfind(['.', '-']).map_or(0, |before| before + 1);
            let sentence = text[start..].split_inclusive(". ").next().unwrap_or_default();
            let is_listed = list.iter().any(|(known, _)| {
                known.contains(denial) && text[place.saturating_sub(120)..].contains(known)
            });
            let names_a_test = sentence.split('`').any(|word| word.matches('_').count() >= 3);
            assert!(is_listed || names_a_test, "{name} denies without a check: {sentence}");
        }
    }
}
