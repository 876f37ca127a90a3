//! Guards: both ways are followed, always the one that is behind, until they meet.
//!
//! Inside an activation code only goes forward. So of all ways the one with the lowest address goes on. When
//! two reach one address, and one of them is at least as bad in every respect, it stands for both. Ways that
//! never meet, because they set different triggers or load different tasks, are taken up one after the other.
//! Each of them is remembered, so that a repeated one is left out.

use super::repeat::KEPT;
use super::sweep::{Sweep, What};
use super::{Fault, Go, Image, Stage, Turn};

/// The address of a way that has come to the end of the activation.
pub(super) const ENDED: u16 = u16::MAX;
/// The most ways at one time besides the live one.
const MOST: usize = 6;

/// A way that waits for the others, or has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Way {
    /// The slot of its state; [`KEPT`], which is no way's, if there is no such way.
    slot: u8,
    /// It has been compared with the live one at its address, and differs.
    is_other: bool,
    address: u16,
}

impl Way {
    const NONE: Way = Way { slot: KEPT, is_other: false, address: 0 };

    fn is_there(&self) -> bool {
        self.slot != KEPT
    }
}

/// The ways of the current activation, and the states reached by a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ways {
    list: [Way; MOST],
    /// The address of the live one.
    address: u16,
    /// The one in the list that is searched for among the known ones.
    sought: u8,
    /// Slots with states that have been taken up, or will be.
    known: u32,
    /// Slots with states that will be taken up.
    open: u32,
}

impl Ways {
    pub const NONE: Ways = Ways { list: [Way::NONE; MOST], address: 0, sought: 0, known: 0, open: 0 };

    /// The slot of the way that is searched for.
    pub fn sought(&self) -> u8 {
        self.list.get(usize::from(self.sought)).map_or(KEPT, |way| way.slot)
    }

    /// The way whose state is in a slot; for [`KEPT`], an unused entry.
    fn of(&mut self, slot: u8) -> Option<&mut Way> {
        // bound: 6, the most ways
        self.list.iter_mut().find(|way| way.slot == slot)
    }

    /// Slots that are in use.
    fn taken(&self) -> u32 {
        // bound: 6, the most ways
        self.list.iter().fold(self.known | 1 << KEPT, |taken, way| taken | 1 << (way.slot & 31))
    }

    fn remove(&mut self, slot: u8) {
        if let Some(way) = self.of(slot) {
            *way = Way::NONE;
        }
    }

    /// A way that has moved has to be compared again.
    fn compare_anew(&mut self) {
        // bound: 6, the most ways
        self.list.iter_mut().for_each(|way| way.is_other = false);
    }
}

impl<I: Image> Turn<'_, '_, I> {
    /// Stores the live state as that of another way, which stands at an address: where a guard's no leads.
    pub(super) fn store_way(&mut self, address: u16, is_other: bool, then: Stage) -> Go {
        // bound: 32, the most states
        let slot = (!self.check.ways.taken()).trailing_zeros() as u8;
        if slot >= self.state.slots() {
            return Err(Fault::Memory);
        }
        let Some(place) = self.check.ways.of(KEPT) else { return Err(Fault::Memory) };
        *place = Way { slot, address, is_other };
        self.first(Stage::Sweep(Sweep::of(What::Store, slot)), then)
    }

    /// What has to be done before the live way goes on: another is behind it or beside it, or all have ended.
    pub(super) fn other_way(&mut self, address: u16) -> Option<Stage> {
        let ways = &mut self.check.ways;
        ways.address = address;
        let (mut first, mut beside) = (None, None);
        let mut lowest = u32::from(address) << 1;
        // bound: 6, the most ways
        for way in ways.list.iter_mut().filter(|way| way.is_there()) {
            if way.address == address && !way.is_other {
                beside = beside.or(Some(way.slot));
            }
            let order = u32::from(way.address) << 1 | u32::from(way.is_other);
            if order < lowest {
                (lowest, first) = (order, Some(way));
            }
        }
        if let Some(first) = first {
            let (slot, to) = (first.slot, core::mem::replace(&mut first.address, address));
            ways.compare_anew();
            self.check.after = Stage::Code(to);
            return Some(Stage::Sweep(Sweep::of(What::Swap, slot)));
        }
        match beside {
            Some(slot) => Some(Stage::Sweep(Sweep::of(What::Relate, slot))),
            None if address == ENDED && ways.list.iter().any(Way::is_there) => Some(Stage::Choose),
            None => {
                // It goes on, and will be compared again when another meets it.
                ways.compare_anew();
                None
            }
        }
    }

    /// The live way goes on where it stands.
    fn go_on_here(&mut self) -> Go {
        let here = self.check.ways.address;
        self.to(Stage::Code(here))
    }

    /// Neither the live way nor another at its address is at least as bad.
    pub(super) fn leave_beside(&mut self, slot: u8) -> Go {
        if let Some(way) = self.check.ways.of(slot) {
            way.is_other = true;
        }
        self.go_on_here()
    }

    /// Both ways have become one.
    pub(super) fn end_way(&mut self, slot: u8) -> Go {
        self.check.ways.remove(slot);
        self.go_on_here()
    }

    /// All ways have ended, and none stands for another: each is searched for among the known ones.
    pub(super) fn choose(&mut self) -> Go {
        (self.check.address, self.check.ways.sought) = (0, 0);
        self.store_way(ENDED, true, Stage::Seek(0))
    }

    /// Compares an ended way with the known states.
    pub(super) fn seek(&mut self, slot: u8) -> Go {
        let slots = self.state.slots();
        let ways = &mut self.check.ways;
        let own = ways.sought();
        if usize::from(ways.sought) >= MOST {
            return self.next_way();
        }
        if own == KEPT {
            return self.seek_next();
        }
        if slot >= slots {
            ways.remove(own);
            ways.known |= 1 << own;
            ways.open |= 1 << own;
            return self.seek_next();
        }
        if ways.known >> slot & 1 == 0 {
            return self.to(Stage::Seek(slot + 1));
        }
        self.sweep(Sweep::of(What::Known, slot))
    }

    fn seek_next(&mut self) -> Go {
        self.check.ways.sought += 1;
        self.to(Stage::Seek(0))
    }

    /// The way that is searched for is like the state in a slot. All ways of an activation stand at one
    /// instant, that of the live state.
    pub(super) fn is_known_in(&mut self, slot: u8) -> Go {
        let (mut is_in_phase, mut row) = (true, 0);
        // bound: LOSSES
        while let Some(is_same) = self.has_same_phase(slot, row).filter(|_| row < u8::MAX) {
            is_in_phase &= is_same;
            row += 1;
        }
        if !is_in_phase {
            return self.to(Stage::Seek(slot + 1));
        }
        let own = self.check.ways.sought();
        self.check.ways.remove(own);
        self.seek_next()
    }

    /// The next open way; the end if there is none.
    pub(super) fn next_way(&mut self) -> Go {
        let ways = &mut self.check.ways;
        if ways.open == 0 {
            return self.to(Stage::Accepted);
        }
        let slot = ways.open.trailing_zeros() as u8;
        ways.open &= ways.open - 1;
        self.to(Stage::Sweep(Sweep::of(What::Load, slot)))
    }

    /// Takes up another way.
    pub(super) fn begin_again(&mut self) -> Go {
        (self.check.age, self.check.is_kept, self.check.at_once) = (0, false, 0);
        self.to(Stage::React)
    }
}
