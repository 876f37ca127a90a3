//! Constant bandwidth: budgets with deadlines, in dynamic bands.

use beryl_abi::{Duration, ThreadId};
use beryl_kernel::{Budget, ComesBack, OnSpent, Rule};

use crate::assert_story;
use crate::host::Do::{self, At, Interrupt, Write};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{await_bits, give, preempt, sleep_until, take};
use crate::host::draft::{Constant, Draft, Queue};
use crate::host::user::level;
use crate::host::{run, ticks, without};

const SERVER: ThreadId = ThreadId(0);
const OTHER: ThreadId = ThreadId(1);

/// Thread 0 has 4 ticks in 10 of a dynamic band; 1 is due so many ticks after it becomes ready; 2 idles.
fn four_in_ten(budget: Budget, due: u64) -> Draft<Constant> {
    let mut draft = Draft::<Constant>::new(&[Queue::Dynamic(4)]);
    draft.free(0, 0, 0);
    draft.free(0, 0, 0);
    bandwidth(&mut draft, SERVER, Budget { amount: 4, comes_back: ComesBack::Every(10), ..budget });
    draft.row(OTHER).deadline = ticks(due);
    draft
}

fn bandwidth(draft: &mut Draft<Constant>, thread: ThreadId, budget: Budget) {
    let ComesBack::Every(period) = budget.comes_back else { unreachable!() };
    draft.row(thread).deadline = Duration::from_ticks(period.into());
    draft.budget(thread, Budget { reaction: OnSpent::Tell, ..budget });
    draft.rule(thread, Rule::ConstantBandwidth);
}

fn told(draft: Draft<Constant>, script: &[Do]) -> Vec<String> {
    without(run(&draft.finish().0, script), &["arm"]).split_off(1)
}

#[test]
fn a_deadline_is_put_off_when_the_budget_is_used_up_and_nobody_is_suspended() {
    // 1 is due at 12, and then sleeps
    let script = [At(7), sleep_until(40), At(22)];
    assert_story(
        &told(four_in_ten(Budget::NONE, 12), &script),
        &[
            // four and a tick too much, due at 10; from now on at 20
            "5 overrun 0",
            "5 switch 0 to 1",
            // alone it goes on as it likes: three are left, as one was owed
            "7 switch 1 to 0",
            "11 overrun 0",
            "15 overrun 0",
            "19 overrun 0",
        ],
    );
}

#[test]
fn who_is_woken_early_keeps_what_is_left_and_its_deadline_if_that_is_less_than_its_share() {
    // Three are left at 2, and its share of the time to 10 is more: it goes before 1, which is due at 11.
    let script = [At(1), sleep_until(2), At(5), sleep_until(30), At(6), sleep_until(40), At(7)];
    assert_story(
        &told(four_in_ten(Budget::NONE, 11), &script),
        &["1 switch 0 to 1", "2 switch 1 to 0", "5 switch 0 to 1", "6 switch 1 to 2"],
    );
    // At 3 its share is less than three: whole again, but due at 13, behind 1. There is enough for 4 ticks from 6 to 10.
    let script = [At(1), sleep_until(3), At(6), sleep_until(40), At(12)];
    assert_story(
        &told(four_in_ten(Budget::NONE, 11), &script),
        &["1 switch 0 to 1", "6 switch 1 to 0", "11 overrun 0"],
    );
}

#[test]
fn who_is_woken_after_its_deadline_has_a_whole_budget_and_a_period() {
    // It sleeps over its deadline at 10 with one tick left, and is due at 25; 1 is due at 28, and again at 51.
    let script = [At(3), sleep_until(15), sleep_until(17), At(22), sleep_until(23), At(23)];
    assert_story(
        &told(four_in_ten(Budget::NONE, 11), &script),
        &[
            "3 switch 0 to 1",
            "3 switch 1 to 2",
            "15 switch 2 to 0",
            // due at 35 now, 1 at 28
            "20 overrun 0",
            "20 switch 0 to 1",
            "22 switch 1 to 0",
            // 1 is due at 34
            "23 switch 0 to 1",
        ],
    );
}

#[test]
fn what_is_owed_is_taken_from_the_next_budget_even_if_nothing_was_used_since() {
    // Each interrupt that comes while it sleeps is charged two ticks: after three of them two are owed, and at 12 it has two.
    let mut draft = four_in_ten(Budget { woken: 2, ..Budget::NONE }, 100);
    draft.interrupt(7, SERVER, 1);
    let script = [
        await_bits(1, Forever),
        Interrupt(7),
        await_bits(1, Forever),
        Interrupt(7),
        await_bits(1, Forever),
        At(12),
        Interrupt(7),
        At(16),
    ];
    let story = told(draft, &script);
    let story: Vec<_> =
        story.into_iter().filter(|line| !line.contains("mask") && !line.contains("result")).collect();
    assert_story(
        &story,
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 0",
            "0 switch 0 to 1",
            // nothing is left, two are charged, and they are owed of a whole one
            "12 switch 1 to 0",
            "15 overrun 0",
        ],
    );
}

#[test]
fn a_section_under_a_ceiling_goes_on_with_a_later_deadline() {
    let mut draft = four_in_ten(Budget { hold: 3, ..Budget::NONE }, 12);
    draft.row(SERVER).highest_ceiling = 2;
    let script = [Write(level(SERVER), 2), At(7), Write(level(SERVER), 0), preempt(), At(8)];
    assert_story(
        &told(draft, &script),
        &[
            // due at 20 from now on, but 1 is kept out until it lowers itself
            "5 overrun 0",
            "7 switch 0 to 1",
        ],
    );
}

#[test]
fn who_owns_a_lock_is_put_off_with_the_place_that_is_lent_to_it() {
    // 1 owns a lock for which 0 waits: it runs in 0's place until that is used up; then 2, which is due at 15, goes first
    let mut draft = four_in_ten(Budget::NONE, 100);
    let other = draft.free(0, 0, 0);
    draft.row(other).deadline = ticks(15);
    let lock = draft.binary();
    let script = [
        sleep_until(1), // 0
        sleep_until(2), // 2
        take(lock),
        At(1),      // 1
        take(lock), // 0
        At(2),      // 1 in the place of 0
        At(9),      // 2 is due at 17, later than 10 and sooner than 20
        sleep_until(50),
        At(10),
        give(lock),
        At(11),
    ];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 0 to 2",
            "0 switch 2 to 1",
            "1 switch 1 to 0",
            "1 switch 0 to 1",
            // due at 11 and whole since 1: four ticks and one too much
            "6 overrun 0",
            "6 switch 1 to 2",
            "9 switch 2 to 1",
            "10 switch 1 to 0",
        ],
    );
}

#[test]
fn a_place_that_was_parked_comes_back_as_one_that_wakes() {
    // 1 sleeps with the lock from 2 to 9; until then 0, which waits for it, is nowhere. Three are left of its budget, more than
    // its share of the time to 11: it is due at 19, behind 2, which is due at 17.
    let mut draft = four_in_ten(Budget::NONE, 100);
    let other = draft.free(0, 0, 0);
    draft.row(other).deadline = ticks(8);
    let lock = draft.binary();
    let script = [
        sleep_until(9), // 2
        sleep_until(1), // 0, due at 11 then
        take(lock),
        At(2),
        take(lock),     // 0 has used one
        sleep_until(9), // 1 in the place of 0
        At(12),
        sleep_until(60), // 2
        At(14),
        give(lock),
        At(15),
    ];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "1 switch 1 to 0",
            "2 switch 0 to 1",
            "2 switch 1 to 3",
            "9 switch 3 to 2",
            "12 switch 2 to 1",
            "14 switch 1 to 0",
        ],
    );
}

#[test]
fn it_takes_no_timer() {
    let script = [At(1), sleep_until(100), At(90)];
    let alarms = run(&four_in_ten(Budget::NONE, 200).finish().0, &script);
    let armed: Vec<_> = alarms.iter().filter(|line| line.contains("arm")).collect();
    assert!(armed.iter().all(|line| line.starts_with("0 ") || line.starts_with("1 ")), "{armed:?}");
}
