//! `[partitions]`: a frame that repeats, and in which of its windows the bands of each partition may have the processor.

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::section::Section;
use super::sharing::Sharing;
use super::value::Text;
use super::{Band, Count, Partitions, Placed, Policy, Thread, Use, Window, code};
use crate::quantity::Nanoseconds;
use beryl_timing::Help;
use miette::SourceSpan;
use std::collections::BTreeMap;

/// The table, and the key of a band.
pub(super) const TABLE: &str = "partitions";
pub(super) const KEY: &str = "partition";
const KEYS: &[&str] = &["frame", "windows"];
const WINDOW: &[&str] = &[KEY, "from", "until"];

/// Windows of a frame.
const MOST_WINDOWS: usize = 64;

/// What the file says; nothing if it has no such table.
pub(super) fn partitions(file: &Section<'_>, reporter: &mut Reporter) -> Option<Partitions> {
    let section = file.optional_section(TABLE, KEYS, reporter)?;
    let frame = section.required("frame", reporter);
    let windows: Vec<_> = section.list("windows", WINDOW, reporter);
    let windows = windows.iter().filter_map(|row| window(row, reporter)).collect();
    Some(Partitions { frame: frame?, windows })
}

fn window(section: &Section<'_>, reporter: &mut Reporter) -> Option<Window> {
    let partition = section.required::<Text>(KEY, reporter);
    let from = section.required("from", reporter);
    let until = section.required("until", reporter);
    Some(Window { partition: text(partition?), from: from?, until: until? })
}

/// To which partition a band belongs; nothing if to none.
pub(super) fn of_band(section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<String>> {
    section.optional::<Text>(KEY, reporter).map(text)
}

fn text(Placed { value: Text(text), place }: Placed<Text>) -> Placed<String> {
    Placed::new(text, place)
}

/// The windows are a schedule for all partitions, and nobody shares anything across them for whose sake somebody would have
/// to run in another's window.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    match &parts.partitions {
        Some(partitions) => {
            check_windows(partitions, parts, reporter);
            check_bands(partitions, parts, reporter);
            check_beside(partitions, parts, reporter);
            check_budgets(parts, reporter);
            check_shared(parts, reporter);
        }
        None => without_windows(parts, reporter),
    }
}

fn names(parts: &Parts) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in parts.bands.iter().filter_map(|band| band.partition.as_ref()) {
        if !names.contains(&name.value.as_str()) {
            names.push(&name.value);
        }
    }
    names
}

fn without_windows(parts: &Parts, reporter: &mut Reporter) {
    if let Some(partition) = parts.bands.iter().find_map(|band| band.partition.as_ref()) {
        reporter.report(Problem {
            code: code::MISSING,
            place: partition.place,
            message: format!("nothing says when partition `{}` may have the processor", partition.value),
            label: "without a window".to_owned(),
            help: "add the table [partitions] with a `frame` and `windows`".into(),
        });
    }
}

fn check_windows(partitions: &Partitions, parts: &Parts, reporter: &mut Reporter) {
    let known = names(parts);
    if let Some(window) = partitions.windows.get(MOST_WINDOWS) {
        reporter.report(Problem {
            code: code::TOO_MANY,
            place: window.partition.place,
            message: format!("a frame has at most {MOST_WINDOWS} windows"),
            label: "one too many".to_owned(),
            help: "join some of the windows, or take a shorter frame".into(),
        });
    }
    let mut before: Option<&Window> = None;
    for window in &partitions.windows {
        if !known.is_empty() && !known.contains(&window.partition.value.as_str()) {
            reporter.unknown("partition", &window.partition, &known);
        }
        check_length(window, reporter);
        check_end(window, partitions.frame, reporter);
        if let Some(before) = before
            && window.from.value < before.until.value
        {
            overlap(before, window, reporter);
        }
        before = Some(window);
    }
}

fn check_length(window: &Window, reporter: &mut Reporter) {
    if window.until.value <= window.from.value {
        let problem = Problem {
            code: code::CONFLICT,
            place: window.until.place,
            message: format!(
                "a window from {} until {} has no time at all",
                window.from.value, window.until.value
            ),
            label: "not behind its beginning".to_owned(),
            help: "correct one of the two; both count from the beginning of the frame".into(),
        };
        reporter.report_with(problem, window.from.place, "it begins here");
    }
}

fn check_end(window: &Window, frame: Placed<Nanoseconds>, reporter: &mut Reporter) {
    if window.until.value > frame.value && window.from.value < frame.value {
        let problem = Problem {
            code: code::CONFLICT,
            place: window.until.place,
            message: format!(
                "a window until {} lies beyond the frame of {}",
                window.until.value, frame.value
            ),
            label: "beyond the frame".to_owned(),
            help: Help::from("let it end with the frame, or write a longer frame")
                .or(window.until.place, format!("\"{}\"", frame.value)),
        };
        reporter.report_with(problem, frame.place, "this frame");
    } else if window.from.value >= frame.value {
        let problem = Problem {
            code: code::CONFLICT,
            place: window.from.place,
            message: format!(
                "a window from {} on begins behind the frame of {}",
                window.from.value, frame.value
            ),
            label: "behind the frame".to_owned(),
            help: "write a longer frame, or leave the window out".into(),
        };
        reporter.report_with(problem, frame.place, "this frame");
    }
}

fn overlap(before: &Window, window: &Window, reporter: &mut Reporter) {
    let help = Help::from(
        "windows stand in the order of their times, and each begins where the one before has ended",
    );
    let help = match before.until.value < window.until.value {
        true => help.or(window.from.place, format!("\"{}\"", before.until.value)),
        false => help,
    };
    let problem = Problem {
        code: code::CONFLICT,
        place: window.from.place,
        message: format!(
            "this window begins at {}, where the one of `{}` goes on until {}",
            window.from.value, before.partition.value, before.until.value
        ),
        label: "too early".to_owned(),
        help,
    };
    reporter.report_with(problem, before.until.place, "the one before ends here");
}

/// Each partition has a window, and its bands are scheduled by the kernel's own policies.
fn check_bands(partitions: &Partitions, parts: &Parts, reporter: &mut Reporter) {
    for band in &parts.bands {
        let Some(partition) = &band.partition else { continue };
        if !partitions.windows.iter().any(|window| window.partition.value == partition.value) {
            let problem = Problem {
                code: code::CONFLICT,
                place: partition.place,
                message: format!("partition `{}` has no window, so nobody in it ever runs", partition.value),
                label: "without a window".to_owned(),
                help: "leave it out, so that the band may always have the processor, or add a window".into(),
            };
            reporter.report_with(problem, partitions.frame.place, "of this frame");
        }
    }
    if names(parts).is_empty() {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: partitions.frame.place,
            message: "no band belongs to a partition, so there is nothing to give windows to".to_owned(),
            label: "of nobody".to_owned(),
            help: "add `partition = \"...\"` to bands, or leave the table out".into(),
        });
    }
}

/// What isn't proved beside windows yet.
fn check_beside(partitions: &Partitions, parts: &Parts, reporter: &mut Reporter) {
    let mut refuse = |place: SourceSpan, message: String, label: &str, help: &str| {
        let problem =
            Problem { code: code::CONFLICT, place, message, label: label.to_owned(), help: help.into() };
        reporter.report_with(problem, partitions.frame.place, "beside this frame");
    };
    for band in parts.bands.iter().filter(|band| band.policy == Policy::Code) {
        let message = format!(
            "band `{}` is scheduled by code, which expects the processor at its own instants, not in windows",
            band.name.value
        );
        refuse(
            band.name.place,
            message,
            "scheduled by code",
            "take the policy \"dynamic\" or \"fixed\", or leave the partitions out",
        );
    }
    for slot in &parts.objects.slots {
        let message =
            "programs that arrive are checked on the board, which doesn't count with windows".to_owned();
        refuse(slot.name.place, message, "a slot", "leave out the partitions, or the slot");
    }
}

/// A budget belongs to one partition: of one that several share, each could use up what the others need in their windows.
fn check_budgets(parts: &Parts, reporter: &mut Reporter) {
    let whose = |thread: &Thread| parts.bands.get(thread.band.value.index()).and_then(Band::in_partition);
    for sharing in Sharing::all(&parts.processes, &parts.groups, &parts.bands) {
        let mut members = parts.threads.iter().filter(|thread| sharing.has(thread));
        let Some(first) = members.next() else { continue };
        let Some(other) = members.find(|thread| whose(thread) != whose(first)) else { continue };
        let problem = Problem {
            code: code::CONFLICT,
            place: sharing.budget.amount.place,
            message: format!(
                "the budget of {} `{}` is shared by `{}`, {}, and `{}`, {}: each could use up what the other needs in its windows",
                sharing.kind,
                sharing.name.value,
                first.name.value,
                whereabouts(whose(first)),
                other.name.value,
                whereabouts(whose(other))
            ),
            label: "across partitions".to_owned(),
            help: "make a [group.x] with a budget of its own for those of each partition, or move the two into one".into(),
        };
        reporter.report_with(problem, other.band.place, "of another partition");
    }
}

/// Who uses an object, where that stands, and in which partition he is.
type User<'a> = (&'a Placed<String>, SourceSpan, Option<&'a str>);

/// Nobody lends his place across partitions, and no raised word counts in two: who waits there for a lock would wait for
/// the window of who holds it.
fn check_shared(parts: &Parts, reporter: &mut Reporter) {
    let mut users: BTreeMap<(usize, usize), Vec<User<'_>>> = BTreeMap::new();
    let tasks = parts.tasks.iter().map(|task| (&task.name, task.band.value, &task.uses));
    let threads = parts.threads.iter().map(|thread| (&thread.name, thread.band.value, &thread.uses));
    for (name, band, uses) in tasks.chain(threads) {
        let partition = parts.bands.get(band.index()).and_then(Band::in_partition);
        for used in uses.iter() {
            if let Some(object) = held(parts, used.value) {
                users.entry(object).or_default().push((name, used.place, partition));
            }
        }
    }
    for ((kind, object), users) in users {
        let Some(((first, own, home), rest)) = users.split_first() else { continue };
        let Some((other, place, elsewhere)) = rest.iter().find(|(_, _, partition)| partition != home) else {
            continue;
        };
        let what = ["lock", "semaphore", "endpoint"].get(kind).copied().unwrap_or_default();
        let name = match kind {
            0 => parts.objects.locks.get(object).map(|row| &row.name),
            1 => parts.objects.semaphores.get(object).map(|row| &row.name),
            _ => parts.objects.endpoints.get(object).map(|row| &row.name),
        };
        let problem = Problem {
            code: code::USERS,
            place: *place,
            message: format!(
                "{what} `{}` is shared by `{}`, {}, and `{}`, {}: one would have to wait for the window of the other",
                name.map_or("", |name| name.value.as_str()),
                first.value,
                whereabouts(*home),
                other.value,
                whereabouts(*elsewhere)
            ),
            label: "of another partition".to_owned(),
            help: "pass it on by a message, a notification or a state message, or move the two into one partition".into(),
        };
        reporter.report_with(problem, *own, "the other one");
    }
}

fn whereabouts(partition: Option<&str>) -> String {
    partition.map_or("which is in no partition".to_owned(), |name| format!("which is in partition `{name}`"))
}

/// What somebody may hold while others wait for him, by kind and number.
fn held(parts: &Parts, used: Use) -> Option<(usize, usize)> {
    match used {
        Use::Lock(index) => Some((0, index)),
        Use::Semaphore(index) => {
            let row = parts.objects.semaphores.get(index)?;
            matches!(row.count, Count::Binary { .. }).then_some((1, index))
        }
        Use::Call(index) | Use::Serve(index) => Some((2, index)),
        _ => None,
    }
}
