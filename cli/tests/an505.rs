//! The board mps2-an505: a processor of the next architecture, whose protection unit wants regions that don't overlap, and
//! whose stacks have limits. A system runs there unchanged, with the same actuator writes to the bit.

mod common;

use common::forbidden::{Misdeed, told};
use common::{beryl, flight, left_text, lock};

const BOARD: &str = "mps2-an505";

/// The helicopter writes what it writes in a simulation for the board that it names.
#[test]
fn a_system_runs_unchanged_on_the_next_architecture() {
    let _lock = lock("flight_on_an505");
    let system = flight("flight_on_an505").display().to_string();
    let said = beryl(&["run", &system, "--board", BOARD, "--for", "1s"]).ended(0);
    let last = "flight_on_an505: 50 actuator writes, identical on sim and mps2-an505; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(
        left_text("flight_on_an505", "mps2-an505.recording"),
        left_text("flight_on_an505", "sim.recording")
    );
}

const NOT_ITS_OWN: &str = "access to memory that isn't its own";
const SYSTEM: &str = "access to a register of the kernel's";
const OVERFLOW: &str = "stack overflow";
const FORBIDDEN: &str = "forbidden or unknown instruction";

/// Threads that do one forbidden thing each, and what the kernel makes of it.
const MISDEEDS: [Misdeed; 25] = [
    ("write_kernel", "store(0x3800_0000)", "access to memory that isn't its own at address 0x38000000"),
    ("read_kernel", "load(0x1000_0000)", "access to memory that isn't its own at address 0x10000000"),
    // The same memories by the addresses of the other security state.
    (
        "write_kernels_alias",
        "store(0x2800_0000)",
        "access to memory that isn't its own at address 0x28000000",
    ),
    ("read_kernels_alias", "load(4)", "access to memory that isn't its own at address 0x00000004"),
    ("write_neighbour", "store((&raw const __beryl_memory_steady).addr())", NOT_ITS_OWN),
    ("write_text", "store(write_text as *const () as usize & !3)", NOT_ITS_OWN),
    ("write_clock", "store(0x5000_0004)", "access to memory that isn't its own at address 0x50000004"),
    ("write_alarm", "store(0x5000_1004)", "access to memory that isn't its own at address 0x50001004"),
    ("write_clocks_alias", "store(0x4000_0004)", "access to memory that isn't its own at address 0x40000004"),
    ("open_devices", "store(0x5008_00b0)", "access to memory that isn't its own at address 0x500800b0"),
    ("mask_lines", "store(0xe000_e180)", SYSTEM),
    ("unprotect", "store(0xe000_ed94)", SYSTEM),
    ("attribute", "store(0xe000_edd0)", SYSTEM),
    ("execute_kernel", "go(0x1000_0001)", "jump into memory that may not be executed at address 0x10000000"),
    ("execute_stack", "execute_stack_of_its_own()", "jump into memory that may not be executed"),
    ("unknown", "instruction!(\"udf #1\")", FORBIDDEN),
    ("overflow", "deeper(1)", OVERFLOW),
    ("reserve", "instruction!(\"sub sp, sp, {0}\", \"push {{r0}}\", in(reg) 4096)", OVERFLOW),
    ("no_stack", "instruction!(\"mov sp, {0}\", \"svc 0\", in(reg) 0)", OVERFLOW),
    (
        "lift_limit",
        "instruction!(\"msr psplim, {0}\", \"sub sp, sp, {1}\", in(reg) 0, in(reg) 4096)",
        OVERFLOW,
    ),
    ("leave", "instruction!(\"bxns {0}\", in(reg) 0x1000_0000)", FORBIDDEN),
    ("leave_and_return", "instruction!(\"blxns {0}\", in(reg) 0)", FORBIDDEN),
    (
        "leave_for_itself",
        "instruction!(\"bxns {0}\", in(reg) leave_for_itself as *const () as usize & !1)",
        FORBIDDEN,
    ),
    ("return_from_exception", "go(0xffff_fffd)", "jump into memory that may not be executed"),
    ("panics", "panic!()", "panic"),
];

/// What they do it with.
const TOOLS: &str = r#"
#[cfg(target_os = "none")]
fn go(address: usize) {
    unsafe { core::arch::asm!("bx {0}", in(reg) address) }
}
#[cfg(target_os = "none")]
fn execute_stack_of_its_own() {
    let words = core::hint::black_box([0x4770_4770_u32; 4]);
    go(words.as_ptr().addr() | 1);
}
"#;

#[test]
fn user_mode_is_refused_what_isnt_its_own() {
    let _lock = lock("forbidden_on_an505");
    let (faults, said) = told("forbidden_on_an505", BOARD, &MISDEEDS, TOOLS);
    assert_eq!(faults.len(), MISDEEDS.len(), "{said}");
    for ((thread, fault), (name, _, expected)) in faults.iter().zip(MISDEEDS) {
        assert!(thread == name && fault.starts_with(expected), "{name}: {thread}: {fault}, not {expected}");
    }
    assert!(said.contains(&format!("; 0 deadline misses; {} faults", MISDEEDS.len())), "{said}");
}
