//! The lanes of the page, from top to bottom: processes with their threads, then sensors and actuators, then ports.

use serde_json::{Value, json};

use crate::event::{Event, Happening};
use crate::jobs::History;
use crate::names::{DriverKind, Names, ThreadKind};
use crate::ports::Ports;

/// The lanes: all tasks, and what else ran or was carried out. An idle processor is an empty column.
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
    let drivers = used_drivers(events, names);
    if !drivers.is_empty() {
        lanes.push(json!({ "heading": "sensors and actuators" }));
        lanes.extend(drivers);
    }
    let ports = used_ports(events, names);
    if !ports.is_empty() {
        lanes.push(json!({ "heading": "ports" }));
        lanes.extend(ports);
    }
    lanes
}

/// The ports that were written, numbered behind all drivers.
fn used_ports(events: &[Event], names: &Names) -> Vec<Value> {
    let mut used = vec![false; names.ports.len()];
    let ports = Ports::of(names);
    for one in events.iter().flat_map(|event| ports.published(event)) {
        used[one.port] = true;
    }
    let shown = names.ports.iter().zip(names.drivers.len()..).zip(used).filter(|(_, used)| *used);
    shown.map(|((known, number), _)| json!({ "driver": number, "name": known.name, "port": true })).collect()
}

fn used_drivers(events: &[Event], names: &Names) -> Vec<Value> {
    let mut used = vec![false; names.drivers.len()];
    for event in events {
        if let Happening::Driver { driver, .. } = event.happening
            && let Some(used) = used.get_mut(driver.index())
        {
            *used = true;
        }
    }
    let shown = names.drivers.iter().enumerate().zip(used);
    let shown = shown.filter(|((_, known), used)| *used && known.kind <= DriverKind::Actuator);
    shown.map(|((driver, known), _)| json!({ "driver": driver, "name": known.name })).collect()
}

/// What each thread is called, and what it is there for, by its number.
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

/// What each driver is called, by its number.
pub(super) fn drivers(names: &Names) -> Vec<Value> {
    let driver = |driver: &crate::DriverName| json!({ "name": driver.name, "kind": driver.kind });
    names.drivers.iter().take(usize::from(u16::MAX) + 1).map(driver).collect()
}
