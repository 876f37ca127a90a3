//! What telling costs in the proof: a trace buffer makes steps longer, whatever classes are on from the start.

use beryl_analysis::System;
use beryl_builder::Project;
use beryl_builder::proof::{at_completions, job_step, of_drivers, prove, system};
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
    let step = job_step(&silent.assembly);
    assert_eq!(costs(&system(&silent)), [ticks(step), ticks(step), 0]);
    let response = |project: &Project| prove(project).expect("it holds").proof.bands[0].tasks[0].response;
    for classes in ["", "classes = []\n"] {
        let told = threads(&[TEXT, TOLD, classes].concat());
        let assembly = &told.assembly;
        // Three notes of 79 instructions in each step, three more where a job ends, two more where a driver is carried out.
        assert_eq!(job_step(assembly), step + 237);
        assert_eq!([at_completions(assembly), of_drivers(assembly)], [3 * 79, 2 * 79]);
        let expected = [ticks(step + 237), ticks(step + 237) + ticks(3 * 79), ticks(2 * 79)];
        assert_eq!(costs(&system(&told)), expected);
        assert!(response(&told) > response(&silent));
    }
}
