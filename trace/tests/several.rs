//! The page of several kernels in a real browser: all that each has done is on it, on one axis, and each arrow is a message.

mod common;

use std::path::PathBuf;

use beryl_trace::html::{self, Run};
use beryl_trace::jobs::History;
use beryl_trace::several::{Crossing, Frame, Kernel, Several, messages};
use beryl_trace::{Names, Nanoseconds, Recording, Tick};
use common::browser::asked;
use common::{helicopter, names};
use serde_json::json;

/// The helicopter three times: on a node, and on two cores of another one, whose ticks are of another length. What the first reckons
/// goes over the bus, each other frame of which doesn't arrive; what the second does goes through memory to the third.
fn several() -> Several {
    let kernel = |name: &str, machine| Kernel {
        name: name.to_owned(),
        title: format!("node {name}"),
        machine,
        trace: PathBuf::new(),
    };
    let milliseconds = |count: u64| Nanoseconds::new(count * 1_000_000);
    let crossing = |from: usize, to: &[usize]| Crossing {
        value: "navigate.motion".to_owned(),
        from: (from, "navigate".to_owned()),
        to: to.iter().map(|to| (*to, "command".to_owned())).collect(),
        counts_after: Some(milliseconds(10)),
    };
    Several {
        system: "three".to_owned(),
        word: "node".to_owned(),
        kernels: vec![kernel("one", 0), kernel("two", 1), kernel("three", 1)],
        crossings: vec![crossing(0, &[1, 2]), crossing(1, &[2])],
        cycle: milliseconds(10),
        frames: vec![Frame {
            kernel: 0,
            start: milliseconds(8),
            end: milliseconds(9),
            counts: milliseconds(10),
            crossings: vec![0],
        }],
        fates: "l.c.".to_owned(),
    }
}

fn all_names() -> [Names; 3] {
    let other = || Names { tick: Tick::new(80, 1).expect("a tick"), ..names() };
    [names(), other(), other()]
}

/// What was written, by kernel: name, instant in nanoseconds, in the order of the recordings.
fn written(names: &Names) -> Vec<(String, u64)> {
    let recording = Recording::of(&helicopter(), names);
    let rows = recording.actuators.iter().chain(&recording.sensors);
    rows.map(|sample| (sample.name.clone(), sample.instant.nanoseconds())).collect()
}

#[test]
fn the_page_has_all_kernels_and_what_goes_between_them() {
    let (several, names, events) = (several(), all_names(), helicopter());
    let runs = names.each_ref().map(|names| Run { events: &events, names, title: "run", log: None });
    let page = html::page_of_several("three, sim", &several, &runs);
    let script = "const { whole, view, show, drawNow } = beryl, { messages } = whole;
        const rows = () => whole.lanes.filter(({ kind }) => kind === 'kernel').map(({ name, isUnfolded }) => [name, isUnfolded]);
        const told = { tick: whole.facts.tick, kernels: rows(), span: [whole.start, whole.end] };
        told.written = whole.kernels.map((model) => model.facts.sampled.flatMap(({ name, origin }, signal) => origin === 'signal' ? [...model.columns.samples[signal].at].map((at) => [name, at]) : []));
        told.jobs = whole.kernels.map(({ columns }) => [...columns.jobs.release].map((release, job) => [release, columns.jobs.end[job]]));
        told.messages = [...messages.sent].map((sent, message) => [messages.from[message], sent, messages.isGone[message], messages.readers[message]]);
        const lane = whole.lanes.find(({ kind, name, model }) => kind === 'thread' && name === 'command' && model.place === 2);
        told.words = tellPlace({ scale: 1e-3 }, lane, 41e6).split('\\n').filter((line) => line.startsWith('has'));
        told.bus = whole.kernels[3].facts.lanes.map(({ name, span, trouble }) => [name, !!trouble, [...whole.kernels[3].spans.get(span).track.from]]);
        drawNow(); const painted = () => { const before = beryl.work.primitives; beryl.painter.look(view.from, view.to); drawMessages(beryl.painter, 0); return beryl.work.primitives - before; };
        told.painted = painted();
        whole.fold(whole.kernels[1]); told.folded = [rows()[1][1], whole.lanes.filter(({ model }) => model.place === 1).length, painted()];
        return told;";
    let Some(said) = asked("several", &page, script) else { return };
    let histories = names.each_ref().map(|_| History::of(&events));
    let parts: Vec<_> = histories.iter().zip(&names).collect();
    let expected = messages(&several, &parts);
    // Of the first one's jobs, those of the first and third cycle don't arrive; of the others the last is read at 40 ms.
    let of_first = expected.iter().filter(|message| message.from.0 == 0).map(|message| message.read.len());
    assert_eq!(of_first.collect::<Vec<_>>(), [0, 0, 2]);
    assert_eq!(said["tick"], json!({ "nanoseconds": 1, "ticks": 1 }));
    let told = expected.iter().map(|message| {
        let gone = u8::from(message.read.is_empty());
        json!([message.from, message.sent.nanoseconds(), gone, message.read])
    });
    assert_eq!(said["messages"], json!(told.collect::<Vec<_>>()));
    for ((number, names), history) in names.iter().enumerate().zip(&histories) {
        let mut found: Vec<(String, u64)> =
            serde_json::from_value(said["written"][number].clone()).expect("writes");
        let mut real = written(names);
        found.sort();
        real.sort();
        assert_eq!(found, real, "kernel {number}");
        assert!(!real.is_empty());
        let at = |instant| names.tick.logical(instant).nanoseconds();
        let jobs = history.jobs.iter().map(|job| json!([at(job.release), job.end.map(at)]));
        assert_eq!(said["jobs"][number], json!(jobs.collect::<Vec<_>>()), "kernel {number}");
    }
    let rows = ["node one", "node two", "node three", "bus"].map(|name| json!([name, true]));
    assert_eq!(said["kernels"], json!(rows));
    assert_eq!(
        said["words"],
        json!(["has what navigate on two sent at 28 ms", "has what navigate on one sent at 38 ms"])
    );
    let at = |milliseconds: &[u64]| milliseconds.iter().map(|count| count * 1_000_000).collect::<Vec<_>>();
    let bus =
        json!([["frames", false, at(&[18, 38])], ["lost", true, at(&[8])], ["corrupt", true, at(&[28])]]);
    assert_eq!(said["bus"], bus);
    let arrows = expected.iter().map(|message| message.read.len().max(1)).sum::<usize>();
    assert_eq!(said["painted"], json!(arrows));
    assert_eq!(said["folded"], json!([false, 1, arrows]));
}
