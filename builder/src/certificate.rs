//! What a slot asks of an arriving program: the same checks as on the target, by the same code and with the same
//! numbers; and the certificate that makes the last of these checks short.

use std::ops::Deref;

use beryl_abi::ThreadId;
pub use beryl_generator::Uncertified;
use beryl_generator::certificate;
use beryl_syscode::Container;
use beryl_syscode::check::admission::{Admission, Alone, Slot, Step, Terms};
use beryl_syscode::refused::Refused;

use crate::assembly::Assembly;
use crate::code::{Program, container};
use crate::supply::{Asked, Supplied};

/// A supplied system whose programs for slots carry the certificates that were found for them.
#[derive(Clone, Debug)]
pub struct Certified(Supplied);

/// Finds the certificates of programs for slots, once it is known what each of them has of the processor.
#[must_use]
pub fn with_certificates(supplied: Supplied) -> Certified {
    let assembly = &supplied.assembly;
    let certified = |slot: Option<usize>, program: &Program| Program {
        certificate: slot.map(|slot| certified(&supplied, slot, program)).unwrap_or_default(),
        ..program.clone()
    };
    // Programs of bands and of asynchronous tasks stand behind those of modules, and have no slots.
    let slots = assembly.modules.iter().map(|module| module.slot).chain(std::iter::repeat(None));
    let programs = slots.zip(&supplied.programs).map(|(slot, program)| certified(slot, program)).collect();
    let others = assembly.alternatives.iter().zip(&supplied.alternatives);
    let alternatives = others.map(|(row, program)| certified(row.body.slot, program)).collect();
    Certified(Supplied { programs, alternatives, ..supplied })
}

impl Certified {
    /// The same with something else in it, for experiments and for questions of what would be. Its costs are computed
    /// anew; nothing else is.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut Supplied)) -> Certified {
        let mut supplied = self.0.clone();
        change(&mut supplied);
        Certified(supplied.costed_anew())
    }
}

impl Deref for Certified {
    type Target = Supplied;

    fn deref(&self) -> &Supplied {
        &self.0
    }
}

/// A program that the target accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// How many steps the check of its time takes.
    pub steps: u32,
    /// Whether its certificate is checked; otherwise the program is carried out.
    pub is_certified: bool,
}

/// Checks a program for a slot as the target does, by the same code.
///
/// # Errors
/// What the target would answer.
pub fn check(supplied: &Supplied, slot: usize, program: &Program) -> Result<Accepted, Refused> {
    read_and_check(supplied, slot, &container(&supplied.assembly, program))
}

/// The same with a program in its container.
///
/// # Errors
/// What the target would answer.
pub fn read_and_check(supplied: &Supplied, slot: usize, bytes: &[u8]) -> Result<Accepted, Refused> {
    in_slot(supplied, slot, |slot| {
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
fn untimed(slot: &OfSystem<'_>, bytes: &[u8], memory: &mut [u32]) -> Result<Admission, Refused> {
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
pub fn certify(supplied: &Supplied, slot: usize, bytes: &[u8]) -> Result<Vec<u32>, Uncertifiable> {
    in_slot(supplied, slot, |slot| {
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

/// The certificate of a program for a slot. Empty if there is none, or no room for it: then the target carries the
/// program out.
#[must_use]
pub fn certified(supplied: &Supplied, slot: usize, program: &Program) -> Vec<u32> {
    let bytes = container(&supplied.assembly, program);
    let Ok(read) = Container::read(&bytes) else { return Vec::new() };
    let numbers =
        in_slot(supplied, slot, |slot| certificate(&Alone { container: read, slot })).unwrap_or_default();
    let program = Program { certificate: numbers, ..program.clone() };
    let length = container(&supplied.assembly, &program).len();
    let size = supplied.assembly.objects.slots.get(slot).map_or(0, |row| row.size);
    let has_room = u32::try_from(length).is_ok_and(|length| length <= size);
    if has_room { program.certificate } else { Vec::new() }
}

/// A slot of a system as the checks of its programs see it.
pub(crate) struct OfSystem<'a> {
    assembly: &'a Assembly,
    terms: Terms<'a>,
    /// The band whose tasks are offered.
    offers: Option<usize>,
    /// Words of memory for checks, as the target has them.
    words: u32,
}

impl OfSystem<'_> {
    fn memory(&self, bytes: &[u8]) -> Vec<u32> {
        // A longer program than the slot takes is refused for what it does, not for its length.
        vec![0; usize::try_from(self.words).unwrap_or(usize::MAX).max(bytes.len() / 4)]
    }
}

impl Slot for OfSystem<'_> {
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

/// Looks at a slot of a system.
pub(crate) fn in_slot<T>(supplied: &Supplied, slot: usize, look: impl FnOnce(&OfSystem<'_>) -> T) -> T {
    let assembly = &supplied.assembly;
    let asked = Asked::of(assembly, &supplied.programs, slot);
    let row = assembly.objects.slots.get(slot).zip(supplied.supplies.get(slot));
    look(&OfSystem {
        assembly,
        terms: row.map_or(Terms::NONE, |(row, supply)| asked.terms(row, supply)),
        offers: row.and_then(|(row, _)| row.offers),
        words: supplied.slots.get(slot).map_or(0, |row| row.check_words),
    })
}
