//! Where a driver's work is done, and who pays for it: two ways that a paper warns of (OSPERT 2007, on device drivers),
//! each beside the one that Beryl proposes.

use beryl_trace::{DecodedNote, Happening};
use common::run::Run;
use common::{application, beryl, threads};

mod common;

const MILLISECOND: u64 = 1_000_000;

/// A system of threads with the functions of `drivers/application.rs`, simulated for so long.
fn simulated(name: &str, text: &str, others: &[&str]) -> Run {
    let system = threads(name, "app", text);
    application(&system, name, include_str!("drivers/application.rs"));
    let system = system.display().to_string();
    beryl(&["check", &system]).ended(0);
    Run::of("sim", &system, name, &[&["--for", "100ms", "--unchecked"], others].concat())
}

fn thread(name: &str, priority: u8, entry: &str, times: &str, uses: &str) -> String {
    format!(
        "[thread.{name}]\nprocess = \"one\"\npriority = {priority}\nentry = {entry:?}\nstack = \"512\"\n{times}uses = [{uses}]\n"
    )
}

const PLAIN: &str = "period = \"100ms\"\noffset = \"2ms\"\nworst = \"15.1ms\"\n";
/// It needs the network 16 ms after the start, while `plain` is still at work.
const URGENT: &str = "period = \"100ms\"\noffset = \"16ms\"\ndeadline = \"2ms\"\nworst = \"0.4ms\"\n";

/// A driver runs at the urgency of the most urgent who waits for it (Zhang and West). While nobody who waits goes before
/// `plain`, packets pile up; then `urgent` waits for all of them.
#[test]
fn a_driver_that_runs_for_who_waits_leaves_its_backlog_to_the_most_urgent() {
    let asks = "\"network.call\"";
    let text = [
        thread("urgent", 9, "asker", URGENT, asks),
        thread("plain", 5, "plain", PLAIN, ""),
        thread("stream", 3, "asker", "period = \"20ms\"\nworst = \"0.4ms\"\n", asks),
        thread("driver", 1, "passive", "", "\"network.serve\""),
        "[endpoint.network]\nrequest = \"int\"\nreply = \"int\"\n".to_owned(),
    ];
    let run = simulated("drivers_passive", &text.concat(), &[]);
    // Sixteen packets of 300 us, but for those of the time before `plain`.
    let responses = run.responses("urgent");
    assert!(responses[0] > 4 * MILLISECOND, "{responses:?}");
    assert_eq!(run.ran.code, Some(1), "it is late: {:?}", run.ran);
}

/// At an urgency of its own, above all who use it, it has nothing left to do.
#[test]
fn a_driver_with_an_urgency_of_its_own_has_no_backlog() {
    let text = [
        thread("driver", 8, "active", "period = \"1ms\"\nworst = \"0.3ms\"\n", "\"packets.send\""),
        thread("urgent", 9, "reader", URGENT, "\"packets.receive\""),
        thread("plain", 5, "plain", PLAIN, ""),
        "[mailbox.packets]\ntype = \"int\"\ncapacity = 32\n".to_owned(),
    ];
    let run = simulated("drivers_active", &text.concat(), &[]);
    let responses = run.responses("urgent");
    assert!(responses[0] < MILLISECOND, "{responses:?}");
    assert_eq!(run.ran.code, Some(0), "{:?}", run.ran);
}

/// A network that floods from 5 ms on, and a disk that is ready at 12 ms.
const DEVICES: &str = "[interrupt.network]\nline = 10\n[interrupt.disk]\nline = 11\n";
const FLOODED: [&str; 4] = ["--fault", "storm:network@5ms+50us*1000", "--fault", "storm:disk@12ms+1ms*1"];
const BUDGET: &str = "budget = \"1ms\"\nevery = \"20ms\"\n";

/// When the disk's completion was told.
fn completed(run: &Run) -> Vec<u64> {
    let told = run
        .events
        .iter()
        .filter(|event| matches!(event.happening, Happening::Note(DecodedNote::Event { .. })));
    told.map(|event| run.names.tick.logical(event.time).nanoseconds()).collect()
}

/// All work of interrupts has one budget (Facchinetti and others): the network uses it up, and the disk waits until nobody
/// has anything better to do.
#[test]
fn with_one_budget_for_all_devices_a_flood_keeps_the_others_waiting() {
    let text = [
        thread("driver", 9, "both", BUDGET, "\"network\", \"disk\""),
        thread("plain", 5, "plain", "period = \"100ms\"\nworst = \"15.1ms\"\n", ""),
        DEVICES.to_owned(),
    ];
    let run = simulated("drivers_one", &text.concat(), &FLOODED);
    let completed = completed(&run);
    assert!(completed[0] > 15 * MILLISECOND, "{completed:?}");
}

/// With a budget for each, it doesn't.
#[test]
fn with_a_budget_for_each_device_a_flood_is_its_own_alone() {
    let text = [
        thread("network", 8, "network", BUDGET, "\"network\""),
        thread("disk", 9, "disk", BUDGET, "\"disk\""),
        thread("plain", 5, "plain", "period = \"100ms\"\nworst = \"15.1ms\"\n", ""),
        DEVICES.to_owned(),
    ];
    let run = simulated("drivers_each", &text.concat(), &FLOODED);
    let completed = completed(&run);
    assert!((12 * MILLISECOND..12 * MILLISECOND + 200_000).contains(&completed[0]), "{completed:?}");
}
