//! What a kernel is entered by in a run. Its processor says where that is, and what tells apart what comes in at one place: there the
//! emulator is asked for the registers, in a run that is identical to the others to the instruction.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::vec;

use anyhow::{Context, Result, bail, ensure};
use beryl_abi::Instant;
use beryl_builder::board::Board;
use beryl_builder::board::code::{Image, image};
use beryl_builder::board::processor::Entries;
use beryl_builder::emulator::log::{self, Registers};
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::workshop::Workshop;

use crate::observed::{Begin, starts};
use crate::step::Kernel;

/// The entries of a kernel, and what came in at them in a run, in its order.
pub struct Entered {
    places: Places,
    /// What was in the registers where these say what came in.
    told: vec::IntoIter<Registers>,
}

impl Entered {
    /// Runs a kernel's system up to an instant.
    ///
    /// # Errors
    /// If the run fails, or the kernel lacks an entry of its processor.
    pub fn of(kernel: &Kernel, workshop: &Workshop, end: Instant) -> Result<Entered> {
        let Kernel { project, built, elf } = kernel;
        let board = project.description.board.board.value;
        let places = Places::of(board, elf)?;
        let window = Accesses::default().window_without_trace(board, end)?;
        let folder = workshop.folder(&project.assembly.name).join("steps");
        let asked = places.asked();
        let speed = project.description.board.speed;
        emulator::run_with_registers(board, &built.image, &window, speed, &folder, &asked)?;
        let path = folder.join(emulator::LOG);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        Ok(Entered { places, told: log::with_registers(&text).into_iter() })
    }

    /// Whether an instruction is the first one of an entry.
    #[must_use]
    pub fn is_entry(&self, address: u32) -> bool {
        self.places.symbols.contains_key(&address)
    }

    /// What came in at an entry that the run is at now. Each is to be asked for once, in the run's order.
    ///
    /// # Errors
    /// If the run in which registers were asked for was at another one.
    pub fn next(&mut self, address: u32) -> Result<Begin> {
        if !self.places.is_asked(address) {
            return Ok(Begin::Other);
        }
        match self.told.next() {
            Some(row) if row.address == address => Ok(self.places.begin(&row)),
            Some(_) => bail!("two runs of one image differ at {address:#x}"),
            None => bail!("two runs of one image differ: one ends at {address:#x}"),
        }
    }
}

/// The first instructions of all entries of a kernel.
///
/// # Errors
/// If the kernel lacks one of its processor.
pub fn places(kernel: &Kernel) -> Result<BTreeSet<u32>> {
    let board = kernel.project.description.board.board.value;
    Ok(Places::of(board, &kernel.elf)?.symbols.into_keys().collect())
}

/// The entries of a kernel.
struct Places {
    /// What the processor says of them.
    entries: Entries,
    /// The line of the board that tells of an alarm.
    alarm: Option<u16>,
    /// The processor's symbols by their addresses.
    symbols: BTreeMap<u32, &'static str>,
    /// The register that has a call's number.
    number: u8,
}

impl Places {
    fn of(board: &Board, elf: &[u8]) -> Result<Places> {
        let file = image::parse(elf)?;
        let [number, ..] = Image::new(&file)?.processor.asked();
        let entries = board.processor.entries;
        let mut symbols = BTreeMap::new();
        for symbol in entries.symbols() {
            let found = starts(&file, &[symbol]);
            ensure!(!found.is_empty(), "the kernel has no `{symbol}`, where {} enters it", board.name);
            symbols.extend(found.into_iter().map(|address| (address, symbol)));
        }
        Ok(Places { entries, alarm: board.kernel_lines.first().copied(), symbols, number })
    }

    /// Where registers say what came in: a call's number, an interrupt's line, or which of several kinds it is.
    fn is_asked(&self, address: u32) -> bool {
        let Entries { calls, lines, alarm, .. } = self.entries;
        let symbols = [Some(calls), Some(lines), alarm].map(|entry| entry.map(|entry| entry.symbol));
        let here = self.symbols.get(&address);
        here.is_some_and(|here| symbols.contains(&Some(*here)))
    }

    fn asked(&self) -> Vec<u32> {
        self.symbols.keys().copied().filter(|address| self.is_asked(*address)).collect()
    }

    /// What came in, by the registers.
    fn begin(&self, row: &Registers) -> Begin {
        let Entries { calls, lines, alarm, .. } = self.entries;
        let here = self.symbols.get(&row.address).copied().unwrap_or_default();
        if calls.takes(here, row.exception) {
            return Begin::Call(row.of(self.number));
        } else if alarm.is_some_and(|alarm| alarm.takes(here, row.exception)) {
            return Begin::Alarm;
        } else if !self.entries.lines_differ {
            let is_line = lines.takes(here, row.exception);
            return if is_line { Begin::Interrupt(None) } else { Begin::Other };
        }
        let first = lines.number.unwrap_or_default();
        match row.exception.checked_sub(first).filter(|_| lines.symbol == here) {
            Some(line) if self.alarm.map(u32::from) == Some(line) => Begin::Alarm,
            Some(line) => Begin::Interrupt(Some(line)),
            None => Begin::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes in on a board, by the symbol and the exception's number. The call's number is 8.
    fn begin(board: &str, symbol: &str, exception: u32) -> Begin {
        let board = Board::named(board).expect("the board");
        let entries = board.processor.entries;
        let symbols: BTreeMap<u32, &'static str> = (16..).step_by(16).zip(entries.symbols()).collect();
        let here = symbols.iter().find(|(_, name)| **name == symbol).map(|(address, _)| *address);
        let places = Places { entries, alarm: board.kernel_lines.first().copied(), symbols, number: 5 };
        let mut row = Registers { address: here.expect("an entry"), exception, ..Registers::default() };
        row.general[5] = 8;
        places.begin(&row)
    }

    #[test]
    fn vectors_tell_calls_and_lines_apart_on_arm() {
        let alarm = u32::from(Board::named("mps2-an385").expect("the board").kernel_lines[0]);
        assert_eq!(begin("mps2-an385", "SVCall", 11), Begin::Call(8));
        assert_eq!(begin("mps2-an385", "DefaultHandler", 16 + alarm), Begin::Alarm);
        assert_eq!(begin("mps2-an385", "DefaultHandler", 16 + 31), Begin::Interrupt(Some(31)));
        assert_eq!(begin("mps2-an505", "DefaultHandler", 15), Begin::Other);
    }

    #[test]
    fn causes_tell_everything_apart_that_comes_in_at_one_trap() {
        let interrupt = 1 << 31;
        assert_eq!(begin("virt", "beryl_trap", 8), Begin::Call(8));
        assert_eq!(begin("virt", "beryl_trap", interrupt | 7), Begin::Alarm);
        assert_eq!(begin("virt", "beryl_trap", interrupt | 11), Begin::Interrupt(None));
        assert_eq!(begin("virt", "beryl_trap", 5), Begin::Other);
    }
}
