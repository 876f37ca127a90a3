//! The steps of programs at an instant.

use beryl_syscode::Instruction;

use crate::assembly::Assembly;
use crate::code::Program;

/// Steps of a program at an instant, without drivers and releases: two for each of the four phases (to wait for
/// the phase, and to be selected for it), `future`, and `return`.
const PROGRAM_STEPS: u64 = 2 * 4 + 2;

/// How many of these steps a program saves if it is the only one. It is selected for its first phase only; the
/// others begin as soon as it gets there (the kernel's `begin_phase`).
const BEGUN_AT_ONCE: u64 = 3;

/// Steps of a program at an instant. Rounds add steps; the program to which they add most counts.
pub(super) fn program_steps(assembly: &Assembly, programs: &[Program], alternatives: &[Program]) -> u64 {
    let Assembly { modules, asynchronous, .. } = assembly;
    if modules.is_empty() && asynchronous.is_empty() {
        return 0;
    }
    let at_once = if is_alone(assembly, programs) { BEGUN_AT_ONCE } else { 0 };
    PROGRAM_STEPS - at_once + programs.iter().chain(alternatives).map(of_rounds).max().unwrap_or(0)
}

/// Whether the queue of triggers never holds more than the next instant of one program. Then there is no other
/// program, no thread of system code and no trigger on anything but time; and the program has no handler, and
/// isn't entered by completions.
fn is_alone(assembly: &Assembly, programs: &[Program]) -> bool {
    let Assembly { modules, asynchronous, objects, .. } = assembly;
    let is_plain = |program: &Program| {
        program.threads == 0 && program.handler.is_none() && program.completions.is_empty()
    };
    modules.len() == 1
        && asynchronous.is_empty()
        && objects.slots.is_empty()
        && programs.len() == 1
        && programs.iter().all(is_plain)
}

/// The most steps that rounds add to an instant of a program: one question for each beat, and one look for each
/// sensor that may have been read already. An instant goes through one block. When the mode changes, it also
/// goes through the releases of another block, which end with `next`, too.
fn of_rounds(program: &Program) -> u64 {
    // A sensor's look is charged as a driver.
    const LOOK: u64 = 2;
    let added = |instruction: Instruction| match instruction {
        Instruction::Beat { .. } | Instruction::Round {} => 1,
        Instruction::Call { driver } if program.read_again.contains(&driver.index()) => LOOK,
        _ => 0,
    };
    let instructions: Vec<_> = program.code.iter().filter_map(|word| Instruction::decode(*word)).collect();
    let blocks = instructions.split(|instruction| matches!(instruction, Instruction::Next { .. }));
    let mut blocks: Vec<u64> = blocks.map(|block| block.iter().copied().map(added).sum()).collect();
    blocks.sort_unstable();
    blocks.iter().rev().take(2).sum()
}
