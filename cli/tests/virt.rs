//! The board virt: another processor with another protection unit and another clock. A system runs there unchanged, with
//! the same actuator writes to the bit.

mod common;

use std::collections::BTreeMap;
use std::fs;

use beryl_trace::{Happening, Names, decode};

use common::forbidden::{Misdeed, told};
use common::{beryl, example, flight, folder, left, left_text, lock, root};

/// The helicopter on another processor writes what it writes in a simulation for the board that it names.
#[test]
fn a_system_runs_unchanged_on_another_processor() {
    let _lock = lock("flight_on_virt");
    let system = flight("flight_on_virt").display().to_string();
    let said = beryl(&["run", &system, "--board", "virt", "--for", "1s"]).ended(0);
    let last = "flight_on_virt: 50 actuator writes, identical on sim and virt; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(left_text("flight_on_virt", "virt.recording"), left_text("flight_on_virt", "sim.recording"));
}

/// State messages are written without the kernel. What it finds of them when it is entered is what it finds in the
/// simulator, value by value, though it is entered at other instants there.
#[test]
fn what_is_written_without_the_kernel_is_told_on_another_processor() {
    let name = "told_on_virt";
    let _lock = lock(name);
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    let shared = root().join("conformance/shared/beryl.toml");
    let text = fs::read_to_string(shared).expect("a system");
    let text = text.replace("name = \"shared\"", &format!("name = {name:?}"));
    let text = text.replace("\"../app\"", "\"../../../../conformance/app\"");
    let text = text.replace("\ntype = ", "\nvalues = \"traced\"\ntype = ");
    fs::write(system.join("beryl.toml"), text).expect("written");
    // With the worst times of its threads, as they are declared, nothing of it is proved.
    let ran = ["run", &system.display().to_string(), "--board", "virt", "--for", "59.5ms", "--unchecked"];
    beryl(&ran).ended(0);
    let names = Names::parse(&left_text(name, "names.json")).expect("names");
    let told = |machine: &str| {
        let mut told = BTreeMap::<String, Vec<(u32, Vec<u8>)>>::new();
        for event in decode(&left(name, &format!("{machine}.trace"))).expect("a whole trace") {
            if let Happening::State { message, writes, value } = event.happening {
                let state = names.states.iter().find(|state| state.number == message.0).expect("its name");
                told.entry(state.name.clone()).or_default().push((writes, value));
            }
        }
        told
    };
    let (simulated, on_board) = (told("virt.sim"), told("virt"));
    let counts: Vec<_> = simulated.iter().map(|(name, values)| (name.as_str(), values.len())).collect();
    assert_eq!(counts, [("pair", 20), ("sum", 20), ("survey", 60)]);
    for (name, values) in &simulated {
        let others = &on_board[name];
        let different = values.iter().zip(others).position(|(one, other)| one != other);
        assert_eq!((different, values.len()), (None, others.len()), "{name}");
    }
}

/// Its kernel was bounded as the others were: nothing is only declared, and a step has other numbers than on the board on which
/// kernels are measured.
#[test]
fn steps_are_charged_what_its_own_kernels_take() {
    let steps = |board: &str| {
        let said = beryl(&["check", &example("helicopter"), "--board", board]).ended(0);
        assert!(said.contains(&format!("helicopter on {board}\n")) || board == "mps2-an385", "{said}");
        assert!(!said.contains("declared:") && !said.contains("stacks, declared"), "{said}");
        let begin = format!("  kernel, instructions of a step on {board}: ");
        let line = said.lines().find_map(|line| line.strip_prefix(&begin)).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{said}"))
    };
    assert!(steps("mps2-an385").contains("decision 215,"), "{}", steps("mps2-an385"));
    assert!(steps("virt").contains("decision 358,"), "{}", steps("virt"));
}

/// A copy of an example under another name, so that what others look at stays as they left it.
fn copy_of(system: &str, name: &str, crates: &[&str]) -> String {
    let (from, to) = (root().join("examples").join(system), folder().join("systems").join(name));
    fs::create_dir_all(&to).expect("a folder");
    let text = fs::read_to_string(from.join("beryl.toml")).expect("a description");
    let text = text.replace(&format!("name = {system:?}"), &format!("name = {name:?}"));
    let moved = |text: String, part: &&str| {
        text.replace(&format!("= {part:?}"), &format!("= \"../../../../examples/{system}/{part}\""))
    };
    fs::write(to.join("beryl.toml"), crates.iter().fold(text, moved)).expect("written");
    for entry in fs::read_dir(&from).expect("a folder").map(|entry| entry.expect("a file").path()) {
        if entry.extension().is_some_and(|ending| ending == "tdl") {
            fs::copy(&entry, to.join(entry.file_name().expect("a name"))).expect("a copy");
        }
    }
    to.display().to_string()
}

/// What is left of a thread that faulted has the names of this processor's registers. A trap keeps them in the kernel's
/// memory, so one that ran over its stack has them, too.
#[test]
fn crash_records_are_written_on_another_processor() {
    let name = "stray_on_virt";
    let _lock = lock(name);
    let system = copy_of("stray", name, &["app"]);
    let ran = beryl(&["run", &system, "--board", "virt", "--for", "100ms", "--unchecked"]);
    assert!(
        ran.out.ends_with("identical on sim and virt; 0 deadline misses, 30 skipped; 3 faults\n"),
        "{ran:?}"
    );
    let told = beryl(&["trace", "crashes", &system, &format!("out/{name}/virt.trace"), "--json"]);
    let crashes: Vec<serde_json::Value> =
        told.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    // Where it was, and who called: as far as the stack tells.
    let line = |wanted: &str| {
        let text = fs::read_to_string(root().join("examples/stray/app/src/pointer.rs")).expect("a source");
        text.lines().position(|line| line.contains(wanted)).expect(wanted) + 1
    };
    let place = &crashes[0]["place"];
    assert!(place["function"].as_str().is_some_and(|name| name.contains("write_astray")), "{place}");
    assert_eq!(place["line"], line("stray.write_volatile"), "{place}");
    let caller = &crashes[0]["called_from"][0];
    assert!(caller["function"].as_str().is_some_and(|name| name.contains("pointer_impl")), "{caller}");
    let deeper = crashes[2]["called_from"][0]["function"].as_str();
    assert!(deeper.is_some_and(|name| name.contains("deeper")), "{}", crashes[2]);
    let who: Vec<_> = crashes.iter().map(|crash| crash["thread"].as_str().expect("a name")).collect();
    assert_eq!(who, ["pointer", "privilege", "overflow"], "{told:?}");
    for crash in &crashes {
        let registers = crash["registers"].as_object().expect("registers");
        assert_eq!(registers.len(), 17, "{crash}");
        let value = |name: &str| registers[name].as_u64().expect(name);
        let all: Vec<_> = registers.values().filter_map(serde_json::Value::as_u64).collect();
        let stack = &crash["regions"][0];
        let [base, limit] = ["base", "limit"].map(|end| stack[end].as_u64().expect(end));
        match crash["thread"].as_str() {
            Some("pointer") => assert!(all.contains(&0xDEAD_BEEF) && all.contains(&0x2000_0000), "{crash}"),
            Some("privilege") => assert_eq!(crash["address"], 0xE000_ED94_u32, "{crash}"),
            _ => assert!(value("sp") < base, "{crash}"),
        }
        assert!((0x8000_0000..0x8040_0000).contains(&value("pc")), "{crash}");
        let words = crash["stack"].as_array().expect("a stack").len() as u64;
        // Its region has two words more at the end, which the thread shares with the kernel.
        assert_eq!(words, 32.min((limit - 8 - value("sp").max(base)) / 4), "{crash}");
    }
}

/// Threads that do one forbidden thing each, and what the kernel makes of it.
const MISDEEDS: [Misdeed; 12] = [
    ("write_kernel", "store(0x8040_0000)", "access to memory that isn't its own at address 0x80400000"),
    ("read_kernel", "load(0x8000_0000)", "access to memory that isn't its own at address 0x80000000"),
    (
        "write_neighbour",
        "store((&raw const __beryl_memory_steady).addr())",
        "access to memory that isn't its own",
    ),
    ("write_text", "store(write_text as *const () as usize & !3)", "access to memory that isn't its own"),
    ("write_clock", "store(0x0200_bff8)", "access to memory that isn't its own at address 0x0200bff8"),
    ("write_alarm", "store(0x0200_4000)", "access to memory that isn't its own at address 0x02004000"),
    ("mask_lines", "store(0x0c00_2000)", "access to memory that isn't its own at address 0x0c002000"),
    ("execute_kernel", "go(0x8000_0000)", "jump into memory that may not be executed at address 0x80000000"),
    ("execute_stack", "execute_stack_of_its_own()", "jump into memory that may not be executed"),
    ("take_privileges", "instruction!(\"csrw mepc, zero\", \"mret\")", "forbidden or unknown instruction"),
    ("overflow", "deeper(1)", "stack overflow"),
    ("panics", "panic!()", "panic"),
];

/// What they do it with.
const TOOLS: &str = r#"
#[cfg(target_os = "none")]
fn go(address: usize) {
    unsafe { core::arch::asm!("jr {0}", in(reg) address) }
}
#[cfg(target_os = "none")]
fn execute_stack_of_its_own() {
    let words = core::hint::black_box([0x0000_8067_u32; 4]);
    go(words.as_ptr().addr());
}
"#;

#[test]
fn user_mode_is_refused_what_isnt_its_own() {
    let _lock = lock("forbidden_on_virt");
    let (told, said) = told("forbidden_on_virt", "virt", &MISDEEDS, TOOLS);
    assert_eq!(told.len(), MISDEEDS.len(), "{said}");
    for ((thread, fault), (name, _, expected)) in told.iter().zip(MISDEEDS) {
        assert!(thread == name && fault.starts_with(expected), "{name}: {thread}: {fault}, not {expected}");
    }
    assert!(said.contains("; 0 deadline misses; 12 faults"), "{said}");
}

/// Its orders rest for milliseconds and take microseconds, whatever a tick is. Nothing is proved with such a budget where
/// the kernel's steps cost twice as much.
#[test]
fn a_duration_is_as_long_on_each_board() {
    let _lock = lock("shell");
    let row = |board: &str| {
        let ran = beryl(&["sim", &example("shell"), "--for", "200ms", "--unchecked", "--board", board]);
        let row = ran.out.lines().find(|line| line.starts_with("steady ")).map(str::to_owned);
        row.unwrap_or_else(|| panic!("{ran:?}"))
    };
    assert_eq!(row("virt"), row("mps2-an385"));
}
