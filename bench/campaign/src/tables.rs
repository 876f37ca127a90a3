//! Tables: a project's rows in this program, as the builder writes them into a simulation program.

#[cfg(test)]
mod as_text;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::rows::{Row, Rows};
use beryl_builder::supply::Asked;
use beryl_kernel::{Budget, ByLine, Driver, Optional, Program, ProgramSlot, Sizes, System, Table, Thread};

use crate::bodies::MOST;

/// Sizes of tables for whatever is drawn.
pub trait Large: Sizes<Threads = [Thread; MOST], Drivers = [Driver; DRIVERS]> {}

impl<S: Sizes<Threads = [Thread; MOST], Drivers = [Driver; DRIVERS]>> Large for S {}

/// The most drivers of a system.
pub const DRIVERS: usize = 128;

/// The tables of a project. They stay for as long as this program runs. Where the kernel takes no time, nobody pays for
/// what it does to wake a thread.
pub fn tables<S: Large>(project: &Project, takes_time: bool) -> Result<&'static System<S>> {
    let rows = Rows::of(project);
    let mut system = System::<S>::empty();
    fill(&mut system.threads, plain(rows.threads))?;
    fill(&mut system.processes, plain(rows.processes))?;
    fill(&mut system.bands, plain(rows.bands))?;
    fill(&mut system.slots, rows.slots)?;
    fill(&mut system.drivers, plain(rows.drivers))?;
    fill(&mut system.programs, programs(project, plain(rows.programs))?)?;
    fill(&mut system.semaphores, plain(rows.objects.semaphores))?;
    fill(&mut system.conditions, plain(rows.objects.conditions))?;
    fill(&mut system.mailboxes, plain(rows.objects.mailboxes))?;
    fill(&mut system.endpoints, plain(rows.objects.endpoints))?;
    fill(&mut system.event_groups, plain(rows.objects.event_groups))?;
    fill(&mut system.notifications, plain(rows.objects.notifications))?;
    fill(&mut system.interrupts, plain(rows.objects.interrupts))?;
    fill(&mut system.state_messages, plain(rows.objects.state_messages))?;
    fill(&mut system.program_slots, slots(project, plain(rows.program_slots))?)?;
    fill(&mut system.ports, plain(rows.objects.ports))?;
    for (place, row) in plain(rows.budgets).into_iter().enumerate() {
        *system.budgets.get_mut(place).context("a room without budgets")? =
            if takes_time { row } else { Budget { woken: 0, ..row } };
    }
    for (place, row) in plain(rows.rules).into_iter().enumerate() {
        *system.rules.get_mut(place).context("a room without rules")? = row;
    }
    for (place, row) in plain(rows.windows).into_iter().enumerate() {
        anyhow::ensure!(place < S::WINDOWS, "more windows than the room has");
        *system.windows.get_mut(place).context("a room without windows")? = row;
    }
    for (place, row) in plain(rows.pools).into_iter().enumerate() {
        *system.pools.get_mut(place).context("a room without pools")? = row;
    }
    system.lines = S::Lines::filled(system.interrupts.rows());
    system.drivers = Driver::noted(system.drivers, &system.threads);
    Ok(Box::leak(Box::new(system)))
}

/// Rows without their names.
fn plain<R>(rows: Vec<Row<R>>) -> Vec<R> {
    rows.into_iter().map(|row| row.row).collect()
}

fn fill<R>(table: &mut impl Table<R>, rows: Vec<R>) -> Result<()> {
    ensure!(rows.len() <= table.rows().len(), "{} rows don't fit into a table", rows.len());
    table.rows_mut().iter_mut().zip(rows).for_each(|(place, row)| *place = row);
    Ok(())
}

/// The programs with their text.
fn programs(project: &Project, rows: Vec<Program>) -> Result<Vec<Program>> {
    let program = |(row, own): (Program, &beryl_builder::code::Program)| {
        ensure!(own.handler.is_none(), "programs with handlers aren't drawn");
        let (code, durations) = (own.code.clone().leak(), own.durations.clone().leak());
        Ok(Program { code, durations, conditions: own.conditions.clone().leak(), ..row })
    };
    rows.into_iter().zip(&project.programs).map(program).collect()
}

/// The slots with their terms.
fn slots(project: &Project, rows: Vec<ProgramSlot>) -> Result<Vec<ProgramSlot>> {
    let slot = |(index, row): (usize, ProgramSlot)| {
        let asked = Box::leak(Box::new(Asked::of(&project.assembly, &project.programs, index)));
        let slot = project.assembly.objects.slots.get(index).context("a row without slot")?;
        let supply = project.supplies.get(index).context("a slot without supply")?;
        let (slot, supply) = (Box::leak(Box::new(slot.clone())), Box::leak(Box::new(supply.clone())));
        Ok(ProgramSlot { terms: asked.terms(slot, supply), ..row })
    };
    rows.into_iter().enumerate().map(slot).collect()
}
