//! What a slot asks of a program that arrives: the same checks as on the target, by the same text and with the same numbers; and the
//! certificate that makes the last of them short.

use beryl_abi::ThreadId;
use beryl_generator::{Uncertified, certificate};
use beryl_syscode::check::admission::{Admission, Alone, PLACES, Slot, Step, Terms};
use beryl_syscode::check::demand;
use beryl_syscode::check::time::{Parts, Task, Time};
use beryl_syscode::refused::Refused;
use beryl_syscode::round::BEATS;
use beryl_syscode::{Condition, Container};

use crate::Project;
use crate::assembly::{Assembly, objects};
use crate::code::Program;
use crate::emit::container::container;
use crate::emit::slots::Asked;

/// A program that the target accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// How many steps the check of its time takes.
    pub steps: u32,
    /// By its certificate; else it is carried out.
    pub is_certified: bool,
}

/// Checks a program for a slot as the target does, by the same text.
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
    in_slot(project, slot, |slot| {
        let mut memory = slot.memory(bytes);
        let mut admission = untimed(slot, bytes, &mut memory)?;
        let is_certified = matches!(admission, Admission::Demand(_));
        // bound: what `steps` says of the container
        for steps in 1.. {
            if admission.step(slot, bytes, &mut memory)? == Step::Admitted {
                return Ok(Accepted { steps, is_certified });
            }
        }
        Err(Refused::Interface)
    })
}

/// Carries out all checks before those of time.
fn untimed(slot: &OfProject<'_>, bytes: &[u8], memory: &mut [u32]) -> Result<Admission, Refused> {
    let mut admission = Admission::BEGIN;
    // bound: what `steps` says of the container
    while !matches!(admission, Admission::Time(_) | Admission::Demand(_)) {
        let _ = admission.step(slot, bytes, memory)?;
    }
    Ok(admission)
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
    in_slot(project, slot, |slot| {
        let mut memory = slot.memory(bytes);
        match untimed(slot, bytes, &mut memory) {
            // It has none yet.
            Ok(_) | Err(Refused::Uncertified) => {}
            Err(refused) => return Err(Uncertifiable::Refused(refused)),
        }
        let container = Container::reopen(bytes).ok_or(Uncertifiable::Refused(Refused::Interface))?;
        certificate(&Alone { container, slot }).map_err(Uncertifiable::None)
    })
}

/// The certificate of a program for a slot; empty if there is none, or none for which there is room. Then the target carries the
/// program out.
#[must_use]
pub fn certified(project: &Project, slot: usize, program: &Program) -> Vec<u32> {
    let bytes = container(&project.assembly, program);
    let Ok(read) = Container::read(&bytes) else { return Vec::new() };
    let numbers =
        in_slot(project, slot, |slot| certificate(&Alone { container: read, slot })).unwrap_or_default();
    let program = Program { certificate: numbers, ..program.clone() };
    let length = container(&project.assembly, &program).len();
    let size = project.assembly.objects.slots.get(slot).map_or(0, |row| row.size);
    let has_room = u32::try_from(length).is_ok_and(|length| length <= size);
    if has_room { program.certificate } else { Vec::new() }
}

/// A slot of a project as the checks of its programs see it.
pub(super) struct OfProject<'a> {
    assembly: &'a Assembly,
    terms: Terms<'a>,
    /// The band whose tasks are offered.
    offers: Option<usize>,
    /// Words of memory for checks, as the target has them.
    words: u32,
}

impl OfProject<'_> {
    fn memory(&self, bytes: &[u8]) -> Vec<u32> {
        // A longer program than the slot takes is refused for what it does, not for its length.
        vec![0; usize::try_from(self.words).unwrap_or(usize::MAX).max(bytes.len() / 4)]
    }
}

impl Slot for OfProject<'_> {
    const HAS_THREADS: bool = true;
    const HAS_OFFERS: bool = true;
    const CERTIFIED_ONLY: bool = false;

    fn has_event_triggers(&self) -> bool {
        self.assembly.event_triggers() > 0
    }

    fn terms(&self) -> &Terms<'_> {
        &self.terms
    }

    fn touched(&self, driver: u16, word: u8) -> u32 {
        let row = self.assembly.drivers.get(usize::from(driver));
        let task = row.and_then(|row| row.task).and_then(|task| u8::try_from(task).ok());
        task.filter(|task| task / 32 == word).map_or(0, |task| 1 << (task % 32))
    }

    fn offered(&self, task: ThreadId) -> Option<u32> {
        let thread = self.assembly.threads.get(task.index())?;
        (Some(thread.band) == self.offers).then_some(1)
    }
}

/// Looks at a slot of a project.
pub(super) fn in_slot<T>(project: &Project, slot: usize, look: impl FnOnce(&OfProject<'_>) -> T) -> T {
    let assembly = &project.assembly;
    let asked = Asked::of(assembly, &project.programs, slot);
    let row = assembly.objects.slots.get(slot);
    look(&OfProject {
        assembly,
        terms: row.map_or(Terms::NONE, |row| asked.terms(row)),
        offers: row.and_then(|row| row.offers),
        words: row.map_or(0, |row| row.check_words),
    })
}

/// Words of memory that the check of programs for a slot needs.
#[must_use]
pub fn check_words(assembly: &Assembly, program: &Program, slot: &objects::Slot) -> u32 {
    /// Two states are kept in any case; so many more follow the ways of guards.
    const WAYS: usize = 4;
    let threads = u8::from(slot.offers.is_some());
    // One that arrives may go round.
    let conditions = vec![Condition::Round { length: 0, beats: [0; BEATS] }];
    let bytes = container(assembly, &Program { threads, conditions, ..program.clone() });
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
