//! Files in C that came from elsewhere, and what `[c]` says of how all of them are compiled.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_builder::c::{Machine, compile};
use beryl_builder::functions::missing;
use beryl_builder::workshop::Workshop;
use beryl_builder::{BuildError, Project, Variant};

const DESCRIPTION: &str = r#"
[system]
name = "ported"
[c]
sources = ["own.c"]
ported = ["legacy/old.c"]
includes = ["legacy/inc"]
defines = ["MORE=7", "QUIET"]
optimisation = "speed"
[board]
name = "mps2-an385"
flash = "64k"
ram = "24k"
[process.one]
memory = "64"
[[band]]
name = "all"
policy = "fixed"
[thread.first]
process = "one"
priority = 2
entry = "first"
stack = "512"
"#;

const OWN: &str = "
#include <old.h>
#if !defined QUIET || MORE != 7
#error what is defined isn't
#endif
static int more(int to) { return to + MORE; }
void first(void) { for (int sum = 0;; sum = more(sum)) { beryl_tell(1, (uint32_t)old(sum)); } }
";

/// Without a prototype for the other, and optimised on the board alone.
const OLD: &str = "
#include <old.h>
#if defined __arm__ && (!defined __OPTIMIZE__ || defined __OPTIMIZE_SIZE__)
#error it isn't optimised for speed
#endif
int older(int value) { return value * MORE; }
int old(int value) { return older(value) + 1; }
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ported").join(name);
    fs::create_dir_all(folder.join("legacy/inc")).expect("a folder");
    folder
}

/// The project, as far as `beryl check` looks at its files.
fn load(name: &str, description: &str, own: &str) -> Result<(PathBuf, Project), BuildError> {
    let folder = folder(name);
    let files = [
        ("beryl.toml", description),
        ("own.c", own),
        ("legacy/old.c", OLD),
        ("legacy/inc/old.h", "int old(int value);\n"),
    ];
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("a file");
    }
    let project = Project::load(&folder, Variant::default())?;
    missing::check(&project, &Workshop::new(&folder))?;
    Ok((folder, project))
}

/// An error as one line.
fn line(error: BuildError) -> String {
    if let BuildError::Compiler { said, .. } = &error {
        return said.replace(['‘', '’'], "'");
    }
    let said = format!("{:?}", miette::Report::new(error)).replace('\u{2502}', " ");
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn files_from_elsewhere_compile_as_they_are() {
    let (folder, project) = load("well", DESCRIPTION, OWN).unwrap_or_else(|error| panic!("{error:?}"));
    for machine in [Machine::Host, Machine::Board] {
        let objects = compile(&project, &Workshop::new(&folder), machine);
        let objects = objects.unwrap_or_else(|error| panic!("{machine:?}: {error:?}")).objects;
        assert_eq!(objects.len(), 2, "{objects:?}");
    }
}

/// What masks interrupts elsewhere would do nothing here.
#[test]
fn code_that_would_mask_interrupts_is_refused() {
    let arm = "#if defined __arm__\nstatic void alone(void) { __asm__ volatile(\"CODE\"); }\n#else\nstatic void alone(void) {}\n#endif\n";
    let riscv = arm.replace("__arm__", "__riscv");
    let cases = [
        (arm, "cpsid i", "mps2-an385", "`alone` in own.c has `cpsid`"),
        (arm, "cpsie f", "mps2-an385", "`alone` in own.c has `cpsie`"),
        (arm, "msr primask, r0", "mps2-an505", "`alone` in own.c has `msr`"),
        (arm, "msr basepri, r3", "mps2-an385", "`alone` in own.c has `msr`"),
        (arm, "nop", "mps2-an385", ""),
        (arm, "b .+6\\n .short 0xb672\\n nop", "mps2-an385", ""),
        (&riscv, "csrci mstatus, 8", "virt", "own.c:9: Error: unrecognized opcode"),
        (&riscv, "nop", "virt", ""),
    ];
    for (number, (text, code, board, expected)) in cases.into_iter().enumerate() {
        let own = OWN.replace(
            "void first(void) {",
            &format!("{}void first(void) {{ alone();", text.replace("CODE", code)),
        );
        let own = format!(
            "#define naked static __attribute__((noinline)) void\n{}",
            own.replace("static void alone", "naked alone")
        );
        let description = DESCRIPTION.replace("mps2-an385", board);
        let (folder, project) = load(&format!("masking_{number}"), &description, &own)
            .unwrap_or_else(|error| panic!("{error:?}"));
        let said = compile(&project, &Workshop::new(&folder), Machine::Board).map_err(line).err();
        let said = said.unwrap_or_default();
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{code}: {said}");
    }
}

/// Each of the keys is what makes them compile.
#[test]
fn without_what_is_said_of_them_they_do_not() {
    let cases = [
        (
            "sources = [\"own.c\"]\nported = [\"legacy/old.c\"]",
            "sources = [\"own.c\", \"legacy/old.c\"]",
            "named by `ported` in [c]",
        ),
        ("includes = [\"legacy/inc\"]\n", "", "old.h: No such file"),
        ("defines = [\"MORE=7\", \"QUIET\"]", "defines = [\"MORE=7\"]", "what is defined isn't"),
        ("optimisation = \"speed\"\n", "", "it isn't optimised for speed"),
        ("\"speed\"", "\"debugging\"", ""),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        assert!(DESCRIPTION.contains(from), "{from}");
        let description = DESCRIPTION.replace(from, to);
        let (folder, project) =
            load(&format!("without_{number}"), &description, OWN).unwrap_or_else(|error| panic!("{error:?}"));
        let said = compile(&project, &Workshop::new(&folder), Machine::Board).map_err(line);
        let said = said.err().unwrap_or_default();
        assert!(said.contains(expected) && said.is_empty() == expected.is_empty(), "{to}: {said}");
    }
}

#[test]
fn what_is_wrong_is_told_at_its_line() {
    let cases = [
        ("\"MORE=7\"", "\"7=MORE\"", "doesn't begin with a name"),
        ("\"MORE=7\"", "\"BERYL_TICK=7\"", "is the builder's own"),
        ("\"QUIET\"", "\"MORE=8\"", "`MORE`"),
        ("\"speed\"", "\"sped\"", "can't be `sped`"),
        ("ported = [\"legacy/old.c\"]", "ported = [\"own.c\"]", "`own.c` is one of `sources`, too"),
        ("ported = [\"legacy/old.c\"]", "ported = [\"legacy/new.c\"]", "there is no source `legacy/new.c`"),
        ("\"legacy/inc\"", "\"legacy/include\"", "there is no folder of headers `legacy/include`"),
        ("\"legacy/inc\"", "\"own.c\"", "there is no folder of headers `own.c`"),
        ("\"legacy/inc\"", "\"/usr/include\"", "isn't a relative path"),
    ];
    for (number, (from, to, expected)) in cases.into_iter().enumerate() {
        let said = load(&format!("wrong_{number}"), &DESCRIPTION.replace(from, to), OWN).map_err(line);
        let said = said.err().unwrap_or_default();
        assert!(said.contains(expected), "{to}: {said}");
    }
}
