//! System tables, row by row.

use beryl_abi::{
    BandId, DriverId, Duration, Incident, MailboxId, ProcessId, ProgramId, Range, SlotId, ThreadId,
};
use beryl_kernel::row::{Costs, Rights, Terms, time};
use beryl_kernel::{
    Asked, Budget, ComesBack, Depth, Driver, DriverKind, Fed, Gate, Gated as Before, Held, Limit, OnEarly,
    OnFault, OnSpent, Optional, Place, Policy, Pooled, Port, Processes, Program, ProgramSlot, Rank,
    Replaceable, ReportId, Restart, Rule, Sizes, System, Table, Telling, Thread, ThreadKind, Watchdog,
    Window,
};
use beryl_syscode::{Condition as Until, Instruction, PortId};

use super::code::{RETURN, future, release};
use super::objects::{Counts, memory, stack};
#[allow(unused_imports, reason = "each test binary uses a part of it")]
pub use super::tables::*;
use super::user::level;

/// A band to be laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Earliest deadline first, with so many places.
    Dynamic(u8),
    /// Highest priority first.
    Fixed,
}

/// A system under construction.
pub struct Draft<S: Sizes> {
    pub(super) system: System<S>,
    pub(super) counts: Counts,
    threads: usize,
    drivers: usize,
    programs: usize,
    gates: usize,
    limits: usize,
    credits: u16,
    reports: u8,
    /// How long each window is, and the bands that count only in some windows and not in this one, a bit for each.
    windows: Vec<(u32, u32)>,
    /// How many members each band has so far.
    members: Vec<u8>,
}

impl<S: Sizes> Draft<S> {
    /// Processes are stopped as a whole by a fault; the last band is for the idle thread.
    pub fn new(queues: &[Queue]) -> Draft<S> {
        let system = System::empty();
        let members = vec![0; queues.len() + 1];
        let counts = Counts::default();
        let mut draft: Draft<S> = Draft {
            system,
            counts,
            threads: 0,
            drivers: 0,
            programs: 0,
            gates: 0,
            limits: 0,
            credits: 0,
            reports: 0,
            windows: Vec::new(),
            members,
        };
        for process in 0..S::Processes::LENGTH {
            let range = memory(u8::try_from(process).unwrap());
            draft.system.processes.at_mut(process).memory = [range, Range::EMPTY, Range::EMPTY];
        }
        let mut slot = 0_u8;
        for (index, queue) in queues.iter().chain([&Queue::Fixed]).enumerate() {
            assert!(index < S::Bands::LENGTH, "too many bands");
            draft.system.bands.at_mut(index).policy = match *queue {
                Queue::Dynamic(leaves) => {
                    let base = slot.next_multiple_of(leaves);
                    slot = base + leaves;
                    Policy::Dynamic { base, leaves }
                }
                Queue::Fixed => Policy::Fixed,
            };
        }
        draft
    }

    /// A fault stops only the faulty thread of this process.
    pub fn stop_only_the_thread(&mut self, process: u8) {
        self.system.processes.at_mut(process.into()).on_fault = OnFault::StopThread;
    }

    /// A process begins anew after a fault, at most so often in a stretch of so many ticks.
    pub fn restart(&mut self, process: u8, most: u8, within: u64) {
        let row = Restart { most, within: Duration::from_ticks(within) };
        *self.system.restarts.get_mut(process.into()).expect("a kernel with restarts") = row;
    }

    /// Some processes may replace another, which has two rooms of so many bytes from an address on.
    pub fn replaceable(&mut self, process: u8, writers: Processes, rooms: u32, size: u32) {
        let row = Replaceable { writers, rooms: [rooms, rooms + size], size, layout: [0x11, 0x22] };
        *self.system.replaceable.get_mut(process.into()).expect("a kernel with replacements") = row;
    }

    /// A task; `priority` counts in a fixed band only.
    pub fn task(&mut self, process: u8, band: u8, priority: u8) -> ThreadId {
        self.thread(ThreadKind::Task, process, band, priority)
    }

    /// The priorities that a thread may have, from the least urgent to the most urgent.
    pub fn range(&mut self, thread: ThreadId, [least, most]: [u8; 2]) {
        if let Place::Fixed { priority, .. } = self.row(thread).place {
            self.row(thread).place = Place::Fixed { priority, least, most };
        }
    }

    /// How far apart the releases of a task are.
    pub fn distance(&mut self, task: ThreadId, period: u64) {
        self.system.threads.at_mut(task.index()).period = Duration::from_ticks(period);
    }

    /// A free thread.
    pub fn free(&mut self, process: u8, band: u8, priority: u8) -> ThreadId {
        self.thread(ThreadKind::Free, process, band, priority)
    }

    /// The driver thread of a process.
    pub fn driver_thread(&mut self, process: u8) -> ThreadId {
        let last = self.last_band();
        let thread = self.thread(ThreadKind::Drivers, process, last, 0);
        self.system.processes.at_mut(process.into()).driver_thread = thread;
        thread
    }

    fn last_band(&self) -> u8 {
        u8::try_from(self.members.len() - 1).unwrap()
    }

    pub(super) fn thread(&mut self, kind: ThreadKind, process: u8, band: u8, priority: u8) -> ThreadId {
        let thread = ThreadId(u8::try_from(self.threads).unwrap());
        assert!(self.threads < S::Threads::LENGTH, "too many threads");
        self.threads += 1;
        let members = &mut self.members[usize::from(band)];
        let place = match self.system.bands.at(band.into()).policy {
            Policy::Dynamic { base, leaves } => {
                assert!(*members < leaves, "too many members");
                let slot = base + *members;
                *self.system.slots.at_mut(slot.into()) = thread;
                Place::Dynamic { slot }
            }
            Policy::Fixed => Place::fixed(priority),
        };
        *members += 1;
        let (process, band) = (ProcessId(process), BandId(band));
        let (stack, words) = (stack(thread), level(thread));
        *self.row(thread) = Thread { kind, process, band, place, stack, words, ..Thread::NONE };
        thread
    }

    /// The most processor time that a job of this task may use.
    pub fn worst(&mut self, task: ThreadId, ticks: u64) {
        self.system.threads.at_mut(task.index()).worst = Duration::from_ticks(ticks);
    }

    /// The budget of a thread's place.
    pub fn budget(&mut self, thread: ThreadId, budget: Budget) {
        *self.system.budgets.get_mut(thread.index()).expect("a kernel with budgets") = budget;
    }

    /// The budget of a thread's place.
    pub fn budget_of(&self, thread: ThreadId) -> Budget {
        self.system.budgets.get(thread.index()).copied().expect("a kernel with budgets")
    }

    /// By which rule that comes back.
    pub fn rule(&mut self, thread: ThreadId, rule: Rule) {
        *self.system.rules.get_mut(thread.index()).expect("a kernel with rules") = rule;
    }

    /// These threads pay together from the budget of the first of them.
    pub fn pool(&mut self, threads: &[ThreadId], budget: Budget) {
        for (place, thread) in threads.iter().enumerate() {
            let comes_back = if place == 0 { budget.comes_back } else { ComesBack::WithJobs };
            let own = self.system.budgets.get(thread.index()).copied().expect("a kernel with budgets");
            let (hold, woken) =
                if own.is_some() { (own.hold, own.woken) } else { (budget.hold, budget.woken) };
            self.budget(*thread, Budget { comes_back, hold, woken, ..budget });
            *self.system.pools.get_mut(thread.index()).expect("a kernel with pools") =
                Pooled { purse: threads[0], next: threads[(place + 1) % threads.len()] };
        }
    }

    /// A gate before a line or an object.
    pub fn gate(&mut self, before: Before, separation: u32, early: OnEarly) {
        let number = self.gates;
        assert!(number < S::GATES, "too many gates");
        *self.system.gates.get_mut(number).expect("a kernel with gates") = Gate { before, separation, early };
        self.gates += 1;
    }

    /// How much a process may ask of an object in any stretch of so many ticks.
    pub fn limit(&mut self, of: Asked, client: u8, requests: u8, within: u32) {
        let number = self.limits;
        assert!(number < S::LIMITS, "too many limits");
        let row = Limit { of, client: ProcessId(client), first: self.credits, requests, within };
        *self.system.limits.get_mut(number).expect("a kernel with limits") = row;
        self.limits += 1;
        self.credits += u16::from(requests);
        assert!(usize::from(self.credits) <= S::CREDITS, "too many credits");
    }

    /// A mailbox is told of an incident of a thread, or at the gate with that number behind all threads.
    pub fn tell(&mut self, mailbox: MailboxId, subject: usize, incident: Incident) -> ReportId {
        let report = ReportId(self.reports);
        let place = incident as usize % Incident::OF_A_THREAD;
        let row = self.system.watched.get_mut(subject).expect("a kernel with supervisors");
        row.reports[place] = report;
        *self.system.tellings.get_mut(self.reports.into()).expect("a kernel with supervisors") =
            Telling { mailbox };
        self.reports += 1;
        report
    }

    /// The mailbox of a supervisor in a process: only the kernel sends to it.
    pub fn box_of_reports(&mut self, process: u8, capacity: u8) -> MailboxId {
        let mailbox = self.mailbox(8, capacity);
        let row = self.system.mailboxes.at_mut(mailbox.index());
        (row.senders, row.receivers) = (0, 1 << process);
        mailbox
    }

    /// Whoever fetches what a mailbox is told has to come back within so many ticks.
    pub fn watchdog(&mut self, thread: ThreadId, mailbox: MailboxId, within: u32) {
        let free =
            (0..S::WATCHDOGS).find(|number| !self.system.watchdogs.get(*number).unwrap().thread.is_some());
        let row = self.system.watchdogs.get_mut(free.expect("room")).expect("a kernel with watchdogs");
        *row = Watchdog { thread, mailbox, within };
    }

    /// The windows of the frame: how long each is, and which bands count in it. A band that is in none counts in all.
    pub fn windows(&mut self, windows: &[(u32, &[u8])]) {
        let bits = |bands: &[u8]| bands.iter().fold(0, |bits, band| bits | 1 << band);
        let all = windows.iter().fold(0, |all, (_, bands)| all | bits(bands));
        self.windows = windows.iter().map(|(lasts, bands)| (*lasts, all & !bits(bands))).collect();
    }

    /// A depth of sleep, from 1 on.
    pub fn depth(&mut self, number: usize, depth: Depth) {
        *self.system.depths.get_mut(number - 1).expect("a kernel with depths of sleep") = depth;
    }

    /// Code that runs when a job of this task completes.
    pub fn on_completion(&mut self, task: ThreadId, program: ProgramId, address: u16) {
        self.system.threads.at_mut(task.index()).on_completion = Some((program, address));
    }

    /// A driver that copies `length` bytes; `task` is the one whose private ports it touches.
    pub fn copy(&mut self, task: ThreadId, from: u32, to: u32, length: u32) -> DriverId {
        let process =
            if task.is_some() { self.system.threads.at(task.index()).process } else { ProcessId(0) };
        self.driver(Driver { kind: DriverKind::Copy, process, task, from, to, length, ..Driver::NONE })
    }

    /// A driver that copies an input of `task`'s next job.
    pub fn input(&mut self, task: ThreadId, from: u32, to: u32, length: u32) -> DriverId {
        let process = self.system.threads.at(task.index()).process;
        self.driver(Driver { kind: DriverKind::Input, process, task, from, to, length, ..Driver::NONE })
    }

    /// The drivers that fetch an input of `reader` out of `writer`'s output, and that feed it.
    pub fn link(&mut self, link: u8, [writer, reader]: [ThreadId; 2], from: u32, to: u32) -> [DriverId; 2] {
        let process = self.system.threads.at(reader.index()).process;
        let row = |kind, task| Driver {
            kind,
            process,
            task,
            others: [task, ThreadId::NONE],
            from,
            to,
            length: 4,
            ..Driver::NONE
        };
        let fetch = self.driver(row(DriverKind::Input, reader));
        let feed = self.driver(row(DriverKind::Copy, writer));
        *self.system.fed.get_mut(fetch.index()).expect("a kernel with links") = Fed::Fetch { writer, link };
        *self.system.fed.get_mut(feed.index()).expect("a kernel with links") = Fed::Feed { link };
        [fetch, feed]
    }

    /// A native driver of a process that moves one word and belongs to no task.
    pub fn native(&mut self, process: u8, kind: DriverKind) -> DriverId {
        let (process, task) = (ProcessId(process), ThreadId::NONE);
        self.driver(Driver { kind, process, task, from: 0, to: 4, length: 4, ..Driver::NONE })
    }

    /// Any driver.
    pub fn driver(&mut self, row: Driver) -> DriverId {
        assert!(self.drivers < S::Drivers::LENGTH, "too many drivers");
        *self.system.drivers.at_mut(self.drivers) = row;
        self.drivers += 1;
        DriverId(u16::try_from(self.drivers - 1).unwrap())
    }

    /// A timing program that starts at its first instruction.
    pub fn program(&mut self, durations: &[u64], code: &[Instruction]) -> ProgramId {
        self.words(durations, code.iter().map(|instruction| instruction.encode()).collect())
    }

    /// A timing program that releases a task every `period`, to be done by the next release.
    pub fn release_every(&mut self, task: ThreadId, period: u64) -> ProgramId {
        self.program(&[period], &[release(task, 0), future(0, 0), RETURN])
    }

    /// A timing program of any words.
    pub fn words(&mut self, durations: &[u64], code: Vec<u32>) -> ProgramId {
        let durations: Vec<_> = durations.iter().map(|ticks| Duration::from_ticks(*ticks)).collect();
        let places = S::Triggers::LENGTH / S::Programs::LENGTH;
        let first_trigger = u8::try_from(self.programs * places).unwrap();
        let triggers = u8::try_from(places).unwrap();
        let row = Program {
            code: code.leak(),
            durations: durations.leak(),
            first_trigger,
            triggers,
            ..Program::NONE
        };
        *self.system.programs.at_mut(self.programs) = row;
        self.programs += 1;
        ProgramId(u8::try_from(self.programs - 1).unwrap())
    }

    /// What triggers of a program may wait for.
    pub fn conditions(&mut self, program: ProgramId, conditions: &[Until]) {
        self.system.programs.at_mut(program.index()).conditions = conditions.to_vec().leak();
    }

    /// Where exceptions enter a program.
    pub fn handlers(&mut self, program: ProgramId, safety: u16, share: u16) {
        self.system.programs.at_mut(program.index()).handlers = [safety, share];
    }

    /// A port that triggers may look at.
    pub fn port(&mut self, number: u16, address: u32, holds: Held) -> PortId {
        *self.system.ports.at_mut(number.into()) = Port { address, holds };
        PortId(number)
    }

    /// A slot with two rooms of 256 bytes for other programs of `program`, which process 1 may write.
    pub fn slot(&mut self, program: ProgramId, interface: u32) -> SlotId {
        const ALL: Rights<'static> = Rights { tasks: &[0xFF], drivers: &[0xFF] };
        // Each of the first two tasks takes up to 4 ticks, by the earliest deadline, and a tick in 10 is lost.
        const FOUR: time::Task = time::Task { bound: 4, rank: 0 };
        const TIMES: &[time::Task] = &[FOUR; 2];
        const POLICIES: &[time::Policy] = &[time::Policy::EarliestDeadline];
        const LOSSES: &[time::Loss] = &[time::Loss { period: 10, worst: 1, is_in_step: true }];
        // An instant may take as much as half a dozen drivers.
        const COSTS: Costs<'static> = Costs { drivers: &[2; 16], instruction: 1, most: 12, threads: 20 };
        let (times, policies, losses) = (TIMES, POLICIES, LOSSES);
        let is_free = |index: &usize| self.system.program_slots.at(*index).processes == 0;
        let index = (0..S::ProgramSlots::LENGTH).find(is_free).expect("a place for the slot");
        let row = ProgramSlot {
            base: 512 * index as u16,
            processes: 1 << 1,
            size: 256,
            terms: Terms { interface, rights: ALL, times, policies, costs: COSTS, losses, ..Terms::NONE },
        };
        let slot = SlotId(index as u8);
        *self.system.program_slots.at_mut(index) = row;
        self.system.programs.at_mut(program.index()).slot = slot;
        slot
    }

    /// The tasks of the first dynamic band are offered to the threads of a program, which has two places for them.
    pub fn offer(&mut self, program: ProgramId) {
        for index in 0..self.threads {
            let row = self.system.threads.at_mut(index);
            if let (Place::Dynamic { slot, .. }, ThreadKind::Task) = (row.place, row.kind) {
                row.place = Place::Offered { slot, program };
            }
        }
        self.system.programs.at_mut(program.index()).schedules = 2;
        self.system.programs.at_mut(program.index()).rank = Rank::dynamic(0);
        self.system.program_slots.at_mut(0).terms.threads = 1;
    }

    /// The tasks of a band are dispatched by the threads of a program, which has room for one.
    pub fn schedule(&mut self, program: ProgramId, band: u8) {
        for index in 0..self.threads {
            let row = self.system.threads.at_mut(index);
            if row.kind == ThreadKind::Task && row.band.0 == band {
                row.place = Place::Coded { program };
            }
        }
        self.system.programs.at_mut(program.index()).schedules = 1;
    }

    /// Adds the idle thread; answers it and the tables.
    pub fn finish(mut self) -> (System<S>, ThreadId) {
        let last = self.last_band();
        let idle = self.thread(ThreadKind::Idle, 0, last, 0);
        self.give_levels();
        let mut system = self.system.ranked();
        assert_eq!(self.windows.len(), S::WINDOWS, "as many windows as the kernel has");
        lay_backgrounds(&mut system, &self.windows, idle);
        let budgets: Vec<Budget> =
            (0..S::Threads::LENGTH).map_while(|place| system.budgets.get(place).copied()).collect();
        for (number, (lasts, closed)) in self.windows.into_iter().enumerate() {
            let eligible = Window::eligible_without(closed, system.threads.rows(), &budgets);
            *system.windows.get_mut(number).expect("a kernel with windows") = Window { lasts, eligible };
        }
        (system, idle)
    }

    /// Preemption levels from 1 on: bands from the last to the first, in each by priority, or by
    /// relative deadline. Equals have equal levels.
    fn give_levels(&mut self) {
        use std::cmp::Reverse;
        let threads = || (0..self.threads).map(|index| self.system.threads.at(index));
        let rank = |thread: &Thread| match thread.place {
            Place::Fixed { priority, .. } => (Reverse(thread.band), u64::from(priority)),
            Place::Dynamic { .. } | Place::Offered { .. } | Place::Coded { .. } => {
                (Reverse(thread.band), u64::MAX - thread.deadline.ticks())
            }
        };
        // Every priority that somebody may have has one.
        let all = |thread: &Thread| match thread.place {
            Place::Fixed { least, most, .. } => {
                (least..=most).map(|priority| (Reverse(thread.band), u64::from(priority))).collect()
            }
            _ => vec![rank(thread)],
        };
        let has_level = |thread: &&Thread| !matches!(thread.kind, ThreadKind::Drivers | ThreadKind::Idle);
        let ranks: std::collections::BTreeSet<_> = threads().filter(has_level).flat_map(all).collect();
        let level = |thread: &Thread| ranks.iter().position(|other| *other == rank(thread)).unwrap() + 1;
        // If any place is ever in the background, that has a level below all others.
        let mut budgets = (0..self.threads).filter_map(|place| self.system.budgets.get(place));
        let lowest = usize::from(budgets.any(|row| row.is_some() && row.reaction == OnSpent::Lower));
        let levels: Vec<_> =
            threads().map(|thread| has_level(&thread).then(|| level(thread) + lowest)).collect();
        for (index, level) in levels.into_iter().enumerate() {
            self.system.threads.at_mut(index).level = u8::try_from(level.unwrap_or_default()).unwrap();
        }
    }
}

/// Each partition has a rank of its own for those of its places that are lowered, above the idle thread's: bands that count
/// in the same windows are one.
fn lay_backgrounds<S: Sizes>(system: &mut System<S>, windows: &[(u32, u32)], idle: ThreadId) {
    let partition =
        |band: BandId| -> Vec<bool> { windows.iter().map(|(_, closed)| closed >> band.0 & 1 == 1).collect() };
    let mut known: Vec<(Vec<bool>, Rank)> = Vec::new();
    for place in 0..S::Threads::LENGTH {
        let of = partition(system.threads.at(place).band);
        let Some(budget) = system.budgets.get_mut(place) else { return };
        let is_lowered = budget.is_some() && budget.reaction == OnSpent::Lower;
        if !is_lowered || !of.contains(&true) {
            continue;
        }
        let last = &mut system.threads.at_mut(idle.index()).rank;
        budget.background = match known.iter().find(|(other, _)| *other == of) {
            Some((_, rank)) => *rank,
            None => {
                let rank = *last;
                *last = Rank::fixed(rank.number() + 1);
                known.push((of, rank));
                rank
            }
        };
    }
}
