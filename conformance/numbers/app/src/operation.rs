//! What an operation is, and how all that it is given and comes to are words.

use core::cmp::Ordering;

use beryl_user::port::Plain;

/// What an operation is given: numbers of which kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Integers.
    Integers,
    /// Singles, in the lower halves.
    Singles,
    /// Doubles.
    Doubles,
}

/// One operation.
pub struct Operation {
    /// What it is called, as in `numbers.c` if it is there.
    pub name: &'static str,
    /// What it is given.
    pub kind: Kind,
    /// From three words to one.
    pub run: fn([u64; 3]) -> u64,
}

/// A list of operations: for each type and each name what is done with up to three numbers of that type.
macro_rules! operations {
    ($kind:ident, [$($type:ident)*], $all:tt) => {
        &[$(crate::operation::operations!(@one $kind, $type, $all)),*]
    };
    (@one $kind:ident, $type:ident, { $($name:literal => |$a:ident, $b:ident, $c:ident| $run:expr;)* }) => {
        &[$(crate::operation::Operation {
            name: concat!(stringify!($type), " ", $name),
            kind: crate::operation::Kind::$kind,
            run: |[a, b, c]: [u64; 3]| {
                use crate::operation::Word;
                let ($a, $b, $c): ($type, $type, $type) = (Word::of(a), Word::of(b), Word::of(c));
                Word::word($run)
            },
        }),*]
    };
}
pub(crate) use operations;

/// What isn't there, as a word.
const NONE: u64 = 0xDEAD_BEEF_0BAD_CAFE;

/// Whatever a word can be.
pub trait Word: Sized {
    /// From a word, of which the upper bits may be too many.
    fn of(word: u64) -> Self;
    /// To a word. What isn't a number has the bits that it has in a port.
    fn word(self) -> u64;
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Word for $type {
            fn of(word: u64) -> $type { word as $type }
            fn word(self) -> u64 { self as u64 }
        }
    )*};
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl Word for f32 {
    fn of(word: u64) -> f32 {
        f32::from_bits(word as u32)
    }
    fn word(mut self) -> u64 {
        self.canonical();
        self.to_bits().into()
    }
}

impl Word for f64 {
    fn of(word: u64) -> f64 {
        f64::from_bits(word)
    }
    fn word(mut self) -> u64 {
        self.canonical();
        self.to_bits()
    }
}

impl Word for bool {
    fn of(word: u64) -> bool {
        word & 1 == 1
    }
    fn word(self) -> u64 {
        self.into()
    }
}

impl Word for Ordering {
    fn of(word: u64) -> Ordering {
        word.cmp(&0)
    }
    fn word(self) -> u64 {
        (self as i64).cast_unsigned()
    }
}

impl<T: Word> Word for Option<T> {
    fn of(word: u64) -> Option<T> {
        Some(T::of(word))
    }
    fn word(self) -> u64 {
        self.map_or(NONE, T::word)
    }
}

impl<T: Word> Word for (T, T) {
    fn of(word: u64) -> (T, T) {
        (T::of(word), T::of(!word))
    }
    fn word(self) -> u64 {
        crate::inputs::mixed(self.0.word(), self.1.word())
    }
}
