//! Rules by which budgets come back: sporadic and polling ones. Deferrable budgets are in `supplies`.

use beryl_abi::ThreadId;
use beryl_kernel::{Budget, ComesBack, OnSpent, Rule};

use crate::assert_story;
use crate::host::Do::{self, At, Interrupt, Late};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, give, sleep_until, take};
use crate::host::draft::{Draft, Queue, Ruled};
use crate::host::{run, without};

const SERVER: ThreadId = ThreadId(0);

/// Thread 0 may use 4 ticks in 10, by a rule; 1 is less urgent; 2 idles.
fn four_in_ten(rule: Rule, budget: Budget) -> Draft<Ruled> {
    let mut draft = Draft::<Ruled>::new(&[Queue::Fixed]);
    draft.free(0, 0, 5);
    draft.free(1, 0, 3);
    draft.range(SERVER, [1, 6]);
    draft.budget(
        SERVER,
        Budget { amount: 4, comes_back: ComesBack::Every(10), reaction: OnSpent::Lower, ..budget },
    );
    draft.rule(SERVER, rule);
    draft
}

fn told(draft: Draft<Ruled>, script: &[Do]) -> Vec<String> {
    without(run(&draft.finish().0, script), &["arm"]).split_off(1)
}

#[test]
fn what_is_used_of_a_sporadic_budget_comes_back_a_period_after_it_could_be_used() {
    // 2 ticks from 0 on; then it sleeps until 6 and uses two more
    let script = [At(2), sleep_until(6), At(29)];
    assert_story(
        &told(four_in_ten(Rule::Sporadic, Budget::NONE), &script),
        &[
            "2 switch 0 to 1",
            "6 switch 1 to 0",
            // with a tick too much, which is owed
            "9 overrun 0",
            "9 switch 0 to 1",
            // the first two come back, of which one was owed
            "10 switch 1 to 0",
            "12 overrun 0",
            "12 switch 0 to 1",
            // the second two, dated to 6 and not to 0; again one is owed
            "16 switch 1 to 0",
            "18 overrun 0",
            "18 switch 0 to 1",
            "20 switch 1 to 0",
            "22 overrun 0",
            "22 switch 0 to 1",
            "26 switch 1 to 0",
            "28 overrun 0",
            "28 switch 0 to 1",
        ],
    );
}

#[test]
fn a_sporadic_budget_cannot_be_used_twice_in_a_row() {
    // It sleeps over the end of its first period: a deferrable budget would be had from 9 to 13, and again.
    let script = [sleep_until(8), At(19)];
    assert_story(
        &told(four_in_ten(Rule::Sporadic, Budget::NONE), &script),
        &[
            "0 switch 0 to 1",
            "8 switch 1 to 0",
            "13 overrun 0",
            "13 switch 0 to 1",
            // not at 10, but a period after it woke
            "18 switch 1 to 0",
        ],
    );
    let twice = told(four_in_ten(Rule::Deferrable, Budget::NONE), &script);
    assert_story(&twice, &["0 switch 0 to 1", "8 switch 1 to 0", "15 overrun 0", "15 switch 0 to 1"]);
}

#[test]
fn what_is_due_of_a_sporadic_budget_is_found_when_the_rest_is_used_up() {
    // One tick at 0, and from 9 on three; meanwhile the first one is due, and nobody was interrupted for it.
    let script = [At(1), sleep_until(9), At(18)];
    assert_story(
        &told(four_in_ten(Rule::Sporadic, Budget::NONE), &script),
        &[
            "1 switch 0 to 1",
            "9 switch 1 to 0",
            // three, and the one that came back at 10: just what it may use, so it goes on to be seen
            "14 overrun 0",
            "14 switch 0 to 1",
        ],
    );
}

#[test]
fn a_sporadic_budget_has_no_timer_while_there_is_something_of_it() {
    let script = [At(1), sleep_until(100), At(90)];
    let alarms = run(&four_in_ten(Rule::Sporadic, Budget::NONE).finish().0, &script);
    let armed: Vec<_> = alarms.iter().filter(|line| line.contains("arm")).collect();
    assert!(armed.iter().all(|line| line.starts_with("0 ") || line.starts_with("1 ")), "{armed:?}");
}

#[test]
fn what_comes_back_less_than_it_takes_is_saved_until_it_is_more() {
    // What the kernel does so that something comes back is paid for: three ticks.
    let budget = Budget { woken: 3, ..Budget::NONE };
    let script = [At(30)];
    assert_story(
        &told(four_in_ten(Rule::Sporadic, budget), &script),
        &[
            "5 overrun 0",
            "5 switch 0 to 1",
            // four, of which one is owed and three are paid: nothing is left, and it comes back at 20
            "20 switch 1 to 0",
            "22 overrun 0",
            "22 switch 0 to 1",
        ],
    );
}

#[test]
fn what_a_sporadic_budget_owes_is_taken_from_what_comes_back_next() {
    let mut draft = four_in_ten(Rule::Sporadic, Budget { hold: 3, ..Budget::NONE });
    let lock = draft.binary();
    let script = [take(lock), At(6), give(lock), At(29)];
    assert_story(
        &told(draft, &script),
        &[
            // two more than its four
            "6 overrun 0",
            "6 switch 0 to 1",
            "10 switch 1 to 0",
            "13 overrun 0",
            "13 switch 0 to 1",
            "20 switch 1 to 0",
            "24 overrun 0",
            "24 switch 0 to 1",
        ],
    );
}

#[test]
fn an_interrupt_that_a_sporadic_budget_pays_for_while_its_thread_sleeps_is_dated_then() {
    let mut draft = four_in_ten(Rule::Sporadic, Budget { woken: 2, ..Budget::NONE });
    draft.interrupt(7, SERVER, 1);
    // It wakes at 8 for what two ticks of the budget are charged, and uses the others.
    let script = [await_bits(1, Forever), At(8), Interrupt(7), At(30)];
    let story = told(draft, &script);
    let switches: Vec<_> = story.iter().filter(|line| line.contains("switch")).map(String::as_str).collect();
    assert_eq!(
        switches[1..5],
        // four are back at 18, less the one that was owed and two for coming back
        ["0 switch 0 to 1", "8 switch 1 to 0", "11 switch 0 to 1", "18 switch 1 to 0"],
        "{story:?}"
    );
}

#[test]
fn a_sleeper_in_the_background_is_back_where_an_interrupt_comes_before_the_timer() {
    let mut draft = four_in_ten(Rule::Sporadic, Budget { woken: 1, ..Budget::NONE });
    draft.interrupt(7, SERVER, 1);
    // Thread 1 sleeps from 6 to 11, so the server asks for its interrupt from the background; that comes with the part.
    let script = [At(6), sleep_until(11), await_bits(1, Forever), Late(10), Interrupt(7), At(30)];
    let story = told(draft, &script);
    let switches: Vec<_> = story.iter().filter(|line| line.contains("switch")).map(String::as_str).collect();
    assert_eq!(
        switches[1..],
        [
            "5 switch 0 to 1",
            "6 switch 1 to 0",
            "6 switch 0 to 2",
            // four, less the one that was owed and one for coming back: at 11 it is the more urgent one
            "10 switch 2 to 0",
            "13 switch 0 to 1",
            // four again, less one that was owed and one for coming back
            "20 switch 1 to 0",
            "23 switch 0 to 1",
            "30 switch 1 to 0",
        ],
        "{story:?}"
    );
}

#[test]
fn a_polling_budget_is_lost_while_its_thread_sleeps() {
    let script = [At(1), sleep_until(4), At(5), At(25)];
    assert_story(
        &told(four_in_ten(Rule::Polling, Budget::NONE), &script),
        &[
            "1 switch 0 to 1",
            // it wakes at 4, in the background; at 10 it is the more urgent one again
            "10 switch 1 to 0",
            "15 overrun 0",
            "15 switch 0 to 1",
            "20 switch 1 to 0",
            "24 overrun 0",
            "24 switch 0 to 1",
        ],
    );
}

#[test]
fn a_polling_budget_is_not_had_where_nobody_wants_it() {
    // Asleep from 1 to 12, over the instant of its budget.
    let script = [At(1), sleep_until(12), At(22)];
    assert_story(
        &told(four_in_ten(Rule::Polling, Budget::NONE), &script),
        &["1 switch 0 to 1", "20 switch 1 to 0"],
    );
}

#[test]
fn in_the_background_a_polling_thread_has_what_nobody_else_wants() {
    // 1 sleeps from 5 to 7.
    let script = [At(1), sleep_until(4), At(5), sleep_until(7), At(9)];
    assert_story(
        &told(four_in_ten(Rule::Polling, Budget::NONE), &script),
        &["1 switch 0 to 1", "5 switch 1 to 0", "7 switch 0 to 1"],
    );
}
