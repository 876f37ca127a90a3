//! Kinds of records: their numbers, their classes and which fields they have, from the table in `records.rs`.

use crate::note::Classes;
use crate::records::each_record;
use crate::words::Field;
use crate::{Awaited, DriverId, Duration, Fault, Instant, Line, Passed, SemaphoreId, ThreadId};

/// What the table says of a kind's fields, for the reference page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// Whether it is a note: those have two words of their own, whatever they tell.
    pub is_note: bool,
    /// What its subject is, if it has one.
    pub subject: Option<&'static str>,
    /// Its fields in the order of their words: what they are called, the one with which they share a word, how many words they have.
    pub fields: &'static [(&'static str, Option<&'static str>, usize)],
    /// The value that comes behind them.
    pub value: Option<&'static str>,
}

/// The only one, or nothing.
macro_rules! maybe {
    () => {
        None
    };
    ($one:ident) => {
        Some(stringify!($one))
    };
}

/// A row's fields as [`Row::fields`].
macro_rules! fields {
    ($words:ident { $($(#[$_doc:meta])+ $field:ident: $type:ty $(| $(#[$_other_doc:meta])+ $other:ident: $_other_type:ty)?),* $(,)? }) => {
        &[$((stringify!($field), maybe!($($other)?), <$type as Field>::$words)),*]
    };
}

macro_rules! kinds {
    (
        records { $(
            $(#[$doc:meta])+ $name:ident = $number:literal, $class:ident, ($(#[$_subject_doc:meta])+ $subject:ident: $_subject_type:ty)
            $fields:tt $(with $(#[$_value_doc:meta])+ $value:ident)?;
        )+ }
        notes { $(
            $(#[$note_doc:meta])+ $note:ident = $note_number:literal, $note_class:ident, $_maker:ident
            ($($(#[$_about_doc:meta])+ $about:ident: $_about_type:ty)?) $note_fields:tt;
        )+ }
        pieces { $($(#[$piece_doc:meta])+ $piece:ident = $piece_number:literal, $piece_class:ident;)+ }
    ) => {
        /// What a record tells of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])+ $name = $number,)+
            $($(#[$note_doc])+ $note = $note_number,)+
            $($(#[$piece_doc])+ $piece = $piece_number,)+
        }

        impl Kind {
            /// All that stand in traces, with what they have.
            pub const ROWS: &[Row] = &[
                $(Row { kind: Kind::$name, is_note: false, subject: maybe!($subject), fields: fields!(LONG $fields), value: maybe!($($value)?) },)+
                $(Row { kind: Kind::$note, is_note: true, subject: maybe!($($about)?), fields: fields!(SHORT $note_fields), value: None },)+
            ];

            /// The one with this number that stands in traces, or nothing.
            #[must_use]
            pub const fn decode(number: u32) -> Option<Kind> {
                Some(match number {
                    $($number => Kind::$name,)+
                    $($note_number => Kind::$note,)+
                    _ => return None,
                })
            }

            /// Its class.
            #[must_use]
            #[inline(always)]
            pub const fn class(self) -> Classes {
                match self {
                    $(Kind::$name => Classes::$class,)+
                    $(Kind::$note => Classes::$note_class,)+
                    $(Kind::$piece => Classes::$piece_class,)+
                }
            }
        }
    };
}

each_record!(kinds);
