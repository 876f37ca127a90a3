//! What is due when in a period of a mode.

use std::collections::BTreeMap;

use beryl_abi::Duration;
use beryl_syscode::round::BEATS;

use crate::assembly::{Activity, Mode, Window};

/// Something that is due whenever its block is carried out, or with a beat of the mode's round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item<T> {
    pub(super) what: T,
    pub(super) beat: Option<Duration>,
}

/// What is due when a block is carried out: lists of indices, each in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Due {
    /// Activities whose task's logical execution time ends.
    pub(super) ends: Vec<Item<usize>>,
    /// Activities that update an actuator.
    pub(super) updates: Vec<Item<usize>>,
    /// Switches that are tested.
    pub(super) switches: Vec<Item<usize>>,
    /// Activities that release a task, with its logical execution time.
    pub(super) releases: Vec<Item<(usize, Duration)>>,
}

impl Due {
    /// Whether something comes with a beat.
    pub(super) fn has_beats(&self) -> bool {
        let of_indices = self.ends.iter().chain(&self.updates).chain(&self.switches);
        of_indices
            .map(|item| item.beat)
            .chain(self.releases.iter().map(|item| item.beat))
            .any(|beat| beat.is_some())
    }

    /// At an instant at which all beats come.
    pub(super) fn is_always_due(&mut self) {
        let of_indices = self.ends.iter_mut().chain(&mut self.updates).chain(&mut self.switches);
        of_indices.for_each(|item| item.beat = None);
        self.releases.iter_mut().for_each(|item| item.beat = None);
    }
}

/// The instants of a period at which something is due, as distances from its start. The start is always among them.
pub(super) type Instants = BTreeMap<Duration, Due>;

/// How many things are due in a period.
pub(super) fn count(mode: &Mode) -> u64 {
    let times = |every: Duration| mode.period.ticks() / every.ticks().max(1);
    let activities = mode.activities.iter().map(|activity| match activity {
        activity if activity.slots().is_empty() => times(activity.every()),
        activity => u64::try_from(activity.slots().len()).unwrap_or(u64::MAX),
    });
    let switches = mode.switches.iter().map(|switch| match switch.slots.len() {
        0 => times(switch.every),
        count => u64::try_from(count).unwrap_or(u64::MAX),
    });
    activities.chain(switches).fold(0, u64::saturating_add)
}

/// Each instant by itself.
pub(super) fn instants(mode: &Mode) -> Instants {
    let mut instants = Instants::from([(Duration::ZERO, Due::default())]);
    for (index, activity) in mode.activities.iter().enumerate() {
        for window in activity.windows(mode.period) {
            let end = window.end_in(mode.period);
            match activity {
                Activity::Actuate { .. } => at(&mut instants, end).updates.push(always(index)),
                Activity::Release { .. } => {
                    at(&mut instants, window.start).releases.push(always((index, window.length())));
                    at(&mut instants, end).ends.push(always(index));
                }
            }
        }
    }
    for (index, switch) in mode.switches.iter().enumerate() {
        for window in switch.windows(mode.period) {
            at(&mut instants, window.end_in(mode.period)).switches.push(always(index));
        }
    }
    instants
}

impl Window {
    /// Where it ends in a period: what ends with one ends where the next one starts.
    fn end_in(self, period: Duration) -> Duration {
        if self.end == period { Duration::ZERO } else { self.end }
    }
}

fn at(instants: &mut Instants, instant: Duration) -> &mut Due {
    instants.entry(instant).or_default()
}

fn always<T>(what: T) -> Item<T> {
    Item { what, beat: None }
}

/// All instants of a period in one.
pub(super) struct Together {
    pub(super) due: Due,
    /// The beats whose instants are all that there are.
    pub(super) beats: Vec<Duration>,
}

/// Why the instants of a period can't be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// An activity comes in slots.
    Slots(usize),
    /// A switch is tested in slots.
    SwitchSlots(usize),
    /// So many rates have nothing in common.
    Rates(usize),
    /// The period has more ticks than a round counts.
    Period,
}

/// All instants of a period in one.
///
/// # Errors
/// Why they can't be.
pub(super) fn together(mode: &Mode) -> Result<Together, Apart> {
    let beats = beats(mode);
    if let Some(activity) = mode.activities.iter().position(|activity| !activity.slots().is_empty()) {
        return Err(Apart::Slots(activity));
    }
    if let Some(switch) = mode.switches.iter().position(|switch| !switch.slots.is_empty()) {
        return Err(Apart::SwitchSlots(switch));
    }
    if beats.len() > BEATS {
        return Err(Apart::Rates(beats.len()));
    }
    if u32::try_from(mode.period.ticks()).is_err() {
        return Err(Apart::Period);
    }
    // If one beat has all instants, what comes with it is always due.
    let beat = |every: Duration| if beats == [every] { None } else { Some(every) };
    let mut due = Due::default();
    for (index, activity) in mode.activities.iter().enumerate() {
        let (every, beat) = (activity.every(), beat(activity.every()));
        match activity {
            Activity::Actuate { .. } => due.updates.push(Item { what: index, beat }),
            Activity::Release { .. } => {
                due.releases.push(Item { what: (index, every), beat });
                due.ends.push(Item { what: index, beat });
            }
        }
    }
    for (index, switch) in mode.switches.iter().enumerate() {
        due.switches.push(Item { what: index, beat: beat(switch.every) });
    }
    Ok(Together { due, beats })
}

/// All instants of a period in one block, if a block for each of them would be long, and more than twice as long. A
/// block of its own needs to ask for no beats, so it is faster.
pub(super) fn shorter(mode: &Mode) -> Option<Together> {
    // As the generator writes them: drivers and a release, a question for outputs and one for releases, the
    // end of a block.
    const OF_ONE: u64 = 3;
    const QUESTIONS: u64 = 2;
    const OF_AN_INSTANT: u64 = 4;
    /// Half a kilobyte.
    const LONG: u64 = 128;
    let together = together(mode).ok()?;
    let written = u64::try_from(mode.activities.len() + mode.switches.len()).unwrap_or(u64::MAX);
    let asked = if together.beats.len() > 1 || together.due.has_beats() { QUESTIONS } else { 0 };
    let folded = OF_AN_INSTANT + written.saturating_mul(OF_ONE + asked);
    let due = count(mode);
    let instants = if due > u64::from(u16::MAX) { due } else { instants(mode).len() as u64 };
    let each = due.saturating_mul(OF_ONE).saturating_add(instants.saturating_mul(OF_AN_INSTANT));
    (each > LONG.max(folded.saturating_mul(2))).then_some(together)
}

/// The rates of a mode, without those whose instants all belong to another rate, too. The period is a rate only if
/// there is no other.
fn beats(mode: &Mode) -> Vec<Duration> {
    let mut all: Vec<_> = mode.rhythms().collect();
    all.sort();
    let mut beats: Vec<Duration> = Vec::new();
    for every in all {
        if !beats.iter().any(|beat| every.ticks().is_multiple_of(beat.ticks().max(1))) {
            beats.push(every);
        }
    }
    beats
}
