//! What slots offer to their programs: the tasks of a dynamic band, in which there are no other threads.

use super::diagnostic::{Problem, Reporter};
use super::readable::Parts;
use super::{Placed, Policy, code};

/// Checks what slots offer.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let offers = parts.objects.slots.iter().filter_map(|slot| slot.offers.as_ref());
    offers.for_each(|offers| offered(parts, offers, reporter));
}

fn offered(parts: &Parts, offers: &Placed<String>, reporter: &mut Reporter) {
    let Some(index) = parts.bands.iter().position(|band| band.name.value == offers.value) else {
        let names: Vec<_> = parts.bands.iter().map(|band| band.name.value.as_str()).collect();
        return reporter.unknown("band", offers, &names);
    };
    let band = &parts.bands[index];
    if band.policy != Policy::Dynamic {
        let problem = Problem {
            code: code::CONFLICT,
            place: offers.place,
            message: format!("the tasks of band `{}` can't be offered: it isn't a dynamic one", offers.value),
            label: "offered".to_owned(),
            help: "offer the tasks of a band with the policy \"dynamic\"".into(),
        };
        return reporter.report_with(problem, band.name.place, "this band");
    }
    if let Some(thread) = parts.threads.iter().find(|thread| thread.band.value.index() == index) {
        let problem = Problem {
            code: code::CONFLICT,
            place: thread.name.place,
            message: format!(
                "thread `{}` stands in band `{}`, which is offered to programs of a slot, and they take over tasks only",
                thread.name.value, offers.value
            ),
            label: "not a task".to_owned(),
            help: "move the thread to another band".into(),
        };
        reporter.report_with(problem, offers.place, "offered here");
    }
}
