//! Cores on one emulated board: a kernel on each of its processors (harts), with memory, devices and lines of its own, and links
//! that each reads where another one writes them. And the same for cores of a node at a bus.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_abi::Duration;
use beryl_trace::{Event, Happening, Names, decode};
use common::sums::{CODE, CORES, parts, placed, system, written};
use common::{beryl, change, left, left_text, lock};

mod common;

/// What rings on a core that isn't the first.
const BELL: &str = "
use beryl_user::interrupt::Interrupt;
#[cfg(target_os = \"none\")]
use beryl_user::goldfish;
pub fn hear(mut bell: Interrupt) {
    loop {
        #[cfg(target_os = \"none\")]
        goldfish::set(goldfish::now() + 3_000_000);
        let _ = bell.wait();
    }
}
";

/// A thread on the last core.
const WITH_THREAD: &str = r#"
[process.bell]
core = "three"
memory = "64"
devices = DEVICES

[[band]]
name = "servers"
policy = "fixed"

[thread.hear]
process = "bell"
band = "servers"
priority = 3
entry = "hear"
stack = "512"
uses = ["bell"]

[interrupt.bell]
line = 11
"#;

/// Says where it is, once.
const SAYING: &str = "
use beryl_user::interrupt::Interrupt;
pub fn hear(mut bell: Interrupt) {
    #[cfg(target_os = \"none\")]
    beryl_user::console::print(\"I am on the fourth\\n\");
    loop {
        let _ = bell.wait();
    }
}
";

/// Writes into the memory of the first core's process, where its link is.
const ASTRAY: &str = "
use beryl_user::interrupt::Interrupt;
pub fn hear(mut bell: Interrupt) {
    #[cfg(target_os = \"none\")]
    unsafe { core::ptr::with_exposed_provenance_mut::<u32>(0x8040_1c84).write_volatile(7) };
    loop {
        let _ = bell.wait();
    }
}
";

/// Computes for ever on a board; in the simulation no time passes by computing, so it waits there.
const NEVER_IDLE: &str = "
use beryl_user::interrupt::Interrupt;
pub fn hear(mut bell: Interrupt) {
    loop {
        #[cfg(target_os = \"none\")]
        core::hint::spin_loop();
        #[cfg(not(target_os = \"none\"))]
        let _ = bell.wait();
    }
}
";

/// The modules on a core each, and on the last a thread with code of its own, whose process has these devices.
fn with_thread(name: &str, devices: &str, code: &str) -> PathBuf {
    with_thread_on(CORES[3], name, devices, code)
}

/// The same on another core.
fn with_thread_on(core: &str, name: &str, devices: &str, code: &str) -> PathBuf {
    let system = system(name, [0, 1, 2, 3]);
    let thread = WITH_THREAD.replace("DEVICES", devices).replace("\"three\"", &format!("\"{core}\""));
    let band = "[[band]]\nname = \"sums\"";
    change(&system.join("beryl.toml"), band, &format!("{thread}\n{band}"));
    fs::write(system.join("app/src/lib.rs"), format!("{CODE}{code}")).expect("written");
    system
}

fn run(system: &Path, options: &[&str]) -> String {
    beryl(&[&["run", &system.display().to_string(), "--for", "64ms"], options].concat()).ended(0)
}

/// On two, three and four cores, wherever the modules are, they write what they write on one, in the simulator and on the board.
#[test]
fn cores_of_a_board_write_what_one_writes() {
    let _lock = lock("sums");
    let one = system("sums_on_one", [0; 4]);
    run(&one, &[]);
    let alone = written(&["sums_on_one".to_owned()], "virt.recording");
    assert_eq!(alone.len(), 16 + 8 + 32 + 16 + 32);
    for (cores, count) in [([1, 0, 1, 0], 2), ([2, 0, 1, 0], 3), ([0, 1, 2, 3], 4)] {
        let system = system("sums", cores);
        let said = run(&system, &[]);
        let end = format!(
            "sums: 104 actuator writes, identical on sim and virt ({count} cores); 0 deadline misses"
        );
        assert!(said.lines().any(|line| line.starts_with(&end)), "{said}");
        let names = parts("sums", &CORES[..count]);
        for file in ["virt.recording", "virt.sim.recording"] {
            assert_eq!(written(&names, file), alone, "{cores:?}, {file}: {said}");
        }
    }
}

/// Where the four modules are, and in which files each kernel leaves its writes.
struct Arrangement {
    nodes: &'static str,
    places: [&'static str; 4],
    kernels: &'static [(&'static str, &'static str)],
    end: &'static str,
}

const BUS: &str = "\n[bus]\nframe = \"100us\"\nbyte = \"8us\"\n";

/// A node with two cores, and one of another processor without any: values go from core to core, out over the bus, and back in.
const BESIDE: Arrangement = Arrangement {
    nodes: "\n[node.left]\n[node.right]\nboard = \"mps2-an385\"\n\n[core.one]\nnode = \"left\"\n\n[core.two]\nnode = \"left\"\n",
    places: ["core = \"one\"", "core = \"two\"", "node = \"right\"", "core = \"two\""],
    kernels: &[("one", "virt"), ("two", "virt"), ("right", "mps2-an385")],
    end: "identical on sim and mps2-an385 and virt (2 nodes with 3 kernels); 0 deadline misses",
};

/// Two nodes with two cores each, whose frames are read by both cores of the other one.
const BOTH: Arrangement = Arrangement {
    nodes: "\n[node.left]\n[node.right]\n\n[core.one]\nnode = \"left\"\n\n[core.two]\nnode = \"left\"\n\
            \n[core.three]\nnode = \"right\"\n\n[core.four]\nnode = \"right\"\n",
    places: ["core = \"one\"", "core = \"three\"", "core = \"two\"", "core = \"four\""],
    kernels: &[("one", "virt"), ("two", "virt"), ("three", "virt"), ("four", "virt")],
    end: "identical on sim and virt (2 nodes with 4 kernels); 0 deadline misses",
};

impl Arrangement {
    fn system(&self, name: &str) -> PathBuf {
        let rows = [self.nodes, BUS].concat();
        placed(name, &rows, &self.places.map(|place| format!("{place}\n")))
    }

    /// What all kernels have written, in the files that end so.
    fn written(&self, name: &str, ending: &str) -> Vec<(u64, String, String)> {
        let each = self.kernels.iter();
        let mut all: Vec<_> = each
            .flat_map(|(kernel, board)| written(&parts(name, &[kernel]), &format!("{board}.{ending}")))
            .collect();
        all.sort();
        all
    }

    fn traces(&self, name: &str) -> Vec<Vec<u8>> {
        let each = self.kernels.iter();
        each.map(|(kernel, board)| left(&format!("{name}_{kernel}"), &format!("{board}.trace"))).collect()
    }
}

/// Nodes at a bus, of which some have cores, write on boards what they write in the simulator, and what one kernel writes.
#[test]
fn nodes_with_cores_write_what_one_writes() {
    let _lock = lock("sums_at_a_bus");
    run(&system("sums_at_a_bus", [0; 4]), &[]);
    let alone = written(&["sums_at_a_bus".to_owned()], "virt.recording");
    assert_eq!(alone.len(), 104);
    for arrangement in [BESIDE, BOTH] {
        let system = arrangement.system("sums_at_a_bus");
        let said = run(&system, &[]);
        let end = format!("sums_at_a_bus: 104 actuator writes, {}", arrangement.end);
        assert!(said.lines().any(|line| line.starts_with(&end)), "{said}");
        assert!(said.contains(" frames, 0 lost"), "{said}");
        for ending in ["recording", "sim.recording"] {
            assert_eq!(arrangement.written("sums_at_a_bus", ending), alone, "{ending}: {said}");
        }
    }
}

/// Lost frames are the simulation's, and each run is the same again, to the tick of each record on each core.
#[test]
fn frames_between_nodes_with_cores_are_lost_as_in_the_simulation() {
    let name = "sums_lost";
    let _lock = lock(name);
    let system = BESIDE.system(name);
    run(&system, &[]);
    let heard = BESIDE.written(name, "recording");
    let lossy = || run(&system, &["--loss", "300", "--seed", "4"]);
    let once = lossy();
    assert!(once.contains(BESIDE.end) && !once.contains(" frames, 0 lost"), "{once}");
    assert_ne!(BESIDE.written(name, "recording"), heard, "what nodes know has come over the bus");
    let traces = BESIDE.traces(name);
    assert_eq!(lossy(), once);
    assert!(BESIDE.traces(name) == traces, "the same run once more");
}

/// A node has as many cores as its board, and its emulator as many instructions in a nanosecond as there are.
#[test]
fn what_a_board_cannot_do_for_cores_of_a_node_is_refused() {
    let _lock = lock("sums_at_a_bus_refused");
    let system = BESIDE.system("sums_at_a_bus_refused");
    let refused = |options: &[&str], why: &str| {
        let refused = beryl(&[&["run", &system.display().to_string()], options].concat());
        assert!(refused.code == Some(1) && refused.err.contains(why), "{}", refused.everything());
        assert!(!refused.out.contains("simulation"), "{options:?}: {}", refused.everything());
    };
    refused(&["--speed", "0"], "2 cores can't have one in 1 ns");
    refused(
        &["--live"],
        "`--live` is about one node, and sums_at_a_bus_refused has several; name one by `--node`: one, two, right",
    );
    change(&system.join("beryl.toml"), "[node.left]\n", "[node.left]\nboard = \"mps2-an386\"\n");
    refused(&[], "`mps2-an386` has one core");
    refused(&[], "take another board: `mps2-an521` has 2, `virt` has 4");
}

/// A run is the same each time, to the tick of each record.
#[test]
fn runs_of_several_cores_are_the_same_each_time() {
    let _lock = lock("sums_again");
    let system = system("sums_again", [0, 1, 2, 3]);
    let traces = || {
        run(&system, &[]);
        parts("sums_again", &CORES).iter().map(|name| left(name, "virt.trace")).collect::<Vec<_>>()
    };
    let first = traces();
    assert_eq!(traces(), first);
    assert!(first.iter().all(|trace| trace.len() > 1000), "each has recorded");
}

/// A line of a device comes to the core whose process has the device, and to no other.
#[test]
fn lines_come_to_the_core_that_serves_them() {
    let _lock = lock("sums_with_bell");
    let system = with_thread("sums_with_bell", "[\"rtc\"]", BELL);
    run(&system, &["--unchecked"]);
    let switches = |core: &str| {
        let name = format!("sums_with_bell_{core}");
        let names = Names::parse(&left_text(&name, "names.json")).expect("names");
        let hear = names.threads.iter().position(|thread| thread.name == "hear");
        let events = decode(&left(&name, "virt.trace")).expect("a whole trace");
        let to = |event: &Event| match event.happening {
            Happening::Switch { to, .. } => Some(to.index()),
            _ => None,
        };
        events.iter().filter(|event| hear.is_some() && to(event) == hear).count()
    };
    // It rings each 3 ms after it began, in 64 ms.
    assert_eq!(CORES.map(switches), [0, 0, 0, 22]);
}

/// The emulator carries out one core at a time, and begins with the first whenever a timer is due. If that one has something to do all
/// the time, the others do what they did without it, and none of it more than a tenth of a millisecond later.
#[test]
fn a_core_that_is_never_idle_keeps_no_other_waiting() {
    let _lock = lock("sums_busy");
    let waits = NEVER_IDLE.replace("core::hint::spin_loop();", "let _ = bell.wait();");
    let instants = |code: &str| {
        let system = with_thread_on(CORES[0], "sums_busy", "[]", code);
        let (description, band) =
            (system.join("beryl.toml"), "[[band]]\nname = \"servers\"\npolicy = \"fixed\"\n");
        change(&description, band, "");
        let less_urgent = fs::read_to_string(&description).expect("readable") + "\n" + band;
        fs::write(&description, less_urgent).expect("written");
        run(&system, &["--unchecked"]);
        let of = |core| decode(&left(&format!("sums_busy_{core}"), "virt.trace")).expect("a whole trace");
        [CORES[1], CORES[2], CORES[3]].map(|core| of(core).iter().map(|event| event.time).collect::<Vec<_>>())
    };
    const LATER: Duration = Duration::from_ticks(1_000);
    for (idle, busy) in instants(&waits).into_iter().zip(instants(NEVER_IDLE)) {
        assert_eq!(idle.len(), busy.len());
        let late = idle.into_iter().zip(busy).filter(|(idle, busy)| busy.since(*idle) > LATER);
        assert_eq!(late.collect::<Vec<_>>(), []);
    }
}

/// What is said on the console is told of the core that says it.
#[test]
fn the_console_is_told_of_the_core_that_has_it() {
    let _lock = lock("sums_told");
    let system = with_thread("sums_told", "[\"uart0\"]", SAYING);
    let said = run(&system, &["--unchecked"]);
    let cores: Vec<_> = said.split("\nCore ").skip(1).collect();
    let told = cores.iter().map(|core| core.contains("  I am on the fourth\n"));
    assert_eq!(told.collect::<Vec<_>>(), [false, false, false, true], "{said}");
}

/// A process can't write the memory of another core's, not even a link that its own kernel reads there; the others never notice.
#[test]
fn no_process_reaches_what_is_another_cores() {
    let _lock = lock("sums_astray");
    let one = system("sums_astray", [0; 4]).display().to_string();
    beryl(&["sim", &one, "--for", "64ms", "--unchecked"]).ended(0);
    let alone = written(&["sums_astray".to_owned()], "sim.recording");
    let system = with_thread("sums_astray", "[]", ASTRAY);
    let ran = beryl(&["run", &system.display().to_string(), "--for", "64ms", "--unchecked"]);
    let stopped = "access to memory that isn't its own at address 0x80401c84";
    let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(stopped), "{}", ran.everything());
    assert_eq!(written(&parts("sums_astray", &CORES), "virt.recording"), alone);
}

/// What can't be run is refused before anything is made for it.
#[test]
fn what_a_board_cannot_do_for_cores_is_refused() {
    let _lock = lock("sums_refused");
    let system = system("sums_refused", [0, 1, 2, 3]);
    let folder = system.display().to_string();
    for (options, why) in [
        (&["--speed", "1"][..], "4 cores can't have one in 2 ns"),
        (
            &["--live"],
            "`--live` is about one core, and sums_refused has several; name one by `--node`: none, one, two, three",
        ),
        (&["--loss", "3"], "`--loss` is about frames between nodes, and nothing crosses here; leave it out"),
    ] {
        let refused = beryl(&[&["run", &folder], options].concat());
        assert!(
            refused.code == Some(1) && refused.err.contains(why),
            "{options:?}: {}",
            refused.everything()
        );
        assert!(!refused.out.contains("simulation"), "{options:?}: {}", refused.everything());
    }
}

/// A core whose drivers may take longer than what it reads stays is refused by all commands, in the same words; each core by itself
/// would be on time.
#[test]
fn a_core_that_may_read_too_late_is_refused_by_all_commands() {
    let _lock = lock("sums_late");
    let system = system("sums_late", [0, 1, 2, 3]);
    let driver = "[driver.set_fourth]\nprocess = \"fourth\"\nworst = ";
    change(&system.join("beryl.toml"), &format!("{driver}\"30us\""), &format!("{driver}\"2.2ms\""));
    let folder = system.display().to_string();
    let refused = |command: &str| -> Vec<String> {
        let ran = beryl(&[command, &folder]);
        assert_eq!(ran.code, Some(1), "{command}: {}", ran.everything());
        let lines = ran.out.lines().skip_while(|line| !line.starts_with("REFUSED"));
        lines.take(2).map(str::to_owned).collect()
    };
    let said = refused("check");
    let why = "REFUSED: core `three` may read `Third.add.sum` ";
    assert!(said[0].starts_with(why) && said[0].ends_with("and it is overwritten after 2ms."), "{said:?}");
    assert_eq!(["build", "sim", "run"].map(refused), [&said; 3].map(Clone::clone));
    let options = ["sim", folder.as_str(), "--for", "16ms", "--unchecked"];
    beryl(&options).ended(0);
}

/// Each core has an image for its part of the memory, and is linked where that is.
#[test]
fn each_core_has_an_image_for_its_own_memory() {
    let _lock = lock("sums_built");
    let system = system("sums_built", [0, 1, 2, 3]).display().to_string();
    let said = beryl(&["build", &system]).ended(0);
    let cores: Vec<_> = said.split("\nCore ").skip(1).collect();
    assert_eq!(cores.len(), 4, "{said}");
    let address = |line: &str| u32::from_str_radix(line.split("0x").nth(1)?.get(..8)?, 16).ok();
    for (core, part) in cores.iter().zip([0x8000_0000_u32, 0x8200_0000, 0x8400_0000, 0x8600_0000]) {
        let places: Vec<_> = core.lines().filter_map(address).collect();
        let is_own = |place: &u32| (part..part + 0x0200_0000).contains(place);
        assert!(places.len() > 8 && places.iter().all(is_own), "{places:x?}: {core}");
    }
}
