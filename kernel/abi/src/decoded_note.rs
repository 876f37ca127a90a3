//! Notes of threads, objects and the kernel: constructors and contents, from the [table](crate::records).

use crate::kinds::Kind;
use crate::note::Note;
use crate::records::each_record;
use crate::words::{Field, OfNote, Reader, Short, StandsFor, Word, Writer, Wrong};
use crate::{
    Awaited, CrashPart, DriverId, Duration, Instant, Line, Passed, ProcessId, ProgramId, SemaphoreId,
    ThreadId,
};

/// The type of a constructor's argument: a byte may come from any type with the same numbers.
macro_rules! given {
    ($type:ty) => { $type };
    ($type:ty, $_other:ty) => { impl StandsFor<$type> };
}

/// Puts a field, or two that share a word.
macro_rules! put {
    ($words:ident, $field:ident) => {
        $field.put(&mut $words)
    };
    ($words:ident, $field:ident, $other:ident) => {
        $words.word($field.its_word() | $other.word() << 8)
    };
}

/// Takes a field, or two that share a word.
macro_rules! take {
    ($words:ident, $type:ty) => {
        (<$type as Field>::take(&mut $words)?,)
    };
    ($words:ident, $type:ty, $other:ty) => {{
        const { assert!(size_of::<$type>() == 1 && size_of::<$other>() == 1, "two that share a word are bytes") };
        let [low, high, ..] = $words.word()?.to_le_bytes();
        (<$type>::of(low.into())?, <$other>::of(high.into())?)
    }};
}

macro_rules! notes {
    (
        records $_records:tt
        notes { $(
            $(#[$doc:meta])+ $name:ident = $_number:literal, $_class:ident, $maker:ident
            ($($(#[$subject_doc:meta])+ $subject:ident: $subject_type:ty)?)
            { $($(#[$field_doc:meta])+ $field:ident: $type:ty $(| $(#[$other_doc:meta])+ $other:ident: $other_type:ty)?),* $(,)? };
        )+ }
        pieces $_pieces:tt
    ) => {
        impl Note {
            $(
                $(#[$doc])+
                #[must_use]
                #[inline(always)]
                #[allow(unused_mut, reason = "some notes have no fields")]
                pub fn $maker($($subject: $subject_type,)? $($field: given!($type $(, $other_type)?), $($other: $other_type,)?)*) -> Note {
                    let mut words = Short::default();
                    $(put!(words, $field $(, $other)?);)*
                    let subject = 0 $(| $subject.word() as u16)?;
                    Note::of(Kind::$name, subject, words.words)
                }
            )+
        }

        /// The content of a note.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DecodedNote {
            $(
                $(#[$doc])+
                $name {
                    $($(#[$subject_doc])+ $subject: $subject_type,)?
                    $($(#[$field_doc])+ $field: $type, $($(#[$other_doc])+ $other: $other_type,)?)*
                },
            )+
        }

        impl DecodedNote {
            /// The content of a note that was written at `time`.
            ///
            /// # Errors
            ///
            /// If it isn't such a note.
            pub fn read(note: Note, time: Instant) -> Result<DecodedNote, Wrong> {
                let mut words = OfNote::new(note.words, time);
                let told = match Kind::decode(note.kind()) {
                    $(Some(Kind::$name) => {
                        $(let $subject = <$subject_type>::of(note.subject().into())?;)?
                        $(let ($field, $($other)?) = take!(words, $type $(, $other_type)?);)*
                        DecodedNote::$name { $($subject,)? $($field, $($other,)?)* }
                    })+
                    _ => return Err(Wrong::Kind(note.kind())),
                };
                words.end()?;
                Ok(told)
            }

            /// The note with this content.
            #[must_use]
            pub fn note(&self) -> Note {
                match *self {
                    $(DecodedNote::$name { $($subject,)? $($field, $($other,)?)* } => Note::$maker($($subject,)? $($field, $($other,)?)*),)+
                }
            }
        }
    };
}

each_record!(notes);
