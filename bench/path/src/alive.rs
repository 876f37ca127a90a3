//! Which registers are still needed: what is known of others keeps ways apart that are the same.

use std::collections::BTreeMap;

use beryl_code::Processor;
use beryl_code::effect::{Effect, Registers};
use beryl_code::instruction::{Flow, Instruction};

use crate::flow::{Block, Function, Next};
use crate::state::FLAGS;

/// A bit for each register, and [`FLAGS`].
pub type Alive = u64;

fn these(registers: Registers) -> Alive {
    registers.into()
}

/// The registers that are needed where each block begins.
pub fn alive(function: &Function) -> BTreeMap<u32, Alive> {
    let mut alive: BTreeMap<u32, Alive> = BTreeMap::new();
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
fn needed(function: &Function, block: &Block, alive: &BTreeMap<u32, Alive>) -> Alive {
    let behind = block.next.iter().map(|next| match next {
        Next::Block(to) => alive.get(to).copied().unwrap_or(0),
        Next::Function(_) => these(function.processor.arguments()),
        Next::Return => these(function.processor.results()),
        Next::Halt => 0,
    });
    let behind = behind.fold(0, |all, one| all | one);
    let instructions = block.addresses.iter().rev().filter_map(|address| function.instructions.get(address));
    instructions.fold(behind, |needed, instruction| before(function.processor, instruction, needed))
}

fn before(processor: Processor, instruction: &Instruction, needed: Alive) -> Alive {
    let kept = if instruction.conditional || instruction.condition.is_some() {
        needed
    } else {
        needed & !written(processor, instruction)
    };
    kept | read(processor, instruction)
}

fn written(processor: Processor, instruction: &Instruction) -> Alive {
    let flags = match instruction.effect {
        Effect::Compare { .. } | Effect::Test { .. } => FLAGS,
        _ if instruction.sets_flags => FLAGS,
        _ => 0,
    };
    let of_call = match instruction.flow {
        Flow::Call(_) | Flow::CallRegister => these(processor.scratch()) | FLAGS,
        _ => 0,
    };
    these(instruction.effect.writes()) | flags | of_call
}

fn read(processor: Processor, instruction: &Instruction) -> Alive {
    let of_flow = match instruction.flow {
        Flow::Call(_) | Flow::CallRegister => these(processor.arguments()),
        Flow::JumpRegister => these(Registers::MAX),
        Flow::Table { index, .. } => these(beryl_code::effect::bit(index)),
        _ => 0,
    };
    let is_flagged = instruction.condition.is_some();
    let reads_flags = processor.has_flags()
        && (is_flagged
            || matches!(instruction.effect, Effect::When { .. } | Effect::Unknown | Effect::Writes { .. }));
    these(instruction.effect.reads()) | of_flow | if reads_flags { FLAGS } else { 0 }
}

/// What the instructions of some blocks write, and whether they store or call.
pub fn changes<'a>(function: &Function, blocks: impl Iterator<Item = &'a u32>) -> (Alive, bool) {
    let blocks = blocks.filter_map(|block| function.blocks.get(block));
    let instructions =
        blocks.flat_map(|block| &block.addresses).filter_map(|address| function.instructions.get(address));
    instructions.fold((0, false), |(writes, stores), instruction| {
        let is_store = match &instruction.effect {
            Effect::Transfer(transfer) => !transfer.is_load,
            Effect::Unknown => true,
            _ => matches!(instruction.flow, Flow::Call(_) | Flow::CallRegister),
        };
        (writes | written(function.processor, instruction), stores | is_store)
    })
}
