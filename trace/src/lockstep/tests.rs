//! What may differ between hosts in lockstep, and what may not.

use super::*;
use beryl_abi::{DriverId, ThreadId};

const NAMES: &str = r#"{"system": "s", "tick": {"nanoseconds": 1000000, "ticks": 1}, "processes": [], "programs": [],
    "threads": [{"name": "a", "process": "", "kind": "task"}, {"name": "b", "process": "", "kind": "task"},
    {"name": "idle", "process": "", "kind": "idle"}], "drivers": []}"#;
const A: ThreadId = ThreadId(0);
const B: ThreadId = ThreadId(1);
const IDLE: ThreadId = ThreadId(2);

fn event(ticks: u64, happening: Happening) -> Event {
    Event { time: Instant::from_ticks(ticks), happening }
}

/// `a` is preempted by `b` at 100 and goes on; each step of the kernel takes `cost`.
fn run(cost: u64) -> Vec<Event> {
    let release = |task, instant| Happening::Release {
        task,
        instant: Instant::from_ticks(instant),
        deadline: Instant::from_ticks(instant + 500),
    };
    vec![
        event(cost, release(A, 0)),
        event(100 + cost, release(B, 100)),
        event(100 + 2 * cost, Happening::Switch { from: A, to: B }),
        event(150 + 2 * cost, Happening::Complete { task: B }),
        event(150 + 3 * cost, Happening::Switch { from: B, to: A }),
        event(300 + 3 * cost, Happening::Complete { task: A }),
    ]
}

fn compared(one: &[Event], other: &[Event]) -> Result<InStep, String> {
    let ticks = Duration::from_ticks;
    lockstep(one, other, &Names::parse(NAMES).expect("names"), ticks(2), ticks(310))
}

#[test]
fn times_may_differ_by_what_the_events_before_cost() {
    let in_step = |furthest| Ok(InStep { events: 6, furthest: Duration::from_ticks(furthest) });
    assert_eq!(compared(&run(0), &run(0)), in_step(0));
    assert_eq!(compared(&run(0), &run(2)), in_step(6));
    assert_eq!(compared(&run(2), &run(0)), in_step(6), "whoever is compared with whom");
}

#[test]
fn nothing_may_be_further_apart() {
    assert_eq!(
        compared(&run(0), &run(3)),
        Err("event 1: a released for 0 ms until 500 ms at 0 ms, and on the other at 3 ms: 3 ms apart, where 2 ms may be"
            .to_owned())
    );
    let mut late = run(0);
    late[3].time = Instant::from_ticks(158);
    assert!(compared(&run(0), &late).is_ok(), "the fourth event, and each costs 2");
    late[3].time = Instant::from_ticks(159);
    let said = compared(&run(0), &late).expect_err("late");
    assert!(
        said.starts_with("event 4: b is done at 150 ms") && said.ends_with("9 ms apart, where 8 ms may be"),
        "{said}"
    );
}

/// With an idle processor both are on time again, except for timeouts, which are counted from when they
/// began.
#[test]
fn what_was_late_is_made_up_for_while_there_is_nothing_to_do() {
    let idle = |time| event(time, Happening::Switch { from: A, to: IDLE });
    let next = |time| event(time, Happening::Switch { from: IDLE, to: A });
    let with = |ends: [u64; 2]| {
        [&run(0)[..], &[idle(305), next(ends[0]), event(ends[1], Happening::Complete { task: A })]].concat()
    };
    let reference = with([306, 307]);
    assert!(compared(&reference, &with([308, 309])).is_ok());
    let said = compared(&reference, &with([309, 309])).expect_err("late");
    assert!(
        said.starts_with("event 8: from idle to a") && said.ends_with("3 ms apart, where 2 ms may be"),
        "{said}"
    );
    let mut before = with([309, 309]);
    before[6].time = Instant::from_ticks(306);
    assert!(compared(&reference, &before).is_ok(), "one was as far apart before, and 2 more");
}

/// The negative control: every swap of two neighbouring events is found at its place, and so is every
/// omission.
#[test]
fn no_order_but_one_is_the_same() {
    let reference = run(1);
    for place in 1..reference.len() {
        let mut perturbed = reference.clone();
        let [one, other] = [place - 1, place].map(|place| perturbed[place].happening.clone());
        (perturbed[place - 1].happening, perturbed[place].happening) = (other, one);
        let said = compared(&reference, &perturbed).expect_err("another order");
        assert!(said.starts_with(&format!("event {place}: ")), "{said}");
        perturbed = reference.clone();
        perturbed.remove(place - 1);
        let said = compared(&reference, &perturbed).expect_err("one is missing");
        assert!(said.starts_with(&format!("event {place}: ")), "{said}");
    }
    let preempted_otherwise = [&reference[..2], &[event(102, Happening::Switch { from: B, to: A })]].concat();
    assert_eq!(
        compared(&reference, &preempted_otherwise),
        Err("event 3: from a to b at 102 ms; from b to a at 102 ms".to_owned())
    );
}

/// An interrupt releases a task at 100, by one host's clock, and closes its line for 50; at 200 the task is
/// released by its period.
fn with_moments(came: u64, opened: u64, counted: u64, period: u64) -> Vec<Event> {
    let release = |instant: u64| Happening::Release {
        task: B,
        instant: Instant::from_ticks(instant),
        deadline: Instant::from_ticks(instant + 80),
    };
    let line = beryl_abi::Line(4);
    vec![
        event(came, Happening::Note(beryl_abi::DecodedNote::Interrupt { thread: ThreadId::NONE, line })),
        event(came, release(came)),
        event(came + 1, Happening::Switch { from: A, to: B }),
        event(opened, release(counted)),
        event(opened + 1, Happening::Switch { from: A, to: B }),
        event(200, release(period)),
    ]
}

#[test]
fn instants_may_differ_by_a_moment_and_by_nothing_else() {
    let reference = with_moments(100, 150, 150, 200);
    let said = |other: &[Event]| compared(&reference, other).map(|in_step| in_step.events);
    assert_eq!(said(&with_moments(101, 151, 151, 200)), Ok(6), "the moment, and what is counted from it");
    let cases = [
        (with_moments(103, 153, 153, 200), "event 1: "),
        (
            with_moments(100, 150, 151, 200),
            "event 4: b released for 150 ms until 230 ms at 150 ms; b released for 151 ms",
        ),
        (with_moments(101, 151, 152, 200), "event 4: b released for 150 ms"),
        (with_moments(100, 150, 150, 201), "event 6: b released for 200 ms"),
        // The direction matters: a host that is earlier differs from one that is later.
        (with_moments(101, 151, 149, 200), "event 4: b released for 150 ms"),
    ];
    for (other, expected) in cases {
        let said = said(&other).expect_err(expected);
        assert!(said.starts_with(expected), "{said}");
    }
    // Something else happens between the interrupt and the release, so it isn't a moment.
    let mut late = with_moments(101, 151, 151, 200);
    let mut apart = reference.clone();
    for events in [&mut late, &mut apart] {
        events.swap(1, 2);
        events[1].time = events[0].time;
    }
    let said = compared(&apart, &late).expect_err("no moment");
    assert!(said.starts_with("event 3: b released for 100 ms until 180 ms"), "{said}");
}

#[test]
fn only_the_very_end_may_be_missing() {
    let ends = |one: u64, other: &[Event]| {
        let mut events = run(1);
        events[5].time = Instant::from_ticks(one);
        compared(&events, other)
    };
    // The run ends at 310, and five events and the next one may be 12 apart.
    let five = &run(1)[..5];
    assert_eq!(ends(298, five), Ok(InStep { events: 5, furthest: Duration::ZERO }));
    let said = ends(297, five).expect_err("too early");
    assert_eq!(said, "event 6: a is done at 297 ms; nothing on the other any more");
}

/// On a board the used time includes the kernel's part: it may differ as much as the times, but the thread
/// must be the same.
#[test]
fn budgets_are_used_up_with_the_kernels_part_or_without() {
    let used = |task, driver, ticks| {
        let used = Duration::from_ticks(ticks);
        vec![event(100, Happening::Note(beryl_abi::DecodedNote::Budget { thread: task, driver, used }))]
    };
    let reference = used(A, None, 50);
    assert!(compared(&reference, &used(A, None, 52)).is_ok());
    assert!(compared(&used(A, None, 52), &reference).is_ok());
    let cases = [
        (used(A, None, 53), "event 1: a has used up the budget at 100 ms, after 50 ms and 53 ms"),
        (
            used(B, None, 50),
            "event 1: a has used up the budget at 100 ms; b has used up the budget at 100 ms",
        ),
    ];
    for (other, expected) in cases {
        assert_eq!(compared(&reference, &other), Err(expected.to_owned()));
    }
    let of = compared(&reference, &used(A, Some(DriverId(0)), 50)).expect_err("a driver's");
    assert!(of.contains("budget of "), "{of}");
}
