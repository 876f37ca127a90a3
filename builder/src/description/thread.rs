//! `[thread.<name>]`: where a thread runs, and when.

use super::budget::{self, budget};
use super::diagnostic::{Problem, Reporter};
use super::members::Members;
use super::on_hold::{self, on_hold};
use super::on_overrun::{self, on_overrun};
use super::priorities::Begins;
use super::section::{Entry, Section};
use super::tells::{WATCHDOG, tells};
use super::times::best_and_worst;
use super::uses::Known;
use super::value::{UpTo, name};
use super::waits::{self, waits};
use super::{Budget, Periodic, Placed, Sporadic, Thread, Timing, code, priorities};
use crate::quantity::Nanoseconds;
use beryl_kernel::Rule;

const THREAD: &[&str] = &[
    "process",
    "band",
    "priority",
    "priorities",
    "entry",
    "argument",
    "stack",
    "period",
    "offset",
    "deadline",
    "best",
    "worst",
    "catch_up",
    "on_overrun",
    "tells",
    WATCHDOG,
    "budget",
    "every",
    "policy",
    "group",
    "separation",
    "jitter",
    "uses",
    "hold",
    on_hold::KEY,
    waits::KEY,
];

/// Keys that mean something only beside `period`.
const OF_PERIODIC: &[&str] = &["offset", "best", "catch_up", waits::KEY];
/// Keys that mean something only without `period`: what a job may use is its `worst`.
const OF_FREE: &[&str] = &[budget::KEY, budget::EVERY, budget::POLICY];
/// Keys that mean something only beside `separation`, instead of `period`.
const OF_SPORADIC: &[&str] = &["jitter"];
/// Keys that mean something beside either.
const OF_JOBS: &[&str] = &["worst"];

/// A thread.
pub(super) fn thread(
    entry: &Entry<'_>,
    members: &Members<'_>,
    known: &Known<'_>,
    reporter: &mut Reporter,
) -> Option<Thread> {
    let section = entry.open("thread", 1, THREAD, reporter)?;
    let process = members.process(&section, reporter);
    let place = members.thread_place(&section, reporter);
    let function = section.required("entry", reporter);
    let argument = section.optional("argument", reporter).map(name);
    let stack = section.required("stack", reporter);
    let timing = timing(&section, reporter);
    let uses = known.resolve(section.texts("uses", reporter), reporter);
    let holds = known.holds(&section, &uses, reporter);
    let on_hold = on_hold(&section, reporter);
    let waits = waits(&section, &uses, reporter);
    let (policy, own) =
        (place.and_then(|(band, _)| members.policy(band.value)), place.and_then(|(_, own)| own));
    let priorities = priorities::range(&section, policy, own.map(Begins::own), reporter);
    let budget = match section.has("period") {
        true => None,
        false => budget(&section, policy, reporter)?,
    };
    let group = members.group(&section, reporter);
    let tells = tells(&section, reporter);
    let watchdog = section.optional(WATCHDOG, reporter);
    let (band, priority) = place?;
    Some(Thread {
        name: entry.name.clone(),
        process: process?,
        band,
        priority,
        priorities,
        entry: name(function?),
        argument,
        stack: stack?,
        timing: by_its_budget(timing?, budget.as_ref()),
        budget,
        group,
        tells,
        watchdog,
        uses,
        holds,
        on_hold,
        waits,
    })
}

/// The deadline of constant bandwidth is the budget's.
fn by_its_budget(timing: Timing, budget: Option<&Budget>) -> Timing {
    match (timing, budget.filter(|budget| budget.rule == Rule::ConstantBandwidth)) {
        (Timing::Free { sporadic, .. }, Some(budget)) => {
            Timing::Free { deadline: Some(budget.every), sporadic }
        }
        (timing, _) => timing,
    }
}

fn timing(section: &Section<'_>, reporter: &mut Reporter) -> Option<Timing> {
    let deadline: Option<Placed<Nanoseconds>> = section.optional("deadline", reporter);
    if !section.has("period") {
        refuse(OF_PERIODIC, "without `period`", "add `period = \"1ms\"`", section, reporter);
        if !section.has(budget::KEY) {
            refuse(
                &[on_overrun::KEY],
                "without `period` or `budget`",
                "add `period = \"1ms\"`",
                section,
                reporter,
            );
        }
        if section.has(budget::KEY) {
            let help = "what it may use is its budget, however often it becomes ready";
            refuse(&["separation"], "with `budget`", help, section, reporter);
        } else {
            let help = "add `budget = \"2ms\"` and `every = \"20ms\"`";
            refuse(&[budget::POLICY], "without `budget`", help, section, reporter);
        }
        return Some(Timing::Free { deadline, sporadic: sporadic(section, reporter)? });
    }
    refuse(&["separation"], "with `period`", "leave out `period`", section, reporter);
    refuse(OF_SPORADIC, "with `period`", "write `separation` instead of `period`", section, reporter);
    let help = "what a job may use is its `worst`: write `on_overrun = \"end-job\"`";
    refuse(OF_FREE, "with `period`", help, section, reporter);
    let period: Option<Placed<Nanoseconds>> = section.optional("period", reporter);
    let offset = section.optional("offset", reporter);
    let catch_up = section.optional::<UpTo<255>>("catch_up", reporter).map_or(0, |most| most.value.0);
    let on_overrun = on_overrun(section, reporter);
    let times = best_and_worst(section, reporter);
    let (period, (best, worst)) = (period?, times?);
    Some(Timing::Periodic(Periodic {
        period,
        offset: offset.unwrap_or(Placed::new(Nanoseconds::ZERO, period.place)),
        deadline: deadline.unwrap_or(period),
        best,
        worst,
        catch_up,
        on_overrun,
    }))
}

/// How often it becomes ready, if that is described; nothing if it can't be read.
fn sporadic(section: &Section<'_>, reporter: &mut Reporter) -> Option<Option<Sporadic>> {
    if !section.has("separation") {
        let help = "add `period = \"1ms\"` or `separation = \"1ms\"`";
        refuse(OF_JOBS, "without `period` or `separation`", help, section, reporter);
        refuse(OF_SPORADIC, "without `separation`", "add `separation = \"1ms\"`", section, reporter);
        return Some(None);
    }
    let separation: Option<Placed<Nanoseconds>> = section.optional("separation", reporter);
    let jitter = section.optional("jitter", reporter);
    let worst: Option<Placed<Nanoseconds>> = section.required("worst", reporter);
    let (separation, worst) = (separation?, worst?);
    reporter.check_times(None, worst);
    let jitter = jitter.unwrap_or(Placed::new(Nanoseconds::ZERO, separation.place));
    Some(Some(Sporadic { separation, jitter, worst }))
}

fn refuse(keys: &[&str], whose: &str, help: &str, section: &Section<'_>, reporter: &mut Reporter) {
    for (key, place) in keys.iter().filter_map(|key| Some((key, section.place_of(key)?))) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{key}` means nothing for a thread {whose}"),
            label: "no use".to_owned(),
            help: section.without(format!("{help}, or leave `{key}` out").into(), key, reporter),
        });
    }
}
