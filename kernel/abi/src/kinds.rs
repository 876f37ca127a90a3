//! Kinds of records: their numbers, classes and fields, from the table in `records.rs`.

use crate::note::Classes;
use crate::records::each_record;
use crate::words::Field;
use crate::{Awaited, DriverId, Duration, Fault, Instant, Line, Passed, SemaphoreId, ThreadId};

/// The table's row for a kind, for the reference page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The kind.
    pub kind: Kind,
    /// Whether it is a note: all notes have two words of their own.
    pub is_note: bool,
    /// Its subject, if it has one.
    pub subject: Option<&'static str>,
    /// Its fields in the order of their words: name, the field that shares the word, number of words.
    pub fields: &'static [(&'static str, Option<&'static str>, usize)],
    /// The value that follows them.
    pub value: Option<&'static str>,
}

/// The only argument, if any.
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
        /// The kind of a record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])+ $name = $number,)+
            $($(#[$note_doc])+ $note = $note_number,)+
            $($(#[$piece_doc])+ $piece = $piece_number,)+
        }

        impl Kind {
            /// All kinds of records in traces, with their fields.
            pub const ROWS: &[Row] = &[
                $(Row { kind: Kind::$name, is_note: false, subject: maybe!($subject), fields: fields!(LONG $fields), value: maybe!($($value)?) },)+
                $(Row { kind: Kind::$note, is_note: true, subject: maybe!($($about)?), fields: fields!(SHORT $note_fields), value: None },)+
            ];

            /// The kind of a record in traces with this number, if any.
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
