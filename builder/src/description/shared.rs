//! `budget` and `every` of a process, a group or a band: what their threads may use together of the processor, and who can
//! share it.

use super::budget::{self, KEY};
use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::Section;
use super::sharing::Sharing;
use super::{Budget, OnSpent, Placed, Policy, Thread, Timing, code, on_overrun};
use miette::SourceSpan;

/// The budget that the section of a process or band describes, if it does; nothing at all if it can't be read. `policy` is
/// that of the band.
pub(super) fn budget(
    section: &Section<'_>,
    (kind, policy): (&str, Option<Policy>),
    reporter: &mut Reporter,
) -> Option<Option<Budget>> {
    let is_any = section.has(KEY) || section.has(budget::EVERY);
    if let Some(place) = section.place_of(on_overrun::KEY).filter(|_| !is_any) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`on_overrun` means nothing for a {kind} without `budget`"),
            label: "no use".to_owned(),
            help: section.without(
                "add `budget = \"2ms\"` and `every = \"20ms\"`, or leave `on_overrun` out".into(),
                on_overrun::KEY,
                reporter,
            ),
        });
    }
    budget::shared(section, policy, reporter)
}

/// All threads that share a budget pay from it. So none has one of its own, and none shares two. Those with jobs are proved
/// beneath it, if they are lowered with the others, and nobody without jobs goes before them.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let all = Sharing::all(&parts.processes, &parts.groups, &parts.bands);
    for thread in &parts.threads {
        alone(&all, thread, reporter);
    }
    for sharing in &all {
        let threads: Vec<_> = parts.threads.iter().filter(|thread| sharing.has(thread)).collect();
        let tasks: Vec<_> = parts.tasks.iter().filter(|task| sharing.has_task(task)).collect();
        threads.iter().for_each(|thread| member(parts, sharing, thread, reporter));
        for thread in &threads {
            with_jobs(sharing, thread, &threads, reporter);
        }
        for task in &tasks {
            is_a_task(sharing, &task.name, task.worst.place, reporter);
        }
        if threads.is_empty() && tasks.is_empty() {
            let help = match sharing.is_named() {
                true => {
                    format!("add `group = \"{}\"` to a thread, or leave the group out", sharing.name.value)
                }
                false => "native drivers have their own: leave `budget` and `every` out, or add a thread"
                    .to_owned(),
            };
            reporter.report(Problem {
                code: code::CONFLICT,
                place: place(sharing),
                message: format!("no thread of {} uses its budget", of(sharing)),
                label: "of nobody".to_owned(),
                help: help.into(),
            });
        }
    }
}

/// A place has one account.
fn alone(all: &[Sharing<'_>], thread: &Thread, reporter: &mut Reporter) {
    let own: Vec<&Sharing<'_>> = all.iter().filter(|sharing| sharing.has(thread)).collect();
    let [first, second, ..] = own.as_slice() else { return };
    let problem = Problem {
        code: code::CONFLICT,
        place: thread.name.place,
        message: format!(
            "thread `{}` would pay from two budgets: those of {} and of {}",
            thread.name.value,
            of(first),
            of(second)
        ),
        label: "from both".to_owned(),
        help: "leave one of them out, or move the thread".into(),
    };
    reporter.report_with(problem, place(second), "one of them");
}

/// In words.
fn of(sharing: &Sharing<'_>) -> String {
    format!("{} `{}`", sharing.kind, sharing.name.value)
}

fn member(parts: &Parts, sharing: &Sharing<'_>, thread: &Thread, reporter: &mut Reporter) {
    let name = &thread.name.value;
    if let Some(own) = &thread.budget {
        let problem = Problem {
            code: code::CONFLICT,
            place: own.amount.place,
            message: format!("thread `{name}` pays from the budget of {}", of(sharing)),
            label: "another one".to_owned(),
            help: "leave it out at one of them".into(),
        };
        reporter.report_with(problem, place(sharing), "from this");
    }
    let band = parts.bands.get(thread.band.value.index());
    if sharing.is_of_any_band() && band.is_some_and(|band| band.policy != Policy::Fixed) {
        let problem = Problem {
            code: code::CONFLICT,
            place: thread.band.place,
            message: format!(
                "thread `{name}` can't be lowered here when its {} has used its budget",
                sharing.kind
            ),
            label: "not a fixed band".to_owned(),
            help: format!("take a fixed band, or another {}", sharing.kind).into(),
        };
        reporter.report_with(problem, place(sharing), "the budget");
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

fn with_jobs(sharing: &Sharing<'_>, thread: &Thread, all: &[&Thread], reporter: &mut Reporter) {
    let Some((at, own_reaction)) = jobs(thread) else { return };
    let (name, whose) = (&thread.name.value, of(sharing));
    if !matches!(sharing.budget.on_spent, OnSpent::Lowers | OnSpent::Waits) {
        let problem = Problem {
            code: code::CONFLICT,
            place: at,
            message: format!(
                "thread `{name}` has jobs: these are proved only if threads of `{}` wait, or are lowered, when its budget is used up",
                sharing.name.value
            ),
            label: "has jobs".to_owned(),
            help: format!("leave `on_overrun` of the {} out, or write \"lower\" or \"wait\"", sharing.kind)
                .into(),
        };
        reporter.report_with(problem, place(sharing), "of this budget");
    }
    if let Some(own) = own_reaction {
        let problem = Problem {
            code: code::CONFLICT,
            place: own,
            message: format!("jobs of `{name}` have no budget of their own: they pay from that of {whose}"),
            label: "no use".to_owned(),
            help: format!(
                "leave `on_overrun` out, or put the thread into a {} without a budget",
                sharing.kind
            )
            .into(),
        };
        reporter.report_with(problem, place(sharing), "from this");
    }
    let goes_before = |other: &&&Thread| jobs(other).is_none() && precedes(other, thread);
    if let Some(other) = all.iter().find(goes_before) {
        let problem = Problem {
            code: code::CONFLICT,
            place: at,
            message: format!(
                "by when jobs of `{name}` are done can't be proved: `{}` may use all of the budget of {whose} before",
                other.name.value
            ),
            label: "has jobs".to_owned(),
            help: format!("give the thread without jobs a lower priority, or a {} of its own", sharing.kind)
                .into(),
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

fn is_a_task(sharing: &Sharing<'_>, name: &Placed<String>, at: SourceSpan, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::CONFLICT,
        place: at,
        message: format!(
            "task `{}` can't be proved within the budget of {}: its module's programs are checked with the processor itself",
            name.value,
            of(sharing)
        ),
        label: "a task".to_owned(),
        help: format!(
            "put it into a {} without a budget, and write `on_overrun = \"end-job\"` there",
            sharing.kind
        )
        .into(),
    };
    reporter.report_with(problem, place(sharing), "of this budget");
}

fn place(sharing: &Sharing<'_>) -> SourceSpan {
    sharing.budget.amount.place
}
