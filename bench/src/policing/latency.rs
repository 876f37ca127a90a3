//! How long it takes from the instant at which a budget, a `worst` or a `hold` ends until the reaction has taken effect: code of
//! whoever runs then, and of nobody else before.
//!
//! A thread uses up what it has. What it executes until the kernel takes the processor away says whether that was early or late:
//! the entry that gave it the processor reads the clock on its way, and what it takes from there on is the thread's time, too.

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::load::{restarts, stops};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::workshop::Workshop;

use super::amounts::{NANOSECONDS, instant, instructions, time};
use super::entries::{Entry, entries};
use crate::generated::{band, head, project};
use crate::row::Row;
use crate::step::Kernel;

/// The benches: until the reaction has taken effect; what the kernel allows; what the thread executed of that; what the proof
/// counts for it.
pub const NAMES: &[&str] = &[LATENCY, ALLOWED, USED, COUNTED];
pub const LATENCY: &str = "policing/latency";
pub const ALLOWED: &str = "policing/allowed";
pub const USED: &str = "policing/used";
pub const COUNTED: &str = "policing/counted";

/// What a thread may use, and how long a section may be, in instructions.
pub const BUDGET: u64 = 2000;
pub const HOLD: u64 = 400;
const PERIOD: u64 = 40_000;
/// How long each system runs.
const RUN: u64 = 170_000;

/// A reaction.
pub struct Case {
    /// In words.
    pub name: &'static str,
    /// Of what it is the end: so many instructions.
    pub of: u64,
    /// What the kernel comes to.
    function: &'static str,
    /// What the proof counts for it.
    counted: Counted,
    /// Sections of the description: threads as `name`, `process`, priority or none, entry, more.
    rest: &'static str,
    threads: &'static [(&'static str, &'static str, Option<u8>, &'static str, &'static str)],
}

/// What the proof counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// The end of a budget.
    End,
    /// And the stop of a process.
    EndAndStop,
    /// And its restart.
    EndAndRestart,
    /// The end of a section, and the stop of a process.
    SectionAndStop,
}

/// A budget comes back, which isn't the end of one.
const RETURN: &str = "::bring_budget_back";
const SPENT: &str = "::deal_with_budgets";
const STAYED: &str = "::held_too_long";
const LATE: &str = "::answers_too_late";

/// A word in braces is a number of instructions, as a time.
const JOB: &str = "period = {period}\nworst = {budget}\n";
const URGENT: &str = "period = {period}\noffset = {period}\nworst = \"200us\"\n";

/// The cases, those of budgets first.
pub const CASES: [Case; 14] = [
    Case {
        name: "a job ends",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[("spinner", "other", Some(5), "spin_job", "{job}on_overrun = \"end-job\"\n")],
    },
    Case {
        name: "a job ends, and its supervisor hears of it",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[
            ("spinner", "other", Some(5), "spin_job", "{job}on_overrun = \"end-job\"\ntells = \"hears\"\n"),
            ("hears", "only", Some(9), "hear", "separation = \"5ms\"\nworst = \"200us\"\n"),
        ],
    },
    Case {
        name: "a supervisor hears of it, the job goes on",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[
            ("spinner", "other", Some(5), "spin_job", "{job}on_overrun = \"tell\"\ntells = \"hears\"\n"),
            ("hears", "only", Some(9), "hear", "separation = \"5ms\"\nworst = \"200us\"\n"),
        ],
    },
    Case {
        name: "a job's process stops",
        of: BUDGET,
        function: SPENT,
        counted: Counted::EndAndStop,
        rest: "",
        threads: &[("spinner", "other", Some(5), "spin_job", "{job}on_overrun = \"fault\"\n")],
    },
    Case {
        name: "a job's process begins anew",
        of: BUDGET,
        function: SPENT,
        counted: Counted::EndAndRestart,
        rest: "on_fault = \"restart\"\nrestarts = { most = 8, within = \"10s\" }\n",
        threads: &[("spinner", "other", Some(5), "spin_job", "{job}on_overrun = \"fault\"\n")],
    },
    Case {
        name: "a thread is lowered",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[("spinner", "other", Some(5), "spin", "{own}on_overrun = \"lower\"\n")],
    },
    Case {
        name: "a thread waits",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[("spinner", "other", Some(5), "spin", "{own}on_overrun = \"wait\"\n")],
    },
    Case {
        name: "a thread with a sporadic budget is lowered",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[("spinner", "other", Some(5), "spin", "{own}policy = \"sporadic\"\n")],
    },
    Case {
        name: "a thread with a polling budget is lowered",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[("spinner", "other", Some(5), "spin", "{own}policy = \"polling\"\n")],
    },
    Case {
        name: "a deadline is put off",
        of: BUDGET,
        function: SPENT,
        counted: Counted::End,
        rest: "",
        threads: &[
            ("spinner", "other", None, "spin", "{own}policy = \"constant-bandwidth\"\n"),
            ("beside", "only", None, "spin", "{own}policy = \"constant-bandwidth\"\n"),
        ],
    },
    Case {
        name: "a job ends behind a section that went on",
        of: HOLD,
        function: SPENT,
        counted: Counted::End,
        rest: "[lock.map]\ntype = \"int\"\nhold = {hold}\n",
        threads: &[
            (
                "spinner",
                "other",
                Some(5),
                "stay_inside_job",
                "{job}on_overrun = \"end-job\"\nuses = [\"map\"]\n",
            ),
            (
                "beside",
                "other",
                Some(6),
                "enter_job",
                "period = \"20s\"\noffset = \"20s\"\nworst = \"1ms\"\nuses = [\"map\"]\n",
            ),
        ],
    },
    Case {
        name: "who stays inside of a ceiling lock is stopped",
        of: HOLD,
        function: STAYED,
        counted: Counted::SectionAndStop,
        rest: "[lock.map]\ntype = \"int\"\nhold = {hold}\n",
        threads: &[
            ("spinner", "other", Some(2), "stay_inside", "uses = [\"map\"]\non_hold = \"fault\"\n"),
            ("beside", "other", Some(6), "enter_job", "{urgent}uses = [\"map\"]\n"),
            ("urgent", "only", Some(5), "spin_job", "{urgent}on_overrun = \"end-job\"\n"),
        ],
    },
    Case {
        name: "who owns a semaphore too long is stopped",
        of: HOLD,
        function: STAYED,
        counted: Counted::SectionAndStop,
        rest: "[semaphore.bus]\nkind = \"binary\"\nhold = {hold}\n",
        threads: &[
            ("spinner", "other", Some(2), "own", "uses = [\"bus\"]\non_hold = \"fault\"\n"),
            ("beside", "only", Some(5), "own_job", "{urgent}uses = [\"bus\"]\n"),
        ],
    },
    Case {
        name: "who doesn't answer in time is stopped",
        of: HOLD,
        function: LATE,
        counted: Counted::SectionAndStop,
        rest: "[endpoint.store]\nrequest = \"int[2]\"\nreply = \"int[2]\"\nhold = {hold}\n",
        threads: &[
            ("spinner", "other", Some(2), "never_answer", "uses = [\"store.serve\"]\non_hold = \"fault\"\n"),
            ("beside", "only", Some(5), "ask_job", "{urgent}uses = [\"store.call\"]\n"),
        ],
    },
];

/// Measures each case, or briefly the first.
///
/// # Errors
/// Those of building and running the systems; if something wasn't seen, or early, or late.
pub fn rows(workshop: &Workshop, is_brief: bool) -> Result<Vec<Row>> {
    let cases = if is_brief { &CASES[..1] } else { &CASES };
    let mut rows = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let name = format!("bench_latency_{number}");
        let system = project(workshop, &name, &case.description(&name)).with_context(|| case.name)?;
        let kernel = Kernel::of(system, workshop).with_context(|| case.name)?;
        let found =
            entries(&kernel, workshop, &[case.function, RETURN], instant(RUN)).with_context(|| case.name)?;
        let allowed = case.allowed(&kernel.project);
        let ends = ends(&found, allowed, case.is_behind_debt()).with_context(|| case.name)?;
        ensure!(case.has_its_hold(&ends), "{}: its code hasn't all of its `hold`: {ends:?}", case.name);
        let [latency, used]: [Vec<u64>; 2] = [
            ends.iter().map(|entry| entry.instructions).collect(),
            ends.iter().map(|entry| entry.before).collect(),
        ];
        rows.push(Row::instructions(LATENCY, case.name, &latency)?);
        rows.push(Row::instructions(ALLOWED, case.name, &[allowed])?);
        rows.push(Row::instructions(USED, case.name, &used)?);
        rows.push(Row::instructions(COUNTED, case.name, &[case.counted(&kernel.project)?])?);
    }
    Ok(rows)
}

/// The entries in which so much was used up, none of them early and none late; of a debt, those behind the entry in which it
/// began.
fn ends(entries: &[Entry], of: u64, is_behind_debt: bool) -> Result<Vec<&Entry>> {
    let pairs = entries.windows(2).filter_map(|pair| Some((pair.first()?, pair.last()?)));
    let came = |entry: &Entry| entry.came_to[0] > 0 && entry.came_to[1] == 0;
    let found = pairs.filter(|(from, entry)| came(entry) && (came(from) || !is_behind_debt));
    let found: Vec<_> = found.collect();
    ensure!(!found.is_empty(), "nothing was used up: {entries:?}");
    for (from, entry) in &found {
        let used = entry.before;
        // The alarm comes with the first tick that is too much, and so before the next instruction but one.
        ensure!(used <= of + 1, "after {used} instructions it was too late for {of}");
        ensure!(
            used + from.instructions >= of,
            "after {used} instructions, behind an entry of {}, it was too early for {of}",
            from.instructions
        );
    }
    Ok(found.into_iter().map(|(_, entry)| entry).collect())
}

impl Case {
    /// Whether a debt ends, which began where a budget was used up.
    fn is_behind_debt(&self) -> bool {
        self.function == SPENT && self.of == HOLD
    }

    /// Whether the code itself had as long as its `hold` says.
    fn has_its_hold(&self, ends: &[&Entry]) -> bool {
        self.of != HOLD || ends.iter().all(|entry| entry.before >= HOLD)
    }

    /// What the kernel allows: a `hold` with its own way until the thread goes on.
    fn allowed(&self, project: &Project) -> u64 {
        let hold = Nanoseconds::new(HOLD * NANOSECONDS).rounded_up(project.description.board.board.tick);
        if self.of == HOLD { instructions(project.enforced(hold)) } else { self.of }
    }

    fn description(&self, name: &str) -> String {
        let is_fixed = self.threads.iter().all(|(_, _, priority, ..)| priority.is_some());
        let process = if self.rest.starts_with("on_fault") { self.rest } else { "" };
        let objects = if process.is_empty() { self.rest } else { "" };
        let mut text =
            head(name, "64k") + &format!("\n[process.other]\nmemory = \"64\"\n{process}\n{objects}");
        text += &band("servers", if is_fixed { "fixed" } else { "dynamic" });
        text += &band("rest", "fixed");
        for (name, process, priority, entry, more) in self.threads {
            let priority = priority.map_or(String::new(), |priority| format!("priority = {priority}\n"));
            text += &format!(
                "\n[thread.{name}]\nprocess = {process:?}\nband = \"servers\"\nentry = {entry:?}\nstack = \"512\"\n{priority}{more}"
            );
        }
        text += "\n[thread.rest]\nprocess = \"only\"\nband = \"rest\"\nentry = \"spin\"\nstack = \"256\"\npriority = 0\n";
        let own = "budget = {budget}\nevery = {period}\n";
        let text = text.replace("{job}", JOB).replace("{urgent}", URGENT).replace("{own}", own);
        [("{budget}", BUDGET), ("{period}", PERIOD), ("{hold}", HOLD)]
            .into_iter()
            .fold(text, |text, (word, amount)| text.replace(word, &format!("{:?}", time(amount))))
    }

    /// What the proof counts, in instructions.
    fn counted(&self, project: &Project) -> Result<u64> {
        let threads = &project.assembly.threads;
        let thread = threads.iter().find(|thread| thread.name == "spinner").context("a thread")?;
        let end = project.ends(thread).saturating_sub(project.behind_job(thread));
        let other = project.assembly.processes.iter().position(|process| process.name == "other");
        let stop = || stops(project).iter().find(|row| Some(row.process) == other).map_or(0, |row| row.each);
        let restart =
            || restarts(project).iter().find(|row| row.process == "other").map_or(0, |row| row.each);
        Ok(instructions(match self.counted {
            Counted::End => end,
            Counted::EndAndStop => end + stop(),
            Counted::EndAndRestart => end + restart(),
            Counted::SectionAndStop => project.end_of_policed(thread) + stop(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::Begin;
    use super::*;

    fn entry(before: u64, instructions: u64, came_to: u64) -> Entry {
        Entry { begin: Begin::Interrupt, before, instructions, came_to: vec![came_to, 0] }
    }

    #[test]
    fn what_is_early_or_late_is_refused() {
        let of = |before| [entry(10, 30, 0), entry(before, 500, 1)];
        assert!(ends(&of(70), 100, false).is_ok() && ends(&of(101), 100, false).is_ok());
        assert!(ends(&of(69), 100, false).expect_err("early").to_string().contains("too early"));
        assert!(ends(&of(102), 100, false).expect_err("late").to_string().contains("too late"));
        assert!(ends(&[entry(70, 30, 0)], 100, false).is_err(), "nothing was used up");
    }

    #[test]
    fn a_section_has_all_of_its_hold() {
        let section = CASES.iter().find(|case| case.of == HOLD).expect("a case");
        assert!(section.has_its_hold(&[&entry(HOLD, 500, 1)]));
        assert!(!section.has_its_hold(&[&entry(HOLD - 1, 500, 1)]));
    }

    #[test]
    fn a_debt_ends_behind_the_entry_in_which_it_began() {
        let entries = [entry(10, 30, 0), entry(2000, 300, 1), entry(90, 500, 1)];
        let found = ends(&entries, 100, true).expect("in time");
        assert_eq!(found, [&entries[2]]);
    }
}
