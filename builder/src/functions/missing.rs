//! What can't be linked, found without compiling anything: crates that aren't there, and functions and types whose names
//! stand nowhere in the sources.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_table::{Table, TableError};
use miette::SourceSpan;

use super::misfits::{Misfit, Misfits};
use super::{Kind, needed, versions};
use crate::description::{Problem, closest};
use crate::environment::is_table;
use crate::error::BuildError;
use crate::project::Project;

/// How much text is looked at before a crate is called too large to say anything about it.
const MOST: u64 = 16 << 20;

/// Checks that the crates of a system are there, and that each function and type that it names may be in them.
///
/// A name that stands nowhere in a crate's sources is refused, unless the crate has macros of its own, includes texts, or
/// passes on all of another crate: then only the compiler knows.
///
/// # Errors
/// All functions, or all types, that can't be found; before those the first crate.
pub fn check(project: &Project) -> Result<(), BuildError> {
    let system = &project.description.system;
    let table = system.environment.as_ref().filter(|name| is_table(&name.value));
    if let Some(table) = table {
        check_table(project, &table.value, table.place)?;
    }
    let environment = system.environment.as_ref().filter(|_| table.is_none());
    let named = [Some(&system.application), environment];
    for crate_of in named.into_iter().flatten() {
        let manifest = project.folder.join(&crate_of.value).join("Cargo.toml");
        if !manifest.is_file() {
            return Err(no_crate(project, &crate_of.value, crate_of.place));
        }
        versions::check(project, &crate_of.value, crate_of.place)?;
    }
    let rust = Sources::of(&project.folder.join(&system.application.value).join("src"));
    let in_c: Vec<_> =
        project.description.c.sources.iter().map(|file| project.folder.join(&file.value)).collect();
    let c = Sources::read(in_c);
    let mut misfits = Misfits::of(project);
    for needed in needed(project) {
        let (sources, home) = match needed.kind {
            Kind::FunctionInC => (&c, "no source in C".to_owned()),
            Kind::Function | Kind::Type => {
                (&rust, format!("nothing in crate `{}`", system.application.value))
            }
        };
        if sources.lack(&needed.name) {
            let message = format!("{home} is called `{}`", needed.name);
            let help = match (sources.closest(&needed.name), needed.kind) {
                (Some(close), Kind::Function | Kind::FunctionInC) => format!("did you mean `{close}`?"),
                (None, Kind::FunctionInC) => {
                    "define it in a file of `sources` in [c], as its header in build/ declares it".to_owned()
                }
                (None, Kind::Function) => format!("write\n  {} {{ ... }}", needed.head),
                (_, Kind::Type) => format!("write\n  {}", needed.head),
            };
            let (kind, named, label) = (needed.kind, needed.named, "it isn't there");
            misfits.add(&needed.name, Misfit { kind, named, message, label, help });
        }
    }
    misfits.told()
}

fn no_crate(project: &Project, name: &str, place: SourceSpan) -> BuildError {
    let folder = project.folder.join(name);
    let what = if folder.is_dir() { "has no Cargo.toml" } else { "isn't there" };
    BuildError::Description(project.description.alone(Problem {
        code: "beryl::builder::crate",
        place,
        message: format!("crate `{name}` {what}"),
        label: what.to_owned(),
        help: "name the folder of a crate, relative to this file; `beryl new` makes a system with one".into(),
    }))
}

/// Checks that a table is there and can be read, and that its interrupts are lines of the board.
fn check_table(project: &Project, name: &str, place: SourceSpan) -> Result<(), BuildError> {
    let path = project.folder.join(name);
    if !path.is_file() {
        return Err(no_table(project, name, place));
    }
    let wrong = |message: String, help: String| {
        BuildError::Description(project.description.alone(Problem {
            code: "beryl::builder::table",
            place,
            message,
            label: "this table".to_owned(),
            help: help.into(),
        }))
    };
    let table = Table::read(&path).map_err(|error| {
        let error = TableError { file: Some(name.into()), ..error };
        wrong(error.to_string(), "mend it there: it is read when a run begins".to_owned())
    })?;
    let lines = project.description.board.board.value.lines;
    match table.interrupts().find(|(_, line)| line.0 >= lines) {
        None => Ok(()),
        Some((_, line)) => Err(wrong(
            format!("table `{name}` raises interrupt {}, which this board doesn't have", line.0),
            format!("its lines are 0 to {}", lines.saturating_sub(1)),
        )),
    }
}

fn no_table(project: &Project, name: &str, place: SourceSpan) -> BuildError {
    BuildError::Description(project.description.alone(Problem {
        code: "beryl::builder::table",
        place,
        message: format!("there is no table `{name}`"),
        label: "it isn't there".to_owned(),
        help:
            "name a file of sensor values, relative to this file; its heading is as in `time, 0 int`".into(),
    }))
}

/// The texts of a crate, or of files in C.
struct Sources {
    text: String,
    /// Whether names may come from elsewhere, or there is too much text.
    is_open: bool,
}

impl Sources {
    fn of(folder: &Path) -> Sources {
        let mut files = Vec::new();
        collect(folder, &mut files, 0);
        Sources::read(files)
    }

    fn read(files: Vec<PathBuf>) -> Sources {
        let length = |file: &PathBuf| fs::metadata(file).map_or(0, |known| known.len());
        if files.iter().map(length).sum::<u64>() > MOST {
            return Sources { text: String::new(), is_open: true };
        }
        let texts: Vec<_> = files.iter().map(fs::read_to_string).collect();
        let is_open = texts.is_empty() || texts.iter().any(Result::is_err);
        let text: String = texts.into_iter().flatten().map(|text| text + "\n").collect();
        let is_open = is_open || names_others(&text);
        Sources { text, is_open }
    }

    /// The name of a function here that resembles another.
    fn closest(&self, name: &str) -> Option<&str> {
        let words: Vec<_> = self.text.split_whitespace().collect();
        let named = words.windows(2).filter(|pair| pair[0] == "fn").map(|pair| pair[1]);
        let known: Vec<_> = named.filter_map(|text| text.split(['(', '<']).next()).collect();
        closest(name, &known)
    }

    /// Whether nothing of that name can be here.
    fn lack(&self, name: &str) -> bool {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        !self.is_open && !self.text.split(|letter| !is_word(letter)).any(|word| word == name)
    }
}

/// Whether names may come from what isn't in a text: from macros, texts that are included, all of another crate.
fn names_others(text: &str) -> bool {
    let passed_on = |rest: &str| rest.split(';').next().is_some_and(|names| names.contains('*'));
    let signs = ["macro_rules!", "include!", "#include"];
    signs.iter().any(|sign| text.contains(sign)) || text.split("pub use ").skip(1).any(passed_on)
}

/// The files with Rust in a folder. Nobody nests modules deeper.
fn collect(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) {
    const DEEPEST: usize = 16;
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && depth < DEEPEST {
            collect(&path, files, depth + 1);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sources, names_others};

    fn sources(text: &str) -> Sources {
        Sources { text: text.to_owned(), is_open: false }
    }

    #[test]
    fn a_name_is_a_whole_word() {
        let some = sources("pub fn set_lamp(on: &u8) {}\npub use other::get as read_lamp;");
        assert!(!some.lack("set_lamp") && !some.lack("read_lamp"));
        assert!(some.lack("lamp") && some.lack("set_lamps"));
    }

    #[test]
    fn who_can_not_know_says_nothing() {
        assert!(names_others("pub use other::{some::*, more};") && names_others("macro_rules! define {}"));
        assert!(!names_others("pub use other::one;\nuse super::*;\nlet a = b * c;"));
        assert!(!Sources::read(Vec::new()).lack("anything"), "no file is there to look at");
        let macros = Sources { is_open: true, ..sources("") };
        assert!(!macros.lack("anything"));
    }
}
