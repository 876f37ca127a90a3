//! The program of [`beryl_bench::purposes`].
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    beryl_bench::purposes::run()
}
