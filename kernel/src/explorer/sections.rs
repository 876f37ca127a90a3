//! Three threads with semaphores, two of which may keep others waiting for two ticks: every order of their calls, of time,
//! interrupts and faults.

use beryl_abi::CallNumber;
use beryl_abi::call::FOREVER;

use super::objects::{all_orders_in, ask, with};
use crate::{System, sizes};

sizes! {
    struct Policed {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, holds: &[2, 2, 0, 0], budgets: 4
    }
}

#[test]
fn owners_and_who_waits_for_them() {
    let system: System<Policed> = with! { budgets: [crate::Budget::NONE; 4] };
    let asks = [
        ask(CallNumber::SemaphoreWait, 0, FOREVER),
        ask(CallNumber::SemaphoreWait, 1, 3),
        ask(CallNumber::SemaphoreSignal, 0, 0),
        ask(CallNumber::SemaphoreSignal, 1, 0),
        ask(CallNumber::ConditionWait, 0x100, FOREVER),
        ask(CallNumber::SleepUntil, 0, 0),
        ask(CallNumber::Yield, 0, 0),
    ];
    all_orders_in(system, &asks, 5, 2_000);
}
