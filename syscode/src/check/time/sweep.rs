//! The live state and another one, word by word: copied, compared or merged, a few words each step.

use super::scan::CHUNK;
use super::state::{FRESH, JOB, NOW, PLACE};
use super::{Go, Image, Stage, Turn};

/// What is done with the words of the live state and of the one in a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum What {
    /// The live one is copied into the slot.
    Store,
    /// The one in the slot is copied to the live one.
    Load,
    /// They change places.
    Swap,
    /// Checks whether they are the same, apart from `now`.
    Same,
    /// Checks whether the one in the slot is the same as that of the way that is searched for.
    Known,
    /// Checks whether one of them is at least as bad.
    Relate,
    /// The live one becomes as bad as both.
    Join,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sweep {
    what: What,
    slot: u8,
    /// Which of the two may be at least as bad, by the words so far.
    relation: u8,
    word: u16,
}

impl Sweep {
    /// Before its first word. Comparisons leave out `now`.
    pub fn of(what: What, slot: u8) -> Sweep {
        let word = if matches!(what, What::Store | What::Load | What::Swap) { 0 } else { NOW as u16 };
        Sweep { what, slot, relation: MORE | LESS, word }
    }

    /// As above; a state that doesn't exist counts as different.
    pub fn if_there(self, is_there: bool) -> Sweep {
        Sweep { relation: if is_there { self.relation } else { 0 }, ..self }
    }
}

/// The live state may be at least as bad.
const MORE: u8 = 1;
/// The other one may be at least as bad.
const LESS: u8 = 2;

/// The kind of a word in a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// What may be left.
    Left,
    /// When a job is due.
    Due,
    /// The owner of a job, and marks.
    Marks,
    /// What is certain.
    Certain,
    /// Everything else.
    Other,
}

impl<I: Image> Turn<'_, '_, I> {
    pub(super) fn sweep(&mut self, sweep: Sweep) -> Go {
        let Sweep { what, slot, mut relation, word } = sweep;
        let all = self.check.shape.words();
        let end = (usize::from(word) + usize::from(CHUNK)).min(all);
        // bound: 8
        for word in usize::from(word)..end {
            let (mut own, other) = (word, self.state.stored(slot, word));
            if what == What::Known {
                own = self.state.stored(self.check.ways.sought(), word);
            }
            let (live, stored) = (self.state.word(own), self.state.word(other));
            if matches!(what, What::Store | What::Swap) {
                self.state.set_word(other, live);
            }
            match what {
                What::Store => {}
                What::Load | What::Swap => self.state.set_word(own, stored),
                What::Same | What::Known if live == stored => {}
                What::Same | What::Known => relation = 0,
                What::Relate => relation &= relate(self.kind(word), live, stored),
                What::Join => self.state.set_word(own, join(self.kind(word), live, stored)),
            }
        }
        if relation == 0 {
            return self.differs(what, slot);
        }
        if end < all {
            return self.to(Stage::Sweep(Sweep { relation, word: end as u16, ..sweep }));
        }
        self.swept(what, slot)
    }

    /// The two differ.
    fn differs(&mut self, what: What, slot: u8) -> Go {
        match what {
            What::Same => self.go_on(),
            What::Known => self.to(Stage::Seek(slot + 1)),
            _ => self.leave_beside(slot),
        }
    }

    /// All words are done.
    fn swept(&mut self, what: What, slot: u8) -> Go {
        match what {
            What::Store | What::Swap => self.on(),
            What::Load => self.begin_again(),
            What::Same => self.to(Stage::Phases(0)),
            What::Known => self.is_known_in(slot),
            What::Relate => self.to(Stage::Sweep(Sweep::of(What::Join, slot))),
            What::Join => self.end_way(slot),
        }
    }

    fn kind(&self, word: usize) -> Kind {
        let shape = &self.check.shape;
        let Some(beyond) = word.checked_sub(shape.places()) else {
            return match word.checked_sub(shape.jobs()).map(|word| word % JOB) {
                None => Kind::Other,
                Some(0) => Kind::Left,
                Some(1) => Kind::Due,
                Some(_) => Kind::Marks,
            };
        };
        if !I::HAS_THREADS {
            return Kind::Other;
        }
        match beyond % shape.place().max(1) {
            head if head < PLACE => Kind::Other,
            left if left < PLACE + usize::from(shape.tasks) => Kind::Left,
            _ => Kind::Certain,
        }
    }
}

/// Compares two words at one place: whether the first is at least as bad, whether the second is.
fn relate(kind: Kind, live: u32, stored: u32) -> u8 {
    let is_same = match kind {
        Kind::Left if live > stored => return MORE,
        Kind::Left if live < stored => return LESS,
        Kind::Left | Kind::Certain => true,
        // Without a job, nothing is due.
        Kind::Due => live == stored || live == 0 || stored == 0,
        Kind::Marks => (live ^ stored) & !FRESH == 0,
        Kind::Other => live == stored,
    };
    if is_same { MORE | LESS } else { 0 }
}

/// A word as bad as both.
fn join(kind: Kind, live: u32, stored: u32) -> u32 {
    match kind {
        Kind::Left => live.max(stored),
        Kind::Certain | Kind::Marks => live & stored,
        Kind::Due if live == 0 => stored,
        Kind::Due | Kind::Other => live,
    }
}
