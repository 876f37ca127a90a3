//! What a Thumb-2 instruction does to the stack pointer, read from its encoding.

use crate::instruction::Pointer;

const STACK: u16 = 13;

/// The effect of the instruction that begins `code`; none if it is cut off.
pub(super) fn effect(code: &[u8]) -> Pointer {
    let halfword =
        |at: usize| code.get(at..at + 2).and_then(|bytes| Some(u16::from_le_bytes(*bytes.first_chunk()?)));
    match (halfword(0), halfword(2)) {
        (Some(first), Some(second)) if first >> 11 >= 0b11101 => wide(first, second),
        (Some(first), _) => narrow(first),
        (None, _) => Pointer::Stays,
    }
}

fn narrow(first: u16) -> Pointer {
    let low = u32::from(first & 0xff);
    match first >> 8 {
        0xb4 | 0xb5 => Pointer::Grows(4 * (low.count_ones() + u32::from(first >> 8 & 1))),
        0xbc | 0xbd => Pointer::Shrinks(4 * (low.count_ones() + u32::from(first >> 8 & 1))),
        0xb0 if low & 0x80 != 0 => Pointer::Grows(4 * (low & 0x7f)),
        0xb0 => Pointer::Shrinks(4 * low),
        // Additions and moves with high registers, of which the destination is in two parts.
        0x44 | 0x46 if (first >> 4 & 8 | first & 7) == STACK => Pointer::Unknown,
        _ => Pointer::Stays,
    }
}

fn wide(first: u16, second: u16) -> Pointer {
    let base = first & 0xf;
    match first >> 9 {
        // Several registers.
        0b111_0100 if first & 0x40 == 0 => match first & 0x1b0 {
            _ if base != STACK || first & 0x20 == 0 => Pointer::Stays,
            0x120 => Pointer::Grows(4 * second.count_ones()),
            0x0b0 => Pointer::Shrinks(4 * second.count_ones()),
            _ => Pointer::Unknown,
        },
        // Two registers, or exclusive, or a table branch.
        0b111_0100 if base == STACK && first & 0x20 != 0 => {
            indexed(first & 0x80 != 0, 4 * u32::from(second & 0xff))
        }
        // One register: writes the address back, or is loaded into the stack pointer.
        0b111_1100 if second >> 12 == STACK && first & 0x10 != 0 => Pointer::Unknown,
        0b111_1100 if base == STACK && first & 0x80 == 0 && second & 0x900 == 0x900 => {
            indexed(second & 0x200 != 0, u32::from(second & 0xff))
        }
        // With a number.
        0b111_1000..=0b111_1011 if second & 0x8000 == 0 && second >> 8 & 0xf == STACK => {
            arithmetic(first, second)
        }
        // With registers.
        0b111_0101 if second >> 8 & 0xf == STACK => Pointer::Unknown,
        // Registers of floating point, several.
        0b111_0110 if base == STACK && second & 0xe00 == 0xa00 && first & 0x1a0 == 0x120 => {
            Pointer::Grows(4 * u32::from(second & 0xff))
        }
        0b111_0110 if base == STACK && second & 0xe00 == 0xa00 && first & 0x1a0 == 0x0a0 => {
            Pointer::Shrinks(4 * u32::from(second & 0xff))
        }
        // Other coprocessors'.
        0b111_0110 if base == STACK && first & 0x20 != 0 => Pointer::Unknown,
        _ => Pointer::Stays,
    }
}

fn indexed(upwards: bool, bytes: u32) -> Pointer {
    if upwards { Pointer::Shrinks(bytes) } else { Pointer::Grows(bytes) }
}

/// What ends in the stack pointer: a sum or difference of it and a number, or something else.
fn arithmetic(first: u16, second: u16) -> Pointer {
    const ADD: u16 = 0b0_1000;
    const SUBTRACT: u16 = 0b0_1101;
    const ADD_PLAIN: u16 = 0b1_0000;
    const SUBTRACT_PLAIN: u16 = 0b1_0101;
    let number = first << 1 & 0x800 | second >> 4 & 0x700 | second & 0xff;
    if first & 0xf != STACK {
        return Pointer::Unknown;
    }
    match first >> 5 & 0x1f {
        ADD => Pointer::Shrinks(expanded(number)),
        SUBTRACT => Pointer::Grows(expanded(number)),
        ADD_PLAIN => Pointer::Shrinks(number.into()),
        SUBTRACT_PLAIN => Pointer::Grows(number.into()),
        _ => Pointer::Unknown,
    }
}

/// A number of twelve bits as what it stands for: a byte, a byte several times, or one with its highest bit
/// set, rotated.
fn expanded(number: u16) -> u32 {
    let byte = u32::from(number & 0xff);
    match number >> 8 {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte << 24 | byte << 16 | byte << 8 | byte,
        _ => (0x80 | byte & 0x7f).rotate_right(u32::from(number >> 7)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_move_the_stack_pointer_is_seen() {
        let cases: [(&str, &[u16], Pointer); 25] = [
            ("push {r7, lr}", &[0xb580], Pointer::Grows(8)),
            ("push {r4, r5, r6}", &[0xb470], Pointer::Grows(12)),
            ("pop {r7, pc}", &[0xbd80], Pointer::Shrinks(8)),
            ("sub sp, #8", &[0xb082], Pointer::Grows(8)),
            ("add sp, #508", &[0xb07f], Pointer::Shrinks(508)),
            ("mov sp, r7", &[0x46bd], Pointer::Unknown),
            ("add sp, r0", &[0x4485], Pointer::Unknown),
            ("mov r5, sp", &[0x466d], Pointer::Stays),
            ("add r7, sp, #0", &[0xaf00], Pointer::Stays),
            ("push.w {r4-r11, lr}", &[0xe92d, 0x4ff0], Pointer::Grows(36)),
            ("pop.w {r4-r11, pc}", &[0xe8bd, 0x8ff0], Pointer::Shrinks(36)),
            ("stm.w r0!, {r1, r2}", &[0xe8a0, 0x0006], Pointer::Stays),
            ("ldmdb sp!, {r1, r2}", &[0xe93d, 0x0006], Pointer::Unknown),
            ("str r8, [sp, #-4]!", &[0xf84d, 0x8d04], Pointer::Grows(4)),
            ("ldr r8, [sp], #4", &[0xf85d, 0x8b04], Pointer::Shrinks(4)),
            ("str.w r8, [sp, #4]", &[0xf8cd, 0x8004], Pointer::Stays),
            ("strd r0, r1, [sp, #-8]!", &[0xe96d, 0x0102], Pointer::Grows(8)),
            ("strd r0, r1, [sp, #8]", &[0xe9cd, 0x0102], Pointer::Stays),
            ("ldrd r0, r1, [sp], #8", &[0xe8fd, 0x0102], Pointer::Shrinks(8)),
            ("sub.w sp, sp, #512", &[0xf5ad, 0x7d00], Pointer::Grows(512)),
            ("add.w sp, sp, #1024", &[0xf50d, 0x6d80], Pointer::Shrinks(1024)),
            ("subw sp, sp, #1300", &[0xf2ad, 0x5d14], Pointer::Grows(1300)),
            ("sub.w sp, r7, #16", &[0xf1a7, 0x0d10], Pointer::Unknown),
            ("sub.w sp, sp, r0", &[0xebad, 0x0d00], Pointer::Unknown),
            ("sub.w r4, sp, #16", &[0xf1ad, 0x0410], Pointer::Stays),
        ];
        for (text, halfwords, expected) in cases {
            let code: Vec<u8> = halfwords.iter().flat_map(|halfword| halfword.to_le_bytes()).collect();
            assert_eq!(effect(&code), expected, "{text}");
        }
    }

    #[test]
    fn numbers_expand() {
        let cases = [(0x0ab, 0xab), (0x1ab, 0x00ab_00ab), (0x2ab, 0xab00_ab00), (0x3ab, 0xabab_abab)];
        assert_eq!(cases.map(|(number, _)| expanded(number)), cases.map(|(_, value)| value));
        assert_eq!([expanded(0x400), expanded(0xf00), expanded(0xfff)], [0x8000_0000, 0x200, 0x1fe]);
    }
}
