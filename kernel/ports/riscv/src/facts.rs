//! What those who build for this port must know of it: its crate, and its compiler.

/// The name of its crate.
pub const PACKAGE: &str = "beryl-riscv";
/// The same in Rust.
pub const MODULE: &str = "beryl_riscv";
/// Where the crate is in Beryl's source.
pub const FOLDER: &str = "kernel/ports/riscv";
/// The compiler's name of the target.
pub const TARGET: &str = "riscv32imac-unknown-none-elf";
/// Bytes that the port keeps of a thread: its registers, and where its entries of the protection unit are.
pub const CONTEXT: u32 = 132;
