//! Random systems: bands, threads of all kinds, objects of all kinds.

use beryl_abi::{CallNumber, Duration, Incident, SemaphoreId, ThreadId};
use beryl_kernel::{Budget, ComesBack, OnSpent, Optional, Place, Rule, Sizes, System, Table, ThreadKind};
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::host::draft::{Draft, Queue};
use crate::host::objects::memory;
use crate::model::objects::{Index, Ticks};

/// A system, and what its programs have to know about it.
pub struct Plan<S: Sizes> {
    pub system: System<S>,
    /// The tasks, and how often they are released.
    pub tasks: Vec<(Index, Ticks)>,
    /// Semaphores with a user's word: the word's address.
    pub words: Vec<(SemaphoreId, u32)>,
    /// Several threads are released at the same instant.
    pub together: bool,
}

impl<S: Sizes> Plan<S> {
    /// Whether a call is one that a thread can make, so that most calls have something to say.
    pub fn fits(&self, thread: Index, number: CallNumber) -> bool {
        let kind = self.system.threads.at(thread).kind;
        let is_server = || (0..2).any(|at| self.system.endpoints.at(at).server.index() == thread);
        match number {
            CallNumber::Complete => kind == ThreadKind::Task,
            CallNumber::WaitPeriod => kind == ThreadKind::Periodic,
            CallNumber::DriverDone | CallNumber::Time | CallNumber::Null => false,
            CallNumber::EndpointReceive | CallNumber::EndpointReply => is_server(),
            _ => true,
        }
    }

    /// The tables in short, for messages.
    pub fn describe(&self) -> String {
        let threads =
            self.system.threads.rows().iter().enumerate().filter(|(_, row)| row.kind != ThreadKind::None);
        let threads = threads.map(|(index, row)| {
            let (process, band, level, ceiling) = (row.process.0, row.band.0, row.level, row.highest_ceiling);
            let kind = format!("{:?} of process {process}, band {band}, {:?}", row.kind, row.place);
            let budget = self.system.budgets.get(index).filter(|budget| budget.is_some());
            let (rule, told) = (self.system.rules.get(index), self.system.watched.get(index));
            format!(
                "thread {index}: {kind}, level {level}, ceilings up to {ceiling}, {budget:?}, {rule:?}, {told:?}"
            )
        });
        let semaphores = self.system.semaphores.rows().iter().map(|row| format!("{row:?}"));
        let endpoints = self.system.endpoints.rows().iter().map(|row| format!("{row:?}"));
        threads.chain(semaphores).chain(endpoints).collect::<Vec<_>>().join("\n")
    }
}

/// Threads' timers are due at instants that are the thread's number modulo this, so that no two are
/// due at the same: in which order they would be taken is nobody's business.
pub const APART: Ticks = 16;

/// Whether alarms and interrupts come between the steps of a seed's run.
pub fn is_disturbed(seed: u64) -> bool {
    seed % 2 == 1
}

/// The plan of a seed.
pub fn random<S: Sizes>(seed: u64) -> Plan<S> {
    let mut random = Random::from_zero(seed);
    let bands: Vec<_> =
        (0..random.within(1, 3)).map(|_| *random.one_of(&[Queue::Dynamic(16), Queue::Fixed])).collect();
    let mut draft = Draft::<S>::new(&bands);
    let together = random.once_in(5);
    let count = random.within(3, 8) as usize;
    let count_of_tasks = random.below(3);
    let tasks = tasks(&mut random, &mut draft, bands.len(), count_of_tasks);
    let threads: Vec<_> = (tasks.len()..count.max(tasks.len() + 2))
        .map(|number| thread(&mut random, &mut draft, bands.len(), together, number))
        .collect();
    if random.once_in(2) {
        draft.stop_only_the_thread(random.below(2) as u8);
    }
    let everybody: Vec<_> = tasks.iter().map(|(task, _)| ThreadId(*task as u8)).chain(threads).collect();
    let words = objects(&mut random, &mut draft, &everybody, tasks.len());
    for (task, period) in &tasks {
        draft.release_every(ThreadId(*task as u8), *period);
    }
    // In a fixed band most may become more and less urgent. Those that are released together don't meet in a priority.
    for thread in &everybody {
        if let Place::Fixed { priority, .. } = draft.row(*thread).place
            && !random.once_in(4)
        {
            let least =
                if together { priority - priority % 3 } else { random.within(0, priority.into()) as u8 };
            let most = if together { least + 2 } else { random.within(priority.into(), 4) as u8 };
            draft.range(*thread, [least, most]);
        }
    }
    if S::POOLED {
        pool(&mut Random::from_zero(seed ^ 0x9001), &mut draft, &everybody);
    } else if S::BUDGETED {
        budgets(&mut Random::from_zero(seed ^ 0xB0D6E7), &mut draft, &everybody, is_disturbed(seed));
    }
    if S::RESTARTED {
        let mut random = Random::from_zero(seed ^ 0x9037);
        (0..2).for_each(|process| draft.restart(process, random.below(4) as u8, random.within(1, 400)));
    }
    if S::SUPERVISED {
        reports(&mut Random::from_zero(seed ^ 0x5EE), &mut draft, &everybody);
    }
    if S::PARTITIONED {
        windows(&mut Random::from_zero(seed ^ 0x517), &mut draft, bands.len());
    }
    let levels = everybody.len() as u64;
    for thread in &everybody {
        draft.row(*thread).highest_ceiling = random.within(0, levels) as u8;
    }
    let (mut system, _) = draft.finish();
    for thread in &everybody {
        // the ceilings of a thread's locks are at least its own highest level
        let row = system.threads.at_mut(thread.index());
        let highest = match row.place {
            Place::Fixed { priority, most, .. } => row.level + most - priority,
            _ => row.level,
        };
        row.highest_ceiling = if row.highest_ceiling == 0 { 0 } else { row.highest_ceiling.max(highest) };
    }
    Plan { system, tasks, words, together }
}

/// Windows of any lengths, each for some bands; a band that is in none of them counts always.
fn windows<S: Sizes>(random: &mut Random, draft: &mut Draft<S>, bands: usize) {
    let of: Vec<u8> = (0..bands).map(|_| random.below(4) as u8).collect();
    let rows: Vec<(u32, Vec<u8>)> = (0..S::WINDOWS)
        .map(|_| {
            let open = random.below(4) as u8;
            let bands = (0_u8..).zip(&of).filter(|(_, of)| **of > 0 && **of == open).map(|(band, _)| band);
            (random.within(1, 80) as u32, bands.collect())
        })
        .collect();
    draft.windows(&rows.iter().map(|(lasts, bands)| (*lasts, bands.as_slice())).collect::<Vec<_>>());
}

fn tasks<S: Sizes>(
    random: &mut Random,
    draft: &mut Draft<S>,
    bands: usize,
    count: usize,
) -> Vec<(Index, Ticks)> {
    let mut one = |_| {
        let task = draft.task(random.below(2) as u8, random.below(bands) as u8, random.below(4) as u8);
        (task.index(), *random.one_of(&[40, 70, 160]))
    };
    (0..count).map(&mut one).collect()
}

fn thread<S: Sizes>(
    random: &mut Random,
    draft: &mut Draft<S>,
    bands: usize,
    together: bool,
    number: usize,
) -> ThreadId {
    let (process, band) = (random.below(2) as u8, random.below(bands) as u8);
    // those that are released together don't wait for each other in a priority
    let priority = if together { 3 * number + random.below(3) } else { random.below(4) } as u8;
    let deadline = random.within(5, 200);
    let kind = if random.once_in(3) { ThreadKind::Periodic } else { ThreadKind::Free };
    let thread = match kind {
        ThreadKind::Periodic => draft.periodic(process, band, priority, APART * random.within(1, 8)),
        _ => draft.free(process, band, priority),
    };
    let row = draft.row(thread);
    row.deadline = Duration::from_ticks(deadline);
    if kind == ThreadKind::Periodic {
        let offset = if together { 0 } else { u64::from(thread.0) + APART * random.below(3) as u64 };
        row.offset = Duration::from_ticks(offset);
        row.catch_up = random.below(3) as u8;
    }
    thread
}

/// Objects, most of them for everybody.
fn objects<S: Sizes>(
    random: &mut Random,
    draft: &mut Draft<S>,
    threads: &[ThreadId],
    count_of_tasks: usize,
) -> Vec<(SemaphoreId, u32)> {
    let mut words = Vec::new();
    for number in 0..3 {
        if random.once_in(3) {
            let process = random.below(2) as u8;
            let address = memory(process).address + 0x800 + 4 * number;
            words.push((draft.word(process, address), address));
        } else {
            draft.binary();
        }
    }
    draft.counting(random.below(2) as u16, random.within(1, 3) as u16);
    draft.condition();
    draft.condition();
    draft.event_group();
    draft.event_group();
    for length in [4, 8, 12, 64] {
        let capacity = random.within(1, 3) as u8;
        match random.once_in(2) {
            true => draft.mailbox(length, capacity),
            false => draft.mailbox_in_order(length, capacity),
        };
    }
    // tasks aren't servers
    let servers = &threads[count_of_tasks..];
    draft.endpoint(*random.one_of(servers), 8, 4);
    draft.endpoint(*random.one_of(servers), 4, 64);
    for bit in 0..3 {
        draft.notification(*random.one_of(threads), 0b11 << bit);
    }
    draft.interrupt(10, *random.one_of(threads), 0x10);
    draft.interrupt(11, *random.one_of(threads), 0x20);
    draft.state_message(memory(1).address + 0x900, memory(1).address + 0x910, 12, 4);
    draft.state_message(0, memory(0).address + 0x900, 4, 1);
    draft.state_message(memory(1).address + 0x940, memory(1).address + 0x950, 140, 2);
    words
}

/// Most jobs have a budget, and thread 0 if it is a free one: its timers are due when no others are. Where alarms come between
/// steps, what is charged without time would be seen by one of them, and by the model later.
fn budgets<S: Sizes>(random: &mut Random, draft: &mut Draft<S>, threads: &[ThreadId], is_disturbed: bool) {
    for thread in threads {
        let row = *draft.row(*thread);
        let has_jobs = matches!(row.kind, ThreadKind::Task | ThreadKind::Periodic);
        let is_fixed = matches!(row.place, Place::Fixed { .. });
        let may_have_bandwidth = S::CONSTANT && row.kind == ThreadKind::Free && !is_fixed;
        if random.once_in(4) || !has_jobs && thread.0 != 0 && !may_have_bandwidth {
            continue;
        }
        let (comes_back, reactions) = match has_jobs {
            true => (ComesBack::WithJobs, [OnSpent::EndJob, OnSpent::EndJob, OnSpent::Tell, OnSpent::Stop]),
            false if is_fixed => {
                (ComesBack::Every(APART as u32 * random.within(1, 4) as u32), [OnSpent::Lower; 4])
            }
            false => (ComesBack::Every(APART as u32 * random.within(1, 4) as u32), [OnSpent::Tell; 4]),
        };
        draft.budget(
            *thread,
            Budget {
                amount: random.within(1, 30) as u32,
                comes_back,
                reaction: *random.one_of(&reactions),
                hold: if random.once_in(3) { 0 } else { random.within(1, 25) as u32 },
                woken: if has_jobs { 0 } else { random.below(3) as u32 * u32::from(!is_disturbed) },
                ..Budget::NONE
            },
        );
        if S::CONSTANT && !has_jobs && !is_fixed {
            constant_bandwidth(draft, *thread);
        } else if S::RULED && !has_jobs && is_fixed {
            draft.rule(*thread, *random.one_of(&[Rule::Sporadic, Rule::Sporadic, Rule::Polling]));
        }
    }
}

/// A thread of a dynamic band has its budget as a share of the processor. It has no timer, so the numbers of threads don't matter.
fn constant_bandwidth<S: Sizes>(draft: &mut Draft<S>, thread: ThreadId) {
    let ComesBack::Every(period) = draft.budget_of(thread).comes_back else { unreachable!() };
    draft.row(thread).deadline = Duration::from_ticks(period.into());
    draft.rule(thread, Rule::ConstantBandwidth);
}

/// Thread 0 shares a budget with half of the others.
fn pool<S: Sizes>(random: &mut Random, draft: &mut Draft<S>, threads: &[ThreadId]) {
    if draft.row(ThreadId(0)).kind == ThreadKind::Task {
        return;
    }
    let members: Vec<_> =
        threads.iter().copied().filter(|thread| thread.0 == 0 || random.once_in(2)).collect();
    for thread in &members {
        let hold = if random.once_in(3) { 0 } else { random.within(1, 25) as u32 };
        let woken = random.below(3) as u32;
        draft.budget(*thread, Budget { amount: 1, hold, woken, ..Budget::NONE });
    }
    let budget = Budget {
        amount: random.within(1, 30) as u32,
        comes_back: ComesBack::Every(APART as u32 * random.within(1, 4) as u32),
        reaction: *random.one_of(&[OnSpent::Lower, OnSpent::Lower, OnSpent::Lower, OnSpent::Tell]),
        ..Budget::NONE
    };
    draft.pool(&members, budget);
}

/// The threads of a process hear of half of what may happen to anybody, themselves included.
fn reports<S: Sizes>(random: &mut Random, draft: &mut Draft<S>, threads: &[ThreadId]) {
    const MOST: usize = 16;
    // What they have no right to.
    const LACKS: usize = 4;
    let mailbox = draft.box_of_reports(random.below(2) as u8, MOST as u8);
    let incidents = &Incident::ALL[..Incident::OF_A_THREAD];
    let all = threads.iter().flat_map(|thread| incidents.iter().map(move |incident| (*thread, *incident)));
    let told: Vec<_> = all.filter(|_| random.once_in(2)).take(MOST - LACKS).collect();
    for thread in threads.iter().take(LACKS) {
        draft.tell(mailbox, S::Threads::LENGTH + S::GATES + thread.index(), Incident::Refusal);
    }
    for (thread, incident) in told {
        draft.tell(mailbox, thread.index(), incident);
    }
    if S::WATCHED_OVER {
        draft.watchdog(*random.one_of(threads), mailbox, random.within(1, 60) as u32);
    }
}
