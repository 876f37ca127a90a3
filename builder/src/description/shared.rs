//! `budget` and `every` of a process: what its threads may use together of the processor, and who can share it.

use super::budget::{self, KEY};
use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::Section;
use super::{Budget, Placed, Policy, Process, Thread, Timing, code, on_overrun};
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

/// All threads of such a process pay from its budget. So none has one of its own, and none has jobs: when these are
/// done, the budget doesn't say.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    for (index, process) in parts.processes.iter().enumerate() {
        let Some(budget) = &process.budget else { continue };
        let is_its = |of: &Placed<ProcessId>| of.value.index() == index;
        let threads: Vec<_> = parts.threads.iter().filter(|thread| is_its(&thread.process)).collect();
        let tasks: Vec<_> = parts.tasks.iter().filter(|task| is_its(&task.process)).collect();
        threads.iter().for_each(|thread| member(parts, process, thread, reporter));
        for task in &tasks {
            has_jobs(process, "task", &task.name, task.worst.place, reporter);
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
    match thread.timing {
        Timing::Periodic(times) => has_jobs(process, "thread", &thread.name, times.period.place, reporter),
        Timing::Free { sporadic: Some(times), .. } => {
            has_jobs(process, "thread", &thread.name, times.separation.place, reporter);
        }
        Timing::Free { .. } => {}
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

fn has_jobs(process: &Process, kind: &str, name: &Placed<String>, at: SourceSpan, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::CONFLICT,
        place: at,
        message: format!(
            "{kind} `{}` has jobs: by when they are done can't be proved within the budget of process `{}`",
            name.value, process.name.value
        ),
        label: "has jobs".to_owned(),
        help: "put it into a process without a budget, and write `on_overrun = \"end-job\"` there".into(),
    };
    reporter.report_with(problem, place(process), "of this budget");
}

fn place(process: &Process) -> SourceSpan {
    process.budget.map_or(process.name.place, |budget| budget.amount.place)
}
