//! Why a program was refused, in a run that shows it.

use std::fmt::Write;

use beryl_assembler::Way;
use beryl_builder::Project;
use beryl_builder::emit::container::containers;
use beryl_builder::proof::{read_and_check, shortest_run};
use beryl_syscode::check::{Reason, Refusal, Rights};
use beryl_syscode::refused::{Refused, Shown};
use beryl_syscode::{Container, Listing};

/// What can be shown of a refusal that came from a board, or from the same checks here; an empty text if nothing can.
pub fn shown(project: &Project, slot: usize, program: &[u8], shown: Shown) -> String {
    let Ok(container) = Container::read(program) else { return String::new() };
    let refusal = |reason: u16| Reason::of(reason & 0xFF);
    match (shown.reason & 0xFF00, refusal(shown.reason)) {
        (STRUCTURE, Some(reason)) => way(container, Refusal { address: shown.address.into(), reason }),
        (TIME | CERTIFICATE, _) => run(project, slot, program, &container),
        _ => String::new(),
    }
}

/// The same for one of the programs that the description names.
pub fn program(project: &Project, alternative: usize, refused: Shown) -> String {
    let row = project.assembly.alternatives.get(alternative);
    let mut others = containers(project).into_iter().skip(project.programs.len());
    match (row.and_then(|row| row.body.slot), others.nth(alternative)) {
        (Some(slot), Some((_, bytes))) => shown(project, slot, &bytes, refused),
        _ => String::new(),
    }
}

const STRUCTURE: u16 = 0x400;
const TIME: u16 = 0x600;
const CERTIFICATE: u16 = 0x800;

/// The shortest run that breaks a rule of structure.
pub fn way(container: Container<'_>, refusal: Refusal) -> String {
    Way::to(container, Rights::ALL, refusal).to_string()
}

/// The shortest run in which a job isn't done; or that there is none, so that only the certificate is wrong.
fn run(project: &Project, slot: usize, program: &[u8], container: &Container<'_>) -> String {
    let Some(run) = shortest_run(project, slot, program) else { return without(project, slot, program) };
    let tick = u64::from(project.tick());
    let milliseconds = |ticks: u64| {
        let microseconds = ticks.saturating_mul(tick) / 1000;
        format!("{}.{:03} ms", microseconds / 1000, microseconds % 1000)
    };
    let mut text = "  the shortest run that shows it, with the longest times:\n".to_owned();
    let listing = listing(container, project.tick());
    for (number, visit) in run.instants.iter().enumerate() {
        let _ = writeln!(text, "    {}", milliseconds(visit.at));
        let is_last = number + 1 == run.instants.len();
        for address in &visit.addresses {
            let line = listing.get(usize::from(*address)).map_or("", String::as_str);
            let _ = writeln!(text, "        {line}");
        }
        if is_last {
            let task = container.tasks().nth(run.task).unwrap_or("?");
            let left = milliseconds(run.left.into());
            let _ = writeln!(text, "  where task `{task}` may have {left} of its work left");
        }
    }
    text
}

/// What the program would be without its certificate.
fn without(project: &Project, slot: usize, program: &[u8]) -> String {
    let Ok(mut bare) = beryl_assembler::Program::from_bytes(program) else { return String::new() };
    if bare.certificate.is_empty() {
        return String::new();
    }
    bare.certificate.clear();
    match read_and_check(project, slot, &bare.to_bytes()) {
        Ok(_) => "  no job is late in any run: leave the certificate out, or take the one that `beryl check` finds\n".to_owned(),
        Err(Refused::Time(breach)) => format!("  without the certificate: {breach}\n"),
        Err(_) => String::new(),
    }
}

fn listing(container: &Container<'_>, tick: u32) -> Vec<String> {
    let (drivers, tasks): (Vec<_>, Vec<_>) = (container.drivers().collect(), container.tasks().collect());
    let ports: Vec<_> = container.ports().collect();
    let listing = Listing {
        code: &container.code().collect::<Vec<_>>(),
        durations: &container.durations().collect::<Vec<_>>(),
        conditions: &container.conditions().collect::<Vec<_>>(),
        tick,
        driver: &|number| drivers.get(usize::from(number)).copied(),
        task: &|number| tasks.get(usize::from(number)).copied(),
        port: &|number| ports.get(usize::from(number)).copied(),
    };
    listing.to_string().lines().map(str::to_owned).collect()
}
