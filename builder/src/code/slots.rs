//! What the image keeps for each slot: memory for the checks of arriving programs, and its own program for whoever
//! makes others of it.

use beryl_syscode::check::admission::PLACES;
use beryl_syscode::check::demand;
use beryl_syscode::check::time::{Parts, Task, Time};
use beryl_syscode::round::BEATS;
use beryl_syscode::{Condition, Container};

use super::container::container;
use super::program::Program;
use crate::assembly::{Assembly, objects};

/// What the image keeps for a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SlotCode {
    /// Words that the check of a program needs.
    pub check_words: u32,
    /// The image's own program in its container, for whoever makes others of it. Empty if nothing is offered.
    pub program: Vec<u8>,
}

impl SlotCode {
    /// The most words that the check of any program needs; 0 if there is no slot.
    #[must_use]
    pub fn most_words(slots: &[SlotCode]) -> u32 {
        slots.iter().map(|slot| slot.check_words).max().unwrap_or(0)
    }
}

/// What the image keeps for all slots, in their order; `programs` are those of the modules.
pub(super) fn slots(assembly: &Assembly, programs: &[Program]) -> Vec<SlotCode> {
    let slots = assembly.objects.slots.iter().enumerate();
    let kept =
        slots.map(|(index, slot)| match assembly.module_of(index).and_then(|module| programs.get(module)) {
            Some(program) => SlotCode {
                check_words: check_words(assembly, program, slot),
                program: slot.offers.map_or_else(Vec::new, |_| container(assembly, program)),
            },
            None => SlotCode { check_words: slot.size / 4, program: Vec::new() },
        });
    kept.collect()
}

/// Words of memory that the check of programs for a slot needs.
fn check_words(assembly: &Assembly, program: &Program, slot: &objects::Slot) -> u32 {
    /// Two states are kept in any case. So many more are for the answers of guards.
    const WAYS: usize = 4;
    let threads = u8::from(slot.offers.is_some());
    // An arriving program may go round.
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
