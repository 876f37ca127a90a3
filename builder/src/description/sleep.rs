//! `[[sleep]]`: how deep the processor may sleep while nobody has anything to do.

use super::diagnostic::{Problem, Reporter};
use super::duplicates::refuse_duplicates;
use super::readable::Parts;
use super::section::Section;
use super::value::name;
use super::{Placed, Sleep, code};
use crate::quantity::Nanoseconds;
use beryl_timing::Help;
use miette::SourceSpan;

/// The keys of a depth.
pub(super) const SLEEP: &[&str] = &["name", "wake", "least"];
/// The kernel tries them one after the other.
const MOST_DEPTHS: usize = 8;

/// What a section says.
pub(super) fn sleep(section: &Section<'_>, reporter: &mut Reporter) -> Option<Sleep> {
    let named = section.required("name", reporter);
    let wake = section.required("wake", reporter);
    let least = section.optional("least", reporter);
    Some(Sleep { name: name(named?), wake: wake?, least })
}

/// Each depth takes longer to wake from than the one before, and is worth it from a longer time on.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let sleeps = &parts.sleeps;
    refuse_duplicates(
        "depth of sleep",
        &sleeps.iter().map(|sleep| &sleep.name).collect::<Vec<_>>(),
        reporter,
    );
    if let (Some(sleep), Some(slot)) = (sleeps.first(), parts.objects.slots.first()) {
        let problem = Problem {
            code: code::CONFLICT,
            place: sleep.name.place,
            message: "programs that arrive are checked on the board, which doesn't count with a processor that has to \
                      wake"
                .to_owned(),
            label: "a depth of sleep".to_owned(),
            help: "leave out the depths, or the slot".into(),
        };
        reporter.report_with(problem, slot.name.place, "beside a slot");
    }
    if let Some(sleep) = sleeps.get(MOST_DEPTHS) {
        reporter.report(Problem {
            code: code::TOO_MANY,
            place: sleep.name.place,
            message: format!("a system has at most {MOST_DEPTHS} depths of sleep beside the lightest"),
            label: "one too many".to_owned(),
            help: "leave out those between which little changes".into(),
        });
    }
    for sleep in sleeps {
        check_least(sleep, reporter);
    }
    for pair in sleeps.windows(2) {
        if let [before, sleep] = pair {
            check_order(before, sleep, reporter);
        }
    }
}

/// The kernel takes the last depth that is worth it.
fn check_order(before: &Sleep, sleep: &Sleep, reporter: &mut Reporter) {
    if sleep.wake.value <= before.wake.value {
        let message = format!(
            "depths stand from the lightest to the deepest, and a wake-up of {} isn't longer",
            sleep.wake.value
        );
        let help = "exchange the two sections, or write the longer wake-up".into();
        refuse(sleep.wake, before.wake, message, help, reporter);
    }
    let Some((least, earlier)) = sleep.least.zip(before.least) else { return };
    if least.value < earlier.value {
        let message = format!(
            "`{}` would be left out: `{}` is worth it for {} already",
            before.name.value, sleep.name.value, least.value
        );
        let help = Help::from("write at least as much for the deeper sleep")
            .or(least.place, format!("\"{}\"", earlier.value));
        refuse(least, earlier, message, help, reporter);
    }
}

/// Who sleeps for less than it takes to wake is late.
fn check_least(sleep: &Sleep, reporter: &mut Reporter) {
    let Some(least) = sleep.least.filter(|least| least.value <= sleep.wake.value) else { return };
    let twice = Nanoseconds::new(sleep.wake.value.get().saturating_mul(2));
    refuse(
        least,
        sleep.wake,
        format!("{} of sleep aren't worth a wake-up of {}", least.value, sleep.wake.value),
        Help::from("write more than the wake-up").or(least.place, format!("\"{twice}\"")),
        reporter,
    );
}

fn refuse(
    time: Placed<Nanoseconds>,
    other: Placed<Nanoseconds>,
    message: String,
    help: Help<SourceSpan>,
    reporter: &mut Reporter,
) {
    let problem =
        Problem { code: code::CONFLICT, place: time.place, message, label: "too short".to_owned(), help };
    reporter.report_with(problem, other.place, "beside this");
}
