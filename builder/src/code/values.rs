//! Values at an instant: sensors are read at most once, guards are asked, inputs copied.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::Duration;

use super::draft::{Drafts, Label};
use crate::assembly::{Guard, Input};

/// The sensors that have been read at an instant, named by their getters, each with the beats at which it is read; and
/// the beat of the code that is being written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Read {
    getters: BTreeMap<usize, BTreeSet<Duration>>,
    beat: Duration,
}

/// The beat of what is always due. All others are multiples of it.
const ALWAYS: Duration = Duration::from_ticks(1);

impl Read {
    /// Nothing has been read.
    pub(super) fn new() -> Read {
        Read { getters: BTreeMap::new(), beat: ALWAYS }
    }

    /// What is written from here on comes with a beat.
    pub(super) fn comes_with(&mut self, beat: Option<Duration>) {
        self.beat = beat.unwrap_or(ALWAYS);
    }

    /// Whether a sensor has been read whenever this comes.
    fn has(&self, getter: usize) -> bool {
        let is_part = |beat: &Duration| self.beat.ticks().is_multiple_of(beat.ticks());
        self.getters.get(&getter).is_some_and(|beats| beats.iter().any(is_part))
    }

    /// What has been read, always or perhaps, if the code goes on elsewhere at the instants of this beat.
    pub(super) fn taken_along(&self) -> Read {
        let certain =
            |getter: usize| if self.has(getter) { BTreeSet::from([ALWAYS]) } else { BTreeSet::new() };
        let getters = self.getters.keys().map(|getter| (*getter, certain(*getter))).collect();
        Read { getters, beat: ALWAYS }
    }
}

impl Drafts {
    /// Asks a guard; answers where the code goes on if it says no. The sensors that the guarded activity needs are read
    /// first, so that no guard decides when a sensor is read.
    pub(super) fn guard(
        &mut self,
        guard: Option<&Guard>,
        inputs: &[Input],
        read: &mut Read,
    ) -> Option<Label> {
        let guard = guard?;
        let own = guard.getters.iter().copied();
        for getter in own.chain(inputs.iter().filter_map(|input| input.getter)) {
            self.read(getter, read);
        }
        self.call(guard.driver);
        let no = self.label();
        self.branch(no);
        Some(no)
    }

    pub(super) fn otherwise(&mut self, no: Option<Label>) {
        no.into_iter().for_each(|no| self.place(no));
    }

    pub(super) fn input(&mut self, input: Input, read: &mut Read) {
        input.getter.into_iter().for_each(|getter| self.read(getter, read));
        self.call(input.driver);
    }

    /// Reads a sensor unless it has been read for certain. If it may have been, the kernel keeps track of whether it
    /// was.
    pub(super) fn read(&mut self, getter: usize, read: &mut Read) {
        if read.has(getter) {
            return;
        }
        if read.getters.contains_key(&getter) {
            self.read_again.insert(getter);
        }
        read.getters.entry(getter).or_default().insert(read.beat);
        self.call(getter);
    }
}
