//! The fields of a word: where numbers and registers stand in the six formats.

/// The word's lowest seven bits say what it is about.
pub(super) const LOAD: u32 = 0x03;
pub(super) const FENCE: u32 = 0x0f;
pub(super) const WITH_NUMBER: u32 = 0x13;
pub(super) const FROM_HERE: u32 = 0x17;
pub(super) const STORE: u32 = 0x23;
pub(super) const ATOMIC: u32 = 0x2f;
pub(super) const WITH_REGISTER: u32 = 0x33;
pub(super) const UPPER: u32 = 0x37;
pub(super) const BRANCH: u32 = 0x63;
pub(super) const JUMP_REGISTER: u32 = 0x67;
pub(super) const JUMP: u32 = 0x6f;
pub(super) const SYSTEM: u32 = 0x73;

// Whole words.
pub(super) const ECALL: u32 = 0x0000_0073;
pub(super) const EBREAK: u32 = 0x0010_0073;
pub(super) const MRET: u32 = 0x3020_0073;
pub(super) const WFI: u32 = 0x1050_0073;
/// Writes a register that can't be written, which is how compilers stop.
pub(super) const UNIMPLEMENTED: u32 = 0xc000_1073;

/// The special register that is for the use of machine mode.
pub(super) const SCRATCH: u32 = 0x340;
/// The one that says why a trap was taken.
pub(super) const CAUSE: u32 = 0x342;

/// All fields, of which an instruction has those of its format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The word itself.
    pub word: u32,
    /// What it is about.
    pub opcode: u32,
    /// Which of these.
    pub kind: u32,
    /// Which of these again.
    pub variant: u32,
    /// The register that it sets.
    pub to: u8,
    /// The first that it reads.
    pub first: u8,
    /// The second.
    pub second: u8,
    /// A number of twelve bits, as arithmetic, loads and jumps through registers have it.
    pub short: i32,
    /// The same as stores have it.
    pub store: i32,
    /// The distance of a branch.
    pub branch: i32,
    /// The distance of a jump.
    pub jump: i32,
    /// The upper twenty bits of a number.
    pub upper: u32,
}

impl Fields {
    /// The number of a special register.
    pub(super) fn number(self) -> u32 {
        self.word >> 20
    }

    pub(super) fn of(word: u32) -> Fields {
        let bits = |low: u32, count: u32| word >> low & ((1 << count) - 1);
        let register = |low: u32| u8::try_from(bits(low, 5)).unwrap_or_default();
        let branch = bits(8, 4) << 1 | bits(25, 6) << 5 | bits(7, 1) << 11 | bits(31, 1) << 12;
        let jump = bits(21, 10) << 1 | bits(20, 1) << 11 | bits(12, 8) << 12 | bits(31, 1) << 20;
        Fields {
            word,
            opcode: bits(0, 7),
            kind: bits(12, 3),
            variant: bits(25, 7),
            to: register(7),
            first: register(15),
            second: register(20),
            short: signed(bits(20, 12), 12),
            store: signed(bits(7, 5) | bits(25, 7) << 5, 12),
            branch: signed(branch, 13),
            jump: signed(jump, 21),
            upper: word & 0xffff_f000,
        }
    }
}

/// The lowest bits of a word as a number with a sign.
pub(super) fn signed(bits: u32, count: u32) -> i32 {
    let left = 32 - count;
    (bits << left).cast_signed() >> left
}
