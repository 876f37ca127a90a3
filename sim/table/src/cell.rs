//! Cells of tables: instants, and values of the types that ports have.

use crate::instant::Nanoseconds;

/// The type of a column, by its name in the timing language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Byte,
    Short,
    Int,
    Long,
    Char,
    Float,
    Double,
}

impl Kind {
    const ALL: [(&'static str, Kind); 8] = [
        ("boolean", Kind::Boolean),
        ("byte", Kind::Byte),
        ("short", Kind::Short),
        ("int", Kind::Int),
        ("long", Kind::Long),
        ("char", Kind::Char),
        ("float", Kind::Float),
        ("double", Kind::Double),
    ];

    pub(super) fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|(other, _)| *other == name).map(|(_, kind)| *kind)
    }

    /// All names, in words.
    pub(super) fn names() -> String {
        Kind::ALL.map(|(name, _)| name).join(", ")
    }

    fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Bytes of a value.
    pub(super) fn length(self) -> usize {
        match self {
            Kind::Boolean | Kind::Byte | Kind::Char => 1,
            Kind::Short => 2,
            Kind::Int | Kind::Float => 4,
            Kind::Long | Kind::Double => 8,
        }
    }

    /// The bytes of a cell.
    pub(super) fn bytes(self, cell: &str) -> Result<Vec<u8>, String> {
        let bytes = match self {
            Kind::Boolean => match cell {
                "0" | "false" => Some(vec![0]),
                "1" | "true" => Some(vec![1]),
                _ => None,
            },
            Kind::Byte => cell.parse::<i8>().ok().map(|value| value.to_le_bytes().to_vec()),
            Kind::Char => cell.parse::<u8>().ok().map(|value| vec![value]),
            Kind::Short => cell.parse::<i16>().ok().map(|value| value.to_le_bytes().to_vec()),
            Kind::Int => cell.parse::<i32>().ok().map(|value| value.to_le_bytes().to_vec()),
            Kind::Long => cell.parse::<i64>().ok().map(|value| value.to_le_bytes().to_vec()),
            Kind::Float => {
                let value = cell.parse::<f32>().ok().filter(|value| value.is_finite());
                value.map(|value| value.to_le_bytes().to_vec())
            }
            Kind::Double => {
                let value = cell.parse::<f64>().ok().filter(|value| value.is_finite());
                value.map(|value| value.to_le_bytes().to_vec())
            }
        };
        bytes.ok_or_else(|| format!("`{cell}` is no {}; write {}", self.name(), self.proposal()))
    }

    fn proposal(self) -> String {
        let range = |least: i64, most: i64| format!("a whole number from {least} to {most}");
        match self {
            Kind::Boolean => "0 or 1".to_owned(),
            Kind::Byte => range(i8::MIN.into(), i8::MAX.into()),
            Kind::Char => range(0, u8::MAX.into()),
            Kind::Short => range(i16::MIN.into(), i16::MAX.into()),
            Kind::Int => range(i32::MIN.into(), i32::MAX.into()),
            Kind::Long => range(i64::MIN, i64::MAX),
            Kind::Float | Kind::Double => "a finite number, as in `-1.5` or `2e-3`".to_owned(),
        }
    }
}

/// The unit of the column of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// How many decimal places lie between it and a nanosecond.
    places: usize,
}

impl Unit {
    /// That of a heading.
    pub(super) fn of(heading: &str) -> Option<Unit> {
        let words: Vec<_> = heading.split_whitespace().collect();
        let places = match words.as_slice() {
            ["time"] | ["time", "s"] => 9,
            ["time", "ms"] => 6,
            ["time", "us"] => 3,
            _ => return None,
        };
        Some(Unit { places })
    }

    /// The instant of a cell, exactly.
    pub(super) fn instant(self, cell: &str) -> Result<Nanoseconds, String> {
        let wrong = || {
            format!("`{cell}` is no time; write a number as in `0.25`, not below 0 and no finer than 1 ns")
        };
        let (whole, fraction) = cell.split_once('.').unwrap_or((cell, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_time = !whole.is_empty() && is_number(whole) && is_number(fraction);
        if !is_time || fraction.len() > self.places {
            return Err(wrong());
        }
        let digits = format!("{whole}{fraction:0<places$}", places = self.places);
        digits.parse().map(Nanoseconds::new).map_err(|_| wrong())
    }
}
