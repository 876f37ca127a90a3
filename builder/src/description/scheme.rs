//! How the order of a band that is scheduled by code is found: `schedule`, and the `slice` of schemes that have one.

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Placed, Policy, code};
use crate::quantity::Nanoseconds;
use toml::de::DeValue;

/// How the order of jobs is found that a band's program writes down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// The earliest deadline, interrupted at releases.
    #[default]
    EarliestDeadline,
    /// The earliest deadline, each job to its end.
    NonPreemptive,
    /// The shortest period, interrupted at releases.
    RateMonotonic,
    /// Slices of one length, each for the earliest deadline.
    TimeSliced(Placed<Nanoseconds>),
    /// The same slices, with a thread of system code for each task.
    ThreadPerTask(Placed<Nanoseconds>),
}

impl Scheme {
    /// The length of the slices, where there are such.
    #[must_use]
    pub fn slice(&self) -> Option<Placed<Nanoseconds>> {
        match *self {
            Scheme::TimeSliced(slice) | Scheme::ThreadPerTask(slice) => Some(slice),
            Scheme::EarliestDeadline | Scheme::NonPreemptive | Scheme::RateMonotonic => None,
        }
    }

    /// The scheme of a band; nothing if there was a complaint.
    pub(super) fn of(section: &Section<'_>, policy: Policy, reporter: &mut Reporter) -> Option<Scheme> {
        let name: Option<Placed<Name>> = section.optional("schedule", reporter);
        let slice: Option<Placed<Nanoseconds>> = section.optional("slice", reporter);
        let asked = name.as_ref().map(|name| (name.place, "schedule"));
        let asked = asked.or(slice.as_ref().map(|slice| (slice.place, "slice")));
        if let (Some((place, key)), Policy::Dynamic | Policy::Fixed) = (asked, policy) {
            reporter.report(Problem {
                code: code::CONFLICT,
                place,
                message: format!("`{key}` is for bands that are scheduled by code, and this one isn't"),
                label: "without effect".to_owned(),
                help: section.without(
                    format!("leave `{key}` out, or write `policy = \"code\"`").into(),
                    key,
                    reporter,
                ),
            });
            return None;
        }
        if name.is_none() && section.has("schedule") || slice.is_none() && section.has("slice") {
            return None;
        }
        let name = name.map_or(Name::EarliestDeadline, |name| name.value);
        let sliced = match name {
            Name::TimeSliced => Scheme::TimeSliced as fn(_) -> _,
            Name::ThreadPerTask => Scheme::ThreadPerTask,
            Name::EarliestDeadline => return whole(Scheme::EarliestDeadline, slice, reporter),
            Name::NonPreemptive => return whole(Scheme::NonPreemptive, slice, reporter),
            Name::RateMonotonic => return whole(Scheme::RateMonotonic, slice, reporter),
        };
        if slice.is_none() {
            let help = "all periods of the band's tasks are numbers of it: add `slice = \"1ms\"`, say";
            let help = section.with_line(help.into(), "slice = \"1ms\"", reporter);
            section.missing("`slice`", help, reporter);
        }
        slice.map(sliced)
    }
}

/// A scheme without slices.
fn whole(scheme: Scheme, slice: Option<Placed<Nanoseconds>>, reporter: &mut Reporter) -> Option<Scheme> {
    let Some(slice) = slice else { return Some(scheme) };
    reporter.report(Problem {
        code: code::CONFLICT,
        place: slice.place,
        message: "this schedule has no slices".to_owned(),
        label: "without effect".to_owned(),
        help: "leave `slice` out, or write `schedule = \"time-sliced\"`".into(),
    });
    None
}

/// What stands under `schedule`.
#[derive(Clone, Copy)]
enum Name {
    EarliestDeadline,
    NonPreemptive,
    RateMonotonic,
    TimeSliced,
    ThreadPerTask,
}

impl Value for Name {
    const EXAMPLE: &'static str = "\"earliest-deadline\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let names = [
            ("earliest-deadline", Name::EarliestDeadline),
            ("non-preemptive", Name::NonPreemptive),
            ("rate-monotonic", Name::RateMonotonic),
            ("time-sliced", Name::TimeSliced),
            ("thread-per-task", Name::ThreadPerTask),
        ];
        choice(value, &names)
    }
}
