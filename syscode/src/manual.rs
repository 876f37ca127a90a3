//! The manual page's table of instructions, made from the instruction table.

use core::fmt;

use crate::instruction::{Operand, Place, Row, TABLE};

/// The instructions as a table in markdown; prints itself, a line for each.
pub struct Manual;

impl fmt::Display for Manual {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "| opcode | instruction | bits 8 to 15 | bits 16 to 31 | what it does |")?;
        writeln!(out, "|---|---|---|---|---|")?;
        TABLE.iter().try_for_each(|row| instruction(out, row))
    }
}

fn instruction(out: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let [a, b] = [Place::A, Place::B].map(|place| operand_at(row, place));
    writeln!(out, "| {:#04x} | `{}` | {a} | {b} | {} |", row.opcode, row.mnemonic, row.meaning)
}

/// What the operand at `place` is; nothing where the bits aren't used.
fn operand_at(row: &Row, place: Place) -> &'static str {
    let operand = row.operands.iter().find(|(_, at)| *at == place);
    operand.map_or("", |(operand, _)| match operand {
        Operand::Driver => "driver",
        Operand::Task => "task",
        Operand::Duration => "duration",
        Operand::Address => "address",
        Operand::Phase => "phase",
    })
}
