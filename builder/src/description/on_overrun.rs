//! `on_overrun` of a task or periodic thread: what is done about a job that has used its `worst`.

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::value::{Value, Wrong, choice};
use super::{Fate, OnMiss, OnOverrun, Placed, code};
use crate::quantity::Nanoseconds;
use beryl_kernel::Budget;
use beryl_timing::Help;
use toml::de::DeValue;

/// The key.
pub(super) const KEY: &str = "on_overrun";

impl Value for OnOverrun {
    const EXAMPLE: &'static str = "\"end-job\"";

    fn read(value: &DeValue<'_>) -> Result<Self, Wrong> {
        let words = [
            ("count", OnOverrun::Counts),
            ("tell", OnOverrun::Tells),
            ("end-job", OnOverrun::EndsJob),
            ("fault", OnOverrun::Faults),
        ];
        choice(value, &words)
    }
}

/// What a section says; nothing is enforced where it says nothing.
pub(super) fn on_overrun(section: &Section<'_>, reporter: &mut Reporter) -> Option<Placed<OnOverrun>> {
    section.optional::<OnOverrun>(KEY, reporter)
}

/// A job that was ended can't go on when it is late.
pub(super) fn check_beside(on_overrun: Option<Placed<OnOverrun>>, on_miss: &OnMiss, reporter: &mut Reporter) {
    let Some(ends) = on_overrun.filter(|reaction| reaction.value == OnOverrun::EndsJob) else { return };
    if on_miss.fate == Fate::GoesOn {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: ends.place,
            message: "a job that has used its `worst` is ended, and `on_miss` lets it go on".to_owned(),
            label: "ends it".to_owned(),
            help: Help::from("write `on_overrun = \"tell\"`, or let `on_miss` stop the job")
                .or(ends.place, "\"tell\""),
        });
    }
}

/// The kernel counts budgets in less than 2^29 ticks.
pub(super) fn check_worst(
    on_overrun: Option<Placed<OnOverrun>>,
    worst: Placed<Nanoseconds>,
    tick: Nanoseconds,
    reporter: &mut Reporter,
) {
    let is_enforced = on_overrun.is_some_and(|reaction| reaction.value != OnOverrun::Counts);
    let most = Nanoseconds::new(u64::from(Budget::LONGEST).saturating_mul(tick.get()));
    if is_enforced && worst.value > most {
        reporter.report(Problem {
            code: code::RANGE,
            place: worst.place,
            message: format!("the kernel can't enforce {}: budgets have less than 2^29 ticks", worst.value),
            label: "out of range".to_owned(),
            help: Help::from(format!("write at most \"{most}\", or `on_overrun = \"count\"`"))
                .or(worst.place, format!("\"{most}\"")),
        });
    }
}
