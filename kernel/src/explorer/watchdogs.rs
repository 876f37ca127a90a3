//! Three threads of which one has to come back for what it is told: every order of their calls, of timeouts, interrupts
//! and faults.

use beryl_abi::call::{FOREVER, POLL};
use beryl_abi::{CallNumber, Duration, MailboxId, ThreadId};

use super::objects::{all_orders_in, ask, with};
use crate::table::Table as _;
use crate::{ReportId, Restart, System, Telling, Watchdog, WatchdogId, Watched, sizes};

sizes! {
    struct WatchedOver {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, restarts: 2, reports: 2, watchdogs: 2
    }
}

/// The explorer's three threads, with a mailbox of the kernel's own, which tells of the faults of threads 0 and 1. This
/// thread has to come back to it within 4 ticks.
fn watched_over(supervisor: ThreadId) -> System<WatchedOver> {
    let none = ReportId::NONE;
    let mut system: System<WatchedOver> = with! {
        watched: [[ReportId(0), none], [ReportId(1), none], [none; 2], [none; 2]]
            .map(|[fault, none]| Watched { reports: [fault, none, none, none] }),
        tellings: [Telling { mailbox: MailboxId(0) }; 2],
        watchdogs: [Watchdog { thread: supervisor, mailbox: MailboxId(0), within: 4 }, Watchdog::NONE],
        watchdog_of: crate::table::Optional::filled(WatchdogId::NONE),
        restarts: [Restart { most: 1, within: Duration::from_ticks(30) }; 2]
    };
    let process = system.threads.at(supervisor.index()).process.0;
    let mailbox = system.mailboxes.at_mut(0);
    (mailbox.senders, mailbox.receivers, mailbox.capacity) = (0, 1 << process, 2);
    system
}

#[test]
fn who_is_told_comes_back_or_not() {
    let asks = [
        ask(CallNumber::MailboxReceive, 0, FOREVER),
        ask(CallNumber::MailboxReceive, 0, 3),
        ask(CallNumber::MailboxReceive, 0, POLL),
        ask(CallNumber::SemaphoreWait, 0, FOREVER),
    ];
    for supervisor in [1, 2] {
        all_orders_in(watched_over(ThreadId(supervisor)), &asks, 6, 1_000);
    }
}
