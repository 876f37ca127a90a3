//! The certificate of a hand-written program: computed from its slot's share of the processor, or why there
//! is none.

use std::path::Path;

use anyhow::anyhow;
use beryl_assembler::Program;
use beryl_builder::board::Board;
use beryl_builder::proof::{Uncertifiable, Uncertified, certify, read_and_check};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{Project, Variant};
use beryl_syscode::Container;
use beryl_syscode::check::time::{Breach, Fault, Unknown};
use beryl_syscode::refused::{Refused, Shown};

use crate::broken;
use crate::command::swap::slot_of;
use crate::console::Failure;

/// A certificate that was found.
pub struct Certified {
    /// The system's name.
    pub system: String,
    /// How many steps the target takes to check it.
    pub steps: u32,
}

/// The system that a program is for, which has to have the ticks of its text, if that says how long they are.
pub fn target(
    system: &Path,
    board: Option<&'static Board>,
    tick: Option<u64>,
    shown: &str,
) -> Result<Project, Failure> {
    let project = Project::load(system, Variant { board, ..Variant::default() })?;
    let Board { name, tick: own, .. } = project.description.board.board.value;
    match tick.filter(|tick| *tick != own.get()) {
        None => Ok(project),
        Some(tick) => Err(anyhow!(
            "{shown} gets no certificate: a tick of it is {}, and one of {name} {own}; write `tick {own}`, and the lines \
             that interrupts have on {name}",
            Nanoseconds::new(tick)
        )
        .into()),
    }
}

/// Gives a program the certificate for its module's slot in a system, replacing any it had.
pub fn give(program: &mut Program, project: &Project, shown: &str) -> Result<Certified, Failure> {
    let slot = slot_of(project, &program.module)
        .map_err(|reason| reason.context(format!("{shown} gets no certificate")))?;
    let slot = usize::from(slot);
    program.certificate.clear();
    let name = &project.assembly.name;
    let refused = |why: String| {
        anyhow!("{shown} gets no certificate for slot `{}` of {name}: {}", program.module, why.trim_end())
    };
    let bare = program.to_bytes();
    let found = certify(project, slot, &bare).map_err(|why| refused(in_words(project, slot, &bare, &why)))?;
    let bytes = Program { certificate: found.clone(), ..program.clone() }.to_bytes();
    let size = project.assembly.objects.slots.get(slot).map_or(0, |row| row.size);
    if u32::try_from(bytes.len()).map_or(true, |length| length > size) {
        return Err(refused(format!(
            "with it the container has {} bytes, and the slot {size}; give it a larger `size`",
            bytes.len()
        ))
        .into());
    }
    let checked = read_and_check(project, slot, &bytes);
    let accepted = checked.map_err(|why| refused(said(project, slot, &bytes, why)))?;
    program.certificate = found;
    Ok(Certified { system: name.clone(), steps: accepted.steps })
}

/// Why there is no certificate, with a run that shows it if there is one.
fn in_words(project: &Project, slot: usize, bytes: &[u8], why: &Uncertifiable) -> String {
    let rank_of = |rank: u8| names_of(project, slot, bytes, rank);
    let (words, run) = match why {
        Uncertifiable::Refused(refused) => return said(project, slot, bytes, *refused),
        Uncertifiable::None(Uncertified::Code(breach)) => {
            (fault(bytes, *breach), matches!(breach.fault, Fault::Safety(_)))
        }
        Uncertifiable::None(Uncertified::Late { rank, task, at }) => (
            format!(
                "{} may be at work {} after all that goes before it came at once, and its ports are touched then; let \
                 more time pass, or release less",
                task_of(bytes, *task).unwrap_or_else(|| rank_of(*rank)),
                time(project, (*at).into())
            ),
            true,
        ),
        Uncertifiable::None(Uncertified::Overload { rank }) => (
            format!(
                "{} have more work than time, with all that goes before them; let more time pass between releases",
                rank_of(*rank)
            ),
            true,
        ),
        Uncertifiable::None(Uncertified::Idle { rank }) => {
            (format!("nobody runs {}; give them a band with a policy", rank_of(*rank)), false)
        }
    };
    let run = if run { broken::late(project, slot, bytes) } else { String::new() };
    format!("{words}\n{run}")
}

/// The target's verdict, and the run that shows it.
fn said(project: &Project, slot: usize, bytes: &[u8], refused: Refused) -> String {
    let (reason, address) = refused.encode();
    let shown = Shown { reason, address };
    if refused == Refused::Interface {
        return format!(
            "{shown}; begin with the text of the container that `beryl build` leaves for the module"
        );
    }
    format!("{shown}\n{}", broken::shown(project, slot, bytes, shown))
}

/// The fault in the code, or the feature that certificates don't cover.
fn fault(bytes: &[u8], breach: Breach) -> String {
    let proposal = match breach.fault {
        Fault::Safety(task) => {
            let task = task_of(bytes, task).unwrap_or_else(|| "a task".to_owned());
            return format!(
                "instruction {}: {task} is released again, or its ports are touched, before its deadline; let that pass first",
                breach.address
            );
        }
        Fault::Unknown(Unknown::Event) => {
            "let time pass (`future`) between an event and the next `when`, so that the program keeps its events apart"
        }
        Fault::Unknown(Unknown::Guard) => {
            "certificates speak of programs without guards; the target carries those out, if they wait for nothing but time"
        }
        Fault::Unknown(Unknown::Moment) => "certificates speak of programs without threads of S code",
        Fault::Unknown(Unknown::Shared) => "certificates speak of tasks that one program releases",
        Fault::Long => "many instants share its code; give each instant code of its own",
        _ => "the target carries such a program out, if it waits for nothing but time",
    };
    format!("instruction {}: {}; {proposal}", breach.address, breach.fault.short())
}

fn task_of(bytes: &[u8], task: u8) -> Option<String> {
    let name = Container::read(bytes).ok()?.tasks().nth(task.into())?.to_owned();
    Some(format!("task `{name}`"))
}

/// The tasks of a rank.
fn names_of(project: &Project, slot: usize, bytes: &[u8], rank: u8) -> String {
    let supply = project.supplies.get(slot).map(|row| row.times.as_slice());
    let Ok(container) = Container::read(bytes) else { return String::new() };
    let module = project.assembly.module_of(slot);
    let is_own = |thread: &beryl_builder::assembly::Thread| matches!(&thread.role, beryl_builder::assembly::Role::Task(task) if Some(task.module) == module);
    let rows = supply.unwrap_or_default().iter().zip(&project.assembly.threads);
    let names: Vec<_> = rows
        .zip(container.tasks())
        .filter(|((row, thread), _)| row.rank == rank && is_own(thread))
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    format!("the tasks of the module that are as urgent ({})", names.join(", "))
}

fn time(project: &Project, ticks: u64) -> String {
    broken::milliseconds(project.tick(), ticks)
}
