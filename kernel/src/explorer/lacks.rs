//! Three threads of which one has no right to what the others share: every order of their calls, of timeouts, interrupts
//! and faults.

use beryl_abi::CallNumber;
use beryl_abi::call::{FOREVER, POLL};

use super::objects::{all_orders_in, ask, with};
use crate::table::Table as _;
use crate::{System, sizes};

sizes! {
    struct Counted {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, lacked: 4
    }
}

/// The explorer's three threads; process 0 has no right to the mailbox and the first semaphore.
fn counted() -> System<Counted> {
    const OTHERS: u32 = 1 << 1;
    let mut system: System<Counted> = with! { limits: crate::row::Absent };
    system.semaphores.at_mut(0).processes = OTHERS;
    let mailbox = system.mailboxes.at_mut(0);
    (mailbox.senders, mailbox.receivers) = (OTHERS, OTHERS);
    system
}

#[test]
fn calls_of_who_has_a_right_and_who_has_none() {
    let asks = [
        ask(CallNumber::MailboxSend, 0, FOREVER),
        ask(CallNumber::MailboxReceive, 0, 3),
        ask(CallNumber::SemaphoreWait, 0, FOREVER),
        ask(CallNumber::SemaphoreSignal, 0, 0),
        ask(CallNumber::EndpointReceive, 0, POLL),
    ];
    all_orders_in(counted(), &asks, 5, 1_000);
}
