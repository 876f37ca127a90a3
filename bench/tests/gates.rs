//! Kernels with gates: no step is longer than it is charged, of each kind, and what a gate before an interrupt costs.

mod held;

use std::fs;
use std::path::PathBuf;

use beryl_bench::{objects, systems};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};

/// A description with a gate before each of these.
fn gated(text: &str, gates: &[(&str, &str)]) -> String {
    gates.iter().fold(text.to_owned(), |text, (object, gate)| {
        let table = format!("\n[{object}]\n");
        assert!(text.contains(&table), "{object}");
        text.replace(&table, &format!("{table}{gate}\n"))
    })
}

#[test]
fn steps_of_a_gated_interrupt_take_no_longer_than_they_are_charged() {
    assert!(held::all(&root().join("examples/storm")).has_gates());
}

/// `bench/objects` with gates that are open whenever something comes: a microsecond is less than an instruction takes.
fn objects_behind_gates() -> PathBuf {
    const OF_INTERRUPTS: &str = "separation = \"1us\"";
    const COALESCE: &str = "separation = \"1us\"\nearly = \"coalesce\"";
    const QUEUE: &str = "separation = \"1us\"\nearly = \"queue\"";
    const DROP: &str = "separation = \"1us\"\nearly = \"drop\"";
    let folder = root().join("target/e2e/gates/objects");
    fs::create_dir_all(&folder).expect("a folder");
    let text = fs::read_to_string(root().join("bench/objects/beryl.toml")).expect("a description");
    let text = text.replace("name = \"bench_objects\"", "name = \"bench_objects_gated\"");
    let text = text.replace("application = \"../app\"", "application = \"../../../../bench/app\"");
    let gates = [
        ("interrupt.tick", OF_INTERRUPTS),
        ("interrupt.transmitter", OF_INTERRUPTS),
        ("notification.there", COALESCE),
        ("event_group.woken", COALESCE),
        ("event_group.flags", DROP),
        ("mailbox.short", QUEUE),
        ("mailbox.long", DROP),
        ("mailbox.events", QUEUE),
        ("endpoint.near", QUEUE),
        ("endpoint.far", DROP),
    ];
    fs::write(folder.join("beryl.toml"), gated(&text, &gates)).expect("written");
    folder
}

#[test]
fn steps_of_gated_objects_take_no_longer_than_they_are_charged() {
    assert!(held::all(&objects_behind_gates()).has_gates());
}

/// In instructions, what gates cost where nothing comes too early: an interrupt to its thread, and there and back; a
/// message there and back; a call.
#[test]
fn open_gates_cost_as_much_more_as_is_written() {
    let workshop = Workshop::new(&root());
    let with = Project::load(&objects_behind_gates(), Variant::default());
    let with = with.unwrap_or_else(|error| panic!("{error:?}"));
    let without = systems::load(systems::OBJECTS).expect("a system");
    let [without, with] = [without, with].map(|project| {
        let rows = objects::rows_of(&project, &workshop).expect("a run");
        MORE.map(|(bench, _)| {
            let row = rows.iter().find(|row| row.bench == bench).expect("a row");
            row.figures.median
        })
    });
    println!("{MORE:?}: {without:?} without gates, {with:?} with open ones");
    for ((bench, more), (without, with)) in MORE.into_iter().zip(without.into_iter().zip(with)) {
        assert!(with <= without + more, "{bench}: {with} instead of {without}");
    }
}

/// In instructions.
const MORE: [(&str, u64); 5] = [
    ("interrupt/to-thread", 25),
    ("interrupt/round-trip", 70),
    ("mailbox/pair-8", 80),
    ("event-group/wake", 35),
    ("endpoint/round-trip", 45),
];
