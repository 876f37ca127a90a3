//! What a word is called, where messages show it: what leads elsewhere by its name, anything else by its bits.

use super::fields::{BRANCH, Fields, JUMP, JUMP_REGISTER};

/// The names of registers.
const NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
    "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];
/// Branches by their kind.
const BRANCHES: [&str; 8] = ["beq", "bne", "b?", "b?", "blt", "bge", "bltu", "bgeu"];

pub(super) fn text(fields: Fields, address: u32) -> String {
    let name = |register: u8| NAMES.get(usize::from(register)).copied().unwrap_or("?");
    let to = |distance: i32| address.wrapping_add_signed(distance);
    match fields.opcode {
        BRANCH => {
            let kind = usize::try_from(fields.kind).ok().and_then(|kind| BRANCHES.get(kind)).unwrap_or(&"b?");
            format!("{kind} {}, {}, {:#x}", name(fields.first), name(fields.second), to(fields.branch))
        }
        JUMP => format!("jal {}, {:#x}", name(fields.to), to(fields.jump)),
        JUMP_REGISTER => format!("jalr {}, {}({})", name(fields.to), fields.short, name(fields.first)),
        _ => format!("{:#010x}", fields.word),
    }
}
