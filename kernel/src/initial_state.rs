//! The initial state: how a system's state is made in the memory that a host provides.
//!
//! A host that keeps the state in a static initialises it with the constant [`Memory::BLANK`], whose bytes
//! are all zero: such a static takes no flash, however large rooms, buffers and tables are. The initial state
//! is then written in place, without a copy on a stack.

use beryl_abi::{Classes, Instant, SlotId, ThreadId};

use crate::machine::agenda::EMachine;
use crate::machine::schedule::ScheduleState;
use crate::objects::endpoint::EndpointState;
use crate::objects::event_group::EventGroupState;
use crate::objects::mailbox::MailboxState;
use crate::objects::queue::Queue;
use crate::objects::reading::Reading;
use crate::objects::semaphore::SemaphoreState;
use crate::rows::budgets::ComesBack;
use crate::rows::rules::Rule;
use crate::rows::threads::ThreadKind;
use crate::scheduling::bands::Bands;
use crate::scheduling::broadcast::Broadcast;
use crate::scheduling::budget::{BudgetState, Payment};
use crate::scheduling::caller::Caller;
use crate::scheduling::processor::Processor;
use crate::scheduling::report::Unsent;
use crate::scheduling::stop::{Scope, Stopping};
use crate::scheduling::thread::{ThreadState, Wait};
use crate::scheduling::timers::Timers;
use crate::scheduling::watchdog::Alert;
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::{Blank, Optional, Table};
use crate::tracing::buffer::Buffer;
use crate::ways::Any;

/// Memory for the state of a system that hasn't begun.
#[derive(Debug)]
#[repr(transparent)]
pub struct Memory<S: Sizes>(State<S>);

impl<S: Sizes> Memory<S> {
    /// Zero bytes.
    pub const BLANK: Memory<S> = Memory(State {
        tracing: Classes::NONE,
        processor: Processor::BLANK,
        since: Instant::START.moment(),
        calm_until: Instant::START.moment(),
        threads: S::ThreadStates::BLANK,
        processes: S::ProcessStates::BLANK,
        bands: Bands::BLANK,
        e_machine: EMachine::BLANK,
        schedules: S::Schedules::BLANK,
        timers: Timers::BLANK,
        alarm: Instant::START.moment(),
        semaphores: S::SemaphoreStates::BLANK,
        conditions: S::ConditionStates::BLANK,
        mailboxes: S::MailboxStates::BLANK,
        endpoints: S::EndpointStates::BLANK,
        event_groups: S::EventGroupStates::BLANK,
        raised: ThreadId(0),
        undecided: false,
        has_deferred_work: false,
        waking: ThreadId(0),
        promised: ThreadId(0),
        stuck: ThreadId(0),
        timing: ThreadId(0),
        late: ThreadId(0),
        stopping: Some(Stopping::of(Scope::Nobody)),
        returning: ThreadId(0),
        broadcast: Broadcast::Nobody,
        reading: Reading::NONE,
        host: Classes::NONE,
        program_slots: S::ProgramSlotStates::BLANK,
        recorded: SlotId(0),
        rooms: S::Rooms::BLANK,
        check_memory: S::CheckMemory::BLANK,
        buffer: Buffer::BLANK,
        payment: S::Payments::BLANK,
        budgets: S::BudgetStates::BLANK,
        chunks: S::Chunks::BLANK,
        gates: S::GateStates::BLANK,
        opening: S::Openings::BLANK,
        limits: S::LimitStates::BLANK,
        credits: S::Credits::BLANK,
        lacked: S::Lacked::BLANK,
        depth: S::DepthStates::BLANK,
        reports: S::ReportStates::BLANK,
        unsent: S::Unsents::BLANK,
        watchdogs: S::WatchdogStates::BLANK,
        alert: S::Alerts::BLANK,
        followed: S::FollowedStates::BLANK,
        sections: S::Sections::BLANK,
        answers: S::Answers::BLANK,
        window: S::OpenWindows::BLANK,
        restarts: S::RestartStates::BLANK,
        renewal: S::Renewals::BLANK,
        replacements: S::Replacements::BLANK,
        crashes: S::Crashes::BLANK,
        writing: S::Writing::BLANK,
        links: S::LinkStates::BLANK,
    });

    /// Writes the initial state in place: tasks dormant, free threads and the idle thread ready, every
    /// program about to begin.
    pub fn begin(&mut self, system: &System<S>) -> &mut State<S> {
        let state = &mut self.0;
        state.begin_tables();
        state.begin_scalars();
        state.bands.begin();
        state.e_machine.begin(system);
        state.timers.begin();
        state.begin_windows(system);
        state.begin_links();
        state.buffer.classes = Classes(S::TOLD);
        state.listen();
        for index in 0..S::Semaphores::LENGTH {
            *state.semaphores.at_mut(index) = SemaphoreState::of(system.semaphores.at(index));
        }
        for index in 0..S::Mailboxes::LENGTH {
            *state.mailboxes.at_mut(index) = MailboxState::of(system.mailboxes.at(index));
        }
        for index in 0..S::Threads::LENGTH {
            state.begin_thread(system, ThreadId(index as u8));
        }
        state
    }
}

impl<S: Sizes> State<S> {
    /// The initial state.
    #[must_use]
    pub fn new(system: &System<S>) -> State<S> {
        let mut memory = Memory::BLANK;
        memory.begin(system);
        memory.0
    }

    /// Tables whose rows don't start as zeros.
    fn begin_tables(&mut self) {
        self.threads.rows_mut().fill(ThreadState::DORMANT);
        self.conditions.rows_mut().fill(Queue::EMPTY);
        self.endpoints.rows_mut().fill(EndpointState::IDLE);
        self.event_groups.rows_mut().fill(EventGroupState::EMPTY);
        self.schedules.rows_mut().fill(ScheduleState::NONE);
    }

    /// Single fields that don't start as zeros.
    fn begin_scalars(&mut self) {
        self.raised = ThreadId::NONE;
        self.waking = ThreadId::NONE;
        self.promised = ThreadId::NONE;
        self.stuck = ThreadId::NONE;
        self.timing = ThreadId::NONE;
        self.late = ThreadId::NONE;
        self.returning = ThreadId::NONE;
        self.recorded = SlotId::NONE;
        self.stopping = None;
        if let Some(unsent) = self.unsent.get_mut(0) {
            *unsent = Unsent::NONE;
        }
        if let Some(alert) = self.alert.get_mut(0) {
            *alert = Alert::NONE;
        }
        if let Some(payment) = self.payment.get_mut(0) {
            *payment = Payment::NONE;
        }
    }

    /// A thread starts dormant, ready, or waiting for its first release.
    fn begin_thread(&mut self, system: &System<S>, thread: ThreadId) {
        let row = system.threads.at(thread.index());
        let state = self.threads.at_mut(thread.index());
        state.be_of(row.rank);
        state.own = Processor::of(thread, Caller::of_row(row, S::CEILINGS));
        match row.kind {
            ThreadKind::Free | ThreadKind::Idle => {
                state.be_ready();
                state.deadline = Instant::START.after(row.deadline);
                self.bands.insert(system, &mut self.threads, thread);
                // bound: THREADS
                while self.bands.is_sorting() {
                    self.bands.sort_on(&mut self.threads);
                }
            }
            ThreadKind::Periodic if S::PERIODIC => {
                state.be_ready();
                state.fall_asleep(Any::UNDER_WAY, Wait::Period, 0, 0);
                state.release = Instant::START.after(row.offset).moment();
                self.timers.set(thread, state.release);
            }
            ThreadKind::None | ThreadKind::Task | ThreadKind::Periodic | ThreadKind::Drivers => {}
        }
        if row.kind == ThreadKind::Idle {
            self.processor.begin(thread);
            if let Some(payment) = self.payment.get_mut(0) {
                payment.payer = thread;
            }
        }
        // The timer of one that shares its budget is also that of its releases.
        let is_released = S::PERIODIC && row.kind == ThreadKind::Periodic;
        let is_released = is_released && system.pools.get(thread.index()).is_some();
        if let (Some(row), Some(budget)) =
            (system.budgets.get(thread.index()), self.budgets.get_mut(thread.index()))
        {
            *budget = BudgetState::NONE;
            budget.begin(row, Instant::START.moment());
            if row.is_some()
                && let ComesBack::Every(_) = row.comes_back
                && !matches!(system.rules.get(thread.index()), Some(Rule::Sporadic | Rule::ConstantBandwidth))
            {
                let (release, back) = (self.threads.at(thread.index()).release, budget.back());
                self.timers.set(thread, if is_released { release.earlier(back) } else { back });
            }
            if let Some(chunks) = self.chunks.get_mut(thread.index()) {
                chunks.begin(row.amount, Instant::START.moment());
            }
        }
    }
}
