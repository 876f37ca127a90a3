//! What those who build for this port must know of it: its crate, its compilers, and what the processor does by itself.

/// The name of its crate.
pub const PACKAGE: &str = "beryl-cortex-m";
/// The same in Rust.
pub const MODULE: &str = "beryl_cortex_m";
/// Where the crate is in Beryl's source.
pub const FOLDER: &str = "kernel/ports/cortex-m";
/// The compiler's name of the target: what all processors of Armv7-M have.
pub const TARGET: &str = "thumbv7m-none-eabi";
/// What those of Armv8-M have that the port is for.
pub const ARMV8M_TARGET: &str = "thumbv8m.main-none-eabi";
/// The compiler for functions in C, a package of Debian.
pub const C_COMPILER: &str = "arm-none-eabi-gcc";
/// What it is told: the same processor as [`TARGET`], without floating point.
pub const C_OPTIONS: [&str; 6] =
    ["-mcpu=cortex-m3", "-mthumb", "-mfloat-abi=soft", "-Os", "-fno-exceptions", "-fno-stack-protector"];
/// The same of [`ARMV8M_TARGET`].
pub const ARMV8M_C_OPTIONS: [&str; 6] = [
    "-mcpu=cortex-m33+nodsp",
    "-mthumb",
    "-mfloat-abi=soft",
    "-Os",
    "-fno-exceptions",
    "-fno-stack-protector",
];
/// What processes are compiled for that use floating point in hardware: Armv7-M with single precision. A Cortex-M33 carries that out,
/// too. Compiled for Armv8-M, casts of `f32` to small integers had other results there than in the simulation (`conformance/numbers`
/// told), so both have the same code.
pub const FLOATING_TARGET: &str = "thumbv7em-none-eabihf";
/// What the compiler for functions in C of such a process is told.
pub const FLOATING_C_OPTIONS: [&str; 7] = [
    "-mcpu=cortex-m4",
    "-mthumb",
    "-mfloat-abi=hard",
    "-mfpu=fpv4-sp-d16",
    "-Os",
    "-fno-exceptions",
    "-fno-stack-protector",
];
/// Bytes that the port keeps of the floating point of a thread that uses it.
pub const FLOATING_REGISTERS: u32 = 33 * 4;
/// The instruction that waits for an interrupt, and one as long that does nothing.
pub const WAITS: [&[u8]; 2] = [&[0x30, 0xBF], &[0x00, 0xBF]];
/// The instruction that enters the kernel.
pub const ENTERS: &str = "svc 0";
/// The registers of a call's number, and of its arguments.
pub const CALL_REGISTERS: [&str; 5] = ["r0", "r1", "r2", "r3", "r12"];
/// The registers in a crash record, in its order: the frame, the others.
pub const WRITTEN_DOWN: [[&str; 8]; 2] =
    [["r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr"], ["r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"]];
/// Words of the vector table in front of those of interrupt lines: the stack, the exceptions.
pub const VECTORS: usize = 16;
/// What the processor pushes at an exception, on whatever stack it finds: eight words, and one that aligns them.
pub const EXCEPTION_FRAME: u32 = 36;
/// Where steps of the kernel begin: with a call, an interrupt, a fault, and the first one.
pub const HANDLERS: [&str; 4] = ["SVCall", "DefaultHandler", "MemoryManagement", "PendSV"];
/// Where a fault comes in that the processor made more of. One of user mode goes on as any other fault does.
pub const HARD_FAULT: &str = "HardFault";
/// Where system calls come in on a core whose kernel has another one (`processor/apart.rs`).
pub const ASK: &str = "beryl_ask";
/// Where a thread goes on there: nothing may call it, either.
pub const GO_ON: &str = "beryl_go_on";
/// Where all threads leave the kernel: nothing may call it (`processor/entry.rs`).
pub const SWITCH: &str = "beryl_switch";
/// The same of a kernel with threads that use floating point (`processor/floating.rs`).
pub const FLOATING_SWITCH: &str = "beryl_floating_switch";

/// Where the code of a function is: the lowest bit of its address says that it is Thumb code.
#[must_use]
pub const fn code_at(address: u32) -> u32 {
    address & !1
}
