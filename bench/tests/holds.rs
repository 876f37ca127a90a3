//! Kernels in which sections and requests are policed: no step is longer than it is charged, of each kind.

mod changed;
mod held;
mod objects;

use changed::changed;

/// The engine's kernel, where all who take locks are policed, with more lines for each thread.
fn policed(name: &str, more: &str) -> bool {
    let change = |text: &str| {
        let text =
            text.replace("name = \"engine\"", &format!("name = \"engine_{}\"", name.replace('-', "_")));
        let text = text.replace("\nbest = ", &format!("{more}\nbest = "));
        let lines = text.lines().map(|line| match line.contains("_map\"") && line.starts_with("uses") {
            true => format!("{line}\non_hold = \"fault\""),
            false => line.to_owned(),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    held::all(&changed("engine", name, change)).has_policed()
}

#[test]
fn steps_that_police_sections_take_no_longer_than_they_are_charged() {
    assert!(policed("policed", ""));
}

#[test]
fn steps_that_police_sections_beside_budgets_take_no_longer_than_they_are_charged() {
    assert!(policed("policed-and-budgeted", "\non_overrun = \"end-job\""));
}

/// The system with all kinds of objects.
#[test]
fn steps_that_police_owners_take_no_longer_than_they_are_charged() {
    let lines = [("lock.map", "hold = \"1ms\""), ("thread.lock", "on_hold = \"fault\"")];
    assert!(held::all(&objects::with("all_policed", &lines)).has_policed());
}

/// A server that has to answer in time.
const SERVERS: [(&str, &str); 2] =
    [("endpoint.near", "hold = \"1ms\""), ("thread.near_server", "on_hold = \"fault\"")];

#[test]
fn steps_that_police_servers_take_no_longer_than_they_are_charged() {
    assert!(held::all(&objects::with("all_answering", &SERVERS)).has_policed());
}

/// In instructions: a lock costs what it did, and so does what the short way has; a switch by the long way a little more,
/// beside what it takes with the part for budgets, whose alarm the end of a section is.
#[test]
fn policing_costs_as_much_more_as_is_written() {
    const BUDGETED: &str = "[thread.budgeted]\nprocess = \"first\"\nband = \"threads\"\npriority = 0\nperiod = \"20s\"\n\
                            offset = \"20s\"\nworst = \"1ms\"\nentry = \"job\"\nstack = \"1k\"\non_overrun = \"end-job\"\n";
    let policed = [("lock.map", "hold = \"1ms\""), ("thread.lock", "on_hold = \"fault\"")];
    for (name, lines, call, handover) in [
        ("policed", &policed[..], 64, 172),
        ("answering", &SERVERS, 187, 56),
        ("budgeted", &[("", BUDGETED)], 26, 27),
    ] {
        let benches = [
            ("ceiling-lock/pair", 0),
            ("semaphore/pair", 0),
            ("semaphore/handover", handover),
            ("mailbox/pair-8", 0),
            ("endpoint/round-trip", call),
            ("notification/there", 0),
        ];
        objects::assert_cost(&objects::with(name, lines), &benches);
    }
}
