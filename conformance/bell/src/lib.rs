//! A bell that rings each 2.7 ms from the start on: the environment of systems with interrupts.
#![forbid(unsafe_code)]

use std::path::Path;

use beryl_abi::Line;
use beryl_abi::environment::Channel;
use beryl_sim::{Environment, Nanoseconds};

/// The line of [interrupt.bell].
const LINE: Line = Line(10);
/// From ring to ring, in ns; as `conformance/app/src/bell.rs` has it.
const INTERVAL: u64 = 2_700_000;

/// The bell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bell;

/// The bell; seed and folder make no difference.
///
/// # Errors
/// None.
pub fn environment(_seed: u64, _folder: &Path) -> Result<Bell, std::convert::Infallible> {
    Ok(Bell)
}

impl Environment for Bell {
    fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

    fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let rings = (after.count() / INTERVAL).checked_add(1)?;
        Some((Nanoseconds::new(rings.checked_mul(INTERVAL)?), LINE))
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        Ok(format!("{} rings", instant.count() / INTERVAL))
    }
}
