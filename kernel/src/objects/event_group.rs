//! Event groups: bits that threads set and clear, and other threads wait for, any or all of them.
//!
//! All waiters are checked against the bits as they were just after a set. So the bits that woken threads
//! take are cleared only when all of those are awake; until then no other thread gets to the group.

use beryl_abi::{ThreadId, Wanted};

use crate::objects::queue::Queue;
use crate::scheduling::thread::ThreadState;
use crate::table::{Blank, Table};

/// The state of an event group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventGroupState {
    /// The waiters.
    pub(crate) queue: Queue,
    /// The bits that are set.
    pub(crate) bits: u32,
    /// The bits taken by the threads woken so far for the last set, while others are still to be woken.
    pub(crate) taken: u32,
}

impl EventGroupState {
    pub(crate) const EMPTY: EventGroupState = EventGroupState { queue: Queue::EMPTY, bits: 0, taken: 0 };
}

/// The result of setting bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    /// No thread waits for them.
    Kept,
    /// The only waiter has its bits, and sees these.
    To(ThreadId, u32),
    /// Several threads wait: [`EventGroupState::next`] finds those whose bits are set.
    Several,
}

impl EventGroupState {
    /// A thread wants bits: returns all bits as they are, if the wanted ones are set. Takes those if the
    /// thread wants that too.
    #[inline(always)]
    pub(crate) fn ask(&mut self, wanted: Wanted) -> Option<u32> {
        let bits = self.bits;
        if !wanted.is_met_by(bits) {
            return None;
        }
        self.bits &= !wanted.taken();
        Some(bits)
    }

    /// Whether several threads wait.
    #[inline(always)]
    pub(crate) fn has_several(&self, threads: &impl Table<ThreadState>) -> bool {
        let first = self.queue.first();
        first.is_some() && threads.at(first.index()).behind.is_some()
    }

    /// Sets bits.
    #[inline(always)]
    pub(crate) fn set(&mut self, bits: u32, threads: &impl Table<ThreadState>) -> Set {
        self.bits |= bits;
        if self.has_several(threads) {
            return Set::Several;
        }
        let first = self.queue.first();
        if !first.is_some() {
            return Set::Kept;
        }
        match self.ask(threads.at(first.index()).offer.as_wanted()) {
            Some(bits) => {
                self.queue = Queue::EMPTY;
                Set::To(first, bits)
            }
            None => Set::Kept,
        }
    }

    /// The most urgent waiter whose bits are set, and all bits as it is to see them. If there is none, the
    /// bits taken by the others are cleared.
    #[inline(always)]
    pub(crate) fn next(&mut self, threads: &mut impl Table<ThreadState>) -> Option<(ThreadId, u32)> {
        let bits = self.bits;
        let is_met = |state: &ThreadState| state.offer.as_wanted().is_met_by(bits);
        let Some(thread) = self.queue.take_first(threads, is_met) else {
            self.bits &= !self.taken;
            self.taken = 0;
            return None;
        };
        self.taken |= threads.at(thread.index()).offer.as_wanted().taken();
        Some((thread, bits))
    }

    /// Clears bits; returns all bits as they were.
    #[inline(always)]
    pub(crate) fn clear(&mut self, bits: u32) -> u32 {
        let before = self.bits;
        self.bits &= !bits;
        before
    }
}

impl Blank for EventGroupState {
    const BLANK: EventGroupState = EventGroupState { queue: Queue::BLANK, ..EventGroupState::EMPTY };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheduling::thread::Offer;

    const ANY: u32 = 0;
    const ALL: u32 = Wanted::ALL;
    const TAKE: u32 = Wanted::TAKE;

    /// Threads that want these bits, in the order in which they wait.
    fn waiting<const N: usize>(wants: [(u32, u32); N]) -> ([ThreadState; N], EventGroupState) {
        let mut threads = [ThreadState::DORMANT; N];
        let mut group = EventGroupState::EMPTY;
        for (index, (bits, how)) in wants.into_iter().enumerate() {
            threads[index].offer = Offer::wanted(Wanted { bits, how });
            group.queue.append(&mut threads, ThreadId(index as u8));
        }
        (threads, group)
    }

    #[test]
    fn any_is_one_of_them_and_all_is_each() {
        let is_met = |how, bits| Wanted { bits: 0b110, how }.is_met_by(bits);
        assert_eq!([0, 1, 2, 4, 6, 7].map(|bits| is_met(ANY, bits)), [false, false, true, true, true, true]);
        assert_eq!(
            [0, 1, 2, 4, 6, 7].map(|bits| is_met(ALL, bits)),
            [false, false, false, false, true, true]
        );
        assert!(![ANY, ALL].map(|how| Wanted { bits: 0, how }.is_met_by(u32::MAX)).contains(&true));
    }

    #[test]
    fn who_finds_its_bits_sees_all_and_takes_its_own() {
        let mut group = EventGroupState { bits: 0b1011, ..EventGroupState::EMPTY };
        let ask = |group: &mut EventGroupState, bits, how| group.ask(Wanted { bits, how });
        assert_eq!(ask(&mut group, 0b110, ALL | TAKE), None);
        assert_eq!(ask(&mut group, 0b110, ANY), Some(0b1011));
        assert_eq!(ask(&mut group, 0b110, TAKE), Some(0b1011), "nothing was taken before");
        assert_eq!((ask(&mut group, 0b11, ALL), group.bits), (None, 0b1001));
        assert_eq!((group.clear(0b1000), group.bits), (0b1001, 1));
    }

    #[test]
    fn one_who_waits_is_woken_at_once() {
        let (threads, mut group) = waiting([(0b11, ALL | TAKE)]);
        assert_eq!(group.set(1, &threads), Set::Kept);
        assert_eq!(group.set(0b110, &threads), Set::To(ThreadId(0), 0b111));
        assert_eq!((group.bits, group.queue.is_empty()), (0b100, true));
    }

    #[test]
    fn several_see_the_same_bits_and_what_they_take_is_gone_when_all_are_woken() {
        let (mut threads, mut group) = waiting([(1, TAKE), (0b100, ANY), (0b11, ALL | TAKE), (1, ANY)]);
        assert_eq!(group.set(0b11, &threads), Set::Several);
        assert_eq!(group.next(&mut threads), Some((ThreadId(0), 0b11)));
        assert_eq!((group.bits, group.taken), (0b11, 1), "not before the others are woken");
        assert_eq!(group.next(&mut threads), Some((ThreadId(2), 0b11)));
        assert_eq!(group.next(&mut threads), Some((ThreadId(3), 0b11)));
        assert_eq!((group.next(&mut threads), group.bits, group.taken), (None, 0, 0));
        assert_eq!(group.queue, Queue::of(&mut threads, ThreadId(1)));
    }
}
