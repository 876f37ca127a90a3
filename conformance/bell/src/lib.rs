//! A bell that rings each 2.7 ms from the start on: the environment of systems with interrupts.
#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

/// From ring to ring, in ns; as `conformance/app/src/bell.rs` has it.
const INTERVAL: u64 = 2_700_000;

/// The bell.
#[derive(Clone, Copy, Debug)]
pub struct Bell {
    line: Line,
}

/// The bell on the line of the system's only interrupt; the seed makes no difference.
///
/// # Errors
/// The description can't be read, or has no such line.
pub fn environment(_seed: u64, folder: &Path) -> Result<Bell, String> {
    let text = fs::read_to_string(folder.join("beryl.toml")).map_err(|reason| reason.to_string())?;
    let line = text.lines().find_map(|line| line.strip_prefix("line = ")?.parse().ok());
    line.map(|line| Bell { line: Line(line) }).ok_or_else(|| "no `line = ` for the bell".to_owned())
}

impl Environment for Bell {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let rings = (after.count() / INTERVAL).checked_add(1)?;
        Some((Nanoseconds::new(rings.checked_mul(INTERVAL)?), self.line))
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        Ok(format!("{} rings", instant.count() / INTERVAL))
    }
}
