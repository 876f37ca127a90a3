//! Interference: what runs above all bands.

use beryl_analysis::Interference;

use super::bells::second_traps;
use super::drivers::drivers;
use super::kernel_work::{completions, dispatches, instants, kernel_work, programs};
use super::pools::releases;
use super::restarts::interfering;
use super::takers::takers;
use super::wake_ups::{openings, replenishments, wake_ups};
use super::watchdogs::watchdogs;
use super::windows::ends_of_windows;
use crate::costs::Costed;

/// What runs above all bands: drivers, and what the kernel does for periodic threads, for schedules, and at
/// instants that have no period.
pub(super) fn interference(costed: &Costed) -> Vec<Interference> {
    let modules: Vec<_> = costed.assembly.modules.iter().collect();
    let irregular = modules.iter().filter(|module| !module.is_regular());
    let instants = irregular.filter_map(|module| instants(costed, module));
    drivers(costed, &modules).into_iter().chain(kernels(costed)).chain(instants).collect()
}

/// What the kernel does for periodic threads, for schedules, for threads of programs that arrive, and for
/// processes that begin anew.
pub(crate) fn kernels(costed: &Costed) -> impl Iterator<Item = Interference> {
    let assembly = &costed.assembly;
    let kernel_work = assembly.threads.iter().filter_map(|thread| kernel_work(costed, thread));
    let awake = assembly.threads.iter().filter_map(|thread| wake_ups(costed, thread));
    let released = assembly.threads.iter().filter_map(|thread| releases(costed, thread));
    let completions = assembly.tasks().filter_map(|(thread, task)| completions(costed, thread, task));
    let budgets = assembly.threads.iter().filter_map(|thread| replenishments(costed, thread));
    let schedules = assembly.bands_by_code().filter_map(|band| dispatches(costed, band));
    let takers = assembly.offers().flat_map(|(slot, _)| takers(costed, slot));
    kernel_work
        .chain(awake)
        .chain(released)
        .chain(budgets)
        .chain(schedules)
        .chain(completions)
        .chain(takers)
        .chain(programs(costed))
        .chain(openings(costed))
        .chain(second_traps(costed))
        .chain(watchdogs(costed))
        .chain(ends_of_windows(costed))
        .chain(interfering(costed))
}
