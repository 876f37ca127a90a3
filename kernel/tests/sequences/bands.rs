//! The band list: which band decides, and whom its policy chooses.

use beryl_abi::CallNumber::{Complete, Stop, Yield};

use crate::assert_story;
use crate::host::Do::{At, Call};
use crate::host::asks::{give, sleep_until, take};
use crate::host::code::{RETURN, future, release};
use crate::host::draft::{Draft, Large, Queue, Small};
use crate::host::{records, story};

#[test]
fn two_dynamic_bands_above_a_fixed_one_are_csd_3() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2), Queue::Dynamic(2), Queue::Fixed]);
    let first = [draft.task(0, 0, 0), draft.task(0, 0, 0)];
    let second = [draft.task(0, 1, 0), draft.task(0, 1, 0)];
    let fixed = [draft.task(0, 2, 4), draft.task(0, 2, 9)];
    // deadlines: 50 and 40 in the first band, 9 and 8 in the second, 3 and 4 below
    let deadlines = [50, 40, 9, 8, 3, 4, 100];
    let tasks = first.into_iter().chain(second).chain(fixed).zip(0..);
    let mut code: Vec<_> = tasks.map(|(task, deadline)| release(task, deadline)).collect();
    code.extend([future(6, 0), RETURN]);
    draft.program(&deadlines, &code);
    let (system, _) = draft.finish();
    let story = records(&system, &[Call(Complete); 6]);
    let switches: Vec<_> = story.into_iter().filter(|line| line.contains("switch")).collect();
    assert_story(
        &switches,
        &[
            // the first band by deadline, however late its deadlines are
            "0 switch 6 to 1",
            "0 switch 1 to 0",
            // the second by deadline
            "0 switch 0 to 3",
            "0 switch 3 to 2",
            // the fixed one by priority, whatever its deadlines
            "0 switch 2 to 5",
            "0 switch 5 to 4",
            "0 switch 4 to 6",
        ],
    );
}

#[test]
fn the_earlier_deadline_preempts_and_the_later_does_not() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(4)]);
    let [long, short, longest] = [(); 3].map(|()| draft.task(0, 0, 0));
    let code = [
        release(long, 0),
        future(1, 3),
        RETURN,
        release(longest, 2),
        future(1, 6),
        RETURN,
        release(short, 1),
        future(2, 6),
        RETURN,
    ];
    draft.program(&[50, 5, 100], &code);
    let story =
        records(&draft.finish().0, &[At(11), Call(Complete), At(20), Call(Complete), At(21), Call(Complete)]);
    assert_story(
        &story,
        &[
            "0 release 0 at 0 by 50",
            "0 switch 3 to 0",
            // a deadline of 105 doesn't preempt one of 50
            "5 release 2 at 5 by 105",
            // one of 15 does
            "10 release 1 at 10 by 15",
            "10 switch 0 to 1",
            "11 complete 1",
            "11 switch 1 to 0",
            "20 complete 0",
            "20 switch 0 to 2",
            "21 complete 2",
            "21 switch 2 to 3",
        ],
    );
}

/// By a kernel that looks at two places a step, one from either end.
#[test]
fn who_belongs_between_many_is_sorted_in_and_nobody_notices() {
    let mut draft = Draft::<Large>::new(&[Queue::Dynamic(8)]);
    let tasks = [(); 7].map(|()| draft.task(0, 0, 0));
    // behind the first, and near the last; with the deadline of another, behind it if its slot is; in the
    // middle, three looks away; behind all
    let deadlines = [50, 60, 70, 55, 80, 50, 65];
    let mut code: Vec<_> =
        tasks.into_iter().zip(0..).map(|(task, deadline)| release(task, deadline)).collect();
    code.push(RETURN);
    draft.program(&deadlines, &code);
    let story = records(&draft.finish().0, &[Call(Complete); 7]);
    let switches: Vec<_> = story.into_iter().filter(|line| line.contains("switch")).collect();
    assert_story(
        &switches,
        &[
            "0 switch 7 to 0",
            "0 switch 0 to 5",
            "0 switch 5 to 3",
            "0 switch 3 to 1",
            "0 switch 1 to 6",
            "0 switch 6 to 2",
            "0 switch 2 to 4",
            "0 switch 4 to 7",
        ],
    );
}

#[test]
fn threads_of_one_priority_take_turns_when_they_yield() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let [_, _, _] = [(); 3].map(|()| draft.free(0, 0, 5));
    let lower = draft.free(0, 0, 4);
    let story = records(
        &draft.finish().0,
        &[
            Call(Yield),
            Call(Yield),
            Call(Yield),
            Call(Stop),
            Call(Yield),
            Call(Yield),
            Call(Stop),
            Call(Yield),
            Call(Stop),
        ],
    );
    assert_eq!(lower.0, 3);
    assert_story(
        &story,
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            // once around; the lower priority had no turn
            "0 switch 2 to 0",
            // thread 0 stops; the other two go on taking turns
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 switch 2 to 1",
            "0 switch 1 to 2",
            // alone in its priority, a thread that yields stays: no record
            // and when it stops, the lower priority's turn has come
            "0 switch 2 to 3",
        ],
    );
}

#[test]
fn a_preempted_task_stays_first_of_its_priority() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let first = draft.task(0, 0, 3);
    let urgent = draft.task(0, 0, 31);
    let second = draft.task(0, 0, 3);
    let code = [
        release(first, 0),
        future(1, 3),
        RETURN,
        release(second, 0),
        release(urgent, 0),
        future(0, 0),
        RETURN,
    ];
    draft.program(&[100, 10], &code);
    let story =
        records(&draft.finish().0, &[At(12), Call(Complete), At(14), Call(Complete), At(16), Call(Complete)]);
    assert_story(
        &story,
        &[
            "0 release 0 at 0 by 100",
            "0 switch 3 to 0",
            "10 release 2 at 10 by 110",
            "10 release 1 at 10 by 110",
            "10 switch 0 to 1",
            "12 complete 1",
            // first come first served: the preempted one goes on before the one that came later
            "12 switch 1 to 0",
            "14 complete 0",
            "14 switch 0 to 2",
            "16 complete 2",
            "16 switch 2 to 3",
        ],
    );
}

/// 0 and 1 are as urgent as each other, 2 is more so: who has yielded stands behind the other one, whoever
/// runs in between.
#[test]
fn who_has_yielded_has_had_its_turn_when_somebody_else_has_run() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[5, 5, 9]);
    let script = [sleep_until(3), Call(Yield), At(3), sleep_until(90), Call(Yield)];
    assert_story(
        &story(&draft.finish().0, &script),
        &[
            "0 switch 3 to 2",
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            "3 switch 1 to 2",
            "3 returns to 2: SleepUntil Success",
            "3 switch 2 to 1",
            "3 switch 1 to 0",
            "3 returns to 0: Yield Success",
        ],
    );
}

/// 0 and 1 are as urgent as each other. 1 waits for what 2 owns, which runs in its place as soon as 0 has had its turn.
#[test]
fn who_yields_makes_way_for_a_place_that_is_lent() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[5, 5, 3]);
    let lock = draft.binary();
    let script = [
        sleep_until(3),
        sleep_until(4),
        take(lock),
        At(4),
        Call(Yield),
        take(lock),
        // while 2 sleeps, the place of 1 is parked, and comes back behind that of 0
        sleep_until(8),
        At(8),
        Call(Yield),
        give(lock),
    ];
    let story = story(&draft.finish().0, &script);
    let later: Vec<_> = story.into_iter().filter(|line| line.starts_with('8')).collect();
    assert_story(
        &later,
        &[
            "8 switch 0 to 2",
            "8 returns to 2: SleepUntil Success",
            "8 switch 2 to 1",
            "8 returns to 1: SemaphoreWait Success",
        ],
    );
}
