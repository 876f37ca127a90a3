//! The disassembler: a program as a listing, made from the instruction table.

use core::fmt;

use beryl_abi::Duration;

use crate::condition::{Condition, Relation};
use crate::instruction::{Row, TABLE};
use crate::operand::Operand;
use crate::round::BEATS;

/// The content of a listing; prints itself, an instruction on each line.
///
/// The names are functions, so that a listing can use any names that the caller has: symbols of a container,
/// the builder's model, or plain numbers.
pub struct Listing<'a> {
    /// The instructions.
    pub code: &'a [u32],
    /// The durations that they name.
    pub durations: &'a [Duration],
    /// The conditions that its threads wait for.
    pub conditions: &'a [Condition],
    /// Nanoseconds per tick, to print durations in milliseconds; zero prints ticks.
    pub tick: u32,
    /// The name of a driver.
    pub driver: &'a dyn Fn(u16) -> Option<&'a str>,
    /// The name of a task.
    pub task: &'a dyn Fn(u8) -> Option<&'a str>,
    /// The name of a port.
    pub port: &'a dyn Fn(u16) -> Option<&'a str>,
}

impl fmt::Display for Listing<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (address, word) in self.code.iter().enumerate() {
            write!(out, "{address:4}  ")?;
            match TABLE.iter().find(|row| u32::from(row.opcode) == word & 0xFF) {
                Some(row) => self.instruction(out, row, address, *word)?,
                None => write!(out, "unknown  {word:08x}")?,
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl Listing<'_> {
    fn instruction(&self, out: &mut fmt::Formatter<'_>, row: &Row, address: usize, word: u32) -> fmt::Result {
        if row.operands.is_empty() {
            return write!(out, "{}", row.mnemonic);
        }
        write!(out, "{:<8}", row.mnemonic)?;
        for (position, (operand, place)) in row.operands.iter().enumerate() {
            let separator = if position == 0 { " " } else { ", " };
            write!(out, "{separator}")?;
            self.operand(out, *operand, place.get(word), address)?;
        }
        Ok(())
    }

    fn operand(
        &self,
        out: &mut fmt::Formatter<'_>,
        operand: Operand,
        number: u16,
        address: usize,
    ) -> fmt::Result {
        let [byte, _] = number.to_le_bytes();
        match operand {
            Operand::Driver => name(out, (self.driver)(number), "driver", number),
            Operand::Task => name(out, (self.task)(byte), "task", number),
            Operand::Duration => self.duration(out, byte),
            Operand::Condition => self.condition(out, byte),
            Operand::Count => write!(out, "{number}"),
            Operand::Address => write!(out, "@{number}"),
            Operand::Ahead => write!(out, "@{}", address + 1 + usize::from(number)),
            Operand::Phase => match number {
                0 => write!(out, "outputs"),
                1 => write!(out, "actuators"),
                2 => write!(out, "switches"),
                3 => write!(out, "releases"),
                other => write!(out, "{other}"),
            },
        }
    }

    /// In the assembler's words.
    fn condition(&self, out: &mut fmt::Formatter<'_>, number: u8) -> fmt::Result {
        match self.conditions.get(usize::from(number)) {
            Some(Condition::Clock(duration)) => self.duration(out, *duration),
            Some(Condition::Released(task)) => self.task_in(out, "release", task.0),
            Some(Condition::Completed(task)) => self.task_in(out, "complete", task.0),
            Some(Condition::Changed(port)) => {
                out.write_str("change(")?;
                name(out, (self.port)(port.0), "port", port.0)?;
                out.write_str(")")
            }
            Some(Condition::Compare(port, relation, value)) => {
                name(out, (self.port)(port.0), "port", port.0)?;
                let sign =
                    Relation::ALL.iter().find(|(known, _)| known == relation).map_or("?", |(_, sign)| sign);
                write!(out, " {sign} {value}")
            }
            Some(Condition::Interrupt(line)) => write!(out, "interrupt({})", line.0),
            Some(Condition::Round { length, beats }) => self.round(out, *length, *beats),
            None => write!(out, "condition {number}"),
        }
    }

    /// Its length and its beats, without the last beats that are as long as the round itself.
    fn round(&self, out: &mut fmt::Formatter<'_>, length: u8, beats: [u8; BEATS]) -> fmt::Result {
        out.write_str("round(")?;
        self.duration(out, length)?;
        let told = beats.iter().rposition(|beat| *beat != length).map_or(0, |last| last + 1);
        for beat in beats.iter().take(told) {
            out.write_str(", ")?;
            self.duration(out, *beat)?;
        }
        out.write_str(")")
    }

    fn task_in(&self, out: &mut fmt::Formatter<'_>, what: &str, task: u8) -> fmt::Result {
        write!(out, "{what}(")?;
        name(out, (self.task)(task), "task", task.into())?;
        out.write_str(")")
    }

    fn duration(&self, out: &mut fmt::Formatter<'_>, number: u8) -> fmt::Result {
        let Some(duration) = self.durations.get(usize::from(number)) else {
            return write!(out, "duration {number}");
        };
        if self.tick == 0 {
            return write!(out, "{} ticks", duration.ticks());
        }
        let microseconds = u128::from(duration.ticks()) * u128::from(self.tick) / 1000;
        match (microseconds / 1000, microseconds % 1000) {
            (whole, 0) => write!(out, "{whole}ms"),
            _ => write!(out, "{microseconds}us"),
        }
    }
}

fn name(out: &mut fmt::Formatter<'_>, name: Option<&str>, kind: &str, number: u16) -> fmt::Result {
    match name {
        Some(name) => write!(out, "{name}"),
        None => write!(out, "{kind} {number}"),
    }
}
