//! Mode switches must be harmonic: when a switch is tested, no task is inside its logical execution time
//! (rules 4 and 11).

use super::operand::Reader;
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::{Activity, Microseconds, Mode, Slots, Switch, Window};
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
        for switch in mode.switches.iter().filter(|switch| switch.slots.is_empty()) {
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
        if mode.switches.iter().any(|switch| !switch.slots.is_empty()) {
            self.harmonic_in_slots(mode);
        }
    }

    /// The same for switches that are tested at the ends of some slots only.
    fn harmonic_in_slots(&mut self, mode: &Mode) {
        let busy = Busy::of(mode);
        self.reporter.count(mode.activities.len() + busy.stretches.len());
        for switch in mode.switches.iter().filter(|switch| !switch.slots.is_empty()) {
            self.reporter.count(switch.slots.len());
            let torn = switch.windows(mode.period).map(|window| window.end).find(|end| busy.has(*end));
            if let Some(end) = torn.filter(|_| !self.reporter.is_full()) {
                self.report_torn_at(mode, switch, end);
            }
        }
    }

    fn report_torn_at(&mut self, mode: &Mode, switch: &Switch, end: Microseconds) {
        let has = |activity: &Activity| is_at_work(activity, mode.period, end);
        self.reporter.count(mode.activities.len());
        let torn = mode.activities.iter().zip(&mode.places).find(|(activity, _)| has(activity));
        let Some((Activity::Task { task, .. }, place)) = torn else { return };
        let Some(name) = self.own().tasks.get(*task).map(|task| &task.name) else { return };
        let slots: Vec<_> = switch.slots.iter().map(Slots::to_string).collect();
        let help = match switch.slots.as_slice() {
            [_] => Help::from("test it where a period ends, which tears no task")
                .or(switch.place, switch.frequency.to_string()),
            _ => "choose slots at whose ends no task is at work".into(),
        };
        let problem = Problem {
            code: code::NOT_HARMONIC,
            place: switch.place,
            message: format!(
                "this switch is tested at {end} of the period, when task `{name}` may be inside its logical execution time"
            ),
            label: format!("`slots = {}` of {}", slots.join("|"), switch.frequency),
            help,
        };
        self.reporter.report_with(problem, *place, "this task would be torn");
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

/// When some task of a mode is inside its logical execution time.
struct Busy {
    /// Tasks without slots are at work at all times but at the multiples of this.
    free: u64,
    /// The others are between the starts and the ends of these, which are in order and don't overlap.
    stretches: Vec<Window>,
}

impl Busy {
    fn of(mode: &Mode) -> Busy {
        let tasks = || mode.activities.iter().filter(|activity| matches!(activity, Activity::Task { .. }));
        let (in_slots, plain): (Vec<_>, Vec<_>) = tasks().partition(|activity| !activity.slots().is_empty());
        let common = plain.into_iter().map(Activity::frequency).fold(0, common_divisor);
        let free = if common == 0 { 1 } else { mode.period.0 / u64::from(common) };
        let windows = in_slots.into_iter().flat_map(|activity| activity.windows(mode.period));
        let mut windows: Vec<_> = windows.collect();
        windows.sort_by_key(|window| window.start);
        let mut stretches: Vec<Window> = Vec::new();
        for window in windows {
            match stretches.last_mut().filter(|last| window.start < last.end) {
                Some(last) => last.end = last.end.max(window.end),
                None => stretches.push(window),
            }
        }
        Busy { free, stretches }
    }

    fn has(&self, at: Microseconds) -> bool {
        let behind = self.stretches.partition_point(|stretch| stretch.start < at);
        let last = behind.checked_sub(1).and_then(|last| self.stretches.get(last));
        !at.0.is_multiple_of(self.free) || last.is_some_and(|stretch| at < stretch.end)
    }
}

/// Whether one of the activity's logical execution times has begun before an instant, and ends behind it.
fn is_at_work(activity: &Activity, period: Microseconds, at: Microseconds) -> bool {
    let Activity::Task { slots, .. } = activity else { return false };
    if slots.is_empty() {
        return !at.0.is_multiple_of(activity.duration(period).0);
    }
    activity.windows(period).any(|window| window.start < at && at < window.end)
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
