//! What a compiler refuses, told to whoever wrote it: about the user's own files in the compiler's words, and about a
//! function or type that isn't as the glue uses it at the line that names it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use super::misfits::{Misfit, Misfits};
use super::missing::home_in_rust;
use super::{Kind, Named, Needed, needed};
use crate::error::BuildError;
use crate::faulted::seen_from;
use crate::project::Project;
use crate::statements::FILTER;
use crate::workshop::started;

/// By which variable the crates for applications are told how many nanoseconds a tick of the board has.
const TICK: &str = "BERYL_TICK";

/// Runs a cargo that compiles generated crates and those that they link.
///
/// # Errors
/// What it refuses.
pub fn cargo(what: &str, cargo: Command, project: &Project, workspace: &Path) -> Result<(), BuildError> {
    rustc(what, cargo, &[], project, workspace)
}

/// The same for `cargo rustc`, with options for the compiler of what is linked.
///
/// # Errors
/// What it refuses.
pub fn rustc(
    what: &str,
    mut cargo: Command,
    options: &[String],
    project: &Project,
    workspace: &Path,
) -> Result<(), BuildError> {
    cargo.args(["--message-format", "json"]).env(TICK, project.plan.board.tick.get().to_string());
    cargo.env(FILTER, project.description.system.log.filter());
    if !options.is_empty() {
        cargo.arg("--").args(options);
    }
    let output = started(&mut cargo)?;
    if output.status.success() {
        return Ok(());
    }
    Err(Refusal { what, project, workspace }.told(&output))
}

/// A compilation that failed.
struct Refusal<'a> {
    what: &'a str,
    project: &'a Project,
    /// The folder of the generated workspace.
    workspace: &'a Path,
}

/// One error of the compiler.
struct Mistake {
    /// The compiler's number for it, if it has one.
    code: String,
    /// Where it is.
    file: String,
    line: usize,
    /// In the compiler's words.
    rendered: String,
    /// The definition that it is about, if it names one: file and line.
    definition: Option<(String, u64)>,
}

impl Refusal<'_> {
    fn told(&self, output: &Output) -> BuildError {
        let said = String::from_utf8_lossy(&output.stdout);
        let mistakes: Vec<_> = said.lines().filter_map(mistake).collect();
        let (generated, own): (Vec<_>, Vec<_>) =
            mistakes.iter().partition(|mistake| self.generated(&mistake.file).is_some());
        if !own.is_empty() {
            return self
                .in_the_compilers_words(own.iter().map(|mistake| mistake.rendered.as_str()).collect());
        }
        let (needed, mut misfits) = (needed(self.project), Misfits::of(self.project));
        for (name, misfit) in generated.iter().filter_map(|mistake| self.misfit(mistake, &needed)) {
            misfits.add(&name, misfit);
        }
        misfits.told().err().unwrap_or_else(|| {
            let rendered: String = generated.iter().map(|mistake| mistake.rendered.as_str()).collect();
            let others = String::from_utf8_lossy(&output.stderr);
            self.in_the_compilers_words(if rendered.is_empty() { others.into_owned() } else { rendered })
        })
    }

    fn in_the_compilers_words(&self, said: String) -> BuildError {
        BuildError::Compiler { what: self.what.to_owned(), said }
    }

    /// The path of a file, if it is a generated one: the compiler names those by their place in the workspace.
    fn generated(&self, file: &str) -> Option<PathBuf> {
        let path = self.workspace.join(file);
        let is_generated = Path::new(file).is_relative() && path.is_file();
        (is_generated || path.starts_with(self.workspace)).then_some(path)
    }

    /// What is wrong with a function or type that the glue uses.
    fn misfit(&self, mistake: &Mistake, needed: &[Needed]) -> Option<(String, Misfit)> {
        let text = std::fs::read_to_string(self.generated(&mistake.file)?).ok()?;
        let (home, name) = blamed(&text, mistake.line)?;
        let system = &self.project.description.system;
        if home == "environment" {
            let place = system.environment.as_ref()?.place;
            let head = "pub fn environment(seed: u64, folder: &std::path::Path) -> Result<impl \
                        beryl_sim::Environment + 'static, impl std::fmt::Display>";
            let function = Needed {
                name: name.to_owned(),
                kind: Kind::Function,
                named: Named::Description(place),
                head: head.to_owned(),
            };
            return Some((name.to_owned(), shown(mistake, &function, "the environment's crate")));
        }
        let needed = needed.iter().find(|needed| needed.name == name)?;
        Some((name.to_owned(), shown(mistake, needed, &home_in_rust(self.project))))
    }
}

fn shown(mistake: &Mistake, needed: &Needed, home: &str) -> Misfit {
    let Needed { name, kind, named, head } = needed;
    let is_type = *kind == Kind::Type;
    let (message, label) = match mistake.code.as_str() {
        "E0412" | "E0425" | "E0433" => {
            let what = if is_type { "type" } else { "function" };
            (format!("{home} has no {what} `{name}`"), "it isn't there")
        }
        "E0603" => (format!("`{name}` of {home} isn't `pub`, so it can't be used"), "it is private"),
        _ if is_type => (format!("`{name}` of {home} isn't what the system says"), "it is another one"),
        _ => {
            let label = "it has other parameters, or another result";
            (format!("`{name}` of {home} isn't what the system calls"), label)
        }
    };
    let found = mistake.definition.as_ref().and_then(|(file, line)| found(file, *line));
    let help = match &found {
        _ if is_type => format!("write\n  {head}"),
        Some(found) => format!("the system calls\n  {head}\n{found}"),
        None => format!("write\n  {head} {{ ... }}"),
    };
    Misfit { kind: *kind, named: *named, message, label, help }
}

/// What is at a definition, in a line.
fn found(file: &str, line: u64) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let from: Vec<_> = text.lines().skip(index).take(12).collect();
    let whole = from.join(" ");
    let head = whole.split('{').next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let here = std::env::current_dir().unwrap_or_default();
    Some(format!("{}:{line} has\n  {head}", seen_from(&here, file)))
}

/// What a line of generated code is about, and whose it is: the last function that is called before in the same item; if
/// none is, the last type.
fn blamed(text: &str, line: usize) -> Option<(&str, &str)> {
    let lines: Vec<_> = text.lines().take(line).collect();
    // An item begins where a line does, and its attributes before.
    let is_begin = |line: &&&str| line.starts_with(|letter: char| letter.is_alphabetic());
    let inside = lines.iter().rev().take_while(|line| !is_begin(line)).count() + 1;
    let item = || lines.iter().rev().take(inside).copied();
    let function = item().find_map(|line| used(line, |behind| behind.starts_with('(')));
    function.or_else(|| item().find_map(|line| used(line, |_| true)))
}

/// A name of the user's in a line, behind which stands what is wanted.
fn used(line: &str, is_wanted: impl Fn(&str) -> bool) -> Option<(&str, &str)> {
    const HOMES: [&str; 3] = ["application", "c", "environment"];
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    HOMES.into_iter().find_map(|home| {
        line.match_indices(home).find_map(|(at, _)| {
            let is_whole = !line[..at].chars().next_back().is_some_and(is_word);
            let name = line[at..].strip_prefix(home)?.strip_prefix("::")?;
            let end = name.find(|letter| !is_word(letter)).unwrap_or(name.len());
            (is_whole && is_wanted(&name[end..])).then(|| (home, &name[..end]))
        })
    })
}

/// An error in a line of cargo's messages.
fn mistake(line: &str) -> Option<Mistake> {
    let value: Value = serde_json::from_str(line).ok()?;
    let message = value.get("message").filter(|_| value["reason"] == "compiler-message")?;
    if message["level"] != "error" {
        return None;
    }
    let spans = message["spans"].as_array()?;
    let span = spans.iter().find(|span| span["is_primary"] == true)?;
    let children = message["children"].as_array()?;
    let definition = children
        .iter()
        .filter_map(|child| child["spans"].as_array()?.iter().find(|span| span["is_primary"] == true))
        .chain(spans.iter().filter(|span| span["is_primary"] == false))
        .find(|span| span["file_name"].as_str().is_some_and(|file| Path::new(file).is_absolute()));
    let place = |span: &Value| Some((span["file_name"].as_str()?.to_owned(), span["line_start"].as_u64()?));
    let (file, line) = place(span)?;
    Some(Mistake {
        code: message["code"]["code"].as_str().unwrap_or_default().to_owned(),
        file,
        line: usize::try_from(line).ok()?,
        rendered: message["rendered"].as_str().unwrap_or_default().to_owned(),
        definition: definition.and_then(place),
    })
}

#[cfg(test)]
mod tests {
    use super::{blamed, mistake};

    #[test]
    fn what_a_line_is_about_is_the_last_call_or_type_of_its_item() {
        let text = "const _: () = {\n  size_of::<application::Pose>()\n};\n\
                    pub fn a() {\n  application::first(\n    application::at::<application::Pose>,\n  );\n  my_application::none();\n  c::second(2)\n}\n\
                    fn b(value: &application::Wind) {\n  value.speed\n}\n\
                    fn c() {\n  nothing\n}";
        let about = [
            (1, None),
            (2, Some(("application", "Pose"))),
            (4, None),
            (5, Some(("application", "first"))),
            (6, Some(("application", "first"))),
            (8, Some(("application", "first"))),
            (9, Some(("c", "second"))),
            (11, Some(("application", "Wind"))),
            (12, Some(("application", "Wind"))),
            (15, None),
        ];
        for (line, expected) in about {
            assert_eq!(blamed(text, line), expected, "{line}");
        }
    }

    #[test]
    fn only_errors_with_a_place_are_mistakes() {
        let line = |level: &str, spans: &str| {
            format!(
                r#"{{"reason":"compiler-message","message":{{"level":"{level}","code":{{"code":"E0425"}},"spans":[{spans}],"children":[],"rendered":"said"}}}}"#
            )
        };
        let span = r#"{"is_primary":true,"file_name":"src/a.rs","line_start":7}"#;
        let found = mistake(&line("error", span)).expect("one");
        assert_eq!((found.file.as_str(), found.line, found.code.as_str()), ("src/a.rs", 7, "E0425"));
        for none in [line("warning", span), line("error", ""), "{}".to_owned(), "no JSON".to_owned()] {
            assert!(mistake(&none).is_none(), "{none}");
        }
    }
}
