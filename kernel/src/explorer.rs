//! An explorer of a small system: every order of a few events, to a depth, and what must hold in
//! every state that it comes to.

use std::collections::{HashSet, VecDeque};
use std::vec::Vec;

use beryl_abi::{BandId, CallNumber, Duration, Fault, FaultKind, Instant, Line, ProcessId, Record, ThreadId};
use beryl_syscode::Instruction::{Call as CallDriver, Future, Release, Return};

use crate::reactions::Activity;
use crate::sizes::Table;
use crate::state::Phase;
use crate::{
    Band, Call, Driver, DriverKind, Event, Machine, OnFault, Policy, Process, Program, State, Switch, System,
    Thread, ThreadKind, handle, sizes,
};

sizes! {
    struct Tiny {
        threads: 5, processes: 3, bands: 2, slots: 2, fixed: 1, drivers: 2, programs: 2, triggers: 2
    }
}

/// Thread 0 is a task of process 1 in the dynamic band, 1 a task of process 2, 2 a free thread of
/// process 1 with the same priority, 3 the driver thread of process 2, 4 idles.
fn system() -> System<Tiny> {
    let thread = |kind, process, band, place| Thread {
        kind,
        process: ProcessId(process),
        band: BandId(band),
        place,
        worst: Duration::from_ticks(4),
        on_completion: None,
    };
    let process = |driver_thread, on_fault| Process { driver_thread, on_fault };
    let getter = DriverKind::Getter { function: 0, budget: Duration::from_ticks(2) };
    let driver =
        |kind, process, task| Driver { kind, process: ProcessId(process), task, from: 0, to: 64, length: 40 };
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
            thread(ThreadKind::Task, 1, 0, 0),
            thread(ThreadKind::Task, 2, 1, 3),
            thread(ThreadKind::Free, 1, 1, 3),
            thread(ThreadKind::Drivers, 2, 1, 0),
            thread(ThreadKind::Idle, 0, 1, 0),
        ],
        processes: [
            process(ThreadId::NONE, OnFault::StopProcess),
            process(ThreadId::NONE, OnFault::StopProcess),
            process(ThreadId(3), OnFault::StopThread),
        ],
        bands: [
            Band { policy: Policy::Dynamic { base: 0, leaves: 2 } },
            Band { policy: Policy::Fixed { queue: 0 } },
        ],
        slots: [ThreadId(0), ThreadId::NONE],
        drivers: [driver(getter, 2, ThreadId::NONE), driver(DriverKind::Copy, 2, ThreadId(1))],
        programs: [
            Program { code: &SLOW, durations: const { &[Duration::from_ticks(10)] }, start: 0 },
            Program { code: &FAST, durations: const { &[Duration::from_ticks(5)] }, start: 0 },
        ],
    }
}

/// A clock and an alarm, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Clock {
    now: Instant,
    alarm: Instant,
}

impl Machine for Clock {
    fn now(&mut self) -> Instant {
        self.now
    }
    fn arm(&mut self, instant: Instant) {
        self.alarm = instant;
    }
    fn copy(&mut self, _from: u32, _to: u32, length: u32) {
        assert!(length <= State::<Tiny>::CHUNK);
    }
    fn result(&mut self, thread: ThreadId, _values: [u32; 2]) {
        assert!(thread.index() < 5);
    }
    fn restart(&mut self, thread: ThreadId) {
        assert!(thread.index() < 5);
    }
    fn mask(&mut self, _line: Line) {}
    fn unmask(&mut self, _line: Line) {}
    fn trace(&mut self, _record: Record) {}
}

/// A place in the exploration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    state: State<Tiny>,
    clock: Clock,
    /// The kernel's last answer was `Again`.
    again: bool,
}

/// What may happen next. Time may pass, or not, before an event.
fn events(place: &Place) -> Vec<(u64, Event)> {
    let call = |number: CallNumber| Event::Call(Call { number: number as u32, arguments: [1, 0, 0] });
    let fault = Event::Fault(Fault { kind: FaultKind::Data, address: 0, instruction: 0 });
    let anywhere = [(0, Event::Alarm), (0, Event::Interrupt(Line(1))), (0, fault)];
    if place.again {
        return anywhere.into_iter().chain([(1, Event::Alarm), (0, Event::Continue)]).collect();
    }
    let due = place.clock.alarm.since(place.clock.now).ticks();
    let alarms =
        if place.clock.alarm == Instant::NEVER { Vec::new() } else { [due, due + 1, due + 6].into() };
    let calls = [CallNumber::Yield, CallNumber::Complete, CallNumber::DriverDone, CallNumber::Stop];
    let events = anywhere.into_iter().chain(alarms.into_iter().map(|due| (due, Event::Alarm)));
    events.chain(calls.map(|number| (0, call(number)))).chain([(3, call(CallNumber::Complete))]).collect()
}

fn follow(system: &System<Tiny>, place: &Place, (passed, event): (u64, Event)) -> Place {
    let mut next = place.clone();
    next.clock.now = next.clock.now.after(Duration::from_ticks(passed));
    if event == Event::Alarm {
        next.clock.alarm = Instant::NEVER;
    }
    let answer = handle(&mut next.state, system, event, &mut next.clock);
    next.again = answer == Switch::Again;
    match answer {
        Switch::To(thread) => assert_eq!(thread, next.state.running),
        Switch::Stay => assert!(!next.state.displaced, "the running thread goes on without registers"),
        Switch::Again => {}
    }
    // clocks stay small here, so that moments compare as instants do
    assert!(next.clock.now.moment().since(next.state.since) <= next.clock.now.since(Instant::START));
    assert!(place.state.instant() <= next.state.instant(), "logical time goes back");
    next
}

/// What holds after every step.
fn check(system: &System<Tiny>, place: &Place) {
    let state = &place.state;
    state.bands.assert_consistent(system, &state.threads);
    let busy = |index: usize| state.threads.at(index).phase == Phase::Busy;
    let waited_for = match state.reactions.activity {
        Activity::Await { thread, .. } => Some(thread),
        _ => None,
    };
    assert_eq!((0..5).find(|index| busy(*index)), waited_for.map(ThreadId::index));
    if place.again {
        return;
    }
    assert!(
        matches!(state.activity(), Activity::Idle | Activity::Await { .. }),
        "an instant is left unfinished"
    );
    assert_eq!(state.stopping, None);
    assert_ne!(place.clock.alarm, Instant::NEVER, "nobody will wake the programs up");
    let running = state.running.index();
    assert!(waited_for == Some(state.running) || state.threads.at(running).phase == Phase::Ready);
    for (index, thread) in system.threads.iter().enumerate() {
        if state.is_stopped(thread.process) && thread.kind != ThreadKind::Idle {
            assert_eq!(state.threads.at(index).phase, Phase::Stopped);
            assert_ne!(running, index);
        }
    }
}

/// The most steps that one event may ask for. An activation has 4 instructions and a choice, its
/// copies two chunks; both programs may have to make up for the instants that have passed; in
/// between a process may have to be stopped, a thread a step.
fn bound(place: &Place) -> usize {
    let behind = place.clock.now.since(place.state.instant()).ticks() as usize;
    let instants = (behind / 5 + 1) + (behind / 10 + 1);
    instants * (4 + 1 + 2) + 5 + 2
}

/// Without disturbance every event comes to an end in bounded steps.
fn assert_ends(system: &System<Tiny>, place: &Place) {
    let mut place = place.clone();
    let bound = bound(&place);
    for _ in 0..bound {
        if !place.again {
            return;
        }
        place = follow(system, &place, (0, Event::Continue));
    }
    panic!("more than {bound} steps: {place:?}");
}

#[test]
fn every_order_of_events_leaves_the_kernel_consistent() {
    const DEPTH: usize = 6;
    let system = system();
    let clock = Clock { now: Instant::START, alarm: Instant::NEVER };
    let new = Place { state: State::new(&system), clock, again: false };
    let start = follow(&system, &new, (0, Event::Start));
    let mut known = HashSet::from([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((place, depth)) = queue.pop_front() {
        for event in events(&place) {
            let goes_on = event.1 == Event::Continue;
            if depth == DEPTH && !goes_on {
                continue;
            }
            let next = follow(&system, &place, event);
            if !known.insert(next.clone()) {
                continue;
            }
            check(&system, &next);
            assert_ends(&system, &next);
            // steps of an event cost no depth: they come before everything of the next depth
            if goes_on {
                queue.push_front((next, depth));
            } else {
                queue.push_back((next, depth + 1));
            }
        }
    }
    assert!(known.len() > 10_000, "only {} places were visited", known.len());
    std::println!("{} places", known.len());
}
