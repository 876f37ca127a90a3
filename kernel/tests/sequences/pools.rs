//! Budgets that several places share: whoever of them runs, all of them together have no more.

use beryl_abi::{Duration, FaultKind, ProcessId, ThreadId};
use beryl_kernel::{Budget, ComesBack, Driver, DriverKind, OnSpent};

use crate::assert_story;
use crate::host::Do::{self, At, Call, Done, Fault, Interrupt, Write};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{
    await_bits, await_period, await_request, call, give, set_priority, sleep_until, take,
};
use crate::host::code::{RETURN, call as call_driver, future};
use crate::host::draft::{Draft, Pooling, Queue};
use crate::host::objects::memory;
use crate::host::user::level;
use crate::host::{run, without};

fn five_in_twenty() -> Budget {
    Budget { amount: 5, comes_back: ComesBack::Every(20), reaction: OnSpent::Lower, ..Budget::NONE }
}

/// Threads 0 and 1, in one process, have 5 ticks together in 20; 2 is less urgent; 3 idles.
fn two_with(budget: Budget) -> Draft<Pooling> {
    let mut draft = Draft::<Pooling>::new(&[Queue::Fixed]);
    let members = [draft.free(0, 0, 6), draft.free(0, 0, 5)];
    draft.free(1, 0, 3);
    draft.pool(&members, budget);
    draft
}

fn two() -> Draft<Pooling> {
    two_with(five_in_twenty())
}

fn told(draft: Draft<Pooling>, script: &[Do]) -> Vec<String> {
    without(run(&draft.finish().0, script), &["arm"]).split_off(1)
}

#[test]
fn one_uses_what_the_other_has_left() {
    let script = [At(2), sleep_until(30), At(30)];
    assert_story(
        &told(two(), &script),
        &[
            "2 switch 0 to 1",
            // three ticks are left, not five
            "6 overrun 1",
            "6 switch 1 to 2",
            // both are back; 0 sleeps until 30
            "20 switch 2 to 1",
            "25 overrun 1",
            "25 switch 1 to 2",
            // that was for both of them
            "30 switch 2 to 0",
            "30 overrun 0",
            "30 switch 0 to 2",
        ],
    );
}

#[test]
fn who_comes_next_is_seen_at_once() {
    assert_story(
        &told(two(), &[At(22)]),
        &[
            "6 overrun 0",
            "6 switch 0 to 1",
            // nothing is left, and the alarm comes at once
            "6 overrun 1",
            "6 switch 1 to 2",
            // what both used beyond it is owed once
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn a_thread_that_wakes_when_nothing_is_left_goes_to_the_background() {
    // 0 sleeps from 1 to 10, while 1 uses up what there is
    let script = [At(1), sleep_until(10), At(21)];
    assert_story(
        &told(two(), &script),
        &[
            "1 switch 0 to 1",
            "6 overrun 1",
            "6 switch 1 to 2",
            "10 switch 2 to 0",
            "10 overrun 0",
            "10 switch 0 to 2",
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn a_section_goes_on_as_the_debt_of_all() {
    let mut draft = two_with(Budget { hold: 3, ..five_in_twenty() });
    let lock = draft.binary();
    let script = [take(lock), At(8), give(lock), At(26)];
    assert_story(
        &told(draft, &script),
        &[
            // three beyond the five
            "8 overrun 0",
            "8 switch 0 to 1",
            "8 overrun 1",
            "8 switch 1 to 2",
            // two are left of the next five: three were owed
            "20 switch 2 to 0",
            "23 overrun 0",
            "23 switch 0 to 1",
            "23 overrun 1",
            "23 switch 1 to 2",
        ],
    );
}

#[test]
fn who_runs_in_a_place_of_the_pool_spends_what_all_have() {
    let mut draft = two();
    let lock = draft.binary();
    // 2 has the lock when 0 wakes, and runs in its place
    let script = [sleep_until(3), sleep_until(30), take(lock), At(3), take(lock), At(12)];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "3 switch 2 to 0",
            "3 switch 0 to 2",
            // five ticks in the place of 0; from then on in its own
            "9 overrun 0",
        ],
    );
}

#[test]
fn a_server_of_the_pool_spends_what_its_client_has() {
    let mut draft = two();
    let endpoint = draft.endpoint(ThreadId(0), 8, 4);
    let script = [
        await_request(endpoint, memory(0).address, Forever),
        sleep_until(40),
        call(endpoint, [1, 2]),
        At(19),
    ];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "0 result of 0: 0x1 0x2",
            // 2 pays for what is done for it, in its place: nobody looks
            "0 switch 2 to 0",
        ],
    );
}

#[test]
fn what_one_is_charged_for_an_interrupt_ends_the_others_budget_earlier() {
    let mut draft = two_with(Budget { woken: 2, ..five_in_twenty() });
    draft.interrupt(7, ThreadId(1), 1);
    // 1 waits for its line; 0 runs, and is more urgent
    let script = [sleep_until(1), await_bits(1, Forever), At(1), At(2), Interrupt(7), At(9)];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "2 mask 7",
            "2 result of 1: 0x1 0x0",
            // of five, 0 and 1 are charged two each for being woken; one is used, and one too much
            "3 overrun 0",
            "3 switch 0 to 1",
            "3 overrun 1",
            "3 switch 1 to 2",
        ],
    );
}

#[test]
fn a_section_under_a_ceiling_ends_with_its_hold() {
    let mut draft = two_with(Budget { hold: 3, ..five_in_twenty() });
    draft.row(ThreadId(0)).highest_ceiling = 9;
    draft.stop_only_the_thread(0);
    assert_story(
        &told(draft, &[At(1), Write(level(ThreadId(0)), 9), At(10)]),
        &[
            // five, three beyond, and the first that is too much
            "9 overrun 0",
            "9 fault 0: budget used up",
            "9 restart 0",
            "9 switch 0 to 1",
            "9 overrun 1",
            "9 switch 1 to 2",
        ],
    );
}

#[test]
fn a_native_driver_of_the_process_spends_nothing_of_the_pool() {
    let mut draft = two();
    draft.driver_thread(0);
    let getter = draft.driver(Driver {
        kind: DriverKind::Getter { function: 1, shared: 0, budget: Duration::from_ticks(9) },
        process: ProcessId(0),
        task: ThreadId::NONE,
        from: 0x300,
        to: 0x310,
        length: 4,
        ..Driver::NONE
    });
    draft.program(&[2, 100], &[future(0, 2), RETURN, call_driver(getter), future(1, 2), RETURN]);
    // the driver has the processor from 2 to 6
    let story = told(draft, &[At(2), Done(false), At(6), Done(true), At(12)]);
    let ends: Vec<_> = story.iter().filter(|line| line.contains("overrun")).collect();
    assert_eq!(ends, ["10 overrun 0", "10 overrun 1"], "{story:#?}");
}

#[test]
fn a_parked_place_of_the_pool_spends_nothing() {
    let mut draft = two();
    let lock = draft.binary();
    // 2 owns what 0 waits for, and runs in its place from 1 to 3; then it sleeps
    let script =
        [sleep_until(1), sleep_until(30), take(lock), At(1), take(lock), At(3), sleep_until(10), At(15)];
    assert_story(
        &told(draft, &script),
        &[
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "1 switch 0 to 2",
            "3 switch 2 to 3",
            "10 switch 3 to 2",
            // two before, three now, and one too much
            "14 overrun 0",
        ],
    );
}

#[test]
fn timeouts_of_all_are_charged_to_all() {
    // Each nap of a tick costs one: the sixth is too much, whoever takes it.
    let naps = (1..=3).flat_map(|nap| [sleep_until(nap), sleep_until(nap), At(nap)]);
    assert_story(
        &told(two_with(Budget { woken: 1, ..five_in_twenty() }), &naps.chain([At(7)]).collect::<Vec<_>>()),
        &[
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            "1 switch 2 to 0",
            "1 switch 0 to 1",
            "1 switch 1 to 2",
            "2 switch 2 to 0",
            "2 switch 0 to 1",
            "2 switch 1 to 2",
            "3 switch 2 to 0",
            "3 overrun 0",
            "3 switch 0 to 1",
            "3 overrun 1",
            "3 switch 1 to 2",
        ],
    );
}

#[test]
fn a_process_that_begins_anew_has_no_more_than_before() {
    let mut draft = two();
    draft.restart(0, 3, 100);
    let story = told(draft, &[At(4), Fault(FaultKind::Data), At(9)]);
    let ends: Vec<_> = story.iter().filter(|line| line.contains("overrun")).collect();
    assert_eq!(ends, ["6 overrun 0", "6 overrun 1"], "{story:#?}");
    // A debt isn't forgotten either: 3 of 5 are left behind one of two, and nobody runs before.
    let mut draft = two_with(Budget { hold: 3, ..five_in_twenty() });
    draft.restart(0, 3, 100);
    let lock = draft.binary();
    let story = told(draft, &[take(lock), At(7), Fault(FaultKind::Data), At(26)]);
    let ends: Vec<_> = story.iter().filter(|line| line.contains("overrun")).collect();
    assert_eq!(ends, ["7 overrun 0", "7 overrun 1", "24 overrun 0", "24 overrun 1"], "{story:#?}");
}

#[test]
fn nobody_gets_out_of_the_background_by_another_priority() {
    let mut draft = two();
    let member = ThreadId(1);
    draft.range(member, [1, 6]);
    let script = [At(7), Call(beryl_abi::CallNumber::Yield), At(9)];
    assert_story(
        &told(draft, &script),
        &["6 overrun 0", "6 switch 0 to 1", "6 overrun 1", "6 switch 1 to 2"],
    );
    let mut draft = two();
    draft.range(member, [1, 6]);
    // All others sleep; 0 raises 1 from the background: it has that priority once the budget is back.
    let script = [At(7), sleep_until(19), At(8), set_priority(member, 6), At(21)];
    assert_story(
        &told(draft, &script),
        &[
            "6 overrun 0",
            "6 switch 0 to 1",
            "6 overrun 1",
            "6 switch 1 to 2",
            "7 switch 2 to 0",
            "19 switch 0 to 2",
            "20 switch 2 to 0",
        ],
    );
}

#[test]
fn a_pool_outlives_the_thread_with_whose_place_it_stands() {
    let mut draft = two();
    draft.stop_only_the_thread(0);
    assert_story(
        &told(draft, &[At(2), Fault(FaultKind::Data), At(24), At(27)]),
        &[
            "2 fault 0: access to memory that isn't its own",
            "2 restart 0",
            "2 switch 0 to 1",
            "6 overrun 1",
            "6 switch 1 to 2",
            // a stop pays no debt, and takes nobody's budget away
            "20 switch 2 to 1",
            "25 overrun 1",
            "25 switch 1 to 2",
        ],
    );
}

#[test]
fn a_pool_that_is_only_told_of_goes_on() {
    let told = told(two_with(Budget { reaction: OnSpent::Tell, ..five_in_twenty() }), &[At(27)]);
    assert_story(&told, &["6 overrun 0", "25 overrun 0"]);
}

#[test]
fn two_pools_come_back_at_the_same_instant() {
    let mut draft = two();
    let others = [draft.free(1, 0, 2), draft.free(1, 0, 1)];
    draft.pool(&others, five_in_twenty());
    // 2 sleeps all the time
    let script = [At(7), sleep_until(90), At(31)];
    assert_story(
        &told(draft, &script),
        &[
            "6 overrun 0",
            "6 switch 0 to 1",
            "6 overrun 1",
            "6 switch 1 to 2",
            "7 switch 2 to 3",
            "13 overrun 3",
            "13 switch 3 to 4",
            "13 overrun 4",
            // behind those who came to the background before
            "13 switch 4 to 0",
            "25 overrun 0",
            "25 switch 0 to 1",
            "25 overrun 1",
            "25 switch 1 to 3",
            "30 overrun 3",
            "30 switch 3 to 4",
            "30 overrun 4",
            "30 switch 4 to 0",
        ],
    );
}

/// Thread 0 has a job every 20 ticks from 3 on, and 1 one every 10, both in one pool, whose budget stands with thread
/// 0; 2 is less urgent.
fn two_with_jobs(budget: Budget) -> Draft<Pooling> {
    let mut draft = Draft::<Pooling>::new(&[Queue::Fixed]);
    let members = [draft.periodic(0, 0, 6, 20), draft.periodic(0, 0, 5, 10)];
    draft.row(members[0]).offset = Duration::from_ticks(3);
    for member in members {
        draft.row(member).deadline = Duration::from_ticks(10);
    }
    draft.free(1, 0, 3);
    draft.pool(&members, budget);
    draft
}

#[test]
fn jobs_pay_from_what_is_left_and_go_on_when_it_is_back() {
    let script = [At(3), At(5), await_period(), At(24), await_period(), At(30)];
    assert_story(
        &told(two_with_jobs(five_in_twenty()), &script),
        &[
            "0 switch 3 to 1",
            // the first release of 0, before the budget's first return
            "3 release 0 at 3 by 13",
            "3 switch 1 to 0",
            "5 complete 0",
            "5 result of 0: 0x0 0x0",
            "5 switch 0 to 1",
            // three and two, and one too much
            "6 overrun 1",
            "6 switch 1 to 2",
            "10 miss 1 by 10",
            "20 miss 1 by 10",
            // the budget is back, and that moves no release of 0, whose timer it is
            "20 switch 2 to 1",
            "23 release 0 at 23 by 33",
            "23 switch 1 to 0",
            "24 complete 0",
            "24 result of 0: 0x0 0x0",
            // four are left of it: one was owed
            "24 switch 0 to 1",
            "25 overrun 1",
            "25 switch 1 to 2",
            "30 miss 1 by 10",
        ],
    );
}
