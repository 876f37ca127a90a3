//! Trace records: what the kernel tells about a run, and their binary form.
//!
//! A record is a sequence of little-endian words: a header (kind in bits 0 to 7, subject in bits 8 to 23,
//! number of the words that follow in bits 24 to 31), the kernel time in two words (low, high), then the
//! words of the kind's own fields. A driver's value comes last, padded to whole words and preceded by its
//! length in bytes. The table in `records.rs` lists the fields of each kind.

use crate::kinds::Kind;
use crate::note::{Classes, Note};
use crate::records::each_record;
use crate::words::{Field, Long, Reader, Short, Word, Writer, Wrong, high, low};
use crate::{DriverId, Fault, Instant, Line, ProgramId, Range, StateMessageId, ThreadId};

/// One happening, as the kernel tells it: the values of drivers are still in their place in memory.
pub type Record = Happening<Range, Note>;

/// A value and the number of words that tell its length.
macro_rules! value {
    () => {
        (0, Range::EMPTY)
    };
    ($value:ident) => {
        (1, $value)
    };
}

macro_rules! happenings {
    (
        records { $(
            $(#[$doc:meta])+ $name:ident = $_number:literal, $_class:ident,
            ($(#[$subject_doc:meta])+ $subject:ident: $subject_type:ty)
            { $($(#[$field_doc:meta])+ $field:ident: $type:ty),* $(,)? } $(with $(#[$value_doc:meta])+ $value:ident)?;
        )+ }
        notes $_notes:tt
        pieces $_pieces:tt
    ) => {
        /// One happening, with values `V` of drivers and notes `N`. Instants inside it are logical; the time
        /// when it was written, kept beside it, is physical.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Happening<V, N> {
            $(
                $(#[$doc])+
                $name {
                    $(#[$subject_doc])+
                    $subject: $subject_type,
                    $($(#[$field_doc])+ $field: $type,)*
                    $($(#[$value_doc])+ $value: V,)?
                },
            )+
            /// What happened to a thread or an object.
            Note(N),
        }

        impl<V, N> Happening<V, N> {
            /// The content of a record of a kind. `of_value` reads its value, `of_note` the content of a
            /// note.
            ///
            /// # Errors
            ///
            /// If the words aren't those of such a record.
            pub fn read<R: Reader>(
                kind: Kind,
                subject: u16,
                mut words: R,
                of_value: impl FnOnce(&mut R) -> Result<V, Wrong>,
                of_note: impl FnOnce(Note) -> Result<N, Wrong>,
            ) -> Result<Happening<V, N>, Wrong> {
                let words = &mut words;
                let happening = match kind {
                    $(Kind::$name => Happening::$name {
                        $subject: Word::of(subject.into())?,
                        $($field: Field::take(words)?,)*
                        $($value: of_value(words)?,)?
                    },)+
                    _ => Happening::Note(of_note(Note::of(kind, subject, [words.word()?, words.word()?]))?),
                };
                words.end()?;
                Ok(happening)
            }

            /// The same happening with another value and another content of its note.
            pub fn map<W, M>(self, of_value: impl FnOnce(V) -> W, of_note: impl FnOnce(N) -> M) -> Happening<W, M> {
                match self {
                    $(Happening::$name { $subject, $($field,)* $($value: $value,)? } => {
                        Happening::$name { $subject, $($field,)* $($value: of_value($value),)? }
                    })+
                    Happening::Note(note) => Happening::Note(of_note(note)),
                }
            }
        }

        impl Record {
            /// Its kind; for a note, the one in its header.
            #[inline(always)]
            const fn kind(&self) -> Option<Kind> {
                match self {
                    $(Record::$name { .. } => Some(Kind::$name),)+
                    Record::Note(_) => None,
                }
            }

            /// The header without the words of the value, and the value.
            const fn header(&self) -> (u32, Range) {
                let (kind, subject, words, value) = match *self {
                    $(Record::$name { $subject: subject, $($value,)? .. } => {
                        const WORDS: usize = 0 $(+ <$type as Field>::LONG)*;
                        (Kind::$name as u32, subject.0 as u32, WORDS, value!($($value)?))
                    })+
                    Record::Note(note) => (note.kind(), note.subject() as u32, note.words.len(), value!()),
                };
                let (length, value) = value;
                (kind | subject << 8 | (2 + words as u32 + length) << 24, value)
            }

            /// Writes its own words.
            #[inline(always)]
            fn put(&self, words: &mut impl Writer) {
                match *self {
                    $(Record::$name { $($field,)* $($value,)? .. } => {
                        $($field.put(words);)*
                        $(words.word($value.length);)?
                    })+
                    Record::Note(note) => {
                        let [first, second] = note.words;
                        words.word(first);
                        words.word(second);
                    }
                }
            }

            /// The happening as a note: only the low words of instants, the length of a driver's value, a
            /// fault without its instruction.
            #[must_use]
            #[inline(always)]
            pub fn note(&self) -> Note {
                let mut words = Short::default();
                match *self {
                    $(Record::$name { $subject, $($field,)* $($value,)? } => {
                        $($field.put(&mut words);)*
                        $(words.word($value.length);)?
                        Note::of(Kind::$name, $subject.word() as u16, words.words)
                    })+
                    Record::Note(note) => note,
                }
            }
        }
    };
}

each_record!(happenings);

// No note has more than two words of its own.
const _: () = {
    let mut rows = Kind::ROWS;
    while let [row, rest @ ..] = rows {
        let (mut words, mut fields) = (0, row.fields);
        while let [(_, _, own), more @ ..] = fields {
            words += *own;
            fields = more;
        }
        assert!(!row.is_note || words <= 2);
        rows = rest;
    }
};

impl Record {
    /// Hands the words of the record, written at kernel time `time`, one by one to `sink`. `word` reads the
    /// word at an address in the value's range.
    pub fn encode(&self, time: Instant, mut sink: impl FnMut(u32), word: impl Fn(u32) -> u32) {
        let (header, value) = self.header();
        let values = value.length.div_ceil(4);
        sink(header.wrapping_add(values << 24));
        sink(low(time));
        sink(high(time));
        self.put(&mut Long(&mut sink));
        // bound: WORDS
        (0..values).for_each(|index| sink(word(value.address.saturating_add(index * 4))));
    }

    /// Its class.
    #[must_use]
    #[inline(always)]
    pub const fn class(&self) -> Classes {
        match (self, self.kind()) {
            (_, Some(kind)) => kind.class(),
            (Record::Note(note), _) => note.class(),
            _ => Classes::NONE,
        }
    }
}
