//! The constant tables of a system, as the builder writes them.
//!
//! Unused rows at the end of a table are `NONE`.

use beryl_abi::ThreadId;

use crate::clients::client;
use crate::doors::door;
use crate::rows::bands::{Band, Policy};
use crate::rows::budgets::{Budget, OnSpent};
use crate::rows::depths::Depth;
use crate::rows::drivers::Driver;
use crate::rows::fed::Fed;
use crate::rows::gates::{Gate, GateId, Gated};
use crate::rows::limits::{Asked, Limit, LimitId};
use crate::rows::lines::ByLine;
use crate::rows::objects::{
    Condition, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Semaphore, StateMessage,
};
use crate::rows::pools::Pooled;
use crate::rows::processes::Process;
use crate::rows::programs::{Port, Program, ProgramSlot};
use crate::rows::rank::Rank;
use crate::rows::replaceable::Replaceable;
use crate::rows::reports::{Telling, Watched};
use crate::rows::restarts::Restart;
use crate::rows::rules::Rule;
use crate::rows::threads::{Place, Thread, ThreadKind};
use crate::rows::watchdogs::{Watchdog, WatchdogId};
use crate::rows::windows::Window;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};

/// Everything about a system that never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct System<S: Sizes> {
    /// Tasks first, then other threads, driver threads, and last the idle thread.
    pub threads: S::Threads,
    /// The processes.
    pub processes: S::Processes,
    /// The band list, most urgent first. The last band holds the idle thread.
    pub bands: S::Bands,
    /// Which thread has which slot in the dynamic bands.
    pub slots: S::Slots,
    /// The drivers.
    pub drivers: S::Drivers,
    /// The timing programs, in the order of their modules in the text.
    pub programs: S::Programs,
    /// The semaphores.
    pub semaphores: S::Semaphores,
    /// The condition variables.
    pub conditions: S::Conditions,
    /// The mailboxes.
    pub mailboxes: S::Mailboxes,
    /// The endpoints.
    pub endpoints: S::Endpoints,
    /// The event groups.
    pub event_groups: S::EventGroups,
    /// The notifications.
    pub notifications: S::Notifications,
    /// The interrupts that threads serve.
    pub interrupts: S::Interrupts,
    /// Which line raises which of them.
    pub lines: S::Lines,
    /// The state messages that can be read by a call.
    pub state_messages: S::StateMessages,
    /// The program slots.
    pub program_slots: S::ProgramSlots,
    /// The ports at which triggers may look.
    pub ports: S::Ports,
    /// The budget of each thread's place.
    pub budgets: S::Budgets,
    /// By which rule it comes back.
    pub rules: S::Rules,
    /// Which places pay together from one budget.
    pub pools: S::Pools,
    /// The gates.
    pub gates: S::Gates,
    /// Which gate stands before which line or object.
    pub doors: S::Doors,
    /// The limits of clients.
    pub limits: S::Limits,
    /// Which limit each client of each mailbox and endpoint has.
    pub clients: S::Clients,
    /// Which reports there are of each thread, and behind them of each gate.
    pub watched: S::Watched,
    /// Who gets each report.
    pub tellings: S::Tellings,
    /// The watchdogs of supervisors.
    pub watchdogs: S::Watchdogs,
    /// The watchdog of the supervisor that is told by each mailbox.
    pub watchdog_of: S::WatchdogOf,
    /// The depths of sleep, the lightest first.
    pub depths: S::Depths,
    /// The windows of the frame, in their order.
    pub windows: S::Windows,
    /// How often each process begins anew after a fault.
    pub restarts: S::Restarts,
    /// Where the code of each process is kept that takes the place of the image's.
    pub replaceable: S::Replaceables,
    /// Which part each driver has in links between tasks.
    pub fed: S::Feds,
}

impl<S: Sizes> System<S> {
    /// Empty tables, for hosts that fill in what they need.
    #[must_use]
    pub fn empty() -> System<S> {
        System {
            threads: Table::filled(Thread::NONE),
            processes: Table::filled(Process::NONE),
            bands: Table::filled(Band { policy: Policy::Fixed }),
            slots: Table::filled(ThreadId::NONE),
            drivers: Table::filled(Driver::NONE),
            programs: Table::filled(Program::NONE),
            semaphores: Table::filled(Semaphore::NONE),
            conditions: Table::filled(Condition::NONE),
            mailboxes: Table::filled(Mailbox::NONE),
            endpoints: Table::filled(Endpoint::NONE),
            event_groups: Table::filled(EventGroup::NONE),
            notifications: Table::filled(Notification::NONE),
            interrupts: Table::filled(Interrupt::NONE),
            lines: S::Lines::NONE,
            state_messages: Table::filled(StateMessage::NONE),
            program_slots: Table::filled(ProgramSlot::NONE),
            ports: Table::filled(Port::NONE),
            budgets: Optional::filled(Budget::NONE),
            rules: Optional::filled(Rule::Deferrable),
            pools: Optional::filled(Pooled::ALONE),
            gates: Optional::filled(Gate::NONE),
            doors: Optional::filled(GateId::NONE),
            limits: Optional::filled(Limit::NONE),
            clients: Optional::filled(LimitId::NONE),
            watched: Optional::filled(Watched::NONE),
            tellings: Optional::filled(Telling::NONE),
            watchdogs: Optional::filled(Watchdog::NONE),
            watchdog_of: Optional::filled(WatchdogId::NONE),
            depths: Optional::filled(Depth::NONE),
            windows: Optional::filled(Window::NONE),
            restarts: Optional::filled(Restart::NONE),
            replaceable: Optional::filled(Replaceable::NONE),
            fed: Optional::filled(Fed::Nothing),
        }
    }
}

impl<S: Sizes> System<S> {
    /// The same tables with the ranks of all threads, the notes on drivers, the lines of interrupts, the
    /// doors of gates, the limits of clients and the mailboxes of watchdogs filled in. The builder does this itself; hosts
    /// that write their own tables call it. Ranks beyond 31 become 31.
    #[must_use]
    pub fn ranked(mut self) -> System<S> {
        for index in 0..S::Threads::LENGTH {
            let own = self.threads.at(index);
            let (band, priority) = match own.place {
                Place::Dynamic { .. } | Place::Offered { .. } | Place::Coded { .. } => (own.band.0, u8::MAX),
                Place::Fixed { priority, .. } => (own.band.0, priority),
            };
            let before = (0..band).map(|band| self.ranks_of(band, 0));
            let above = if priority < u8::MAX { self.ranks_of(band, priority.saturating_add(1)) } else { 0 };
            let rank = before.fold(above, usize::saturating_add);
            let number = if rank < 31 { rank as u8 } else { 31 };
            let row = self.threads.at_mut(index);
            row.rank = match row.place {
                Place::Dynamic { .. } | Place::Offered { .. } | Place::Coded { .. } => Rank::dynamic(number),
                Place::Fixed { .. } => Rank::fixed(number),
            };
        }
        for driver in self.drivers.rows_mut() {
            driver.is_own_word = driver.copies_own_word(self.threads.rows());
        }
        self.lines = S::Lines::filled(self.interrupts.rows());
        for number in 0..S::GATES {
            let before = self.gates.get(number).map_or(Gated::Nothing, |gate| gate.before);
            if before != Gated::Nothing
                && let Some(gate) = self.doors.get_mut(door::<S>(before))
            {
                *gate = GateId(number as u8);
            }
        }
        self.with_clients().with_watchdogs().with_background()
    }

    fn with_clients(mut self) -> System<S> {
        for number in 0..S::LIMITS {
            let limit = self.limits.get(number).copied().unwrap_or(Limit::NONE);
            if limit.of != Asked::Nothing
                && let Some(own) = self.clients.get_mut(client::<S>(limit.of, limit.client))
            {
                *own = LimitId(number as u8);
            }
        }
        self
    }

    fn with_watchdogs(mut self) -> System<S> {
        for number in 0..S::WATCHDOGS {
            let watchdog = self.watchdogs.get(number).copied().unwrap_or(Watchdog::NONE);
            if watchdog.thread.is_some()
                && let Some(own) = self.watchdog_of.get_mut(watchdog.mailbox.index())
            {
                *own = WatchdogId(number as u8);
            }
        }
        self
    }

    /// Where places are lowered, the background is between all others and the idle thread.
    fn with_background(mut self) -> System<S> {
        let is_lowered = |budget: &Budget| budget.is_some() && budget.reaction == OnSpent::Lower;
        let mut budgets = (0..S::Threads::LENGTH).filter_map(|place| self.budgets.get(place));
        if !budgets.any(is_lowered) {
            return self;
        }
        let mut background = Rank::NONE;
        for index in 0..S::Threads::LENGTH {
            let row = self.threads.at_mut(index);
            if row.kind == ThreadKind::Idle {
                background = row.rank;
                row.rank = Rank::fixed(background.number().saturating_add(1));
            }
        }
        for index in 0..S::Threads::LENGTH {
            let is_open = |budget: &Budget| is_lowered(budget) && budget.background == Rank::NONE;
            if let Some(budget) = self.budgets.get_mut(index).filter(|budget| is_open(budget)) {
                budget.background = background;
            }
        }
        self
    }

    /// The number of ranks of a band, counted from `from`: one for each priority that a thread has or may
    /// have; one if the band isn't fixed.
    fn ranks_of(&self, band: u8, from: u8) -> usize {
        let rows =
            || self.threads.rows().iter().filter(move |row| row.band.0 == band && row.kind.is_scheduled());
        let has = |priority: u8| {
            rows().any(|row| {
                matches!(row.place, Place::Fixed { least, most, .. } if least <= priority && priority <= most)
            })
        };
        let is_fixed = |row: &Thread| matches!(row.place, Place::Fixed { .. });
        let others = usize::from(rows().any(|row| !is_fixed(row)));
        (from..=31).filter(|priority| has(*priority)).count().saturating_add(others)
    }
}
