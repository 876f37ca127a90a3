//! Rooms: the table sizes of drawn systems. Some sizes enable features that cost steps in all systems, so
//! each kind has its own.

use anyhow::Result;
use beryl_builder::Project;
use beryl_kernel::sizes;
use beryl_sim::{ConsoleLines, Costs, Memory, Options, Outcome, Simulation, ThreadCode, Tick, run};

use crate::bodies::MOST;
use crate::tables::{DRIVERS, Large, tables};
use crate::world::World;

/// The most tasks before the thread that reads the trace: its number is a constant of the kernel.
pub const MOST_TASKS: usize = 2;

macro_rules! room {
    ($(#[$doc:meta])* $name:ident { $($more:tt)* }) => {
        sizes! {
            $(#[$doc])*
            pub struct $name {
                threads: MOST, processes: 4, bands: 8, slots: 64, drivers: DRIVERS, programs: 8, triggers: 16,
                semaphores: 4, conditions: 1, mailboxes: 2, endpoints: 2, notifications: 18, interrupts: 4,
                state_messages: 2, schedules: 4 $($more)*
            }
        }
    };
}

room! {
    /// Room for anything drawn except for the following.
    Room {}
}
room! {
    /// With budgets.
    Paid { , budgets: MOST }
}
room! {
    /// With budgets that several threads share.
    Pooled { , budgets: MOST, pools: MOST }
}
room! {
    /// With budgets that come back by any rule.
    Ruled { , budgets: MOST, rules: MOST }
}
room! {
    /// With budgets of constant bandwidth.
    Constant { , budgets: MOST, rules: MOST, constant: true }
}
room! {
    /// With windows.
    Windowed { , windows: 32 }
}
room! {
    /// With windows, and with budgets that come back by any rule.
    NestedRuled { , budgets: MOST, rules: MOST, windows: 32 }
}
room! {
    /// With windows, and with budgets that several threads share.
    NestedPooled { , budgets: MOST, pools: MOST, windows: 32 }
}
room! {
    /// With a trigger on a port or a line. Each place for one is a step of each check, so there are as many
    /// as in an image.
    Watching { , trigger_places: 8, event_triggers: 1, ports: 8 }
}
room! {
    /// With as many triggers as a chain has, and one for an output of a mode's task.
    Chained { , trigger_places: 8, event_triggers: 4, ports: 8 }
}
room! {
    /// With a slot.
    Slotted { , program_slots: 1, rooms: 2048, check_words: 8192 }
}
room! {
    /// With a trace buffer that the first thread reads.
    Told0 { , notes: 64, reader: 0, told: 0xfe }
}
room! {
    /// The second one reads it.
    Told1 { , notes: 64, reader: 1, told: 0xfe }
}
room! {
    /// The third one reads it.
    Told2 { , notes: 64, reader: 2, told: 0xfe }
}

/// Applies code to the tables of a project, whatever its room.
macro_rules! with_room {
    ($project:expr, $room:ident => $body:expr) => {{
        let assembly = &$project.assembly;
        match assembly.objects.trace.map(|trace| trace.reader) {
            Some(0) => {
                type $room = $crate::rooms::Told0;
                $body
            }
            Some(1) => {
                type $room = $crate::rooms::Told1;
                $body
            }
            Some(2) => {
                type $room = $crate::rooms::Told2;
                $body
            }
            Some(_) => anyhow::bail!("no room has this reader of the trace"),
            None if assembly.has_partitions() && assembly.has_pools() => {
                type $room = $crate::rooms::NestedPooled;
                $body
            }
            None if assembly.has_partitions() && assembly.has_budgets() => {
                type $room = $crate::rooms::NestedRuled;
                $body
            }
            None if assembly.has_partitions() => {
                type $room = $crate::rooms::Windowed;
                $body
            }
            None if assembly.has_bandwidth() => {
                type $room = $crate::rooms::Constant;
                $body
            }
            None if assembly.has_rules() => {
                type $room = $crate::rooms::Ruled;
                $body
            }
            None if assembly.has_pools() => {
                type $room = $crate::rooms::Pooled;
                $body
            }
            None if assembly.has_budgets() => {
                type $room = $crate::rooms::Paid;
                $body
            }
            None if assembly.event_triggers() > 1 => {
                type $room = $crate::rooms::Chained;
                $body
            }
            None if assembly.event_triggers() > 0 => {
                type $room = $crate::rooms::Watching;
                $body
            }
            None if !assembly.objects.slots.is_empty() => {
                type $room = $crate::rooms::Slotted;
                $body
            }
            None => {
                type $room = $crate::rooms::Room;
                $body
            }
        }
    }};
}

#[cfg(test)]
pub(crate) use with_room;

/// Runs a project with the code of its threads.
pub fn carried_out(
    project: &Project,
    threads: &[ThreadCode],
    world: World,
    options: &Options,
) -> Result<Outcome> {
    with_room!(project, Own => Ok(run(simulation::<Own>(project, threads, world, options)?, options)?))
}

fn simulation<'a, S: Large>(
    project: &Project,
    threads: &'a [ThreadCode],
    world: World,
    options: &Options,
) -> Result<Simulation<'a, S>> {
    let board = project.description.board.board.value;
    anyhow::ensure!(threads.len() <= MOST, "{} threads are too many", threads.len());
    Ok(Simulation {
        system: tables(project, options.costs != Costs::None)?,
        threads,
        memory: Memory {
            base: board.ram.base,
            size: project.description.board.ram.value.get().min(0x1_0000),
            image: &[],
        },
        tick: Tick::of_nanoseconds(project.tick()),
        console: ConsoleLines::default(),
        environment: Box::new(world),
    })
}
