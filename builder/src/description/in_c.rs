//! `[c]`: the sources in C, what they define, and how they are compiled.

use miette::SourceSpan;
use toml::de::DeValue;

use super::diagnostic::{Problem, Reporter};
use super::duplicates::refuse_duplicates;
use super::placed::value;
use super::section::Section;
use super::value::{NAME_RULE, Path, Text, Value, Wrong, choice, is_name, name, path, text};
use super::{Cmsis, Placed, cmsis, code};

pub(super) const KEYS: &[&str] =
    &["sources", "ported", "functions", "includes", "defines", "optimisation", "library", "cmake", "target"];

/// Native functions in C.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeInC {
    /// The files, relative to the description.
    pub sources: Vec<Placed<String>>,
    /// Files from elsewhere, whose functions need no prototypes.
    pub ported: Vec<Placed<String>>,
    /// The target of a CMake project whose files are compiled beside, if there is one.
    pub cmake: Option<Target>,
    /// Which functions they define beside those in Rust. Without an application they define all, named or not.
    pub functions: Vec<Placed<String>>,
    /// Folders with headers, relative to the description.
    pub includes: Vec<Placed<String>>,
    /// What is defined for the preprocessor, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<Placed<String>>,
    /// What the compiler for the board makes of them.
    pub optimisation: Optimisation,
    /// The C library, if they use one.
    pub library: Option<Library>,
}

/// A target of a CMake project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The folder with the project's CMakeLists.txt, relative to the description.
    pub folder: Placed<String>,
    /// What the target is called there.
    pub name: Placed<String>,
}

impl CodeInC {
    /// All files that the description names, in their order, and whether each is from elsewhere.
    pub fn files(&self) -> impl Iterator<Item = (&Placed<String>, bool)> {
        let own = self.sources.iter().map(|file| (file, false));
        own.chain(self.ported.iter().map(|file| (file, true)))
    }

    /// Where the first thing that has code in C is named; nothing if there is none.
    #[must_use]
    pub fn place(&self) -> Option<SourceSpan> {
        let file = self.files().next().map(|(file, _)| file.place);
        file.or(self.cmake.as_ref().map(|target| target.name.place))
    }
}

/// A C library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// The one for small machines that Debian has for both processors.
    Picolibc,
}

impl Value for Library {
    const EXAMPLE: &'static str = "\"picolibc\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        choice(value, &[("picolibc", Library::Picolibc)])
    }
}

/// What a compiler makes of code: the same values at another speed, in other sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimisation {
    /// Few bytes.
    #[default]
    Size,
    /// Few instructions.
    Speed,
    /// What a debugger can follow.
    Debugging,
}

impl Optimisation {
    /// The compiler's option.
    #[must_use]
    pub const fn option(self) -> &'static str {
        match self {
            Optimisation::Size => "-Os",
            Optimisation::Speed => "-O2",
            Optimisation::Debugging => "-Og",
        }
    }
}

impl Value for Optimisation {
    const EXAMPLE: &'static str = "\"speed\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        use Optimisation::{Debugging, Size, Speed};
        choice(value, &[("size", Size), ("speed", Speed), ("debugging", Debugging)])
    }
}

/// Something that is defined.
struct Define(String);

impl Value for Define {
    const EXAMPLE: &'static str = "\"COUNT=5\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let defined = text(value, "a name in quotation marks, or a name with its value: \"COUNT=5\"")?;
        let refused = |reason: &str, help: String| {
            Err(Wrong { code: code::NAME, reason: reason.to_owned(), help, instead: None })
        };
        match named(defined) {
            word if !is_name(word) => {
                refused("doesn't begin with a name", format!("{NAME_RULE}; its value stands behind `=`"))
            }
            word if word.to_ascii_uppercase().starts_with("BERYL") => {
                refused("is the builder's own", "choose a name that doesn't begin with BERYL".to_owned())
            }
            _ => Ok(Define(defined.to_owned())),
        }
    }
}

/// The name of what is defined.
fn named(defined: &str) -> &str {
    defined.split('=').next().unwrap_or_default()
}

/// What the section says.
pub(super) fn in_c(
    section: &Section<'_>,
    all_in_c: bool,
    cmsis: Option<&Cmsis>,
    reporter: &mut Reporter,
) -> CodeInC {
    let needed: &[_] = match all_in_c || cmsis.is_some() {
        true => &[("sources", "\"app/control.c\"")],
        false => &[("sources", "\"app/control.c\""), ("functions", "\"control_impl\"")],
    };
    let cmake = target(section, reporter);
    let is_met = |key: &str| section.has(key) || (key == "sources" && section.has(CMAKE));
    for (key, example) in needed.iter().filter(|(key, _)| !is_met(key)) {
        section.missing(&format!("`{key}`"), format!("add `{key} = [{example}]`"), reporter);
    }
    let mut paths = |key| section.values::<Path>(key, reporter).into_iter().map(path).collect::<Vec<_>>();
    let (sources, ported, includes) = (paths("sources"), paths("ported"), paths("includes"));
    let mut functions: Vec<_> = section.values("functions", reporter).into_iter().map(name).collect();
    refuse_duplicates("function in C", &functions.iter().collect::<Vec<_>>(), reporter);
    if let Some(cmsis) = cmsis.filter(|_| !all_in_c) {
        functions.push(Placed::new(cmsis::names::ENTRY.to_owned(), cmsis.place));
    }
    let defines = section.values::<Define>("defines", reporter).into_iter();
    let defines: Vec<_> =
        defines.map(|Placed { value: Define(text), place }| Placed::new(text, place)).collect();
    let names: Vec<_> =
        defines.iter().map(|define| Placed::new(named(&define.value).to_owned(), define.place)).collect();
    refuse_duplicates("definition", &names.iter().collect::<Vec<_>>(), reporter);
    let is_own = |file: &&Placed<String>| sources.iter().any(|own| own.value == file.value);
    for file in ported.iter().filter(is_own) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: file.place,
            message: format!("`{}` is one of `sources`, too", file.value),
            label: "named twice".to_owned(),
            help: "a file is either one of `sources` or one of `ported`".into(),
        });
    }
    let optimisation = section.optional("optimisation", reporter).map(value).unwrap_or_default();
    let library = section.optional("library", reporter).map(value);
    CodeInC { sources, ported, cmake, functions, includes, defines, optimisation, library }
}

/// The keys of a CMake project, of which each needs the other.
const CMAKE: &str = "cmake";
const TARGET: &str = "target";

fn target(section: &Section<'_>, reporter: &mut Reporter) -> Option<Target> {
    let folder = section.optional::<Path>(CMAKE, reporter).map(path);
    let name = section.optional::<Text>(TARGET, reporter);
    let name = name.map(|Placed { value: Text(name), place }| Placed::new(name, place));
    for (key, other, example) in [(TARGET, CMAKE, "target = \"control\""), (CMAKE, TARGET, "cmake = \"app\"")]
    {
        if section.has(other) && !section.has(key) {
            section.missing(&format!("`{key}`"), format!("add `{example}`"), reporter);
        }
    }
    Some(Target { folder: folder?, name: name? })
}
