//! Runs the program as its users do, in a folder that all tests share: what is compiled once serves them all.
#![allow(dead_code)] // Each test takes what it needs.

pub mod forbidden;
pub mod places;
pub mod run;
pub mod sums;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use beryl_trace::{DecodedNote, Happening, decode};

/// The workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace")
}

/// The folder in which the program runs and leaves `build/`, `out/` and `target/`.
pub fn folder() -> PathBuf {
    let folder = beryl_testing::folder(&root());
    fs::create_dir_all(&folder).expect("a folder for the runs");
    folder
}

/// What the files of the simulation are called with which `beryl run` compares the board.
pub const TWIN: &str = "mps2-an385.sim";

/// The folder of an example.
pub fn example(name: &str) -> String {
    root().join("examples").join(name).display().to_string()
}

/// Keeps others away from a system's files until it is dropped.
pub fn lock(system: &str) -> File {
    let file = File::create(folder().join(format!("{system}.lock"))).expect("a lock file");
    file.lock().expect("a lock");
    file
}

/// What a run of the program said.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The program in the shared folder.
pub fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beryl"));
    command.current_dir(folder()).args(arguments).env("COLUMNS", "100").env_remove("NO_COLOR");
    command
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Ran {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Runs the program in the shared folder.
pub fn beryl(arguments: &[&str]) -> Ran {
    finish(&mut program(arguments))
}

impl Ran {
    /// What it printed, where it must end with `code`.
    pub fn ended(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        self.out
    }

    /// All that it said, with the workspace's and the shared folder's paths replaced.
    pub fn everything(&self) -> String {
        masked(&format!("exit code {}\n{}{}", self.code.unwrap_or(-1), self.out, self.err))
    }
}

/// A text that is the same in every checkout, and without spaces at line ends.
pub fn masked(text: &str) -> String {
    let text = text.replace(&folder().display().to_string(), "RUN");
    let text = text.replace(&root().display().to_string(), "BERYL");
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Compares a text with the one recorded in a file of `cli/tests`; `BERYL_BLESS=1` records it anew: read it.
pub fn assert_recorded(file: &str, said: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder for what is recorded");
        fs::write(&path, said).expect("the file can be written");
    }
    let recorded = fs::read_to_string(&path).unwrap_or_default();
    assert!(said == recorded, "{file} says\n{recorded}\nbut this was said:\n{said}");
}

/// A file that a run left in `out/<system>/`.
pub fn left(system: &str, file: &str) -> Vec<u8> {
    let path = folder().join("out").join(system).join(file);
    fs::read(&path).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()))
}

/// The text of such a file.
pub fn left_text(system: &str, file: &str) -> String {
    String::from_utf8(left(system, file)).expect("text")
}

/// Describes a system of threads in one process and one band by priority, in a folder of its own: what
/// follows the band is given.
pub fn threads(name: &str, application: &str, text: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    let head = format!(
        r#"[system]
name = "{name}"
application = "{application}"

[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"

[process.one]
memory = "64"

[[band]]
name = "priorities"
policy = "fixed"

"#
    );
    fs::write(system.join("beryl.toml"), head + text).expect("written");
    system
}

/// Writes the application of such a system, in its folder `app`.
pub fn application(system: &Path, name: &str, code: &str) {
    fs::create_dir_all(system.join("app/src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nberyl-user = {{ path = {:?} }}\n",
        root().join("user")
    );
    fs::write(system.join("app/Cargo.toml"), manifest).expect("written");
    fs::write(system.join("app/src/lib.rs"), code).expect("written");
}

/// Writes a system in a folder of its own, with such an application: these files, with `NAME` and `BOARD` in its description as
/// given.
pub fn on_board(name: &str, board: &str, code: &str, description: &str, others: &[(&str, &str)]) -> PathBuf {
    let system = folder().join("systems").join(name);
    application(&system, name, code);
    let description = description.replace("NAME", name).replace("BOARD", board);
    for (file, text) in [("beryl.toml", description.as_str())].iter().chain(others) {
        fs::write(system.join(file), text).expect("written");
    }
    system
}

/// How many jobs of a thread missed their deadline in a run of 200 ms, and what the run said.
pub fn missed(command: &str, system: &str, thread: &str) -> (u32, String) {
    let said = beryl(&[command, system, "--for", "200ms"]).everything();
    let row = said.lines().find_map(|line| line.strip_prefix(thread)?.strip_prefix(' '));
    let missed = row.and_then(|row| row.split_whitespace().nth(2)).and_then(|word| word.parse().ok());
    (missed.unwrap_or_else(|| panic!("{said}")), said)
}

/// Writes the crate of an environment into a folder.
pub fn environment(folder: &Path, name: &str, code: &str) {
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let own = |path: &str| root().join(path).display().to_string();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         beryl-abi = {{ path = {:?} }}\nberyl-sim = {{ path = {:?} }}\n",
        own("kernel/abi"),
        own("sim")
    );
    fs::write(folder.join("Cargo.toml"), manifest).expect("written");
    fs::write(folder.join("src/lib.rs"), code).expect("written");
}

/// Copies a folder with all that is in it; what was at `to` is lost.
pub fn copy(from: &Path, to: &Path) {
    fs::remove_dir_all(to).ok();
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("readable").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// The helicopter under another name, with its crates where they are.
pub fn flight(name: &str) -> PathBuf {
    let (system, helicopter) = (folder().join("systems").join(name), PathBuf::from(example("helicopter")));
    fs::create_dir_all(&system).expect("a folder");
    let text = fs::read_to_string(helicopter.join("beryl.toml")).expect("a description");
    let crates = |text: String, folder: &str| {
        let place = format!("../../../../examples/helicopter/{folder}");
        text.replace(&format!("= {folder:?}"), &format!("= {place:?}"))
    };
    let text = text.replace("name = \"helicopter\"", &format!("name = {name:?}"));
    let text = ["app", "plant"].into_iter().fold(text, crates);
    fs::write(system.join("beryl.toml"), text).expect("written");
    for file in ["helicopter.tdl", "gust.csv"] {
        fs::copy(helicopter.join(file), system.join(file)).expect("a copy");
    }
    system
}

/// Replaces a part of a file, which must be there.
pub fn change(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).expect("a text");
    assert!(text.contains(from), "{} has no {from:?}", path.display());
    fs::write(path, text.replace(from, to)).expect("the file can be written");
}

/// Puts a manifest, and nothing else, where a description says that its crates are: for who looks at the description only.
pub fn empty_crates(system: &Path) {
    let text = fs::read_to_string(system.join("beryl.toml")).expect("a description");
    let named = text.lines().filter_map(|line| {
        let (key, value) = line.split_once('=')?;
        ["application", "environment"].contains(&key.trim()).then(|| value.split('"').nth(1))?
    });
    for name in named {
        fs::create_dir_all(system.join(name)).expect("a folder");
        fs::write(system.join(name).join("Cargo.toml"), "[package]\nname = \"empty\"\n").expect("written");
    }
}

/// What a line of the console says: when it was begun, and by which thread, comes before that.
pub fn spoken(line: &str) -> &str {
    let line = line.trim();
    match line.split_once(": ") {
        Some((begun, said)) if begun.contains(" ms ") => said,
        _ => line,
    }
}

/// What a system of a suite told in its simulation, by the numbers of events.
pub fn told(name: &str) -> BTreeMap<u16, Vec<u32>> {
    let mut told: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
    for event in decode(&left("conformance", &format!("{name}/sim.trace"))).expect("a whole trace") {
        if let Happening::Note(DecodedNote::Event { event, value, .. }) = event.happening {
            told.entry(event).or_default().push(value);
        }
    }
    told
}
