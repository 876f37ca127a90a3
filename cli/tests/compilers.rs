//! Both ways to have the bare-metal target: the helicopter flies the same from either compiler.
//!
//! Debian's compiler isn't on every machine, and it builds its library first; so this is done where it is asked for:
//! `BERYL_COMPILER=debian ./x setup`, then `BERYL_TEST_COMPILERS=1 cargo test --test compilers`.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{example, finish, folder, left_text, lock, program};

mod common;

/// How a compiler is asked for, and where it is.
struct Compiler {
    name: &'static str,
    rustc: PathBuf,
}

fn compilers() -> [Compiler; 2] {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| Path::new(&env::var_os("HOME").expect("a home")).join(".cargo"));
    [
        Compiler { name: "rustup", rustc: home.join("bin/rustc") },
        Compiler { name: "debian", rustc: PathBuf::from("/usr/bin/rustc") },
    ]
}

impl Compiler {
    /// What it writes into debugging information about itself.
    fn signature(&self) -> String {
        let version = finish(Command::new(&self.rustc).arg("-vV"));
        let release = version.out.lines().find_map(|line| line.strip_prefix("release: ")).map(str::to_owned);
        format!("rustc version {} ", release.unwrap_or_else(|| panic!("{}", self.rustc.display())))
    }
}

#[test]
fn the_helicopter_flies_the_same_from_either_compiler() {
    if env::var_os("BERYL_TEST_COMPILERS").is_none() {
        // Past the test harness, which shows what is printed only where a test fails.
        let how = "set BERYL_TEST_COMPILERS=1 after `BERYL_COMPILER=debian ./x setup`";
        writeln!(io::stderr(), "compilers: only one is tried; {how}").expect("standard error");
        return;
    }
    let _lock = lock("helicopter");
    let usual = env::var_os("PATH").expect("a path");
    let mut flights = Vec::new();
    for compiler in compilers() {
        // Whichever `cargo` and `rustc` come first in the path, the compiler is the one that was asked for.
        for first in compilers() {
            let folders = [first.rustc.parent().expect("a folder").to_owned()].into_iter();
            let path = env::join_paths(folders.chain(env::split_paths(&usual))).expect("a path");
            let mut run = program(&["run", &example("helicopter")]);
            let said = finish(run.env("BERYL_COMPILER", compiler.name).env("PATH", path)).ended(0);
            assert!(said.contains("identical on sim and mps2-an385; 0 deadline misses"), "{said}");
            let kernel = fs::read(folder().join("build/helicopter/kernel.elf")).expect("a kernel");
            let signed = |compiler: &Compiler| {
                let signature = compiler.signature().into_bytes();
                kernel.windows(signature.len()).any(|window| window == signature)
            };
            let signed = compilers().map(|compiler| signed(&compiler));
            assert_eq!(signed, compilers().map(|other| other.name == compiler.name), "{}", compiler.name);
            flights.push(left_text("helicopter", "mps2-an385.recording"));
        }
    }
    assert!(flights.iter().all(|flight| *flight == flights[0]), "other commands from another compiler");
}

#[test]
fn a_compiler_that_does_not_exist_is_told() {
    let mut build = program(&["build", &example("stray")]);
    let ran = finish(build.env("BERYL_COMPILER", "gcc"));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.err.contains("BERYL_COMPILER is `gcc`, which is no compiler"), "{}", ran.err);
    assert!(ran.err.contains("set it to `rustup` or `debian`, or not at all"), "{}", ran.err);
}
