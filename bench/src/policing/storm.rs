//! What a storm of interrupts takes from others: the line, its gate and its server are those of `examples/storm`, but the server
//! only quiets its device. Below it a thread goes round, and whatever that loses the storm has taken.

use std::fs;

use anyhow::{Context, Result, ensure};
use beryl_abi::Instant;
use beryl_builder::Project;
use beryl_builder::load;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;

use super::entries::{Begin, Entry, entries};
use crate::generated::project;
use crate::row::Row;
use crate::step::Kernel;

/// The bench.
pub const NAMES: &[&str] = &[STORM];
pub const STORM: &str = "policing/storm";
/// Its cases: what an interrupt takes, what the proof counts, and what there is in a separation.
pub const TAKEN: &str = "taken by an interrupt";
pub const COUNTED: &str = "counted for an interrupt, without the job's worst";
pub const SEPARATION: &str = "in a separation";

const EXAMPLE: &str = "examples/storm/beryl.toml";
/// An instruction of the example takes 32 ns, and a tick 40.
const TICKS: [u64; 2] = [4, 5];
/// How long it runs: 15 separations.
const END: Instant = Instant::from_ticks(750_000);
/// Interrupts that are counted at least.
const LEAST: usize = 10;

/// Measures it.
///
/// # Errors
/// Those of building and running the system; if there is no storm, or more is taken than counted.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    const NAME: &str = "bench_storm";
    let path = root().join(EXAMPLE);
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let kernel = Kernel::of(project(workshop, NAME, &described(&text, NAME)?)?, workshop)?;
    let taken = taken(&entries(&kernel, workshop, &[], END)?);
    ensure!(taken.len() >= LEAST, "only {} interrupts came", taken.len());
    let (counted, separation) = counted(&kernel.project)?;
    let most = taken.iter().copied().max().unwrap_or_default();
    ensure!(most <= counted, "an interrupt took {most} instructions, and {counted} are counted");
    Ok(vec![
        Row::instructions(STORM, TAKEN, &taken)?,
        Row::instructions(STORM, COUNTED, &[counted])?,
        Row::instructions(STORM, SEPARATION, &[separation])?,
    ])
}

/// What was taken from one wait of the server to the next. Nobody else makes a call. The first two are left out: an interrupt
/// that comes to an open gate isn't one of a storm.
fn taken(entries: &[Entry]) -> Vec<u64> {
    let (mut taken, mut sum) = (Vec::new(), 0);
    for Entry { begin, before, instructions, .. } in entries {
        sum += instructions;
        if *begin == Begin::Call {
            taken.push(sum + before);
            sum = 0;
        }
    }
    taken.drain(..2.min(taken.len()));
    taken
}

/// What the proof counts for each interrupt and its job, without what the server does by itself, and a separation.
fn counted(project: &Project) -> Result<(u64, u64)> {
    let system = load::system(project);
    let row = |name: &str| {
        let row = system.interference.iter().find(|row| row.name == name);
        row.with_context(|| format!("the proof has no row `{name}`"))
    };
    let tasks = system.bands.iter().flat_map(|band| &band.tasks);
    let listen = tasks.into_iter().find(|task| task.name == "listen").context("the server isn't proved")?;
    let (awake, gate) = (row("wake-ups of listen")?, row("gate of packet")?);
    let costs = &system.costs;
    let parts = [
        awake.worst,
        gate.worst,
        costs.release,
        costs.completion,
        costs.switch,
        costs.switch,
        listen.overhead,
    ];
    let instructions = |ticks: u64| ticks * TICKS[1] / TICKS[0];
    Ok((instructions(parts.iter().map(|part| part.get()).sum()), instructions(gate.period.get())))
}

/// The example under another name, with the benches' threads.
fn described(text: &str, name: &str) -> Result<String> {
    let mut text = text.to_owned();
    for (from, to) in [
        ("name = \"storm\"", format!("name = {name:?}")),
        ("application = \"app\"", "application = \"{bench}/app\"".to_owned()),
        ("period = \"10ms\"\nworst = \"5ms\"\nentry = \"steer\"", "entry = \"spin\"".to_owned()),
    ] {
        ensure!(text.contains(from), "{EXAMPLE} has no `{from}`");
        text = text.replace(from, &to);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_goes_from_one_wait_to_the_next() {
        let entry = |begin, before, instructions| Entry { begin, before, instructions, came_to: Vec::new() };
        let entries = [
            entry(Begin::Call, 9, 99),
            entry(Begin::Interrupt, 1000, 50),
            entry(Begin::Call, 4, 60),
            entry(Begin::Interrupt, 1000, 52),
            entry(Begin::Call, 4, 60),
            entry(Begin::Interrupt, 1000, 70),
            entry(Begin::Interrupt, 1000, 51),
            entry(Begin::Call, 4, 60),
            entry(Begin::Interrupt, 1000, 70),
        ];
        assert_eq!(taken(&entries), [116, 185]);
    }

    #[test]
    fn the_example_is_changed_where_it_has_to_be() {
        let text = fs::read_to_string(root().join(EXAMPLE)).expect("the example");
        let text = described(&text, "other").expect("as expected");
        assert!(text.contains("separation = \"2ms\"") && text.contains("entry = \"spin\""), "{text}");
        assert!(described("name = \"storm\"", "other").is_err());
    }
}
