//! Two threads that pay from one budget, and one outside of it: every order of their calls, of time, interrupts and
//! faults.

use beryl_abi::call::FOREVER;
use beryl_abi::{CallNumber, ThreadId};

use super::objects::{all_orders_in, ask, with};
use crate::{Budget, ComesBack, OnSpent, Place, Pooled, System, sizes};

sizes! {
    struct Pooling {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, budgets: 4, pools: 4
    }
}

/// The explorer's threads; 1 and 2 may use 3 ticks in 7 together, and one more inside of a section.
fn pooled(reaction: OnSpent) -> System<Pooling> {
    const PURSE: ThreadId = ThreadId(1);
    let budget = |comes_back| Budget { amount: 3, hold: 1, comes_back, reaction, ..Budget::NONE };
    let pooled = |next| Pooled { purse: PURSE, next: ThreadId(next) };
    let mut system: System<Pooling> = with! {
        budgets: [Budget::NONE, budget(ComesBack::Every(7)), budget(ComesBack::WithJobs), Budget::NONE],
        pools: [Pooled::ALONE, pooled(2), pooled(1), Pooled::ALONE]
    };
    system.threads[1].place = Place::Fixed { priority: 5, least: 1, most: 5 };
    system.threads[2].place = Place::Fixed { priority: 4, least: 1, most: 4 };
    system.ranked()
}

#[test]
fn two_pay_from_one_budget() {
    let asks = [
        ask(CallNumber::SemaphoreWait, 0, FOREVER),
        ask(CallNumber::SemaphoreSignal, 0, 0),
        ask(CallNumber::SleepUntil, 0, 0),
        ask(CallNumber::EndpointCall, 0, FOREVER),
        ask(CallNumber::EndpointReceive, 0, FOREVER),
        ask(CallNumber::EndpointReply, 0, 0),
        ask(CallNumber::Yield, 0, 0),
    ];
    for reaction in [OnSpent::Lower, OnSpent::Stop] {
        all_orders_in(pooled(reaction), &asks, 5, 2_000);
    }
}
