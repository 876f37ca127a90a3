//! What goes between kernels: the frames of a bus as a part of the page with lanes alone, and messages as the arrows of the page.

use beryl_abi::Instant;
use beryl_abi::frame::Fate;
use serde_json::{Value, json};

use super::columns::Columns;
use super::words::Words;
use crate::clock::Tick;
use crate::several::{Carried, Message, Several};

/// The lanes of a bus, from top to bottom: frames that came, and those that didn't.
const LANES: [(Fate, &str); 3] = [(Fate::Came, "frames"), (Fate::Lost, "lost"), (Fate::Corrupt, "corrupt")];

/// Nothing goes from one kernel to another.
pub(super) fn none(columns: &mut Columns) {
    columns.count(0);
}

/// Writes messages: whose job, when, what became of it, and whose jobs have it.
pub(super) fn messages(columns: &mut Columns, messages: &[Message], tick: Tick) {
    columns.count(messages.len());
    let mut before = Instant::START;
    for Message { from: (kernel, job), sent, fate, read } in messages {
        let sent = tick.instant(*sent);
        columns.count(*kernel);
        columns.count(*job);
        columns.step(before, sent);
        columns.number(u128::from(*fate != Fate::Came));
        columns.count(read.len());
        for (kernel, job) in read {
            columns.count(*kernel);
            columns.count(*job);
        }
        before = sent;
    }
}

/// The bus as a kernel without threads; nothing where there is none.
pub(super) fn bus(columns: &mut Columns, several: &Several, tick: Tick) -> Option<Value> {
    let carried: Vec<_> = several.carried().collect();
    let last = carried.last()?;
    // It has no runs, jobs, troubles and waits.
    (0..4).for_each(|_| columns.count(0));
    let at = |instant| tick.instant(instant);
    let mut words = Words::default();
    columns.count(carried.len());
    let mut before = Instant::START;
    for carried in &carried {
        let (from, to) = carried.span();
        let lane = LANES.iter().position(|(fate, _)| *fate == carried.fate).unwrap_or_default();
        columns.count(lane);
        columns.step(before, at(from));
        columns.length(at(from), at(to));
        columns.count(words.position(words_of(several, carried)));
        before = at(from);
    }
    columns.count(0);
    let used = (0..).zip(LANES).filter(|(_, (fate, _))| carried.iter().any(|carried| carried.fate == *fate));
    let lanes = used.map(|(number, (fate, name))| {
        let mut lane = json!({ "span": number, "name": name });
        if fate != Fate::Came {
            lane["trouble"] = json!(true);
        }
        lane
    });
    let end = at(last.span().1).ticks();
    Some(json!({
        "title": "bus", "name": "bus", "system": several.system, "missing": [], "span": [0, end], "events": 0,
        "lanes": lanes.collect::<Vec<_>>(), "threads": [], "runs": [{ "title": "bus", "end": end }], "sampled": [],
        "values": [], "troubles": [], "waits": [], "spans": words.all,
    }))
}

/// Whose frame it is, and what it carries and what became of it.
fn words_of(several: &Several, Carried { frame, fate, .. }: &Carried<'_>) -> [String; 2] {
    let sender = several.kernels.get(frame.kernel).map(|kernel| kernel.name.clone()).unwrap_or_default();
    let values = frame.crossings.iter().filter_map(|crossing| several.crossings.get(*crossing));
    let values: Vec<_> = values.map(|crossing| crossing.value.as_str()).collect();
    let fate = match fate {
        Fate::Lost => ", lost",
        Fate::Corrupt => ", which arrived corrupt",
        Fate::Came | Fate::Unsent => "",
    };
    let told = format!("a frame of {sender} with {}{fate}", values.join(", "));
    [sender, told]
}
