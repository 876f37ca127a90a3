//! Programs that the tests share, and a generator for others.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::Instruction::{self, Call, Future, Jump, Phase, Release, Return};
use beryl_syscode::Limits;
use beryl_syscode::container::Content;
use beryl_syscode::instruction::phase::{ACTUATORS, RELEASES};

/// Carries out a driver.
pub const fn call(driver: u16) -> Instruction {
    Call { driver: DriverId(driver) }
}

/// Releases a task.
pub const fn release(task: u8, deadline: u8) -> Instruction {
    Release { task: ThreadId(task), deadline }
}

/// A program's words.
pub fn words(code: &[Instruction]) -> Vec<u32> {
    code.iter().map(|instruction| instruction.encode()).collect()
}

/// The flight controller: navigation every 10 ms, control and the rotor every 20 ms. The start
/// jumps over the outputs, since no task has ended yet.
pub const FLIGHT: &[Instruction] = &[
    Jump { address: 3 },
    call(0),
    call(1),
    Phase { phase: ACTUATORS },
    call(9),
    Phase { phase: RELEASES },
    call(2),
    call(4),
    call(3),
    call(5),
    call(6),
    release(0, 0),
    call(7),
    call(8),
    release(1, 1),
    Future { delay: 0, address: 17 },
    Return {},
    call(0),
    Phase { phase: RELEASES },
    call(2),
    call(4),
    call(3),
    call(5),
    call(6),
    release(0, 0),
    Future { delay: 0, address: 1 },
    Return {},
];

/// Its tasks.
pub const TASKS: [&str; 2] = ["navigate", "control"];

/// Its drivers.
pub const DRIVERS: [&str; 10] = [
    "publish navigate",
    "publish control",
    "gps",
    "attitude",
    "gps to navigate",
    "attitude to navigate",
    "control.command to navigate",
    "navigate.motion to control",
    "attitude to control",
    "rotor",
];

/// 10 ms and 20 ms in ticks of 40 ns.
pub const DURATIONS: [Duration; 2] = [Duration::from_ticks(250_000), Duration::from_ticks(500_000)];

/// Its limits.
pub const LIMITS: Limits = Limits { drivers: 10, tasks: 2 };

/// The flight controller as a container's content.
pub fn content(code: &[u32]) -> Content<'_> {
    Content {
        module: "Helicopter",
        start: 0,
        durations: &DURATIONS,
        code,
        completions: &[],
        tasks: &TASKS,
        drivers: &DRIVERS,
        ..Content::default()
    }
}
