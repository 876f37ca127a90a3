//! Guards: both ways are followed, the one that is behind first, until they meet.
//!
//! Inside of an activation code goes forward only. So of all ways the one with the lowest address goes on; where two have come to
//! one address, and what one of them has done is in every respect at least as bad, it stands for both. Ways that
//! meet nowhere, because they set different triggers or load different tasks, are taken up one after the other. Each of them is
//! remembered, so that one that comes again is left out.

use super::repeat::KEPT;
use super::state::{FRESH, JOB, NOW, PLACE};
use super::{Fault, Go, Image, Stage, Turn};

/// The address of a way that has come to the end of the activation.
pub(super) const ENDED: u16 = u16::MAX;
/// The most ways at one time beside the live one.
const MOST: usize = 6;

/// A way that waits for the others, or has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Way {
    slot: u8,
    address: u16,
    /// It has been compared at its address with the live one, and is another.
    is_other: bool,
}

/// The ways of the activation that is under way, and the states that were come to by a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ways {
    list: [Option<Way>; MOST],
    /// Where the live one stands.
    program: u8,
    address: u16,
    /// Slots with states that have been taken up, or will be.
    known: u32,
    /// Slots with states that will be.
    open: u32,
}

impl Ways {
    pub const NONE: Ways = Ways { list: [None; MOST], program: 0, address: 0, known: 0, open: 0 };

    fn is_free(&self, slot: u8) -> bool {
        // bound: 6, the most ways
        let is_used = self.list.iter().flatten().any(|way| way.slot == slot);
        slot != KEPT && !is_used && self.known >> slot & 1 == 0
    }

    fn of(&mut self, slot: u8) -> Option<&mut Way> {
        // bound: 6, the most ways
        self.list.iter_mut().flatten().find(|way| way.slot == slot)
    }

    fn remove(&mut self, slot: u8) {
        // bound: 6, the most ways
        for way in &mut self.list {
            if way.is_some_and(|way| way.slot == slot) {
                *way = None;
            }
        }
    }
}

impl<I: Image> Turn<'_, '_, I> {
    fn free_slot(&self, program: u8, address: u16) -> Result<u8, super::Stop> {
        // bound: 32, the most states
        for slot in 0..self.slot_count() {
            if self.check.ways.is_free(slot) {
                return Ok(slot);
            }
        }
        self.breach(program, address, Fault::Memory)
    }

    /// A guard: the way on which it says no is stored.
    pub(super) fn branch(&mut self, program: u8, address: u16, to: u16, then: Stage) -> Go {
        let slot = self.free_slot(program, address)?;
        // bound: 6, the most ways
        let Some(place) = self.check.ways.list.iter_mut().find(|way| way.is_none()) else {
            return self.breach(program, address, Fault::Memory);
        };
        *place = Some(Way { slot, address: to, is_other: false });
        self.first(Stage::Store { slot, word: 0 }, then)
    }

    pub(super) fn store(&mut self, slot: u8, word: u16) -> Go {
        let (words, next) = self.chunk(word);
        // bound: 8
        for word in words {
            self.set_stored(slot, word, self.state.word(word));
        }
        Ok(Some(next.map_or(self.check.after, |word| Stage::Store { slot, word })))
    }

    /// What has to be done before the live way goes on: another is behind it, or beside it, or all have ended.
    pub(super) fn other_way(&mut self, program: u8, address: u16) -> Option<Stage> {
        let ways = &mut self.check.ways;
        (ways.program, ways.address) = (program, address);
        // bound: 6, the most ways
        let first = ways.list.iter().flatten().min_by_key(|way| (way.address, way.is_other)).copied()?;
        if first.address < address {
            if let Some(way) = ways.of(first.slot) {
                way.address = address;
            }
            // Who has moved has to be compared anew.
            // bound: 6, the most ways
            ways.list.iter_mut().flatten().for_each(|way| way.is_other = false);
            self.check.after = Stage::Code { program, address: first.address };
            return Some(Stage::Swap { slot: first.slot, word: 0 });
        }
        // bound: 6, the most ways
        let beside = ways.list.iter().flatten().find(|way| way.address == address && !way.is_other);
        match beside {
            Some(way) => Some(Stage::Relate { slot: way.slot, word: NOW as u16, relation: MORE | LESS }),
            None if address == ENDED => Some(Stage::Choose),
            None => {
                // It goes on, and will be compared again where it is met.
                // bound: 6, the most ways
                ways.list.iter_mut().flatten().for_each(|way| way.is_other = false);
                None
            }
        }
    }

    pub(super) fn swap(&mut self, slot: u8, word: u16) -> Go {
        let (words, next) = self.chunk(word);
        // bound: 8
        for word in words {
            let (live, stored) = (self.state.word(word), self.stored(slot, word));
            self.state.set_word(word, stored);
            self.set_stored(slot, word, live);
        }
        Ok(Some(next.map_or(self.check.after, |word| Stage::Swap { slot, word })))
    }

    /// Whether the live way or the stored one is at least as bad.
    pub(super) fn relate(&mut self, slot: u8, word: u16, mut relation: u8) -> Go {
        let (words, next) = self.chunk(word);
        // bound: 8
        for word in words {
            relation &= self.relation(word, self.state.word(word), self.stored(slot, word));
        }
        let Self { check, .. } = self;
        let here = Stage::Code { program: check.ways.program, address: check.ways.address };
        Ok(Some(match (relation, next) {
            (0, _) => {
                if let Some(way) = check.ways.of(slot) {
                    way.is_other = true;
                }
                here
            }
            (_, Some(word)) => Stage::Relate { slot, word, relation },
            (_, None) => Stage::Join { slot, word: NOW as u16 },
        }))
    }

    /// What two words at one place say: whether the first is at least as bad, whether the second is.
    fn relation(&self, word: usize, live: u32, stored: u32) -> u8 {
        let more_or_less = |live: u32, stored: u32| match live.cmp(&stored) {
            core::cmp::Ordering::Equal => MORE | LESS,
            core::cmp::Ordering::Greater => MORE,
            core::cmp::Ordering::Less => LESS,
        };
        let same = |is_same: bool| if is_same { MORE | LESS } else { 0 };
        match self.kind(word) {
            Kind::Left => more_or_less(live, stored),
            Kind::Certain => MORE | LESS,
            // Without a job, there are no times.
            Kind::Times => same(live == stored || live == 0 || stored == 0),
            Kind::Marks => same((live ^ stored) & !FRESH == 0),
            Kind::Other => same(live == stored),
        }
    }

    /// Both ways become one, as bad as the worse one.
    pub(super) fn join(&mut self, slot: u8, word: u16) -> Go {
        let (words, next) = self.chunk(word);
        // bound: 8
        for word in words {
            let (live, stored) = (self.state.word(word), self.stored(slot, word));
            let joined = match self.kind(word) {
                Kind::Left => live.max(stored),
                Kind::Certain | Kind::Marks => live & stored,
                Kind::Times => {
                    if live == 0 {
                        stored
                    } else {
                        live
                    }
                }
                Kind::Other => live,
            };
            self.state.set_word(word, joined);
        }
        if let Some(word) = next {
            return Ok(Some(Stage::Join { slot, word }));
        }
        self.check.ways.remove(slot);
        let Self { check, .. } = self;
        Ok(Some(Stage::Code { program: check.ways.program, address: check.ways.address }))
    }

    fn kind(&self, word: usize) -> Kind {
        let shape = self.check.shape;
        if word < shape.jobs() {
            return Kind::Other;
        }
        if word < shape.places() {
            return match (word - shape.jobs()) % JOB {
                0 => Kind::Left,
                3 => Kind::Marks,
                _ => Kind::Times,
            };
        }
        match (word - shape.places()) % shape.place() {
            head if head < PLACE => Kind::Other,
            left if left < PLACE + usize::from(shape.tasks) => Kind::Left,
            _ => Kind::Certain,
        }
    }

    /// All ways have ended, and no one stands for another: each is looked for among those that are known.
    pub(super) fn choose(&mut self) -> Go {
        let slot = self.free_slot(self.check.ways.program, 0)?;
        let ways = &mut self.check.ways;
        // bound: 6, the most ways
        let Some(place) = ways.list.iter_mut().find(|way| way.is_none()) else {
            return self.breach(0, 0, Fault::Memory);
        };
        *place = Some(Way { slot, address: ENDED, is_other: true });
        self.first(Stage::Store { slot, word: 0 }, Stage::Seek { way: 0, slot: 0, word: NOW as u16 })
    }

    /// Compares an ended way with a state that is known.
    pub(super) fn seek(&mut self, way: u8, slot: u8, word: u16) -> Go {
        let Some(place) = self.check.ways.list.get(usize::from(way)).copied() else {
            return self.next_way();
        };
        let start = NOW as u16;
        let Some(own) = place else { return Ok(Some(Stage::Seek { way: way + 1, slot: 0, word: start })) };
        if slot >= self.slot_count() {
            let ways = &mut self.check.ways;
            ways.remove(own.slot);
            ways.known |= 1 << own.slot;
            ways.open |= 1 << own.slot;
            return Ok(Some(Stage::Seek { way: way + 1, slot: 0, word: start }));
        }
        if self.check.ways.known >> slot & 1 == 0 {
            return Ok(Some(Stage::Seek { way, slot: slot + 1, word: start }));
        }
        let (words, next) = self.chunk(word);
        let mut is_same = true;
        // bound: 8
        for word in words {
            is_same &= self.stored(own.slot, word) == self.stored(slot, word);
        }
        if !is_same {
            return Ok(Some(Stage::Seek { way, slot: slot + 1, word: start }));
        }
        if let Some(word) = next {
            return Ok(Some(Stage::Seek { way, slot, word }));
        }
        // All ways of an activation stand at one instant, that of the live state.
        let (mut is_in_phase, mut row) = (true, 0);
        // bound: LOSSES
        while let Some(is_same) = self.has_same_phase(slot, row).filter(|_| row < u8::MAX) {
            is_in_phase &= is_same;
            row += 1;
        }
        if is_in_phase {
            self.check.ways.remove(own.slot);
            return Ok(Some(Stage::Seek { way: way + 1, slot: 0, word: start }));
        }
        Ok(Some(Stage::Seek { way, slot: slot + 1, word: start }))
    }

    /// The next way that is open; the end if there is none.
    pub(super) fn next_way(&mut self) -> Go {
        let ways = &mut self.check.ways;
        if ways.open == 0 {
            return Ok(None);
        }
        let slot = ways.open.trailing_zeros() as u8;
        ways.open &= ways.open - 1;
        Ok(Some(Stage::Resume { slot, word: 0 }))
    }

    pub(super) fn resume(&mut self, slot: u8, word: u16) -> Go {
        let (words, next) = self.chunk(word);
        // bound: 8
        for word in words {
            self.state.set_word(word, self.stored(slot, word));
        }
        if let Some(word) = next {
            return Ok(Some(Stage::Resume { slot, word }));
        }
        (self.check.age, self.check.is_kept, self.check.at_once) = (0, false, 0);
        Ok(Some(Stage::React))
    }
}

const MORE: u8 = 1;
const LESS: u8 = 2;

/// What a word of a state is.
enum Kind {
    /// What may be left.
    Left,
    /// When a job is due or was released.
    Times,
    /// The owner of a job, and marks.
    Marks,
    /// What is certain.
    Certain,
    /// Everything else.
    Other,
}
