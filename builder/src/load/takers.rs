//! What a slot's programs may take: their threads, and each of their instructions.

use beryl_abi::Duration;
use beryl_analysis::{Interference, Ticks};

use super::kernel_work::common;
use crate::assembly::{Mode, Module};
use crate::costs::{Costed, Kind};

/// How many blocks of a thread an instant may go through: the one that ends, the next, and the first.
const BLOCKS: u64 = 3;

/// What threads of S code in a slot's programs may take at an instant, and behind a completion. Threads that are
/// made of a recorded period do no more; the check of weight counts their steps.
pub(crate) fn threads(costed: &Costed, slot: usize) -> u64 {
    let assembly = &costed.assembly;
    let Some(band) = assembly.objects.slots.get(slot).and_then(|row| row.offers) else { return 0 };
    let instructions = assembly.longest_block(&assembly.bodies(slot), band);
    let instructions = u64::try_from(instructions).unwrap_or(u64::MAX).saturating_mul(BLOCKS);
    // Each is rounded up by itself, as where they are weighed.
    instruction(costed).saturating_mul(instructions)
}

/// The weight of an instruction in a slot's program, in ticks. An event is counted as some instructions, of which
/// one stands for the interrupt.
pub(crate) fn instruction(costed: &Costed) -> u64 {
    let kind = if costed.assembly.event_triggers() > 0 { Kind::Job } else { Kind::EMachine };
    costed.costs.steps(kind, 1)
}

/// What the threads of a slot's programs take from everything else: at each instant of the module, and behind each
/// job of a task that is offered.
pub(crate) fn takers(costed: &Costed, slot: usize) -> Vec<Interference> {
    let assembly = &costed.assembly;
    let (Some(module), Some(band)) = (assembly.module_of(slot), assembly.objects.slots[slot].offers) else {
        return Vec::new();
    };
    let worst = Ticks::new(threads(costed, slot));
    let grain = assembly.bodies(slot).into_iter().map(instants_of).reduce(common).unwrap_or(1);
    let own = assembly.tasks().filter(|(thread, task)| thread.band == band && task.module == module);
    let jobs = own.map(|(thread, task)| (thread.name.as_str(), task.separation.ticks()));
    let name = assembly.modules[module].name.as_str();
    let rows = jobs.chain([(name, grain)]);
    let row = |(name, period)| Interference {
        name: format!("threads for {name}"),
        period: Ticks::new(period),
        worst,
        ..Default::default()
    };
    rows.map(row).collect()
}

/// The shortest time between two instants of a module.
pub(crate) fn instants_of(module: &Module) -> u64 {
    module.modes.iter().flat_map(Mode::rhythms).map(Duration::ticks).reduce(common).unwrap_or(1)
}
