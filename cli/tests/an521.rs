//! The board mps2-an521: two processors of Armv8-M with a kernel each, half of each memory, and an alarm of its own.

use std::fs;

use common::sums::{CODE, CORES, parts, system, written};
use common::{beryl, change, flight, left, left_text, lock};

mod common;

const BOARD: &str = "mps2-an521";

/// With one kernel it is as any other board, and the second processor waits.
#[test]
fn a_system_runs_unchanged_on_one_of_two_processors() {
    let _lock = lock("flight_on_an521");
    let system = flight("flight_on_an521").display().to_string();
    let said = beryl(&["run", &system, "--board", BOARD, "--for", "1s"]).ended(0);
    let last = "flight_on_an521: 50 actuator writes, identical on sim and mps2-an521; 0 deadline misses";
    assert_eq!(said.lines().last(), Some(last), "{said}");
    beryl(&["sim", &system, "--for", "1s"]).ended(0);
    assert_eq!(
        left_text("flight_on_an521", "mps2-an521.recording"),
        left_text("flight_on_an521", "sim.recording")
    );
}

/// Wherever the modules are, they write what they write on one core: in the simulator, here, and on a board of another
/// processor. A run is the same each time, to the tick of each record.
#[test]
fn two_cores_write_what_one_writes() {
    let name = "sums_on_an521";
    let _lock = lock(name);
    let run = |cores, board: &str| {
        let system = system(name, cores).display().to_string();
        beryl(&["run", &system, "--board", board, "--for", "64ms"]).ended(0)
    };
    run([0; 4], "virt");
    let alone = written(&[name.to_owned()], "virt.recording");
    assert_eq!(alone.len(), 16 + 8 + 32 + 16 + 32);
    let names = parts(name, &CORES[..2]);
    let traces = || names.iter().map(|name| left(name, "mps2-an521.trace")).collect::<Vec<_>>();
    let end =
        format!("{name}: 104 actuator writes, identical on sim and {BOARD} (2 cores); 0 deadline misses");
    for cores in [[1, 0, 1, 0], [0, 0, 1, 1]] {
        let said = run(cores, BOARD);
        assert!(said.lines().any(|line| line.starts_with(&end)), "{said}");
        for file in ["recording", "sim.recording"] {
            assert_eq!(written(&names, &format!("{BOARD}.{file}")), alone, "{cores:?}, {file}: {said}");
        }
        let first = traces();
        assert_eq!(run(cores, BOARD), said);
        assert!(traces() == first, "the same run once more");
        assert!(first.iter().all(|trace| trace.len() > 1000), "each has recorded");
    }
}

/// A thread on the second core that writes into the memory of the first one's process, where its link is, by an address that the
/// first one's image has.
const ASTRAY: &str = "
use beryl_user::interrupt::Interrupt;
pub fn hear(mut bell: Interrupt) {
    #[cfg(target_os = \"none\")]
    unsafe { core::ptr::with_exposed_provenance_mut::<u32>(PLACE).write_volatile(7) };
    loop {
        let _ = bell.wait();
    }
}
";

const THREAD: &str = r#"
[process.stray]
core = "one"
memory = "64"
devices = []

[[band]]
name = "servers"
policy = "fixed"

[thread.hear]
process = "stray"
band = "servers"
priority = 3
entry = "hear"
stack = "512"
uses = ["bell"]

[interrupt.bell]
line = 48

[[band]]
name = "sums""#;

/// No process reaches memory of the other core's: neither what is a process's there, nor the kernel's, nor what the kernels tell
/// each other. The other core never notices.
#[test]
fn no_process_reaches_what_is_the_other_cores() {
    let name = "astray_on_an521";
    let _lock = lock(name);
    let one = system(name, [0; 4]).display().to_string();
    beryl(&["sim", &one, "--for", "64ms", "--unchecked"]).ended(0);
    let alone = written(&[name.to_owned()], "sim.recording");
    for place in ["0x3800_1c80", "0x3800_0000", "0x3000_0000", "0x5000_3004"] {
        let system = system(name, [0, 1, 0, 1]);
        change(&system.join("beryl.toml"), "[[band]]\nname = \"sums\"", THREAD);
        change(&system.join("beryl.toml"), "name = \"virt\"", &format!("name = \"{BOARD}\""));
        let code = format!("{CODE}{}", ASTRAY.replace("PLACE", place));
        fs::write(system.join("app/src/lib.rs"), code).expect("written");
        let system = system.display().to_string();
        let ran = beryl(&["run", &system, "--for", "64ms", "--unchecked"]);
        let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
        let stopped = format!("access to memory that isn't its own at address {}", place.replace('_', ""));
        assert!(said.contains(&stopped), "{place}: {}", ran.everything());
        assert_eq!(written(&parts(name, &CORES[..2]), &format!("{BOARD}.recording")), alone, "{place}");
    }
}

/// What two kernels can't have there is refused, with its place and what helps.
#[test]
fn what_two_cores_cannot_have_is_refused() {
    let name = "refused_on_an521";
    let _lock = lock(name);
    let refused = |cores, changes: &[(&str, &str)], why: &[&str]| {
        let system = system(name, cores);
        changes.iter().for_each(|(from, to)| change(&system.join("beryl.toml"), from, to));
        let ran = beryl(&["check", &system.display().to_string()]);
        let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ran.code, Some(1), "{}", ran.everything());
        assert!(why.iter().all(|why| said.contains(why)), "{}", ran.everything());
    };
    let here = ("name = \"virt\"", "name = \"mps2-an521\"");
    refused(
        [0, 1, 2, 0],
        &[here],
        &["`mps2-an521` has 2 cores", "one too many", "take another board: `virt` has 4"],
    );
    let sums = "[[band]]\nname = \"sums\"";
    let timers = THREAD.replace("devices = []", "devices = [\"timers\"]");
    refused(
        [0, 1, 0, 1],
        &[here, (sums, &timers)],
        &["`timers` can't be given to a process: kernels of several cores use it themselves"],
    );
    for line in ["5", "6"] {
        let served = THREAD.replace("line = 48", &format!("line = {line}"));
        let why =
            format!("line {line} can't be served by a thread: kernels of several cores use it themselves");
        refused([0, 1, 0, 1], &[here, (sums, &served)], &[&why]);
    }
    let unknown = ("core = \"one\"", "core = \"two\"");
    refused([0, 1, 0, 0], &[here, unknown], &["there is no core `two`", "the known ones: `none`, `one`"]);
}
