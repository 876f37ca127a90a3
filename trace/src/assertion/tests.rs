//! Each assertion holds on a run made for it, and fails once that run is changed slightly.

use beryl_abi::{DriverId, Line};

use super::*;
use crate::{DriverName, Form, ThreadKind, ThreadName, Tick, ValueType};

const TASK: ThreadId = ThreadId(0);
const IDLE: ThreadId = ThreadId(1);

fn names() -> Names {
    let thread = |name: &str, kind| ThreadName {
        name: name.into(),
        process: "p".into(),
        kind,
        declared: None,
        goes_on: false,
        stopped_after: None,
        shares: false,
        late: Default::default(),
    };
    let driver = |name: &str, kind| DriverName { name: name.into(), kind, value: ValueType::Int };
    Names {
        form: Form,
        system: "s".into(),
        board: String::new(),
        tick: Tick::new(1_000_000, 1).expect("not zero"),
        processes: vec!["p".into()],
        threads: vec![thread("task", ThreadKind::Task), thread("idle", ThreadKind::Idle)],
        drivers: vec![
            driver("gps", crate::DriverKind::Sensor),
            driver("rotor", crate::DriverKind::Actuator),
            driver("copy", crate::DriverKind::Copy),
        ],
        programs: vec![],
        objects: Default::default(),
        modes: Default::default(),
        ports: Default::default(),
        states: Vec::new(),
        assertions: vec![],
        depths: vec![],
        units: Default::default(),
    }
}

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn event(ticks: u64, happening: Happening) -> Event {
    Event { time: at(ticks), happening }
}

fn driver(number: u16, instant: u64, ticks: u64) -> Event {
    event(ticks, Happening::Driver { driver: DriverId(number), instant: at(instant), value: vec![] })
}

/// Two jobs of 3 and 5 ticks, with the sensor before each and the actuator after it.
fn run() -> Vec<Event> {
    let mut events = Vec::new();
    for (start, length) in [(0, 3), (20, 5)] {
        events.extend([
            driver(0, start, start),
            event(start, Happening::Release { task: TASK, instant: at(start), deadline: at(start + 10) }),
            event(start, Happening::Switch { from: IDLE, to: TASK }),
            event(start + length, Happening::Complete { task: TASK }),
            event(start + length, Happening::Switch { from: TASK, to: IDLE }),
            driver(1, start + 10, start + 10),
        ]);
    }
    events
}

fn verdict(assertion: Assertion, events: &[Event]) -> Verdict {
    let (names, history) = (names(), History::of(events));
    Asserted::from(assertion).check(Evidence { events, history: &history, names: &names })
}

fn most(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

fn point(text: &str) -> Point {
    Point::named(text, &names()).expect(text)
}

/// It holds with this limit and fails with one less.
fn assert_limit(of: impl Fn(Duration) -> Assertion, limit: u64, checked: usize, broken: &str) {
    let held = verdict(of(most(limit)), &run());
    assert!(held.holds(), "{held:?}");
    assert_eq!((held.checked, held.most), (checked, Some(most(limit))));
    let failed = verdict(of(most(limit - 1)), &run());
    assert!(!failed.holds());
    assert_eq!(failed.first.map(|(at, how)| format!("{} {how}", at.ticks())).as_deref(), Some(broken));
}

#[test]
fn every_limit_is_exact() {
    let (gps, rotor) = (point("gps"), point("rotor"));
    assert_limit(
        |most| Assertion::Response { task: TASK, most },
        5,
        2,
        "20 the job took 5 ms, more than 4 ms",
    );
    assert_limit(
        |most| Assertion::Jitter { of: point("task"), most },
        2,
        2,
        "20 delays differ by 2 ms, more than 1 ms",
    );
    assert_limit(
        |most| Assertion::Latency { from: gps, to: rotor, most },
        10,
        2,
        "0 it came after 10 ms, more than 9 ms",
    );
    assert_limit(
        |most| Assertion::Age { of: gps, at: rotor, most },
        10,
        2,
        "10 the last one is old by 10 ms, more than 9 ms",
    );
}

#[test]
fn what_never_comes_breaks_a_latency_and_a_response() {
    let mut events = run();
    events.retain(|event| !matches!(event.happening, Happening::Driver { driver: DriverId(1), .. }));
    events.push(event(40, Happening::Stray { line: Line(1) }));
    let latency = Assertion::Latency { from: point("gps"), to: point("rotor"), most: most(30) };
    assert_eq!(
        verdict(latency, &events).first,
        Some((at(0), "it hasn't come after 40 ms, more than 30 ms".into()))
    );
    let open = [
        event(0, Happening::Release { task: TASK, instant: at(0), deadline: at(9) }),
        event(8, Happening::Stray { line: Line(1) }),
    ];
    let response = |limit| verdict(Assertion::Response { task: TASK, most: most(limit) }, &open);
    assert_eq!(response(7).first, Some((at(0), "the job isn't done after 8 ms, more than 7 ms".into())));
    assert_eq!((response(8).checked, response(8).holds()), (0, false), "nothing can be said yet");
    let stopped = [open[0].clone(), event(9, Happening::Violation { task: TASK, instant: at(9) })];
    assert_eq!(verdict(Assertion::Response { task: TASK, most: most(99) }, &stopped).broken, 1);
}

#[test]
fn order_wants_one_before_each() {
    let order =
        |first, second| verdict(Assertion::Order { first: point(first), second: point(second) }, &run());
    assert!(order("gps", "rotor").holds() && order("start of task", "task").holds());
    assert!(order("release of task", "start of task").holds(), "at one instant the first is earlier");
    assert_eq!(order("rotor", "gps").first, Some((at(0), "nothing of the first kind came before it".into())));
}

#[test]
fn what_must_never_happen_is_found() {
    let never = |what, of, events: &[Event]| verdict(Assertion::Never { what, of }, events);
    let mut events = run();
    assert!(Trouble::NAMES.iter().all(|(_, what)| never(*what, None, &events).holds()));
    events.extend([
        event(40, Happening::Release { task: TASK, instant: at(40), deadline: at(50) }),
        event(51, Happening::Complete { task: TASK }),
        event(51, Happening::Miss { task: TASK, deadline: at(50) }),
    ]);
    let found = never(Trouble::Miss, Some(TASK), &events);
    assert_eq!(found.first, Some((at(50), "task: deadline missed, completed 1 ms late".into())));
    assert!(
        never(Trouble::Miss, Some(IDLE), &events).holds() && never(Trouble::Fault, None, &events).holds()
    );
}

#[test]
fn what_nothing_is_called_is_refused() {
    let error = Point::named("copy", &names()).expect_err("a copy can't be seen from outside").to_string();
    assert_eq!(error, "there is no task, sensor or actuator `copy`; there are task, gps, rotor");
    assert!(Point::named("release of gps", &names()).is_err());
}

/// The chain to a breach: for points, the events between them; for jobs, the threads that had the processor.
#[test]
fn the_chain_leads_to_where_it_was_broken() {
    let (names, events) = (names(), run());
    let history = History::of(&events);
    let evidence = Evidence { events: &events, history: &history, names: &names };
    let chain = |assertion: Assertion| {
        let (first, _) = Asserted::from(assertion).check(evidence).first.expect("broken");
        assertion.chain(first, evidence)
    };
    let most = Duration::from_ticks(2);
    let [gps, rotor] = [0, 1].map(|signal| Point::Signal(crate::SignalId(signal)));
    let between = ["0 ms  gps", "0 ms  task is released", "3 ms  task is done", "10 ms  rotor"];
    assert_eq!(chain(Assertion::Latency { from: gps, to: rotor, most }), between);
    assert_eq!(chain(Assertion::Age { of: gps, at: rotor, most }), between);
    let job = [
        "task, job 1: in time: done after 3 ms, 7 ms before its deadline; usual are 3 ms",
        "0 ms        released, to be done by 10 ms",
        "0 ms  3 ms  has the processor at once",
        "3 ms        done",
    ];
    assert_eq!(chain(Assertion::Response { task: TASK, most })[..4], job);
    let backwards = Assertion::Order { first: rotor, second: gps };
    assert_eq!(chain(backwards), ["0 ms  gps", "0 ms  task is released"]);
}

/// Points of two nodes, the second of which has ticks ten times as long; its events are ten times as sparse.
#[test]
fn points_of_two_nodes_have_one_time() {
    let (here, mut there) = (names(), names());
    there.tick = Tick::new(10_000_000, 1).expect("not zero");
    // The first node reads its sensor at 0, 50 and 100 ms, the second writes its actuator at 20, 70 and 140 ms.
    let first: Vec<_> = [0, 50, 100].map(|at| driver(0, at, at)).into();
    let second: Vec<_> = [2, 7, 14].map(|at| driver(1, at, at)).into();
    let (of_first, of_second) = (History::of(&first), History::of(&second));
    let nodes = [
        Evidence { events: &first, history: &of_first, names: &here },
        Evidence { events: &second, history: &of_second, names: &there },
    ];
    let across = |says: Says, nodes: [Evidence; 2]| {
        let verdict = Stated { name: "x".into(), says, mode: None }.across(nodes).expect("they are there");
        let seen = |ticks: Duration| ticks.ticks();
        (
            verdict.checked,
            verdict.broken,
            verdict.most.map(seen),
            verdict.first.map(|(at, how)| (at.ticks(), how)),
        )
    };
    let of = |first: &str, second: &str| (first.to_owned(), second.to_owned());
    let latency = |most: u64| {
        let (first, second) = of("gps", "rotor");
        Says::Latency { first, second, most: crate::Nanoseconds::new(most * 1_000_000) }
    };
    // In ms, the ticks of the first.
    assert_eq!(across(latency(40), nodes), (3, 0, Some(40), None));
    let late = Some((100, "it came after 40 ms, more than 39 ms".to_owned()));
    assert_eq!(across(latency(39), nodes), (3, 1, Some(40), late));
    let age = |most: u64| {
        let (first, second) = of("gps", "rotor");
        Says::Age { first, second, most: crate::Nanoseconds::new(most * 1_000_000) }
    };
    // In ticks of 10 ms, those of the second.
    assert_eq!(across(age(40), nodes), (3, 0, Some(4), None));
    let old = Some((14, "the last one is old by 40 ms, more than 30 ms".to_owned()));
    assert_eq!(across(age(30), nodes), (3, 1, Some(4), old));
    let order = |first: &str, second: &str| {
        let (first, second) = of(first, second);
        Says::Order { first, second }
    };
    assert_eq!(across(order("gps", "rotor"), nodes), (3, 0, None, None));
    let early = Some((0, "nothing of the first kind came before it".to_owned()));
    assert_eq!(across(order("rotor", "gps"), [nodes[1], nodes[0]]), (3, 1, None, early));
    assert!(Stated { name: "x".into(), says: order("rotor", "nobody"), mode: None }.across(nodes).is_err());
}
