//! Conditions: `10ms`, `release(t)`, `complete(t)`, `change(p)`, `interrupt(5)`, `p >= 3`.

use beryl_abi::{Line, ThreadId};
use beryl_syscode::round::BEATS;
use beryl_syscode::{Condition, PortId, Relation};

use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::operand::find;
use crate::parse::Assembler;
use crate::suggest::instead;
use crate::token::Kind;

const FUNCTIONS: [&str; 6] = ["clock", "release", "complete", "change", "interrupt", "round"];

/// Reads a condition.
pub(crate) fn read(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<Condition, Diagnostic> {
    let spot = cursor.spot();
    if let Some(Kind::Number(..)) = cursor.peek() {
        let duration = assembler.time(cursor)?;
        return byte(cursor, assembler.pooled(spot, duration)?).map(Condition::Clock);
    }
    if let (Some(Kind::Word(function)), Some(Kind::Sign("("))) = (cursor.peek(), cursor.peek_second()) {
        cursor.next();
        cursor.expect("(")?;
        let condition = of_function(assembler, function, cursor, spot)?;
        cursor.expect(")")?;
        return Ok(condition);
    }
    let port = port(assembler, cursor)?;
    let relation = relation(cursor)?;
    let value = cursor.number("value", "a whole number of 32 bits")?;
    Ok(Condition::Compare(port, relation, value))
}

fn of_function(
    assembler: &mut Assembler,
    function: &str,
    cursor: &mut Cursor<'_>,
    spot: crate::diagnostic::Spot,
) -> Result<Condition, Diagnostic> {
    let task = |cursor: &mut Cursor<'_>| {
        let number = assembler.task(cursor)?;
        byte(cursor, number).map(ThreadId)
    };
    match function {
        "clock" => duration(assembler, cursor).map(Condition::Clock),
        "round" => round(assembler, cursor),
        "release" => task(cursor).map(Condition::Released),
        "complete" => task(cursor).map(Condition::Completed),
        "change" => port(assembler, cursor).map(Condition::Changed),
        "interrupt" => cursor.number("line", "0 to 65535").map(|line| Condition::Interrupt(Line(line))),
        other => {
            let proposal =
                instead(other, FUNCTIONS.into_iter(), format!("known are {}", FUNCTIONS.join(", ")));
            Err(spot.wrong(format!("there is no condition `{other}`"), proposal))
        }
    }
}

/// A duration, or its number in the pool.
fn duration(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<u8, Diagnostic> {
    let spot = cursor.spot();
    let number = match cursor.skip("#") {
        true => usize::from(cursor.number::<u8>("number", "0 to 255")?),
        false => {
            let duration = assembler.time(cursor)?;
            assembler.pooled(spot, duration)?
        }
    };
    byte(cursor, number)
}

/// A round's length, and its beats.
fn round(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<Condition, Diagnostic> {
    let length = duration(assembler, cursor)?;
    let mut beats = [length; BEATS];
    let mut places = beats.iter_mut();
    while cursor.skip(",") {
        let spot = cursor.spot();
        let beat = duration(assembler, cursor)?;
        match places.next() {
            Some(place) => *place = beat,
            None => {
                let proposal =
                    "leave out beats that are numbers of another one: their instants are among its own";
                return Err(spot.wrong(format!("a round has at most {BEATS} beats"), proposal));
            }
        }
    }
    Ok(Condition::Round { length, beats })
}

fn port(assembler: &Assembler, cursor: &mut Cursor<'_>) -> Result<PortId, Diagnostic> {
    let spot = cursor.spot();
    let number = find(&assembler.program.ports, "port", cursor)?;
    let number =
        u16::try_from(number).map_err(|_| spot.wrong("there are too many ports", "65536 at most"))?;
    Ok(PortId(number))
}

fn relation(cursor: &mut Cursor<'_>) -> Result<Relation, Diagnostic> {
    let spot = cursor.spot();
    let found = match cursor.next() {
        Some(Kind::Sign(sign)) => Relation::ALL.into_iter().find(|(_, other)| other == sign),
        _ => None,
    };
    found.map(|(relation, _)| relation).ok_or_else(|| {
        spot.wrong("how the port is compared is missing", "write one of <, <=, ==, !=, >=, >, and a number")
    })
}

fn byte(cursor: &Cursor<'_>, number: usize) -> Result<u8, Diagnostic> {
    let wrong = || cursor.spot().wrong(format!("there is no number {number} here"), "numbers go to 255");
    u8::try_from(number).map_err(|_| wrong())
}
