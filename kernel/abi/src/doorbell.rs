//! Doorbells: how the kernel of one core tells that of another that something has happened, over memory that both see.
//!
//! Each core has a panel of three words. A word is written by its own core only; the others read it. A bell is a bit of each: in
//! the ringer's word by whom it is for, in the words of who is rung by who rings.
//!
//! ```text
//! the ringer's    rung     differs from `taken` while the bell is up
//! the receiver's  taken    as `rung` was when the bell was taken
//!                 armed    whether the bell may interrupt: it is a line that is let through
//!
//!         ring: rung := not taken          take: taken := rung
//!    down ---------------------------> up -------------------> down
//!                                      |  ^
//!                                      +--+ ring: nothing changes
//! ```
//!
//! A bell that is rung twice before it is taken is rung once. Only one that is armed interrupts its receiver, and only when it
//! goes up. So a ringer that doesn't stop costs the receiver what the line lets through and no trap for each ring: at most one more
//! for each that is taken, where the ringer calls for a bell that the receiver has found by itself.
//!
//! Nobody waits, and no word is changed by two. What is relied on are orders of a store before a load of another word, on both
//! sides ([`Order`]). `loom` visits all interleavings in `tests/doorbell_orders.rs`, with each order and without.

/// The most cores that ring each other.
pub const CORES: u32 = 4;
/// The most bells from one core to another.
pub const BELLS: u32 = 8;
/// How many bells can ring at a core, or be rung by it.
pub const ALL: u32 = CORES * BELLS;

/// A word of a core's panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// What the core has rung.
    Rung,
    /// What it has taken.
    Taken,
    /// What may interrupt it.
    Armed,
}

/// What has to be seen by all before what comes behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// What the ringer wants to tell, before it looks whether the bell was taken.
    Told,
    /// The bell, before the ringer looks whether it is armed.
    Rung,
    /// That the receiver has been called is withdrawn, before it looks at its bells.
    Withdrawn,
    /// The bell is taken, before its thread looks for what was told.
    Taken,
    /// The bell is armed, before the receiver looks whether it is up.
    Armed,
}

/// The panels of all cores as one of them sees them.
pub trait Panels {
    /// The number of the core that sees them.
    fn own(&self) -> u32;
    /// The word of a core.
    fn load(&mut self, core: u32, word: Word) -> u32;
    /// Changes a word of the own core.
    fn store(&mut self, word: Word, bells: u32);
    /// Nothing behind it is done before all before it is seen by all cores.
    fn order(&mut self, order: Order);
    /// Interrupts a core, which may be the own one, until that withdraws it.
    fn call(&mut self, core: u32);
    /// Withdraws that the own core was called.
    fn withdraw(&mut self);
}

/// The bell of this number from the own core to another, or from another to the own, as a bit.
#[must_use]
#[inline(always)]
pub const fn bell(other: u32, number: u32) -> u32 {
    1 << ((other * BELLS + number) & (ALL - 1))
}

/// Who is at the other end of a bell: the core of this bit.
#[inline(always)]
const fn other(bell: u32) -> u32 {
    (bell.trailing_zeros() / BELLS) & (CORES - 1)
}

/// The same bell as the other end has it.
#[inline(always)]
const fn turned(bell: u32, own: u32) -> u32 {
    1 << ((own * BELLS + bell.trailing_zeros() % BELLS) & (ALL - 1))
}

/// Rings a bell of the own core. One that is up stays up: whoever takes it will read what was told until now.
#[inline(always)]
pub fn ring(panels: &mut impl Panels, bell: u32) {
    let (own, to) = (panels.own(), other(bell));
    let theirs = turned(bell, own);
    panels.order(Order::Told);
    let was_taken = panels.load(to, Word::Taken) & theirs != 0;
    let rung = panels.load(own, Word::Rung);
    if (rung & bell != 0) != was_taken {
        return;
    }
    panels.store(Word::Rung, rung ^ bell);
    panels.order(Order::Rung);
    if panels.load(to, Word::Armed) & theirs != 0 {
        panels.call(to);
    }
}

/// Takes a bell that is up and armed, when the own core was called: none if there is none. If there are more, the core is called
/// again.
#[inline(always)]
pub fn take(panels: &mut impl Panels) -> Option<u32> {
    panels.withdraw();
    panels.order(Order::Withdrawn);
    let (own, taken) = (panels.own(), panels.load(panels.own(), Word::Taken));
    let up = (all_rung(panels) ^ taken) & panels.load(own, Word::Armed);
    let bell = up & up.wrapping_neg();
    if bell == 0 {
        return None;
    }
    panels.store(Word::Taken, taken ^ bell);
    if up != bell {
        panels.call(own);
    }
    panels.order(Order::Taken);
    Some(bell)
}

/// What all cores have rung at the own one, each at its place. A core rings no bell of its own.
#[inline(always)]
fn all_rung(panels: &mut impl Panels) -> u32 {
    let own = panels.own();
    let of = |panels: &mut _, core: u32| {
        let rung = Panels::load(panels, core, Word::Rung) >> (own * BELLS);
        (rung & ((1 << BELLS) - 1)) << (core * BELLS)
    };
    of(panels, 0) | of(panels, 1) | of(panels, 2) | of(panels, 3)
}

/// Lets no bell of this line through.
#[inline(always)]
pub fn disarm(panels: &mut impl Panels, bell: u32) {
    let armed = panels.load(panels.own(), Word::Armed);
    panels.store(Word::Armed, armed & !bell);
}

/// Lets it through. One that is up calls the own core at once.
#[inline(always)]
pub fn arm(panels: &mut impl Panels, bell: u32) {
    let own = panels.own();
    let armed = panels.load(own, Word::Armed);
    panels.store(Word::Armed, armed | bell);
    panels.order(Order::Armed);
    let rung = panels.load(other(bell), Word::Rung) & turned(bell, own) != 0;
    let taken = panels.load(own, Word::Taken) & bell != 0;
    if rung != taken {
        panels.call(own);
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, BELLS, CORES, bell, other, turned};

    #[test]
    fn each_bell_has_a_bit_of_its_own_at_either_end() {
        let mut all = 0;
        for to in 0..CORES {
            for number in 0..BELLS {
                let bit = bell(to, number);
                assert_eq!((all & bit, other(bit)), (0, to));
                all |= bit;
                for own in 0..CORES {
                    assert_eq!(turned(bit, own), bell(own, number));
                    assert_eq!(turned(turned(bit, own), to), bit);
                }
            }
        }
        assert_eq!(all.count_ones(), ALL);
    }
}
