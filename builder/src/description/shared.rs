//! `budget` and `every` of a process: what its threads may use together of the processor, and who can share it.

use super::budget::{self, KEY};
use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::Section;
use super::{Budget, OnSpent, Placed, Policy, Process, Thread, Timing, code, on_overrun};
use beryl_abi::ProcessId;
use miette::SourceSpan;

/// The budget that a process's section describes, if it does; nothing at all if it can't be read.
pub(super) fn budget(section: &Section<'_>, reporter: &mut Reporter) -> Option<Option<Budget>> {
    let is_any = section.has(KEY) || section.has(budget::EVERY);
    if let Some(place) = section.place_of(on_overrun::KEY).filter(|_| !is_any) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: "`on_overrun` means nothing for a process without `budget`".to_owned(),
            label: "no use".to_owned(),
            help: section.without(
                "add `budget = \"2ms\"` and `every = \"20ms\"`, or leave `on_overrun` out".into(),
                on_overrun::KEY,
                reporter,
            ),
        });
    }
    budget::budget(section, None, reporter)
}

/// All threads of such a process pay from its budget. So none has one of its own. Those with jobs are proved beneath
/// it, if they are lowered with the others, and nobody without jobs goes before them.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    for (index, process) in parts.processes.iter().enumerate() {
        let Some(budget) = &process.budget else { continue };
        let is_its = |of: &Placed<ProcessId>| of.value.index() == index;
        let threads: Vec<_> = parts.threads.iter().filter(|thread| is_its(&thread.process)).collect();
        let tasks: Vec<_> = parts.tasks.iter().filter(|task| is_its(&task.process)).collect();
        threads.iter().for_each(|thread| member(parts, process, thread, reporter));
        for thread in &threads {
            with_jobs(process, budget, thread, &threads, reporter);
        }
        for task in &tasks {
            is_a_task(process, &task.name, task.worst.place, reporter);
        }
        if threads.is_empty() && tasks.is_empty() {
            reporter.report(Problem {
                code: code::CONFLICT,
                place: budget.amount.place,
                message: format!("no thread of process `{}` uses its budget", process.name.value),
                label: "of nobody".to_owned(),
                help: "native drivers have their own: leave `budget` and `every` out, or add a thread".into(),
            });
        }
    }
}

fn member(parts: &Parts, process: &Process, thread: &Thread, reporter: &mut Reporter) {
    let name = &thread.name.value;
    if let Some(own) = &thread.budget {
        let problem = Problem {
            code: code::CONFLICT,
            place: own.amount.place,
            message: format!("thread `{name}` pays from the budget of process `{}`", process.name.value),
            label: "another one".to_owned(),
            help: "leave it out at one of them".into(),
        };
        reporter.report_with(problem, place(process), "from this");
    }
    let band = parts.bands.get(thread.band.value.index());
    if band.is_some_and(|band| band.policy != Policy::Fixed) {
        let problem = Problem {
            code: code::CONFLICT,
            place: thread.band.place,
            message: format!("thread `{name}` can't be lowered here when its process has used its budget"),
            label: "not a fixed band".to_owned(),
            help: "take a fixed band, or another process".into(),
        };
        reporter.report_with(problem, place(process), "the budget");
    }
}

/// Where a thread has its jobs, and what is done about each that has used its `worst`.
fn jobs(thread: &Thread) -> Option<(SourceSpan, Option<SourceSpan>)> {
    match thread.timing {
        Timing::Periodic(times) => {
            Some((times.period.place, times.on_overrun.map(|reaction| reaction.place)))
        }
        Timing::Free { sporadic, .. } => sporadic.map(|times| (times.separation.place, None)),
    }
}

fn with_jobs(process: &Process, budget: &Budget, thread: &Thread, all: &[&Thread], reporter: &mut Reporter) {
    let Some((at, own_reaction)) = jobs(thread) else { return };
    let (name, whose) = (&thread.name.value, &process.name.value);
    if !matches!(budget.on_spent, OnSpent::Lowers | OnSpent::Waits) {
        let problem = Problem {
            code: code::CONFLICT,
            place: at,
            message: format!(
                "thread `{name}` has jobs: these are proved only if threads of `{whose}` wait, or are lowered, when its budget is used up"
            ),
            label: "has jobs".to_owned(),
            help: "leave `on_overrun` of the process out, or write \"lower\" or \"wait\"".into(),
        };
        reporter.report_with(problem, place(process), "of this budget");
    }
    if let Some(own) = own_reaction {
        let problem = Problem {
            code: code::CONFLICT,
            place: own,
            message: format!(
                "jobs of `{name}` have no budget of their own: they pay from that of process `{whose}`"
            ),
            label: "no use".to_owned(),
            help: "leave `on_overrun` out, or put the thread into a process without a budget".into(),
        };
        reporter.report_with(problem, place(process), "from this");
    }
    let goes_before = |other: &&&Thread| jobs(other).is_none() && precedes(other, thread);
    if let Some(other) = all.iter().find(goes_before) {
        let problem = Problem {
            code: code::CONFLICT,
            place: at,
            message: format!(
                "by when jobs of `{name}` are done can't be proved: `{}` may use all of the budget of process `{whose}` before",
                other.name.value
            ),
            label: "has jobs".to_owned(),
            help: "give the thread without jobs a lower priority, or a process of its own".into(),
        };
        reporter.report_with(problem, other.name.place, "runs for unknown times, and isn't less urgent");
    }
}

/// Whether a thread may ever run where another one is ready, both in fixed bands.
fn precedes(thread: &Thread, other: &Thread) -> bool {
    let most = thread.priorities.map(|[_, most]| most).or(thread.priority);
    let least = other.priorities.map(|[least, _]| least).or(other.priority);
    let (own, others) = (thread.band.value.index(), other.band.value.index());
    own < others || own == others && most >= least
}

fn is_a_task(process: &Process, name: &Placed<String>, at: SourceSpan, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::CONFLICT,
        place: at,
        message: format!(
            "task `{}` can't be proved within the budget of process `{}`: its module's programs are checked with the processor itself",
            name.value, process.name.value
        ),
        label: "a task".to_owned(),
        help: "put it into a process without a budget, and write `on_overrun = \"end-job\"` there".into(),
    };
    reporter.report_with(problem, place(process), "of this budget");
}

fn place(process: &Process) -> SourceSpan {
    process.budget.map_or(process.name.place, |budget| budget.amount.place)
}
