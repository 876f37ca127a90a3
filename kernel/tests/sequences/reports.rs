//! Reports: what supervisors are told, when, and what becomes of it while they don't ask.

use beryl_abi::CallNumber::Complete;
use beryl_abi::{CallError, FaultKind, Incident, Instant, MailboxId, NotificationId, Report};
use beryl_kernel::{Budget, Gated as Before, OnEarly, OnSpent, Sizes, System, Table};

use crate::assert_story;
use crate::host::Do::{self, At, Call, Fault, Late};
use crate::host::asks::Wait::{Forever, Poll};
use crate::host::asks::{await_period, notify, receive, send, sleep_until};
use crate::host::code::{RELEASES, RETURN, future, phase, release};
use crate::host::draft::{Draft, Queue, Supervised};
use crate::host::{run, without};

/// Process 0 has a supervisor, 0, above all others, which hears of process 1: a periodic thread, 1, every 10 ticks, and a
/// task, 2, every 20 ticks, whose jobs end when they have used 4; and of a less urgent thread of process 2, 3; 4 idles.
struct Scene {
    draft: Draft<Supervised>,
    mailbox: MailboxId,
}

fn scene() -> Scene {
    let mut draft = Draft::<Supervised>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let mailbox = draft.box_of_reports(0, 10);
    let periodic = draft.periodic(1, 0, 7, 10);
    let task = draft.task(1, 0, 5);
    let low = draft.free(2, 0, 1);
    draft.worst(task, 4);
    draft.budget(task, Budget { amount: 4, reaction: OnSpent::EndJob, ..Budget::NONE });
    draft.worst(periodic, 5);
    for incident in [Incident::Fault, Incident::Overrun, Incident::Miss] {
        draft.tell(mailbox, periodic.index(), incident);
    }
    for incident in [Incident::Fault, Incident::Overrun, Incident::Miss, Incident::Violation] {
        draft.tell(mailbox, task.index(), incident);
    }
    draft.tell(mailbox, low.index(), Incident::Fault);
    let code = [phase(RELEASES), release(task, 0), future(0, 0), RETURN];
    draft.program(&[20], &code);
    Scene { draft, mailbox }
}

const FAULT_OF_PERIODIC: u8 = 0;
const OVERRUN_OF_PERIODIC: u8 = 1;
const MISS_OF_PERIODIC: u8 = 2;
const FAULT_OF_TASK: u8 = 3;
const OVERRUN_OF_TASK: u8 = 4;
const MISS_OF_TASK: u8 = 5;
const VIOLATION_OF_TASK: u8 = 6;

/// A report as a story tells of it.
fn told(number: u8, count: u16, at: u64) -> String {
    let [first, second] = Report { number, count, at: Instant::from_ticks(at) }.words();
    format!("result of 0: {first:#x} {second:#x}")
}

/// What the supervisor gets, with the instants, and who has the processor.
fn heard(system: &System<Supervised>, script: &[Do]) -> Vec<String> {
    let is_told =
        |line: &String| line.contains("result of 0") || line.contains("switch") || line.contains("fault");
    run(system, script).into_iter().filter(is_told).collect()
}

#[test]
fn who_uses_more_than_it_may_is_told_of_at_once() {
    let Scene { draft, mailbox } = scene();
    let script = [receive(mailbox, 0, Forever), At(1), await_period(), At(9), receive(mailbox, 0, Forever)];
    assert_story(
        &heard(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "1 switch 1 to 2",
            // at the first tick that is too much; the job has ended by then
            &format!("6 {}", told(OVERRUN_OF_TASK, 1, 6)),
            "6 switch 2 to 0",
            "9 switch 0 to 3",
        ],
    );
}

#[test]
fn a_job_that_ends_late_or_has_used_more_is_told_of_where_it_ends() {
    let Scene { draft, mailbox } = scene();
    let get = receive(mailbox, 0, Forever);
    // The job begins at 0, with a worst of 5 and a deadline of 10. The alarm is held back.
    let script = [get, Late(12), await_period(), get, get];
    assert_story(
        &heard(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            &format!("12 {}", told(MISS_OF_PERIODIC, 1, 12)),
            "12 switch 1 to 0",
            &format!("12 {}", told(OVERRUN_OF_PERIODIC, 1, 12)),
            "12 switch 0 to 2",
        ],
    );
}

#[test]
fn a_tasks_job_that_ends_late_is_told_of_where_it_ends() {
    let Scene { draft, mailbox } = scene();
    let get = receive(mailbox, 0, Forever);
    // Its deadline is 20. The alarm is held back.
    let script = [get, await_period(), Late(25), Call(Complete), get, get];
    assert_story(
        &heard(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            &format!("25 {}", told(MISS_OF_TASK, 1, 25)),
            "25 switch 2 to 0",
            &format!("25 {}", told(OVERRUN_OF_TASK, 1, 25)),
            "25 switch 0 to 3",
        ],
    );
}

#[test]
fn what_happens_again_before_it_is_fetched_is_counted() {
    let Scene { draft, mailbox } = scene();
    let poll = receive(mailbox, 0, Poll);
    // The supervisor works until 45; the periodic thread's job isn't done at 10, 20, 30 and 40.
    let script = [sleep_until(45), At(45), poll, poll, poll, poll];
    assert_story(
        &heard(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "45 switch 1 to 0",
            // in the order in which each happened first
            &format!("45 {}", told(MISS_OF_PERIODIC, 4, 40)),
            &format!("45 {}", told(VIOLATION_OF_TASK, 2, 40)),
        ],
    );
}

#[test]
fn a_fault_is_told_before_its_process_begins_anew() {
    let Scene { mut draft, mailbox } = scene();
    draft.restart(1, 2, 100);
    let get = receive(mailbox, 0, Forever);
    let script = [get, At(2), Fault(FaultKind::Data), get];
    assert_story(
        &heard(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "2 fault 1: access to memory that isn't its own",
            &format!("2 {}", told(FAULT_OF_PERIODIC, 1, 2)),
            "2 switch 1 to 0",
            "2 switch 0 to 3",
        ],
    );
}

#[test]
fn a_supervisor_whose_process_begins_anew_still_gets_what_it_was_told() {
    let Scene { mut draft, mailbox } = scene();
    draft.restart(0, 2, 100);
    // It is at work while a thread of another process faults, and faults itself.
    let script = [
        sleep_until(4),
        At(2),
        await_period(),
        Fault(FaultKind::Data),
        At(4),
        Fault(FaultKind::Data),
        receive(mailbox, 0, Poll),
    ];
    assert_story(
        &heard(&draft.finish().0, &script),
        &[
            "0 switch 4 to 0",
            "0 switch 0 to 1",
            "2 switch 1 to 2",
            "2 fault 2: access to memory that isn't its own",
            "2 switch 2 to 3",
            "4 switch 3 to 0",
            "4 fault 0: access to memory that isn't its own",
            "4 switch 0 to 0",
            &format!("4 {}", told(FAULT_OF_TASK, 1, 2)),
        ],
    );
}

/// A supervisor, 0, above a thread, 1, that may be notified each 20 ticks, and one that notifies, 2; 3 idles. What comes
/// too early is told.
fn refused(separation: Option<u32>) -> (System<Supervised>, MailboxId, NotificationId) {
    let mut draft = Draft::<Supervised>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let (woken, _) = (draft.free(1, 0, 5), draft.free(2, 0, 1));
    let mailbox = draft.box_of_reports(0, 1);
    let notification = draft.notification(woken, 1);
    draft.gate(Before::Notification(notification), 20, OnEarly::Drop);
    if let Some(separation) = separation {
        draft.gate(Before::Mailbox(mailbox), separation, OnEarly::Keep);
    }
    draft.tell(mailbox, <Supervised as Sizes>::Threads::LENGTH, Incident::Refusal);
    (draft.finish().0, mailbox, notification)
}

#[test]
fn what_a_gate_refuses_is_told() {
    let (system, mailbox, notification) = refused(None);
    let (get, notify) = (receive(mailbox, 0, Forever), notify(notification, 1));
    let script = [get, sleep_until(50), At(1), notify, At(2), notify, get, At(3), notify];
    assert_story(
        &heard(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            &format!("2 {}", told(0, 1, 2)),
            "2 switch 2 to 0",
            "2 switch 0 to 2",
            &format!("3 {}", told(0, 1, 3)),
            "3 switch 2 to 0",
        ],
    );
}

#[test]
fn a_supervisor_is_told_no_more_often_than_its_separation_says() {
    let (system, mailbox, notification) = refused(Some(10));
    let (get, notify) = (receive(mailbox, 0, Forever), notify(notification, 1));
    let script = [get, sleep_until(50), notify, At(2), notify, get, At(3), notify, notify, notify, At(15)];
    assert_story(
        &heard(&system, &script),
        &[
            "0 switch 3 to 0",
            "0 switch 0 to 1",
            "0 switch 1 to 2",
            &format!("2 {}", told(0, 1, 2)),
            "2 switch 2 to 0",
            "2 switch 0 to 2",
            // three more at 3, told as one when its mailbox opens
            &format!("12 {}", told(0, 3, 3)),
            "12 switch 2 to 0",
        ],
    );
}

#[test]
fn nobody_else_sends_to_a_supervisor_or_gets_what_it_is_told() {
    let Scene { draft, mailbox } = scene();
    let script = [send(mailbox, [0, 0], Poll), sleep_until(90), receive(mailbox, 0, Poll)];
    let refused = format!("0 status of 0: {:#x}", CallError::NoSuchObject as u32);
    assert_story(
        &without(run(&draft.finish().0, &script), &["arm"]),
        &[
            "0 release 2 at 0 by 20",
            "0 release 1 at 0 by 10",
            "0 switch 4 to 0",
            &refused,
            "0 switch 0 to 1",
            &refused.replace("of 0", "of 1"),
        ],
    );
}
