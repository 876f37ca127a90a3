//! What a slot asks of a program that arrives: the same checks as on the target, by the same code and with the same numbers; and the
//! certificate that makes the last of them short.

use beryl_generator::{Uncertified, certificate};
use beryl_syscode::check::demand::{self, Demand};
use beryl_syscode::check::time::{PATIENCE, Parts, Task, Time};
use beryl_syscode::check::weight::Weight;
use beryl_syscode::check::{Reason, Refusal, Rights, Structure};
use beryl_syscode::refused::Refused;
use beryl_syscode::{Condition, Container, Instruction};

use crate::Project;
use crate::assembly::Assembly;
use crate::assembly::objects::Slot;
use crate::code::Program;
use crate::emit::container::container;
use crate::emit::slots::{Named, interface, lines, named};

/// A program that the target accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// How many steps the check of its time takes.
    pub steps: u32,
    /// By its certificate; else it is carried out.
    pub is_certified: bool,
}

/// Checks a program for a slot as the target does, by the same code.
///
/// # Errors
/// What the target would answer.
pub fn check(project: &Project, slot: usize, program: &Program) -> Result<Accepted, Refused> {
    read_and_check(project, slot, &container(&project.assembly, program))
}

/// The same with a program in its container.
///
/// # Errors
/// What the target would answer.
pub fn read_and_check(project: &Project, slot: usize, bytes: &[u8]) -> Result<Accepted, Refused> {
    let (row, container) = without_time(project, slot, bytes)?;
    let mut memory = vec![0; usize::try_from(row.check_words).unwrap_or(usize::MAX)];
    let threads = u8::from(row.offers.is_some());
    let is_certified = container.certificate_length() > 0;
    if row.certified_only && !is_certified {
        return Err(Refused::Uncertified);
    }
    with(project, slot, container, |image| {
        let steps = match is_certified {
            true => Demand::BEGIN.run(image, &container, &mut memory)?,
            false => {
                Time::new(image, PLACES * threads, PATIENCE)
                    .run(image, &mut memory)
                    .map_err(Refused::Time)?
                    .steps
            }
        };
        Ok(Accepted { steps, is_certified })
    })
}

/// All that is checked before anybody asks for time: what the container holds, its structure, its weight.
fn without_time<'p, 'b>(
    project: &'p Project,
    slot: usize,
    bytes: &'b [u8],
) -> Result<(&'p Slot, Container<'b>), Refused> {
    let container = Container::read(bytes).map_err(Refused::Container)?;
    let assembly = &project.assembly;
    let own = assembly.module_of(slot).and_then(|module| project.programs.get(module));
    let (Some(row), Some(own)) = (assembly.objects.slots.get(slot), own) else {
        return Err(Refused::Interface);
    };
    if container.interface() != interface(assembly, own) {
        return Err(Refused::Interface);
    }
    let is_plain = container.completions().next().is_none() && container.trigger_places() <= 1;
    if !is_plain || container.thread_places() > u8::from(row.offers.is_some()) {
        return Err(Refused::Places);
    }
    if !container.conditions().all(|condition| may_wait_for(assembly, condition)) {
        return Err(Refused::Event);
    }
    let grain = u64::from(row.supply.grain.max(1));
    if !container.durations().all(|duration| duration.ticks().is_multiple_of(grain)) {
        return Err(Refused::Grain);
    }
    let mut memory = vec![0; container.length().max(1)];
    let Named { tasks, drivers } = named(assembly, slot);
    let rights = Rights { tasks: &tasks, drivers: &drivers };
    Structure::new(container, rights, &mut memory).run().map_err(Refused::Structure)?;
    only_offered(assembly, row.offers, &container)?;
    Weight::BEGIN.run(&container, &row.supply.costs(), &mut memory).map_err(Refused::Heavy)?;
    Ok((row, container))
}

/// Whether programs of slots may wait for something, as the target's table says.
fn may_wait_for(assembly: &Assembly, condition: Condition) -> bool {
    let has_watches = assembly.watches() > 0;
    match condition {
        Condition::Clock(_) | Condition::Released(_) => true,
        Condition::Completed(_) => has_watches,
        Condition::Interrupt(line) => lines(assembly).any(|own| own == line.0),
        Condition::Changed(port) | Condition::Compare(port, ..) => {
            has_watches && usize::from(port.0) < assembly.ports.len()
        }
    }
}

/// Why a program gets no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncertifiable {
    /// The target would refuse it whatever its certificate is.
    Refused(Refused),
    /// There is none for it.
    None(Uncertified),
}

/// Finds the certificate of a program that was written by hand, whatever certificate its container carries.
///
/// # Errors
/// Why there is none.
pub fn certify(project: &Project, slot: usize, bytes: &[u8]) -> Result<Vec<u32>, Uncertifiable> {
    let (_, container) = without_time(project, slot, bytes).map_err(Uncertifiable::Refused)?;
    with(project, slot, container, |image| certificate(image)).map_err(Uncertifiable::None)
}

/// Places at which a thread may stand, as the target counts them.
const PLACES: u8 = 4;

/// Whether threads dispatch what is offered to the slot's programs, and nothing else.
fn only_offered(assembly: &Assembly, band: Option<usize>, container: &Container<'_>) -> Result<(), Refused> {
    for (address, word) in (0..).zip(container.code()) {
        let task = match Instruction::decode(word) {
            Some(Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }) => task,
            _ => continue,
        };
        if assembly.threads.get(task.index()).is_none_or(|thread| Some(thread.band) != band) {
            return Err(Refused::Structure(Refusal { address, reason: Reason::Task }));
        }
    }
    Ok(())
}

/// The certificate of a program for a slot; empty if there is none, or none for which there is room. Then the target carries the
/// program out.
#[must_use]
pub fn certified(project: &Project, slot: usize, program: &Program) -> Vec<u32> {
    let bytes = container(&project.assembly, program);
    let Ok(read) = Container::read(&bytes) else { return Vec::new() };
    let numbers = with(project, slot, read, |image| certificate(image)).unwrap_or_default();
    let program = Program { certificate: numbers, ..program.clone() };
    let length = container(&project.assembly, &program).len();
    let size = project.assembly.objects.slots.get(slot).map_or(0, |row| row.size);
    let has_room = u32::try_from(length).is_ok_and(|length| length <= size);
    if has_room { program.certificate } else { Vec::new() }
}

/// The program as the checks of time see it: alone, with what its module has of the processor.
pub(super) fn with<T>(
    project: &Project,
    slot: usize,
    container: Container<'_>,
    look: impl FnOnce(&Parts<'_>) -> T,
) -> T {
    let assembly = &project.assembly;
    let touches: Vec<u8> =
        assembly.drivers.iter().flat_map(|driver| touched(assembly, driver.task)).collect();
    let supply = assembly.objects.slots.get(slot).map(|row| row.supply.clone()).unwrap_or_default();
    look(&Parts {
        programs: &[container],
        tasks: &supply.times,
        touches: &touches,
        policies: &supply.policies,
        losses: &supply.losses,
    })
}

/// A driver's row of the matrix of drivers and tasks.
fn touched(assembly: &Assembly, task: Option<usize>) -> Vec<u8> {
    let mut row = vec![0; assembly.tasks().count().div_ceil(8)];
    if let Some(byte) = task.and_then(|task| row.get_mut(task / 8)) {
        *byte |= 1 << (task.unwrap_or(0) % 8);
    }
    row
}

/// Words of memory that the check of programs for a slot needs.
#[must_use]
pub fn check_words(assembly: &Assembly, program: &Program, slot: &Slot) -> u32 {
    /// Two states are kept in any case; so many more follow the ways of guards.
    const WAYS: usize = 4;
    let threads = u8::from(slot.offers.is_some());
    let bytes = container(assembly, &Program { threads, ..program.clone() });
    let programs: Vec<_> = Container::read(&bytes).into_iter().collect();
    let tasks = vec![Task { bound: 0, rank: 0 }; assembly.tasks().count()];
    let parts = Parts { programs: &programs, tasks: &tasks, touches: &[], policies: &[], losses: &[] };
    let carried_out = match slot.certified_only {
        true => 0,
        false => Time::new(&parts, PLACES * threads, 0).words(WAYS),
    };
    let words = carried_out.max(demand::WORDS * tasks.len());
    // The checks of structure and of weight need a word for each instruction.
    u32::try_from(words).unwrap_or(u32::MAX).max(slot.size / 4)
}
