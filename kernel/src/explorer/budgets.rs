//! A task and a thread with budgets, and a lock between them: every order of their calls, of time and faults.

use std::vec::Vec;

use beryl_abi::call::FOREVER;
use beryl_abi::{CallNumber, Duration, Fault, FaultKind, Instant, ProcessId, ThreadId};
use beryl_syscode::Instruction::{Future, Release, Return};

use super::{Happening, MEMORY, Place as Point, Scene, explore};
use crate::scheduling::budget::{Funds, end};
use crate::scheduling::thread::Phase;
use crate::table::{Optional as _, Table as _};
use crate::{
    Band, Budget, Call, ComesBack, Event, Mailbox, OnFault, OnSpent, Place, Policy, Process, Program,
    ReportId, Semaphore, SemaphoreKind, System, Thread, ThreadKind, Watched, sizes,
};

sizes! {
    struct Paid {
        threads: 4, processes: 2, bands: 1, slots: 2, drivers: 1, programs: 1, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1, budgets: 4, reports: 2
    }
}

const TASK: usize = 0;
const SERVER: usize = 1;

/// Thread 0 is a task, released every 9 ticks, whose jobs end after 2, and 2 more in a section. Thread 1 may
/// use 3 ticks in 7, and is lowered below 2 then. Thread 3 idles.
fn system(reaction: OnSpent) -> System<Paid> {
    const CODE: [u32; 3] = [
        Release { task: ThreadId(0), deadline: 0 }.encode(),
        Future { delay: 0, address: 0 }.encode(),
        Return {}.encode(),
    ];
    let thread = |kind, place| Thread { kind, process: ProcessId(1), place, ..Thread::NONE };
    let mut system = System::<Paid> {
        threads: [
            thread(ThreadKind::Task, Place::fixed(5)),
            thread(ThreadKind::Free, Place::Fixed { priority: 4, least: 1, most: 4 }),
            thread(ThreadKind::Free, Place::fixed(2)),
            Thread { process: ProcessId(0), ..thread(ThreadKind::Idle, Place::fixed(0)) },
        ],
        processes: [Process { on_fault: OnFault::StopThread, ..Process::NONE }; 2],
        bands: [Band { policy: Policy::Fixed }],
        semaphores: [Semaphore { processes: u32::MAX, kind: SemaphoreKind::Binary { word: 0 } }],
        programs: [Program {
            code: &CODE,
            durations: const { &[Duration::from_ticks(9)] },
            start: 0,
            ..Program::NONE
        }],
        ..System::empty()
    };
    system.budgets[TASK] = Budget { amount: 2, hold: 2, reaction, ..Budget::NONE };
    // Whoever receives hears of the task's overruns and faults.
    system.mailboxes =
        [Mailbox { receivers: u32::MAX, base: MEMORY, length: 8, capacity: 2, ..Mailbox::NONE }];
    system.watched[TASK] = Watched { reports: [ReportId(0), ReportId(1), ReportId::NONE, ReportId::NONE] };
    let comes_back = ComesBack::Every(7);
    system.budgets[SERVER] =
        Budget { amount: 3, hold: 1, comes_back, reaction: OnSpent::Lower, ..Budget::NONE };
    system.ranked()
}

/// What may come next: the alarm when it is due, or a tick later; a call at once, or two ticks later.
fn events(point: &Point<Paid>) -> Vec<Happening> {
    let fault = Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 });
    if point.again {
        return [(0, Event::Alarm), (1, Event::Alarm), (0, Event::Continue)].into();
    }
    let clock = &point.kernel.machine;
    let due = clock.alarm.since(clock.now).ticks();
    let calls = [
        (CallNumber::SemaphoreWait, FOREVER),
        (CallNumber::SemaphoreSignal, 0),
        (CallNumber::Complete, 0),
        (CallNumber::Yield, 0),
        (CallNumber::MailboxReceive, FOREVER),
    ];
    let call = |(number, last): (CallNumber, u32)| {
        Event::Call(Call { number: number as u32, arguments: [0, 0, 0, last] })
    };
    let alarms = [(due, Event::Alarm), (due + 1, Event::Alarm), (0, fault)].into_iter();
    let calls = calls.into_iter().flat_map(|number| [0, 2].map(|ticks| (ticks, call(number))));
    let calls = calls.filter(|(ticks, _)| *ticks <= due);
    alarms.filter(|_| clock.alarm != Instant::NEVER).chain(calls).collect()
}

/// Who pays is the place in which the running thread runs, and nobody runs on what isn't there.
fn check(point: &Point<Paid>) {
    let (state, system) = (&point.kernel.state, point.kernel.machine.system);
    if point.again {
        return;
    }
    let payment = state.payment[0];
    assert!(!payment.spent.is_some() && !payment.raised.is_some(), "something is left to deal with");
    assert!(!state.has_reports_to_send(), "something is left to tell");
    let first = state.bands.first();
    let pays = state.budgets.get(first.index()).is_some_and(|budget| budget.pays());
    assert_eq!(payment.payer, first, "who pays");
    assert_eq!(state.end_of_chain(system, first), state.running(), "no ceilings, no drivers");
    let clock = &point.kernel.machine;
    if pays {
        let is_own = first == state.running();
        let row = system.budgets[first.index()];
        let budget = state.budgets[first.index()];
        let end = end(budget.allowed_of(|| budget.balance(), || row.hold, is_own), state.since);
        let end = clock.now.nearest(end);
        assert!(clock.alarm <= end.max(clock.now), "nobody looks when the budget ends, at {end:?}");
        let used = row.amount.wrapping_sub(budget.balance() as u32);
        assert!(used <= row.amount + row.hold + 20, "{used} were used");
    }
    for (index, budget) in state.budgets.iter().enumerate() {
        let phase = state.threads.at(index).phase();
        let asks = state.threads.at(index).own.caller() == crate::scheduling::caller::Caller::ASK;
        assert!(index > SERVER || asks == (budget.funds() == Funds::Holding), "{index} is asked everything");
        assert!(phase != Phase::Spent || budget.funds() == Funds::Spent, "{index} was ended with a budget");
    }
}

#[test]
fn every_order_of_events_leaves_budgets_consistent() {
    for (reaction, depth) in [(OnSpent::EndJob, 6), (OnSpent::Tell, 5), (OnSpent::Stop, 5)] {
        let places =
            explore(system(reaction), depth, &Scene { events: &events, check: &check, bound: &|_| 60 });
        assert!(places > 2_000, "only {places} places were visited");
    }
}
