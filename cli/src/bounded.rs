//! What the binary bounds: the longest path through a job's own code, where each loop on it has a bound.

use std::collections::BTreeMap;
use std::fs;

use beryl_builder::assembly::Role;
use beryl_builder::board::code::{Image, image};
use beryl_builder::emit::process::entry;
use beryl_builder::measured::{Subject, driver};
use beryl_builder::{Project, toolchain};
use beryl_path::{Begins, Entry, PathError, Request, longest_step};

use crate::files::workshop;

/// Where a thread's native drivers are called from.
const CALLER: &str = "beryl_user::drivers::run";
/// What no job comes back from: its thread has failed then, so a path there is none of a job.
const PANICS: [&str; 2] = ["panicking::panic_fmt", "begin_unwind"];

/// The instructions of a job's own code at most, without what the kernel takes for its calls; or why that isn't known.
/// `given` are bounds of loops, by the names in their comments, or by functions without sources.
pub fn bound(project: &Project, subject: Subject, given: &BTreeMap<String, u64>) -> Result<u64, String> {
    let assembly = &project.assembly;
    let process = match subject {
        Subject::Thread(thread) => assembly.threads[thread].process,
        Subject::Driver(process, _) => process,
    };
    let name = &assembly.processes[process].name;
    let file = workshop().folder(&assembly.name).join(format!("{name}.elf"));
    let elf = fs::read(&file).map_err(|reason| format!("{}: {reason}", file.display()))?;
    let root = toolchain::crates().map_err(|reason| reason.to_string())?;
    let excluded = functions(&elf, &PANICS)?;
    let request = Request {
        entries: entries(project, subject),
        bounds: given.clone(),
        symbol_bounds: given.clone(),
        indirect: BTreeMap::from([(CALLER.to_owned(), drivers(project, process, subject, &elf)?)]),
        excluded,
        boundaries: Vec::new(),
        source_roots: vec![root.join("user"), project.folder.clone()],
    };
    let report = longest_step(&elf, &request).map_err(|reason| in_words(project, subject, &reason))?;
    Ok(report.steps.iter().map(|step| step.instructions).fold(0, u64::saturating_add))
}

/// A job is a round of the loop that is marked. The first one of a thread also has what stands before it.
fn entries(project: &Project, subject: Subject) -> Vec<Entry> {
    let threads = &project.assembly.threads;
    let (thread, ways): (_, &[Begins]) = match subject {
        Subject::Thread(thread) => match threads[thread].role {
            Role::Free { .. } => (Some(&threads[thread]), &[Begins::AtBoundary]),
            _ => (Some(&threads[thread]), &[Begins::AtEntry, Begins::AtBoundary]),
        },
        Subject::Driver(process, _) => {
            let is_it = |row: &&_| is_driver_thread(row, process);
            (threads.iter().find(is_it), &[Begins::AtBoundary])
        }
    };
    let symbols = thread.map(entry);
    let one = |symbol: String| {
        ways.iter().map(move |begins| Entry { begins: *begins, ..Entry::from(symbol.as_str()) })
    };
    symbols.into_iter().flat_map(one).collect()
}

fn is_driver_thread(row: &beryl_builder::assembly::Thread, process: usize) -> bool {
    row.process == process && matches!(row.role, Role::Drivers)
}

/// The drivers that the process's driver thread may call: the one that is asked for, or all.
fn drivers(project: &Project, process: usize, subject: Subject, elf: &[u8]) -> Result<Vec<String>, String> {
    let count = project.assembly.processes[process].functions.len();
    let all = (0..count).filter(|number| match subject {
        Subject::Thread(_) => true,
        Subject::Driver(_, wanted) => *number == wanted,
    });
    let ends: Vec<_> = all.map(driver).collect();
    functions(elf, &ends.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The functions whose names end so.
fn functions(elf: &[u8], ends: &[&str]) -> Result<Vec<String>, String> {
    let unreadable = |reason: beryl_builder::board::code::ImageError| reason.to_string();
    let file = image::parse(elf).map_err(unreadable)?;
    let image = Image::new(&file).map_err(unreadable)?;
    Ok(ends.iter().flat_map(|end| image.names_ending(end)).collect())
}

/// Whether a loop is in what Beryl links, where nobody else writes comments.
fn is_beryls(lines: &str) -> bool {
    toolchain::crates().is_ok_and(|crates| lines.starts_with(&crates.join("user").display().to_string()))
}

/// Why there is no bound, and what to do about it.
fn in_words(project: &Project, subject: Subject, reason: &PathError) -> String {
    let has_loop_of_its_own = matches!(subject, Subject::Thread(thread) if !matches!(project.assembly.threads[thread].role, Role::Task(_)));
    let job = if has_loop_of_its_own {
        ", or `// step boundary` above the one whose rounds are its jobs"
    } else {
        ""
    };
    let seen = |lines: &str| {
        let folder = std::env::current_dir().unwrap_or_default();
        lines.replace(&format!("{}/", folder.display()), "")
    };
    match reason {
        PathError::NoBound { function, lines, or, .. } if !or.is_empty() || is_beryls(lines) => format!(
            "`{function}` has a loop that isn't yours: say how often it goes round at most, with `--bound '{function}=<number>'`"
        ),
        PathError::NoBound { function, lines, .. } => {
            format!(
                "`{function}` has a loop without a bound at {}: write `// bound: <number>` above it{job}",
                seen(lines)
            )
        }
        PathError::Ambiguous { function, lines, .. } => format!(
            "`{function}` has loops that the compiler has joined at {}: write `// bound: <number>` above each{job}",
            seen(lines)
        ),
        PathError::Indirect { function, address, .. } => {
            format!("`{function}` calls through a pointer at {address:#x}: nobody knows what is called there")
        }
        other => other.to_string(),
    }
}
