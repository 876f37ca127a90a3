//! The lanes of the page, from top to bottom: processes with their threads, then sensors and actuators, then
//! ports.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::event::Event;
use crate::jobs::History;
use crate::names::{Names, ThreadKind};
use crate::ports::Ports;
use crate::signals::{SignalId, Signals};

/// The lanes: all tasks, and everything else that ran or was carried out. An idle processor shows as an empty
/// column.
pub(super) fn lanes(history: &History, events: &[Event], names: &Names) -> Vec<Value> {
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
    let signals = used_signals(events, names);
    if !signals.is_empty() {
        lanes.push(json!({ "heading": "sensors and actuators" }));
        lanes.extend(signals);
    }
    let ports = used_ports(events, names);
    if !ports.is_empty() {
        lanes.push(json!({ "heading": "ports" }));
        lanes.extend(ports);
    }
    lanes
}

/// The ports that were written, numbered after all signals.
fn used_ports(events: &[Event], names: &Names) -> Vec<Value> {
    let mut used = vec![false; names.ports.len()];
    let ports = Ports::of(names);
    for one in events.iter().flat_map(|event| ports.published(event)) {
        used[one.port] = true;
    }
    let first = Signals::of(names).count();
    let shown = names.ports.iter().zip(first..).zip(used).filter(|(_, used)| *used);
    shown.map(|((known, number), _)| json!({ "signal": number, "name": known.name, "port": true })).collect()
}

fn used_signals(events: &[Event], names: &Names) -> Vec<Value> {
    let signals = Signals::of(names);
    let used: BTreeSet<SignalId> =
        events.iter().filter_map(|event| signals.moved(event)).map(|moved| moved.signal).collect();
    let shown = signals.all().filter(|(signal, _)| used.contains(signal));
    shown.map(|(signal, known)| json!({ "signal": signal.0, "name": known.name })).collect()
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
