//! The page about L4's rules has what is counted here.

mod stage;

use std::fs;
use std::path::Path;

use beryl_l4::workload::run;
use beryl_l4::{Benno, Counts, DirectBenno, DirectEager, DirectLazy, FullEager, FullLazy, Ipc, Rules};

use stage::{A, B, Kernel, blocked, start};

/// Round trips of the ping-pong, of two messages each.
const TRIPS: u64 = 1000;
/// Requests of the file server's clients.
const REQUESTS: u32 = 10_000;

/// A client calls a server that is more urgent, which answers and waits (OSPERT 2007, section 4.2).
fn ping_pong<R: Rules>() -> Counts {
    let mut kernel = Kernel::<R>::new();
    blocked(&mut kernel, B, 3, Ipc::wait());
    start(&mut kernel, A, 9);
    let before = *kernel.counts();
    for _ in 0..TRIPS {
        kernel.ipc(Ipc::call(B)).expect("it waits");
        assert_eq!(kernel.running(), B);
        kernel.ipc(Ipc::reply_wait(A)).expect("it waits");
        assert_eq!(kernel.running(), A);
    }
    let after = kernel.counts();
    Counts {
        enqueues: after.enqueues - before.enqueues,
        dequeues: after.dequeues - before.dequeues,
        lookups: after.lookups - before.lookups,
        ..Counts::default()
    }
}

fn pings<R: Rules>(paper: &str) -> String {
    let counts = ping_pong::<R>();
    let each = |count: u64| count as f64 / TRIPS as f64 / 2.0;
    let [enqueues, dequeues, lookups] = [counts.enqueues, counts.dequeues, counts.lookups].map(each);
    format!("| {} | {enqueues:.1} | {dequeues:.1} | {lookups:.1} | {paper} |\n", R::NAME)
}

#[test]
fn the_page_has_the_operations_of_a_ping_pong() {
    let rows = pings::<DirectLazy>("289")
        + &pings::<DirectEager>("350")
        + &pings::<DirectBenno>("-")
        + &pings::<FullLazy>("359")
        + &pings::<FullEager>("419")
        + &pings::<Benno>("-");
    is_on_the_page(&rows);
}

#[test]
fn the_page_has_what_was_avoided() {
    let all = [
        *run::<DirectLazy, Counts>(REQUESTS).expect("it runs").counts(),
        *run::<DirectEager, Counts>(REQUESTS).expect("it runs").counts(),
        *run::<DirectBenno, Counts>(REQUESTS).expect("it runs").counts(),
        *run::<FullLazy, Counts>(REQUESTS).expect("it runs").counts(),
        *run::<FullEager, Counts>(REQUESTS).expect("it runs").counts(),
        *run::<Benno, Counts>(REQUESTS).expect("it runs").counts(),
    ];
    let row = |name: &str, paper: &str, value: fn(&Counts) -> u64| {
        let cells: Vec<_> = all.iter().map(|counts| value(counts).to_string()).collect();
        format!("| {name} | {} | {paper} |\n", cells.join(" | "))
    };
    let rows = row("messages", "1450474", |counts| counts.messages)
        + &row("enqueues, if eager", "1509011", |counts| counts.eager_enqueues)
        + &row("enqueues", "62482", |counts| counts.enqueues)
        + &row("of these, of who ran before", "19719", |counts| counts.deferred_enqueues)
        + &row("dequeues, if eager", "1509056", |counts| counts.eager_dequeues)
        + &row("dequeues", "62482", |counts| counts.dequeues)
        + &row("of these, of who blocked before", "40289", |counts| counts.deferred_dequeues)
        + &row("switches", "1571609", |counts| counts.switches)
        + &row("decisions", "-", |counts| counts.decisions)
        + &row("lookups", "80749", |counts| counts.lookups);
    is_on_the_page(&rows);
}

fn is_on_the_page(rows: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measurements/l4.md");
    let page = fs::read_to_string(path).expect("the page");
    assert!(page.contains(rows), "docs/measurements/l4.md lacks these rows:\n{rows}");
}
