//! What telling costs in the proof: a trace buffer makes steps longer, whatever classes are on from the start.

use beryl_analysis::System;
use beryl_builder::Project;
use beryl_builder::proof::{Kind, prove, system};
use common::threads;

mod common;

/// One instruction takes 16 ns, a tick 40.
const TEXT: &str = r#"
[process.one]
memory = "256"
[[band]]
name = "upper"
policy = "fixed"
[[band]]
name = "lower"
policy = "fixed"
[thread.work]
process = "one"
band = "upper"
priority = 3
entry = "work"
stack = "512"
period = "10ms"
worst = "1ms"
[thread.tell]
process = "one"
band = "lower"
priority = 1
entry = "tell"
stack = "512"
"#;
const TOLD: &str = "uses = [\"trace\"]\n[trace]\nbuffer = \"1k\"\n";

fn ticks(instructions: u64) -> u64 {
    (instructions * 16).div_ceil(40)
}

#[test]
fn a_trace_buffer_is_counted_whatever_is_told_at_first() {
    let silent = threads(TEXT);
    let costs = |system: &System| {
        [system.costs.release, system.costs.completion, system.costs.driver].map(|cost| cost.get())
    };
    let instructions = |project: &Project| {
        [Kind::Release, Kind::Completion, Kind::EMachine, Kind::Driver]
            .map(|kind| kind.instructions(&project.assembly))
    };
    let [release, completion, e_machine, driver] = instructions(&silent);
    assert_eq!(costs(&system(&silent)), [ticks(release), ticks(completion), 0]);
    assert_eq!(driver, e_machine);
    let response = |project: &Project| prove(project).expect("it holds").proof.bands[0].tasks[0].response;
    for classes in ["", "classes = []\n"] {
        let told = threads(&[TEXT, TOLD, classes].concat());
        // Notes of 79 instructions: three where a job is released, five where one ends, two in any other step
        // of a program, and two more where a driver is carried out.
        let notes = [3, 5, 2, 4].map(|count| count * 79);
        let expected =
            [release + notes[0], completion + notes[1], e_machine + notes[2], e_machine + notes[3]];
        assert_eq!(instructions(&told), expected);
        assert_eq!(costs(&system(&told)), [ticks(expected[0]), ticks(expected[1]), ticks(2 * 79)]);
        assert!(response(&told) > response(&silent));
    }
}
