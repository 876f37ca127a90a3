//! The words of fields in records: writing and reading them.
//!
//! A record has two forms. The long form stands in traces; the short one is a note of two words, for a
//! target's buffer. Fields write the same into both, except that the short form of an [`Instant`] is only its
//! low word: it is read as the nearest instant to when the note was written. Anything that doesn't fit in two
//! words is left out, and read as 0.

use crate::{Duration, Fault, FaultKind, Instant, Moment};

/// Why words aren't those of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// There is no record of this kind.
    Kind(u32),
    /// There are too few words, or too many.
    Length,
    /// No value of this type has this number.
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

/// The content of a word. Subjects are words too, of at most 16 bits.
pub trait Word: Sized {
    /// The word.
    fn word(self) -> u32;

    /// The value of a word.
    ///
    /// # Errors
    ///
    /// If the word has none.
    fn of(word: u32) -> Result<Self, Wrong>;
}

/// A type that can stand for a `T` when a note is made: `T` itself, or one with the same numbers.
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
    /// How many words it takes in the long form.
    const LONG: usize;
    /// How many it takes in the short form.
    const SHORT: usize;

    /// Writes it behind the words of the earlier fields.
    fn put(self, words: &mut impl Writer);

    /// Reads it from the remaining words.
    ///
    /// # Errors
    ///
    /// If they are invalid, or too few.
    fn take(words: &mut impl Reader) -> Result<Self, Wrong>;
}

/// The target for the words of a record's fields.
pub trait Writer {
    /// Appends a word.
    fn word(&mut self, word: u32);
    /// Appends an instant.
    fn instant(&mut self, instant: Instant);
}

/// The source of the words of a record's fields.
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

    /// Checks that nothing is left.
    ///
    /// # Errors
    ///
    /// If something is.
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

/// A trace record's own words.
#[derive(Clone, Copy, Debug)]
pub struct OfTrace<'a> {
    rest: &'a [u32],
}

impl<'a> OfTrace<'a> {
    /// The words that follow the time of the record.
    #[must_use]
    pub const fn new(words: &'a [u32]) -> OfTrace<'a> {
        OfTrace { rest: words }
    }

    /// Reads the length of a value in bytes and all remaining words, which the value must fill.
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

/// A duration that doesn't fit in a word is told as the longest that does.
impl Word for Duration {
    #[inline(always)]
    fn word(self) -> u32 {
        u32::try_from(self.ticks()).unwrap_or(u32::MAX)
    }

    fn of(word: u32) -> Result<Duration, Wrong> {
        Ok(Duration::from_ticks(word.into()))
    }
}

/// 0 for none, otherwise one more than the number. For numbers of 16 bits at most.
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
