//! Faults have a place: panics with their words, wild accesses, and code that never ends, with function, file and line.

use std::fs;
use std::path::{Path, PathBuf};

use common::{Ran, application, beryl, finish, folder, left_text, lock, program, threads};

mod common;

/// Threads, each of which goes wrong in its own way. `wrong` is on the line that a test looks for.
const CODE: &str = r#"#![no_std]
use beryl_user::call;
use core::hint::black_box;

pub fn index() -> ! {
    let table = [1, 2, 3];
    black_box(table[black_box(3)]); // wrong: index
    call::stop()
}

pub fn nothing() -> ! {
    let found: Option<u32> = black_box(None);
    black_box(found.unwrap()); // wrong: nothing
    call::stop()
}

pub fn words() -> ! {
    inner(black_box(7));
    call::stop()
}

#[inline(never)]
fn inner(number: u32) {
    assert!(number < 7, "{number} is too many"); // wrong: words
}

pub fn wild() -> ! {
    let nowhere = core::ptr::with_exposed_provenance_mut::<u32>(black_box(0x4000_2000));
    // SAFETY: it isn't safe, and that is what the test is about: the store is refused.
    unsafe { nowhere.write_volatile(1) }; // wrong: wild
    call::stop()
}

pub fn endless() -> ! {
    let mut number = 0_u32;
    loop {
        number = black_box(number).wrapping_add(1); // wrong: endless
    }
}
"#;

/// A system with some of them, less urgent one after the other.
fn system(name: &str, wrong: &[&str], more: &str) -> PathBuf {
    let process = |name: &&str| format!("[process.{name}]\nmemory = \"64\"\n\n");
    let thread = |(number, name): (usize, &&str)| {
        format!(
            "[thread.{name}]\nprocess = \"{name}\"\nband = \"priorities\"\npriority = {}\nstack = \"512\"\nentry = \"{name}\"\n\n",
            9 - number
        )
    };
    let text = wrong.iter().map(process).chain(wrong.iter().enumerate().map(thread)).collect::<String>();
    let system = threads(name, "app", &text);
    application(&system, name, CODE);
    let description = system.join("beryl.toml");
    let text = fs::read_to_string(&description).expect("a description");
    let head = format!("application = \"app\"\n{more}");
    // No thread is in the process that all such systems begin with.
    let text =
        text.replace("application = \"app\"\n", &head).replace("[process.one]\nmemory = \"64\"\n\n", "");
    fs::write(&description, text).expect("written");
    system
}

/// Where the code of a thread goes wrong.
fn place(system: &Path, name: &str) -> String {
    let line = CODE.lines().position(|line| line.ends_with(&format!("wrong: {name}"))).expect(name) + 1;
    let file = system.join("app/src/lib.rs").display().to_string();
    format!("{}:{line}", file.strip_prefix(&format!("{}/", folder().display())).unwrap_or(&file))
}

/// What is said of a thread, line by line, up to the next one.
fn told(ran: &Ran, name: &str) -> Vec<String> {
    let lines: Vec<_> = ran.out.lines().collect();
    let head = format!("  {name} of process {name}:");
    let at = lines
        .iter()
        .position(|line| *line == head)
        .unwrap_or_else(|| panic!("nothing of {name} in\n{}", ran.out));
    lines[at + 1..]
        .iter()
        .take_while(|line| line.starts_with("    "))
        .map(|line| line.trim().to_owned())
        .collect()
}

const ADVICE: &str = "0x40002000 is device `dualtimer`: add it to `devices` of [process.wild]";

#[test]
fn in_the_simulation_a_panic_has_its_words_and_a_wild_access_its_line() {
    let _lock = lock("places");
    let system = system("places", &["index", "nothing", "words", "wild"], "");
    let ran = beryl(&["sim", &system.display().to_string(), "--for", "10ms", "--unchecked"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let panicked = |name: &str, text: &str| {
        assert_eq!(told(&ran, name), [format!("panicked in {}: {text}", place(&system, name))]);
    };
    panicked("index", "index out of bounds: the len is 3 but the index is 3");
    panicked("nothing", "called `Option::unwrap()` on a `None` value");
    panicked("words", "7 is too many");
    let wild = told(&ran, "wild");
    assert!(
        wild[0].starts_with("in `")
            && wild[0].contains("wild`")
            && wild[0].ends_with(&place(&system, "wild")),
        "{wild:?}"
    );
    assert_eq!(wild[1..], [ADVICE]);
}

/// Nothing of a panic is on the board but the way to it: the call that panicked is on the stack.
#[test]
fn on_the_board_a_panic_has_the_line_of_its_call() {
    let _lock = lock("places_on_board");
    let system = system("places_on_board", &["index", "nothing", "words", "wild"], "crashes = 4\n");
    let ran = beryl(&["run", &system.display().to_string(), "--for", "10ms", "--unchecked"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for name in ["index", "nothing", "words", "wild"] {
        let lines = told(&ran, name);
        assert!(
            lines[0].starts_with("in `")
                && !lines[0].contains("``")
                && lines[0].ends_with(&place(&system, name)),
            "{name}: {lines:?}"
        );
    }
    assert_eq!(told(&ran, "wild")[1..], [ADVICE]);
    assert!(ran.out.contains("panic"), "{}", ran.out);
}

/// What a thread does that never ends can't be simulated. It is told where, and all that came before is kept.
#[test]
fn code_that_never_ends_is_named_with_its_line_and_what_came_before_is_kept() {
    let _lock = lock("places_endless");
    let system = system("places_endless", &["index", "endless"], "");
    let folder = system.display().to_string();
    // As users compile it: without any optimisation the line table doesn't name the function.
    let optimised = |command: &str| {
        let mut command = program(&[command, &folder, "--for", "10ms", "--unchecked"]);
        finish(command.env_remove("CARGO_PROFILE_SIMULATION_OPT_LEVEL"))
    };
    let ran = optimised("sim");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let lines: Vec<_> = ran.out.lines().collect();
    let at = lines.iter().position(|line| line.starts_with("the simulation ended early: ")).expect("an end");
    assert!(lines[at].contains("`endless` used "), "{}", lines[at]);
    let line = lines[at + 1].trim();
    assert!(
        line.starts_with("in `") && line.contains("endless`") && line.contains("app/src/lib.rs:"),
        "{line}"
    );
    assert_eq!(told(&ran, "index").len(), 1, "the fault before it is told");
    let told = beryl(&["trace", "out/places_endless/sim.trace"]);
    assert!(told.out.contains("index of process index stopped: panic"), "{told:?}");

    // A run on the board begins with a simulation, and says the same.
    let ran = optimised("run");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("the simulation ended early: `endless`"), "{ran:?}");
    assert!(ran.err.contains("what came before is in"), "{ran:?}");
    assert!(!left_text("places_endless", "names.json").is_empty());
}

#[test]
fn places_are_for_machines_too() {
    let _lock = lock("places_json");
    let system = system("places_json", &["words"], "");
    let ran = beryl(&["sim", &system.display().to_string(), "--for", "10ms", "--unchecked", "--json"]);
    let objects: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let panic = objects.iter().find(|object| object["fault_of"] == "words").expect("a panic");
    assert_eq!(panic["text"], "7 is too many");
    let place = place(&system, "words");
    assert_eq!(format!("{}:{}", panic["file"].as_str().expect("a file"), panic["line"]), place);
}

/// A thread that sends what is in the trace buffer, in the background.
const TELLING: &str = r#"
[[band]]
name = "background"
policy = "fixed"

[process.telling]
memory = "64"
devices = ["uart0"]

[thread.tell]
process = "telling"
band = "background"
priority = 1
stack = "2k"
entry = "tell"
uses = ["trace"]

[trace]
buffer = "2k"
"#;

/// Whoever reads the trace buffer gets a record when the buffer is empty.
#[test]
fn a_crash_record_comes_over_the_console_of_a_board() {
    let _lock = lock("places_told");
    let system = system("places_told", &["words", "wild"], "crashes = 2\n");
    let description = system.join("beryl.toml");
    let text = fs::read_to_string(&description).expect("a description");
    fs::write(&description, text + TELLING).expect("written");
    let code = format!(
        "{CODE}\npub fn tell(trace: beryl_user::trace::Trace) -> ! {{\n    beryl_drain::drain(trace, beryl_user::time::Duration::from_ticks(50_000))\n}}\n"
    );
    fs::write(system.join("app/src/lib.rs"), code).expect("written");
    let manifest = fs::read_to_string(system.join("app/Cargo.toml")).expect("a manifest");
    let drain = format!("beryl-drain = {{ path = {:?} }}\n", common::root().join("user/drain"));
    fs::write(system.join("app/Cargo.toml"), manifest + &drain).expect("written");

    let folder = system.display().to_string();
    beryl(&["trace", "record", &folder, "--unchecked", "--for", "300ms"]).ended(0);
    let said = beryl(&["trace", "crashes", &folder, "out/places_told/recorded.trace"]).ended(0);
    for (number, name) in [(1, "words"), (2, "wild")] {
        let lines: Vec<_> = said.lines().collect();
        let head = format!("{name} of process {name}: ");
        let at = lines.iter().position(|line| line.contains(&head)).unwrap_or_else(|| panic!("{said}"));
        assert!(lines[at].trim().starts_with(&format!("{number}. ")), "{}", lines[at]);
        assert!(lines[at + 1].ends_with(&place(&system, name)), "{}", lines[at + 1]);
    }
}
