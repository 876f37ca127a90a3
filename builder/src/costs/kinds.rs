//! The most that a step of each kind takes, in instructions of the emulated board.
//!
//! These numbers stand here and nowhere else. `./x bench` derives a bound for each kind from the kernel's
//! binary and compares it with the number here (`kernel/step`, `idle`). `./x bench campaign board` does the
//! same with the kernels of random systems, and with each step of their runs. Both say which kind's number is
//! too low, and by how much. A kind has a few *ways*: each is a base, and a cost for everything that the step
//! may have to walk through. The kind takes as long as its longest way.

use beryl_kernel::STOP_LOOKS;

use super::kind::Kind;
use super::tracing;
use super::waiting::most_waiting;
use crate::assembly::{Assembly, Extents, Role};
use crate::board::Processor;
use crate::board::processor::Unmeasured;

impl Kind {
    /// What a step of this kind is charged on a processor, in instructions. Kernels of each board have been bounded, and none of
    /// their steps is longer (`bench/tests/processors.rs`).
    #[must_use]
    pub fn charged(self, assembly: &Assembly, processor: &Processor) -> u64 {
        let Unmeasured { steps, more, .. } = processor.unmeasured;
        let more = match self {
            Kind::Alarm => more.alarm,
            Kind::Sorting => more.sorting,
            Kind::Completion => more.completion,
            Kind::Decision => more.decision,
            Kind::Stop => more.stop,
            Kind::Search => more.search,
            Kind::Release | Kind::Driver | Kind::EMachine | Kind::Job | Kind::Call => more.other,
        };
        let hundredths = self.instructions(assembly).saturating_mul(steps);
        hundredths.div_ceil(100).saturating_add(more)
    }

    /// The most instructions of a step of this kind. With a trace buffer, all classes of trace points are on.
    #[must_use]
    pub fn instructions(self, assembly: &Assembly) -> u64 {
        let ways = Ways::of(assembly);
        let own = match self {
            Kind::Alarm => ways.alarm(),
            Kind::Release => ways.release().max(ways.e_machine()),
            Kind::Sorting => ways.sorting(),
            Kind::Completion => ways.completion(),
            Kind::Driver | Kind::EMachine => ways.e_machine(),
            Kind::Decision => ways.decision(),
            Kind::Job => ways.job(),
            Kind::Stop => ways.stop(),
            Kind::Search => ways.search(),
            Kind::Call => ways.call(),
        };
        let recorded = if self == Kind::Call { OFFERED + RECORDED } else { OFFERED };
        let offered = if assembly.offers().next().is_some() { recorded } else { 0 };
        let takes_locks = assembly.threads.iter().any(|thread| thread.highest_ceiling > 0);
        let locked = match self {
            _ if !takes_locks => 0,
            Kind::Alarm | Kind::Completion | Kind::Job | Kind::Stop | Kind::Call => ASKED + DECIDED,
            Kind::Release | Kind::Driver | Kind::EMachine | Kind::Decision => DECIDED,
            Kind::Sorting | Kind::Search => 0,
        };
        let paid = match self {
            _ if !assembly.has_budgets() => 0,
            Kind::Job | Kind::Stop | Kind::Call => PAID + ENDED,
            _ => PAID,
        };
        let gated = match self {
            _ if !assembly.has_gates() => 0,
            Kind::Sorting | Kind::Decision => 0,
            _ => GATED,
        };
        let limited = if self == Kind::Call && assembly.has_limits() { LIMITED } else { 0 };
        let lacking = match self {
            Kind::Completion | Kind::Job | Kind::Call if assembly.counts_lacks => LACKING,
            _ => 0,
        };
        let prompt = match self {
            Kind::Completion | Kind::Job | Kind::Call if assembly.has_prompt() => PROMPT,
            _ => 0,
        };
        let ruled = match self {
            _ if !assembly.has_rules() => 0,
            Kind::Release | Kind::Job | Kind::Call => RULED,
            _ => 0,
        };
        let pooled = match self {
            _ if !assembly.has_pools() => 0,
            Kind::Sorting => 0,
            _ => POOLED,
        };
        let moved = match self {
            Kind::Job | Kind::Call if assembly.has_background() || assembly.has_bandwidth() => ways.moved(),
            _ => 0,
        };
        let told = match self {
            _ if !assembly.is_supervised() => 0,
            Kind::Sorting | Kind::Decision => 0,
            _ => TOLD,
        };
        let watched = match self {
            _ if !assembly.has_watchdogs() => 0,
            Kind::Sorting | Kind::Decision | Kind::Search => 0,
            _ => WATCHED,
        };
        let replaced = match self {
            _ if !assembly.has_replaceable() => 0,
            Kind::Sorting | Kind::Decision => 0,
            _ => REPLACED,
        };
        let policed = match self {
            _ if !assembly.has_policed() => 0,
            Kind::Sorting => 0,
            Kind::Alarm | Kind::Decision => POLICED + KEPT_OUT,
            _ => POLICED,
        };
        let windowed = if assembly.has_partitions() { WINDOWED } else { 0 };
        let nested = match self {
            Kind::Decision if assembly.has_partitions() && assembly.has_budgets() => NESTED,
            _ => 0,
        };
        let kept = match self {
            _ if assembly.floating() == 0 => 0,
            Kind::Sorting => 0,
            _ if assembly.has_restarts() => KEPT + CLEARED,
            _ => KEPT,
        };
        let linked = match self {
            _ if !assembly.is_linked() => 0,
            Kind::Sorting => 0,
            Kind::Decision => LINKED + LOOKED,
            _ => LINKED,
        };
        let fed = match self {
            _ if assembly.links() == 0 => 0,
            Kind::Sorting => 0,
            _ => FED,
        };
        let called = if assembly.is_called { CALLED } else { 0 };
        let roused = if assembly.sleeps.is_empty() { 0 } else { ROUSED };
        let written = match self {
            _ if assembly.crashes == 0 => 0,
            Kind::Alarm | Kind::Search | Kind::Job | Kind::Call => WRITTEN,
            _ => 0,
        };
        own + locked
            + offered
            + paid
            + gated
            + limited
            + lacking
            + prompt
            + ruled
            + pooled
            + moved
            + told
            + watched
            + replaced
            + windowed
            + nested
            + policed
            + roused
            + linked
            + fed
            + called
            + kept
            + written
            + tracing::in_a_step(assembly, self)
    }
}

/// How much longer steps may take where values cross between nodes: a round of the loop of steps keeps more while it looks
/// for the newest value that counts, and so do all that end in it.
const LINKED: u64 = 20;
/// How much longer still a round that decides: it looks at three entries.
const LOOKED: u64 = 50;

/// How much longer steps may take where inputs are fed: a round of the loop of steps keeps more for drivers that have a part in a
/// link, and so do all that end in it.
const FED: u64 = 30;

/// How much longer steps may take where kernels of other cores call on a line: a round of the loop of steps looks for bells there,
/// among lines of devices.
const CALLED: u64 = 80;

/// How much longer any step may take where tasks are offered to programs that arrive: it carries out a
/// thread's instruction in a room, and notes something of the period that is being recorded.
const OFFERED: u64 = 345;
/// How much longer still if the note is a miss or an overrun of a thread that isn't in the proof.
const RECORDED: u64 = 320;

/// How much longer steps may take where threads take ceiling locks. A step that enters the kernel asks whether
/// its caller holds one; a step that switches to another thread asks whether that one does.
const ASKED: u64 = 20;
const DECIDED: u64 = 20;

/// What any step may take more where places have budgets: time is charged to one, another pays from now on,
/// and the alarm moves. A step that ends a job counts and tells it besides.
const PAID: u64 = 120;
/// What any step may take more where the processor sleeps more or less deep: it sets the alarm, and says that the
/// sleep is light.
const ROUSED: u64 = 40;
/// What any step may take more where threads use floating point: it switches from one of them to another. Where processes begin
/// anew, the registers of a thread may be made zero besides.
const KEPT: u64 = 30;
const CLEARED: u64 = 120;
const ENDED: u64 = 150;

/// What a step may take more where faults are written down: it begins a record, or writes a piece of it.
const WRITTEN: u64 = 60;

/// What a step may take more where there are gates: it looks for one before what something comes to, and whether that
/// is closed, and a timer may be a gate's.
const GATED: u64 = 100;

/// What a call may take more where clients have limits: it looks for that of its process, asks whether a credit is
/// here, and takes it or counts that none is.
const LIMITED: u64 = 150;

/// What a step that is a call may take more where it is counted what threads have no right to: at its end it asks
/// whether it was refused so, and counts that.
const LACKING: u64 = 60;

/// What a step that is a call may take more where some threads never wait: it asks whether its caller is one.
const PROMPT: u64 = 15;

/// What a step may take more where there are supervisors: it looks for the report of what has happened, dates and counts
/// it, and puts it behind those that have yet to be sent; at the end of a job it asks before whether there is any.
const TOLD: u64 = 100;

/// What a step may take more where supervisors have watchdogs: it looks for the one of a mailbox, and dates it; a timer may
/// be a watchdog's.
const WATCHED: u64 = 60;

/// What a step may take more where processes can be replaced: a thread that begins anew begins in the room of its process,
/// and memory is filled from there.
const REPLACED: u64 = 60;

/// What a step may take more where bands have windows: whoever is first is asked for among those that count, a timer may be
/// the end of a window, and a raised word may belong to another one.
const WINDOWED: u64 = 60;
/// What a decision may take more still where both are: whoever makes way for a window has paid until then.
const NESTED: u64 = 30;

/// What a step may take more where sections are policed: whether one begins with a wait for a semaphore or ends with a
/// switch, when the alarm has to come, and whether it came for that. And where the alarm comes, or a decision keeps somebody out, still more.
const POLICED: u64 = 130;
const KEPT_OUT: u64 = 65;

/// What a step may take more where budgets come back by several rules: a thread wakes, or is charged, and what was used
/// of its budget is put down; up to four parts of that may be due.
const RULED: u64 = 450;

/// What a step may take more where several places pay from one budget: whenever time is charged, or the end of the
/// payer's budget is looked for, with whose place that stands.
const POOLED: u64 = 100;

/// What steps may have to walk through.
struct Ways {
    /// Levels of the deepest tree.
    levels: u32,
    /// Places of a band that are looked at from either end. The first one is in the bases.
    looks: u32,
    /// Objects along which a place may be lent.
    locks: u32,
    /// Threads that a ceiling may raise.
    raised: u32,
    /// Threads that may wait for one object: as many as the kernel has to expect, and as many as are described.
    waiters: u32,
    waiting: u32,
    /// Triggers on anything but time, and one more.
    event_triggers: u32,
    /// Words of the longest port that is looked at and no number.
    kept: u32,
    has_programs: bool,
    has_timers: bool,
    has_schedules: bool,
    is_shared: bool,
}

impl Ways {
    fn of(assembly: &Assembly) -> Ways {
        let Extents { levels, looks, locks, raised, waiters, .. } = assembly.limits();
        let objects = &assembly.objects;
        let event_triggers = u32::try_from(assembly.event_triggers()).unwrap_or(u32::MAX);
        Ways {
            levels,
            looks: looks.saturating_sub(1),
            locks,
            raised,
            waiters,
            waiting: most_waiting(assembly),
            event_triggers: if event_triggers > 0 { event_triggers.saturating_add(1) } else { 0 },
            kept: u32::try_from(assembly.longest_port()).unwrap_or(u32::MAX),
            has_programs: assembly.programs() > 0,
            has_timers: assembly.threads.iter().any(|thread| matches!(thread.role, Role::Periodic(_))),
            has_schedules: assembly.schedules() > 0,
            is_shared: objects.count() > 0 || !objects.locks.is_empty(),
        }
    }

    /// Without periodic threads an alarm only wakes the E machine, or checks a driver's budget.
    fn alarm(&self) -> u64 {
        match self.has_timers {
            true => way(425, [(self.levels, 17), (self.looks, 31)]),
            false => way(275, [(self.levels, 10)]),
        }
    }

    /// The levels are those of the timers' tree.
    fn release(&self) -> u64 {
        way(if self.has_programs { 370 } else { 275 }, [(self.levels, 17), (self.looks, 31)])
    }

    /// A place goes to the background or comes back, and its thread to another place of the queue in which it
    /// waits, which is taken apart and put together for it.
    fn moved(&self) -> u64 {
        way(400, [(self.looks, 31), (self.waiting, 28)])
    }

    fn sorting(&self) -> u64 {
        way(150, [(self.looks, 31)])
    }

    /// A program that waits for the end of its task goes on at once. All triggers on this completion may be due.
    fn completion(&self) -> u64 {
        let alone = way(490, []);
        let by_code = match self.has_schedules {
            true => way(705, [(self.levels, 20), (self.looks, 31)]).max(way(600, [(self.raised, 19)])),
            false => 0,
        };
        alone.max(by_code).max(self.notice())
    }

    /// Something happens that triggers wait for: each of them goes into the queue of those that are due.
    fn notice(&self) -> u64 {
        match self.event_triggers {
            0 => 0,
            event_triggers => {
                way(390, [(event_triggers, 56), (event_triggers.saturating_mul(self.levels), 22)])
            }
        }
    }

    /// To make way for a driver's thread, a raised thread may have to be put aside.
    fn e_machine(&self) -> u64 {
        let aside = way(if self.is_shared { 265 } else { 200 }, [(self.raised, 19)]);
        let program = if self.has_programs { way(445, [(self.levels, 12)]) } else { 0 };
        aside.max(program).max(self.look())
    }

    /// A wait for a port begins in one of the places, where what a longer one holds is kept; or that is compared, word by word.
    fn look(&self) -> u64 {
        match self.event_triggers {
            0 => 0,
            event_triggers => way(200, [(event_triggers, 8), (self.kept, 14)]),
        }
    }

    /// A place may be lent along all objects, and raised threads are looked at twice.
    fn decision(&self) -> u64 {
        match self.is_shared {
            true => way(435, [(self.locks, 22), (self.raised, 31)]),
            false => way(215, []),
        }
    }

    /// All that a job may cost, and two ways more: an interrupt wakes a thread, or a thread enters or leaves the
    /// queue of an object.
    fn job(&self) -> u64 {
        let wakes = way(555, [(self.looks, 31)]);
        let queue = way(330, [(self.waiting, 28)]);
        let shared = if self.is_shared { wakes.max(queue) } else { 0 };
        let others =
            [self.alarm(), self.release(), self.sorting(), self.e_machine(), self.decision(), self.notice()];
        others.into_iter().fold(shared, u64::max)
    }

    /// The thread leaves its band and the stack of raised ones. Or its place leads through objects to somebody, and
    /// it leaves the queue of the first. A program that waits for its end goes on.
    fn stop(&self) -> u64 {
        let told = if self.has_schedules { way(120, [(self.levels, 20)]) } else { 0 };
        let own = match self.is_shared {
            true => way(360, [(self.locks, 22), (self.raised, 19), (self.waiting, 28)]),
            false => way(370, [(self.raised, 19)]),
        };
        own.saturating_add(told)
    }

    /// As many rows of threads, or objects of any kind, as a step looks at.
    fn search(&self) -> u64 {
        let looks = self.locks.min(STOP_LOOKS as u32);
        if self.is_shared { way(250, [(looks, 15)]) } else { 250 }
    }

    /// A call may wake a thread. Or it follows a chain of lent places, and walks a queue.
    fn call(&self) -> u64 {
        let wakes = way(820, [(self.looks, 31)]);
        let chain = way(670, [(self.locks, 22), (self.waiters, 27)]);
        let shared = if self.is_shared { wakes.max(chain) } else { 0 };
        shared.max(self.job()).max(self.completion())
    }
}

/// A way of a step: its base, and pairs of how often something is done and what it costs each time.
fn way<const N: usize>(base: u64, grows: [(u32, u64); N]) -> u64 {
    grows
        .into_iter()
        .fold(base, |sum, (count, slope)| sum.saturating_add(u64::from(count).saturating_mul(slope)))
}
