//! Three threads and objects with gates: every order of their calls, of timeouts, interrupts and faults.

use beryl_abi::call::{FOREVER, Operand, POLL};
use beryl_abi::{CallNumber, EndpointId, EventGroupId, Line, MailboxId, NotificationId, Wanted};

use super::objects::{all_orders_in, ask, with};
use crate::{Gate, GateId, Gated, OnEarly, System, sizes};

sizes! {
    struct Policed {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, gates: 2
    }
}

const SEPARATION: u32 = 4;
const SHORT: u32 = 3;

/// The explorer's three threads, with a gate before this, and one before their interrupt.
fn policed(before: Gated, early: OnEarly) -> System<Policed> {
    let gate = |before, early| Gate { before, separation: SEPARATION, early };
    with! {
        gates: [gate(before, early), gate(Gated::Line(Line(10)), OnEarly::Keep)],
        doors: crate::table::Optional::filled(GateId::NONE)
    }
}

#[test]
fn bits_before_gates() {
    let wait = |operand, timeout| ask(CallNumber::NotificationWait, operand, timeout);
    let asks = [
        wait(Operand::NO_OBJECT.into(), FOREVER),
        wait(0, SHORT),
        ask(CallNumber::Notify, 0, 0),
        ask(CallNumber::Acknowledge, 0, 0),
        ask(CallNumber::Stop, 0, 0),
    ];
    for early in [OnEarly::Keep, OnEarly::Drop] {
        all_orders_in(policed(Gated::Notification(NotificationId(0)), early), &asks, 5, 1_000);
    }
}

#[test]
fn bits_of_a_group_before_a_gate() {
    let asks = [
        (CallNumber::EventGroupWait, [0, 1, 0, FOREVER]),
        (CallNumber::EventGroupWait, [0, 1, Wanted::TAKE, SHORT]),
        ask(CallNumber::EventGroupSet, 0, 0),
        ask(CallNumber::EventGroupClear, 0, 0),
    ];
    all_orders_in(policed(Gated::EventGroup(EventGroupId(0)), OnEarly::Keep), &asks, 5, 1_000);
}

#[test]
fn messages_before_a_gate() {
    let asks = [
        ask(CallNumber::MailboxSend, 0, FOREVER),
        ask(CallNumber::MailboxSend, 0, POLL),
        ask(CallNumber::MailboxReceive, 0, FOREVER),
        ask(CallNumber::MailboxReceive, 0, SHORT),
    ];
    for early in [OnEarly::Keep, OnEarly::Drop] {
        all_orders_in(policed(Gated::Mailbox(MailboxId(0)), early), &asks, 5, 1_000);
    }
}

#[test]
fn clients_before_a_gate() {
    let asks = [
        ask(CallNumber::EndpointCall, 0, FOREVER),
        ask(CallNumber::EndpointCall, 0, SHORT),
        ask(CallNumber::EndpointReceive, 0, FOREVER),
        ask(CallNumber::EndpointReceive, 0, SHORT),
        ask(CallNumber::EndpointReply, 0, 0),
    ];
    for early in [OnEarly::Keep, OnEarly::Drop] {
        all_orders_in(policed(Gated::Endpoint(EndpointId(0)), early), &asks, 5, 1_000);
    }
}
