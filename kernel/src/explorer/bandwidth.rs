//! Two threads with constant bandwidth in a dynamic band, and one below them: every order of their calls, of time, interrupts
//! and faults.

use beryl_abi::call::FOREVER;
use beryl_abi::{BandId, CallNumber, ThreadId};

use super::Place as Point;
use super::objects::{all_orders_checked, ask, with};
use crate::rows::rank::Rank;
use crate::scheduling::budget::{Funds, end};
use crate::table::Table as _;
use crate::{Budget, ComesBack, OnSpent, Place, Rule, System, sizes};

sizes! {
    struct Sharing {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1, budgets: 4, rules: 4, constant: true
    }
}

/// How many threads have a share of the band.
const SHARES: usize = 2;

/// The explorer's threads; 0 has 3 ticks in 7 and 1 has 2 in 9, both of one dynamic band. Each pays a tick for being woken.
fn shared() -> System<Sharing> {
    let share = |amount, period| Budget {
        amount,
        comes_back: ComesBack::Every(period),
        reaction: OnSpent::Tell,
        woken: 1,
        ..Budget::NONE
    };
    let mut system: System<Sharing> = with! {
        budgets: [share(3, 7), share(2, 9), Budget::NONE, Budget::NONE],
        rules: [Rule::ConstantBandwidth, Rule::ConstantBandwidth, Rule::Deferrable, Rule::Deferrable]
    };
    system.slots = [ThreadId(0), ThreadId(1)];
    system.threads[1].band = BandId(0);
    (system.threads[1].place, system.threads[1].level) = (Place::Dynamic { slot: 1 }, 3);
    system.ranked()
}

/// Nobody is suspended, whose budget was used up is put off by then, none has more than all of it, and the kernel looks when
/// that of the payer ends.
fn check(point: &Point<Sharing>) {
    let (state, system) = (&point.kernel.state, point.kernel.machine.system);
    if point.again {
        return;
    }
    let payment = state.payment[0];
    assert!(!payment.spent.is_some() && !payment.raised.is_some(), "something is left to deal with");
    for (place, budget) in state.budgets.iter().enumerate().take(SHARES) {
        let amount = i32::try_from(system.budgets[place].amount).expect("a few ticks");
        assert!(matches!(budget.funds(), Funds::Whole | Funds::None), "{place} is suspended, or in debt");
        assert!(budget.balance() <= amount, "{place} has {} of {amount}", budget.balance());
        assert_eq!(budget.returns_to, Rank::NONE, "{place} is in the background");
    }
    let payer = payment.payer.index();
    if payer < SHARES && state.budgets[payer].pays() {
        let clock = &point.kernel.machine;
        let end = clock.now.nearest(end(state.budgets.at(payer).balance(), state.since));
        assert!(
            clock.alarm <= end.max(clock.now),
            "nobody looks when the budget of {payer} ends, at {end:?}"
        );
    }
}

#[test]
fn two_have_their_shares_of_a_dynamic_band() {
    let asks = [
        ask(CallNumber::SemaphoreWait, 0, FOREVER),
        ask(CallNumber::SemaphoreSignal, 0, 0),
        ask(CallNumber::SleepUntil, 0, 0),
        ask(CallNumber::EndpointCall, 0, FOREVER),
        ask(CallNumber::EndpointReceive, 0, FOREVER),
        ask(CallNumber::EndpointReply, 0, 0),
        ask(CallNumber::Yield, 0, 0),
    ];
    all_orders_checked(shared(), &asks, 6, 20_000, &check);
}
