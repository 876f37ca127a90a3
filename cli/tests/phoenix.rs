//! A process that begins anew after a fault: the same in the simulator and on the board, and nobody else is late.

use std::path::Path;
use std::sync::LazyLock;

use beryl_abi::{DecodedNote, Instant};
use beryl_trace::{Event, Happening};
use common::run::Run;
use common::{beryl, change, copy, example, folder, lock};

mod common;

static SIMULATED: LazyLock<Run> = LazyLock::new(|| run_of("sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| run_of("run"));

fn run_of(command: &str) -> Run {
    Run::of(command, &example("phoenix"), "phoenix", &["--for", "160ms"])
}

impl Run {
    /// In whole milliseconds.
    fn millisecond(&self, instant: Instant) -> u64 {
        self.at(instant) / 1_000_000
    }

    /// Who faulted when, and what became of it.
    fn fates(&self) -> Vec<String> {
        let fate = |event: &Event| match event.happening {
            Happening::Fault { thread, .. } => {
                Some(format!("{} fault of {}", self.millisecond(event.time) / 10, self.names.thread(thread)))
            }
            Happening::Note(DecodedNote::Restart { process, is_allowed, made }) => {
                let process = self.names.process(process);
                Some(format!("{} {process}: {is_allowed}, {made} in all", self.millisecond(event.time) / 10))
            }
            Happening::Miss { .. } | Happening::Violation { .. } => panic!("{event:?}"),
            _ => None,
        };
        self.events.iter().filter_map(fate).collect()
    }

    /// What each period showed: jobs of `steady`, jobs of `guess`.
    fn shown(&self) -> Vec<[i32; 2]> {
        let written = |event: &Event| match &event.happening {
            Happening::Driver { driver, value, .. } if self.names.driver(*driver) == "counts" => {
                let words =
                    value.chunks_exact(4).map(|word| i32::from_le_bytes(word.try_into().expect("four")));
                words.collect::<Vec<_>>().try_into().ok()
            }
            _ => None,
        };
        self.events.iter().filter_map(written).collect()
    }
}

#[test]
fn it_begins_anew_twice_and_then_stays_stopped_and_nobody_is_late() {
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        assert_eq!(
            run.fates(),
            [
                "2 fault of guess",
                "2 guess: true, 1 in all",
                "5 fault of guess",
                "5 guess: true, 2 in all",
                "8 fault of guess",
                "8 guess: false, 2 in all",
            ]
        );
    }
}

#[test]
fn its_ports_are_as_at_the_start_and_the_others_go_on() {
    for run in [&SIMULATED, &ON_BOARD] {
        // A count needs one period from task to task. After a fault `guess` counts from 0 again; when it stays
        // stopped, what it published last stands.
        let guess = [0, 0, 1, 2, 0, 1, 2, 0, 1, 2, 2, 2, 2, 2, 2, 2];
        let shown: Vec<_> = (0..).zip(guess).map(|(steady, guess)| [steady, guess]).collect();
        assert_eq!(run.shown(), shown);
    }
}

#[test]
fn both_machines_show_the_same() {
    let said = &ON_BOARD.ran.out;
    assert!(
        said.contains("phoenix: 16 actuator writes, identical on sim and mps2-an385; 0 deadline misses"),
        "{said}"
    );
    assert!(said.contains("process guess begins anew, once so far"), "{said}");
}

#[test]
fn check_says_what_a_restart_takes_from_others() {
    let said = beryl(&["check", &example("phoenix")]).ended(0);
    assert!(
        said.contains("  process `guess` begins anew at most 2 times in 100.000 ms: each takes "),
        "{said}"
    );
}

/// The example under another name, with other lines in its description.
fn changed(name: &str, lines: &[(&str, &str)]) -> String {
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("phoenix")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"phoenix\"", &format!("name = \"{name}\""));
    let application = "application = \"../../../../examples/phoenix/app\"";
    change(&description, "application = \"app\"", application);
    lines.iter().for_each(|(from, to)| change(&description, from, to));
    system.display().to_string()
}

#[test]
fn what_the_proof_counts_for_restarts_is_enough_where_little_is_left() {
    let _lock = lock("phoenix_tight");
    // Hardly anything of ten milliseconds is left.
    let system = changed("phoenix_tight", &[TIGHT]);
    let proof = beryl(&["check", &system]).ended(0);
    let row = proof.lines().find(|line| line.trim_start().starts_with("steady")).expect("its row");
    let margin = row.split_whitespace().nth(8).and_then(|margin| margin.parse::<f64>().ok());
    assert!(margin.is_some_and(|margin| margin < 0.05), "{row}");
    // Each step of the kernel takes what the proof charges, and nobody misses anything.
    let said = beryl(&["sim", &system, "--for", "160ms", "--costs", "worst"]);
    assert!(
        said.out.contains("0 deadline misses") && !said.out.contains("time-safety violation"),
        "{said:?}"
    );
}

/// All that the proof leaves to `guess`.
const TIGHT: (&str, &str) =
    ("process = \"guess\"\nworst = \"1ms\"", "process = \"guess\"\nworst = \"7.45ms\"");

/// It stays stopped after its first fault.
const FOR_GOOD: (&str, &str) = ("on_fault = \"restart\"\nrestarts = { most = 2, within = \"100ms\" }\n", "");

#[test]
fn check_says_for_which_stops_there_is_room() {
    let _lock = lock("phoenix_stopped");
    let each = [
        (
            "8.4ms",
            "if any of `guess`, `plant` faults and is stopped, nobody else is late, even if all stop at once: ",
        ),
        ("8.49ms", "faults and is stopped, nobody else is late, unless others stop at the same time: "),
        ("8.55ms", "faults and is stopped, others may be late: "),
    ];
    for (worst, words) in each {
        let worst = format!("process = \"guess\"\nworst = \"{worst}\"");
        let system = changed("phoenix_stopped", &[FOR_GOOD, (TIGHT.0, &worst)]);
        let said = beryl(&["check", &system]).ended(0);
        assert!(said.contains(words), "{worst}: {said}");
        // Each step of the kernel takes what it is charged.
        let said = beryl(&["sim", &system, "--for", "60ms", "--costs", "worst"]);
        assert!(said.out.contains("0 deadline misses") && said.out.contains("panic"), "{worst}: {said:?}");
    }
}
