//! Chains of ports in words: one line each, with how long a change takes and how old a sample gets.

use std::cmp::Reverse;

use beryl_analysis::Ticks;
use beryl_analysis::chain::{Class, Found, Longest, Times};
use beryl_builder::assembly::Assembly;
use beryl_builder::proof::{ChainTimes, Chains, chains};
use beryl_builder::{Nodes, Project};
use serde_json::json;

use crate::console::Console;
use crate::proof::in_milliseconds;

/// Nobody reads more lines than this.
const MOST_LINES: usize = 12;

/// Prints the chains of a system, the slowest first if there are many; nothing if it has none.
pub fn show(project: &Project, console: &Console) {
    let told = Told { assembly: &project.assembly, tick: project.tick() };
    told.show("From sensors to actuators", &chains(&project.assembly), console);
}

/// Prints the chains that lead from one node to another.
pub fn show_across(system: &Nodes, console: &Console) {
    let has_cores = system.parts.iter().any(|part| part.word == "core");
    let title = match (system.word(), has_cores) {
        ("core", _) => "From sensors to actuators, between cores",
        (_, true) => "From sensors to actuators, over the bus and between cores",
        _ => "From sensors to actuators, over the bus",
    };
    match (&system.together, system.chains()) {
        (Some(together), Some(chains)) => {
            let told = Told { assembly: &together.assembly, tick: together.tick };
            told.show(title, &chains, console);
        }
        _ => {
            console.title(title);
            console.say("  unknown: no single node could have all that there is");
        }
    }
}

/// What chains are told of: numbers of modules, and ticks.
struct Told<'a> {
    assembly: &'a Assembly,
    /// Nanoseconds a tick.
    tick: u32,
}

impl Told<'_> {
    fn show(&self, title: &str, chains: &Chains, console: &Console) {
        if chains.rows.is_empty() {
            return;
        }
        console.title(title);
        console.say(format_args!("  {:>12} {:>12}   chain", "latency", "age"));
        let mut rows: Vec<&ChainTimes> = chains.rows.iter().collect();
        if rows.len() > MOST_LINES {
            rows.sort_by_key(|row| row.found.as_ref().ok().map(|found| Reverse(shown(found).0.latency)));
        }
        for row in rows.iter().take(MOST_LINES) {
            console.say(format_args!("  {}", self.line(row)));
        }
        let left = rows.len().saturating_sub(MOST_LINES);
        if left > 0 {
            console.say(format_args!("  {left} more, none of which takes longer; `--json` has them all"));
        }
        if chains.is_cut {
            console.say("  there are more chains than are looked at");
        }
        console.say("  latency: from a change at the sensor to the first update that follows from it; age: of the sample, at an update");
        chains.rows.iter().for_each(|row| console.object(&self.object(row)));
        console.object(&json!({ "chains": chains.rows.len(), "more_chains": chains.is_cut }));
    }

    fn nanoseconds(&self, ticks: Ticks) -> u64 {
        ticks.get().saturating_mul(self.tick.into())
    }

    fn line(&self, row: &ChainTimes) -> String {
        let names = row.names.join(" -> ");
        let found = match &row.found {
            Ok(found) => found,
            Err(failure) => return format!("{:>12} {:>12}   {names} ({failure})", "unknown", "unknown"),
        };
        let (times, staying) = shown(found);
        let [latency, age] = [times.latency, times.age].map(|longest| match longest {
            Longest::Within(ticks) => in_milliseconds(self.nanoseconds(ticks)),
            Longest::Unbounded => "no bound".to_owned(),
            Longest::Never => "never".to_owned(),
        });
        let notes = [
            (staying, "while modes stay; no bound across switches"),
            (row.is_guarded, "where its guards say yes"),
            (found.class == Class::Safe, "at most"),
        ];
        let notes: Vec<_> = notes.iter().filter(|(holds, _)| *holds).map(|(_, note)| *note).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        format!("{latency:>12} {age:>12}   {names}{notes}")
    }

    fn object(&self, row: &ChainTimes) -> serde_json::Value {
        let modules = row.modules.iter().filter_map(|module| self.assembly.modules.get(*module));
        let modules: Vec<_> = modules.collect();
        let found = match &row.found {
            Ok(found) => found,
            Err(failure) => return json!({ "chain": row.names, "unknown": failure.to_string() }),
        };
        let combinations = found.combinations.iter().map(|combination| {
            let modes = modules.iter().zip(&combination.modes).filter_map(|(module, mode)| {
                Some(format!("{}.{}", module.name, module.modes.get(*mode)?.name))
            });
            let times = self.times(combination.times);
            json!({ "modes": modes.collect::<Vec<_>>(), "times": times })
        });
        json!({
            "chain": row.names,
            "class": if found.class == Class::Exact { "exact" } else { "safe" },
            "guarded": row.is_guarded,
            "switching": self.times(found.switching),
            "staying": found.staying.map(|staying| self.times(staying)),
            "combinations": combinations.collect::<Vec<_>>(),
        })
    }

    /// In nanoseconds; null for a time that has no bound or never occurs.
    fn times(&self, times: Times) -> serde_json::Value {
        let [latency, age] = [times.latency, times.age].map(|longest| match longest {
            Longest::Within(ticks) => Some(self.nanoseconds(ticks)),
            Longest::Unbounded | Longest::Never => None,
        });
        json!({ "latency_ns": latency, "age_ns": age })
    }
}

/// The times to print: over all runs, or, if those have no bound, for as long as all modules stay in their
/// modes.
fn shown(found: &Found) -> (Times, bool) {
    match found.staying {
        Some(staying) if !found.switching.is_whole() => (staying, true),
        _ => (found.switching, false),
    }
}
