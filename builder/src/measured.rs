//! Jobs, measured: the instructions that each takes on the emulated board, and the path that it took.
//!
//! The board is emulated twice, alike to the instruction: once with the registers at each call of the kernel and at the
//! one place where the kernel gives the processor to another thread, and once with each instruction of the processes.
//! The first says whose the instructions of the second are, and where a job ends. So nothing in the image is there for
//! the measurement, and who is preempted doesn't count what others do meanwhile.

mod code;
mod watch;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::assembly::Role;
use crate::emulator::{self, log};
use crate::error::BuildError;
use crate::image::Built;
use crate::project::Project;
use crate::workshop::Workshop;
use code::Code;
pub use code::{driver, fingerprint};
use watch::Watch;

/// What has jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A task, or a thread whose jobs have a declared worst.
    Thread(usize),
    /// A native driver: its process, and its number among the functions there.
    Driver(usize, usize),
}

impl Subject {
    /// All of a system, in the order of its tables.
    #[must_use]
    pub fn all(project: &Project) -> Vec<Subject> {
        let threads = project.assembly.threads.iter().enumerate();
        let has_jobs = |role: &Role| {
            matches!(role, Role::Task(_) | Role::Periodic(_) | Role::Free { sporadic: Some(_), .. })
        };
        let threads =
            threads.filter(|(_, row)| has_jobs(&row.role)).map(|(number, _)| Subject::Thread(number));
        let processes = project.assembly.processes.iter().enumerate();
        let drivers = processes.flat_map(|(process, row)| {
            (0..row.functions.len()).map(move |number| Subject::Driver(process, number))
        });
        threads.chain(drivers).collect()
    }

    /// As the description names it.
    #[must_use]
    pub fn name(self, project: &Project) -> &str {
        match self {
            Subject::Thread(thread) => &project.assembly.threads[thread].name,
            Subject::Driver(process, number) => &project.assembly.processes[process].functions[number].name,
        }
    }

    /// The most that a job may take, as it is declared, in ticks.
    #[must_use]
    pub fn declared(self, project: &Project) -> u64 {
        match self {
            Subject::Thread(number) => {
                let thread = &project.assembly.threads[number];
                match &thread.role {
                    Role::Free { sporadic: Some(times), .. } => times.worst.ticks(),
                    _ => thread.worst.ticks(),
                }
            }
            Subject::Driver(process, number) => {
                project.assembly.processes[process].functions[number].worst.ticks()
            }
        }
    }
}

/// A way through the code of a job: jobs that took the same one carried out the same instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Instructions of the thread's own code.
    pub instructions: u64,
    /// Calls of the kernel, without the one that ends the job.
    pub calls: u64,
    /// How many jobs took it.
    pub jobs: u64,
}

/// The ways that the jobs of a subject took, each with a hash of its instructions.
pub type Paths = BTreeMap<u64, Way>;

/// Runs a system on the emulated board with a window, and returns the paths of all jobs that came to their end.
///
/// # Errors
/// A run doesn't come to its end, or the two differ.
pub fn measure(
    project: &Project,
    built: &Built,
    workshop: &Workshop,
    window: &[u8],
    folder: &Path,
) -> Result<BTreeMap<Subject, Paths>, BuildError> {
    let code = Code::of(project, built, workshop)?;
    let board = &project.description.board;
    let asked: Vec<u32> = code.asked().collect();
    emulator::run_with_registers(board.board.value, &built.image, window, board.speed, folder, &asked)?;
    let path = folder.join(emulator::LOG);
    let text = fs::read_to_string(&path).map_err(|reason| BuildError::file("read", &path, reason))?;
    let mut watch = Watch::new(project, &code, log::with_registers(&text));
    let ranges = code.ranges();
    emulator::run_read(board.board.value, &built.image, window, board.speed, folder, &ranges, |line| {
        watch.line(line);
    })?;
    watch.end()
}
