//! From an assembly to the memory plan: what has to find a place, and where everything is.

use crate::assembly::objects::Region;
use crate::assembly::{Assembly, Home};
use crate::code::SlotCode;
use crate::description::{self, Description};
use crate::footprint;
use crate::quantity::Bytes;

use super::demand::{Demand, Limits, ProcessDemand, SharedDemand, StackDemand};
use super::places::Places;
use super::{Plan, plan};

/// Where everything in RAM is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// Everything with its address, in regions. In flash, it is as if nothing had text.
    pub plan: Plan,
    /// Where every cell is.
    pub places: Places,
}

/// Finds a place in RAM for everything of an assembly, and for what it keeps for its slots.
///
/// # Errors
/// A diagnostic at the limit that is too small.
pub fn located(
    assembly: &Assembly,
    slots: &[SlotCode],
    description: &Description,
) -> Result<Located, description::Diagnostic> {
    let demand = demand(assembly, slots, description);
    let plan = plan(description.board.board.value, limits(description), &demand);
    let plan = plan.map_err(|failure| failure.diagnostic(description))?;
    let places = Places::of(assembly, &plan);
    Ok(Located { plan, places })
}

/// What the description allows.
#[must_use]
pub fn limits(description: &Description) -> Limits {
    Limits { flash: description.board.flash.value, ram: description.board.ram.value }
}

/// What the plan has to find places for in RAM. Variables get what the description allows them, so that addresses don't
/// depend on the compiler.
#[must_use]
pub fn demand(assembly: &Assembly, slots: &[SlotCode], description: &Description) -> Demand {
    let processes = assembly.processes.iter().enumerate().map(|(index, process)| {
        let board = description.board.board.value;
        let devices = description.processes[index].devices.iter().map(|device| device.value);
        // A process that writes events down reads the clock.
        let clock = board.device(board.clock).filter(|_| process.journal > 0).copied();
        let clock = clock.filter(|clock| !process.devices.iter().any(|name| name == clock.name));
        ProcessDemand {
            name: process.name.clone(),
            memory: process.memory,
            room: process.room,
            ports: Bytes::new(assembly.cells.size(Home::Process(index))),
            states: Bytes::new(assembly.cells.size(Home::State(index))),
            stacks: assembly
                .threads_of(index)
                .map(|thread| StackDemand { thread: thread.name.clone(), size: thread.stack })
                .collect(),
            devices: devices.chain(clock).collect(),
            journal: process.journal,
        }
    });
    Demand {
        kernel: footprint::ram(description.board.board.value.processor, assembly, slots),
        published: Bytes::new(assembly.cells.size(Home::Published)),
        objects: Bytes::new(assembly.cells.size(Home::Kernel)),
        processes: processes.collect(),
        shared: assembly.objects.regions.iter().map(shared).collect(),
    }
}

fn shared(region: &Region) -> SharedDemand {
    let has = |process: &u32| region.processes.checked_shr(*process).is_some_and(|rest| rest & 1 == 1);
    let processes = (0..u32::BITS).filter(has).filter_map(|process| usize::try_from(process).ok());
    SharedDemand { name: region.name.clone(), size: Bytes::new(region.size), processes: processes.collect() }
}
