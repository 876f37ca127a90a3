//! The manual page's table of instructions, made from the instruction table.

use core::fmt;

use crate::instruction::{Row, TABLE};
use crate::operand::Place;

/// The instructions as a table in markdown; prints itself, a line for each.
pub struct Manual;

impl fmt::Display for Manual {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "| opcode | instruction | bits 8 to 15 | bits 16 to 23 | bits 24 to 31 | what it does |"
        )?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        TABLE.iter().try_for_each(|row| instruction(out, row))
    }
}

fn instruction(out: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let [a, b, c, d] = [Place::A, Place::B, Place::C, Place::D].map(|place| operand_at(row, place));
    let wide = if b.is_empty() { "" } else { ", both bytes" };
    writeln!(out, "| {:#04x} | `{}` | {a} | {b}{wide}{c} | {d} | {} |", row.opcode, row.mnemonic, row.meaning)
}

/// The operand at `place`; empty if the bits aren't used.
fn operand_at(row: &Row, place: Place) -> &'static str {
    let operand = row.operands.iter().find(|(_, at)| *at == place);
    operand.map_or("", |(operand, _)| operand.name())
}
