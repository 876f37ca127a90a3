//! What can be seen of the lanes, as text, in a real browser: it is what a look at all that happened says.
//!
//! Where there is no Chromium, the tests say so and hold nothing; `./x setup` installs it.

mod common;

use beryl_abi::ThreadId;
use beryl_testing::{Draw, SplitMix64};
use beryl_trace::jobs::{History, Outcome};
use beryl_trace::{Signals, html};
use common::browser::asked;
use common::workload;
use serde_json::{Value, json};

/// What a thread did between two instants: percent of the time, runs, jobs, the longest response in ticks.
fn plain(history: &History, thread: ThreadId, from: u64, to: u64) -> Value {
    let runs = history.runs.iter().filter(|run| run.thread == thread);
    let parts: Vec<u64> = runs
        .filter(|run| run.from.ticks() < to && run.to.ticks() > from)
        .map(|run| run.to.ticks().min(to) - run.from.ticks().max(from))
        .collect();
    let percent = (parts.iter().sum::<u64>() as f64 / (to - from) as f64 * 1e4).round() / 100.0;
    let jobs: Vec<_> =
        history.jobs_of(thread).filter(|job| (from..=to).contains(&job.release.ticks())).collect();
    let ended = jobs.iter().filter(|job| matches!(job.outcome, Outcome::Completed | Outcome::Missed));
    let longest = ended.filter_map(|job| job.response()).map(beryl_abi::Duration::ticks).max();
    json!([percent, parts.len(), jobs.len(), longest])
}

/// Numbers, whether they are written as whole ones or not.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        _ => one == other || one.as_f64().is_some_and(|number| Some(number) == other.as_f64()),
    }
}

#[test]
fn what_can_be_seen_is_told_as_text() {
    let (names, events) = (workload::names(), workload::events(6000, 9));
    let history = History::of(&events);
    let (start, end) = (history.span.0.ticks(), history.span.1.ticks());
    let mut random = SplitMix64(9);
    let mut windows: Vec<(u64, u64)> = (0..20)
        .map(|_| (random.within(start, end), random.within(start, end)))
        .map(|(one, other)| (one.min(other), one.max(other)))
        .filter(|(from, to)| from + 20 < *to)
        .collect();
    windows.push((start, end));
    let script = format!(
        "const {{ model, show, drawNow }} = beryl, panel = document.getElementById('panel'), told = {{}};
        told.rows = {}.map(([from, to]) => beryl.whole.lanes.filter(({{ kind }}) => kind === 'thread' || kind === 'signal').map((lane) => {{
            const {{ percent, count, jobs, longest }} = seenOf(lane, from, to);
            return lane.kind === 'thread' ? [percent, count, jobs, longest] : count;
        }}));
        const press = (key) => dispatchEvent(new KeyboardEvent('keydown', {{ key }}));
        press('v'); drawNow();
        const text = () => [...panel.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent));
        told.text = text().slice(0, 5); told.whole = panel.querySelector('div').textContent;
        show(25000, 50000); drawNow(); told.part = panel.querySelector('div').textContent;
        keepLanes('task 3'); drawNow(); told.kept = text().length;
        press('v'); told.closed = panel.hidden;
        return told;",
        json!(windows)
    );
    let Some(said) = asked("seen", &html::page(&events, &names, "workload"), &script) else { return };
    let signals = Signals::of(&names);
    for ((from, to), rows) in windows.iter().zip(said["rows"].as_array().expect("windows")) {
        let threads = (0..12).map(|thread| plain(&history, ThreadId(thread), *from, *to));
        let moved = |name: &str| {
            let at = events.iter().filter_map(|event| signals.moved(event));
            let own = at.filter(|moved| signals.known(moved.signal).is_some_and(|known| known.name == name));
            own.filter(|moved| (*from..=*to).contains(&moved.instant.ticks())).count()
        };
        let signals = ["position", "rotor"].map(|name| json!(moved(name)));
        let expected: Vec<Value> = threads.chain(signals).collect();
        // What tasks publish comes behind them.
        let rows = rows.as_array().expect("rows");
        assert!(same(&json!(rows[..14]), &json!(expected)), "{from} to {to}: {rows:?}, not {expected:?}");
    }
    assert_eq!(said["whole"], "0 s to 0.405429 s");
    assert_eq!(
        (&said["part"], &said["kept"], &said["closed"]),
        (&json!("1 ms to 2 ms"), &json!(3), &json!(true))
    );
    let text = &said["text"];
    let heads = json!(["", "% of the time", "times", "jobs", "longest response", "troubles"]);
    assert_eq!((&text[0], &text[1], &text[3]), (&heads, &json!(["modes"]), &json!(["fast"])), "{text}");
    assert_eq!(text[4][0], "task 0");
}
