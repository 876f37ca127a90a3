//! Watchdogs: until when a supervisor has to come back, when it may stay away, and what becomes of one that does.

use beryl_abi::{FaultKind, Incident, Instant, MailboxId, Report};
use beryl_kernel::{Gated as Before, OnEarly};

use crate::assert_story;
use crate::host::Do::{self, At, Fault};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{receive, sleep_until, take};
use crate::host::draft::{Draft, Queue, WatchedOver};
use crate::host::run;

/// How long the supervisor may stay away.
const WITHIN: u32 = 10;

/// A supervisor, 0, above threads 1 and 2 of other processes, of whose faults it hears, and 3, which stays; 4 idles.
fn scene() -> (Draft<WatchedOver>, MailboxId) {
    let mut draft = Draft::<WatchedOver>::new(&[Queue::Fixed]);
    let supervisor = draft.free(0, 0, 9);
    let mailbox = draft.box_of_reports(0, 10);
    for (process, priority) in [(1, 5), (2, 4)] {
        let watched = draft.free(process, 0, priority);
        draft.tell(mailbox, watched.index(), Incident::Fault);
    }
    draft.free(3, 0, 1);
    draft.watchdog(supervisor, mailbox, WITHIN);
    (draft, mailbox)
}

fn told(number: u8, at: u64) -> String {
    let [first, second] = Report { number, count: 1, at: Instant::from_ticks(at) }.words();
    format!("result of 0: {first:#x} {second:#x}")
}

/// What the supervisor gets, who faults, who begins anew, and who has the processor.
fn seen(draft: Draft<WatchedOver>, script: &[Do]) -> Vec<String> {
    let is_seen =
        |line: &String| ["result", "switch", "fault", "restart"].contains(&line.split(' ').nth(1).unwrap());
    run(&draft.finish().0, script).into_iter().filter(is_seen).collect()
}

/// What all of these begin with: the supervisor waits for a report, and thread 1 faults at 2.
const FIRST: [&str; 3] =
    ["0 switch 4 to 0", "0 switch 0 to 1", "2 fault 1: access to memory that isn't its own"];

fn first(mailbox: MailboxId) -> [Do; 3] {
    [receive(mailbox, 0, Forever), At(2), Fault(FaultKind::Data)]
}

fn assert_goes_on(draft: Draft<WatchedOver>, mailbox: MailboxId, script: &[Do], then: &[&str]) {
    let told = format!("2 {}", told(0, 2));
    let all = [&FIRST[..], &["2 restart 1", &told, "2 switch 1 to 0"], then].concat();
    assert_story(&seen(draft, &[&first(mailbox)[..], script].concat()), &all);
}

/// What follows where it waits then and thread 2 faults at 4.
const SECOND: [&str; 4] =
    ["2 switch 0 to 2", "4 fault 2: access to memory that isn't its own", "4 restart 2", "4 switch 2 to 3"];

const BITTEN: &str = "12 fault 0: watchdog not answered";

#[test]
fn who_works_at_a_report_for_too_long_faults_at_that_tick() {
    let (draft, mailbox) = scene();
    assert_goes_on(draft, mailbox, &[At(11), At(30)], &[BITTEN, "12 restart 0", "12 switch 0 to 2"]);
}

#[test]
fn who_waits_for_something_else_for_too_long_faults_too() {
    let (draft, mailbox) = scene();
    assert_goes_on(draft, mailbox, &[sleep_until(25), At(30)], &["2 switch 0 to 2", BITTEN, "12 restart 0"]);
}

#[test]
fn who_comes_back_in_time_has_as_long_again() {
    let (draft, mailbox) = scene();
    let (get, fault) = (receive(mailbox, 0, Poll), Fault(FaultKind::Data));
    // Thread 2 faults while the supervisor sleeps; it fetches that at 10 and then hangs. The timer goes off at 12 for nothing.
    let script = [sleep_until(10), At(5), fault, At(10), get, At(30)];
    let second = format!("10 {}", told(1, 5));
    let then = [
        "2 switch 0 to 2",
        "5 fault 2: access to memory that isn't its own",
        "5 restart 2",
        "5 switch 2 to 3",
        "10 switch 3 to 0",
        &second,
        "20 fault 0: watchdog not answered",
        "20 restart 0",
        "20 switch 0 to 3",
    ];
    assert_goes_on(draft, mailbox, &script, &then);
}

#[test]
fn who_waits_for_the_next_may_wait_as_long_as_it_likes() {
    let (draft, mailbox) = scene();
    assert_goes_on(draft, mailbox, &[receive(mailbox, 0, Forever), At(90)], &["2 switch 0 to 2"]);
}

#[test]
fn who_finds_nothing_has_done_its_work() {
    let (draft, mailbox) = scene();
    assert_goes_on(draft, mailbox, &[receive(mailbox, 0, Poll), At(90)], &[]);
    let (draft, mailbox) = scene();
    let script = [receive(mailbox, 0, AtMost(5)), At(90)];
    assert_goes_on(draft, mailbox, &script, &["2 switch 0 to 2", "7 switch 2 to 0"]);
}

#[test]
fn a_report_that_nobody_fetches_wakes_the_watchdog() {
    let (draft, _) = scene();
    // The supervisor never comes to its mailbox. The first report comes at 3, the second doesn't give it more time.
    let script = [sleep_until(80), At(3), Fault(FaultKind::Data), At(8), Fault(FaultKind::Data), At(60)];
    assert_story(
        &seen(draft, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "3 fault 1: access to memory that isn't its own",
            "3 restart 1",
            "3 switch 1 to 2",
            "8 fault 2: access to memory that isn't its own",
            "8 restart 2",
            "8 switch 2 to 3",
            "13 fault 0: watchdog not answered",
            "13 restart 0",
        ],
    );
}

#[test]
fn who_begins_anew_has_its_reports_and_its_time() {
    let (mut draft, mailbox) = scene();
    draft.restart(0, 1, 100);
    let script = [sleep_until(80), At(3), Fault(FaultKind::Data), At(20), receive(mailbox, 0, Poll), At(60)];
    let report = format!("20 {}", told(0, 3));
    assert_story(
        &seen(draft, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "3 fault 1: access to memory that isn't its own",
            "3 restart 1",
            "3 switch 1 to 2",
            "13 fault 0: watchdog not answered",
            "13 restart 0",
            "13 switch 2 to 0",
            // 7 later it fetches the report, and then hangs once more, which is once too often
            &report,
            "30 fault 0: watchdog not answered",
            "30 restart 0",
            "30 switch 0 to 2",
        ],
    );
}

#[test]
fn what_a_gate_keeps_back_isnt_missed_by_who_waits_for_it() {
    let (mut draft, mailbox) = scene();
    draft.gate(Before::Mailbox(mailbox), 30, OnEarly::Keep);
    let get = receive(mailbox, 0, Forever);
    // The second report comes at 4, and is let through at 32.
    let script = [get, At(4), Fault(FaultKind::Data), At(33), get, At(90)];
    let second = format!("32 {}", told(1, 4));
    let then = [&second, "32 switch 3 to 0", "33 switch 0 to 3"];
    assert_goes_on(draft, mailbox, &script, &[&SECOND[..], &then].concat());
}

#[test]
fn who_gives_up_before_a_gate_has_to_come_again() {
    let (mut draft, mailbox) = scene();
    draft.gate(Before::Mailbox(mailbox), 30, OnEarly::Keep);
    // It waits until 20 and then does something else.
    let script = [receive(mailbox, 0, AtMost(18)), At(4), Fault(FaultKind::Data), At(29), At(60)];
    let then = ["20 switch 3 to 0", "30 fault 0: watchdog not answered", "30 restart 0", "30 switch 0 to 3"];
    assert_goes_on(draft, mailbox, &script, &[&SECOND[..], &then].concat());
}

#[test]
fn two_supervisors_watch_over_each_other() {
    let (mut draft, mailbox) = scene();
    // Thread 4, of process 3 as thread 3, hears of the faults of the first one.
    let second = draft.free(3, 0, 8);
    let others = draft.box_of_reports(3, 1);
    draft.tell(others, 0, Incident::Fault);
    draft.watchdog(second, others, 20);
    let script =
        [receive(mailbox, 0, Forever), receive(others, 0, Forever), At(2), Fault(FaultKind::Data), At(90)];
    let heard = told(2, 12).replace("of 0", "of 4");
    assert_story(
        &seen(draft, &script),
        &[
            "0 switch 5 to 0",
            "0 switch 0 to 4",
            "0 switch 4 to 1",
            "2 fault 1: access to memory that isn't its own",
            "2 restart 1",
            &format!("2 {}", told(0, 2)),
            "2 switch 1 to 0",
            BITTEN,
            "12 restart 0",
            &format!("12 {heard}"),
            "12 switch 0 to 4",
            // it hangs as well
            "32 fault 4: watchdog not answered",
            "32 restart 3",
            "32 restart 4",
            "32 switch 4 to 2",
        ],
    );
}

#[test]
fn what_a_hung_supervisor_held_passes_on() {
    let (mut draft, mailbox) = scene();
    let lock = draft.binary();
    // Thread 2 waits for what the supervisor took before it began to hang.
    let script = [take(lock), sleep_until(5), take(lock)];
    let then =
        ["2 switch 0 to 2", "2 switch 2 to 3", "5 switch 3 to 0", BITTEN, "12 restart 0", "12 switch 0 to 2"];
    let story = seen(draft, &[&first(mailbox)[..], &script, &[At(40)]].concat());
    assert_eq!(story[6..], then, "{story:#?}");
}
