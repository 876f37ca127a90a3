//! Short names for system code.

use beryl_abi::{DriverId, ThreadId};
use beryl_syscode::Instruction;

/// Phases of an instant.
#[allow(unused_imports, reason = "each test binary uses a part of it")]
pub use beryl_syscode::instruction::phase::{ACTUATORS, RELEASES};

/// Ends the work at this instant.
pub const RETURN: Instruction = Instruction::Return {};

/// Carries out a driver.
pub const fn call(driver: DriverId) -> Instruction {
    Instruction::Call { driver }
}

/// Releases a task; `deadline` is a position in the pool of durations.
pub const fn release(task: ThreadId, deadline: u8) -> Instruction {
    Instruction::Release { task, deadline }
}

/// Continues at `address`, a duration from now.
pub const fn future(delay: u8, address: u16) -> Instruction {
    Instruction::Future { delay, address }
}

/// Continues at `address` when a condition holds.
pub const fn when(condition: u8, address: u16) -> Instruction {
    Instruction::When { condition, address }
}

/// Waits for a phase.
pub const fn phase(phase: u8) -> Instruction {
    Instruction::Phase { phase }
}

/// Goes on at `address` if the last guard said no.
pub const fn branch(address: u16) -> Instruction {
    Instruction::Branch { address }
}
