//! A core that is shielded from all but its own thread and its own line, beside one that isn't: the five cases of ASMP-Linux (EURASIP
//! 2008, section 6), in instructions.
//!
//! The systems are described here and run on three cores of virt. One stands for devices: a thread of it rings a doorbell. One has the
//! system's work. The third has what is measured, and more or less of the rest. What each case is named by in the paper, and what it
//! is here, is on the page (docs/measurements/shielded.md).

mod log;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::Variant;
use beryl_builder::workshop::{Workshop, replace};

use crate::cores::Cores;
use crate::row::Row;
use log::{Log, alone};

/// The benches in this file.
pub const NAMES: &[&str] = &[BASE, OVERHEAD, ENTRIES, LATENCY];
/// The measured loop alone.
pub const BASE: &str = "shielded/base";
/// What is carried out on its core while it runs once, and isn't its own.
pub const OVERHEAD: &str = "shielded/overhead";
/// How often the kernel is entered meanwhile.
pub const ENTRIES: &str = "shielded/entries";
/// From a line's interrupt, or from when the kernel was entered that was at work then, to the first instruction of the thread that
/// waits for it.
pub const LATENCY: &str = "shielded/latency";
/// The case of the loop alone.
pub const LOOP: &str = "the measured loop";

/// A case of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name there.
    pub name: &'static str,
    /// Whether the system's work is on the measured core as well.
    has_chores: bool,
    /// Whether what is measured is more urgent than that.
    is_urgent: bool,
    /// Whether the device's interrupts come to the measured core, and not to that of the system.
    has_lines: bool,
    /// Whether a timer goes off there in each millisecond.
    has_ticks: bool,
}

/// All of them, in the paper's order.
pub const CASES: [Case; 5] = [
    Case { name: "N", has_chores: true, is_urgent: false, has_lines: true, has_ticks: true },
    Case { name: "Rw", has_chores: true, is_urgent: true, has_lines: true, has_ticks: true },
    Case { name: "Rb", has_chores: true, is_urgent: true, has_lines: false, has_ticks: true },
    Case { name: "Aon", has_chores: false, is_urgent: true, has_lines: false, has_ticks: true },
    Case { name: "Aoff", has_chores: false, is_urgent: true, has_lines: false, has_ticks: false },
];

/// How long the loop is run, and the reader is woken, in ticks of 100 ns.
const LOOPS: Instant = Instant::from_ticks(2_000_000);
const WAKES: Instant = Instant::from_ticks(2_000_000);
/// How long the loop is looked at by itself.
const ALONE: Instant = Instant::from_ticks(300_000);
/// The first samples are left out: they meet the start of the system.
const FIRST: usize = 2;

/// Builds each case, runs it, and counts.
///
/// # Errors
/// Those of building and running; samples that are missing; the kernel of a core without a timer is entered.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for case in CASES {
        let looping = cores(workshop, case, Measured::Loop)?;
        let passes = Log::of(&looping, workshop, LOOPS)?.passes();
        let passes = passes.get(FIRST..).with_context(|| format!("{}: the loop hardly ran", case.name))?;
        let [others, entries] = [
            passes.iter().map(|pass| pass.others).collect::<Vec<_>>(),
            passes.iter().map(|pass| pass.entries).collect(),
        ];
        if case.name == "Aoff" {
            ensure!(entries.iter().all(|entries| *entries == 0), "a shielded core was entered: {entries:?}");
            rows.push(Row::instructions(BASE, LOOP, &alone(&looping, workshop, ALONE)?)?);
        }
        rows.push(Row::instructions(OVERHEAD, case.name, &others)?);
        rows.push(Row::counts(ENTRIES, case.name, &entries)?);
        let wakes = Log::of(&cores(workshop, case, Measured::Reader)?, workshop, WAKES)?.wakes();
        let wakes = wakes.get(FIRST..).with_context(|| format!("{}: nobody was woken", case.name))?;
        rows.push(Row::instructions(LATENCY, case.name, wakes)?);
    }
    Ok(rows)
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measured {
    Loop,
    Reader,
}

/// The threads, seen from a generated system.
const APPLICATION: &str = "../../../bench/cores/app";
/// The number of the measured core.
const OWN: usize = 2;

fn cores(workshop: &Workshop, case: Case, measured: Measured) -> Result<Cores> {
    let name = format!("bench_shielded_{}_{}", case.name.to_lowercase(), measured.name());
    let folder = workshop.folder(&name).join("system");
    replace(&folder.join("beryl.toml"), described(case, measured, &name).as_bytes())?;
    Cores::build(&folder, Variant::default(), workshop)
}

impl Measured {
    fn name(self) -> &'static str {
        match self {
            Measured::Loop => "loop",
            Measured::Reader => "reader",
        }
    }

    /// Its thread, without the urgency.
    fn thread(self) -> &'static str {
        match self {
            Measured::Loop => "entry = \"works\"\n",
            Measured::Reader => "entry = \"reads\"\nuses = [\"alarm\"]\n\n[interrupt.alarm]\nline = 11\n",
        }
    }
}

/// The description of a case.
fn described(case: Case, measured: Measured, name: &str) -> String {
    let mut text = format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\napplication = {APPLICATION:?}\n\n\
         [board]\nname = \"virt\"\nflash = \"128k\"\nram = \"32k\"\nspeed = 5\n\n\
         [[band]]\nname = \"threads\"\npolicy = \"fixed\"\n\n\
         [core.devices]\n[core.system]\n[core.own]\n\n\
         [process.device]\ncore = \"devices\"\nmemory = \"64\"\n\n\
         [process.system]\ncore = \"system\"\nmemory = \"64\"\n\n\
         [process.own]\ncore = \"own\"\nmemory = \"64\"\ndevices = [\"rtc\"]\n\n\
         [doorbell.packet]\nseparation = \"200us\"\n\n"
    );
    let mut thread = |name: &str, process: &str, priority: u8, keys: &str| {
        text += &format!(
            "[thread.{name}]\nprocess = {process:?}\nband = \"threads\"\npriority = {priority}\nstack = \"512\"\n{keys}\n"
        );
    };
    let each = |period: &str, worst: &str, entry: &str| {
        format!("period = \"{period}\"\nworst = \"{worst}\"\nentry = \"{entry}\"\n")
    };
    thread("device", "device", 3, &(each("700us", "50us", "device") + "uses = [\"packet.ring\"]\n"));
    let serves = "separation = \"200us\"\nworst = \"50us\"\nentry = \"hears\"\nuses = [\"packet.hear\"]\n";
    // As handlers of interrupts are, its server is more urgent than all threads that aren't.
    thread("serves", if case.has_lines { "own" } else { "system" }, 9, serves);
    let periods = ["1100us", "1700us", "2300us"];
    for (number, period) in periods.iter().enumerate() {
        thread(&format!("chore_{number}"), "system", 5, &each(period, "200us", "chores"));
        if case.has_chores {
            thread(&format!("own_chore_{number}"), "own", 5, &each(period, "200us", "chores"));
        }
    }
    if case.has_ticks {
        thread("ticks", "own", 7, &each("1ms", "50us", "ticks"));
    }
    thread("measured", "own", if case.is_urgent { 8 } else { 2 }, measured.thread());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_case_has_less_on_the_measured_core_than_the_one_before() {
        let on_own = CASES.map(|case| {
            let text = described(case, Measured::Loop, "some");
            text.matches("process = \"own\"").count()
        });
        assert_eq!(on_own, [6, 6, 5, 2, 1]);
        let urgent = CASES.map(|case| {
            let text = described(case, Measured::Reader, "some");
            text.contains("priority = 8") && text.contains("line = 11")
        });
        assert_eq!(urgent, [false, true, true, true, true]);
    }
}
