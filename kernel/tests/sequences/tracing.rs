//! Triggers: what is told of threads and objects, and that nothing is told to nobody.

use beryl_abi::CallNumber::{Complete, Stop, TraceEvent};
use beryl_abi::{Classes, Duration, Line, ProcessId, ThreadId};
use beryl_kernel::{Driver, DriverKind, Event, Sizes, System};

use crate::assert_story;
use crate::host::Do::{self, Alarm, Ask, At, Call, Done, Interrupt, Late};
use crate::host::asks::Wait::{AtMost, Forever, Poll};
use crate::host::asks::{
    acknowledge, await_bits, await_interrupt, await_period, await_request, call, give, notify, receive,
    reply, send, sleep_until, take, take_for,
};
use crate::host::code::{self, RETURN, future, release};
use crate::host::draft::{Draft, Queue, Small};
use crate::host::{Rig, only_records};
use crate::semaphores::falling;

/// What is told of some classes.
fn told<S: Sizes>(system: &System<S>, classes: Classes, script: &[Do]) -> Vec<String> {
    let mut rig = Rig::new(system);
    rig.kernel.state.record(classes);
    rig.raise(Event::Start);
    script.iter().for_each(|step| rig.step(*step));
    only_records(rig.kernel.machine.log)
}

const WAITING: Classes = Classes::LOCKS.with(Classes::WAITS);

#[test]
fn a_lock_is_held_waited_for_lent_to_and_passed_on() {
    let mut draft = falling(2);
    let lock = draft.binary();
    let script =
        [sleep_until(5), take(lock), At(5), take(lock), give(lock), give(lock), take(lock), Call(Stop)];
    assert_story(
        &told(&draft.finish().0, WAITING, &script),
        &[
            "0 block of 0: 2 255 0",
            "0 hold of 1: 0 0 0",
            "5 wake of 0: 0 0 0",
            // thread 0 waits for semaphore 0 (4 is the number of that wait), which 1 has
            "5 lend of 0: 4 0 1",
            "5 free of 1: 0 0 0",
            "5 hold of 0: 0 0 0",
            "5 free of 0: 0 0 0",
            "5 hold of 0: 0 0 0",
            // it ends, and what it held is taken from it
            "5 stop of 0: 0 0 0",
            "5 free of 0: 0 0 0",
        ],
    );
}

#[test]
fn a_wait_that_lasts_too_long_ends_and_one_that_polls_never_begins() {
    let mut draft = falling(2);
    let lock = draft.binary();
    let mailbox = draft.mailbox(8, 1);
    let script = [
        sleep_until(5),
        take(lock),
        At(5),
        take_for(lock, AtMost(3)),
        At(9),
        take_for(lock, Poll),
        receive(mailbox, 0, AtMost(2)),
        At(20),
    ];
    assert_story(
        &told(&draft.finish().0, WAITING, &script),
        &[
            "0 block of 0: 2 255 0",
            "0 hold of 1: 0 0 0",
            "5 wake of 0: 0 0 0",
            "5 lend of 0: 4 0 1",
            "8 wake of 0: 0 0 0",
            "9 block of 0: 7 0 0",
            "11 wake of 0: 0 0 0",
        ],
    );
}

#[test]
fn messages_are_told_where_they_are_passed() {
    let mut draft = falling(2);
    let mailbox = draft.mailbox(8, 1);
    let script = [
        receive(mailbox, 0, Forever),
        send(mailbox, [1, 2], Forever),
        sleep_until(50),
        send(mailbox, [3, 4], Forever),
        send(mailbox, [5, 6], Forever),
        At(50),
        receive(mailbox, 0, Forever),
    ];
    assert_story(
        &told(&draft.finish().0, Classes::MESSAGES.with(Classes::WAITS), &script),
        &[
            "0 block of 0: 7 0 0",
            // the message goes from hand to hand
            "0 message of 1: 1 0 0",
            "0 message of 0: 2 0 0",
            "0 wake of 0: 0 0 0",
            "0 block of 0: 2 255 0",
            "0 message of 1: 1 0 0",
            // there is no room for a second
            "0 block of 1: 6 0 0",
            "50 wake of 0: 0 0 0",
            "50 message of 0: 2 0 0",
            "50 message of 1: 1 0 0",
            "50 wake of 1: 0 0 0",
        ],
    );
}

#[test]
fn a_request_is_a_message_a_place_lent_and_a_reply() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    draft.all_free(&[9, 5]);
    let endpoint = draft.endpoint(beryl_abi::ThreadId(0), 4, 4);
    let script = [await_request(endpoint, 0, Forever), call(endpoint, [7, 0]), reply(endpoint, [8, 0])];
    assert_story(
        &told(&draft.finish().0, WAITING.with(Classes::MESSAGES), &script),
        &[
            "0 block of 0: 8 0 0",
            "0 message of 1: 3 0 0",
            "0 lend of 1: 10 0 0",
            "0 wake of 0: 0 0 0",
            "0 message of 0: 4 0 0",
            "0 wake of 1: 0 0 0",
            "0 block of 0: 8 0 0",
        ],
    );
}

#[test]
fn an_interrupt_comes_is_served_and_may_come_again() {
    let mut draft = falling(2);
    let thread = beryl_abi::ThreadId(0);
    let (interrupt, notification) = (draft.interrupt(3, thread, 1), draft.notification(thread, 2));
    let script = [
        await_interrupt(interrupt, 1, Forever),
        Interrupt(3),
        acknowledge(interrupt),
        Interrupt(77),
        await_bits(2, Forever),
        notify(notification, 2),
    ];
    let classes = Classes::INTERRUPTS.with(Classes::MESSAGES).with(Classes::FAULTS);
    assert_story(
        &told(&draft.finish().0, classes, &script),
        &[
            "0 acknowledge of 0: 3 0 0",
            "0 interrupt of 0: 3 0 0",
            "0 acknowledge of 0: 3 0 0",
            // nobody serves this one
            "0 interrupt of 255: 77 0 0",
            "0 stray 77",
            "0 message of 1: 5 0 0",
        ],
    );
}

#[test]
fn applications_tell_what_they_like_and_the_kernel_when_it_comes_and_goes() {
    let draft = falling(1);
    let script = [Ask(TraceEvent, [0x1_0102, 77, 0, 0]), Call(Complete), Call(Stop)];
    assert_story(
        &told(&draft.finish().0, Classes::EVENTS.with(Classes::KERNEL).with(Classes::WAITS), &script),
        &[
            // entered by the alarm, as at a start; left to thread 0
            "0 enter of 1: 0 0 0",
            "0 leave of 0: 0 0 0",
            // a call is two more than its number
            "0 enter of 0: 31 0 0",
            "0 event of 0: 2 1 77",
            "0 leave of 0: 0 0 0",
            "0 enter of 0: 4 0 0",
            "0 leave of 0: 0 0 0",
            "0 enter of 0: 8 0 0",
            "0 stop of 0: 0 0 0",
            "0 leave of 1: 0 0 0",
        ],
    );
}

/// Whatever is told, the system goes on in the same way.
#[test]
fn who_listens_changes_nothing() {
    let mut draft = falling(3);
    let (lock, mailbox) = (draft.binary(), draft.mailbox(8, 2));
    let script = [
        sleep_until(5),
        take(lock),
        receive(mailbox, 0, AtMost(20)),
        send(mailbox, [1, 2], Forever),
        At(7),
        take(lock),
        give(lock),
        send(mailbox, [1, 2], Forever),
        At(40),
    ];
    let system = draft.finish().0;
    let story = |classes| {
        let mut rig = Rig::new(&system);
        rig.kernel.state.record(classes);
        rig.raise(Event::Start);
        script.iter().for_each(|step| rig.step(*step));
        rig.kernel.state.record(Classes::NONE);
        rig.host().records.clear();
        rig.raise(Event::Interrupt(Line(99)));
        assert!(rig.host().records.is_empty(), "something is told to nobody");
        rig.kernel.state
    };
    let silent = story(Classes::NONE);
    for (name, classes) in Classes::NAMED.iter().chain(&[("all", Classes::ALL)]) {
        assert!(story(*classes) == silent, "{name} changes the state");
    }
}

/// A task of process 0 that may take five ticks, every ten; thread 1 idles.
fn sparing() -> System<Small> {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(0, 0, 0);
    draft.worst(task, 5);
    draft.program(&[10], &[release(task, 0), future(0, 0), RETURN]);
    draft.finish().0
}

#[test]
fn a_budget_that_is_used_up_is_told_with_what_was_used() {
    let script = [At(5), Call(Complete), At(16), Call(Complete), At(28), Call(Complete)];
    // Nothing of the first job, which took all that it may and no more. 0: that of a job.
    let expected = ["16 budget of 0: 0 0 6", "28 budget of 0: 0 0 8"];
    assert_story(&told(&sparing(), Classes::BUDGETS, &script), &expected);
    let both = told(&sparing(), Classes::BUDGETS.with(Classes::JOBS), &script[..4]);
    let expected = [
        "0 release 0 at 0 by 10",
        "5 complete 0",
        "10 release 0 at 10 by 20",
        "16 complete 0",
        "16 overrun 0",
        "16 budget of 0: 0 0 6",
    ];
    assert_story(&both, &expected);
}

#[test]
fn a_periodic_threads_budget_is_told_when_its_job_is_done() {
    let mut draft = Draft::<Small>::new(&[Queue::Fixed]);
    let thread = draft.periodic(0, 0, 0, 10);
    draft.worst(thread, 5);
    let script = [At(4), await_period(), At(17), await_period(), At(30)];
    assert_story(&told(&draft.finish().0, Classes::BUDGETS, &script), &["17 budget of 0: 0 0 7"]);
}

#[test]
fn a_drivers_budget_is_told_with_its_driver() {
    let mut draft = Draft::<Small>::new(&[Queue::Dynamic(2)]);
    let task = draft.task(2, 0, 0);
    draft.driver_thread(1);
    let [first, second] = [3, 4].map(|ticks| {
        let kind = DriverKind::Getter { function: 7, shared: 0, budget: Duration::from_ticks(ticks) };
        let (process, task) = (ProcessId(1), ThreadId::NONE);
        draft.driver(Driver { kind, process, task, from: 0x100, to: 0x200, length: 4, ..Driver::NONE })
    });
    draft.program(&[10], &[code::call(first), code::call(second), release(task, 0), future(0, 0), RETURN]);
    // The first one is done after two ticks, the second one isn't after four, and the alarm comes a tick late.
    let script = [Done(false), At(2), Done(false), Late(7), Alarm, At(9)];
    let expected = ["7 budget of 1: 2 0 5", "7 fault 1: budget used up"];
    assert_story(&told(&draft.finish().0, Classes::BUDGETS.with(Classes::FAULTS), &script)[..2], &expected);
}
