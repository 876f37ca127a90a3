//! Small programs for the bare processor, compiled on the spot.

// Each test uses its own part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::Command;

/// What every program needs.
const FRAME: &str =
    "#![no_std]\n#![no_main]\n#[panic_handler]\nfn panic(_: &core::panic::PanicInfo) -> ! { loop {} }\n";

/// A linked program and the folder of its source.
pub struct Program {
    /// The linked image.
    pub elf: Vec<u8>,
    /// The folder.
    pub folder: PathBuf,
}

/// Compiles `source` for thumbv7m, keeping the symbols `kept`.
pub fn compile(name: &str, level: &str, kept: &[&str], source: &str) -> Program {
    compile_for("thumbv7m-none-eabi", name, level, kept, source)
}

/// The same for a target.
pub fn compile_for(target: &str, name: &str, level: &str, kept: &[&str], source: &str) -> Program {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{level}"));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let file = folder.join("program.rs");
    std::fs::write(&file, format!("{FRAME}{source}")).expect("the source can be written");
    let image = folder.join("program.elf");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(["--target", target, "--edition", "2024", "--crate-name", "program"]);
    command.args(["-C", "panic=abort", "-C", "lto=fat", "-C", "debuginfo=line-tables-only"]);
    command.arg(format!("-Copt-level={level}")).arg("-o").arg(&image).arg(&file);
    for symbol in kept {
        command.arg(format!("-Clink-arg=--undefined={symbol}"));
    }
    let output = command.output().expect("rustc can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Program { elf: std::fs::read(image).expect("the image was written"), folder }
}

/// Wraps assembly; every label of `functions` becomes a function.
pub fn assembly(functions: &[(&str, &str)]) -> String {
    wrapped(".syntax unified", ".thumb_func", functions)
}

/// The same for RISC-V, whose text needs nothing around it.
pub fn plain_assembly(functions: &[(&str, &str)]) -> String {
    wrapped("", "", functions)
}

fn wrapped(before_all: &str, before_each: &str, functions: &[(&str, &str)]) -> String {
    let mut text = format!("core::arch::global_asm!(r#\"\n{before_all}\n");
    for (name, body) in functions {
        text += &format!(
            ".section .text.{name},\"ax\"\n.global {name}\n.type {name},%function\n{before_each}\n\
             {name}:\n{body}\n.size {name}, . - {name}\n"
        );
    }
    text + "\"#, options(raw));\n"
}
