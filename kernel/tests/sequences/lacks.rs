//! Lacks: what a thread has no right to is refused as ever, counted for it, and told of by name.

use beryl_abi::CallNumber::{self, Stop, TraceRead, Yield};
use beryl_abi::call::Operand;
use beryl_abi::{Incident, Instant, MailboxId, Report, SemaphoreId, ThreadId};
use beryl_kernel::{SemaphoreKind, subjects};

use crate::assert_story;
use crate::host::Do::{self, Ask, At, Call};
use crate::host::asks::Wait::{Forever, Poll};
use crate::host::asks::*;
use crate::host::draft::{Counted, Draft, Queue};
use crate::host::objects::stack;
use crate::host::{Rig, play, run};
use crate::others::{Others, PROCESSES};

const ME: ThreadId = ThreadId(0);
/// Rows of the thread table.
const THREADS: usize = 8;

/// Thread 0 of process 1 runs; everything there is belongs to process 2, with thread 1 in it.
struct Theirs {
    rig: Rig<Counted>,
    asks: Vec<Do>,
}

fn theirs() -> Theirs {
    let mut draft = Draft::<Counted>::new(&[Queue::Fixed]);
    let others = Others::drawn(&mut draft);
    let Others { condition, mailbox, endpoint, group, notification, interrupt, message, .. } = others;
    let semaphore = draft.semaphore(PROCESSES, SemaphoreKind::Binary { word: 0 });
    let system = Others::own(draft.finish().0);
    let asks = vec![
        take(semaphore),
        give(semaphore),
        await_condition(condition, semaphore, Forever),
        signal(condition),
        broadcast(condition),
        send(mailbox, [1, 2], Forever),
        receive(mailbox, 0, Poll),
        call(endpoint, [1, 2]),
        await_request(endpoint, 0, Forever),
        reply(endpoint, [1, 2]),
        notify(notification, 1),
        acknowledge(interrupt),
        await_interrupt(interrupt, 1, Forever),
        read_state(message, stack(ME).address),
        set_group(group, 1),
        clear_group(group, 1),
        await_group(group, 1, 0, Forever),
        set_priority(others.thread, 3),
        Call(TraceRead),
    ];
    Theirs { rig: play(&system, &[]), asks }
}

#[test]
fn whatever_belongs_to_others_is_counted_with_the_call_and_the_object() {
    let Theirs { mut rig, asks } = theirs();
    for (asked, ask) in (1..).zip(asks) {
        rig.step(ask);
        let (number, object) = match ask {
            Ask(number, [operand, ..]) => (number, Operand(operand).number()),
            Call(number) => (number, 0),
            _ => unreachable!("a call"),
        };
        let lacked = rig.state().lacked(ME);
        assert_eq!((lacked.times(), lacked.last()), (asked, Some((number, object))), "{ask:?}");
    }
    assert_eq!(rig.state().lacked(ThreadId(1)).times(), 0);
}

#[test]
fn what_there_is_not_is_counted_and_what_is_refused_for_other_reasons_is_not() {
    let Theirs { mut rig, .. } = theirs();
    rig.step(take(SemaphoreId(200)));
    let before = rig.state().lacked(ME);
    assert_eq!((before.times(), before.last()), (1, Some((CallNumber::SemaphoreWait, 200))));
    for ask in [
        Call(Yield),
        Do::Number(99),
        Ask(CallNumber::Complete, [0; 4]),
        Ask(CallNumber::WaitPeriod, [0; 4]),
        await_bits(0, Poll),
        Ask(CallNumber::SleepUntil, [255, 0, 0, 0]),
    ] {
        rig.step(ask);
        assert_eq!(rig.state().lacked(ME), before, "{ask:?}");
    }
}

#[test]
fn a_count_stays_when_its_thread_stops() {
    let Theirs { mut rig, asks } = theirs();
    rig.step(asks[0]);
    rig.step(Call(Stop));
    assert_eq!(rig.state().lacked(ME).times(), 1);
    assert_eq!(rig.state().running(), ThreadId(1));
}

/// A supervisor, 0, above 1 of process 1, which has no right to the mailbox of process 2.
#[test]
fn a_supervisor_is_told_at_once_and_how_often() {
    let mut draft = Draft::<Counted>::new(&[Queue::Fixed]);
    draft.free(0, 0, 9);
    let culprit = draft.free(1, 0, 1);
    let reports = draft.box_of_reports(0, 2);
    let theirs = draft.mailbox(8, 1);
    draft.tell(reports, subjects::<Counted>() - THREADS + culprit.index(), Incident::Refusal);
    let (mut system, _) = draft.finish();
    system.mailboxes[theirs.index()].senders = 1 << 2;
    let sends = send(MailboxId(theirs.0), [1, 2], Poll);
    let script = [
        receive(reports, 0, Forever),
        At(4),
        sends,
        // the supervisor runs; it sleeps, and what comes meanwhile is one report
        sleep_until(9),
        At(5),
        sends,
        At(6),
        sends,
        At(9),
        receive(reports, 0, Poll),
    ];
    let told = |count, at| {
        let [first, second] = Report { number: 0, count, at: Instant::from_ticks(at) }.words();
        format!("result of 0: {first:#x} {second:#x}")
    };
    let heard = run(&system, &script);
    let heard: Vec<_> = heard
        .into_iter()
        .filter(|line| {
            line.contains("result of 0") || line.contains("switch") || line.contains("MailboxReceive")
        })
        .collect();
    assert_story(
        &heard,
        &[
            "0 switch 2 to 0",
            "0 switch 0 to 1",
            &format!("4 {}", told(1, 4)),
            "4 switch 1 to 0",
            "4 switch 0 to 1",
            "9 switch 1 to 0",
            &format!("9 {}", told(2, 6)),
        ],
    );
}
