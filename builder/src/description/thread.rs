//! `[thread.<name>]`: where a thread runs, and when.

use super::diagnostic::{Problem, Reporter};
use super::members::Members;
use super::read::{name, times};
use super::section::{Entry, Section};
use super::uses::Known;
use super::value::UpTo;
use super::{Periodic, Placed, Thread, Timing, code};
use crate::quantity::Nanoseconds;

const THREAD: &[&str] = &[
    "process", "band", "priority", "entry", "stack", "period", "offset", "deadline", "best", "worst",
    "catch_up", "uses",
];

/// Keys that mean something only beside `period`.
const OF_PERIODIC: &[&str] = &["offset", "best", "worst", "catch_up"];

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
    let stack = section.required("stack", reporter);
    let timing = timing(&section, reporter);
    let uses = known.resolve(section.texts("uses", reporter), reporter);
    let (band, priority) = place?;
    Some(Thread {
        name: entry.name.clone(),
        process: process?,
        band,
        priority,
        entry: name(function?),
        stack: stack?,
        timing: timing?,
        uses,
    })
}

fn timing(section: &Section<'_>, reporter: &mut Reporter) -> Option<Timing> {
    let deadline: Option<Placed<Nanoseconds>> = section.optional("deadline", reporter);
    if !section.has("period") {
        refuse_without_period(section, reporter);
        return Some(Timing::Free { deadline });
    }
    let period: Option<Placed<Nanoseconds>> = section.optional("period", reporter);
    let offset = section.optional("offset", reporter);
    let catch_up = section.optional::<UpTo<255>>("catch_up", reporter).map_or(0, |most| most.value.0);
    let times = times(section, reporter);
    let (period, (best, worst)) = (period?, times?);
    Some(Timing::Periodic(Periodic {
        period,
        offset: offset.unwrap_or(Placed::new(Nanoseconds::ZERO, period.place)),
        deadline: deadline.unwrap_or(period),
        best,
        worst,
        catch_up,
    }))
}

fn refuse_without_period(section: &Section<'_>, reporter: &mut Reporter) {
    for (key, place) in OF_PERIODIC.iter().filter_map(|key| Some((key, section.place_of(key)?))) {
        reporter.report(Problem {
            code: code::CONFLICT,
            place,
            message: format!("`{key}` means nothing for a thread without `period`"),
            label: "no use".to_owned(),
            help: format!("add `period = \"1ms\"`, or leave `{key}` out"),
        });
    }
}
