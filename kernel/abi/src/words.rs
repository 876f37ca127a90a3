//! How fields stand in the words of records, and how they are read again.
//!
//! A record has two forms. The long one stands in traces; the short one is a note of two words, which a target keeps. Fields put the same into
//! both, but of an [`Instant`] the short form has the low word only: read again, it is the instant nearest to when the note was written. What
//! has no place in two words is left out, and read as 0.

use crate::{Duration, Fault, FaultKind, Instant, Moment};

/// Why words aren't those of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is no record of this kind.
    Kind(u32),
    /// There are too few words, or too many.
    Length,
    /// Nothing of this type can have this number.
    Number(u32),
    /// There is no fault of this kind.
    Fault(u32),
    /// The value doesn't fill the words behind its length.
    Value {
        /// Its length in bytes, as the record states it.
        stated: u32,
        /// The words that are there for it.
        words: usize,
    },
}

/// What a word holds. Subjects are such, too; they have no more than 16 bits.
pub trait Word: Sized {
    /// The word.
    fn word(self) -> u32;

    /// What the word means.
    ///
    /// # Errors
    ///
    /// If it means nothing.
    fn of(word: u32) -> Result<Self, Wrong>;
}

/// What can stand for a `T` where a note is made: a `T`, or what has its numbers.
pub trait StandsFor<T> {
    /// The word that the `T` would be.
    fn its_word(self) -> u32;
}

impl<T: Word> StandsFor<T> for T {
    #[inline(always)]
    fn its_word(self) -> u32 {
        self.word()
    }
}

/// A field of a record.
pub trait Field: Sized {
    /// How many words it has in the long form.
    const LONG: usize;
    /// How many it has in the short form.
    const SHORT: usize;

    /// Puts it behind the words of the fields before it.
    fn put(self, words: &mut impl Writer);

    /// Takes it from the words that are left.
    ///
    /// # Errors
    ///
    /// If they mean nothing, or are too few.
    fn take(words: &mut impl Reader) -> Result<Self, Wrong>;
}

/// Where the words of a record's fields are put.
pub trait Writer {
    /// Puts a word behind the others.
    fn word(&mut self, word: u32);
    /// Puts an instant behind the others.
    fn instant(&mut self, instant: Instant);
}

/// From where the words of a record's fields are taken.
pub trait Reader {
    /// Takes a word.
    ///
    /// # Errors
    ///
    /// If there is none.
    fn word(&mut self) -> Result<u32, Wrong>;

    /// Takes an instant.
    ///
    /// # Errors
    ///
    /// If its words aren't there.
    fn instant(&mut self) -> Result<Instant, Wrong>;

    /// There should be nothing left.
    ///
    /// # Errors
    ///
    /// If there is.
    fn end(&self) -> Result<(), Wrong>;
}

/// The long form, word by word.
pub(crate) struct Long<S>(pub(crate) S);

impl<S: FnMut(u32)> Writer for Long<S> {
    #[inline(always)]
    fn word(&mut self, word: u32) {
        self.0(word);
    }

    #[inline(always)]
    fn instant(&mut self, instant: Instant) {
        self.word(low(instant));
        self.word(high(instant));
    }
}

/// The two words of a note.
#[derive(Clone, Copy, Default)]
pub(crate) struct Short {
    count: usize,
    pub(crate) words: [u32; 2],
}

impl Writer for Short {
    #[inline(always)]
    fn word(&mut self, word: u32) {
        if let Some(place) = self.words.get_mut(self.count) {
            *place = word;
        }
        self.count += 1;
    }

    #[inline(always)]
    fn instant(&mut self, instant: Instant) {
        self.word(low(instant));
    }
}

pub(crate) const fn low(instant: Instant) -> u32 {
    instant.ticks() as u32
}

pub(crate) const fn high(instant: Instant) -> u32 {
    (instant.ticks() >> 32) as u32
}

/// The own words of a record in a trace.
#[derive(Clone, Copy, Debug)]
pub struct OfTrace<'a> {
    rest: &'a [u32],
}

impl<'a> OfTrace<'a> {
    /// Those that follow the time when the record was written.
    #[must_use]
    pub const fn new(words: &'a [u32]) -> OfTrace<'a> {
        OfTrace { rest: words }
    }

    /// Takes the length of a value in bytes and all words that follow, which it fills.
    ///
    /// # Errors
    ///
    /// If it doesn't.
    pub fn value(&mut self) -> Result<(u32, &'a [u32]), Wrong> {
        let stated = self.word()?;
        let words = core::mem::take(&mut self.rest);
        if stated.div_ceil(4) as usize == words.len() {
            Ok((stated, words))
        } else {
            Err(Wrong::Value { stated, words: words.len() })
        }
    }
}

impl Reader for OfTrace<'_> {
    fn word(&mut self) -> Result<u32, Wrong> {
        let (word, rest) = self.rest.split_first().ok_or(Wrong::Length)?;
        self.rest = rest;
        Ok(*word)
    }

    fn instant(&mut self) -> Result<Instant, Wrong> {
        let [low, high] = [self.word()?, self.word()?];
        Ok(Instant::from_ticks(u64::from(high) << 32 | u64::from(low)))
    }

    fn end(&self) -> Result<(), Wrong> {
        if self.rest.is_empty() { Ok(()) } else { Err(Wrong::Length) }
    }
}

/// The two words of a note, and when it was written.
#[derive(Clone, Copy, Debug)]
pub struct OfNote {
    words: [u32; 2],
    time: Instant,
}

impl OfNote {
    /// Words that were written at `time`.
    #[must_use]
    pub const fn new(words: [u32; 2], time: Instant) -> OfNote {
        OfNote { words, time }
    }
}

impl Reader for OfNote {
    fn word(&mut self) -> Result<u32, Wrong> {
        let [first, second] = self.words;
        self.words = [second, 0];
        Ok(first)
    }

    fn instant(&mut self) -> Result<Instant, Wrong> {
        Ok(self.time.nearest(Moment::from_ticks(self.word()?)))
    }

    fn end(&self) -> Result<(), Wrong> {
        Ok(())
    }
}

impl<T: Word> Field for T {
    const LONG: usize = 1;
    const SHORT: usize = 1;

    #[inline(always)]
    fn put(self, words: &mut impl Writer) {
        words.word(self.word());
    }

    fn take(words: &mut impl Reader) -> Result<T, Wrong> {
        T::of(words.word()?)
    }
}

impl Field for Instant {
    const LONG: usize = 2;
    const SHORT: usize = 1;

    #[inline(always)]
    fn put(self, words: &mut impl Writer) {
        words.instant(self);
    }

    fn take(words: &mut impl Reader) -> Result<Instant, Wrong> {
        words.instant()
    }
}

impl Field for Fault {
    const LONG: usize = 3;
    const SHORT: usize = 3;

    #[inline(always)]
    fn put(self, words: &mut impl Writer) {
        let Fault { kind, address, instruction } = self;
        words.word(kind as u32);
        words.word(address);
        words.word(instruction);
    }

    fn take(words: &mut impl Reader) -> Result<Fault, Wrong> {
        let number = words.word()?;
        let kind = u8::try_from(number).ok().and_then(FaultKind::decode).ok_or(Wrong::Fault(number))?;
        Ok(Fault { kind, address: words.word()?, instruction: words.word()? })
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {
        $(impl Word for $number {
            #[inline(always)]
            fn word(self) -> u32 {
                self.into()
            }

            fn of(word: u32) -> Result<$number, Wrong> {
                <$number>::try_from(word).map_err(|_| Wrong::Number(word))
            }
        })+
    };
}

numbers!(u8 u16 u32);

impl Word for bool {
    #[inline(always)]
    fn word(self) -> u32 {
        self.into()
    }

    fn of(word: u32) -> Result<bool, Wrong> {
        Ok(word != 0)
    }
}

/// What is longer than a word can say is told as the longest.
impl Word for Duration {
    #[inline(always)]
    fn word(self) -> u32 {
        u32::try_from(self.ticks()).unwrap_or(u32::MAX)
    }

    fn of(word: u32) -> Result<Duration, Wrong> {
        Ok(Duration::from_ticks(word.into()))
    }
}

/// 0 for nothing, else one more than the number. For numbers of 16 bits at most.
macro_rules! optional {
    ($($name:ty)+) => {
        $(impl Word for Option<$name> {
            #[inline(always)]
            fn word(self) -> u32 {
                self.map_or(0, |some| Word::word(some) + 1)
            }

            fn of(word: u32) -> Result<Option<$name>, Wrong> {
                let number = word.checked_sub(1);
                number.map(<$name>::of).transpose().map_err(|_| Wrong::Number(word))
            }
        })+
    };
}

optional!(crate::DriverId);
