//! Kernels that tell what is written into state messages: no step is longer than it is charged.

mod changed;

use beryl_bench::step::Kernel;
use beryl_builder::assembly::Assembly;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant};
use changed::changed;

/// A thread that reads the buffer, with the least buffer.
const TELLING: &str = "\n[thread.tell]\nprocess = \"diagnosis\"\npriority = 0\nentry = \"tell\"\nstack = \"2k\"\n\
                       uses = [\"trace\"]\n\n[trace]\nbuffer = \"64\"\nclasses = []\n";

/// The engine's kernel, with a trace buffer, while these state messages are traced.
fn hold(name: &str, traced: &[&str]) -> Assembly {
    let change = |text: &str| {
        let text = text.lines().filter(|line| *line != "values = \"traced\"").collect::<Vec<_>>().join("\n");
        let text =
            text.replace("name = \"engine\"", &format!("name = \"engine_{}\"", name.replace('-', "_")));
        let text = text.lines().map(|line| {
            let is_traced = traced.iter().any(|state| line.starts_with(&format!("[state.{state}]")));
            if is_traced { format!("{line}\nvalues = \"traced\"") } else { line.to_owned() }
        });
        text.collect::<Vec<_>>().join("\n") + TELLING
    };
    let folder = changed("engine", name, change);
    let project = Project::load(&folder, Variant::default()).unwrap_or_else(|error| panic!("{error:?}"));
    let workshop = Workshop::new(&root().join("target/e2e/held"));
    let kernel = Kernel::of(project, &workshop).unwrap_or_else(|error| panic!("{error:?}"));
    kernel.bound_with_buffer().unwrap_or_else(|error| panic!("{error:?}"));
    Assembly::clone(&kernel.project.assembly)
}

#[test]
fn steps_that_look_at_one_message_take_no_longer_than_they_are_charged() {
    assert_eq!(hold("followed-one", &["speed"]).followed().len(), 1);
}

#[test]
fn steps_that_look_at_many_take_no_longer_than_they_are_charged() {
    let all = ["speed", "roughness", "load", "lambda", "target", "temperature", "air", "wires"];
    assert_eq!(hold("followed-many", &all).followed().len(), all.len());
}
