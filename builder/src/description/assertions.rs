//! `[assert.<name>]`: what must hold in every run, in a description or in a file of its own.
//!
//! Which names exist isn't known until the timing program has been joined. Until then names are kept with their places.

use super::diagnostic::{Diagnostics, Problem, Reporter, syntax, unreadable};
use super::section::{Entry, Section};
use super::suggestion::suggestion;
use super::tables::TABLES;
use super::value::{Text, Value, Wrong, choice};
use super::{Placed, code, diagnostic};
use crate::quantity::Nanoseconds;
use beryl_timing::Several;
use beryl_trace::assertion::{Mode, Point, Says, Stated, Trouble, stated};
use beryl_trace::lookup::NotOne;
use beryl_trace::{Names, ThreadKind};
use miette::NamedSource;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Each of these keys makes an assertion of its kind.
const KINDS: [&str; 6] = ["response", "jitter", "latency", "age", "order", "never"];
const ASSERTION: &[&str] = &["response", "jitter", "latency", "age", "order", "never", "most", "of", "mode"];

/// An assertion as it stands in the text.
#[derive(Clone, Debug)]
pub(super) struct Asserted {
    stated: Stated,
    /// The names in it, with what they must be names of.
    named: Vec<(Kind, Placed<String>)>,
}

/// What a name must be a name of.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A task or periodic thread.
    Task,
    /// Any thread.
    Thread,
    /// Anything that happens again and again.
    Point,
    /// A mode of a module.
    Mode,
}

/// The assertions of a text.
#[derive(Clone, Debug)]
pub struct Assertions {
    pub(super) all: Vec<Asserted>,
    pub(super) source: Arc<NamedSource<String>>,
}

impl Assertions {
    /// Reads the assertions of a file: a description, or a file with nothing else.
    ///
    /// # Errors
    /// [`Diagnostics`] if it can't be read, breaks a rule, or asserts nothing.
    pub fn load(path: &Path) -> Result<Assertions, Diagnostics> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Assertions::parse(&name, &text),
            Err(error) => Err(unreadable(
                &name,
                &error,
                "name a file with tables [assert.name]; it is UTF-8 text, and its name ends with .toml",
            )),
        }
    }

    /// Reads the text of the file called `name`.
    ///
    /// # Errors
    /// [`Diagnostics`] if it breaks a rule or asserts nothing.
    pub fn parse(name: &str, text: &str) -> Result<Assertions, Diagnostics> {
        let mut reporter = Reporter::new(name, text);
        let table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => return Err(diagnostic::alone(&reporter.source, syntax(&error))),
        };
        // A description has other tables of its own; elsewhere they would be slips of the pen.
        let keys = if table.contains_key("system") { TABLES } else { &["assert"] };
        let file = Section::file(&table, keys, &mut reporter);
        let all = assertions(&file, &mut reporter);
        if all.is_empty() && reporter.is_clean() {
            file.missing(
                "[assert.name]",
                "add one, like [assert.no_miss] with never = \"miss\"",
                &mut reporter,
            );
        }
        Ok(Assertions { all, source: reporter.finish()? })
    }

    /// The same with names that exist in a system.
    ///
    /// # Errors
    /// A diagnostic for each name that nothing has.
    pub fn about(&self, names: &Names) -> Result<Vec<Stated>, Diagnostics> {
        let named = self.all.iter().flat_map(|asserted| &asserted.named);
        let wrong = named.filter_map(|(kind, name)| kind.refuse(name, names));
        let wrong = wrong.map(|problem| diagnostic::diagnostic(&self.source, problem)).collect();
        Several::unless_none(diagnostic::ABOUT, wrong)?;
        Ok(self.all.iter().map(|asserted| asserted.stated.clone()).collect())
    }
}

impl Assertions {
    /// Those whose names all exist in a system, which is part of a whole that the others may be about.
    #[must_use]
    pub fn here(&self, names: &Names) -> Assertions {
        let all = self.all.iter().filter(|asserted| asserted.is_about(names)).cloned().collect();
        Assertions { all, source: Arc::clone(&self.source) }
    }

    /// Those about points on two parts of a whole; each of the others is about one part.
    ///
    /// # Errors
    /// A diagnostic for each that is about neither.
    pub fn across(&self, parts: &[Names]) -> Result<Vec<Across>, Diagnostics> {
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for asserted in &self.all {
            match asserted.nodes(parts) {
                Ok(Some(nodes)) => found.push(Across { stated: asserted.stated.clone(), nodes }),
                Ok(None) => {}
                Err(problem) => wrong.push(diagnostic::diagnostic(&self.source, *problem)),
            }
        }
        Several::unless_none(diagnostic::ABOUT, wrong)?;
        Ok(found)
    }
}

/// An assertion about points on two parts of a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Across {
    /// What it says.
    pub stated: Stated,
    /// The parts with its first and its second point.
    pub nodes: [usize; 2],
}

impl Asserted {
    fn is_about(&self, names: &Names) -> bool {
        self.named.iter().all(|(kind, name)| kind.refuse(name, names).is_none())
    }

    /// The two parts of a whole that it is about; nothing if it is about one.
    fn nodes(&self, parts: &[Names]) -> Result<Option<[usize; 2]>, Box<Problem>> {
        if parts.iter().any(|names| self.is_about(names)) {
            return Ok(None);
        }
        let on = |(kind, name): &(Kind, Placed<String>)| {
            parts.iter().position(|names| kind.refuse(name, names).is_none())
        };
        let nodes: Vec<_> = self.named.iter().map(on).collect();
        if let Some((_, unknown)) =
            self.named.iter().zip(&nodes).find_map(|(name, node)| node.is_none().then_some(name))
        {
            return Err(Box::new(on_no_node(unknown)));
        }
        match (self.named.as_slice(), nodes.as_slice()) {
            ([(Kind::Point, _), (Kind::Point, _)], [Some(first), Some(second)]) => {
                Ok(Some([*first, *second]))
            }
            ([_, (_, other), ..], _) => Err(Box::new(not_between(other))),
            _ => Ok(None),
        }
    }
}

/// What isn't there, on whichever node.
fn on_no_node(name: &Placed<String>) -> Problem {
    Problem {
        code: code::UNKNOWN_NAME,
        place: name.place,
        message: format!("no node has `{}`", name.value),
        label: "unknown".to_owned(),
        help: "name tasks, threads, sensors, actuators and modes as `beryl check` does; where several modules have a name, \
               the module comes before it"
            .into(),
    }
}

/// A mode says when something is looked at on its own node alone.
fn not_between(name: &Placed<String>) -> Problem {
    Problem {
        code: code::CONFLICT,
        place: name.place,
        message: "no node has all that this assertion names".to_owned(),
        label: "on another node".to_owned(),
        help: "only `latency`, `age` and `order` are between nodes, and those without a `mode`; make it about one node"
            .into(),
    }
}

impl Kind {
    /// What is wrong with a name; nothing if something has it.
    fn refuse(self, name: &Placed<String>, names: &Names) -> Option<Problem> {
        let modes = Mode::known(names);
        let (what, known, found) = match self {
            Kind::Task => {
                let tasks = names.tasks().map(|(_, known)| known.name.as_str());
                ("task", tasks.collect(), stated::task(name, names).err())
            }
            Kind::Thread => {
                let threads = names.identified().filter(|(_, known)| known.kind != ThreadKind::Idle);
                let threads = threads.map(|(_, known)| known.name.as_str());
                ("task or thread", threads.collect(), stated::thread(name, names).err())
            }
            Kind::Point => ("task, sensor or actuator", Point::known(names), Point::named(name, names).err()),
            Kind::Mode => {
                let known = modes.iter().map(|(known, _)| known.as_str()).collect();
                ("mode", known, Mode::named(name, names).err())
            }
        };
        found.map(|wrong| refused(name, &wrong, what, &known))
    }
}

/// What is wrong with a name that means nothing, or more than one thing.
pub(super) fn refused(name: &Placed<String>, wrong: &NotOne, what: &str, known: &[&str]) -> Problem {
    // What stands before the name isn't part of what it resembles, and stays in a proposal.
    let (before, bare) = name.rsplit_once(' ').unwrap_or(("", name));
    let proposed = |meant: &String| format!("`{}`", format!("{before} {meant}").trim_start());
    match wrong {
        NotOne::Several { text, meant } => Problem {
            code: code::AMBIGUOUS,
            place: name.place,
            message: format!("`{text}` is in several modules, and could mean either"),
            label: "which?".to_owned(),
            help: format!("write {}", meant.iter().map(proposed).collect::<Vec<_>>().join(" or ")).into(),
        },
        _ => Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("there is no {what} `{}`", name.value),
            label: "unknown".to_owned(),
            help: suggestion(bare, known, "known ones").into(),
        },
    }
}

/// The assertions that can be read.
pub(super) fn assertions(file: &Section<'_>, reporter: &mut Reporter) -> Vec<Asserted> {
    let entries = file.entries("assert", reporter);
    entries.iter().filter_map(|entry| assertion(entry, reporter)).collect()
}

fn assertion(entry: &Entry<'_>, reporter: &mut Reporter) -> Option<Asserted> {
    let section = entry.open("assertion", 1, ASSERTION, reporter)?;
    let kind = kind(&section, reporter)?;
    refuse_useless(&section, kind, reporter);
    let most = match kind {
        "order" | "never" => None,
        _ => section.required::<Nanoseconds>("most", reporter),
    };
    let most = most.map(|most| beryl_trace::Nanoseconds::new(most.value.get()));
    let (says, mut named) = match kind {
        "response" => {
            let of = name("response", &section, reporter)?;
            (Says::Response { of: of.value.clone(), most: most? }, vec![(Kind::Task, of)])
        }
        "jitter" => {
            let of = name("jitter", &section, reporter)?;
            (Says::Jitter { of: of.value.clone(), most: most? }, vec![(Kind::Point, of)])
        }
        "never" => {
            let what = section.required("never", reporter)?.value;
            let of = section.optional("of", reporter).map(text);
            let named = of.clone().into_iter().map(|of| (Kind::Thread, of)).collect();
            (Says::Never { what, of: of.map(|of| of.value) }, named)
        }
        pair => {
            let [from, to] = two(pair, &section, reporter)?;
            let (first, second) = (from.value.clone(), to.value.clone());
            let says = match pair {
                "latency" => Says::Latency { first, second, most: most? },
                "age" => Says::Age { first, second, most: most? },
                _ => Says::Order { first, second },
            };
            (says, vec![(Kind::Point, from), (Kind::Point, to)])
        }
    };
    let mode = section.optional("mode", reporter).map(text);
    named.extend(mode.clone().map(|mode| (Kind::Mode, mode)));
    let mode = mode.map(|mode| mode.value);
    Some(Asserted { stated: Stated { name: entry.name.value.clone(), says, mode }, named })
}

/// The kind of an assertion, which follows from the one key that names a kind.
fn kind(section: &Section<'_>, reporter: &mut Reporter) -> Option<&'static str> {
    let given: Vec<_> = KINDS.into_iter().filter_map(|kind| Some((kind, section.place_of(kind)?))).collect();
    match given.as_slice() {
        [(kind, _)] => Some(kind),
        [] => {
            // A misspelt kind has been reported already.
            if !section.has_unknown() {
                let help = format!("add one of {}", KINDS.join(", "));
                section.missing("kind", &help, reporter);
            }
            None
        }
        [(first, place), (second, other), ..] => {
            let problem = Problem {
                code: code::CONFLICT,
                place: *other,
                message: format!("an assertion is of one kind; `{first}` and `{second}` are two"),
                label: "a second kind".to_owned(),
                help: "make two assertions of it".into(),
            };
            reporter.report_with(problem, *place, "the first");
            None
        }
    }
}

/// Refuses `most` and `of` where they mean nothing.
fn refuse_useless(section: &Section<'_>, kind: &str, reporter: &mut Reporter) {
    let limits = !matches!(kind, "order" | "never");
    for (key, useful) in [("most", limits), ("of", kind == "never")] {
        let Some(place) = section.place_of(key).filter(|_| !useful) else { continue };
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{key}` means nothing beside `{kind}`"),
            label: "no use".to_owned(),
            help: section.without(format!("leave `{key}` out").into(), key, reporter),
        });
    }
}

fn name(key: &str, section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<String>> {
    section.optional(key, reporter).map(text)
}

fn text(Placed { value: Text(text), place }: Placed<Text>) -> Placed<String> {
    Placed::new(text, place)
}

/// The two names in the list under `key`.
fn two(key: &str, section: &Section<'_>, reporter: &mut Reporter) -> Option<[Placed<String>; 2]> {
    let names = section.texts(key, reporter);
    // What isn't a list, or isn't a text in it, has been reported already.
    let counted = section.length_of(key).filter(|count| *count != 2);
    if let Some((count, place)) = counted.zip(section.place_of(key)) {
        reporter.report(Problem {
            code: code::RANGE,
            place,
            message: format!("`{key}` is between two, and here are {count}"),
            label: "not two".to_owned(),
            help: format!("write {key} = [\"FIRST\", \"SECOND\"]").into(),
        });
    }
    names.try_into().ok()
}

impl Value for Trouble {
    const EXAMPLE: &'static str = "\"miss\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &Trouble::NAMES)
    }
}
