//! Budgets inside of windows: who has used up its own is lowered in its partition, and in nobody else's windows.

use beryl_abi::ThreadId;
use beryl_kernel::{Budget, ComesBack, Event, OnSpent, Rule};

use crate::assert_story;
use crate::host::Do::{self, At};
use crate::host::asks::{give, preempt, sleep_until, take};
use crate::host::draft::{Draft, Nested, Queue};
use crate::host::{Rig, play, without};

/// The background's band stands first. Then come the left partition, from 0 to 10 of each 25 ticks, and the right one,
/// from 10 to 20; the rest is nobody's.
const BACKGROUND: u8 = 0;
const LEFT: u8 = 1;
const RIGHT: u8 = 2;

/// Thread 0, in the left partition, may use four ticks in so many.
const GUEST: ThreadId = ThreadId(0);

fn draft(every: u32, budget: Budget) -> Draft<Nested> {
    let mut draft = Draft::new(&[Queue::Fixed, Queue::Fixed, Queue::Fixed]);
    draft.windows(&[(10, &[LEFT]), (10, &[RIGHT]), (5, &[])]);
    draft.free(0, LEFT, 5);
    draft.range(GUEST, [1, 6]);
    draft.budget(GUEST, four_in(every, budget));
    draft
}

fn four_in(every: u32, budget: Budget) -> Budget {
    Budget { amount: 4, comes_back: ComesBack::Every(every), reaction: OnSpent::Lower, ..budget }
}

fn told(draft: Draft<Nested>, script: &[Do]) -> Vec<String> {
    seen(&play(&draft.finish().0, script))
}

/// Who gets the processor, and who has used up what he may.
fn seen(rig: &Rig<Nested>) -> Vec<String> {
    let mut log = without(rig.kernel.machine.log.clone(), &["arm"]);
    log.retain(|line| ["switch", "overrun", "restart"].contains(&line.split(' ').nth(1).unwrap()));
    log
}

#[test]
fn who_is_lowered_goes_on_in_its_own_windows_and_in_no_others() {
    assert_story(
        &told(draft(25, Budget::NONE), &[At(61)]),
        &[
            "0 switch 1 to 0",
            // lowered, it stays: nobody else wants the processor
            "5 overrun 0",
            // nor does anybody from here on, in the right window and in nobody's
            "10 switch 0 to 1",
            // back, less a tick
            "25 switch 1 to 0",
            "29 overrun 0",
            "35 switch 0 to 1",
            "50 switch 1 to 0",
            "54 overrun 0",
            "60 switch 0 to 1",
        ],
    );
}

#[test]
fn others_of_its_partition_come_first_while_it_is_lowered() {
    let mut draft = draft(50, Budget::NONE);
    draft.free(0, LEFT, 3);
    draft.free(1, RIGHT, 3);
    assert_story(
        &told(draft, &[At(7), sleep_until(27), At(12), sleep_until(99), At(61)]),
        &[
            "0 switch 3 to 0",
            "5 overrun 0",
            "5 switch 0 to 1",
            "7 switch 1 to 0",
            "10 switch 0 to 2",
            // the right one sleeps, and yet its window isn't the left one's
            "12 switch 2 to 3",
            "25 switch 3 to 0",
            "27 switch 0 to 1",
            "35 switch 1 to 3",
            "50 switch 3 to 0",
            "54 overrun 0",
            "54 switch 0 to 1",
            "60 switch 1 to 3",
        ],
    );
}

#[test]
fn what_comes_back_while_the_window_is_closed_is_there_when_it_opens() {
    let mut draft = draft(15, Budget::NONE);
    draft.free(0, LEFT, 3);
    draft.free(1, RIGHT, 3);
    assert_story(
        &told(draft, &[At(61)]),
        &[
            "0 switch 3 to 0",
            "5 overrun 0",
            "5 switch 0 to 1",
            "10 switch 1 to 2",
            // 15: back, where the right one runs
            "20 switch 2 to 3",
            "25 switch 3 to 0",
            "29 overrun 0",
            "29 switch 0 to 1",
            // back in its window
            "30 switch 1 to 0",
            "34 overrun 0",
            "34 switch 0 to 1",
            "35 switch 1 to 2",
            "45 switch 2 to 3",
            "50 switch 3 to 0",
            "54 overrun 0",
            "54 switch 0 to 1",
            "60 switch 1 to 2",
        ],
    );
}

/// One in each partition, and one of the background, which counts everywhere, also while it is lowered.
#[test]
fn each_partition_has_its_own_background() {
    let mut draft = draft(100, Budget::NONE);
    let right = draft.free(1, RIGHT, 5);
    draft.budget(right, four_in(100, Budget::NONE));
    let everywhere = draft.free(2, BACKGROUND, 5);
    draft.budget(everywhere, four_in(100, Budget::NONE));
    assert_story(
        &told(draft, &[sleep_until(41), At(64)]),
        &[
            "0 switch 3 to 2",
            "0 switch 2 to 0",
            "5 overrun 0",
            "10 switch 0 to 1",
            "15 overrun 1",
            "20 switch 1 to 3",
            "25 switch 3 to 0",
            "35 switch 0 to 1",
            "41 switch 1 to 2",
            // lowered, in nobody's window, and from then on in all of them
            "46 overrun 2",
        ],
    );
}

#[test]
fn who_polls_while_its_window_is_closed_has_its_budget_when_it_opens() {
    let mut draft = draft(20, Budget::NONE);
    draft.rule(GUEST, Rule::Polling);
    draft.free(0, LEFT, 3);
    assert_story(
        &told(draft, &[At(1), sleep_until(12), At(61)]),
        &[
            "0 switch 2 to 0",
            "1 switch 0 to 1",
            // 12: it wakes, and what it kept is lost
            "10 switch 1 to 2",
            // 20: it wants the processor, and has its budget
            "25 switch 2 to 0",
            "30 overrun 0",
            "30 switch 0 to 1",
            "35 switch 1 to 2",
            // 40: back, less a tick
            "50 switch 2 to 0",
            "54 overrun 0",
            "54 switch 0 to 1",
            "60 switch 1 to 2",
        ],
    );
}

#[test]
fn who_polls_and_sleeps_when_its_instant_comes_is_lowered_in_its_window() {
    let mut draft = draft(20, Budget::NONE);
    draft.rule(GUEST, Rule::Polling);
    draft.free(0, LEFT, 3);
    assert_story(
        &told(draft, &[At(1), sleep_until(22), At(27), sleep_until(52), At(61)]),
        &[
            "0 switch 2 to 0",
            "1 switch 0 to 1",
            "10 switch 1 to 2",
            // 22: it wakes behind its instant, and comes behind the other one
            "25 switch 2 to 1",
            "27 switch 1 to 0",
            "35 switch 0 to 2",
            // 40: back
            "50 switch 2 to 0",
            "55 overrun 0",
            "55 switch 0 to 1",
            "60 switch 1 to 2",
        ],
    );
}

#[test]
fn parts_of_a_sporadic_budget_come_back_whichever_window_is_open() {
    let mut draft = draft(15, Budget::NONE);
    draft.rule(GUEST, Rule::Sporadic);
    draft.free(0, LEFT, 3);
    assert_story(
        &told(draft, &[At(2), sleep_until(8), At(61)]),
        &[
            "0 switch 2 to 0",
            // two used of what it had at 0
            "2 switch 0 to 1",
            "8 switch 1 to 0",
            // two of what it had at 8
            "10 switch 0 to 2",
            // due at 15 and 23: it asks when it has used a tick too much at 26, of which one is back at 30
            "25 switch 2 to 0",
            "31 overrun 0",
            "31 switch 0 to 1",
            // 38: three are back, less a tick; 45 and 53: one each, and two in its window
            "35 switch 1 to 2",
            "50 switch 2 to 0",
            "57 overrun 0",
            "57 switch 0 to 1",
            "60 switch 1 to 2",
        ],
    );
}

#[test]
fn a_section_that_is_in_debt_waits_for_its_window_and_ends_there() {
    let mut draft = draft(100, Budget { hold: 6, ..Budget::NONE });
    draft.free(0, LEFT, 3);
    draft.free(1, RIGHT, 3);
    let lock = draft.binary();
    assert_story(
        &told(draft, &[At(1), sleep_until(4), At(4), take(lock), At(27), give(lock), At(40)]),
        &[
            "0 switch 3 to 0",
            "1 switch 0 to 1",
            "4 switch 1 to 0",
            // 8: used up inside; three of the hold are used when the window ends
            "10 switch 0 to 2",
            "20 switch 2 to 3",
            "25 switch 3 to 0",
            "27 overrun 0",
            "27 switch 0 to 1",
            "35 switch 1 to 2",
        ],
    );
}

#[test]
fn a_section_that_takes_longer_than_its_hold_over_two_windows_is_seen_in_the_second() {
    let mut draft = draft(100, Budget { hold: 3, ..Budget::NONE });
    draft.free(0, LEFT, 3);
    draft.free(1, RIGHT, 3);
    let lock = draft.binary();
    assert_story(
        &told(draft, &[At(1), sleep_until(4), At(4), take(lock), At(40)]),
        &[
            "0 switch 3 to 0",
            "1 switch 0 to 1",
            "4 switch 1 to 0",
            // four and three are used: just what it may
            "10 switch 0 to 2",
            "20 switch 2 to 3",
            "25 switch 3 to 0",
            "26 overrun 0",
            "26 switch 0 to 1",
            "35 switch 1 to 2",
        ],
    );
}

/// 0 waits for what 1 owns, which runs in its place and pays from its budget, in the windows of both.
#[test]
fn who_runs_in_a_lent_place_pays_only_in_its_windows() {
    let mut draft = draft(100, Budget { hold: 2, ..Budget::NONE });
    draft.free(0, LEFT, 3);
    draft.free(1, RIGHT, 3);
    let lock = draft.binary();
    let script = [sleep_until(8), take(lock), At(8), take(lock), At(29), give(lock), At(40)];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "8 switch 1 to 0",
            "8 switch 0 to 1",
            // two are used
            "10 switch 1 to 2",
            "20 switch 2 to 3",
            "25 switch 3 to 1",
            // six: all of the hold, which is over with the next tick
            "29 switch 1 to 0",
            "30 overrun 0",
            "30 switch 0 to 1",
            "35 switch 1 to 2",
        ],
    );
}

#[test]
fn who_shares_a_budget_is_lowered_in_the_windows_of_both() {
    let mut draft = draft(50, Budget::NONE);
    let other = draft.free(1, LEFT, 4);
    draft.free(1, LEFT, 3);
    draft.free(1, RIGHT, 3);
    draft.pool(&[GUEST, other], four_in(50, Budget::NONE));
    assert_story(
        &told(draft, &[At(2), sleep_until(26), At(8), sleep_until(55), At(80)]),
        &[
            "0 switch 4 to 0",
            "2 switch 0 to 1",
            "5 overrun 1",
            "5 switch 1 to 2",
            "8 switch 2 to 1",
            "10 switch 1 to 3",
            "20 switch 3 to 4",
            "25 switch 4 to 1",
            // nothing is left for it, and it stands behind the other one
            "26 switch 1 to 0",
            "26 overrun 0",
            "26 switch 0 to 1",
            "35 switch 1 to 3",
            "45 switch 3 to 4",
            "50 switch 4 to 0",
            "54 overrun 0",
            "54 switch 0 to 1",
            "54 overrun 1",
            "54 switch 1 to 0",
            "55 switch 0 to 2",
            "60 switch 2 to 3",
            "70 switch 3 to 4",
            "75 switch 4 to 2",
        ],
    );
}

/// 0 is raised above 1, and has used up its budget, where the window ends: there it goes on, alone, until it lowers itself.
#[test]
fn who_is_raised_and_in_debt_goes_on_in_its_next_window() {
    let mut draft = draft(100, Budget { hold: 9, ..Budget::NONE });
    let above = draft.free(0, LEFT, 6);
    draft.free(1, RIGHT, 3);
    let ceiling = 8;
    [GUEST, above].into_iter().for_each(|thread| draft.row(thread).highest_ceiling = ceiling);
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(Event::Start);
    rig.step(sleep_until(12));
    let before = rig.host().raise_word(GUEST, ceiling.into());
    rig.step(At(27));
    assert!(rig.host().lower_word(GUEST, before), "somebody waits");
    rig.step(preempt());
    rig.step(At(40));
    assert_story(
        &seen(&rig),
        &[
            "0 switch 3 to 1",
            "0 switch 1 to 0",
            // 5: used up inside
            "10 switch 0 to 2",
            "20 switch 2 to 3",
            // 1 is ready since 12, and kept out
            "25 switch 3 to 0",
            "27 overrun 0",
            "27 switch 0 to 1",
            "35 switch 1 to 2",
        ],
    );
}
