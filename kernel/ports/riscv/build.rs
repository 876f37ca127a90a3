//! Gives the linker the script of a kernel, which asks for the board's memory in `memory.x`.

use std::path::PathBuf;
use std::{env, fs, io};

/// The entry first, since the processor begins at the start of the flash; then code, constants and variables, which all
/// begin with zero. The stack's end is a multiple of sixteen, with room for one word behind it.
const SCRIPT: &str = "\
INCLUDE memory.x
ENTRY(_start)
_beryl_stack = (_stack_start - 16) & ~15;
SECTIONS
{
  .text ORIGIN(FLASH) : { KEEP(*(.text.beryl_start)) *(.text .text.*) } > FLASH
  .rodata : ALIGN(4) { *(.rodata .rodata.* .srodata .srodata.*) . = ALIGN(4); } > FLASH
  .data : ALIGN(4) { *(.data .data.* .sdata .sdata.*) } > RAM AT > FLASH
  .bss (NOLOAD) : ALIGN(16) { __sbss = .; *(.bss .bss.* .sbss .sbss.* COMMON) . = ALIGN(4); __ebss = .; } > RAM
  /DISCARD/ : { *(.eh_frame .eh_frame_hdr) }
}
ASSERT(SIZEOF(.data) == 0, \"a kernel has no variables that begin with anything but zero\");
";

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    fs::write(folder.join("link.x"), SCRIPT)?;
    println!("cargo:rustc-link-search={}", folder.display());
    println!("cargo:rerun-if-changed=build.rs");
    Ok(())
}
