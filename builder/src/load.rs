//! The load: what a costed system asks of the processor, in the terms of the analysis: its tasks, drivers and
//! kernel costs.

mod bells;
mod drivers;
mod interference;
mod kernel_work;
mod locks;
mod lost;
mod pools;
mod restarts;
mod stops;
mod takers;
mod tasks;
mod unpaid;
mod wake_ups;
mod watchdogs;
mod windows;

pub(crate) use bells::second_traps;
pub use drivers::budget;
pub use restarts::{Restarts, restarts};
pub use stops::{Stop, stops};

pub(crate) use drivers::{LATE_STEPS, asynchronous_instants, driver_time, drivers};
pub(crate) use interference::kernels;
pub(crate) use kernel_work::{block, common, completions, dispatches, kernel_work};
pub(crate) use lost::lost;
pub(crate) use pools::{may_wait_for, pools, releases};
pub(crate) use takers::{instants_of, instruction, takers, threads};
pub(crate) use tasks::task;
pub(crate) use wake_ups::{openings, replenishments, wake_ups, woken};
pub(crate) use watchdogs::watchdogs;

use beryl_analysis as analysis;

use crate::assembly::Policy;
use crate::costs::Costed;
use tasks::in_band;

/// The system as the analysis sees it, with all threads at their most urgent. Times are kernel ticks.
#[must_use]
pub fn system(costed: &Costed) -> analysis::System {
    let bands = bands(costed);
    analysis::System {
        interference: interference::interference(costed),
        costs: costed.costs.kernel,
        locks: locks_in_place(costed),
        pools: pools(costed, &bands),
        frame: windows::frame(costed),
        bands,
    }
}

/// The locks, with their users in the bands of the description.
pub(crate) fn locks_in_place(costed: &Costed) -> Vec<analysis::Lock> {
    let assembly = &costed.assembly;
    let kept = pools::counted_bands(assembly);
    locks::locks(costed, |thread| locks::urgency(assembly, &kept, thread))
}

/// Tasks, periodic and sporadic threads are tasks to the analysis.
pub(crate) fn bands(costed: &Costed) -> Vec<analysis::Band> {
    let assembly = &costed.assembly;
    let bands = pools::counted_bands(assembly).into_iter().map(|index| {
        let band = &assembly.bands[index];
        let members = assembly.threads.iter().filter(|thread| thread.band == index);
        let policy = match band.policy {
            // Its schedule is that of the earliest deadline with the longest times.
            Policy::Dynamic { .. } | Policy::Code { .. } => analysis::Policy::Dynamic,
            Policy::Fixed => analysis::Policy::Fixed,
        };
        analysis::Band {
            name: band.name.clone(),
            policy,
            tasks: members.filter_map(|thread| in_band(costed, thread)).collect(),
        }
    });
    bands.collect()
}
