//! What an instruction does to registers, flags and memory, as far as whoever follows values asks.

/// The registers of an instruction, a bit for each.
pub type Registers = u32;

/// A second operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A number.
    Number(u32),
    /// A register.
    Register(u8),
    /// A register, shifted by so many bits to the left, or to the right if that is negative.
    Shifted(u8, i8),
}

/// How two operands become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Their sum.
    Add,
    /// The first without the second.
    Subtract,
    /// The bits of both.
    And,
    /// The bits of either.
    Or,
    /// The bits of one of them.
    Xor,
    /// The bits of the first that the second hasn't.
    Clear,
}

/// Registers that are loaded or stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Whether memory comes into registers.
    pub is_load: bool,
    /// The register with the address.
    pub base: u8,
    /// A register that is added to it, so that nobody knows where it leads.
    pub index: Option<u8>,
    /// By how much the address changes.
    pub moves: i32,
    /// Each register with its distance from the address.
    pub registers: Vec<(u8, i32)>,
    /// Bytes of each.
    pub bytes: u8,
    /// Whether what is loaded is extended by its sign.
    pub is_signed: bool,
}

/// What an instruction does beside where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing that is asked about.
    Nothing,
    /// Sets a register.
    Move {
        /// The register.
        to: u8,
        /// What it becomes.
        from: Source,
        /// Whether each bit becomes its opposite.
        is_inverted: bool,
    },
    /// Computes a register.
    Compute {
        /// How.
        operation: Operation,
        /// The register.
        to: u8,
        /// The first operand.
        first: u8,
        /// The second.
        second: Source,
    },
    /// Sets the upper half of a register.
    Upper {
        /// The register.
        to: u8,
        /// The half.
        number: u32,
    },
    /// Takes so many bits of a register.
    Extract {
        /// Where they become the lowest.
        to: u8,
        /// Where they come from.
        from: u8,
        /// The lowest of them.
        low: u8,
        /// How many.
        width: u8,
    },
    /// Compares: as a subtraction, without its result.
    Compare {
        /// The first operand.
        first: u8,
        /// The second.
        second: Source,
    },
    /// Tests bits: as [`Operation::And`], without its result.
    Test {
        /// The first operand.
        first: u8,
        /// The second.
        second: Source,
    },
    /// Loads or stores.
    Transfer(Transfer),
    /// Reads a special register.
    Special {
        /// Where it is read to.
        to: u8,
        /// Its number: [`EXCEPTION`], [`FRAME`], or any other.
        register: u8,
    },
    /// Makes the next instructions conditional.
    When {
        /// The condition.
        condition: u8,
        /// A bit for each of them, from the lowest on: whether it is under the condition, or under its opposite.
        then: u8,
    },
    /// Branches on a register.
    IfZero {
        /// The register.
        register: u8,
        /// Whether it has to be zero, or must not be.
        is_zero: bool,
    },
    /// Writes registers, or the flags, with what nobody follows.
    Writes {
        /// The registers.
        registers: Registers,
        /// Those that it reads.
        reads: Registers,
    },
    /// Anything.
    Unknown,
}

/// Conditions after a comparison, as Thumb-2 encodes them; an odd one is the opposite of the one before. Both are the same.
pub const EQUAL: u8 = 0;
/// The first is higher or the same, without signs.
pub const HIGHER_OR_SAME: u8 = 2;
/// The first is greater or the same, with signs.
pub const GREATER_OR_EQUAL: u8 = 10;

/// A special register of [`Effect::Special`]: the number of the active exception.
pub const EXCEPTION: u8 = 5;
/// The same: where the registers of who was interrupted are.
pub const FRAME: u8 = 9;

impl Effect {
    /// The registers that it may write.
    #[must_use]
    pub fn writes(&self) -> Registers {
        match self {
            Effect::Move { to, .. }
            | Effect::Compute { to, .. }
            | Effect::Upper { to, .. }
            | Effect::Extract { to, .. }
            | Effect::Special { to, .. } => bit(*to),
            Effect::Transfer(transfer) => {
                let loaded = transfer.registers.iter().filter(|_| transfer.is_load);
                let loaded = loaded.fold(0, |all, (register, _)| all | bit(*register));
                loaded | if transfer.moves == 0 { 0 } else { bit(transfer.base) }
            }
            Effect::Writes { registers, .. } => *registers,
            Effect::Unknown => Registers::MAX,
            Effect::Nothing
            | Effect::Compare { .. }
            | Effect::Test { .. }
            | Effect::When { .. }
            | Effect::IfZero { .. } => 0,
        }
    }

    /// The registers that it may read.
    #[must_use]
    pub fn reads(&self) -> Registers {
        let of = |source: &Source| match source {
            Source::Number(_) => 0,
            Source::Register(register) | Source::Shifted(register, _) => bit(*register),
        };
        match self {
            Effect::Move { from, .. } => of(from),
            Effect::Compute { first, second, .. }
            | Effect::Compare { first, second }
            | Effect::Test { first, second } => bit(*first) | of(second),
            Effect::Upper { to, .. } => bit(*to),
            Effect::Extract { from, .. } => bit(*from),
            Effect::IfZero { register, .. } => bit(*register),
            Effect::Transfer(transfer) => {
                let stored = transfer.registers.iter().filter(|_| !transfer.is_load);
                let stored = stored.fold(0, |all, (register, _)| all | bit(*register));
                stored | bit(transfer.base) | transfer.index.map_or(0, bit)
            }
            Effect::Writes { reads, .. } => *reads,
            Effect::Unknown => Registers::MAX,
            Effect::Nothing | Effect::Special { .. } | Effect::When { .. } => 0,
        }
    }
}

/// The bit of a register.
#[must_use]
pub fn bit(register: u8) -> Registers {
    1_u32.checked_shl(register.into()).unwrap_or_default()
}
