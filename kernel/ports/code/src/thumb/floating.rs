//! Instructions of floating point, read from their encodings: what they do to the registers that others have, and to memory.
//!
//! Nobody follows what is in floating-point registers. In transfers they have numbers from 16 on, where no other register has any.

use crate::effect::{Effect, Transfer, bit};
use crate::instruction::{Flow, Instruction, Meaning, Pointer};
use crate::{Image, image};

/// The number of the first floating-point register in a transfer, and of how many they stand for all.
const FIRST: u8 = 16;
const PROGRAM_COUNTER: u16 = 15;

/// The instruction with these halfwords at an address, if it is one of floating point.
pub(super) fn decode([first, second]: [u16; 2], address: u32, pointer: Pointer) -> Option<Instruction> {
    if !is_floating([first, second]) {
        return None;
    }
    let (name, effect) = match first >> 8 & 0b11 {
        0b10 => computes(first, second),
        _ => moves(first, second)?,
    };
    let stores = matches!(&effect, Effect::Transfer(transfer) if !transfer.is_load);
    Some(Instruction {
        address,
        length: 4,
        flow: Flow::On,
        through: None,
        link: None,
        conditional: false,
        covers: 0,
        lasting: stores,
        meaning: written(&effect),
        pointer,
        effect,
        sets_flags: false,
        condition: None,
        text: name.to_owned(),
    })
}

/// Whether halfwords are those of an instruction for the coprocessors 10 and 11, which are floating point.
#[must_use]
pub(crate) fn is_floating([first, second]: [u16; 2]) -> bool {
    first & 0xec00 == 0xec00 && first & 0x300 != 0x300 && second & 0xe00 == 0xa00
}

/// Whether a linked program has such an instruction there. Nothing if it is no program, or has no code there.
#[must_use]
pub fn is_at(elf: &[u8], address: u32) -> Option<bool> {
    let file = image::parse(elf).ok()?;
    let image = Image::new(&file).ok()?;
    let [first, second, third, fourth] = *image.code(address)?.first_chunk()?;
    Some(is_floating([u16::from_le_bytes([first, second]), u16::from_le_bytes([third, fourth])]))
}

/// Between floating-point registers and memory, or two other registers.
fn moves(first: u16, second: u16) -> Option<(&'static str, Effect)> {
    let [is_before, is_up, keeps, is_load] = [8, 7, 5, 4].map(|place| first >> place & 1 == 1);
    let base = low(first);
    let words = i32::from(second & 0xff);
    if first & 0x1e0 == 0x40 {
        let both = bit(base) | bit(low(second >> 12));
        let [registers, reads] = if is_load { [both, 0] } else { [0, both] };
        return Some(("vmov", Effect::Writes { registers, reads }));
    }
    let (name, from, moved, count) = match (is_before, is_up, keeps) {
        (true, _, false) => {
            let from = if is_up { 4 * words } else { -4 * words };
            (["vstr", "vldr"], from, 0, 1 + i32::from(second >> 8 & 1))
        }
        (false, true, _) => (["vstm", "vldm"], 0, if keeps { 4 * words } else { 0 }, words),
        (true, false, true) => (["vstmdb", "vldmdb"], -4 * words, -4 * words, words),
        _ => return None,
    };
    let registers = (0..count).zip((FIRST..32).cycle()).map(|(place, register)| (register, from + 4 * place));
    let transfer = Transfer {
        is_load,
        base,
        index: None,
        moves: moved,
        registers: registers.collect(),
        bytes: 4,
        is_signed: false,
    };
    Some((name[usize::from(is_load)], Effect::Transfer(transfer)))
}

/// Computes, or moves between one register of floating point and another.
fn computes(first: u16, second: u16) -> (&'static str, Effect) {
    let other = second >> 12;
    // Those that select do so by the flags.
    if first >> 12 == 0b1111 {
        return ("vsel", Effect::Writes { registers: 0, reads: 0 });
    }
    match (second & 0x10 != 0, first & 0x10 != 0) {
        (false, _) => ("v", Effect::Nothing),
        (true, true) if other == PROGRAM_COUNTER => ("vmrs", Effect::Writes { registers: 0, reads: 0 }),
        (true, true) => ("vmov", Effect::Writes { registers: bit(low(other)), reads: 0 }),
        (true, false) => ("vmov", Effect::Writes { registers: 0, reads: bit(low(other)) }),
    }
}

/// A jump table's number is looked for by what writes its register last.
fn written(effect: &Effect) -> Meaning {
    match effect {
        Effect::Writes { registers, .. } if registers.count_ones() == 1 => {
            u8::try_from(registers.trailing_zeros()).map_or(Meaning::Other, Meaning::Write)
        }
        _ => Meaning::Other,
    }
}

/// The number of a register: the lowest four bits.
fn low(field: u16) -> u8 {
    (field & 0xf).to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::{Effect, decode, is_floating};
    use crate::instruction::Pointer;
    use crate::thumb::pointer;

    /// What an instruction does to the stack pointer, the registers that it writes and reads, and whether it stores.
    fn seen(halfwords: [u16; 2]) -> Option<(Pointer, u32, u32, bool)> {
        let code: Vec<u8> = halfwords.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
        let found = decode(halfwords, 0x100, pointer::effect(&code))?;
        let [writes, reads] = [found.effect.writes(), found.effect.reads()].map(|all| all & 0xffff);
        Some((found.pointer, writes, reads, found.lasting))
    }

    #[test]
    fn each_form_is_seen() {
        use Pointer::{Grows, Shrinks, Stays};
        let (stack, r2) = (1 << 13, 1 << 2);
        let cases = [
            ("vpush {d8, d9}", [0xed2d, 0x8b04], (Grows(16), stack, stack, true)),
            ("vpop {d8, d9}", [0xecbd, 0x8b04], (Shrinks(16), stack, stack, false)),
            ("vpush {s16}", [0xed2d, 0x8a01], (Grows(4), stack, stack, true)),
            ("vstmia r2!, {s0-s31}", [0xeca2, 0x0a20], (Stays, r2, r2, true)),
            ("vldmia r2!, {s0-s31}", [0xecb2, 0x0a20], (Stays, r2, r2, false)),
            ("vldmia r2, {s0, s1}", [0xec92, 0x0a02], (Stays, 0, r2, false)),
            ("vldr s0, [sp, #8]", [0xed9d, 0x0a02], (Stays, 0, stack, false)),
            ("vstr d0, [r2, #-8]", [0xed02, 0x0b02], (Stays, 0, r2, true)),
            ("vadd.f32 s0, s1, s2", [0xee30, 0x0a81], (Stays, 0, 0, false)),
            ("vmov r2, s0", [0xee10, 0x2a10], (Stays, r2, 0, false)),
            ("vmov s0, r2", [0xee00, 0x2a10], (Stays, 0, r2, false)),
            ("vmov r1, r2, d0", [0xec52, 0x1b10], (Stays, 6, 0, false)),
            ("vmov d0, r1, r2", [0xec42, 0x1b10], (Stays, 0, 6, false)),
            ("vmrs APSR_nzcv, fpscr", [0xeef1, 0xfa10], (Stays, 0, 0, false)),
            ("vmrs r3, fpscr", [0xeef1, 0x3a10], (Stays, 8, 0, false)),
            ("vmsr fpscr, r3", [0xeee1, 0x3a10], (Stays, 0, 8, false)),
        ];
        for (text, halfwords, expected) in cases {
            assert_eq!(seen(halfwords), Some(expected), "{text}");
        }
    }

    #[test]
    fn no_other_is_taken_for_one() {
        let others =
            [[0xe8bd, 0x8ff0], [0xf7f0, 0xa000], [0xf000, 0xf800], [0xfb01, 0xf002], [0xee11, 0x0f10]];
        assert!(others.iter().all(|halfwords| !is_floating(*halfwords)), "none");
        // A form that is none: lists can't be stored upwards from behind.
        assert_eq!(seen([0xeda2, 0x0a20]), None);
    }

    #[test]
    fn all_words_of_a_list_are_stored() {
        let Some(Effect::Transfer(list)) =
            decode([0xeca2, 0x0a20], 0, Pointer::Stays).map(|found| found.effect)
        else {
            panic!("it is a transfer");
        };
        let places: Vec<_> = list.registers.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, (0..32).map(|word| 4 * word).collect::<Vec<_>>());
    }
}
