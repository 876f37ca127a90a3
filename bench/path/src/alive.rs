//! Which registers are still needed: what is known of others keeps ways apart that are the same.

use std::collections::BTreeMap;

use beryl_code::effect::Effect;
use beryl_code::instruction::{Flow, Instruction};

use crate::flow::{Block, Function, Next};
use crate::state::FLAGS;

/// All of them.
const REGISTERS: u32 = 0xffff;
/// r0 to r3: what functions take.
const ARGUMENTS: u32 = 0b1111;
/// r0 and r1: what they give.
const RESULTS: u32 = 0b11;
/// r0 to r3, r12 and the link register: what calls don't keep.
const SCRATCH: u32 = 0b0101_0000_0000_1111;

/// The registers that are needed where each block begins.
pub fn alive(function: &Function) -> BTreeMap<u32, u32> {
    let mut alive: BTreeMap<u32, u32> = BTreeMap::new();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (address, block) in function.blocks.iter().rev() {
            let needed = needed(function, block, &alive);
            changed |= alive.insert(*address, needed) != Some(needed);
        }
    }
    alive
}

/// Those that a block needs, by what the blocks behind it need as far as that is known.
fn needed(function: &Function, block: &Block, alive: &BTreeMap<u32, u32>) -> u32 {
    let behind = block.next.iter().map(|next| match next {
        Next::Block(to) => alive.get(to).copied().unwrap_or(0),
        Next::Function(_) => ARGUMENTS,
        Next::Return => RESULTS,
        Next::Halt => 0,
    });
    let behind = behind.fold(0, |all, one| all | one);
    let instructions = block.addresses.iter().rev().filter_map(|address| function.instructions.get(address));
    instructions.fold(behind, |needed, instruction| before(instruction, needed))
}

fn before(instruction: &Instruction, needed: u32) -> u32 {
    let kept = if instruction.conditional || instruction.condition.is_some() {
        needed
    } else {
        needed & !written(instruction)
    };
    kept | read(instruction)
}

fn written(instruction: &Instruction) -> u32 {
    let flags = match instruction.effect {
        Effect::Compare { .. } | Effect::Test { .. } => FLAGS,
        _ if instruction.sets_flags => FLAGS,
        _ => 0,
    };
    let of_call = match instruction.flow {
        Flow::Call(_) | Flow::CallRegister => SCRATCH | FLAGS,
        _ => 0,
    };
    instruction.effect.writes() & REGISTERS | flags | of_call
}

fn read(instruction: &Instruction) -> u32 {
    let of_flow = match instruction.flow {
        Flow::Call(_) | Flow::CallRegister => ARGUMENTS,
        Flow::JumpRegister => REGISTERS,
        Flow::Table { index, .. } => 1_u32.checked_shl(index.into()).unwrap_or(0),
        _ => 0,
    };
    let is_flagged = instruction.condition.is_some();
    let reads_flags = is_flagged
        || matches!(instruction.effect, Effect::When { .. } | Effect::Unknown | Effect::Writes { .. });
    instruction.effect.reads() & REGISTERS | of_flow | if reads_flags { FLAGS } else { 0 }
}

/// What the instructions of some blocks write, and whether they store or call.
pub fn changes<'a>(function: &Function, blocks: impl Iterator<Item = &'a u32>) -> (u32, bool) {
    let blocks = blocks.filter_map(|block| function.blocks.get(block));
    let instructions =
        blocks.flat_map(|block| &block.addresses).filter_map(|address| function.instructions.get(address));
    instructions.fold((0, false), |(writes, stores), instruction| {
        let is_store = match &instruction.effect {
            Effect::Transfer(transfer) => !transfer.is_load,
            Effect::Unknown => true,
            _ => matches!(instruction.flow, Flow::Call(_) | Flow::CallRegister),
        };
        (writes | written(instruction), stores | is_store)
    })
}
