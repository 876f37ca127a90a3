//! A device that carries one transfer at a time, and holds its line up from a transfer's end until the next
//! is started: the environment of systems with transfers.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

/// Starts a transfer of so many microseconds; as `conformance/app/src/carrier.rs` has it.
const START: Channel = Channel::new(0);
/// Whether it has ended, likewise.
const DONE: Channel = Channel::new(1);

/// The device.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    line: Line,
    /// When the transfer ends that was started last.
    end: Option<Nanoseconds>,
    started: u64,
}

/// The device on the line of the system's only interrupt; the seed makes no difference.
///
/// # Errors
/// The description can't be read, or has no such line.
pub fn environment(_seed: u64, folder: &Path) -> Result<Carrier, String> {
    let text = fs::read_to_string(folder.join("beryl.toml")).map_err(|reason| reason.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("line = ")?.parse().ok());
    let line = line.map(Line).ok_or_else(|| "no `line = ` for the carrier".to_owned())?;
    Ok(Carrier { line, end: None, started: 0 })
}

impl Carrier {
    fn has_ended(&self, instant: Nanoseconds) -> bool {
        self.end.is_some_and(|end| end <= instant)
    }
}

impl Environment for Carrier {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        if channel == DONE {
            let answer = i32::from(self.has_ended(instant)).to_le_bytes();
            value.iter_mut().zip(answer).for_each(|(to, from)| *to = from);
        }
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        let Ok(bytes) = value.try_into() else { return };
        if channel == START {
            let length = u64::from(u32::from_le_bytes(bytes)).saturating_mul(1000);
            self.end = Some(Nanoseconds::new(instant.count().saturating_add(length)));
            self.started += 1;
        }
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        self.end.filter(|end| *end > after).map(|end| (end, self.line))
    }

    fn level(&mut self, instant: Nanoseconds, _line: Line) -> Option<bool> {
        Some(self.has_ended(instant))
    }

    fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
        Ok(format!("{} transfers", self.started))
    }
}
