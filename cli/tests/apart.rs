//! A kernel with a core of its own, on mps2-an521: systems do there what they do with the kernel on the core of their threads.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_trace::{Happening, decode};
use common::{beryl, change, empty_crates, flight, left, left_text, lock, on_board, root};

mod common;

const BOARD: &str = "mps2-an521";
/// The key, behind the name of the board that it is for.
const APART: &str = "name = \"mps2-an521\"\nkernel = \"other core\"";

/// The system's own board becomes this one, with its kernel on the other core.
fn move_kernel(system: &Path) {
    change(&system.join("beryl.toml"), "name = \"mps2-an385\"", APART);
}

/// A timing program: its instants copy values, while another core has the threads.
#[test]
fn a_system_runs_unchanged_with_its_kernel_on_another_core() {
    let name = "flight_apart";
    let _lock = lock(name);
    let system = flight(name);
    move_kernel(&system);
    let system = system.display().to_string();
    let said = beryl(&["check", &system]).ended(0);
    assert!(said.contains("- no step of the kernel takes longer than it is charged"), "{said}");
    let said = beryl(&["run", &system, "--for", "400ms"]).ended(0);
    let last = format!("{name}: 20 actuator writes, identical on sim and {BOARD}; 0 deadline misses");
    assert_eq!(said.lines().last(), Some(last.as_str()), "{said}");
    assert_eq!(left_text(name, "mps2-an521.recording"), left_text(name, "mps2-an521.sim.recording"));
    let first = left(name, "mps2-an521.trace");
    assert_eq!(beryl(&["run", &system, "--for", "400ms"]).ended(0), said);
    assert!(left(name, "mps2-an521.trace") == first, "the same run once more, to the tick of each record");
}

/// An example or a system of the board's tests, in a folder of its own, without its application.
fn copy(name: &str, folder: &str, timing: Option<&str>, from: &str, to: &str) -> PathBuf {
    let (system, own) = (common::folder().join("systems").join(name), root().join(folder));
    fs::create_dir_all(&system).expect("a folder");
    timing.map(|file| fs::copy(own.join(file), system.join(file)).expect("a copy"));
    let text = fs::read_to_string(own.join("beryl.toml")).expect("a description");
    let called = own.file_name().expect("a name").to_string_lossy().into_owned();
    let text = text
        .replacen(&format!("name = {called:?}"), &format!("name = {name:?}"), 1)
        .replace("= \"app\"", &format!("= \"../../../../{folder}/app\""));
    fs::write(system.join("beryl.toml"), text).expect("written");
    change(&system.join("beryl.toml"), from, to);
    system
}

/// Runs a system with its kernel on the other core and on the same, which both end with this code and these words, with the same faults
/// of the same threads in the same order. Answers how many.
fn faults_of_both(name: &str, system: &Path, arguments: &[&str], code: i32, last: &str) -> usize {
    let described = system.display().to_string();
    let run = || {
        let said = beryl(&[&["run", &described][..], arguments].concat()).ended(code);
        assert!(said.contains(last), "{said}");
        told(name)
    };
    let apart = run();
    change(&system.join("beryl.toml"), "kernel = \"other core\"", "kernel = \"same core\"");
    assert_eq!(apart, run(), "the same faults in the same order");
    apart.len()
}

/// Who had which fault, in their order.
fn told(name: &str) -> Vec<String> {
    let events = decode(&left(name, "mps2-an521.trace")).expect("a whole trace");
    let fault = |happening| match happening {
        Happening::Fault { thread, fault } => Some(format!("{thread:?} {:?}", fault.kind)),
        _ => None,
    };
    events.into_iter().filter_map(|event| fault(event.happening)).collect()
}

/// Each fault of a process is found by the core of the threads, told to the kernel's, and stops its thread and nobody else. What the
/// protection unit keeps from processes, it keeps from them there: the kernel's memory, its devices, the memory of others.
#[test]
fn whatever_a_process_does_stops_it_alone() {
    let (name, own) = ("faults_apart", "kernel/boards/mps2-an385/faults");
    let _lock = lock(name);
    let there = "[on.mps2-an521]\nkernel = \"other core\"";
    let system = copy(name, own, Some("faults.tdl"), "[on.mps2-an521]", there);
    let last =
        format!("30 actuator writes, identical on sim and {BOARD}; 0 deadline misses, 12 skipped; 26 faults");
    let arguments = ["--board", BOARD, "--for", "29500us"];
    assert_eq!(faults_of_both(name, &system, &arguments, 1, &last), 26);
}

/// A thread that computes for too long is stopped where it is, on the other core, and begins anew; so does a process that hangs.
#[test]
fn who_is_stopped_while_it_runs_begins_anew() {
    let name = "watchdog_apart";
    let _lock = lock(name);
    // Its steps are charged more, for which the processor has to be faster.
    let there = format!("{APART}\nspeed = 3");
    let system = copy(name, "examples/watchdog", None, "name = \"mps2-an385\"", &there);
    let last = format!("identical on sim and {BOARD}; 0 deadline misses, 10 overruns; 2 faults");
    assert_eq!(faults_of_both(name, &system, &["--for", "100ms"], 1, &last), 2);
}

/// Neither what cores ask each other, nor the stack of the kernel's core, nor the unit for messages is a process's.
#[test]
fn no_process_reaches_what_the_cores_tell_each_other() {
    let name = "astray_apart";
    let _lock = lock(name);
    for place in ["0x3000_0040", "0x3000_0060", "0x3000_3ff0", "0x5000_3004"] {
        let code = ASTRAY.replace("PLACE", place);
        let system = on_board(name, BOARD, &code, ASTRAY_DESCRIBED, &[]).display().to_string();
        let ran = beryl(&["run", &system, "--for", "5ms", "--unchecked"]);
        let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
        let stopped = format!("access to memory that isn't its own at address {}", place.replace('_', ""));
        assert!(said.contains(&stopped), "{place}: {}", ran.everything());
    }
}

/// A job that takes too long ends where the thread is at work on the other core: the next one begins at the thread's beginning.
#[test]
fn a_job_that_ends_on_the_other_core_is_followed_by_a_new_one() {
    let name = "endless_apart";
    let _lock = lock(name);
    let described = ASTRAY_DESCRIBED
        .replace("devices = []", "")
        .replace("memory = \"64\"", "memory = \"64\"\ndevices = [\"uart0\"]");
    let described = described.replace(
        "period = \"1ms\"\nworst = \"100us\"",
        "period = \"2ms\"\nworst = \"500us\"\non_overrun = \"end-job\"",
    );
    let system = on_board(name, BOARD, ENDLESS, &described, &[]).display().to_string();
    let said = beryl(&["run", &system, "--for", "9ms", "--unchecked"]).everything();
    assert_eq!(said.matches("begins anew").count(), 5, "{said}");
}

const ENDLESS: &str = "
#![no_std]
pub fn stray(mut period: beryl_user::period::Period) -> ! {
    beryl_user::console::print(\"begins anew\\n\");
    loop {
        #[cfg(not(target_os = \"none\"))]
        period.wait();
        #[cfg(target_os = \"none\")]
        core::hint::black_box(&mut period);
    }
}
";

const ASTRAY: &str = "
#![no_std]
pub fn stray(mut period: beryl_user::period::Period) -> ! {
    #[cfg(target_os = \"none\")]
    unsafe { core::ptr::with_exposed_provenance_mut::<u32>(PLACE).write_volatile(7) };
    loop {
        period.wait();
    }
}
";

const ASTRAY_DESCRIBED: &str = r#"
[system]
name = "NAME"
application = "app"

[board]
name = "BOARD"
kernel = "other core"
flash = "64k"
ram = "32k"

[process.own]
memory = "64"

[[band]]
name = "all"
policy = "fixed"

[thread.stray]
process = "own"
band = "all"
priority = 1
entry = "stray"
period = "1ms"
worst = "100us"
stack = "512"
"#;

/// A thread takes and gives units as fast as it can, and is interrupted again and again at places that are others each time: by timed
/// releases, and by a device. A call that comes while the kernel has chosen another thread is made once more, and never twice.
#[test]
fn no_call_is_lost_or_made_twice_however_interrupts_meet_it() {
    let name = "meeting_apart";
    let _lock = lock(name);
    let system = on_board(name, BOARD, MEETING, MEETING_DESCRIBED, &[]).display().to_string();
    let said = beryl(&["run", &system, "--for", "60ms", "--unchecked"]).ended(0);
    assert!(said.contains("all units are there"), "{said}");
    let events = decode(&left(name, "mps2-an521.trace")).expect("a whole trace");
    assert!(events.len() > 500, "it was interrupted often");
}

const MEETING: &str = "
#![no_std]
use beryl_user::notification::{Notification, Notifier};
use beryl_user::period::Period;
use beryl_user::semaphore::Counting;
/// One unit goes round: a call that is lost waits for ever, and one that is made twice is one too many.
pub fn takes(mut units: Counting) -> ! {
    let mut rounds = 0_u32;
    loop {
        assert!(units.signal().is_ok(), \"there is room for one\");
        assert!(units.wait().is_ok(), \"there is one\");
        rounds += 1;
        if rounds == ROUNDS {
            beryl_user::console::print(\"all units are there\\n\");
            // There is none now.
            let _ = units.wait();
        }
    }
}
pub fn beats(mut period: Period, mut near: Notifier) -> ! {
    loop {
        near.notify();
        period.wait();
    }
}
pub fn hears(mut near: Notification) -> ! {
    loop {
        let _ = near.wait();
    }
}
#[cfg(target_os = \"none\")]
const ROUNDS: u32 = 1000;
#[cfg(not(target_os = \"none\"))]
const ROUNDS: u32 = 1;
";

const MEETING_DESCRIBED: &str = r#"
[system]
name = "NAME"
application = "app"

[board]
name = "BOARD"
kernel = "other core"
flash = "64k"
ram = "32k"

[process.own]
memory = "64"
devices = ["uart0"]

[[band]]
name = "all"
policy = "fixed"

[thread.beats]
process = "own"
band = "all"
priority = 3
period = "397us"
worst = "60us"
entry = "beats"
stack = "512"
uses = ["near.notify"]

[thread.hears]
process = "own"
band = "all"
priority = 2
entry = "hears"
stack = "512"
uses = ["near.wait"]

[thread.takes]
process = "own"
band = "all"
priority = 1
entry = "takes"
stack = "1k"
uses = ["units"]

[semaphore.units]
kind = "counting"
initial = 0
most = 1

[notification.near]
"#;

/// Jobs end while they call again and again, so many a call is asked when its caller begins anew: it is nobody's then. Each job begins
/// at the thread's beginning, and none has a call or a fault of the one before.
#[test]
fn what_is_asked_by_who_begins_anew_is_nobodys() {
    let name = "voided_apart";
    let _lock = lock(name);
    let described = MEETING_DESCRIBED.replace(
        "priority = 1\nentry = \"takes\"",
        "priority = 1\nentry = \"takes\"\nperiod = \"317us\"\nworst = \"101us\"\non_overrun = \"end-job\"",
    );
    let code = MEETING.replace("pub fn takes(mut units: Counting) -> ! {", CALLS);
    let system = on_board(name, BOARD, &code, &described, &[]).display().to_string();
    let said = beryl(&["run", &system, "--for", "99ms", "--unchecked"]).everything();
    let jobs = decode(&left(name, "mps2-an521.trace")).expect("a whole trace");
    let overruns = jobs.iter().filter(|event| matches!(event.happening, Happening::Overrun { .. })).count();
    assert!(overruns > 250, "{overruns} jobs were ended: {said}");
    assert!(said.contains("100 jobs have begun") && said.contains("200 jobs have begun"), "{said}");
    assert_eq!(told(name), [""; 0], "nobody's call is anybody's fault");
    assert!(said.contains(&format!("0 deadline misses, {overruns} overruns\n")), "{said}");
}

/// In the place of what takes: it never ends by itself.
const CALLS: &str = "
static BEGUN: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);
pub fn takes(mut period: Period, mut units: Counting) -> ! {
    use core::sync::atomic::Ordering::Relaxed;
    let begun = BEGUN.load(Relaxed) + 1;
    BEGUN.store(begun, Relaxed);
    match begun {
        100 => beryl_user::console::print(\"100 jobs have begun\\n\"),
        200 => beryl_user::console::print(\"200 jobs have begun\\n\"),
        _ => {}
    }
    #[cfg(not(target_os = \"none\"))]
    loop {
        period.wait();
    }
    #[cfg(target_os = \"none\")]
    loop {
        core::hint::black_box(&mut period);
        let _ = units.signal();
        let _ = units.wait();
    }
}
pub fn was(mut units: Counting) -> ! {";

/// What isn't there with a kernel on another core is refused, with its place and what helps.
#[test]
fn what_is_not_there_is_refused() {
    let name = "refused_apart";
    let _lock = lock(name);
    let refused = |from: &str, to: &str, why: &[&str]| {
        let system = on_board(name, BOARD, "", ASTRAY_DESCRIBED, &[]);
        empty_crates(&system);
        change(&system.join("beryl.toml"), from, to);
        let ran = beryl(&["check", &system.display().to_string()]);
        let said = ran.everything().split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(ran.code, Some(1), "{}", ran.everything());
        assert!(why.iter().all(|why| said.contains(why)), "{}", ran.everything());
    };
    let elsewhere = ["`mps2-an385` has no core for the kernel alone", "take mps2-an521, which has one"];
    refused("name = \"mps2-an521\"", "name = \"mps2-an385\"", &elsewhere);
    let unknown = ["`kernel` of [board] can't be `both cores`", "`same core`, `other core`"];
    refused("\"other core\"", "\"both cores\"", &unknown);
    let band = "[[band]]";
    let with = |what: &str| format!("with the kernel on another core there are no {what}");
    let sleeps = "[[sleep]]\nname = \"deep\"\nwake = \"1ms\"\n\n[[band]]";
    refused(band, sleeps, &[&with("depths of sleep"), "leave it out"]);
    refused("application = \"app\"", "application = \"app\"\ncrashes = 2", &[&with("crash records")]);
    refused(band, "[core.one]\n\n[[band]]", &[]);
}
