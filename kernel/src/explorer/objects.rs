//! Three threads and the objects they wait for: every order of their calls, of timeouts, interrupts and
//! faults.

use std::vec::Vec;

use beryl_abi::call::{FOREVER, Operand, POLL};
use beryl_abi::{
    BandId, CallNumber, Duration, Fault, FaultKind, Instant, Line, ProcessId, Range, SemaphoreId, ThreadId,
    Wanted,
};

use super::{Happening, MEMORY, Place as Point, Scene, explore};
use crate::table::Table as _;
use crate::{
    Band, Call, Condition, Driver, Endpoint, Event, EventGroup, Interrupt, Mailbox, Notification, OnFault,
    Place, Policy, Port, Process, Program, ProgramSlot, Semaphore, SemaphoreKind, Sizes, StateMessage,
    System, Thread, ThreadKind, sizes,
};

sizes! {
    pub(super) struct Few {
        threads: 4, processes: 2, bands: 2, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 2, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, event_groups: 1
    }
}

const LINE: u16 = 10;
/// The word of semaphore 1.
const WORD: u32 = MEMORY;
/// Two words for the only message.
const MESSAGES: u32 = MEMORY + 8;
const EVERYBODY: u32 = u32::MAX;

/// The threads and objects of [`system`], with rows of another part besides.
macro_rules! with {
    ($($table:ident: $rows:expr),+) => {{
        let few = $crate::explorer::objects::system();
        System {
            threads: few.threads,
            processes: few.processes,
            bands: few.bands,
            slots: few.slots,
            semaphores: few.semaphores,
            conditions: few.conditions,
            mailboxes: few.mailboxes,
            endpoints: few.endpoints,
            event_groups: few.event_groups,
            notifications: few.notifications,
            interrupts: few.interrupts,
            $($table: $rows,)+
            ..System::empty()
        }
        .ranked()
    }};
}
pub(super) use with;

/// Thread 0 is in a dynamic band, 1 and 2 below it; 0 and 2 are of process 1, where a fault stops all
/// threads. In process 0 a fault stops one thread. Thread 3 idles, 2 serves the endpoint, 1 serves the
/// interrupt.
pub(super) fn system() -> System<Few> {
    let thread = |kind, process, band, place, level| Thread {
        kind,
        process: ProcessId(process),
        band: BandId(band),
        place,
        level,
        deadline: Duration::from_ticks(20),
        stack: Range::EMPTY,
        ..Thread::NONE
    };
    let process = |on_fault| Process { on_fault, ..Process::NONE };
    System {
        threads: [
            thread(ThreadKind::Free, 1, 0, Place::Dynamic { slot: 0 }, 3),
            thread(ThreadKind::Free, 0, 1, Place::fixed(5), 2),
            thread(ThreadKind::Free, 1, 1, Place::fixed(4), 1),
            thread(ThreadKind::Idle, 0, 1, Place::fixed(0), 0),
        ],
        processes: [process(OnFault::StopThread), process(OnFault::StopProcess)],
        bands: [Band { policy: Policy::Dynamic { base: 0, leaves: 2 } }, Band { policy: Policy::Fixed }],
        slots: [ThreadId(0), ThreadId::NONE],
        drivers: [Driver::NONE],
        programs: [Program::NONE],
        semaphores: [0, WORD]
            .map(|word| Semaphore { processes: EVERYBODY, kind: SemaphoreKind::Binary { word } }),
        conditions: [Condition { processes: EVERYBODY }],
        mailboxes: [Mailbox {
            senders: EVERYBODY,
            receivers: EVERYBODY,
            base: MESSAGES,
            length: 8,
            capacity: 1,
            first_come: false,
        }],
        endpoints: [Endpoint { callers: EVERYBODY, server: ThreadId(2), request: 8, reply: 8 }],
        notifications: [Notification { senders: EVERYBODY, thread: ThreadId(0), bits: 1 }],
        event_groups: [EventGroup { sources: EVERYBODY, waiters: EVERYBODY }],
        interrupts: [Interrupt { line: Line(LINE), thread: ThreadId(1), bits: 1 }],
        lines: crate::Lines::NONE,
        state_messages: [StateMessage::NONE],
        program_slots: [ProgramSlot::NONE],
        ports: [Port::NONE],
        budgets: crate::row::Absent,
        rules: crate::row::Absent,
        pools: crate::row::Absent,
        gates: crate::row::Absent,
        doors: crate::row::Absent,
        limits: crate::row::Absent,
        clients: crate::row::Absent,
        depths: crate::row::Absent,
        watched: crate::row::Absent,
        tellings: crate::row::Absent,
        watchdogs: crate::row::Absent,
        watchdog_of: crate::row::Absent,
        windows: crate::row::Absent,
        fed: crate::row::Absent,
        restarts: crate::row::Absent,
        replaceable: crate::row::Absent,
    }
    .ranked()
}

pub(super) type Ask = (CallNumber, [u32; 4]);

/// A call about an object, or an operand, that may wait this long. Its other words are 1.
pub(super) const fn ask(number: CallNumber, operand: u32, timeout: u32) -> Ask {
    (number, [operand, 1, 1, timeout])
}

const SHORT: u32 = 3;
const FIRST: Ask = ask(CallNumber::SemaphoreWait, 0, FOREVER);
const SECOND: Ask = ask(CallNumber::SemaphoreWait, 1, FOREVER);
const GIVE_FIRST: Ask = ask(CallNumber::SemaphoreSignal, 0, 0);
const GIVE_SECOND: Ask = ask(CallNumber::SemaphoreSignal, 1, 0);
const STOP: Ask = ask(CallNumber::Stop, 0, 0);

/// No object, and semaphore 0 to own on return.
const THEN_FIRST: u32 = Operand::then(0, SemaphoreId(0)).0;
const BITS_THEN_FIRST: u32 = Operand::then(Operand::NO_OBJECT, SemaphoreId(0)).0;

/// Explores all orders of some calls, the interrupt, faults, and time.
fn all_orders(asks: &[Ask], depth: usize, at_least: usize) {
    all_orders_in(system(), asks, depth, at_least);
}

/// The same in any system of three threads.
pub(super) fn all_orders_in<S: Sizes>(system: System<S>, asks: &[Ask], depth: usize, at_least: usize) {
    all_orders_checked(system, asks, depth, at_least, &|_| ());
}

/// The same where something more must hold behind every step.
pub(super) fn all_orders_checked<S: Sizes>(
    system: System<S>,
    asks: &[Ask],
    depth: usize,
    at_least: usize,
    check: &dyn Fn(&Point<S>),
) {
    let events = |point: &Point<S>| -> Vec<Happening> {
        let is_let_come = point.kernel.machine.unmasked;
        let interrupt = is_let_come.then_some((0, Event::Interrupt(Line(LINE))));
        if point.again {
            return [(1, Event::Alarm), (0, Event::Continue)].into_iter().chain(interrupt).collect();
        }
        let call = |(number, arguments): &Ask| {
            (0, Event::Call(Call { number: *number as u32, arguments: *arguments }))
        };
        let clock = &point.kernel.machine;
        let soon = clock.alarm.since(clock.now).ticks();
        let alarm = (clock.alarm != Instant::NEVER && soon < 100).then_some((soon, Event::Alarm));
        let fault = (0, Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 }));
        asks.iter().map(call).chain([fault]).chain(interrupt).chain(alarm).collect()
    };
    // stopping looks at every thread, and at every object for each
    let scene = Scene { events: &events, check, bound: &|_| 60 };
    let places = explore(system, depth, &scene);
    assert!(places > at_least, "only {places} places were visited");
}

#[test]
fn two_semaphores_in_both_orders() {
    let for_a_while = ask(CallNumber::SemaphoreWait, 0, SHORT);
    all_orders(
        &[FIRST, SECOND, for_a_while, GIVE_FIRST, GIVE_SECOND, STOP, ask(CallNumber::Yield, 0, 0)],
        7,
        1000,
    );
}

#[test]
fn a_mailbox() {
    let send = |timeout| ask(CallNumber::MailboxSend, 0, timeout);
    let receive = |operand, timeout| ask(CallNumber::MailboxReceive, operand, timeout);
    let asks =
        [send(FOREVER), send(SHORT), receive(0, FOREVER), receive(THEN_FIRST, SHORT), FIRST, GIVE_FIRST];
    all_orders(&asks, 5, 10_000);
}

#[test]
fn a_condition() {
    let wait = |timeout| ask(CallNumber::ConditionWait, THEN_FIRST, timeout);
    let signal = ask(CallNumber::ConditionSignal, 0, 0);
    let broadcast = ask(CallNumber::ConditionBroadcast, 0, 0);
    all_orders(&[FIRST, wait(FOREVER), wait(SHORT), signal, broadcast, GIVE_FIRST, SECOND], 6, 10_000);
}

#[test]
fn an_endpoint() {
    let call = |operand| ask(CallNumber::EndpointCall, operand, FOREVER);
    let receive = |timeout| ask(CallNumber::EndpointReceive, 0, timeout);
    let reply = ask(CallNumber::EndpointReply, 0, 0);
    let bits = ask(CallNumber::NotificationWait, Operand::NO_OBJECT as u32, SHORT);
    all_orders(
        &[call(0), call(THEN_FIRST), receive(FOREVER), receive(SHORT), reply, FIRST, GIVE_FIRST, bits],
        5,
        10_000,
    );
}

#[test]
fn an_endpoint_whose_clients_give_up() {
    let call = |operand, timeout| ask(CallNumber::EndpointCall, operand, timeout);
    let receive = ask(CallNumber::EndpointReceive, 0, FOREVER);
    let reply = ask(CallNumber::EndpointReply, 0, 0);
    let bits = ask(CallNumber::NotificationWait, Operand::NO_OBJECT as u32, SHORT);
    let asks =
        [call(0, SHORT), call(THEN_FIRST, SHORT), call(0, POLL), receive, reply, FIRST, GIVE_FIRST, bits];
    all_orders(&asks, 6, 10_000);
}

#[test]
fn a_notification_and_an_interrupt() {
    let wait = |operand, timeout| ask(CallNumber::NotificationWait, operand, timeout);
    let asks = [
        wait(Operand::NO_OBJECT.into(), FOREVER),
        wait(BITS_THEN_FIRST, SHORT),
        wait(0, FOREVER),
        ask(CallNumber::Notify, 0, 0),
        FIRST,
        GIVE_FIRST,
        STOP,
    ];
    all_orders(&asks, 5, 10_000);
}

#[test]
fn an_event_group() {
    let wait = |operand, how, timeout| (CallNumber::EventGroupWait, [operand, 1, how, timeout]);
    let asks = [
        wait(0, 0, FOREVER),
        wait(0, Wanted::TAKE, SHORT),
        wait(THEN_FIRST, Wanted::ALL | Wanted::TAKE, SHORT),
        ask(CallNumber::EventGroupSet, 0, 0),
        ask(CallNumber::EventGroupClear, 0, 0),
        FIRST,
        GIVE_FIRST,
        STOP,
    ];
    all_orders(&asks, 5, 10_000);
}

/// The same three threads in one fixed band and one process, each with the full range of priorities.
fn of_changing_priorities() -> System<Few> {
    let mut system = system();
    for (index, priority) in (0..).zip([3, 2, 1]) {
        let row = system.threads.at_mut(index);
        (row.process, row.band) = (ProcessId(0), BandId(1));
        (row.place, row.level) = (Place::Fixed { priority, least: 1, most: 3 }, priority);
    }
    system.ranked()
}

/// Changes a thread's priority.
const fn set(thread: u32, priority: u32) -> Ask {
    (CallNumber::SetPriority, [thread, priority, 0, 0])
}

#[test]
fn priorities_of_who_waits_for_a_lock() {
    let asks = [FIRST, GIVE_FIRST, set(0, 1), set(0, 3), set(1, 3), set(2, 2), SECOND, GIVE_SECOND];
    all_orders_in(of_changing_priorities(), &asks, 6, 10_000);
}

#[test]
fn priorities_of_clients_and_servers() {
    let call = |timeout| ask(CallNumber::EndpointCall, 0, timeout);
    let receive = ask(CallNumber::EndpointReceive, 0, FOREVER);
    let reply = ask(CallNumber::EndpointReply, 0, 0);
    let bits = ask(CallNumber::NotificationWait, Operand::NO_OBJECT as u32, SHORT);
    let asks = [call(FOREVER), call(SHORT), receive, reply, bits, set(0, 1), set(1, 3), set(2, 3), set(2, 1)];
    all_orders_in(of_changing_priorities(), &asks, 6, 10_000);
}

#[test]
fn priorities_of_who_waits_and_stops() {
    let wait = |how, timeout| (CallNumber::EventGroupWait, [0, 1, how, timeout]);
    let send = ask(CallNumber::MailboxSend, 0, FOREVER);
    let receive = ask(CallNumber::MailboxReceive, 0, SHORT);
    let bits = ask(CallNumber::EventGroupSet, 0, 0);
    let asks = [wait(Wanted::TAKE, SHORT), bits, send, receive, set(0, 1), set(1, 3), set(2, 2), STOP];
    all_orders_in(of_changing_priorities(), &asks, 6, 10_000);
}
