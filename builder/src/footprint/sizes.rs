//! The lengths of the kernel's tables.

use beryl_abi::Duration;
use beryl_kernel::Followed;

use crate::assembly::limits::rows_for;
use crate::assembly::objects::Trace;
use crate::assembly::{Assembly, Policy, Role};
use crate::description::Waits;

/// Lengths of the tables. Hot ones are powers of two, so that an index is masked, not compared.
pub(crate) struct Sizes {
    pub(crate) threads: usize,
    pub(crate) processes: usize,
    pub(crate) bands: usize,
    pub(crate) slots: usize,
    pub(crate) drivers: usize,
    pub(crate) programs: usize,
    pub(crate) triggers: usize,
    pub(crate) schedules: usize,
    pub(crate) event_triggers: usize,
    pub(crate) ports: usize,
    /// The words of the longest port that is no number.
    pub(crate) kept: usize,
    pub(crate) slots_of_programs: usize,
    pub(crate) rooms: u32,
    pub(crate) trace: Option<Trace>,
    pub(crate) certified_only: bool,
    pub(crate) handlers: bool,
    pub(crate) ceilings: bool,
    pub(crate) has_periodic: bool,
    /// Whether some thread has a range of priorities.
    pub(crate) has_ranges: bool,
    /// Whether some place has a budget.
    pub(crate) has_budgets: bool,
    /// Whether some budget comes back by another rule than the deferrable one.
    pub(crate) has_rules: bool,
    pub(crate) has_bandwidth: bool,
    /// Whether several places pay from one budget.
    pub(crate) has_pools: bool,
    /// The length of the table of gates.
    pub(crate) gates: usize,
    /// The length of the table of limits of clients, and the credits of all of them.
    pub(crate) limits: usize,
    pub(crate) credits: usize,
    /// How many depths of sleep there are beside the lightest.
    pub(crate) depths: usize,
    /// Whether some process begins anew after a fault.
    pub(crate) has_restarts: bool,
    /// Whether some process can be replaced.
    pub(crate) has_replaceable: bool,
    /// How many crash records are kept.
    pub(crate) crashes: usize,
    /// The length of the table of reports.
    pub(crate) reports: usize,
    /// The length of the table of watchdogs.
    pub(crate) watchdogs: usize,
    /// The windows of the frame.
    pub(crate) windows: usize,
    /// The length of the table of lines.
    pub(crate) lines: usize,
    /// The length of the table of what threads have no right to.
    pub(crate) lacked: usize,
    /// Of each thread whether it never waits; nothing if each may.
    pub(crate) waits: Vec<Waits>,
    /// How long each thread may keep others out; nothing if nobody polices that.
    pub(crate) policed: Vec<Duration>,
    /// How long each may work for a request.
    pub(crate) answering: Vec<Duration>,
    /// The state messages that are told in the trace.
    pub(crate) followed: Vec<Followed>,
    /// Whether values come from other nodes, or go to them.
    pub(crate) linked: bool,
    /// Whether any notification is a doorbell at another core.
    pub(crate) rings: bool,
    /// How many inputs of tasks are fed.
    pub(crate) links: usize,
    /// How many events the largest journal has room for.
    pub(crate) journal: u32,
}

impl Sizes {
    pub(crate) fn of(assembly: &Assembly) -> Sizes {
        let slots = assembly.bands.iter().filter_map(|band| match band.policy {
            Policy::Dynamic { base, leaves } => Some(usize::from(base) + usize::from(leaves)),
            Policy::Fixed | Policy::Code { .. } => None,
        });
        let programs = assembly.programs().max(1).next_power_of_two();
        let schedules = assembly.schedules();
        Sizes {
            threads: rows_for(assembly.threads.len()),
            processes: rows_for(assembly.processes.len()),
            bands: assembly.bands.len().next_power_of_two(),
            slots: slots.max().unwrap_or(2).next_power_of_two(),
            drivers: assembly.drivers.len().max(1),
            programs,
            triggers: (programs + schedules).max(2).next_power_of_two(),
            schedules,
            event_triggers: assembly.event_triggers(),
            ports: rows_for(assembly.ports.len()),
            kept: assembly.longest_port(),
            slots_of_programs: rows_for(assembly.objects.slots.len()),
            rooms: assembly.objects.rooms(),
            trace: assembly.objects.trace,
            certified_only: assembly.objects.certified_only(),
            handlers: assembly.has_reactions(),
            ceilings: assembly.threads.iter().any(|thread| thread.highest_ceiling > 0),
            has_periodic: assembly.threads.iter().any(|thread| matches!(thread.role, Role::Periodic(_))),
            has_ranges: assembly.has_background()
                || assembly.threads.iter().any(|thread| thread.priorities.is_some()),
            has_budgets: assembly.has_budgets(),
            has_rules: assembly.has_rules(),
            has_bandwidth: assembly.has_bandwidth(),
            has_pools: assembly.has_pools(),
            gates: if assembly.has_gates() { rows_for(assembly.objects.gates.len()) } else { 0 },
            limits: if assembly.has_limits() { rows_for(assembly.objects.limits.len()) } else { 0 },
            credits: assembly.credits(),
            depths: assembly.sleeps.len(),
            has_restarts: assembly.has_restarts(),
            has_replaceable: assembly.has_replaceable(),
            crashes: assembly.crashes.into(),
            reports: if assembly.is_supervised() { rows_for(assembly.reports.len()) } else { 0 },
            watchdogs: if assembly.has_watchdogs() { rows_for(assembly.watchdogs.len()) } else { 0 },
            windows: assembly.frame.windows.len(),
            lines: assembly.objects.lines(),
            lacked: if assembly.counts_lacks { rows_for(assembly.threads.len()) } else { 0 },
            waits: assembly.waits(),
            policed: assembly.policed(),
            answering: assembly.answering(),
            followed: assembly.followed(),
            linked: assembly.is_linked(),
            rings: assembly.objects.notifications.iter().any(|row| row.is_bell),
            links: assembly.links(),
            journal: assembly.largest_journal(),
        }
    }
}
