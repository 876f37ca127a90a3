//! Three threads, one of which serves the two others and has two ticks for each request: every order of their calls, of
//! time, interrupts and faults.

use beryl_abi::CallNumber;
use beryl_abi::call::FOREVER;

use super::objects::{all_orders_in, ask, with};
use crate::{System, sizes};

sizes! {
    struct Answering {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, answers: &[0, 0, 2, 0], budgets: 4
    }
}

#[test]
fn servers_and_who_waits_for_their_answers() {
    let system: System<Answering> = with! { budgets: [crate::Budget::NONE; 4] };
    let asks = [
        ask(CallNumber::EndpointCall, 0, FOREVER),
        ask(CallNumber::EndpointCall, 0, 3),
        ask(CallNumber::EndpointReceive, 0, FOREVER),
        ask(CallNumber::EndpointReply, 0, 0),
        ask(CallNumber::SemaphoreWait, 0, FOREVER),
        ask(CallNumber::SemaphoreSignal, 0, 0),
        ask(CallNumber::SleepUntil, 0, 0),
    ];
    all_orders_in(system, &asks, 5, 2_000);
}
