//! Budgets that come back every period: what a thread without jobs may use in each.

use beryl_abi::CallNumber::Yield;
use beryl_abi::ThreadId;
use beryl_kernel::{Budget, ComesBack, OnSpent, System};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::{give, set_priority, sleep_until, take};
use crate::host::draft::{Budgeted, Draft, Queue};
use crate::host::{play, run, without};

const SERVER: ThreadId = ThreadId(0);

/// Thread 0 may use 3 ticks in 10; 1 is less urgent; 2 idles.
fn three_in_ten(reaction: OnSpent) -> Draft<Budgeted> {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let server = draft.free(0, 0, 5);
    draft.free(1, 0, 3);
    draft.range(server, [1, 6]);
    draft.budget(server, Budget { amount: 3, comes_back: ComesBack::Every(10), reaction, ..Budget::NONE });
    draft
}

fn told(system: &System<Budgeted>, script: &[crate::host::Do]) -> Vec<String> {
    without(run(system, script), &["arm"]).split_off(1)
}

#[test]
fn a_place_whose_budget_is_used_up_is_lowered_until_it_is_back() {
    assert_story(
        &told(&three_in_ten(OnSpent::Lower).finish().0, &[At(25)]),
        &[
            "4 overrun 0",
            "4 switch 0 to 1",
            "10 switch 1 to 0",
            // a tick of the last period was a debt
            "13 overrun 0",
            "13 switch 0 to 1",
            "20 switch 1 to 0",
            "23 overrun 0",
            "23 switch 0 to 1",
        ],
    );
}

#[test]
fn in_the_background_nothing_is_charged() {
    // 1 sleeps from 5 on; the server goes on at its lowest priority, and owes nothing for that
    let script = [At(5), sleep_until(12), At(14)];
    assert_story(
        &told(&three_in_ten(OnSpent::Lower).finish().0, &script),
        &[
            "4 overrun 0",
            "4 switch 0 to 1",
            "5 switch 1 to 0",
            // it is back at 10: when 1 wakes at 12, the server is the more urgent one, and has a tick left of two
            "13 overrun 0",
            "13 switch 0 to 1",
        ],
    );
}

#[test]
fn what_is_not_used_is_kept_until_the_period_is_over_and_no_longer() {
    // two of three ticks are used; then it sleeps until just before it comes back
    let script = [At(2), sleep_until(9), At(9), At(16)];
    assert_story(
        &told(&three_in_ten(OnSpent::Lower).finish().0, &script),
        &[
            "2 switch 0 to 1",
            "9 switch 1 to 0",
            // one tick is left, then three come: never four from 10 on
            "14 overrun 0",
            "14 switch 0 to 1",
        ],
    );
}

#[test]
fn another_priority_counts_once_the_budget_is_back() {
    let mut draft = three_in_ten(OnSpent::Lower);
    let helper = draft.free(0, 0, 4);
    let _ = helper;
    // 2, of the server's process, asks for the priority 2 of the server while that is lowered
    let script = [At(5), set_priority(SERVER, 2), sleep_until(50), At(12)];
    let system = draft.finish().0;
    assert_story(
        &told(&system, &script),
        &[
            "4 overrun 0",
            "4 switch 0 to 2",
            "5 switch 2 to 1",
            // back at 10, but at priority 2, below 1
        ],
    );
    let refused = [At(5), set_priority(SERVER, 6), At(10), Call(Yield)];
    assert_eq!(play(&system, &refused).state().running(), SERVER);
    let raised = [At(5), set_priority(SERVER, 6), At(9)];
    assert_eq!(play(&system, &raised).state().running(), ThreadId(2), "nobody gets out of it by a call");
}

#[test]
fn what_is_used_in_debt_is_taken_from_the_next_period() {
    let mut draft = three_in_ten(OnSpent::Lower);
    let lock = draft.binary();
    draft.budget(
        SERVER,
        Budget {
            amount: 3,
            comes_back: ComesBack::Every(10),
            reaction: OnSpent::Lower,
            hold: 2,
            ..Budget::NONE
        },
    );
    let script = [take(lock), At(5), give(lock), At(14)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            // five used, of three
            "5 overrun 0",
            "5 switch 0 to 1",
            "10 switch 1 to 0",
            "12 overrun 0",
            "12 switch 0 to 1",
        ],
    );
}

#[test]
fn a_place_may_only_be_told_of_and_goes_on() {
    assert_story(&told(&three_in_ten(OnSpent::Tell).finish().0, &[At(15)]), &["4 overrun 0", "13 overrun 0"]);
}
