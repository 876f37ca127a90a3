//! The lanes of the page, from top to bottom: processes with their threads, then sensors and actuators, then
//! ports, then state messages.

use serde_json::{Value, json};

use crate::jobs::History;
use crate::names::{Names, ThreadKind};
use crate::sampled::{Origin, Sampled};

/// The lanes: all tasks, and everything else that ran or was carried out. An idle processor shows as an empty
/// column.
pub(super) fn lanes(history: &History, sampled: &[Sampled<'_>], names: &Names) -> Vec<Value> {
    let mut ran = vec![false; usize::from(u8::MAX) + 1];
    history.runs.iter().for_each(|run| ran[run.thread.index()] = true);
    history.jobs.iter().for_each(|job| ran[job.task.index()] = true);
    let mut lanes = Vec::new();
    for process in names.inhabited() {
        let threads = names.identified().filter(|(thread, known)| {
            known.process == process
                && known.kind != ThreadKind::Idle
                && (known.kind == ThreadKind::Task || ran[thread.index()])
        });
        let threads: Vec<Value> =
            threads.map(|(thread, known)| json!({ "thread": thread.0, "name": known.name })).collect();
        if !threads.is_empty() {
            lanes.push(json!({ "heading": if process.is_empty() { "kernel" } else { process } }));
            lanes.extend(threads);
        }
    }
    let nameless = ran.iter().enumerate().skip(names.threads.len()).filter(|(_, ran)| **ran);
    lanes.extend(nameless.map(|(thread, _)| json!({ "thread": thread, "name": format!("thread {thread}") })));
    let headings = [
        ("sensors and actuators", Origin::Signal),
        ("ports", Origin::Port),
        ("state messages", Origin::State),
    ];
    for (heading, origin) in headings {
        let used = (0..).zip(sampled).filter(|(_, own)| own.origin == origin && !own.samples.is_empty());
        let used: Vec<Value> = used.map(|(number, own)| signal(number, own)).collect();
        if !used.is_empty() {
            lanes.push(json!({ "heading": heading }));
            lanes.extend(used);
        }
    }
    lanes
}

fn signal(number: usize, own: &Sampled<'_>) -> Value {
    let mut lane = json!({ "signal": number, "name": own.name });
    if own.origin != Origin::Signal {
        lane["origin"] = json!(own.origin);
    }
    lane
}

/// The name and kind of each thread, by its number.
pub(super) fn threads(history: &History, names: &Names) -> Vec<Value> {
    let highest = history.runs.iter().map(|run| run.thread.index() + 1).max().unwrap_or(0);
    let count = names.identified().count().max(highest);
    let numbers = (0..=u8::MAX).map(beryl_abi::ThreadId).take(count);
    let thread = |thread| {
        let known = names.known_thread(thread);
        json!({
            "name": names.thread(thread),
            "process": known.map(|known| known.process.as_str()).unwrap_or_default(),
            "kind": known.map(|known| known.kind),
            "worst": known.and_then(|known| known.declared).map(|declared| declared.worst.to_string()),
        })
    };
    numbers.map(thread).collect()
}
