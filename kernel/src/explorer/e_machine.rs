//! The E machine: two programs at one instant, a native driver, faults at any point.

use std::vec::Vec;

use beryl_abi::{BandId, CallNumber, Duration, Fault, FaultKind, Instant, Line, ProcessId, ThreadId};
use beryl_syscode::Instruction::{Call as CallDriver, Future, Release, Return};

use super::{Happening, Place as Point, Scene, explore};
use crate::machine::activity::Activity;
use crate::scheduling::thread::Phase;
use crate::table::Table;
use crate::{
    Band, Call, Driver, DriverKind, Event, OnFault, Place, Policy, Process, Program, System, Thread,
    ThreadKind, sizes,
};

sizes! {
    struct Tiny {
        threads: 5, processes: 3, bands: 2, slots: 2, drivers: 2, programs: 2, triggers: 2,
        semaphores: 1, conditions: 1, mailboxes: 1, endpoints: 1, notifications: 1, interrupts: 1,
        state_messages: 1
    }
}

/// Thread 0 is a task of process 1 in the dynamic band, 1 a task of process 2, 2 a free thread of process 1
/// with the same priority, 3 the driver thread of process 2, 4 the idle thread.
fn system() -> System<Tiny> {
    let thread = |kind, process, band, place| Thread {
        kind,
        process: ProcessId(process),
        band: BandId(band),
        place,
        worst: Duration::from_ticks(4),
        ..Thread::NONE
    };
    let process = |driver_thread, on_fault| Process { driver_thread, on_fault, ..Process::NONE };
    let fixed = Place::fixed;
    let getter = DriverKind::Getter { function: 0, shared: 0, budget: Duration::from_ticks(2) };
    let driver = |kind, process, task| Driver {
        kind,
        process: ProcessId(process),
        task,
        from: 0,
        to: 64,
        length: 40,
        ..Driver::NONE
    };
    const SLOW: [u32; 4] = [
        CallDriver { driver: beryl_abi::DriverId(0) }.encode(),
        Release { task: ThreadId(0), deadline: 0 }.encode(),
        Future { delay: 0, address: 0 }.encode(),
        Return {}.encode(),
    ];
    const FAST: [u32; 4] = [
        CallDriver { driver: beryl_abi::DriverId(1) }.encode(),
        Release { task: ThreadId(1), deadline: 0 }.encode(),
        Future { delay: 0, address: 0 }.encode(),
        Return {}.encode(),
    ];
    System {
        threads: [
            thread(ThreadKind::Task, 1, 0, Place::Dynamic { slot: 0 }),
            thread(ThreadKind::Task, 2, 1, fixed(3)),
            thread(ThreadKind::Free, 1, 1, fixed(3)),
            thread(ThreadKind::Drivers, 2, 1, fixed(0)),
            thread(ThreadKind::Idle, 0, 1, fixed(0)),
        ],
        processes: [
            process(ThreadId::NONE, OnFault::StopProcess),
            process(ThreadId::NONE, OnFault::StopProcess),
            process(ThreadId(3), OnFault::StopThread),
        ],
        bands: [Band { policy: Policy::Dynamic { base: 0, leaves: 2 } }, Band { policy: Policy::Fixed }],
        slots: [ThreadId(0), ThreadId::NONE],
        drivers: [driver(getter, 2, ThreadId::NONE), driver(DriverKind::Copy, 2, ThreadId(1))],
        programs: [
            Program {
                code: &SLOW,
                durations: const { &[Duration::from_ticks(10)] },
                start: 0,
                ..Program::NONE
            },
            Program {
                code: &FAST,
                durations: const { &[Duration::from_ticks(5)] },
                start: 0,
                first_trigger: 1,
                ..Program::NONE
            },
        ],
        ..System::empty()
    }
    .ranked()
}

/// The events that may come next. Time may or may not pass before an event.
fn events(point: &Point<Tiny>) -> Vec<Happening> {
    let call = |number: CallNumber| Event::Call(Call { number: number as u32, arguments: [1, 0, 0, 0] });
    let fault = Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 });
    let anywhere = [(0, Event::Alarm), (0, Event::Interrupt(Line(1))), (0, fault)];
    if point.again {
        return anywhere.into_iter().chain([(1, Event::Alarm), (0, Event::Continue)]).collect();
    }
    let clock = &point.kernel.machine;
    let due = clock.alarm.since(clock.now).ticks();
    let alarms = if clock.alarm == Instant::NEVER { Vec::new() } else { [due, due + 1, due + 6].into() };
    let calls = [CallNumber::Yield, CallNumber::Complete, CallNumber::DriverDone, CallNumber::Stop];
    let events = anywhere.into_iter().chain(alarms.into_iter().map(|due| (due, Event::Alarm)));
    events.chain(calls.map(|number| (0, call(number)))).chain([(3, call(CallNumber::Complete))]).collect()
}

/// What must hold after every step.
fn check(point: &Point<Tiny>) {
    let (state, system) = (&point.kernel.state, point.kernel.machine.system);
    let busy = |index: usize| state.threads.at(index).phase() == Phase::Busy;
    let waited_for = match state.e_machine.activity {
        Activity::Await { thread, .. } => Some(thread),
        _ => None,
    };
    assert_eq!((0..5).find(|index| busy(*index)), waited_for.map(ThreadId::index));
    if point.again {
        return;
    }
    let complete = matches!(state.activity(), Activity::Idle | Activity::Await { .. });
    assert!(complete, "an instant is left unfinished");
    assert_ne!(point.kernel.machine.alarm, Instant::NEVER, "nobody will wake the programs up");
    let running = state.running().index();
    assert!(waited_for == Some(state.running()) || state.threads.at(running).is_ready());
    for (index, thread) in system.threads.iter().enumerate() {
        if state.is_stopped(thread.process) && thread.kind != ThreadKind::Idle {
            assert_eq!(state.threads.at(index).phase(), Phase::Stopped);
            assert_ne!(running, index);
        }
    }
}

/// The most steps that one event may ask for. An activation has 4 instructions and a choice, and its copies
/// take one chunk. Both programs may have to make up for the instants that have passed. In between, a process
/// may have to be stopped, one thread or object at a time.
fn bound(point: &Point<Tiny>) -> usize {
    let clock = &point.kernel.machine;
    let behind = clock.now.since(point.kernel.state.instant()).ticks() as usize;
    let instants = (behind / 5 + 1) + (behind / 10 + 1);
    // a violation makes a task give up its objects
    instants * (4 + 1 + 2 + 3) + 5 * 4 + 2
}

#[test]
fn every_order_of_events_leaves_the_e_machine_consistent() {
    let places = explore(system(), 4, &Scene { events: &events, check: &check, bound: &bound });
    assert!(places > 10_000, "only {places} places were visited");
}
