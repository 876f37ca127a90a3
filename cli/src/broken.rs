//! Explains why a program was refused, with a run that shows it.

use std::fmt::Write;

use beryl_assembler::Way;
use beryl_builder::Project;
use beryl_builder::emit::container::containers;
use beryl_builder::proof::{Run, Searched, Visit, heavy_run, read_and_check, shortest_run};
use beryl_syscode::check::{Reason, Refusal, Rights};
use beryl_syscode::refused::{Refused, Shown};
use beryl_syscode::{Condition, Container, Listing};

/// The run behind a refusal, whether a board refused or the same checks here; empty if there is nothing to
/// show.
pub fn shown(project: &Project, slot: usize, program: &[u8], shown: Shown) -> String {
    let Ok(container) = Container::read(program) else { return String::new() };
    let refusal = |reason: u16| Reason::of(reason & 0xFF);
    match (shown.reason & 0xFF00, refusal(shown.reason)) {
        (STRUCTURE, Some(reason)) => way(container, Refusal { address: shown.address.into(), reason }),
        (TIME | CERTIFICATE, _) => run(project, slot, program, &container),
        (HEAVY, _) => heavy(project, slot, program, &container),
        _ => String::new(),
    }
}

/// The same for one of the alternative programs in the description.
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
const HEAVY: u16 = 0x700;
const CERTIFICATE: u16 = 0x800;

/// The shortest run that breaks a structural rule.
pub fn way(container: Container<'_>, refusal: Refusal) -> String {
    Way::to(container, Rights::ALL, refusal).to_string()
}

/// The shortest run in which a job is late; or that there is none, so that only the certificate is wrong.
fn run(project: &Project, slot: usize, program: &[u8], container: &Container<'_>) -> String {
    let run = match shortest_run(project, slot, program) {
        Searched::Found(run) => run,
        Searched::None => return without(project, slot, program),
        Searched::GivenUp(0) => return String::new(),
        Searched::GivenUp(instants) => {
            return format!(
                "  no run is shown: of {instants} instants that differ none breaks it, and there are more\n"
            );
        }
    };
    told(project, container, &run)
}

/// The shortest run in which a job is late, if one can be found.
pub fn late(project: &Project, slot: usize, program: &[u8]) -> String {
    match (Container::read(program), shortest_run(project, slot, program)) {
        (Ok(container), Searched::Found(found)) => told(project, &container, &found),
        _ => String::new(),
    }
}

/// A run, instant by instant, up to the late task.
fn told(project: &Project, container: &Container<'_>, run: &Run) -> String {
    let shown = Manner::of(project, container);
    let mut text = "  the shortest run that shows it, with the longest times:\n".to_owned();
    text += &shown.instants(&run.instants);
    let task = container.tasks().nth(run.task).unwrap_or("?");
    let left = shown.milliseconds(run.left.into());
    let _ = writeln!(text, "  where task `{task}` may have {left} of its work left");
    text
}

/// The shortest run to an instant that costs more than allowed; or that no run reaches the code at fault.
fn heavy(project: &Project, slot: usize, program: &[u8], container: &Container<'_>) -> String {
    let Some(run) = heavy_run(project, slot, program) else {
        let is_event = |condition| !matches!(condition, Condition::Round { .. });
        return match container.conditions().any(is_event) {
            false => "  no run comes to this instruction, but whatever something leads to is weighed\n",
            true => "  no single instant shows it: one on time and an event right behind it count as one\n",
        }
        .to_owned();
    };
    let shown = Manner::of(project, container);
    let Some((last, before)) = run.instants.split_last() else { return String::new() };
    let mut text =
        "  the shortest run that shows it, at its end with what each instruction takes:\n".to_owned();
    text += &shown.instants(before);
    let _ = writeln!(text, "    {}", shown.milliseconds(last.at));
    for (address, part) in last.addresses.iter().zip(&run.parts) {
        let part = match *part {
            u32::MAX => "too much".to_owned(),
            part => shown.milliseconds(part.into()),
        };
        let _ = writeln!(text, "      {part:>12} {}", shown.line(*address));
    }
    let most = shown.milliseconds(run.most.into());
    match run.parts.iter().try_fold(0_u32, |sum, part| sum.checked_add(*part)) {
        Some(all) => {
            let all = shown.milliseconds(all.into());
            let _ = writeln!(text, "  together {all}, where one instant may take {most}");
        }
        None => {
            let _ = writeln!(text, "  where one instant may take {most}");
        }
    }
    text
}

/// Converts ticks of `tick` nanoseconds each to milliseconds, as text.
pub fn milliseconds(tick: u32, ticks: u64) -> String {
    let microseconds = ticks.saturating_mul(tick.into()) / 1000;
    format!("{}.{:03} ms", microseconds / 1000, microseconds % 1000)
}

/// How to print runs: a program's instructions as text, and times.
struct Manner {
    tick: u32,
    listing: Vec<String>,
}

impl Manner {
    fn of(project: &Project, container: &Container<'_>) -> Manner {
        Manner { tick: project.tick(), listing: listing(container, project.tick()) }
    }

    fn milliseconds(&self, ticks: u64) -> String {
        milliseconds(self.tick, ticks)
    }

    fn line(&self, address: u16) -> &str {
        self.listing.get(usize::from(address)).map_or("", String::as_str)
    }

    /// Instants with their instructions. Of a long run, only the first and the last are shown.
    fn instants(&self, instants: &[Visit]) -> String {
        const SHOWN: usize = 20;
        let left_out = instants.len().saturating_sub(SHOWN);
        let mut text = String::new();
        for (number, visit) in instants.iter().enumerate() {
            if left_out > 0 && number == SHOWN / 2 {
                let _ = writeln!(text, "    ... {left_out} more instants");
            }
            if (SHOWN / 2..SHOWN / 2 + left_out).contains(&number) {
                continue;
            }
            let _ = writeln!(text, "    {}", self.milliseconds(visit.at));
            for address in &visit.addresses {
                let _ = writeln!(text, "        {}", self.line(*address));
            }
        }
        text
    }
}

/// The checker's verdict on the program without its certificate.
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
