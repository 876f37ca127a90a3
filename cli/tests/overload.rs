//! Two tasks that don't fit together: refused before they run, and stopped on time by who runs them nevertheless.

use std::sync::LazyLock;

use beryl_abi::{DriverId, Instant};
use beryl_trace::{Happening, Names, decode};
use common::{Ran, assert_recorded, beryl, example, left, left_text, lock};

mod common;

/// How long the run is, in milliseconds.
const LENGTH: u64 = 200;

/// What a run without the proof said and left.
struct Run {
    ran: Ran,
    happened: Vec<(String, Happened)>,
}

/// What became of a task's outputs, by logical instants in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Happened {
    Released(u64),
    Published(u64, i32),
    Violated(u64),
    /// Anything that isn't expected in this run.
    Trouble,
}

use Happened::{Published, Released, Trouble, Violated};

/// One run with worst-case execution times for all tests.
static RUN: LazyLock<Run> = LazyLock::new(|| {
    let _lock = lock("overload");
    let length = format!("{LENGTH}ms");
    let ran = beryl(&["sim", &example("overload"), "--unchecked", "--for", &length]);
    let names = Names::parse(&left_text("overload", "names.json")).expect("names");
    let events = decode(&left("overload", "sim.trace")).expect("a whole trace");
    let happened = events.iter().filter_map(|event| happened(&event.happening, &names)).collect();
    Run { ran, happened }
});

fn happened(happening: &Happening, names: &Names) -> Option<(String, Happened)> {
    let at = |instant: Instant| milliseconds(instant, names);
    Some(match happening {
        Happening::Release { task, instant, .. } => (names.thread(*task), Released(at(*instant))),
        Happening::Violation { task, instant } => (names.thread(*task), Violated(at(*instant))),
        Happening::Driver { driver, instant, value } => {
            let task = publisher(*driver, names)?;
            let number = i32::from_le_bytes(value.as_slice().try_into().expect("four bytes"));
            (task, Published(at(*instant), number))
        }
        Happening::Miss { task, .. } | Happening::Overrun { task } => (names.thread(*task), Trouble),
        Happening::Fault { thread, .. } => (names.thread(*thread), Trouble),
        Happening::Skip { program, .. } => (names.program(*program), Trouble),
        Happening::Stray { line } => (format!("{line:?}"), Trouble),
        Happening::Swap { program, .. } => (names.program(*program), Trouble),
        Happening::Switch { .. }
        | Happening::Complete { .. }
        | Happening::State { .. }
        | Happening::Note(_) => return None,
    })
}

/// The task whose outputs a driver publishes.
fn publisher(driver: DriverId, names: &Names) -> Option<String> {
    names.driver(driver).strip_prefix("publish ").map(str::to_owned)
}

fn milliseconds(instant: Instant, names: &Names) -> u64 {
    let nanoseconds = names.tick.logical(instant).nanoseconds();
    assert_eq!(nanoseconds % 1_000_000, 0, "instants of this timing program are whole milliseconds");
    nanoseconds / 1_000_000
}

/// What happened to one task, in order.
fn of(task: &str) -> Vec<Happened> {
    RUN.happened.iter().filter(|(name, _)| name == task).map(|(_, happened)| *happened).collect()
}

#[test]
fn check_refuses_it_with_the_shortest_run_that_shows_why() {
    let said = beryl(&["check", &example("overload")]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert_recorded("overload/check.txt", &said.everything());
}

#[test]
fn sim_refuses_it_and_says_how_to_run_it() {
    let _lock = lock("overload");
    let said = beryl(&["sim", &example("overload"), "--for", "200ms"]).ended(1);
    let lines: Vec<_> = said.lines().collect();
    assert!(lines.contains(&"Not time-safe"), "{said}");
    assert_eq!(lines.last(), Some(&"  `beryl sim --unchecked` goes on all the same."));
    assert!(!lines.contains(&"Simulation"), "{said}");
}

#[test]
fn violations_are_told() {
    let ran = &RUN.ran;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let told: Vec<_> = ran.out.lines().filter(|line| line.contains("ms: time-safety violation: ")).collect();
    assert_eq!(
        told,
        [
            "80 ms: time-safety violation: `plan` hadn't completed; its job was stopped, nothing of it published",
            "125 ms: time-safety violation: `look` hadn't completed; its job was stopped, nothing of it published",
        ]
    );
}

#[test]
fn the_trace_has_these_violations_and_no_other_trouble() {
    let troubles = RUN.happened.iter().filter(|(_, what)| matches!(what, Violated(_) | Trouble));
    let expected = [("plan".to_owned(), Violated(80)), ("look".to_owned(), Violated(125))];
    assert_eq!(troubles.cloned().collect::<Vec<_>>(), expected);
}

/// Where a logical execution time ends, its job's output is published or its job is stopped: never both, never
/// neither. The job that is released at the same instant takes part again.
#[test]
fn who_was_stopped_publishes_nothing_and_takes_part_again() {
    // The fifth picture is never seen.
    let look = [
        Published(25, 1),
        Published(50, 2),
        Published(75, 3),
        Published(100, 4),
        Violated(125),
        Published(150, 6),
        Published(175, 7),
    ];
    assert_ends("look", 25, &look);
    // The last picture that was published when the job was released; the second job's way is never seen.
    let plan = [Published(40, 0), Violated(80), Published(120, 3), Published(160, 4)];
    assert_ends("plan", 40, &plan);
}

/// Whether the jobs of a task end so, each followed by the release of the next.
fn assert_ends(task: &str, time: u64, ends: &[Happened]) {
    let releases = (0..LENGTH).step_by(usize::try_from(time).expect("a short time")).map(Released);
    let mut expected: Vec<_> = releases.clone().take(1).collect();
    expected.extend(ends.iter().zip(releases.skip(1)).flat_map(|(end, release)| [*end, release]));
    assert_eq!(of(task), expected, "{task}");
}
