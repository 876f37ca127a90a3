//! Doorbells between processors: panels in memory, and the words with which processors interrupt each other.

use core::marker::PhantomData;

use beryl_abi::Line;
use beryl_abi::doorbell::{self, Order, Panels, Word};

use crate::together::{Own, Words};

/// The word behind those of a panel, which says whether its processor's kernel runs.
pub(crate) const RUNNING: u32 = Word::Armed as u32 + 1;

/// The doorbells of a processor, which are lines behind those of devices. It has none of its own.
pub trait Bells: 'static {
    /// Takes a bell that is up, as a line.
    fn take() -> Option<Line>;
    /// Rings a bell of this processor.
    fn ring(bell: u32);
    /// Keeps a line out; whether it is a bell's.
    fn mask(line: Line) -> bool;
    /// Lets a line through; whether it is a bell's.
    fn unmask(line: Line) -> bool;
}

/// Of a processor that is alone, there are none.
impl Bells for () {
    #[inline(always)]
    fn take() -> Option<Line> {
        None
    }

    #[inline(always)]
    fn ring(_bell: u32) {}

    #[inline(always)]
    fn mask(_line: Line) -> bool {
        false
    }

    #[inline(always)]
    fn unmask(_line: Line) -> bool {
        false
    }
}

/// The panels of a machine whose words are `W`, as the processor `H` sees them.
pub struct Doorbells<W, H>(PhantomData<(W, H)>);

/// All of them.
#[inline(always)]
const fn panels<W: Words, H: Own>() -> Doorbells<W, H> {
    Doorbells(PhantomData)
}

/// The bell of a line; none if the line is a device's.
#[inline(always)]
fn bell<W: Words>(line: Line) -> Option<u32> {
    let number = line.0.checked_sub(W::FIRST_BELL)?;
    1_u32.checked_shl(number.into())
}

impl<W: Words, H: Own> Bells for Doorbells<W, H> {
    #[inline(never)]
    fn take() -> Option<Line> {
        let bell = doorbell::take(&mut panels::<W, H>())?;
        Some(Line(W::FIRST_BELL + bell.trailing_zeros() as u16))
    }

    #[inline(never)]
    fn ring(bell: u32) {
        doorbell::ring(&mut panels::<W, H>(), bell);
    }

    #[inline(always)]
    fn mask(line: Line) -> bool {
        bell::<W>(line).map(disarm::<W, H>).is_some()
    }

    #[inline(always)]
    fn unmask(line: Line) -> bool {
        bell::<W>(line).map(arm::<W, H>).is_some()
    }
}

#[cold]
fn disarm<W: Words, H: Own>(bell: u32) {
    doorbell::disarm(&mut panels::<W, H>(), bell);
}

#[cold]
fn arm<W: Words, H: Own>(bell: u32) {
    doorbell::arm(&mut panels::<W, H>(), bell);
}

impl<W: Words, H: Own> Panels for Doorbells<W, H> {
    #[inline(always)]
    fn own(&self) -> u32 {
        H::NUMBER
    }

    #[inline(always)]
    fn load(&mut self, processor: u32, of: Word) -> u32 {
        W::panel(processor, of as u32).read()
    }

    #[inline(always)]
    fn store(&mut self, of: Word, bells: u32) {
        W::panel(H::NUMBER, of as u32).write(bells);
    }

    #[inline(always)]
    fn order(&mut self, _order: Order) {
        W::order();
    }

    #[inline(always)]
    fn call(&mut self, processor: u32) {
        W::call(processor);
    }

    #[inline(always)]
    fn withdraw(&mut self) {
        W::withdraw(H::NUMBER);
    }
}
