//! The kernel against the reference model of threads and objects: random systems, random programs.

#[path = "../host/mod.rs"]
mod host;
#[path = "../model/mod.rs"]
mod model;
mod plan;
mod player;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use beryl_kernel::{Sizes, Waits};
use host::draft::{
    Large, LargeAnswering, LargeBudgeted, LargeConstant, LargeNested, LargeNestedPooling, LargePartitioned,
    LargePoliced, LargePooling, LargePrompt, LargeRestarted, LargeRuled, LargeSupervised, LargeWatchedOver,
};
use model::objects::budgets::Funds;
use model::objects::{Index, Phase, Reason};
use player::Player;

/// Runs a seed; answers how often each answer came of each call.
fn run<S: Sizes>(seed: u64, steps: usize) -> BTreeMap<String, usize> {
    let plan = plan::random::<S>(seed);
    let mut player = Player::new(&plan, seed);
    player.twins.rig.disturbed = plan::is_disturbed(seed);
    let result = catch_unwind(AssertUnwindSafe(|| (0..steps).for_each(|_| player.step())));
    if let Err(panic) = result {
        let story = &player.twins.story;
        eprintln!("{}\n{}", plan.describe(), story[story.len().saturating_sub(100)..].join("\n"));
        let threads = player.twins.model.threads.iter().enumerate();
        threads.for_each(|(index, thread)| eprintln!("model's thread {index}: {thread:?}"));
        eprintln!("seed {seed}, after {} events", story.len());
        resume_unwind(panic);
    }
    player.answers
}

#[test]
fn the_kernel_does_what_the_model_does() {
    let mut answers = BTreeMap::<String, usize>::new();
    for seed in 0..2000 {
        for (answer, count) in run::<Large>(seed, 160) {
            *answers.entry(answer).or_default() += count;
        }
    }
    // a comparison in which something never happens says nothing about it
    let rare: Vec<_> = WANTED.iter().filter(|wanted| answers.get(**wanted).is_none_or(|n| *n < 5)).collect();
    assert!(rare.is_empty(), "{rare:?} are too rare: {answers:#?}");
}

#[test]
fn the_kernel_charges_and_enforces_what_the_model_does() {
    let mut dead = 0;
    for seed in 0..1000 {
        let answers = run::<LargeBudgeted>(seed, 160);
        dead += answers.get("SemaphoreWait OwnerDied").copied().unwrap_or_default();
    }
    assert!(dead > 100, "{dead} learnt that an owner died");
}

#[test]
fn budgets_come_back_as_those_of_the_model_do() {
    (0..1000).for_each(|seed| drop(run::<LargeRuled>(seed, 200)));
}

#[test]
fn deadlines_are_put_off_as_those_of_the_model_are() {
    let (mut put_off, mut kept, mut lent, mut restarts) = (0, 0, 0, 0);
    for seed in 0..2500 {
        drop(run::<LargeConstant>(seed, 200));
        let plan = plan::random::<LargeConstant>(seed);
        let mut player = Player::new(&plan, seed);
        (0..200).for_each(|_| player.step());
        let model = &player.twins.model;
        put_off += model.put_off;
        kept += model.kept;
        lent += model.put_off_while_lent;
        restarts += model.restarts.values().map(Vec::len).sum::<usize>();
    }
    assert!(
        put_off > 7000 && kept > 1000 && lent > 1000 && restarts > 2000,
        "{put_off} put off, {lent} of them while lent, {kept} kept when somebody woke, {restarts} restarts"
    );
}

/// What came back to a thread in debt may be used up before the hold of its section is.
#[test]
fn a_debt_ends_with_what_came_back() {
    drop(run::<LargeConstant>(3910, 200));
}

/// What a thread has used of a debt stays used when it faults.
#[test]
fn a_fault_erases_no_debt() {
    drop(run::<LargeConstant>(5024, 200));
}

/// A server with two endpoints in the middle of two calls has its own place when one of its clients gives up.
#[test]
fn who_lost_a_client_has_its_own_place() {
    drop(run::<LargeConstant>(8320, 200));
}

/// An interrupt comes for a sleeper in the background at the very instant at which a part is due.
#[test]
fn a_part_that_is_due_brings_its_place_back_whatever_comes_before() {
    drop(run::<LargeRuled>(4335, 200));
    drop(run::<LargeRuled>(4084, 200));
}

/// An alarm that is later than four parts take finds more parts due than one look takes.
#[test]
fn what_is_due_is_asked_for_once_where_a_budget_is_used_up() {
    drop(run::<LargeRuled>(3137, 200));
}

#[test]
fn places_share_budgets_as_those_of_the_model_do() {
    (0..1000).for_each(|seed| drop(run::<LargePooling>(seed, 200)));
}

#[test]
fn who_stays_inside_is_stopped_as_in_the_model() {
    let (mut overdue, mut slept, mut policed) = (0, 0, 0);
    for seed in 0..2000 {
        let plan = plan::random::<LargePoliced>(seed);
        drop(run::<LargePoliced>(seed, 200));
        let mut player = Player::new(&plan, seed);
        for _ in 0..200 {
            player.step();
            policed += player.twins.model.sections.len();
        }
        overdue += player.twins.model.overdue;
        slept += player.twins.model.slept;
    }
    assert!(
        overdue > 150 && slept > 500 && policed > 5000,
        "{overdue} went on for too long, {slept} slept, {policed} times somebody was policed"
    );
}

#[test]
fn who_answers_too_late_is_stopped_as_in_the_model() {
    let (mut late, mut slept, mut policed) = (0, 0, 0);
    for seed in 0..2000 {
        drop(run::<LargeAnswering>(seed, 200));
        let plan = plan::random::<LargeAnswering>(seed);
        let mut player = Player::new(&plan, seed);
        for _ in 0..200 {
            player.step();
            policed += player.twins.model.answers.len();
        }
        late += player.twins.model.late_answers;
        slept += player.twins.model.slept_over_requests;
    }
    assert!(
        late > 100 && slept > 50 && policed > 2000,
        "{late} answered too late, {slept} slept, {policed} times somebody was policed"
    );
}

#[test]
fn windows_open_for_whom_those_of_the_model_do() {
    let (mut closed, mut raised) = (0, 0);
    for seed in 0..1000 {
        drop(run::<LargePartitioned>(seed, 200));
        let plan = plan::random::<LargePartitioned>(seed);
        let mut player = Player::new(&plan, seed);
        for _ in 0..200 {
            player.step();
            let model = &player.twins.model;
            let keeps_out = |thread: &Index| !model.counts(*thread) && model.is_ready(*thread);
            closed += (0..model.threads.len()).filter(keeps_out).count();
            raised += model.raised.iter().filter(|thread| !model.counts(**thread)).count();
        }
    }
    assert!(closed > 20_000 && raised > 500, "{closed} times ready and closed, {raised} of them raised");
}

/// How often somebody is ready and lowered where his window is closed, and where it is open; how often somebody is in debt
/// where it is closed.
fn nested<S: Sizes>() -> [usize; 3] {
    let (mut closed, mut open, mut owing) = (0, 0, 0);
    for seed in 0..1000 {
        drop(run::<S>(seed, 200));
        let plan = plan::random::<S>(seed);
        let mut player = Player::new(&plan, seed);
        for _ in 0..200 {
            player.step();
            let model = &player.twins.model;
            for thread in (0..model.threads.len()).filter(|thread| model.is_ready(*thread)) {
                let (account, counts) = (&model.threads[thread].account, model.counts(thread));
                closed += usize::from(account.is_lowered && !counts);
                open += usize::from(account.is_lowered && counts);
                owing += usize::from(account.funds == Funds::Holding && !counts);
            }
        }
    }
    [closed, open, owing]
}

#[test]
fn who_is_lowered_stays_in_its_windows_as_in_the_model() {
    let all = nested::<LargeNested>();
    assert!(all[0] > 100 && all[1] > 500 && all[2] > 100, "lowered, closed or open, and in debt: {all:?}");
}

#[test]
fn who_shares_a_budget_stays_in_its_windows_as_in_the_model() {
    let all = nested::<LargeNestedPooling>();
    assert!(all[0] > 100 && all[1] > 2000 && all[2] > 30, "lowered, closed or open, and in debt: {all:?}");
}

#[test]
fn processes_begin_anew_as_those_of_the_model_do() {
    let (mut restarts, mut answers) = (0, BTreeMap::<String, usize>::new());
    for seed in 0..1000 {
        for (answer, count) in run::<LargeRestarted>(seed, 200) {
            *answers.entry(answer).or_default() += count;
        }
        let plan = plan::random::<LargeRestarted>(seed);
        let mut player = Player::new(&plan, seed);
        (0..200).for_each(|_| player.step());
        restarts += player.twins.model.restarts.values().map(Vec::len).sum::<usize>();
    }
    assert!(restarts > 500, "{restarts} restarts");
    let told = ["SemaphoreWait OwnerDied", "EndpointCall PeerDied"];
    assert!(told.iter().all(|told| answers.get(*told).is_some_and(|count| *count > 20)), "{answers:?}");
}

#[test]
fn supervisors_hear_what_those_of_the_model_do() {
    let (mut heard, mut lacks) = (0, 0);
    for seed in 0..1000 {
        drop(run::<LargeSupervised>(seed, 200));
        let plan = plan::random::<LargeSupervised>(seed);
        let mut player = Player::new(&plan, seed);
        (0..200).for_each(|_| player.step());
        heard += player.twins.model.heard;
        lacks += player.twins.model.lacks.iter().map(|(times, _)| usize::from(*times)).sum::<usize>();
    }
    assert!(heard > 400 && lacks > 1000, "{heard} reports, {lacks} refused for want of a right");
}

#[test]
fn watchdogs_bite_when_those_of_the_model_do() {
    let mut bites = 0;
    for seed in 0..1000 {
        drop(run::<LargeWatchedOver>(seed, 200));
        let plan = plan::random::<LargeWatchedOver>(seed);
        let mut player = Player::new(&plan, seed);
        (0..200).for_each(|_| player.step());
        bites += player.twins.model.bites;
    }
    assert!(bites > 200, "{bites} bites");
}

#[test]
fn who_may_not_wait_waits_for_no_more_than_its_turn() {
    let (mut refused, mut turns) = (0, 0);
    for seed in 0..1000 {
        let plan = plan::random::<LargePrompt>(seed);
        let mut player = Player::new(&plan, seed);
        for _ in 0..200 {
            player.step();
            for (thread, waits) in player.twins.model.threads.iter().zip(LargePrompt::WAITS) {
                let Phase::Waiting(waiting) = &thread.phase else { continue };
                let allowed = match waiting.reason {
                    // Before the next job.
                    Reason::Request(..) | Reason::Period => continue,
                    Reason::Semaphore(_) | Reason::Queue(..) | Reason::Reply(..) => Waits::Turns,
                    _ => Waits::Freely,
                };
                assert!(*waits <= allowed, "seed {seed}: {waits:?}, {waiting:?}");
                turns += usize::from(*waits == Waits::Turns);
            }
        }
        let refusals = player.answers.iter().filter(|(answer, _)| answer.ends_with(" WouldBlock"));
        refused += refusals.map(|(_, count)| count).sum::<usize>();
    }
    assert!(refused > 5000 && turns > 1000, "{refused} calls refused, {turns} turns");
}

/// Answers that have to come up.
const WANTED: [&str; 76] = [
    "Yield Success",
    "Yield Raised",
    "Stop WrongCaller",
    "Preempt Success",
    "WaitPeriod Success",
    "WaitPeriod OwnerDied",
    "WaitPeriod WrongCaller",
    "SleepUntil Success",
    "SleepUntil OwnerDied",
    "SleepUntil NoSuchObject",
    "SemaphoreWait Success",
    "SemaphoreWait OwnerDied",
    "SemaphoreWait WrongCaller",
    "SemaphoreWait NoSuchObject",
    "SemaphoreWait WouldBlock",
    "SemaphoreWait TimedOut",
    "SemaphoreWait Deadlock",
    "SemaphoreWait TooLong",
    "SemaphoreWait Raised",
    "SemaphoreSignal Success",
    "SemaphoreSignal NotOwner",
    "SemaphoreSignal Overflow",
    "ConditionWait Success",
    "ConditionWait OwnerDied",
    "ConditionWait WouldBlock",
    "ConditionWait TimedOut",
    "ConditionWait NotOwner",
    "ConditionWait Raised",
    "ConditionSignal Success",
    "ConditionBroadcast Success",
    "MailboxSend Success",
    "MailboxSend OwnerDied",
    "MailboxSend WouldBlock",
    "MailboxSend TimedOut",
    "MailboxSend BadAddress",
    "MailboxSend Deadlock",
    "MailboxReceive Success",
    "MailboxReceive OwnerDied",
    "MailboxReceive WouldBlock",
    "MailboxReceive TimedOut",
    "MailboxReceive BadAddress",
    "EndpointCall Success",
    "EndpointCall OwnerDied",
    "EndpointCall PeerDied",
    "EndpointCall Deadlock",
    "EndpointCall BadAddress",
    "EndpointCall WouldBlock",
    "EndpointCall TimedOut",
    "EndpointCall TooLong",
    "EndpointReceive Success",
    "EndpointReceive Deadlock",
    "EndpointReceive WrongCaller",
    "EndpointReceive TimedOut",
    "EndpointReply Success",
    "EndpointReply NotServing",
    "Notify Success",
    "Notify NoSuchObject",
    "NotificationWait Success",
    "NotificationWait OwnerDied",
    "NotificationWait TimedOut",
    "NotificationWait WouldBlock",
    "Acknowledge Success",
    "StateMessageRead Success",
    "EventGroupSet Success",
    "EventGroupSet NoSuchObject",
    "EventGroupClear Success",
    "EventGroupWait Success",
    "EventGroupWait OwnerDied",
    "EventGroupWait NoSuchObject",
    "EventGroupWait WouldBlock",
    "EventGroupWait TimedOut",
    "EventGroupWait Raised",
    "EventGroupWait NoBits",
    "SetPriority Success",
    "SetPriority NoSuchObject",
    "SetPriority OutOfRange",
];

#[test]
fn the_same_seed_gives_the_same_run() {
    for seed in 0..40 {
        let plan = plan::random::<Large>(seed);
        let (mut first, mut second) = (Player::new(&plan, seed), Player::new(&plan, seed));
        for _ in 0..80 {
            first.step();
            second.step();
            assert_eq!(first.twins.rig.kernel.state, second.twins.rig.kernel.state, "seed {seed}");
            assert_eq!(first.twins.host().log, second.twins.host().log, "seed {seed}");
        }
    }
}
