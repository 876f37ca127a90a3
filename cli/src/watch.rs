//! `--watch`: a command again whenever something that it reads has changed.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;

use crate::console::{Console, Failure};

/// How often it is looked for changes: often enough for somebody who waits, seldom enough for a laptop.
const PAUSE: Duration = Duration::from_millis(200);
/// What commands write themselves, and what is nobody's source.
const LEFT_OUT: [&str; 4] = ["build", "out", "target", ".git"];

/// When each file was changed last, and how long it is.
type State = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Carries out the command line without `--watch`, and again after each change, until it is interrupted. Looked at are the
/// folders and files that the command line names, without what commands leave there.
///
/// # Errors
/// The program can't be started again.
pub fn run(console: &Console) -> Result<ExitCode, Failure> {
    let words: Vec<OsString> = env::args_os().skip(1).filter(|word| word != "--watch").collect();
    let named: Vec<_> = words.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    let looked_at = if named.is_empty() { vec![PathBuf::from(".")] } else { named };
    let program = env::current_exe().context("this program isn't where it was")?;
    loop {
        let before = state(&looked_at);
        let ended = Command::new(&program).args(&words).status().context("can't start the command again")?;
        console.step(format_args!("{}; waiting for a change", said(ended.code())));
        while state(&looked_at) == before {
            thread::sleep(PAUSE);
        }
    }
}

fn said(code: Option<i32>) -> String {
    code.map_or_else(|| "it was interrupted".to_owned(), |code| format!("exit code {code}"))
}

fn state(paths: &[PathBuf]) -> State {
    let mut state = State::new();
    paths.iter().for_each(|path| look(path, &mut state));
    state
}

/// What can't be read isn't there: a change is seen once it can.
fn look(path: &Path, state: &mut State) {
    let is_left_out = path.file_name().is_some_and(|name| LEFT_OUT.iter().any(|other| name == *other));
    let Some(data) = fs::symlink_metadata(path).ok().filter(|_| !is_left_out) else { return };
    if !data.is_dir() {
        state.insert(path.to_path_buf(), (data.modified().ok(), data.len()));
        return;
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.for_each(|entry| look(&entry.path(), state));
}
