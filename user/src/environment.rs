//! The environment: where getters take sensor values and setters leave actuator values.

pub use beryl_abi::environment::Channel;

use crate::platform;
use crate::port::{self, Plain};

/// Takes the next value of a sensor. Without an environment, or if the channel has another length, `value`
/// stays unchanged; after the last value of a recording it keeps that one.
pub fn read<T: Plain>(channel: Channel, value: &mut T) {
    port::change(value, |bytes| platform::environment_read(channel, bytes));
}

/// Leaves a value for an actuator.
pub fn write<T: Plain>(channel: Channel, value: &T) {
    platform::environment_write(channel, port::bytes(value));
}
