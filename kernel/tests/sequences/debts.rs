//! Budgets that are used up inside a section: under a lock, in a served call. The section goes on, at most
//! for its `hold`, and whoever lent the place pays.

use beryl_abi::CallNumber::Yield;
use beryl_abi::{Duration, ProcessId, ThreadId};
use beryl_kernel::{Budget, ComesBack, Driver, DriverKind, OnSpent};

use crate::assert_story;
use crate::host::Do::{self, Alarm, At, Call, Done, Late, Write};
use crate::host::asks::Wait::Forever;
use crate::host::asks::{
    await_bits, await_bits_then, await_period, await_request, call, event, give, notify, preempt, reply, take,
};
use crate::host::code::{RETURN, call as call_driver, future};
use crate::host::draft::{Budgeted, Draft, Queue};
use crate::host::user::{level, waiting};
use crate::host::{Rig, play, run, ticks, without};

const HIGH: ThreadId = ThreadId(0);
const LOW: ThreadId = ThreadId(1);

/// Thread 0 every 20 ticks, whose jobs may use 4, and 3 more inside a section; thread 1 below it, 2 above
/// both, which waits for an interrupt; 3 idles. All of one process.
fn two(reaction: OnSpent) -> Draft<Budgeted> {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let high = draft.periodic(0, 0, 5, 20);
    draft.row(high).worst = ticks(4);
    draft.free(0, 0, 1);
    draft.free(0, 0, 9);
    draft.budget(high, Budget { amount: 4, reaction, hold: 3, ..Budget::NONE });
    draft
}

fn told(draft: Draft<Budgeted>, script: &[Do]) -> Vec<String> {
    let start = [await_bits(1, Forever)];
    let script: Vec<_> = start.iter().chain(script).copied().collect();
    let story = without(run(&draft.finish().0, &script), &["arm", "copy"]);
    story.into_iter().skip_while(|line| line.starts_with("0 ")).collect()
}

#[test]
fn who_owns_a_lock_spends_the_budget_of_the_place_that_is_lent_to_it() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    draft.row(HIGH).offset = ticks(1);
    // 1 owns the lock when 0 comes; it goes on in 0's place for five ticks: four and one of debt
    let script = [take(lock), At(1), take(lock), At(6), give(lock), At(9)];
    assert_story(
        &told(draft, &script),
        &[
            "1 release 0 at 1 by 21",
            "1 switch 1 to 0",
            "1 switch 0 to 1",
            // its place comes back to it, with the lock: it may go on until its hold is over
            "6 switch 1 to 0",
            "9 overrun 0",
            "9 restart 0",
            "9 switch 0 to 1",
        ],
    );
}

#[test]
fn a_section_that_is_longer_than_its_hold_keeps_the_place_no_longer() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    draft.row(HIGH).offset = ticks(1);
    let script = [take(lock), At(1), take(lock), At(12), give(lock), At(21)];
    assert_story(
        &told(draft, &script),
        &[
            "1 release 0 at 1 by 21",
            "1 switch 1 to 0",
            "1 switch 0 to 1",
            // four and three, and a tick that is too much; 1 goes on, in its own place
            "9 overrun 0",
            "9 restart 0",
            "21 release 0 at 21 by 41",
            "21 switch 1 to 0",
        ],
    );
}

#[test]
fn who_owns_a_lock_goes_on_until_it_gives_it_back() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    let script = [take(lock), At(3), Call(Yield), At(6), give(lock), At(10)];
    assert_story(
        &told(draft, &script),
        &[
            // four are used up at 4: it goes on, as a debt
            "6 overrun 0",
            "6 restart 0",
            "6 switch 0 to 1",
        ],
    );
}

#[test]
fn who_owns_a_lock_for_longer_than_its_hold_loses_it_and_the_next_owner_learns_it() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    let script = [take(lock), At(9), take(lock)];
    assert_story(
        &told(draft, &script),
        &["8 overrun 0", "8 restart 0", "8 switch 0 to 1", "9 status of 1: 0x100"],
    );
}

#[test]
fn a_lock_that_is_taken_by_its_word_is_a_section_too() {
    let mut draft = two(OnSpent::EndJob);
    let word = 0x8000;
    let lock = draft.word(0, word);
    let mut rig = play(&draft.finish().0, &[await_bits(1, Forever), Write(word, 1), At(4)]);
    assert_eq!(rig.host().word(word), 1, "the kernel isn't needed");
    rig.step(At(6));
    assert!(!rig.host().give_word(word, HIGH), "it has to call");
    let told = rig.kernel.machine.log.len();
    rig.step(give(lock));
    assert_story(
        &without(rig.kernel.machine.log[told..].to_vec(), &["arm", "status"]),
        &["6 overrun 0", "6 restart 0", "6 switch 0 to 1"],
    );
    assert_eq!(rig.host().word(word), 0, "it is free");
}

#[test]
fn without_a_hold_no_section_goes_on() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    draft.budget(HIGH, Budget { amount: 4, reaction: OnSpent::EndJob, ..Budget::NONE });
    let script = [take(lock), At(7), take(lock)];
    assert_story(
        &told(draft, &script),
        &["5 overrun 0", "5 restart 0", "5 switch 0 to 1", "7 status of 1: 0x100"],
    );
}

#[test]
fn who_holds_a_ceiling_lock_is_made_to_call_when_it_lowers_itself() {
    let mut draft = two(OnSpent::EndJob);
    draft.row(HIGH).highest_ceiling = 5;
    let mut rig = Rig::new(&draft.finish().0);
    rig.raise(beryl_kernel::Event::Start);
    rig.step(await_bits(1, Forever));
    assert_eq!(rig.host().raise_word(HIGH, 5), 0);
    rig.step(At(4));
    assert_eq!(rig.host().word(waiting(HIGH)), 0, "not yet");
    rig.step(At(6));
    assert!(rig.host().lower_word(HIGH, 0), "it has to call");
    let told = rig.kernel.machine.log.len();
    rig.step(preempt());
    assert_story(
        &without(rig.kernel.machine.log[told..].to_vec(), &["arm"]),
        &["6 overrun 0", "6 restart 0", "6 switch 0 to 1"],
    );
    assert_eq!(rig.host().word(waiting(HIGH)), 0);
}

#[test]
fn a_ceiling_lock_that_is_held_too_long_is_lost_with_the_job() {
    let mut draft = two(OnSpent::EndJob);
    draft.row(HIGH).highest_ceiling = 5;
    let script = [Write(level(HIGH), 5), At(20)];
    assert_story(
        &told(draft, &script),
        &["8 overrun 0", "8 restart 0", "8 switch 0 to 1", "20 release 0 at 20 by 40", "20 switch 1 to 0"],
    );
}

#[test]
fn a_section_in_debt_that_is_preempted_goes_on_where_it_was() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    draft.interrupt(10, ThreadId(2), 1);
    // preempted from 6 on, with two ticks of its debt left
    let script = [take(lock), At(6), Do::Interrupt(10), At(8), await_bits(1, Forever), At(12)];
    assert_story(
        &told(draft, &script),
        &[
            "6 mask 10",
            "6 result of 2: 0x1 0x0",
            "6 switch 0 to 2",
            "8 switch 2 to 0",
            "10 overrun 0",
            "10 restart 0",
            "10 switch 0 to 1",
        ],
    );
}

#[test]
fn a_server_spends_its_clients_budget_and_serves_on_in_its_own_place() {
    let mut draft = two(OnSpent::EndJob);
    let endpoint = draft.endpoint(LOW, 8, 8);
    draft.row(HIGH).offset = ticks(1);
    let script =
        [await_request(endpoint, 0, Forever), At(1), call(endpoint, [1, 2]), At(12), reply(endpoint, [3, 4])];
    assert_story(
        &told(draft, &script),
        &[
            "1 release 0 at 1 by 21",
            "1 switch 3 to 0",
            "1 result of 1: 0x1 0x2",
            "1 switch 0 to 1",
            // four and the hold: its client is gone
            "9 overrun 0",
            "9 restart 0",
            "12 switch 1 to 3",
        ],
    );
}

#[test]
fn a_reply_in_debt_is_the_end_of_the_section() {
    let mut draft = two(OnSpent::EndJob);
    let endpoint = draft.endpoint(LOW, 8, 8);
    draft.row(HIGH).offset = ticks(1);
    let script = [
        await_request(endpoint, 0, Forever),
        At(1),
        call(endpoint, [1, 2]),
        At(7),
        reply(endpoint, [3, 4]),
        At(9),
    ];
    assert_story(
        &told(draft, &script),
        &[
            "1 release 0 at 1 by 21",
            "1 switch 3 to 0",
            "1 result of 1: 0x1 0x2",
            "1 switch 0 to 1",
            "7 result of 0: 0x3 0x4",
            "7 switch 1 to 0",
            "7 overrun 0",
            "7 restart 0",
            "7 switch 0 to 3",
        ],
    );
}

#[test]
fn a_native_driver_spends_nothing_of_the_place_that_it_interrupts() {
    let mut draft = two(OnSpent::EndJob);
    let drivers = draft.driver_thread(0);
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
    // the driver has the processor from 2 to 5
    let script = [At(2), Done(false), At(5), Done(true), At(9)];
    let story = told(draft, &script);
    assert_eq!(drivers, ThreadId(3));
    assert!(story.iter().any(|line| line == "8 overrun 0"), "{story:#?}");
}

#[test]
fn a_job_that_ends_in_debt_leaves_nothing_of_it_to_the_next() {
    let mut draft = two(OnSpent::EndJob);
    let lock = draft.binary();
    let script = [take(lock), At(6), await_period(), At(24), Late(25), Alarm, await_period()];
    let story = told(draft, &script);
    assert_story(
        &story,
        &[
            "6 complete 0",
            "6 overrun 0",
            "6 result of 0: 0x0 0x0",
            "6 switch 0 to 1",
            "20 release 0 at 20 by 40",
            "20 switch 1 to 0",
            // it still owns the lock, and may go on for a section again
            "25 complete 0",
            "25 overrun 0",
            "25 result of 0: 0x0 0x0",
            "25 switch 0 to 1",
        ],
    );
}

#[test]
fn one_that_goes_on_after_its_section_calls_as_before() {
    let mut draft = two(OnSpent::Tell);
    let lock = draft.binary();
    let mut rig = play(&draft.finish().0, &[await_bits(1, Forever), take(lock), At(6)]);
    // What is to be asked of it is dealt with in steps of its own, as long as it is in debt.
    assert!(rig.raise(event(give(lock))) > 1);
    assert_eq!(rig.raise(event(take(lock))), 1);
}

#[test]
fn a_place_pays_from_when_it_is_lent() {
    let mut draft = Draft::<Budgeted>::new(&[Queue::Fixed]);
    let high = draft.free(0, 0, 5);
    draft.free(0, 0, 1);
    let lock = draft.binary();
    let notification = draft.notification(high, 1);
    let comes_back = ComesBack::Every(100);
    draft.budget(high, Budget { amount: 4, comes_back, reaction: OnSpent::Tell, ..Budget::NONE });
    // 0 waits for a bit, and wants the lock with it; 1 has the lock when it sets the bit, after three ticks
    let script = [await_bits_then(1, lock, Forever), take(lock), At(3), notify(notification, 1), At(9)];
    assert_story(
        &without(run(&draft.finish().0, &script), &["arm"])[2..],
        &["3 result of 0: 0x1 0x0", "8 overrun 0"],
    );
}

#[test]
fn a_server_whose_job_ends_in_its_clients_place_begins_anew_in_its_own() {
    let mut draft = two(OnSpent::EndJob);
    let (lock, endpoint) = (draft.binary(), draft.endpoint(HIGH, 8, 8));
    // In debt for its lock it waits for a request, gets one, and gives the lock back in its client's place.
    let script =
        [take(lock), At(5), await_request(endpoint, 0, Forever), call(endpoint, [1, 2]), give(lock), At(20)];
    assert_story(
        &told(draft, &script),
        &[
            "5 switch 0 to 1",
            "5 result of 0: 0x1 0x2",
            "5 switch 1 to 0",
            "5 overrun 0",
            "5 restart 0",
            "5 status of 1: 0xfffffff4",
            "5 switch 0 to 1",
            "20 release 0 at 20 by 40",
            "20 switch 1 to 0",
        ],
    );
}
