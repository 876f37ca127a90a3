//! Numbers have the same bits everywhere: what the corpus consists of, and that a difference is found to the operation.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use beryl_trace::{DecodedNote, Happening, decode};

use common::{beryl, change, copy, finish, folder, left, lock, program, root, spoken};

mod common;

/// Operations with one hash; as `conformance/numbers/app/src/lib.rs` has it.
const BLOCK: usize = 100;

fn corpus() -> String {
    root().join("conformance/numbers").display().to_string()
}

/// A copy of the corpus with other names.
fn copied(name: &str) -> PathBuf {
    let system = folder().join("systems").join(name);
    copy(&root().join("conformance/numbers"), &system);
    change(&system.join("beryl.toml"), "name = \"numbers\"", &format!("name = {name:?}"));
    change(&system.join("beryl.toml"), "\"choice\"", "\"../../../../conformance/numbers/choice\"");
    let user = root().join("user");
    let manifest = format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nberyl-user = {{ path = {user:?} }}\n"
    );
    fs::write(system.join("app/Cargo.toml"), manifest).expect("a manifest");
    system
}

/// What a system says, run with a choice of operations.
fn chosen(command: &str, system: &str, choice: &str) -> String {
    let mut program = program(&[command, system, "--for", "10s"]);
    let said = finish(program.env("BERYL_NUMBERS", choice)).ended(0);
    said.lines().map(spoken).collect::<Vec<_>>().join("\n")
}

/// The name of each operation, by the number under which it is told.
fn names(system: &str) -> BTreeMap<u16, String> {
    let said = chosen("sim", system, "names");
    let name = |line: &str| {
        let (number, name) = line.trim().split_once(' ')?;
        let is_name = name.split(' ').count() == 2;
        is_name.then_some((number.parse().ok()?, name.to_owned()))
    };
    said.lines().filter_map(name).collect()
}

/// What is told of each operation in a simulation.
fn told() -> BTreeMap<u16, Vec<u32>> {
    beryl(&["sim", &corpus(), "--for", "10s"]).ended(0);
    let mut told: BTreeMap<u16, Vec<u32>> = BTreeMap::new();
    for event in decode(&left("numbers", "sim.trace")).expect("a whole trace") {
        if let Happening::Note(DecodedNote::Event { event, value, .. }) = event.happening {
            told.entry(event).or_default().push(value);
        }
    }
    told
}

/// The suite compares them with the board's (`each_system_of_the_suite_passes_on_its_boards`).
#[test]
fn a_million_operations_have_the_same_results_in_rust_and_in_c() {
    let _lock = lock("numbers");
    let (names, told) = (names(&corpus()), told());
    assert_eq!(names.keys().collect::<Vec<_>>(), told.keys().collect::<Vec<_>>());
    let operations = BLOCK * told.values().map(Vec::len).sum::<usize>();
    assert!(operations >= 1_000_000, "{operations}");
    let (rust, c): (Vec<_>, Vec<_>) = names.iter().partition(|(number, _)| **number < 1000);
    let rust: BTreeMap<_, _> = rust.into_iter().map(|(number, name)| (name, number)).collect();
    let mut both = 0;
    for (number, name) in c {
        let Some(same) = rust.get(name) else {
            assert!(name.contains("cast_"), "only C has {name}");
            continue;
        };
        assert_eq!(told[number], told[*same], "{name} is another in C than in Rust");
        both += 1;
    }
    assert!(both > 300, "{both}");
}

#[test]
fn every_function_of_the_library_is_in_the_corpus() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a source");
    let library = read("user/src/math.rs");
    let list =
        library.split_once("pub use libm::{").and_then(|(_, rest)| rest.split_once('}')).expect("a list");
    let functions = list.0.split(',').map(str::trim).filter(|name| !name.is_empty());
    let corpus = read("conformance/numbers/app/src/mathematics.rs");
    let count = functions
        .inspect(|name| assert!(corpus.contains(&format!("| {name}(")), "{name} isn't there"))
        .count();
    assert!(count >= 60, "{count}");
    let _lock = lock("numbers");
    beryl(&["sim", &self::corpus(), "--for", "1ms"]).ended(0);
    let header = fs::read_to_string(folder().join("build/numbers/c/beryl.h")).expect("the header");
    let (_, mathematics) = header.split_once("/* Mathematics").expect("its part about mathematics");
    let in_c = read("conformance/numbers/numbers.c");
    let declared = mathematics.lines().filter(|line| line.ends_with(");")).filter_map(|line| {
        let (_, name) = line.split_once("beryl_")?;
        let name = name.split('(').next()?;
        Some((name, line.starts_with("float").then(|| name.strip_suffix('f')).flatten().unwrap_or(name)))
    });
    for (name, base) in declared {
        let calls = [format!("beryl_{base}##f("), format!("beryl_{name}(")];
        assert!(calls.iter().any(|call| in_c.contains(call)), "{name} isn't there in C");
    }
}

/// One operation in Rust and one in C go wrong on the board, each for one kind of inputs: the suite names the
/// blocks, and showing these the operations.
#[test]
fn an_operation_that_differs_is_found_and_named() {
    let _lock = lock("numbers_wrong");
    let system = copied("numbers_wrong");
    let flushed = "if cfg!(target_arch = \"arm\") && (a * b).is_subnormal() { a * 0.0 } else { a * b }";
    change(&system.join("app/src/floats.rs"), "|a, b, _c| a * b;", &format!("|a, b, _c| {flushed};"));
    let wrong = "#ifdef __arm__\n#define TOWARDS(x) ((x) < 0)\n#else\n#define TOWARDS(x) 0\n#endif\n\n#define INTEGERS(type)";
    change(&system.join("numbers.c"), "#define INTEGERS(type)", wrong);
    let shift = "OPERATION(type, wrapping_shr, type, a >> (b & (BITS(type) - 1))";
    change(&system.join("numbers.c"), shift, &format!("{shift} + TOWARDS(a)"));
    let suite = folder().join("numbers_wrong.toml");
    let row =
        "[[system]]\nfolder = \"systems/numbers_wrong\"\nfor = \"10s\"\nshows = \"\"\ncompare = \"told\"\n";
    fs::write(&suite, row).expect("a suite");
    let said = beryl(&["conformance", &suite.display().to_string()]).ended(1);
    let system = system.display().to_string();
    let names = names(&system);
    // Thread, operation and block of each first difference.
    let differing = said.lines().filter_map(|line| {
        let (thread, rest) =
            line.trim().trim_start_matches("systems/numbers_wrong: ").split_once(" tells of ")?;
        let (number, rest) = rest.split_once(", number ")?;
        Some((thread.to_owned(), number.to_owned(), rest.split_once(':')?.0.to_owned()))
    });
    let differing: Vec<_> = differing.collect();
    let named = |(thread, number, _): &(String, String, String)| {
        format!("{thread} {}", names[&number.parse().expect("a number")])
    };
    let wrong: Vec<_> = differing.iter().map(named).collect();
    let signed = ["i8", "i16", "i32", "i64"].map(|kind| format!("in_c {kind} wrapping_shr"));
    let floats = ["f32 mul", "f64 mul"].map(|name| format!("in_rust {name}"));
    assert_eq!(wrong, [&floats[..], &signed].concat(), "{said}");
    // Shown, the lines of one machine are those of the other but for the operations that differ.
    let (_, number, block) = &differing[0];
    let shown = ["sim", "run"].map(|command| chosen(command, &system, &format!("{number}/{block}")));
    let lines = |said: &str| -> Vec<_> {
        said.lines().map(|line| line.trim().to_owned()).filter(|line| line.starts_with("f32 mul:")).collect()
    };
    let [simulated, board] = shown.map(|said| lines(&said));
    assert_eq!([simulated.len(), board.len()], [BLOCK; 2]);
    let others: Vec<_> = simulated.iter().zip(&board).filter(|(one, other)| one != other).collect();
    assert!(!others.is_empty() && others.len() < BLOCK, "{others:?}");
    for (one, other) in others {
        let [(inputs, denormal), (again, zero)] =
            [one, other].map(|line| line.split_once(" -> ").expect("a result"));
        assert_eq!(inputs, again);
        let bits = |word: &str| u32::from_str_radix(&word[8..], 16).expect("bits") & 0x7FFF_FFFF;
        assert!(bits(denormal) < 0x0080_0000 && bits(denormal) > 0 && bits(zero) == 0, "{one} {other}");
    }
}

#[test]
fn the_lesser_of_two_zeros_is_refused_where_it_may_be_either() {
    let _lock = lock("numbers_least");
    let system = copied("numbers_least");
    change(&system.join("app/src/floats.rs"), "if a < b { a } else { b }", "a.min(b)");
    let refused = |board: &str| {
        let ran = beryl(&["build", &system.display().to_string(), "--board", board]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["process `numbers` calls `f32::min`", "call `beryl_user::math::fminf`"] {
            assert!(said.contains(part), "no {part:?} in {said}");
        }
    };
    refused("mps2-an385");
    change(&system.join("beryl.toml"), "[process.numbers]", "[process.numbers]\nfloating = \"hardware\"");
    WITH_FLOATING.iter().copied().for_each(refused);
}

/// Boards whose processor has floating point.
const WITH_FLOATING: [&str; 2] = ["mps2-an386", "mps2-an505"];

/// By a process that is compiled for the processor's floating point, on a board that has it.
#[test]
fn a_million_operations_have_the_same_bits_in_hardware() {
    let _lock = lock("numbers_hardware");
    let system = copied("numbers_hardware");
    change(&system.join("beryl.toml"), "[process.numbers]", "[process.numbers]\nfloating = \"hardware\"");
    let suite = folder().join("numbers_hardware.toml");
    let row = "[[system]]\nfolder = \"systems/numbers_hardware\"\nfor = \"10s\"\nshows = \"\"\ncompare = \"told\"\n";
    fs::write(&suite, row).expect("a suite");
    for board in beryl_testing::whose_turn(WITH_FLOATING, 2) {
        let said = beryl(&["conformance", &suite.display().to_string(), "--board", board]).ended(0);
        assert!(said.contains("  ok        0     0  13264"), "{said}");
        let elf = fs::read(folder().join("build/numbers_hardware/numbers.elf")).expect("a linked process");
        let adds = elf.chunks_exact(2).filter(|half| half[0] & 0xf0 == 0x30 && half[1] == 0xee).count();
        assert!(adds > 20, "{board}: only {adds} instructions that may be sums");
    }
}
