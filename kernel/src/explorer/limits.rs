//! Three threads and objects whose clients have limits: every order of their calls, of timeouts, interrupts and faults.

use beryl_abi::call::{FOREVER, POLL};
use beryl_abi::{CallNumber, EndpointId, MailboxId, ProcessId};

use super::objects::{all_orders_in, ask, with};
use crate::rows::limits::{Asked, Limit, LimitId};
use crate::{System, sizes};

sizes! {
    struct Limited {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, limits: 2, credits: 3
    }
}

/// The explorer's three threads; the processes may ask this once and twice in a stretch.
fn limited(of: Asked) -> System<Limited> {
    let limit = |client, first, requests| Limit { of, client: ProcessId(client), first, requests, within: 4 };
    with! {
        limits: [limit(0, 0, 1), limit(1, 1, 2)],
        clients: crate::table::Optional::filled(LimitId::NONE)
    }
}

#[test]
fn messages_of_limited_clients() {
    let asks = [
        ask(CallNumber::MailboxSend, 0, FOREVER),
        ask(CallNumber::MailboxSend, 0, POLL),
        ask(CallNumber::MailboxReceive, 0, FOREVER),
        ask(CallNumber::MailboxReceive, 0, 3),
    ];
    all_orders_in(limited(Asked::Mailbox(MailboxId(0))), &asks, 5, 1_000);
}

#[test]
fn requests_of_limited_clients() {
    let asks = [
        ask(CallNumber::EndpointCall, 0, FOREVER),
        ask(CallNumber::EndpointCall, 0, 3),
        ask(CallNumber::EndpointReceive, 0, FOREVER),
        ask(CallNumber::EndpointReply, 0, 0),
    ];
    all_orders_in(limited(Asked::Endpoint(EndpointId(0))), &asks, 5, 1_000);
}
