//! The text form of a recording.
//!
//! ```text
//! [sensors]
//! instant_ns,name,bytes,value
//! # Navigation.gps: float
//! 0,Navigation.gps,0000c03f,1.5
//! [actuators]
//! instant_ns,name,bytes,value
//! # Control.servo: float
//! 20000000,Control.servo,cdcccc3d,0.1
//! ```
//!
//! Only the bytes count as the value; the readable value after them, and the types on lines of their own, are
//! for people. Empty lines and lines that begin with `#` are ignored.

use std::collections::BTreeMap;
use std::num::ParseIntError;

use super::{Recording, Sample, readable, type_of};
use crate::clock::LogicalInstant;
use crate::names::Names;
use crate::value::{ValueType, hex};

const SENSORS: &str = "[sensors]";
const ACTUATORS: &str = "[actuators]";
const HEADER: &str = "instant_ns,name,bytes,value";

/// Why a text is not a recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct RecordingError {
    /// The line number, from 1.
    pub line: usize,
    /// The problem, and what was expected.
    pub reason: String,
}

impl Recording {
    /// The text form; the names make the values readable.
    #[must_use]
    pub fn to_text(&self, names: &Names) -> String {
        let mut text = String::new();
        for (heading, samples) in [(SENSORS, &self.sensors), (ACTUATORS, &self.actuators)] {
            text += &format!("{heading}\n{HEADER}\n");
            let mut types: BTreeMap<&str, Option<&ValueType>> = BTreeMap::new();
            for sample in samples {
                types.entry(&sample.name).or_insert_with(|| type_of(sample, names));
            }
            for (name, known) in types.iter().filter_map(|(name, known)| Some((name, (*known)?))) {
                text += &format!("# {}: {known}\n", escape(name));
            }
            for sample in samples {
                let name = escape(&sample.name);
                let (instant, bytes) = (sample.instant.nanoseconds(), hex(&sample.value));
                let known = types.get(sample.name.as_str()).copied().flatten();
                text += &format!("{instant},{name},{bytes},{}\n", readable(sample, known));
            }
        }
        text
    }

    /// Parses the text form.
    ///
    /// # Errors
    ///
    /// The first line that can't be read, with the reason.
    pub fn parse(text: &str) -> Result<Recording, RecordingError> {
        let mut recording = Recording::default();
        let mut list = None;
        for (index, line) in text.lines().enumerate() {
            let wrong = |reason| RecordingError { line: index + 1, reason };
            match line.trim_end() {
                "" | HEADER => {}
                SENSORS => list = Some(&mut recording.sensors),
                ACTUATORS => list = Some(&mut recording.actuators),
                comment if comment.starts_with('#') => {}
                line => match &mut list {
                    Some(list) => list.push(sample(line).map_err(wrong)?),
                    None => return Err(wrong(format!("a sample before `{SENSORS}` or `{ACTUATORS}`"))),
                },
            }
        }
        Ok(recording)
    }
}

fn sample(line: &str) -> Result<Sample, String> {
    let mut columns = line.splitn(4, ',');
    let mut column = || columns.next().ok_or_else(|| format!("expected `{HEADER}`, found `{line}`"));
    let (instant, name, bytes) = (column()?, column()?, column()?);
    let instant = instant
        .parse()
        .map(LogicalInstant::from_nanoseconds)
        .map_err(|error: ParseIntError| format!("`{instant}` is not an instant in nanoseconds: {error}"))?;
    let name =
        unescape(name).ok_or_else(|| format!("`{name}` is not a name: % is followed by two digits"))?;
    let value = unhex(bytes).ok_or_else(|| format!("`{bytes}` are not pairs of hexadecimal digits"))?;
    Ok(Sample { instant, name, value })
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |[high, low]: &[u8; 2]| Some(digit(*high)? << 4 | digit(*low)?);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

/// Names are identifiers, but no other text may break the columns either.
fn escape(name: &str) -> String {
    let reserved = |character: char| character.is_control() || matches!(character, ',' | '%' | '#' | '[');
    name.chars()
        .map(|character| match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() && reserved(character) => format!("%{byte:02x}"),
            _ => character.to_string(),
        })
        .collect()
}

fn unescape(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut name = parts.next()?.to_owned();
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        let [byte] = unhex(digits)?.try_into().ok()?;
        name.push(char::from(byte));
        name.push_str(rest);
    }
    Some(name)
}
