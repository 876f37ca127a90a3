//! What the kernel of a system takes of flash and RAM, known before anything is compiled.
//!
//! ```text
//! flash   vectors | code | tables, layout, system code
//! RAM     variables, a row of each table | guard | stack
//! ```
//! Tables and system code are counted: as many rows as are written, each as large as the compiler lays it out for the
//! board. The size of the code is predicted, as a sum over the features that are compiled in; how much each takes was
//! measured. With a margin the sum is a bound. The numbers for both are in `footprint/measured.rs`. A command writes
//! that file, and a test compares it with linked images (`builder/tests/fits.rs`). If a bound is too much for the
//! flash, the kernel is compiled to find out: `Project::settled`.

mod features;
mod measured;
mod rows;
mod sizes;

pub use features::{NAMES, features};
pub use measured::{CODE, FIXED_DATA, ROWS};
pub use rows::Rows;
pub(crate) use sizes::Sizes;

use beryl_kernel::{LEAST_LINES, leaves_for, places_for};

use crate::assembly::limits::rows_for;
use crate::assembly::{Assembly, Home, Process, Use};
use crate::board::{FLOATING_REGISTERS, Processor};
use crate::code::{Program, SlotCode};
use crate::quantity::Bytes;
use crate::supply::{Asked, Supplied, Supply};

/// The kernel's stack, and the guard below it, which begins at a multiple of its size.
pub const STACK: u64 = 2608 + 64;
/// A kernel's code may be so many bytes larger than predicted. The margin is wide, because predictions depend on what
/// the compiler inlines, and small changes of the kernel change that. The price: if a system nearly fills its flash,
/// `check` compiles its kernel.
pub const MARGIN: u32 = 4096;
/// What a kernel with budgets has more of code, without objects and with them: `examples/runaway` and the engine,
/// rounded up. It isn't among what random systems were measured with.
const BUDGETS: [u64; 2] = [4608, 8704];
/// What a kernel with budgets of several rules has more of code still.
const RULES: u64 = 2048;
/// What a kernel with budgets of several places has more of code still: `examples/shell` with two of them, rounded up.
const POOLS: u64 = 2048;
/// What a kernel with gates has more of code, before interrupts alone and before objects: `examples/storm`, and
/// `bench/objects` with gates before all kinds, rounded up.
const GATES: [u64; 2] = [1024, 6656];
/// What a kernel with limits of clients has more of code: `bench/objects` with limits of mailboxes and endpoints,
/// rounded up.
const LIMITS: u64 = 2048;
/// What a kernel with processes that begin anew has more of code: `examples/phoenix`, and the engine with such
/// a process, rounded up. It isn't among what random systems were measured with.
const RESTARTS: u64 = 2048;
/// What a kernel that counts what threads have no right to has more of code: `examples/babble` with that, rounded up.
const LACKS: u64 = 512;
/// What a kernel that keeps crash records has more of code: `examples/stray`, and the engine with records, rounded up.
const CRASHES: u64 = 1536;
/// What a kernel with supervisors has more of code: estimated, not measured. The kernel of `examples/warden` is smaller than
/// what it makes `check` predict.
const SUPERVISORS: u64 = 2048;
/// What a kernel has more of code in which processes can be replaced: `examples/graft`, rounded up.
const REPLACEMENTS: u64 = 4096;
/// What a kernel with watchdogs has more of code: `examples/warden` with one, rounded up.
const WATCHDOGS: u64 = 1024;
/// What a kernel with windows has more of code: twice what the system of `cli/tests/partitions.rs` has, which has no locks.
const WINDOWS: u64 = 768;
/// What a kernel in which some threads never wait has more of code, without the table of these.
const PROMPT: u64 = 256;
/// What a kernel with threads that use floating point has more of code: the switch, and how they begin.
const FLOATING: u64 = 512;
/// What a kernel has more of code that feeds inputs of tasks: 368 bytes in `examples/relay` on mps2-an385, 416 on virt, rounded up.
const FED: u64 = 512;
const FOLLOWED: u64 = 512;
const POLICED: u64 = 1024;
/// Everything begins at a multiple of this.
const ALIGNMENT: u64 = 8;

/// The most that the kernel takes of the flash.
#[must_use]
pub fn flash(system: &Supplied) -> Bytes {
    let (assembly, board) = (&system.assembly, system.description.board.board);
    let code = code(assembly).saturating_mul(board.processor.unmeasured.code);
    bytes(board.vectors() + code + Tables::of(assembly).flash(&system.programs, &system.supplies))
}

/// What the kernel takes of the RAM.
#[must_use]
pub fn ram(processor: &Processor, assembly: &Assembly, slots: &[SlotCode]) -> Bytes {
    let more = processor.unmeasured.context.map_or(0, |context| context.saturating_sub(ROWS.context));
    let contexts = sum(&[(Sizes::of(assembly).threads, more)]);
    let floating = sum(&[(assembly.floating(), FLOATING_REGISTERS)]);
    let variables = u64::from(FIXED_DATA) + Tables::of(assembly).variables(slots) + contexts + floating;
    bytes(variables + gap(processor) + stack(processor))
}

/// What may be free before variables that begin as a stack does, where that is more than was measured with.
fn gap(processor: &Processor) -> u64 {
    u64::from(processor.stack_alignment).saturating_sub(ALIGNMENT)
}

/// The kernel's stack and its guard on a processor.
#[must_use]
pub fn stack(processor: &Processor) -> u64 {
    STACK + u64::from(processor.unmeasured.stack)
}

/// The kernel's code with its constants, at most.
fn code(assembly: &Assembly) -> u64 {
    let weights = features(assembly).into_iter().zip(CODE);
    let sum: i64 = weights.map(|(amount, (_, weight))| i64::from(amount) * i64::from(*weight)).sum();
    let is_shared = assembly.objects.count() > 0 || Sizes::of(assembly).ceilings;
    let budgets = if assembly.has_budgets() { BUDGETS[usize::from(is_shared)] } else { 0 };
    let rules = if assembly.has_rules() { RULES } else { 0 };
    let pools = if assembly.has_pools() { POOLS } else { 0 };
    let are_lines = assembly.objects.gates.iter().all(|gate| matches!(gate.before, Use::Interrupt(_)));
    let gates = if assembly.has_gates() { GATES[usize::from(!are_lines)] } else { 0 };
    let limits = if assembly.has_limits() { LIMITS } else { 0 };
    let supervisors = if assembly.is_supervised() { SUPERVISORS } else { 0 };
    let watchdogs = if assembly.has_watchdogs() { WATCHDOGS } else { 0 };
    let prompt = if assembly.has_prompt() { PROMPT + assembly.threads.len() as u64 } else { 0 };
    let followed = if assembly.followed().is_empty() { 0 } else { FOLLOWED };
    let policed = if assembly.has_policed() { POLICED } else { 0 };
    let fed = if assembly.links() > 0 { FED } else { 0 };
    let windows = if assembly.has_partitions() { WINDOWS } else { 0 };
    let lacks = if assembly.counts_lacks { LACKS } else { 0 };
    let restarts = if assembly.has_restarts() { RESTARTS } else { 0 };
    let replacements = if assembly.has_replaceable() { REPLACEMENTS } else { 0 };
    let crashes = if assembly.crashes > 0 { CRASHES } else { 0 };
    let floating = if assembly.floating() > 0 { FLOATING } else { 0 };
    u64::try_from(sum)
        .unwrap_or(0)
        .saturating_add(MARGIN.into())
        .saturating_add(budgets)
        .saturating_add(rules)
        .saturating_add(pools)
        .saturating_add(gates)
        .saturating_add(limits)
        .saturating_add(restarts)
        .saturating_add(replacements)
        .saturating_add(crashes)
        .saturating_add(supervisors)
        .saturating_add(watchdogs)
        .saturating_add(windows)
        .saturating_add(lacks)
        .saturating_add(prompt)
        .saturating_add(followed)
        .saturating_add(fed)
        .saturating_add(policed)
        .saturating_add(floating)
}

/// The tables of a system, with rows of certain sizes.
#[derive(Clone, Copy, Debug)]
pub struct Tables<'a> {
    /// Bytes of each row.
    pub rows: Rows,
    /// The system.
    pub assembly: &'a Assembly,
}

impl Tables<'_> {
    /// With rows as they are recorded.
    #[must_use]
    pub fn of(assembly: &Assembly) -> Tables<'_> {
        Tables { rows: ROWS, assembly }
    }

    /// All tables, the layout and the system code.
    #[must_use]
    pub fn flash(&self, programs: &[Program], supplies: &[Supply]) -> u64 {
        let code: u64 = programs.iter().map(|program| self.program(program)).sum();
        self.system() + code + self.slots(programs, supplies) + self.layout()
    }

    /// `SYSTEM`: one table behind the other.
    #[must_use]
    pub fn system(&self) -> u64 {
        let Tables { rows, assembly } = *self;
        let (sizes, objects) = (Sizes::of(assembly), &assembly.objects);
        let tables = [
            (sizes.threads, rows.thread),
            (sizes.processes, rows.process),
            (sizes.bands, rows.band),
            (sizes.slots, rows.slot),
            (sizes.drivers, rows.driver),
            (sizes.programs, rows.program),
            (rows_for(objects.semaphores.len()), rows.semaphore),
            (rows_for(objects.conditions.len()), rows.condition),
            (rows_for(objects.mailboxes.len()), rows.mailbox),
            (rows_for(objects.endpoints.len()), rows.endpoint),
            (rows_for(objects.notifications.len()), rows.notification),
            (rows_for(objects.interrupts.len()), rows.interrupt),
            (rows_for(objects.known_states().count()), rows.state_message),
            (rows_for(objects.event_groups.len()), rows.event_group),
            (sizes.slots_of_programs, rows.program_slot),
            (sizes.ports, rows.port),
            (sizes.lines / LEAST_LINES, rows.lines),
            (if sizes.has_budgets { sizes.threads } else { 0 }, rows.budget),
            (if sizes.has_rules { sizes.threads } else { 0 }, rows.rule),
            (if sizes.has_pools { sizes.threads } else { 0 }, rows.pooled),
            (sizes.gates, rows.gate),
            (self.doors(), rows.door),
            (sizes.limits, rows.limit),
            (self.clients(), rows.client),
            (sizes.depths, rows.depth),
            (if sizes.has_restarts { sizes.processes } else { 0 }, rows.restart),
            (if sizes.has_replaceable { sizes.processes } else { 0 }, rows.replaceable),
            (if sizes.reports > 0 { sizes.threads + sizes.gates } else { 0 }, rows.watched),
            (sizes.reports, rows.telling),
            (sizes.windows, rows.window),
            (sizes.followed.len(), rows.followed),
            (sizes.policed.len().saturating_add(sizes.answering.len()), rows.hold),
            (if sizes.links > 0 { sizes.drivers } else { 0 }, rows.fed),
            (sizes.watchdogs, rows.watchdog),
            (if sizes.watchdogs > 0 { rows_for(objects.mailboxes.len()) } else { 0 }, rows.watchdog_id),
        ];
        sum(&tables).next_multiple_of(ALIGNMENT)
    }

    /// System code, with the durations and conditions that it names.
    #[must_use]
    pub fn program(&self, program: &Program) -> u64 {
        let Rows { instruction, duration, until, .. } = self.rows;
        let Program { code, durations, conditions, .. } = program;
        sum(&[(code.len(), instruction), (durations.len(), duration), (conditions.len(), until)])
    }

    /// What the rows of slots refer to.
    fn slots(&self, programs: &[Program], supplies: &[Supply]) -> u64 {
        let Tables { rows, assembly } = *self;
        let lists = assembly.objects.slots.iter().zip(supplies).enumerate();
        let lists = lists.flat_map(|(index, (slot, supply))| {
            let asked = Asked::of(assembly, programs, index);
            let terms = asked.terms(slot, supply);
            [
                (terms.rights.tasks.len(), 1),
                (terms.rights.drivers.len(), 1),
                (terms.lines.len(), rows.line),
                (terms.times.len(), rows.task_time),
                (terms.policies.len(), rows.policy),
                (terms.costs.drivers.len(), rows.instruction),
                (terms.losses.len(), rows.loss),
            ]
        });
        lists.map(|list| sum(&[list]).next_multiple_of(4)).sum()
    }

    /// Where everything is: threads, and what memory holds at the start.
    fn layout(&self) -> u64 {
        let Tables { rows, assembly } = *self;
        let threads = assembly.threads.len();
        // Those of floating point have the regions once more, and no more than that.
        let floating = if assembly.floating() > 0 { threads } else { 0 };
        sum(&[(1, rows.layout), (threads + floating, rows.thread_layout), (self.images(), rows.image)])
    }

    /// How many stretches of memory are filled at the start.
    #[must_use]
    pub fn images(&self) -> usize {
        let assembly = self.assembly;
        let filled = |(index, process): (usize, &Process)| {
            let has = |home| usize::from(assembly.cells.size(home) > 0);
            let variables = usize::from(process.memory > Bytes::ZERO) + usize::from(process.journal > 0);
            variables + has(Home::Process(index)) + has(Home::State(index))
        };
        let images: usize = assembly.processes.iter().enumerate().map(filled).sum();
        images + assembly.objects.regions.len() + 1
    }

    /// What changes of each row.
    #[must_use]
    pub fn variables(&self, slots: &[SlotCode]) -> u64 {
        let Tables { rows, assembly } = *self;
        let (sizes, objects) = (Sizes::of(assembly), &assembly.objects);
        let words = |count: u32| usize::try_from(count).unwrap_or(usize::MAX);
        let (leaves, notes) = (
            leaves_for(sizes.threads + sizes.gates + sizes.watchdogs + usize::from(sizes.windows > 0)),
            sizes.trace.map_or(1, |trace| words(trace.notes)),
        );
        let watched = if sizes.event_triggers > 0 { sizes.programs } else { 0 };
        let tables = [
            (sizes.threads, rows.thread_state),
            (sizes.threads, rows.context),
            (sizes.processes, rows.process_state),
            (sizes.bands, rows.node),
            (sizes.programs, rows.program_state),
            (sizes.schedules.max(1), rows.schedule),
            (places_for(sizes.programs, watched), rows.trigger),
            (1 + sizes.event_triggers, rows.event_trigger),
            (4 * sizes.kept * (1 + sizes.event_triggers), rows.node),
            (sizes.triggers, rows.key),
            (2 * sizes.triggers, rows.node),
            (leaves, rows.moment),
            (2 * leaves, rows.node),
            (rows_for(objects.semaphores.len()), rows.semaphore_state),
            (rows_for(objects.conditions.len()), rows.queue),
            (rows_for(objects.mailboxes.len()), rows.mailbox_state),
            (rows_for(objects.endpoints.len()), rows.endpoint_state),
            (rows_for(objects.event_groups.len()), rows.event_group_state),
            (sizes.slots_of_programs, rows.program_slot_state),
            (words(sizes.rooms).max(1), rows.node),
            (words(SlotCode::most_words(slots)).max(1), rows.instruction),
            (notes, rows.note),
            (if sizes.has_budgets { sizes.threads } else { 0 }, rows.budget_state),
            (if sizes.has_rules { sizes.threads } else { 0 }, rows.chunks),
            (usize::from(sizes.has_budgets), rows.payment),
            (sizes.gates, rows.gate_state),
            (usize::from(sizes.gates > 0), rows.opening),
            (sizes.limits, rows.limit_state),
            (sizes.credits, rows.credit),
            (usize::from(sizes.depths > 0), rows.depth_state),
            (if sizes.has_restarts { sizes.processes } else { 0 }, rows.restarts),
            (if sizes.has_replaceable { sizes.processes } else { 0 }, rows.replacement),
            (usize::from(sizes.has_restarts), rows.renewal),
            (sizes.crashes, rows.crash),
            (usize::from(sizes.crashes > 0), rows.crashes),
            (sizes.reports, rows.report_state),
            (sizes.followed.len(), rows.followed_state),
            (sizes.policed.len(), rows.section),
            (sizes.answering.len(), rows.allowance),
            (usize::from(sizes.windows > 0), rows.open_window),
            (usize::from(sizes.windows > 0), rows.eligible),
            (sizes.lacked, rows.lacked),
            (usize::from(sizes.reports > 0), rows.unsent),
            (sizes.watchdogs, rows.watchdog_state),
            (sizes.links, rows.link_state),
            (usize::from(sizes.watchdogs > 0), rows.alert),
        ];
        sum(&tables)
    }

    /// Whoever may have a limit, in a system with limits.
    fn clients(&self) -> usize {
        let objects = &self.assembly.objects;
        let asked = rows_for(objects.mailboxes.len()) + rows_for(objects.endpoints.len());
        if objects.limits.is_empty() { 0 } else { asked * Sizes::of(self.assembly).processes }
    }

    /// Whatever may have a gate, in a system with gates.
    fn doors(&self) -> usize {
        let objects = &self.assembly.objects;
        let all = [
            &objects.notifications.len(),
            &objects.mailboxes.len(),
            &objects.endpoints.len(),
            &objects.event_groups.len(),
        ];
        let all = all.into_iter().map(|count| rows_for(*count)).sum::<usize>();
        if objects.gates.is_empty() { 0 } else { objects.lines() + all }
    }
}

/// What tables take together.
fn sum(tables: &[(usize, u32)]) -> u64 {
    let table = |(rows, size): &(usize, u32)| (*rows as u64).saturating_mul((*size).into());
    tables.iter().map(table).fold(0, u64::saturating_add)
}

fn bytes(size: u64) -> Bytes {
    Bytes::new(u32::try_from(size.next_multiple_of(ALIGNMENT)).unwrap_or(u32::MAX))
}
