//! Budgets that come back every period: what a thread without jobs may use in each.

use beryl_abi::CallNumber::Yield;
use beryl_abi::ThreadId;
use beryl_kernel::{Budget, ComesBack, OnSpent, Rank, System};

use crate::assert_story;
use crate::host::Do::{At, Call, Interrupt, Write};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, give, preempt, set_priority, sleep_until, take};
use crate::host::draft::{Budgeted, Draft, Queue};
use crate::host::user::level;
use crate::host::{play, run, ticks, without};

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
fn the_background_is_below_all_bands() {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed, Queue::Dynamic(2), Queue::Fixed]);
    let server = draft.free(0, 0, 5);
    let dynamic = draft.free(1, 1, 0);
    draft.row(dynamic).deadline = ticks(50);
    draft.free(1, 2, 0);
    draft.budget(
        server,
        Budget { amount: 3, comes_back: ComesBack::Every(20), reaction: OnSpent::Lower, ..Budget::NONE },
    );
    let script = [At(6), sleep_until(12), At(9), sleep_until(11), At(10), At(15)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "4 overrun 0",
            "4 switch 0 to 1",
            "6 switch 1 to 2",
            // all others sleep
            "9 switch 2 to 0",
            "11 switch 0 to 2",
            "12 switch 2 to 1",
        ],
    );
}

#[test]
fn who_waits_for_its_budget_does_not_run_though_nobody_else_does() {
    let mut draft = three_in_ten(OnSpent::Lower);
    let budget = Budget {
        amount: 3,
        comes_back: ComesBack::Every(10),
        reaction: OnSpent::Lower,
        // below the idle thread
        background: Rank::fixed(31),
        ..Budget::NONE
    };
    draft.budget(SERVER, budget);
    assert_story(
        &told(&draft.finish().0, &[At(5), sleep_until(30), At(12)]),
        &["4 overrun 0", "4 switch 0 to 1", "5 switch 1 to 2", "10 switch 2 to 0"],
    );
}

/// The same, and each time that the kernel works for the thread while others run it pays a tick.
fn charged_for_waking() -> Draft<Budgeted> {
    let mut draft = three_in_ten(OnSpent::Lower);
    let woken = Budget { woken: 1, ..of_three() };
    draft.budget(SERVER, woken);
    draft
}

fn of_three() -> Budget {
    Budget { amount: 3, comes_back: ComesBack::Every(10), reaction: OnSpent::Lower, ..Budget::NONE }
}

#[test]
fn a_place_pays_for_its_timers() {
    // it runs for a tick, and sleeps for two
    let script = [At(1), sleep_until(3), At(3), At(8)];
    assert_story(
        &told(&charged_for_waking().finish().0, &script),
        &["1 switch 0 to 1", "3 switch 1 to 0", "5 overrun 0", "5 switch 0 to 1"],
    );
}

#[test]
fn who_only_sleeps_and_wakes_has_used_up_its_budget_in_the_end() {
    let naps = (1..=4).flat_map(|nap| [sleep_until(nap), At(nap)]);
    assert_story(
        &told(&charged_for_waking().finish().0, &naps.chain([At(12)]).collect::<Vec<_>>()),
        &[
            "0 switch 0 to 1",
            "1 switch 1 to 0",
            "1 switch 0 to 1",
            "2 switch 1 to 0",
            "2 switch 0 to 1",
            "3 switch 1 to 0",
            // the fourth is a tick too much, which is seen when it comes to run again
            "3 switch 0 to 1",
            "4 switch 1 to 0",
            "4 overrun 0",
            "4 switch 0 to 1",
            // a tick was owed
            "10 switch 1 to 0",
        ],
    );
}

#[test]
fn a_place_pays_for_its_interrupts_unless_it_runs() {
    let mut draft = charged_for_waking();
    draft.interrupt(7, SERVER, 1);
    let script = [await_bits(1, Forever), At(2), Interrupt(7), At(3), Interrupt(7), At(8)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "2 mask 7",
            "2 result of 0: 0x1 0x0",
            "2 switch 1 to 0",
            // this one comes in its own time
            "3 mask 7",
            "5 overrun 0",
            "5 switch 0 to 1",
        ],
    );
}

#[test]
fn a_section_under_a_ceiling_cannot_go_to_the_background() {
    let mut draft = three_in_ten(OnSpent::Lower);
    draft.row(SERVER).highest_ceiling = 5;
    draft.budget(SERVER, Budget { hold: 2, ..of_three() });
    let script = [Write(level(SERVER), 5), At(8)];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            // two more than its three, and the first that is too much
            "6 overrun 0",
            "6 fault 0: budget used up",
            "6 restart 0",
            "6 switch 0 to 1",
        ],
    );
}

#[test]
fn a_place_may_only_be_told_of_and_goes_on() {
    assert_story(&told(&three_in_ten(OnSpent::Tell).finish().0, &[At(15)]), &["4 overrun 0", "13 overrun 0"]);
}

/// 1, less urgent than 2, is inside a ceiling lock of both when the server comes at 3. At 5, 2 comes, too. Once the server has
/// no more, 1 goes on before 2, which it keeps out; not the server, which stands below both now.
#[test]
fn who_was_inside_a_ceiling_lock_goes_on_when_the_budget_of_who_preempted_it_is_used_up() {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let server = draft.free(0, 0, 5);
    let low = draft.free(1, 0, 2);
    let middle = draft.free(2, 0, 3);
    draft.budget(
        server,
        Budget { amount: 3, comes_back: ComesBack::Every(10), reaction: OnSpent::Lower, ..Budget::NONE },
    );
    // Levels are 4, 2 and 3, above that of the background.
    [low, middle].into_iter().for_each(|thread| draft.row(thread).highest_ceiling = 3);
    let script = [
        sleep_until(3),
        sleep_until(5),
        At(1),
        Write(level(low), 3),
        At(8),
        Write(level(low), 0),
        preempt(),
        At(9),
    ];
    assert_story(
        &told(&draft.finish().0, &script),
        &[
            "0 switch 0 to 2",
            "0 switch 2 to 1",
            "3 switch 1 to 0",
            "7 overrun 0",
            "7 switch 0 to 1",
            "8 switch 1 to 2",
        ],
    );
}
