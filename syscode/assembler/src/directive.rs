//! Directives: what a program has beside its code.

use beryl_syscode::Exception;

use crate::condition;
use crate::cursor::Cursor;
use crate::diagnostic::Diagnostic;
use crate::parse::Assembler;
use crate::suggest::instead;
use crate::token::Kind;

/// All directives.
pub(crate) const DIRECTIVES: [&str; 14] = [
    "module",
    "tick",
    "task",
    "driver",
    "port",
    "durations",
    "conditions",
    "triggers",
    "threads",
    "start",
    "handle",
    "complete",
    "certificate",
    "word",
];

/// Carries out a directive that declares names or sizes; others are left for [`place`].
pub(crate) fn declare(
    assembler: &mut Assembler,
    name: &str,
    cursor: &mut Cursor<'_>,
) -> Result<(), Diagnostic> {
    cursor.next();
    let program = &mut assembler.program;
    match name {
        "module" => program.module = short(cursor, "module")?,
        "tick" => assembler.tick = Some(tick(cursor)?),
        "task" => list(cursor, |cursor| short(cursor, "task").map(|name| program.tasks.push(name)))?,
        "driver" => list(cursor, |cursor| short(cursor, "driver").map(|name| program.drivers.push(name)))?,
        "port" => list(cursor, |cursor| short(cursor, "port").map(|name| program.ports.push(name)))?,
        "triggers" => program.trigger_places = cursor.number("number of places", "1 to 255")?,
        "threads" => program.thread_places = cursor.number("number of places", "0 to 255")?,
        "certificate" => list(cursor, |cursor| {
            program.certificate.push(cursor.number("number of ticks", "0 to 4294967295")?);
            Ok(())
        })?,
        "durations" => list(cursor, |cursor| {
            let time = assembler.time(cursor)?;
            assembler.program.durations.push(time);
            Ok(())
        })?,
        _ => return Ok(()),
    }
    cursor.finish()
}

/// Carries out a directive that needs names or labels; others are done already.
pub(crate) fn place(
    assembler: &mut Assembler,
    name: &str,
    cursor: &mut Cursor<'_>,
) -> Result<(), Diagnostic> {
    cursor.next();
    match name {
        "conditions" => list(cursor, |cursor| {
            let condition = condition::read(assembler, cursor)?;
            assembler.program.conditions.push(condition);
            Ok(())
        })?,
        "start" => assembler.program.start = address(assembler, cursor)?,
        "handle" => {
            let exception = exception(cursor)?;
            cursor.expect(",")?;
            let address = address(assembler, cursor)?;
            assembler.program.handlers.push((exception, address));
        }
        "complete" => {
            let spot = cursor.spot();
            let task = u8::try_from(assembler.task(cursor)?)
                .map_err(|_| spot.wrong("there are too many tasks", "a program has at most 255"))?;
            cursor.expect(",")?;
            let address = address(assembler, cursor)?;
            assembler.program.completions.push((task, address));
        }
        _ => return Ok(()),
    }
    cursor.finish()
}

/// A word as it is.
pub(crate) fn word(cursor: &mut Cursor<'_>) -> Result<u32, Diagnostic> {
    cursor.next();
    let word = cursor.number("word", "a number of 32 bits, such as 0x00000007")?;
    cursor.finish()?;
    Ok(word)
}

/// Items with commas between them, perhaps none.
fn list(
    cursor: &mut Cursor<'_>,
    mut item: impl FnMut(&mut Cursor<'_>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    while !cursor.is_at_end() {
        item(cursor)?;
        if !cursor.skip(",") {
            break;
        }
    }
    Ok(())
}

/// A name that fits into the container.
fn short(cursor: &mut Cursor<'_>, what: &str) -> Result<String, Diagnostic> {
    let spot = cursor.spot();
    let name = cursor.name(what)?;
    match name.len() {
        0..=255 => Ok(name.to_owned()),
        length => Err(spot.wrong(format!("the name has {length} bytes"), "a name has at most 255")),
    }
}

fn tick(cursor: &mut Cursor<'_>) -> Result<u64, Diagnostic> {
    let spot = cursor.spot();
    let length = match cursor.next() {
        Some(Kind::Number(value, Some(unit))) => {
            u64::try_from(*value).ok().and_then(|value| value.checked_mul(*unit)).filter(|length| *length > 0)
        }
        _ => None,
    };
    length.ok_or_else(|| {
        spot.wrong("the length of a tick is missing", "write a time with its unit, such as `40ns`")
    })
}

fn exception(cursor: &mut Cursor<'_>) -> Result<Exception, Diagnostic> {
    let spot = cursor.spot();
    let name = cursor.name("exception")?;
    let found = Exception::ALL.into_iter().find(|(_, other)| *other == name);
    found.map(|(exception, _)| exception).ok_or_else(|| {
        let names = Exception::ALL.map(|(_, name)| name);
        let proposal = instead(name, names.into_iter(), format!("exceptions are {}", names.join(", ")));
        spot.wrong(format!("there is no exception `{name}`"), proposal)
    })
}

fn address(assembler: &Assembler, cursor: &mut Cursor<'_>) -> Result<u16, Diagnostic> {
    let spot = cursor.spot();
    let address = assembler.address(cursor)?;
    u16::try_from(address)
        .map_err(|_| spot.wrong("the address is too far", "a program has at most 65535 instructions"))
}
