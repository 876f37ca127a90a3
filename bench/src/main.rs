//! The program of [`beryl_bench`].
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    beryl_bench::run()
}
