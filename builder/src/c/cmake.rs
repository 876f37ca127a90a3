//! The files of a CMake target. CMake says of which files the target is made and how each is read; it compiles none of them. They are compiled
//! as all others in C are, so what is checked of those is checked of these.

mod answer;
mod options;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

use miette::SourceSpan;

use self::answer::{ASKED, Answer, File, Made, QUESTIONS};
use super::{Language, Machine};
use crate::description::{Problem, Target, suggestion};
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::{Workshop, replace};

/// How the compiler is told what stands for a folder in what it makes.
pub(super) const MAP: &str = "-ffile-prefix-map=";

/// The program.
pub const CMAKE: &str = "cmake";

/// What tells apart the project that CMake has read last, beside what CMake leaves.
const KNOWN: &str = "beryl.known";

/// A file of a target, and how it is compiled.
#[derive(Clone, Debug)]
pub(super) struct OfTarget {
    pub path: PathBuf,
    /// As the description would name it; one that was made, as CMake does.
    pub name: String,
    pub language: Language,
    /// Whether it is one of a library with which the target is linked.
    pub is_linked: bool,
    /// What the compiler is told of it.
    pub options: Vec<String>,
    /// Which standard it is written in, if the target says so.
    pub standard: Option<String>,
}

/// The files of the target that a description names, for a machine; none, if it names none.
///
/// # Errors
/// CMake isn't there, or refuses the project; there is no such target; or it has what can't be compiled here.
pub(super) fn files(
    project: &Project,
    workshop: &Workshop,
    machine: Machine,
) -> Result<Vec<OfTarget>, BuildError> {
    let Some(target) = &project.description.c.cmake else { return Ok(Vec::new()) };
    let base = workshop.folder(&project.assembly.name);
    let base = absolute(&base).map_err(|reason| BuildError::file("find", &base, reason))?;
    let folder = base.join("c/cmake").join(match machine {
        Machine::Host => "host",
        Machine::Board => "board",
        Machine::Floating => "floating",
    });
    let asked = Asked { project, target, folder };
    let answer = asked.configure(machine)?;
    let made = asked.made(&answer)?;
    if made.is_generated {
        asked.generate()?;
    }
    made.files.into_iter().map(|file| asked.checked(file, &answer)).collect()
}

/// A question about a target.
struct Asked<'a> {
    project: &'a Project,
    target: &'a Target,
    /// Where CMake keeps what it knows.
    folder: PathBuf,
}

impl Asked<'_> {
    /// Lets CMake read the project. What it has found out about the machine is kept as long as machine and project are the same.
    fn configure(&self, machine: Machine) -> Result<Answer, BuildError> {
        let Asked { project, folder, .. } = self;
        let [file, known] = [toolchain::FILE, KNOWN].map(|name| folder.join(name));
        let text = toolchain::text(machine, &project.plan.board, &project.description.c);
        let is = |path: &Path, content: &str| fs::read(path).is_ok_and(|own| own == content.as_bytes());
        let is_as_it_was =
            is(&file, &text) && Answer::read(folder).is_some_and(|answer| is(&known, &answer.fingerprint()));
        let answer = if is_as_it_was { self.configured().ok() } else { None };
        let answer = answer.map_or_else(|| self.configure_anew(&file, &text), Ok)?;
        replace(&known, answer.fingerprint().as_bytes())?;
        Ok(answer)
    }

    fn configure_anew(&self, file: &Path, text: &str) -> Result<Answer, BuildError> {
        let folder = &self.folder;
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(|reason| BuildError::file("remove", folder, reason))?;
        }
        replace(file, text.as_bytes())?;
        for question in QUESTIONS.map(|question| folder.join(ASKED).join(question)) {
            let failed = |reason| BuildError::file("write", &question, reason);
            question.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
            fs::write(&question, "").map_err(failed)?;
        }
        self.configured()
    }

    fn configured(&self) -> Result<Answer, BuildError> {
        let source = self.project.folder.join(&self.target.folder.value);
        let mut cmake = cmake();
        cmake.arg("-Wno-dev").arg("-S").arg(&source).arg("-B").arg(&self.folder);
        cmake.arg(format!("-DCMAKE_TOOLCHAIN_FILE={}", self.folder.join(toolchain::FILE).display()));
        self.finished(cmake, "configured")?;
        Answer::read(&self.folder).ok_or_else(|| {
            self.refused(
                self.target.folder.place,
                format!("CMake doesn't say of what `{}` is made", self.target.folder.value),
                "it isn't understood",
                "CMake 3.16 or newer is needed".to_owned(),
            )
        })
    }

    /// Makes the texts that commands of the project make.
    fn generate(&self) -> Result<(), BuildError> {
        let mut cmake = cmake();
        cmake.arg("--build").arg(&self.folder).args(["--target", &self.target.name.value]);
        self.finished(cmake, "generated")
    }

    /// Runs CMake; what it says is shown if it fails.
    fn finished(&self, mut cmake: Command, done: &str) -> Result<(), BuildError> {
        let (name, place) = (&self.target.folder.value, self.target.folder.place);
        let output = cmake.output().map_err(|_| {
            self.refused(
                place,
                format!("CMake, which knows of what `{name}` is made, isn't there"),
                "a project of CMake's",
                format!("`./x setup` installs it; elsewhere `apt-get install {CMAKE}`, or what your system calls it"),
            )
        })?;
        if output.status.success() {
            return Ok(());
        }
        let said =
            [output.stderr, output.stdout].map(|said| String::from_utf8_lossy(&said).trim().to_owned());
        let [said, otherwise] = said;
        let said = if said.is_empty() { otherwise } else { said };
        Err(self.refused(
            place,
            format!("`{name}` can't be {done} by CMake"),
            "this project",
            format!("CMake says\n{}", shortened(&said)),
        ))
    }

    /// Of what the target is made.
    fn made(&self, answer: &Answer) -> Result<Made, BuildError> {
        let name = &self.target.name;
        answer.made(&name.value).ok_or_else(|| {
            self.refused(
                name.place,
                format!(
                    "CMake's `{}` has no target `{}` with files in C",
                    self.target.folder.value, name.value
                ),
                "no such target",
                suggestion(&name.value, &answer.names(), "targets with files"),
            )
        })
    }

    /// A file that can be compiled here.
    fn checked(&self, file: File, answer: &Answer) -> Result<OfTarget, BuildError> {
        let File { path, language, is_linked, options } = file;
        let shown = path.strip_prefix(answer.source()).unwrap_or(&path).display().to_string();
        let place = self.target.name.place;
        let language = match language.as_str() {
            "C" => Language::C,
            "CXX" => Language::Cpp,
            other => {
                return Err(self.refused(
                    place,
                    format!("`{shown}`, of which CMake's target is made, is in {other}"),
                    "this target",
                    "functions are in C or C++; leave the file out of the target where CMake's variable `BERYL` is set"
                        .to_owned(),
                ));
            }
        };
        let options = options.map_err(|refused| {
            self.refused(
                place,
                format!("CMake compiles `{shown}` with `{}`, {}", refused.option, refused.why),
                "this target",
                "leave it out where CMake's variable `BERYL` is set: `if(NOT BERYL)`".to_owned(),
            )
        })?;
        if !path.is_file() {
            return Err(self.refused(
                place,
                format!("`{shown}`, of which CMake's target is made, isn't there, and nothing has made it"),
                "this target",
                format!("its folder for generated files is {}", self.folder.display()),
            ));
        }
        let relative =
            path.strip_prefix(answer.source()).map(|own| Path::new(&self.target.folder.value).join(own));
        let name = relative.unwrap_or_else(|_| path.strip_prefix(&self.folder).unwrap_or(&path).to_owned());
        Ok(OfTarget {
            name: name.display().to_string(),
            path,
            language,
            is_linked,
            options: options.passed,
            standard: options.standard,
        })
    }

    fn refused(&self, place: SourceSpan, message: String, label: &str, help: String) -> BuildError {
        BuildError::Description(self.project.description.alone(Problem {
            code: "beryl::builder::cmake",
            place,
            message,
            label: label.to_owned(),
            help: help.into(),
        }))
    }
}

/// CMake, with nothing from outside in its options.
fn cmake() -> Command {
    let mut command = Command::new(CMAKE);
    for variable in ["CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_TOOLCHAIN_FILE"] {
        command.env_remove(variable);
    }
    command
}

/// The beginning of what a program says.
fn shortened(said: &str) -> String {
    const MOST: usize = 24;
    let lines: Vec<_> = said.lines().take(MOST).collect();
    lines.join("\n")
}

/// Whether a folder has a project of CMake's.
#[must_use]
pub(crate) fn is_project(folder: &Path) -> bool {
    folder.join("CMakeLists.txt").is_file()
}
