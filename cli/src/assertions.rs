//! Checks assertions against a run: which hold, and what led to each breach.

use anyhow::Context;
use beryl_trace::assertion::{Asserted, Evidence, Says, Stated, Verdict};
use beryl_trace::jobs::History;
use beryl_trace::{Event, Names, table};
use serde_json::json;

use crate::console::Console;

/// The result for one assertion.
struct Held<'a> {
    name: &'a str,
    assertion: Asserted,
    verdict: Verdict,
}

/// Checks assertions against the run called `run` and prints the results: a table, and for each broken
/// assertion the events that led to it. Returns whether all hold. An assertion that nothing in the run could
/// be checked against counts as not held.
///
/// # Errors
/// If an assertion names something that isn't in this run.
pub fn hold(
    stated: &[Stated],
    run: &str,
    events: &[Event],
    names: &Names,
    console: &Console,
) -> anyhow::Result<bool> {
    if stated.is_empty() {
        return Ok(true);
    }
    let history = History::of(events);
    let evidence = Evidence { events, history: &history, names };
    let held: Vec<_> = stated.iter().map(|stated| Held::of(stated, evidence)).collect::<Result<_, _>>()?;
    console.title(format_args!("Assertions, held against {run}"));
    show(&held, names, console);
    for held in &held {
        held.tell(evidence, console);
        held.report(run, evidence, console);
    }
    Ok(held.iter().all(|held| held.verdict.holds()))
}

/// Checks assertions about points on two nodes, each with what is known of both; prints the results as for one node.
/// Returns whether all hold.
///
/// # Errors
/// If an assertion names something that isn't there.
pub fn hold_across(
    stated: &[(&Stated, [Evidence<'_>; 2])],
    (word, run): (&str, &str),
    console: &Console,
) -> anyhow::Result<bool> {
    if stated.is_empty() {
        return Ok(true);
    }
    console.title(format_args!("Assertions between {word}s, held against {run}"));
    let mut rows = Vec::new();
    let mut breaches = Vec::new();
    let mut hold = true;
    for (stated, nodes) in stated {
        let verdict = stated.across(*nodes).with_context(|| format!("[assert.{}]", stated.name))?;
        let names = across_names(stated, *nodes);
        hold &= verdict.holds();
        rows.push(row(&stated.name, &verdict, names));
        if let Some((at, how)) = &verdict.first {
            breaches.push(format!("{}: first at {}: {how}", stated.name, names.tick.logical(*at)));
        }
        console.object(&object(run, &stated.name, &verdict, names));
    }
    let table = table::table(COLUMNS, &rows);
    table
        .lines()
        .chain(breaches.iter().map(String::as_str))
        .for_each(|line| console.say(format_args!("  {line}")));
    Ok(hold)
}

/// The names, and the tick, of the node that decides.
fn across_names<'a>(stated: &Stated, [first, second]: [Evidence<'a>; 2]) -> &'a Names {
    match stated.says {
        Says::Latency { .. } => first.names,
        _ => second.names,
    }
}

/// The first assertion that the run broke, in words.
pub fn first_broken(stated: &[Stated], events: &[Event], names: &Names) -> Option<String> {
    let history = History::of(events);
    let evidence = Evidence { events, history: &history, names };
    let held = stated.iter().filter_map(|stated| Held::of(stated, evidence).ok());
    let broken = held.filter_map(|held| Some((held.name, held.verdict.first?)));
    let (name, (at, how)) = broken.min_by_key(|(_, (at, _))| *at)?;
    Some(format!("assertion {name} broken at {}: {how}", names.tick.logical(at)))
}

impl<'a> Held<'a> {
    fn of(stated: &'a Stated, evidence: Evidence) -> anyhow::Result<Held<'a>> {
        let assertion = stated.about(evidence.names).with_context(|| format!("[assert.{}]", stated.name))?;
        Ok(Held { name: &stated.name, verdict: assertion.check(evidence), assertion })
    }

    /// Prints what led to the first breach.
    fn tell(&self, evidence: Evidence, console: &Console) {
        let Some((at, how)) = &self.verdict.first else { return };
        console.say(format_args!("  {}: first at {}: {how}", self.name, evidence.names.tick.logical(*at)));
        let chain = self.assertion.assertion.chain(*at, evidence);
        chain.iter().for_each(|line| console.say(format_args!("    {line}")));
    }

    fn report(&self, run: &str, evidence: Evidence, console: &Console) {
        let Held { name, assertion, verdict } = self;
        let mut told = object(run, name, verdict, evidence.names);
        told["chain"] = json!(verdict.first.as_ref().map(|(at, _)| assertion.assertion.chain(*at, evidence)));
        console.object(&told);
    }
}

/// A verdict for readers that are programs.
fn object(run: &str, name: &str, verdict: &Verdict, names: &Names) -> serde_json::Value {
    let tick = names.tick;
    let first = verdict.first.as_ref();
    json!({
        "trace": run,
        "assertion": name,
        "holds": verdict.holds(),
        "checked": verdict.checked,
        "broken": verdict.broken,
        "most_ns": verdict.most.map(|most| tick.length(most).number()),
        "first_broken_ns": first.map(|(at, _)| tick.logical(*at).nanoseconds()),
        "how": first.map(|(_, how)| how),
    })
}

const COLUMNS: [&str; 5] = ["assertion", "result", "checked", "broken", "most"];

fn show(held: &[Held], names: &Names, console: &Console) {
    let rows: Vec<_> = held.iter().map(|held| row(held.name, &held.verdict, names)).collect();
    let table = table::table(COLUMNS, &rows);
    table.lines().for_each(|line| console.say(format_args!("  {line}")));
}

fn row(name: &str, verdict: &Verdict, names: &Names) -> [String; 5] {
    let result = match (verdict.holds(), verdict.checked) {
        (true, _) => "holds",
        (false, 0) => "never tried",
        (false, _) => "broken",
    };
    let most = verdict.most.map_or_else(|| "-".to_owned(), |most| names.tick.length(most).to_string());
    [name.to_owned(), result.to_owned(), verdict.checked.to_string(), verdict.broken.to_string(), most]
}
