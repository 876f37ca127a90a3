//! Operands: their meanings and where they lie in an instruction's word.

/// Where an operand lies in the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Bits 8 to 15.
    A,
    /// Bits 16 to 31.
    B,
    /// Bits 16 to 23.
    C,
    /// Bits 24 to 31.
    D,
}

impl Place {
    /// The lowest bit and the number of bits.
    #[must_use]
    pub const fn bits(self) -> (u32, u32) {
        match self {
            Place::A => (8, 8),
            Place::B => (16, 16),
            Place::C => (16, 8),
            Place::D => (24, 8),
        }
    }

    /// The largest number that fits.
    #[must_use]
    pub const fn largest(self) -> u16 {
        u16::MAX >> (16 - self.bits().1)
    }

    /// The number at this place of a word.
    #[must_use]
    pub const fn get(self, word: u32) -> u16 {
        (word >> self.bits().0) as u16 & self.largest()
    }

    /// A word with the number at this place, cut to its bits, and zeros elsewhere.
    #[must_use]
    pub const fn put(self, number: u16) -> u32 {
        ((number & self.largest()) as u32) << self.bits().0
    }
}

/// The meaning of an operand; decides how it is written, printed and checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A driver.
    Driver,
    /// A task.
    Task,
    /// A duration, by its number in the program's pool.
    Duration,
    /// A condition, by its number in the program's pool.
    Condition,
    /// An address: the number of an instruction.
    Address,
    /// An address ahead: the number of instructions in between; 0 is the next instruction.
    Ahead,
    /// The number of objects in a run, at least one.
    Count,
    /// A phase of a logical instant, 0 to 3.
    Phase,
}

impl Operand {
    /// Its name in the manual.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operand::Driver => "driver",
            Operand::Task => "task",
            Operand::Duration => "duration",
            Operand::Condition => "condition",
            Operand::Address => "address",
            Operand::Ahead => "address ahead",
            Operand::Count => "count",
            Operand::Phase => "phase",
        }
    }

    /// The largest number that it can be, at any place.
    #[must_use]
    pub const fn largest(self) -> u16 {
        match self {
            Operand::Driver | Operand::Address => u16::MAX,
            _ => u8::MAX as u16,
        }
    }
}
