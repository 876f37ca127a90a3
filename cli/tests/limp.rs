//! A planner that is given up when it is late, and a log that goes on: what happens at logical instants, in
//! the simulator and on the board.

use std::sync::LazyLock;

use beryl_abi::{Instant, ThreadId};
use beryl_trace::jobs::History;
use beryl_trace::{Event, Happening, Names, decode};
use common::{Ran, beryl, change, copy, example, folder, left, left_text, lock, root};

mod common;

const BOARD: &str = "mps2-an385";
const LAST_LINE: &str =
    "limp: 10 actuator writes, identical on sim and mps2-an385; 2 deadline misses, 1 overrun, 1 lost release";

/// What a run of 120 ms said, all that happened at logical instants, and how long the third plan worked, in nanoseconds.
struct Run {
    ran: Ran,
    happened: Vec<String>,
    planned: u64,
}

static SIMULATED: LazyLock<Run> = LazyLock::new(|| Run::of(&example("limp"), "limp", "sim", "sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| Run::of(&example("limp"), "limp", "run", BOARD));

impl Run {
    fn of(system: &str, name: &str, command: &str, machine: &str) -> Run {
        let _lock = lock(name);
        let ran = beryl(&[command, system, "--for", "120ms"]);
        let names = Names::parse(&left_text(name, "names.json")).expect("names");
        let events = decode(&left(name, &format!("{machine}.trace"))).expect("a whole trace");
        let plan = |thread: &ThreadId| names.thread(*thread) == "plan";
        let history = History::of(&events);
        let third = history.jobs.iter().filter(|job| plan(&job.task)).nth(2).expect("a third plan");
        let planned = names.tick.logical(Instant::from_ticks(third.executed.ticks())).nanoseconds();
        Run { ran, happened: events.iter().filter_map(|event| happened(event, &names)).collect(), planned }
    }

    /// What happened from one millisecond on, up to another one, that one not included.
    fn between(&self, from: u64, to: u64) -> Vec<&str> {
        let is_inside = |line: &&str| {
            let at = line.split(' ').next().and_then(|at| at.parse::<u64>().ok());
            at.is_some_and(|at| (from..to).contains(&at))
        };
        self.happened.iter().map(String::as_str).filter(is_inside).collect()
    }
}

/// An event as a line, if it has a logical instant: the millisecond, then what.
fn happened(event: &Event, names: &Names) -> Option<String> {
    let at = |instant: Instant| {
        let nanoseconds = names.tick.logical(instant).nanoseconds();
        assert_eq!(nanoseconds % 1_000_000, 0, "instants of this timing program are whole milliseconds");
        nanoseconds / 1_000_000
    };
    Some(match &event.happening {
        Happening::Release { task, instant, deadline } => {
            format!("{} release {} by {}", at(*instant), names.thread(*task), at(*deadline))
        }
        Happening::Driver { driver, instant, value } => {
            let number = value.as_slice().first_chunk().map(|bytes| i32::from_le_bytes(*bytes));
            format!("{} {} = {}", at(*instant), names.driver(*driver), number.expect("four bytes"))
        }
        Happening::Violation { task, instant } => {
            format!("{} violation {}", at(*instant), names.thread(*task))
        }
        Happening::Miss { task, deadline } => format!("{} miss {}", at(*deadline), names.thread(*task)),
        Happening::Skip { program, instant } => format!("{} skip {}", at(*instant), names.program(*program)),
        _ => return None,
    })
}

/// What happens when the third plan isn't done.
const GIVEN_UP: [&str; 23] = [
    // drive, as ever
    "40 publish plan = 20",
    "40 publish log = 4",
    "40 motor = 20",
    "40 release plan by 60",
    "40 plan.speed to log = 20",
    "40 release log by 50",
    "50 publish log = 5",
    "50 plan.speed to log = 20",
    "50 release log by 60",
    // the outputs of the third plan are due
    "60 violation plan",
    "60 initial plan.speed = 0",
    "60 brake = 1",
    "60 publish log = 6",
    // the same instant's update has the new value
    "60 motor = 0",
    // the switch; its job is stopped, and limp doesn't release it
    "60 release creep by 70",
    "60 creep.speed to log = 1",
    "60 release log by 70",
    "70 publish creep = 1",
    "70 publish log = 7",
    "70 motor = 1",
    "70 release creep by 80",
    "70 creep.speed to log = 1",
    "70 release log by 80",
];

#[test]
fn a_late_plan_is_given_up_for_values_that_are_safe_and_another_mode() {
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.between(40, 80), GIVEN_UP);
    }
}

/// The budget ends the job long before its outputs are due; what is done about that is done when they are.
#[test]
fn a_plan_whose_budget_is_used_up_switches_the_mode_where_it_would_have_been_due() {
    let system = folder().join("systems/limp_budget");
    copy(&root().join("examples/limp"), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"limp\"", "name = \"limp_budget\"");
    change(&description, "application = \"app\"", "application = \"../../../../examples/limp/app\"");
    change(&description, "on_miss = { outputs", "on_overrun = \"end-job\"\non_miss = { outputs");
    let system = system.display().to_string();
    let proof = beryl(&["check", &system]).ended(0);
    assert!(proof.contains("enforced: no job of `plan` takes longer than its worst"), "{proof}");
    for (command, machine) in [("sim", "sim"), ("run", BOARD)] {
        let run = Run::of(&system, "limp_budget", command, machine);
        assert_eq!(run.between(40, 80), GIVEN_UP);
        assert_eq!(run.happened, SIMULATED.happened);
        assert!((2_000_000..2_200_000).contains(&run.planned), "{}", run.planned);
        assert!(SIMULATED.planned > 15_000_000, "{}", SIMULATED.planned);
    }
}

#[test]
fn a_late_line_of_the_log_comes_a_period_later() {
    let expected = [
        "80 publish creep = 1",
        // its output, its input and its release are left out
        "80 violation log",
        "80 motor = 1",
        "80 release creep by 90",
        "80 violation log",
        "80 violation log",
        // it completes between the two instants
        "80 miss log",
        "90 publish creep = 1",
        "90 publish log = 8",
        "90 motor = 1",
        "90 release creep by 100",
        "90 creep.speed to log = 1",
        "90 release log by 100",
    ];
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.between(80, 100), expected);
    }
}

#[test]
fn board_and_simulator_agree_on_all_that_has_a_logical_instant() {
    assert_eq!(SIMULATED.happened, ON_BOARD.happened);
    assert_eq!(ON_BOARD.ran.out.lines().last(), Some(LAST_LINE), "{:?}", ON_BOARD.ran);
}

#[test]
fn what_becomes_of_late_jobs_is_told_once() {
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        let told: Vec<_> =
            run.ran.out.lines().filter(|line| line.contains("ms: time-safety violation: ")).collect();
        let expected = [
            "60 ms: time-safety violation: `plan` hadn't completed; its job was stopped, nothing of it published",
            "80 ms: time-safety violation: `log` hadn't completed; its job goes on, nothing of it published",
        ];
        assert_eq!(told, expected);
    }
}

#[test]
fn the_system_is_accepted_since_nothing_may_be_late() {
    let said = beryl(&["check", &example("limp")]).ended(0);
    assert!(said.contains("modes are counted one after the other"), "{said}");
}
