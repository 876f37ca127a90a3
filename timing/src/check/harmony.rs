//! Mode switches must be harmonic: when a switch is tested, no task is inside its logical execution time
//! (rules 4 and 11).

use super::operand::Reader;
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::{Activity, Microseconds, Mode, Slots, Switch};
use crate::place::Place;
use std::collections::BTreeMap;

impl Reader<'_, '_> {
    /// Reports each switch that may come while a task is at work, with the first such task.
    ///
    /// Checks each task once for each frequency that divides all task frequencies; there are at most 1536 of
    /// these.
    pub(super) fn harmonic(&mut self, mode: &Mode) {
        let tasks = mode.activities.iter().filter(|activity| matches!(activity, Activity::Task { .. }));
        let common = tasks.map(Activity::frequency).fold(0, common_divisor);
        let mut known: BTreeMap<u32, bool> = BTreeMap::new();
        for switch in &mode.switches {
            let frequency = switch.frequency;
            let reporter = &mut *self.reporter;
            reporter.count(1);
            let tears_any = || {
                reporter.count(mode.activities.len());
                mode.activities.iter().any(|activity| tears(frequency, activity))
            };
            let torn = !common.is_multiple_of(frequency) || *known.entry(frequency).or_insert_with(tears_any);
            if torn && !self.reporter.is_full() {
                self.report_torn(mode, switch);
            }
        }
    }

    fn report_torn(&mut self, mode: &Mode, switch: &Switch) {
        let torn = mode.activities.iter().zip(&mode.places).find(|(one, _)| tears(switch.frequency, one));
        let Some((Activity::Task { task, frequency, slots, .. }, place)) = torn else { return };
        let Some(name) = self.own().tasks.get(*task).map(|task| &task.name) else { return };
        let every = Microseconds(mode.period.0 / u64::from(switch.frequency));
        let problem = Problem {
            code: code::NOT_HARMONIC,
            place: switch.place,
            message: format!(
                "this switch is tested every {every}, when task `{name}` may be inside its logical execution time"
            ),
            label: format!("`freq = {}`", switch.frequency),
            help: proposal(mode, switch, *frequency, slots),
        };
        self.reporter.report_with(problem, *place, "this task would be torn");
    }
}

/// The greatest common divisor.
fn common_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

/// Whether a switch comes inside a task's logical execution time. Its frequency must divide that of every
/// task, guarded or not; with slots, it must not fall into a window of several slots.
fn tears(switch: u32, activity: &Activity) -> bool {
    let Activity::Task { frequency, slots, .. } = activity else { return false };
    if !frequency.is_multiple_of(switch) {
        return true;
    }
    let between = frequency / switch;
    // The window of the slots first to last contains the ends of the slots first to last - 1.
    slots.iter().any(|slots| (slots.last - 1) / between > (slots.first - 1) / between)
}

/// The next lower frequency at which the switch tears no task.
fn proposal(mode: &Mode, switch: &Switch, task: u32, slots: &[Slots]) -> Help<Place> {
    const MOST_TRIED: u32 = 100;
    let fits = |frequency: &u32| !mode.activities.iter().any(|activity| tears(*frequency, activity));
    match (1..switch.frequency.min(MOST_TRIED)).rev().find(fits) {
        Some(below) => {
            Help::from(format!("test it with `freq = {below}`, or give the task another frequency"))
                .or(switch.place, below.to_string())
        }
        None if slots.is_empty() => format!("test it with a `freq` that divides {task}").into(),
        None => "choose slots that end with the period".into(),
    }
}
