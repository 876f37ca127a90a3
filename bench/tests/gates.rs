//! Kernels with gates: no step is longer than it is charged, of each kind, and what a gate before an interrupt costs.

mod held;
mod objects;

use std::path::PathBuf;

use beryl_builder::toolchain::root;

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
    objects::with(
        "gated",
        &[
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
        ],
    )
}

#[test]
fn steps_of_gated_objects_take_no_longer_than_they_are_charged() {
    assert!(held::all(&objects_behind_gates()).has_gates());
}

/// In instructions, what gates cost where nothing comes too early: an interrupt to its thread, and there and back; a
/// message there and back; a call.
#[test]
fn open_gates_cost_as_much_more_as_is_written() {
    objects::assert_cost(&objects_behind_gates(), &MORE);
}

/// In instructions.
const MORE: [(&str, u64); 5] = [
    ("interrupt/to-thread", 25),
    ("interrupt/round-trip", 70),
    ("mailbox/pair-8", 80),
    ("event-group/wake", 35),
    ("endpoint/round-trip", 45),
];
