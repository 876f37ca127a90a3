//! Interrupts at random and a periodic thread (OSPERT 2007): how long its jobs take while the device server is below it,
//! above it, and above it with a budget; in the simulator and on the board.

use std::fs;
use std::path::Path;

use beryl_trace::Happening;
use common::run::Run;
use common::{beryl, change, copy, example, folder, root};
use histogram::{Histogram, picture};

mod common;
#[path = "network/histogram.rs"]
mod histogram;

/// What the description says of the device server and of its line.
const PRIORITY: &str = "priority = 5";
const BUDGET: &str = "budget = \"1.5ms\"\nevery = \"10ms\"\n";
const ENTRY: &str = "entry = \"receive\"";
const LINE: &str = "line = 10";

const MICROSECOND: u64 = 1000;
/// How long a job of `steer` works, in nanoseconds.
const WORK: u64 = 10_000 * MICROSECOND;

/// Where the device server stands: what the system is called, in words, and what is changed in the description.
struct Place {
    name: &'static str,
    words: &'static str,
    changes: &'static [(&'static str, &'static str)],
}

const BELOW: Place =
    Place { name: "below", words: "below", changes: &[(PRIORITY, "priority = 1"), (BUDGET, "")] };
const MASKED: Place = Place {
    name: "masked",
    words: "below, with a separation of 1 ms",
    changes: &[(PRIORITY, "priority = 1"), (BUDGET, ""), (LINE, "line = 10\nseparation = \"1ms\"")],
};
const ABOVE: Place = Place { name: "above", words: "above", changes: &[(BUDGET, "")] };
const SERVED: Place = Place { name: "served", words: "above, with a budget", changes: &[] };
const FLOODED: Place = Place {
    name: "flooded",
    words: "above, with a budget, flooded",
    changes: &[(ENTRY, "entry = \"flooded\"")],
};
const SPORADIC: Place = Place {
    name: "sporadic",
    words: "above, with a sporadic budget, flooded",
    changes: &[
        (ENTRY, "entry = \"flooded\""),
        (BUDGET, "budget = \"1.5ms\"\nevery = \"10ms\"\npolicy = \"sporadic\"\n"),
    ],
};
const DROWNED: Place = Place {
    name: "drowned",
    words: "above, flooded",
    changes: &[(ENTRY, "entry = \"flooded\""), (BUDGET, "")],
};

/// How long the jobs of `steer` took from their release on, in nanoseconds, and how many were late.
struct Seen {
    responses: Vec<u64>,
    late: usize,
}

impl Seen {
    fn shortest(&self) -> u64 {
        *self.responses.iter().min().expect("a job")
    }

    fn longest(&self) -> u64 {
        *self.responses.iter().max().expect("a job")
    }

    fn median(&self) -> u64 {
        let mut sorted = self.responses.clone();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    }
}

impl Place {
    /// The example under another name: that and its folder.
    fn system(&self) -> (String, String) {
        let name = format!("network_{}", self.name);
        let system = folder().join("systems").join(&name);
        copy(Path::new(&example("network")), &system);
        let description = system.join("beryl.toml");
        change(&description, "name = \"network\"", &format!("name = \"{name}\""));
        for (key, part) in [("application", "app"), ("environment", "wire")] {
            let there = format!("{key} = \"../../../../examples/network/{part}\"");
            change(&description, &format!("{key} = {part:?}"), &there);
        }
        self.changes.iter().for_each(|(from, to)| change(&description, from, to));
        (name, system.display().to_string())
    }

    /// How long `check` says that a job takes at most, in nanoseconds; none if it can't say so.
    fn bound(&self) -> Option<u64> {
        let said = beryl(&["check", &self.system().1]).ended(0);
        let row = said.lines().find(|line| line.starts_with("  steer ")).expect("its row");
        let response = row.split_whitespace().nth(6).expect("its response").replace('.', "");
        let microseconds: u64 = response.parse().expect("with three places");
        said.contains("  time-safe: every job ").then_some(microseconds * MICROSECOND)
    }

    /// Simulates it, or runs it on the board.
    fn seen(&self, command: &str, length: &str) -> Seen {
        let (name, system) = self.system();
        let run = Run::of(command, &system, &name, &["--for", length]);
        let late =
            run.events.iter().filter(|event| matches!(event.happening, Happening::Miss { .. })).count();
        Seen { responses: run.responses("steer"), late }
    }
}

#[test]
fn a_device_server_below_disturbs_by_an_interrupt_at_most() {
    let bound = MASKED.bound().expect("a bound");
    assert_eq!(BELOW.bound(), None, "nobody says how often the line is up");
    for (place, command) in [(BELOW, "sim"), (MASKED, "sim"), (MASKED, "run")] {
        let seen = place.seen(command, "1s");
        assert_eq!((seen.responses.len(), seen.late), (10, 0));
        // The paper: a spike between 10 and 10.5 ms.
        let spike = WORK..WORK + 500 * MICROSECOND;
        assert!(spike.contains(&seen.shortest()) && spike.contains(&seen.longest()), "{:?}", seen.responses);
        assert!(seen.longest() <= bound, "{:?} and {bound}", seen.responses);
    }
}

#[test]
fn a_device_server_above_takes_what_its_device_brings() {
    assert_eq!(ABOVE.bound(), None);
    for command in ["sim", "run"] {
        let seen = ABOVE.seen(command, "1s");
        // The paper: a hump between 11.5 and 12 ms.
        let hump = WORK + 1000 * MICROSECOND..WORK + 4000 * MICROSECOND;
        assert!(hump.contains(&seen.shortest()) && hump.contains(&seen.longest()), "{:?}", seen.responses);
    }
    let seen = DROWNED.seen("sim", "1s");
    assert!(seen.responses.is_empty() && seen.late >= 9, "{:?}, {} late", seen.responses, seen.late);
}

#[test]
fn a_device_server_with_a_budget_takes_no_more_whatever_its_device_brings() {
    let bound = SERVED.bound().expect("a bound");
    assert_eq!(FLOODED.bound(), Some(bound));
    let sporadic = SPORADIC.bound().expect("a bound");
    let all = [
        (SERVED, "sim", bound),
        (FLOODED, "sim", bound),
        (FLOODED, "run", bound),
        (SPORADIC, "run", sporadic),
    ];
    for (place, command, bound) in all {
        let seen = place.seen(command, "1s");
        assert_eq!((seen.responses.len(), seen.late), (10, 0));
        assert!(seen.longest() <= bound, "{:?} and {bound}", seen.responses);
    }
}

#[test]
#[ignore = "writes docs/measurements/interrupts.md: some minutes of simulation and board"]
fn record() {
    let mut rows = String::new();
    let mut histograms = Vec::new();
    let shown = |nanoseconds: u64| {
        let hundredths = nanoseconds.div_ceil(10 * MICROSECOND);
        format!("{}.{:02}", hundredths / 100, hundredths % 100)
    };
    for place in [BELOW, MASKED, ABOVE, SERVED, FLOODED, SPORADIC] {
        let bound = place.bound().map_or_else(|| "none".to_owned(), shown);
        for (command, machine, length) in [("sim", "simulator", "100s"), ("run", "board", "20s")] {
            let seen = place.seen(command, length);
            let figures = [seen.shortest(), seen.median(), seen.longest()].map(shown).join(" | ");
            let jobs = seen.responses.len();
            rows +=
                &format!("| {} | {machine} | {jobs} | {figures} | {bound} | {} |\n", place.words, seen.late);
            if command == "run" {
                histograms.push((place.words, Histogram::of(&seen.responses)));
            }
        }
    }
    let drowned = DROWNED.seen("sim", "10s");
    rows += &format!(
        "| {} | simulator | {} | | | | none | {} |\n",
        DROWNED.words,
        drowned.responses.len(),
        drowned.late
    );
    let page = root().join("docs/measurements/interrupts.md");
    let text = fs::read_to_string(&page).expect("the page");
    let (mark, end) = ("<!-- table: interrupts -->\n", "<!-- end -->");
    let (before, rest) = text.split_once(mark).expect("its table");
    let (_, after) = rest.split_once(end).expect("its end");
    let head = "| device server | on | jobs | shortest | median | longest | bound | late |\n|---|---|--:|--:|--:|--:|--:|--:|\n";
    fs::write(&page, format!("{before}{mark}{head}{rows}{end}{after}")).expect("written");
    let svg = root().join("docs/measurements/interrupts.svg");
    fs::write(svg, picture(&histograms)).expect("written");
}
