//! Every proposal of the recorded diagnostics about descriptions is typed, and helps: what it is about is
//! gone, and nothing of its kind comes instead. What can't be typed as it stands is advice, and listed here
//! with the reason.

use std::collections::BTreeSet;
use std::fs;

use super::descriptions;
use beryl_builder::description::Description;

/// Advice, by how it begins, under the reason why there is nothing to type.
const ADVICE: &[(&str, &[&str])] = &[
    (
        "the name or path that was meant, only the author knows",
        &[
            "a name has letters",
            "give the core another name",
            "add `application = ",
            "add `band = \"...\"`",
            "add `cmake = ",
            "add `deadline = \"...\"`",
            "add `functions = ",
            "add `process = ",
            "add `target = ",
            "add `timing = ",
            "give one of ",
            "the things that are held: ",
            "write a name in quotation marks",
            "write a text in quotation marks",
            "write a list: ",
            "write order = ",
            "write the path as seen",
            "write the line of a device",
        ],
    ),
    (
        "which thread or object it is for, only the author knows",
        &[
            "add \"",
            "it is there if thread",
            "add `node = ...` with one of left",
            "leave `node` out",
            "leave its limit out",
            "leave it out at one of them",
            "leave one of them",
            "the known ones: `mps2-an385`",
            "the known ones: `left`",
            "the known ones: `one`",
            "the objects: `orders`",
            "write one of `core = ",
            "write what is meant for it into [board]",
            "add `group = ",
            "leave it out, or write `early = \"drop\"`",
            "leave it out, with its parameter",
            "let a thread of another process do so",
            "let a thread of its own process do so",
            "name another thread, or leave it out",
            "serve the endpoint in a [thread.name]",
        ],
    ),
    (
        "a whole table is missing or stands in the place of a value: what belongs into it isn't known",
        &[
            "a table starts with [name]",
            "a task of a module is written",
            "add [c] with",
            "add a band with its name",
            "add one of response",
            "add the table ",
            "everything runs in a process",
            "write [",
            "write `core = ",
            "write `node = ",
            "write a table",
        ],
    ),
    (
        "the times that are true, only the author knows",
        &[
            "add `period`, the least distance",
            "add `read_within`",
            "add `within = ",
            "add `on_fault = \"restart\"` and `restarts",
            "add the least distance of two writes",
            "correct one of the two",
            "exchange the two",
            "write a jitter below the deadline",
            "write a multiple of 32, at most 256k",
            "write a positive multiple of four",
            "write the longest time that it takes",
        ],
    ),
    (
        "how urgent a thread shall be, only the author knows",
        &["write the least and the most urgent priority"],
    ),
    ("how much goes into a queue or a pool, only the author knows", &["add `size = ", "the keys: `count`"]),
    ("how much a client may ask, only the author knows", &["say how much it may ask"]),
    (
        "it takes another design: several places have to change together",
        &[
            "add `partition = \"...\"` to bands",
            "add two or more [node.NAME]",
            "put its processes on another core",
            "put both processes on one core, or let",
            "rename the task here and in its timing program",
            "put its users on one core",
            "put its users on one node",
            "join regions",
            "leave it out, so that the band may always",
            "make a [group.x] with a budget of its own",
            "pass it on by a message",
            "take the policy \"dynamic\" or \"fixed\"",
            "write a longer frame, or leave the window out",
            "leave out the depths, or the slot",
            "join some of the processes",
            "join some of the semaphores",
            "leave `period`, `jitter` and `catch_up` out",
            "leave `slice` out, or write `schedule",
            "leave the type out and put the data",
            "make two assertions of it",
            "native drivers have their own",
            "put it into a process without a budget",
            "leave `on_overrun` of the process out",
            "leave `on_overrun` out, or put the thread into",
            "give the thread without jobs a lower priority",
            "send it in parts",
            "share the work among several",
            "take a [semaphore.name]",
            "take a band whose policy",
            "take a fixed band, or another process",
        ],
    ),
];

/// Code and message of each that is said.
fn said(text: &str) -> Vec<(&'static str, String)> {
    let read = Description::parse("beryl.toml", text);
    let diagnostics = read.err().into_iter().flat_map(|all| all.iter().cloned().collect::<Vec<_>>());
    diagnostics.map(|one| (one.problem().code, one.problem().message.clone())).collect()
}

#[test]
fn each_proposal_helps_when_it_is_typed() {
    let (mut tried, mut wrong) = (0, String::new());
    let (mut used, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for path in descriptions("wrong") {
        let text = fs::read_to_string(&path).expect("it can be read");
        let before = said(&text);
        let diagnostics = Description::parse("beryl.toml", &text).expect_err("a wrong description");
        for problem in diagnostics.iter().map(|one| one.problem()) {
            for edit in problem.help.proposals() {
                let mut typed = text.clone();
                let begin = edit.place.offset();
                typed.replace_range(begin..begin + edit.place.len(), &edit.text);
                let after = said(&typed);
                let count =
                    |all: &[(&str, String)]| all.iter().filter(|(code, _)| *code == problem.code).count();
                let is_gone = count(&after) < count(&before);
                tried += 1;
                if !is_gone {
                    let (name, help) = (path.display(), &problem.help);
                    wrong += &format!("{name}: {help} ({edit:?}) gives {after:?}\n");
                }
            }
            if problem.help.proposals().is_empty() {
                let help = problem.help.to_string();
                let begins = ADVICE.iter().flat_map(|(_, begins)| *begins);
                match begins.into_iter().find(|begin| help.starts_with(**begin)) {
                    Some(begin) => drop(used.insert(*begin)),
                    None => drop(unknown.insert(help)),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(tried > 70, "only {tried} proposals were typed");
    assert!(unknown.is_empty(), "these propose nothing to type, and nobody says why: {unknown:#?}");
    let idle: Vec<_> =
        ADVICE.iter().flat_map(|(_, begins)| *begins).filter(|one| !used.contains(*one)).collect();
    assert!(idle.is_empty(), "no help begins so any more: {idle:?}");
}
