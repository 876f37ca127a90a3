//! The board stm32f405: a chip that one can buy, with real flash, little memory, and timers of its own. A system runs there
//! unchanged, with the same actuator writes to the bit.

mod common;

use beryl_trace::decode;

use common::forbidden::{Misdeed, told};
use common::{beryl, flight, left, left_text, lock};

const BOARD: &str = "stm32f405";

/// Bytes of trace records that wait in the board's memory at most (`kernel/boards/stm32f405/src/map.rs`).
const WAITING: usize = 0x2000;

/// The helicopter writes what it writes in a simulation for the board that it names. Its trace is longer than what the board
/// keeps of it, and whole.
#[test]
fn a_system_runs_unchanged_on_a_chip_that_one_can_buy() {
    let _lock = lock("flight_on_stm32f405");
    let system = flight("flight_on_stm32f405").display().to_string();
    let said = beryl(&["run", &system, "--board", BOARD, "--for", "1s"]).ended(0);
    let last = "flight_on_stm32f405: 50 actuator writes, identical on sim and stm32f405; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(
        left_text("flight_on_stm32f405", "stm32f405.recording"),
        left_text("flight_on_stm32f405", "sim.recording")
    );
    let trace = left("flight_on_stm32f405", "stm32f405.trace");
    assert!(trace.len() > 2 * WAITING, "{} bytes", trace.len());
    decode(&trace).expect("a whole trace");
}

const NOT_ITS_OWN: &str = "access to memory that isn't its own";
const SYSTEM: &str = "access to a register of the kernel's";

/// Threads that do one forbidden thing each, and what the kernel makes of it.
const MISDEEDS: [Misdeed; 12] = [
    ("write_kernel", "store(0x2000_0000)", "access to memory that isn't its own at address 0x20000000"),
    ("write_flash", "store(0x0800_0000)", "access to memory that isn't its own at address 0x08000000"),
    ("read_kernel", "load(0x0800_0000)", "access to memory that isn't its own at address 0x08000000"),
    // The same flash where the processor begins.
    ("read_kernels_alias", "load(4)", "access to memory that isn't its own at address 0x00000004"),
    ("write_neighbour", "store((&raw const __beryl_memory_steady).addr())", NOT_ITS_OWN),
    ("write_text", "store(write_text as *const () as usize & !3)", NOT_ITS_OWN),
    ("write_clock", "store(0x4000_0c24)", "access to memory that isn't its own at address 0x40000c24"),
    ("write_alarm", "store(0x4000_002c)", "access to memory that isn't its own at address 0x4000002c"),
    ("stop_clocks", "store(0x4002_3800)", "access to memory that isn't its own at address 0x40023800"),
    // A bit of the alarm's as a word of its own.
    ("write_alarms_bit", "store(0x4200_0000)", "access to memory that isn't its own at address 0x42000000"),
    ("mask_lines", "store(0xe000_e180)", SYSTEM),
    ("unprotect", "store(0xe000_ed94)", SYSTEM),
];

#[test]
fn user_mode_is_refused_what_isnt_its_own() {
    let _lock = lock("forbidden_on_stm32f405");
    let (faults, said) = told("forbidden_on_stm32f405", BOARD, &MISDEEDS, "");
    assert_eq!(faults.len(), MISDEEDS.len(), "{said}");
    for ((thread, fault), (name, _, expected)) in faults.iter().zip(MISDEEDS) {
        assert!(thread == name && fault.starts_with(expected), "{name}: {thread}: {fault}, not {expected}");
    }
    assert!(said.contains(&format!("; 0 deadline misses; {} faults", MISDEEDS.len())), "{said}");
}
