//! `beryl new`: a project of its own that checks, simulates, runs and tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::ValueEnum;

use crate::console::{Console, Failure, WELL};
use crate::home;

/// Make a project: a folder with a system that checks, simulates, runs and tests with a command each.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  beryl new lamp\n  beryl new tank --template controller\n  beryl new lamp --lang c\n  beryl new tank --lang c --template controller\n  beryl new port --template cmsis\n\nThen:\n  cd lamp\n  beryl check .\n  beryl sim .\n  beryl run ."
)]
pub struct New {
    /// The folder to make; its last part is the system's name.
    #[arg(value_name = "NAME")]
    folder: PathBuf,
    /// What to begin with.
    #[arg(long, value_enum, default_value_t = Template::Lamp, value_name = "TEMPLATE")]
    template: Template,
    /// The language of its functions.
    #[arg(long, value_enum, default_value_t = Language::Rust, value_name = "LANGUAGE")]
    lang: Language,
}

/// What a project begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Template {
    /// A timing program with one task: a lamp that blinks.
    Lamp,
    /// A timing program with two rates, and a plant to simulate it with: the level of a tank.
    Controller,
    /// Threads without a timing program: a server, and two clients in processes of their own.
    Server,
    /// An application over CMSIS-RTOS2, in C, beside a lamp that is on time.
    Cmsis,
}

/// The language of a project's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Rust.
    Rust,
    /// C, without a line of Rust.
    C,
}

/// A file: its path, and its text. `NAME`, `VERSION`, `WORDS` and `MEMBERS` in both stand for what they say.
type Made = (&'static str, &'static str);

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../templates/", $path))
    };
}

const ALL: [Made; 3] = [
    ("README.md", template!("readme.md")),
    (".gitignore", template!("gitignore")),
    ("ci.sh", template!("ci.sh")),
];
const WORKSPACE: Made = ("Cargo.toml", template!("workspace.toml"));
const LAMP: [Made; 4] = [
    ("beryl.toml", template!("lamp/beryl.toml")),
    ("NAME.tdl", template!("lamp/timing.tdl")),
    ("app/Cargo.toml", template!("manifest.toml")),
    ("app/src/lib.rs", template!("lamp/app/src/lib.rs")),
];
const LAMP_IN_C: [Made; 3] = [
    ("beryl.toml", template!("lamp_in_c/beryl.toml")),
    ("NAME.tdl", template!("lamp/timing.tdl")),
    ("c/lamp.c", template!("lamp_in_c/c/lamp.c")),
];
const SERVER_IN_C: [Made; 2] = [
    ("beryl.toml", template!("server_in_c/beryl.toml")),
    ("c/server.c", template!("server_in_c/c/server.c")),
];
const CMSIS: [Made; 4] = [
    ("beryl.toml", template!("cmsis/beryl.toml")),
    ("NAME.tdl", template!("lamp/timing.tdl")),
    ("c/main.c", template!("cmsis/c/main.c")),
    ("c/lamp.c", template!("lamp_in_c/c/lamp.c")),
];
const CONTROLLER: [Made; 7] = [
    ("beryl.toml", template!("controller/beryl.toml")),
    ("NAME.tdl", template!("controller/timing.tdl")),
    ("app/Cargo.toml", template!("manifest.toml")),
    ("app/src/lib.rs", template!("controller/app/src/lib.rs")),
    ("app/tests/control.rs", template!("controller/app/tests/control.rs")),
    ("plant/Cargo.toml", template!("controller/plant.toml")),
    ("plant/src/lib.rs", template!("controller/plant/src/lib.rs")),
];
const CONTROLLER_IN_C: [Made; 4] = [
    ("beryl.toml", template!("controller_in_c/beryl.toml")),
    ("NAME.tdl", template!("controller/timing.tdl")),
    ("c/control.c", template!("controller_in_c/c/control.c")),
    ("c/tank.c", template!("controller_in_c/c/tank.c")),
];
const SERVER: [Made; 3] = [
    ("beryl.toml", template!("server/beryl.toml")),
    ("app/Cargo.toml", template!("manifest.toml")),
    ("app/src/lib.rs", template!("server/app/src/lib.rs")),
];

impl Template {
    fn files(self, language: Language) -> &'static [Made] {
        match (self, language) {
            (Template::Lamp, Language::Rust) => &LAMP,
            (Template::Lamp, Language::C) => &LAMP_IN_C,
            (Template::Controller, Language::Rust) => &CONTROLLER,
            (Template::Controller, Language::C) => &CONTROLLER_IN_C,
            (Template::Server, Language::Rust) => &SERVER,
            (Template::Server, Language::C) => &SERVER_IN_C,
            (Template::Cmsis, Language::Rust | Language::C) => &CMSIS,
        }
    }

    fn words(self, language: Language) -> &'static str {
        match self {
            Template::Lamp => "A lamp that blinks: on for half a second, off for half a second.",
            Template::Controller => match language {
                Language::Rust => {
                    "The level of a tank, held by a pump; `plant/` is the tank of the simulation."
                }
                Language::C => {
                    "The level of a tank, held by a pump; `c/tank.c` is the tank of the simulation."
                }
            },
            Template::Server => {
                "A server that keeps settings, and two clients, each in a process of its own."
            }
            Template::Cmsis => {
                "An application over CMSIS-RTOS2, and a lamp that blinks on time whatever that does."
            }
        }
    }
}

impl New {
    /// Makes the folder; one that is there stays as it is.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let name = name(&self.folder)?;
        let files = self.template.files(self.lang);
        if self.folder.exists() {
            return Err(anyhow!(
                "{} is there already, and stays as it is; name another folder",
                self.folder.display()
            )
            .into());
        }
        let has_crates = files.iter().any(|(path, _)| path.starts_with("app/"));
        let filled = |text: &str| {
            let text = if has_crates { text.to_owned() } else { without_tests(text) };
            let text = text.replace("NAME", &name).replace("VERSION", env!("CARGO_PKG_VERSION"));
            let members = if files.iter().any(|(path, _)| path.starts_with("plant/")) {
                r#"["app", "plant"]"#
            } else {
                r#"["app"]"#
            };
            text.replace("WORDS", self.template.words(self.lang)).replace("MEMBERS", members)
        };
        let workspace = has_crates.then_some(&WORKSPACE);
        let made = ALL.iter().chain(files).chain(workspace).map(|(path, text)| (filled(path), filled(text)));
        let made: Vec<_> = made.collect();
        made.iter().try_for_each(|(path, text)| write(&self.folder.join(path), text)).inspect_err(|_| {
            // Half a project is useless.
            let _ = fs::remove_dir_all(&self.folder);
        })?;
        if has_crates {
            home::tell_cargo(&self.folder)?;
        }
        let folder = self.folder.display();
        let paths: Vec<_> = made.iter().map(|(path, _)| path.as_str()).collect();
        console.say(format_args!(
            "{folder}: {}\n\n  cd {folder}\n  beryl check .    does it fit?\n  beryl sim .      what would happen?\n  beryl run .      and on the emulated board?{}",
            paths.join(", "),
            if has_crates { "\n  beryl test .     its unit tests" } else { "" }
        ));
        console.object(&serde_json::json!({ "folder": self.folder, "name": name, "files": paths }));
        Ok(ExitCode::from(WELL))
    }
}

/// A text without its lines about `beryl test`, which is for crates.
fn without_tests(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains("beryl test")).collect()
}

/// The system's name: what crates and files may be called.
fn name(folder: &Path) -> anyhow::Result<String> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_first = |first: char| first.is_ascii_lowercase();
    let is_other = |other: char| other.is_ascii_lowercase() || other.is_ascii_digit() || other == '_';
    if name.starts_with(is_first) && name.chars().all(is_other) {
        return Ok(name.to_owned());
    }
    let fitting: String =
        name.to_lowercase().chars().map(|other| if is_other(other) { other } else { '_' }).collect();
    let fitting = if fitting.starts_with(is_first) { fitting } else { format!("my_{fitting}") };
    Err(anyhow!(
        "`{name}` can't name a system: a lower-case letter, then such letters, digits and `_`; for example \
         `beryl new {}`",
        folder.with_file_name(fitting).display()
    ))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let failed = || format!("can't write {}", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(failed)?;
    }
    fs::write(path, text).with_context(failed)?;
    #[cfg(unix)]
    if path.extension().is_some_and(|kind| kind == "sh") {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).with_context(failed)?;
    }
    Ok(())
}
