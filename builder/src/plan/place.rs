//! Finding places: first fit into free memory, where a region of the processor's protection unit can cover them.

use crate::board::Processor;
use crate::interval::Interval;

/// Parts of a process's memory, of the text and of the kernel start at a multiple of this many bytes.
pub(super) const ALIGNMENT: u64 = 8;

/// Which of several places is the best.
#[derive(Clone, Copy, Debug)]
pub(super) enum Preference {
    /// The one that ends first: leaves no gaps, but may pad more.
    FirstEnd,
    /// The shortest: pads least, but leaves gaps, which something smaller may fill.
    Shortest,
}

/// The free stretches of a memory, by address.
#[derive(Clone, Debug)]
pub(super) struct Free {
    stretches: Vec<Interval>,
    preference: Preference,
    pub(super) processor: &'static Processor,
}

impl Free {
    pub(super) fn new(memory: Interval, preference: Preference, processor: &'static Processor) -> Free {
        Free { stretches: vec![memory], preference, processor }
    }

    /// Takes the best interval of `size` bytes or a little more that a region can cover and that isn't below `floor`.
    /// `None` if nothing is large enough.
    pub(super) fn take_region(&mut self, size: u64, floor: u32) -> Option<Interval> {
        let above = |free: &Interval| Interval::new(free.base.max(floor), free.limit);
        let place = self
            .stretches
            .iter()
            .map(above)
            .flat_map(|free| self.processor.protection.coverable(free, size))
            .min_by_key(|place| self.preference.order(place))?;
        self.remove(place);
        Some(place)
    }

    /// Takes the first `size` bytes, for the kernel, which needs no region.
    pub(super) fn take_first(&mut self, size: u64) -> Option<Interval> {
        let free = self.stretches.first()?;
        let limit = u64::from(free.base) + size.next_multiple_of(ALIGNMENT);
        let place = within(*free, u64::from(free.base), limit)?;
        self.remove(place);
        Some(place)
    }

    /// Takes the first `size` bytes that are free together, for what needs no region of its own.
    pub(super) fn take_anywhere(&mut self, size: u64) -> Option<Interval> {
        let place = |free: &Interval| {
            let base = u64::from(free.base).next_multiple_of(ALIGNMENT);
            within(*free, base, base + size)
        };
        if size == 0 {
            return Some(Interval::EMPTY);
        }
        let place = self.stretches.iter().find_map(place)?;
        self.remove(place);
        Some(place)
    }

    fn remove(&mut self, taken: Interval) {
        let rest = |free: &Interval| {
            if !free.contains(taken) {
                return [*free, Interval::EMPTY];
            }
            [Interval::new(free.base, taken.base), Interval::new(taken.limit, free.limit)]
        };
        self.stretches = self.stretches.iter().flat_map(rest).filter(|free| !free.is_empty()).collect();
    }
}

impl Preference {
    fn order(self, place: &Interval) -> (u32, u32) {
        let (end, length) = (place.limit, place.length().get());
        match self {
            Preference::FirstEnd => (end, length),
            Preference::Shortest => (length, end),
        }
    }
}

fn within(free: Interval, base: u64, limit: u64) -> Option<Interval> {
    let place = Interval::new(u32::try_from(base).ok()?, u32::try_from(limit).ok()?);
    (free.base <= place.base && place.limit <= free.limit).then_some(place)
}
