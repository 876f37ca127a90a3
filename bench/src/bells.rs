//! Doorbells: what it takes a core to ring one, beside bits of a notification on its own core, and what it takes the core at which it rings.
//!
//! On each board with several cores: a row has the board as its case. In `bench/cores` one core rings two bells at another, one right after the other. The second trap of a bell, which finds that it was
//! taken, needs two cores to be within a few instructions of each other, and doesn't come up there: it is bounded from the machine code.

use anyhow::{Context, Result, bail, ensure};
use beryl_builder::board::{BOARDS, Board};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Variant, load};
use beryl_path::{Request, longest_step, symbol_addresses};

use crate::cores::Cores;
use crate::entered;
use crate::events::Event;
use crate::observed::code;
use crate::row::{DOORBELL, Row};
use crate::step::Kernel;
use crate::systems::after;

/// The benches in this file.
pub const NAMES: &[&str] = &[DOORBELL];

/// The call that rings at another core.
pub const RUNG: &str = "doorbell/ring, at another core";
/// The call that sets bits of a less urgent thread that waits on the same core.
pub const NEAR: &str = "doorbell/ring, bits of a thread on the same core";
/// From the trap to the first instruction of the thread that waits for the bell.
pub const WOKEN: &str = "doorbell/heard, from the trap to the thread";
/// A trap that takes a bell whose thread is less urgent than the one that runs.
pub const NOTED: &str = "doorbell/heard, whose thread is less urgent";
/// The bound of a trap that finds no bell: it was taken before.
pub const NOTHING: &str = "doorbell/heard, static bound of a second trap";
/// What the proof charges for that.
pub const CHARGED: &str = "doorbell/heard, charged for a second trap";

/// The folder of the system.
const SYSTEM: &str = "bench/cores";
/// How long it runs, in nanoseconds: 250 periods.
const LENGTH: u64 = 500_000_000;

/// Builds the system for each board with several cores, runs it, and counts.
///
/// # Errors
/// Those of building and running it; a trap that finds nothing may take more than it is charged.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for board in BOARDS.iter().filter(|board| !board.cores.is_empty()) {
        rows.extend(rows_on(board, workshop).with_context(|| format!("on {}", board.name))?);
    }
    Ok(rows)
}

fn rows_on(board: &'static Board, workshop: &Workshop) -> Result<Vec<Row>> {
    let variant = Variant { board: Some(board), ..Variant::default() };
    let cores = Cores::build(&root().join(SYSTEM), variant, workshop)?;
    let [rings, hears] = cores.kernels.as_slice() else { bail!("{SYSTEM} has two cores") };
    let texts = [rings, hears].map(|kernel| code(&object::File::parse(kernel.elf.as_slice())?));
    let texts = texts.into_iter().collect::<Result<Vec<_>>>()?;
    let executed = cores.executed(workshop, &texts, after(board, LENGTH))?;
    let [left, right] = executed.as_slice() else { bail!("two cores were logged") };
    let (left, right) = (entries(rings, left)?, entries(hears, right)?);
    let calls = |rings: bool| lengths(&left, |entry| entry.sets_bits && entry.rings == rings);
    let Heard { woken, noted, nothing } = heard(&right);
    let (charged, bound) = (charged(hears)?, second_trap(hears)?);
    ensure!(bound <= charged, "a second trap takes up to {bound} instructions, {charged} are charged");
    let longest = nothing.iter().copied().max().unwrap_or_default();
    ensure!(longest <= bound, "a second trap of {longest} instructions was seen, longer than {bound}");
    let rows = [
        (RUNG, calls(true)),
        (NEAR, calls(false)),
        (WOKEN, woken),
        (NOTED, noted),
        (NOTHING, vec![bound]),
        (CHARGED, vec![charged]),
    ];
    rows.into_iter().map(|(bench, counted)| Row::instructions(bench, board.name, &counted)).collect()
}

/// What the proof charges for a trap that finds nothing.
fn charged(hears: &Kernel) -> Result<u64> {
    let Kernel { project, .. } = hears;
    let system = load::system(project);
    let row = system.interference.iter().find(|row| row.name == "second trap of first");
    let ticks = row.context("the proof has no second trap of `first`")?.worst.get();
    Ok(ticks.saturating_mul(project.tick().into()) >> project.description.board.speed)
}

/// The longest trap of a line that is told to nobody.
fn second_trap(hears: &Kernel) -> Result<u64> {
    let lines = &hears.project.assembly.objects.interrupts;
    let bell = lines.iter().find(|line| line.is_bell).context("the core hears no bell")?;
    let entries = vec![Event::Interrupt(bell.line).entry(&hears.project)];
    Ok(longest_step(&hears.elf, &Request { entries, ..hears.request(&["line_is_raised"])? })?.longest)
}

/// How long the traps take at the core that hears.
#[derive(Debug, Default, PartialEq, Eq)]
struct Heard {
    woken: Vec<u64>,
    noted: Vec<u64>,
    nothing: Vec<u64>,
}

/// The traps for bells, by what becomes of them. The thread of the first bell is the more urgent one: it runs until it waits again,
/// by a call, and a bell that is taken before is that of the second.
fn heard(entries: &[Entry]) -> Heard {
    let (mut heard, mut is_first_at_work) = (Heard::default(), false);
    for Entry { instructions, looks, takes, .. } in entries {
        match (looks, takes) {
            (true, true) if is_first_at_work => heard.noted.push(*instructions),
            (true, true) => {
                heard.woken.push(*instructions);
                is_first_at_work = true;
            }
            (true, false) => heard.nothing.push(*instructions),
            (false, _) => is_first_at_work = false,
        }
    }
    heard
}

fn lengths(entries: &[Entry], is_wanted: impl Fn(&Entry) -> bool) -> Vec<u64> {
    entries.iter().filter(|entry| is_wanted(entry)).map(|entry| entry.instructions).collect()
}

/// A trap, from its first instruction to the one that leaves the kernel.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    instructions: u64,
    /// It is a call that sets bits, or rings.
    sets_bits: bool,
    rings: bool,
    /// It begins with a look for a bell, and what it takes is told to a thread.
    looks: bool,
    takes: bool,
    /// It has gone on with what an earlier step has left over, in between which lines are looked at, too.
    goes_on: bool,
}

/// The traps among all instructions of a kernel from its start on, but for the last, which ends the run. Before that, what a core is
/// called by goes back to the boot.
fn entries(kernel: &Kernel, executed: &[u32]) -> Result<Vec<Entry>> {
    let traps = entered::places(kernel)?;
    let start = kernel.processor().entries.start.symbol;
    let start = symbol_addresses(&kernel.elf, &[start])?;
    let begun =
        executed.iter().position(|address| start.contains(address)).context("the kernel doesn't start")?;
    let places = ["steps::go_on", "beryl_notify", "Bells>::ring", "Bells>::take", "line_is_raised"];
    let places = places.map(|function| symbol_addresses(&kernel.elf, &[function]));
    let places = places.into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut entries: Vec<Entry> = Vec::new();
    for address in &executed[begun..] {
        if traps.contains(address) {
            entries.push(Entry::default());
        }
        let Some(entry) = entries.last_mut() else { continue };
        entry.instructions += 1;
        let Entry { sets_bits, rings, looks, takes, goes_on, .. } = entry;
        let had_gone_on = *goes_on;
        for (place, mark) in places.iter().zip([goes_on, sets_bits, rings, looks, takes]) {
            *mark |= place.contains(address) && !had_gone_on;
        }
    }
    entries.pop();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_at_work_when_a_bell_is_taken_says_whose_it_is() {
        let trap = |instructions, looks, takes| Entry { instructions, looks, takes, ..Entry::default() };
        let entries = [
            trap(9, false, false),
            trap(100, true, true),
            trap(50, true, false),
            trap(80, true, true),
            trap(9, false, false),
            trap(101, true, true),
            trap(9, false, false),
            trap(51, true, false),
            trap(102, true, true),
        ];
        let expected = Heard { woken: vec![100, 101, 102], noted: vec![80], nothing: vec![50, 51] };
        assert_eq!(heard(&entries), expected);
    }
}
