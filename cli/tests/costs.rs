//! `beryl sim --costs`: steps of the kernel take what the proof charges, so responses come close to what it
//! promises, and values stay what they are.

use std::collections::BTreeMap;

use beryl_trace::{Happening, Names, decode};
use common::{beryl, example, folder, left, left_text, lock};

mod common;

/// The longest response of each task in the last run, in nanoseconds.
fn responses() -> BTreeMap<String, u64> {
    let names = Names::parse(&left_text("helicopter", "names.json")).expect("names");
    let (mut released, mut longest) = (BTreeMap::new(), BTreeMap::new());
    for event in decode(&left("helicopter", "sim.trace")).expect("a whole trace") {
        match event.happening {
            Happening::Release { task, instant, .. } => drop(released.insert(task, instant)),
            Happening::Complete { task } => {
                let name = names.thread(task);
                let took = event.time.ticks() - released[&task].ticks();
                let known = longest.entry(name).or_insert(0);
                *known = (took * 40).max(*known);
            }
            _ => {}
        }
    }
    longest
}

/// What is promised of each task, in nanoseconds.
fn promised() -> BTreeMap<String, u64> {
    let said = beryl(&["--json", "check", &example("helicopter")]).ended(0);
    let rows = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    rows.filter_map(|row| Some((row["task"].as_str()?.to_owned(), row["response_ns"].as_u64()?))).collect()
}

#[test]
fn with_costs_responses_come_close_to_the_proof_and_values_stay() {
    let _lock = lock("helicopter");
    let run = |costs: &str| {
        let said = beryl(&["sim", &example("helicopter"), "--for", "200ms", "--costs", costs]).ended(0);
        (said, responses(), left_text("helicopter", "sim.recording"))
    };
    let (_, without, values) = run("none");
    let (said, worst, with_costs) = run("worst");
    let (_, random, _) = run("random");
    assert!(said.contains("each step of the kernel took all that the proof charges for it"), "{said}");
    assert_eq!(values, with_costs);
    let promised = promised();
    assert_eq!(promised.len(), 2, "{promised:?}");
    for (task, promise) in promised {
        let all = [without[&task], random[&task], worst[&task]];
        assert!(all.is_sorted() && worst[&task] <= promise, "{task}: {all:?} of {promise}");
        assert!(worst[&task] * 100 > promise * 90, "{task}: {all:?} of {promise}");
    }
    let again = folder().join("out/helicopter/sim.run").display().to_string();
    assert!(beryl(&["sim", "--replay", &again]).ended(0).contains("the same trace to the byte"));
}
