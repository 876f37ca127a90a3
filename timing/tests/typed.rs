//! Every proposal of the recorded diagnostics is typed, and helps: what it is about is gone, and nothing of
//! its kind comes instead. What can't be typed as it stands is advice, and listed here with the reason.

use beryl_timing::help::Edit;
use beryl_timing::{Diagnostics, Place, Source, compile};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Advice, by how it begins, under the reason why there is nothing to type.
const ADVICE: &[(&str, &[&str])] = &[
    (
        "it shows a statement's form with names of its own; what was meant there, only the author knows",
        &[
            "the form is: ",
            "remove the value; the form is: ",
            "a task is invoked by ",
            "declare at least one: `struct Position",
            "numbers are decimal, such as ",
            "give one value an input, in the order of their declaration",
        ],
    ),
    (
        "which of two things is meant to stay, only the author knows",
        &[
            "rename or remove one of the two",
            "give the two functions different names",
            "give both the same fields",
            "call both from one native function",
            "pass each port once",
            "order them, and give each slot to one activation",
            "let one task decide the value",
            "write it once, or let one task decide the value",
            "choose slots at whose ends no task is at work",
            "write `[entering]` alone; if it has to be repeated, too",
            "remove it, and put tasks that read each other into one module",
            "remove it: a module names its own tasks without import",
        ],
    ),
    (
        "what has to be declared or named isn't known",
        &[
            "a native function gets only ports of its task",
            "declare ",
            "name a public task of it",
            "name a field of it, or have a task or a native guard",
            "compare a sensor or the output of a task",
            "conditions are joined by ",
            "move what is known to the other side",
            "let a task decide, and ask its output",
            "task `other` has no outputs: declare one",
            "take a sensor, a constant, or an output",
            "trigger it by another task's output",
            "write `[trigger = uart, priority = 2]` with the name",
            "write `priority = 2`; more is more urgent",
            "write the name of an interrupt",
            "write the numbers of slots",
            "write the value itself",
            "the types are ",
            "write the value, or a constant of this module",
            "write a number or a time, or a constant",
            "import the module that declares the struct",
        ],
    ),
    (
        "it takes another design: several places have to change together",
        &[
            "change one of the two types",
            "give the task fewer inputs",
            "invoke it once with a higher frequency",
            "lay the rows one behind the other",
            "leave the field out",
            "move `struct ",
            "take the whole record",
            "constants are reckoned with ",
            "move `const ",
            "write the list itself",
            "give the inner part a name",
            "use shorter arrays",
            "write the fields of one of the inner structs",
            "write for example `0.0`, or give each use a constant of its own",
            "write for example `0`, or change the type, or give each use a constant",
        ],
    ),
    (
        "the value that was meant isn't known",
        &[
            "choose a shorter name",
            "integers reach to ",
            "use a value ",
            "use the type `double`",
            "write a list for each array",
            "divide by something else",
            "write the result as a number",
            "multiply a time by a number",
            "divide a time by a time",
            "give the number a unit",
            "write a value for each element",
            "names and numbers stand without quotes",
        ],
    ),
];

/// The programs in `wrong/`, with their sources.
fn wrong() -> Vec<(String, Vec<Source>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wrong");
    let paths = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "tdl")).collect();
    paths.sort();
    paths.iter().map(|path| (path.display().to_string(), sources(path))).collect()
}

fn sources(path: &Path) -> Vec<Source> {
    let text = fs::read_to_string(path).expect("a readable program");
    let mut parts = text.split("// file: ");
    let first = parts.next().unwrap_or_default().to_owned();
    let named = |part: &str| part.split_once('\n').map(|(name, text)| (name.to_owned(), text.to_owned()));
    let rest: Vec<_> = parts.filter_map(named).collect();
    let all = if rest.is_empty() { vec![("first.tdl".to_owned(), first)] } else { rest };
    all.into_iter().map(|(name, text)| Source { name, text }).collect()
}

fn typed(sources: &[Source], edit: &Edit<Place>) -> Vec<Source> {
    let mut sources = sources.to_vec();
    let Edit { place, text } = edit;
    sources[place.source].text.replace_range(place.offset..place.offset + place.length, text);
    sources
}

/// Codes and messages of what is said.
fn said(sources: &[Source]) -> Vec<(&'static str, String)> {
    let all = |diagnostics: Diagnostics| {
        let problems = diagnostics.iter().map(|one| (one.problem().code, one.problem().message.clone()));
        problems.collect()
    };
    compile(sources).err().map(all).unwrap_or_default()
}

/// Whether typing it has made one problem of a kind go, and none come.
fn helps(before: &[(&'static str, String)], after: &[(&'static str, String)], code: &str) -> bool {
    let count = |all: &[(&'static str, String)]| all.iter().filter(|(one, _)| *one == code).count();
    count(after) < count(before)
}

#[test]
fn each_proposal_helps_when_it_is_typed() {
    let (mut tried, mut wrong_ones) = (0, String::new());
    for (name, sources) in wrong() {
        let before = said(&sources);
        for diagnostic in compile(&sources).expect_err("a wrong program").iter() {
            let problem = diagnostic.problem();
            for edit in problem.help.proposals() {
                let after = said(&typed(&sources, edit));
                tried += 1;
                if !helps(&before, &after, problem.code) {
                    wrong_ones += &format!("{name}: {} ({edit:?}) gives {after:?}\n", problem.help);
                }
            }
        }
    }
    assert!(wrong_ones.is_empty(), "{wrong_ones}");
    assert!(tried > 100, "only {tried} proposals were typed");
}

#[test]
fn what_proposes_nothing_to_type_is_known_as_advice() {
    let mut used = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    for (_, sources) in wrong() {
        for diagnostic in compile(&sources).expect_err("a wrong program").iter() {
            let help = &diagnostic.problem().help;
            if !help.proposals().is_empty() {
                continue;
            }
            let begins = ADVICE.iter().flat_map(|(_, begins)| *begins);
            match begins.into_iter().find(|begin| help.to_string().starts_with(**begin)) {
                Some(begin) => drop(used.insert(*begin)),
                None => drop(unknown.insert(help.to_string())),
            }
        }
    }
    assert!(unknown.is_empty(), "these helps propose nothing to type, and nobody says why: {unknown:#?}");
    let all = ADVICE.iter().flat_map(|(_, begins)| *begins);
    let idle: Vec<_> = all.filter(|begin| !used.contains(*begin)).collect();
    assert!(idle.is_empty(), "no help begins so any more: {idle:?}");
}
