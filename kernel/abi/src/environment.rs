//! The environment window: an emulated board's access to the world.
//!
//! The emulator places a recorded sensor stream into memory outside the image; getters take values from it,
//! setters leave theirs in it. A window without the magic number means that there is no environment.
//!
//! ```text
//! word 0      magic
//! word 1, 2   the instant at which the run ends, in ticks (low, high); all ones: never
//! word 3      number of channels
//! word 4      the purpose of the run: see the constants of [`purpose`]
//! then        for each channel four words: address of its data, bytes per value, values, cursor
//! then        the data; every value starts at a multiple of four
//! ```

/// "BENV": a window is there.
pub const MAGIC: u32 = 0x564E_4542;
/// Words before the first channel.
pub const HEADER_WORDS: u32 = 5;
/// The purpose of a run.
pub mod purpose {
    /// A measurement: nothing is recorded.
    pub const MEASURE: u32 = 0;
    /// Trace records are collected.
    pub const RECORD: u32 = 1;
}

/// Words of a channel.
pub const CHANNEL_WORDS: u32 = 4;

/// A sensor or actuator of the environment, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel(u32);

impl Channel {
    /// Channel `number`.
    #[must_use]
    pub const fn new(number: u32) -> Channel {
        Channel(number)
    }

    /// Its number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }
}
