//! The console as a device server: every line whole and in order, whatever a client does; the same on both
//! machines.

use std::sync::LazyLock;

use beryl_abi::{Fault, FaultKind};
use beryl_trace::{Event, Happening, Names, decode};
use common::{Ran, beryl, example, left, left_text, lock, spoken};

mod common;

const BOARD: &str = "mps2-an385";
const LAST_LINE: &str =
    "console: 0 actuator writes, identical on sim and mps2-an385; 0 deadline misses; 1 fault";
/// The register that the wrong client reaches for.
const DEVICE: u32 = 0x4000_4000;
/// Clients' periods and first releases, ms; lines a job; the last job of the wrong one.
const CLIENTS: [(&str, u64, u64, u64, u64); 3] =
    [("alpha", 200, 0, 1, u64::MAX), ("beta", 300, 50, 5, u64::MAX), ("gamma", 200, 100, 1, 3)];
/// Length of the run, ms.
const LENGTH: u64 = 1_000;

struct Run {
    ran: Ran,
    names: Names,
    events: Vec<Event>,
}

static SIMULATED: LazyLock<Run> = LazyLock::new(|| Run::of(&["sim"], "sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| Run::of(&["run"], BOARD));

impl Run {
    fn of(command: &[&str], machine: &str) -> Run {
        let _lock = lock("console");
        let (example, length) = (example("console"), format!("{LENGTH}ms"));
        let ran = beryl(&[command, &[&example, "--for", &length]].concat());
        assert_eq!(ran.code, Some(1), "a fault makes the exit code 1: {ran:?}");
        Run {
            ran,
            names: Names::parse(&left_text("console", "names.json")).expect("names"),
            events: decode(&left("console", &format!("{machine}.trace"))).expect("a whole trace"),
        }
    }

    /// What stands under a title, up to the first line that isn't a client's.
    fn console(&self, title: &str) -> Vec<String> {
        let lines = self.ran.out.lines().skip_while(|line| *line != title).skip(1);
        let is_said = |line: &&str| CLIENTS.iter().any(|client| line.starts_with(client.0));
        let lines = lines.map(spoken);
        lines.take_while(is_said).map(str::to_owned).collect()
    }

    fn faults(&self) -> Vec<(String, Fault)> {
        let fault = |event: &Event| match event.happening {
            Happening::Fault { thread, fault } => Some((self.names.thread(thread), fault)),
            _ => None,
        };
        self.events.iter().filter_map(fault).collect()
    }

    /// How many jobs of a client were released and completed.
    fn jobs(&self, client: &str) -> (usize, usize) {
        let count = |is_it: &dyn Fn(&Happening) -> bool| {
            self.events.iter().filter(|event| is_it(&event.happening)).count()
        };
        let is_client = |thread| self.names.thread(thread) == client;
        (
            count(&|happening| matches!(happening, Happening::Release { task, .. } if is_client(*task))),
            count(&|happening| matches!(happening, Happening::Complete { task } if is_client(*task))),
        )
    }

    fn troubles(&self) -> usize {
        let is_trouble = |event: &&Event| {
            matches!(
                event.happening,
                Happening::Miss { .. }
                    | Happening::Overrun { .. }
                    | Happening::Stray { .. }
                    | Happening::Violation { .. }
            )
        };
        self.events.iter().filter(is_trouble).count()
    }
}

fn both() -> [(&'static str, &'static Run); 2] {
    [("Simulation", &SIMULATED), ("On mps2-an385", &ON_BOARD)]
}

/// Each job's lines at its release; no two jobs are released so near that the device is still busy.
fn expected() -> Vec<String> {
    let mut lines = Vec::new();
    for (name, period, offset, count, last) in CLIENTS {
        for (job, instant) in
            (1..=last).zip((offset..LENGTH).step_by(usize::try_from(period).expect("small")))
        {
            let said = (1..=count).map(|number| format!("{name} {}", (job - 1) * count + number));
            lines.push((instant, said.collect::<Vec<_>>()));
        }
    }
    lines.sort();
    lines.into_iter().flat_map(|(_, lines)| lines).collect()
}

#[test]
fn every_line_is_whole_and_in_order() {
    for (title, run) in both() {
        assert_eq!(run.console(title), expected(), "{title}");
    }
}

/// In the simulator each line tells when its first byte was handed to the device, by whom: who had lines to
/// say does it by the server.
#[test]
fn each_line_tells_when_it_was_begun_and_by_whom() {
    let lines = SIMULATED.ran.out.lines().skip_while(|line| *line != "Simulation").skip(1);
    let first = lines.clone().next().expect("a line").trim();
    assert_eq!(first, "0 ms server: alpha 1");
    let beta = lines.clone().find(|line| line.ends_with(": beta 1")).expect("a line").trim();
    assert_eq!(beta, "50 ms server: beta 1");
}

/// The device isn't its own: the client is stopped, and its last line comes out all the same.
#[test]
fn the_wrong_client_is_stopped_and_nobody_else() {
    for (title, run) in both() {
        let faults = run.faults();
        let [(name, fault)] = faults.as_slice() else { panic!("{title}: {faults:#x?}") };
        assert_eq!((name.as_str(), fault.kind, fault.address), ("gamma", FaultKind::Data, DEVICE), "{title}");
        assert_eq!(
            ["alpha", "beta", "gamma"].map(|client| run.jobs(client)),
            [(5, 5), (4, 4), (3, 2)],
            "{title}: released and completed"
        );
        assert_eq!(run.troubles(), 0, "{title}");
    }
}

#[test]
fn the_board_does_what_the_simulator_does() {
    assert_eq!(ON_BOARD.ran.out.lines().last(), Some(LAST_LINE));
}

/// With execution times drawn at random, preemption falls elsewhere, and nothing else changes.
#[test]
fn random_times_do_not_show() {
    for seed in ["1", "2", "3"] {
        let run = Run::of(&["sim", "--times", "random", "--seed", seed], "sim");
        assert_eq!(run.console("Simulation"), expected(), "seed {seed}");
    }
}
