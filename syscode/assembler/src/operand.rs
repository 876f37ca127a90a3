//! Operands of instructions: names to numbers.

use beryl_abi::Duration;
use beryl_syscode::operand::{Operand, Place};

use crate::condition;
use crate::cursor::Cursor;
use crate::diagnostic::{Diagnostic, Spot};
use crate::parse::Assembler;
use crate::suggest::instead;
use crate::token::Kind;

/// Names of phases, in the order of their numbers.
pub(crate) const PHASES: [&str; 4] = ["outputs", "actuators", "switches", "releases"];

impl Assembler {
    /// Reads the operand of an instruction at `address`; answers the bits of its word.
    pub fn operand(
        &mut self,
        cursor: &mut Cursor<'_>,
        operand: Operand,
        place: Place,
        address: usize,
    ) -> Result<u32, Diagnostic> {
        let spot = cursor.spot();
        let number = match cursor.skip("#") {
            true => cursor.number("number", "a whole number from 0")?,
            false => self.number(cursor, operand, address)?,
        };
        if number > usize::from(operand.largest().min(place.largest())) {
            let reason = format!("the {} doesn't fit into the instruction", operand.name());
            return Err(spot.wrong(reason, format!("there are {} places", usize::from(place.largest()) + 1)));
        }
        Ok(place.put(u16::try_from(number).unwrap_or(u16::MAX)))
    }

    fn number(
        &mut self,
        cursor: &mut Cursor<'_>,
        operand: Operand,
        address: usize,
    ) -> Result<usize, Diagnostic> {
        let spot = cursor.spot();
        match operand {
            Operand::Driver => find(&self.program.drivers, "driver", cursor),
            Operand::Task => self.task(cursor),
            Operand::Duration => {
                let duration = self.time(cursor)?;
                self.pooled(spot, duration)
            }
            Operand::Condition => {
                let condition = condition::read(self, cursor)?;
                let number = self.program.condition(condition);
                number.map(usize::from).ok_or_else(|| full(spot, "conditions"))
            }
            Operand::Address => self.address(cursor),
            Operand::Ahead => {
                let target = self.address(cursor)?;
                let distance = target.checked_sub(address + 1).filter(|distance| *distance <= 255);
                distance.ok_or_else(|| {
                    let reason = "the address isn't one of the 256 instructions ahead";
                    spot.wrong(reason, "go to a `jump` within reach that goes there")
                })
            }
            Operand::Count => cursor.number::<u8>("count", "1 to 255").map(usize::from),
            Operand::Phase => phase(cursor),
        }
    }

    pub fn task(&self, cursor: &mut Cursor<'_>) -> Result<usize, Diagnostic> {
        find(&self.program.tasks, "task", cursor)
    }

    /// A duration's number in the pool.
    pub fn pooled(&mut self, spot: Spot, duration: Duration) -> Result<usize, Diagnostic> {
        self.program.duration(duration).map(usize::from).ok_or_else(|| full(spot, "durations"))
    }

    /// A time: ticks, or a number with a unit.
    pub fn time(&self, cursor: &mut Cursor<'_>) -> Result<Duration, Diagnostic> {
        let spot = cursor.spot();
        let (value, unit) = match cursor.next() {
            Some(Kind::Number(value, unit)) => (*value, *unit),
            _ => return Err(spot.wrong("a time is missing", "write one such as `10ms`, or ticks")),
        };
        let value = u64::try_from(value)
            .ok()
            .filter(|value| *value > 0)
            .ok_or_else(|| spot.wrong("a time must be longer than nothing", "write a number above 0"))?;
        match (unit, self.tick) {
            (None, _) => Ok(Duration::from_ticks(value)),
            (Some(_), None) => {
                let reason = "nothing says how long a tick is";
                Err(spot.wrong(reason, "put a line such as `tick 1us` above, or write ticks"))
            }
            (Some(unit), Some(tick)) => {
                let length = u128::from(value) * u128::from(unit);
                let ticks = length / u128::from(tick);
                match u64::try_from(ticks) {
                    Ok(ticks) if length.is_multiple_of(u128::from(tick)) => Ok(Duration::from_ticks(ticks)),
                    _ => Err(spot.wrong(
                        format!("the time isn't whole ticks of {tick} ns"),
                        format!("the nearest below is {ticks} ticks"),
                    )),
                }
            }
        }
    }

    /// An address: a label, or `@` and a number.
    pub fn address(&self, cursor: &mut Cursor<'_>) -> Result<usize, Diagnostic> {
        if cursor.skip("@") {
            return cursor.number::<u16>("address", "0 to 65535").map(usize::from);
        }
        let spot = cursor.spot();
        let name = cursor.name("label")?;
        self.labels.get(name).copied().ok_or_else(|| {
            let labels = self.labels.keys().map(String::as_str);
            let proposal = instead(name, labels, format!("put `{name}:` before an instruction"));
            spot.wrong(format!("there is no label `{name}`"), proposal)
        })
    }
}

/// The number of a name in a list.
pub(crate) fn find(names: &[String], what: &str, cursor: &mut Cursor<'_>) -> Result<usize, Diagnostic> {
    if cursor.skip("#") {
        return cursor.number::<u16>("number", "a whole number from 0").map(usize::from);
    }
    let spot = cursor.spot();
    let name = cursor.name(what)?;
    let mut found = names.iter().enumerate().filter(|(_, other)| *other == name).map(|(number, _)| number);
    match (found.next(), found.next()) {
        (Some(number), None) => Ok(number),
        (Some(first), Some(second)) => Err(spot.wrong(
            format!("there are two {what}s called `{name}`"),
            format!("write `#{first}` or `#{second}`"),
        )),
        _ => {
            let otherwise = format!("add a line `{what} {name}`");
            let proposal = instead(name, names.iter().map(String::as_str), otherwise);
            Err(spot.wrong(format!("there is no {what} `{name}`"), proposal))
        }
    }
}

fn phase(cursor: &mut Cursor<'_>) -> Result<usize, Diagnostic> {
    if let Some(Kind::Number(..)) = cursor.peek() {
        return cursor.number::<u8>("phase", "0 to 3").map(usize::from);
    }
    let spot = cursor.spot();
    let name = cursor.name("phase")?;
    let number = PHASES.iter().position(|other| *other == name);
    number.ok_or_else(|| {
        let proposal = instead(name, PHASES.into_iter(), format!("phases are {}", PHASES.join(", ")));
        spot.wrong(format!("there is no phase `{name}`"), proposal)
    })
}

fn full(spot: Spot, what: &str) -> Diagnostic {
    spot.wrong(
        format!("there are too many different {what}"),
        "a program has at most 255; divide it into two modules",
    )
}
