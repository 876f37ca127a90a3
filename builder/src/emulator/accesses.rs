//! What a system exchanged with its environment, and the window in which a board finds that again.

use std::collections::BTreeMap;

use beryl_abi::Instant;
use beryl_abi::environment::{CHANNEL_WORDS, HEADER_WORDS, MAGIC, purpose};

use super::{environment, failed};
use crate::error::BuildError;
use crate::plan::Board;

/// What the application exchanged with its environment in a simulation, as the simulation program
/// writes it for `--accesses`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    channels: BTreeMap<u32, Channel>,
}

/// The values of a channel, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Channel {
    length: usize,
    values: Vec<Vec<u8>>,
    is_read: bool,
}

impl Accesses {
    /// Reads a file of accesses.
    ///
    /// # Errors
    /// The file is cut off.
    pub fn parse(bytes: &[u8]) -> Result<Accesses, BuildError> {
        let cut = || failed("reading the exchange with the environment", "the file is cut off");
        let mut accesses = Accesses::default();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (header, tail) = rest.split_at_checked(16).ok_or_else(cut)?;
            let channel = u32::from_le_bytes([header[0], header[1], header[2], header[3]]);
            let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
            let length = usize::try_from(length).map_err(|_| cut())?;
            let padded = length.checked_next_multiple_of(4).ok_or_else(cut)?;
            let (value, tail) = tail.split_at_checked(padded).ok_or_else(cut)?;
            let row = accesses.channels.entry(channel & !WRITTEN).or_default();
            row.length = length;
            row.is_read |= channel & WRITTEN == 0;
            row.values.push(value.to_vec());
            rest = tail;
        }
        Ok(accesses)
    }

    /// The environment window (see `beryl_abi::environment`) at `base`: sensor streams to be read,
    /// room for what is written, and the instant at which the run ends.
    ///
    /// # Errors
    /// The values don't fit into the window of `board`.
    pub fn window(&self, board: &Board, stop: Instant) -> Result<Vec<u8>, BuildError> {
        self.window_for(purpose::RECORD, board, stop)
    }

    /// The same for a run in which something is measured: the kernel's trace points stay off.
    ///
    /// # Errors
    /// As [`Accesses::window`].
    pub fn window_without_trace(&self, board: &Board, stop: Instant) -> Result<Vec<u8>, BuildError> {
        self.window_for(purpose::MEASURE, board, stop)
    }

    /// The same for a run in which the environment answers ([`Live`](super::Live)): with room for one value of each channel, so that
    /// a run may be of any length. A sensor's is the first that it gave in the simulation, which is what its port held
    /// at the start if the environment gives nothing.
    ///
    /// # Errors
    /// As [`Accesses::window`].
    pub fn live_window(&self, board: &Board, stop: Instant) -> Result<Vec<u8>, BuildError> {
        let mut first = self.clone();
        first.channels.values_mut().for_each(|channel| channel.values.truncate(1));
        first.window_for(purpose::RECORD, board, stop)
    }

    fn window_for(&self, purpose: u32, board: &Board, stop: Instant) -> Result<Vec<u8>, BuildError> {
        let device = environment(board)?;
        let base = device.interval.base;
        let long = |_| failed("writing the environment's window", "a run this long doesn't fit into it");
        let count = self.channels.keys().next_back().map_or(0, |last| last.saturating_add(1));
        if count > MOST_CHANNELS {
            let reason = format!(
                "channel {} is used; channels are numbered from 0 to {}",
                count - 1,
                MOST_CHANNELS - 1
            );
            return Err(failed("writing the environment's window", &reason));
        }
        let rows = HEADER_WORDS + count * CHANNEL_WORDS;
        let mut words = vec![MAGIC];
        words.extend(halves(stop.ticks()));
        words.extend([count, purpose]);
        let mut data = Vec::new();
        for number in 0..count {
            let channel = self.channels.get(&number).cloned().unwrap_or_default();
            let address = base + rows * 4 + u32::try_from(data.len()).map_err(long)?;
            let [length, values] = [channel.length, channel.values.len()].map(u32::try_from);
            words.extend([address, length.map_err(long)?, values.map_err(long)?, 0]);
            for value in &channel.values {
                match channel.is_read {
                    true => data.extend_from_slice(value),
                    false => data.resize(data.len() + value.len(), 0),
                }
            }
        }
        let mut window: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        window.extend(data);
        let room = device.interval.length().get();
        if window.len() > usize::try_from(room).unwrap_or(usize::MAX) {
            let reason = format!(
                "{} bytes are exchanged, the window has {room}; make the run shorter, or \
                 let the environment answer with `--live`",
                window.len()
            );
            return Err(failed("writing the environment's window", &reason));
        }
        Ok(window)
    }
}

/// The most channels that a window has: their rows take 16 of its 1024 kB.
const MOST_CHANNELS: u32 = 1024;

/// The bit that tells a written value from a read one.
const WRITTEN: u32 = 1 << 31;

fn halves(ticks: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = ticks.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::BOARDS;

    /// A sensor's two values of two bytes (channel 0) and an actuator's of four (channel 1).
    const ACCESSES: [u8; 56] = {
        let mut bytes = [0; 56];
        bytes[4] = 2;
        (bytes[16], bytes[17]) = (7, 8);
        bytes[24] = 2;
        (bytes[36], bytes[37]) = (9, 10);
        (bytes[40], bytes[43], bytes[44]) = (1, 0x80, 4);
        bytes
    };

    fn words(window: &[u8]) -> Vec<u32> {
        let words = window.chunks_exact(4).filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?)));
        words.collect()
    }

    #[test]
    fn a_window_says_what_the_run_is_for() -> Result<(), BuildError> {
        let mut bytes = ACCESSES.to_vec();
        bytes.extend([1, 2, 3, 4]);
        let accesses = Accesses::parse(&bytes)?;
        let stop = Instant::from_ticks(1 << 32 | 5);
        let recorded = words(&accesses.window(&BOARDS[0], stop)?);
        let base = BOARDS[0].device("environment").map_or(0, |device| device.interval.base);
        let rows = [base + 52, 2, 2, 0, base + 60, 4, 1, 0];
        assert_eq!(recorded[..5], [MAGIC, 5, 1, 2, purpose::RECORD]);
        assert_eq!(recorded[5..13], rows);
        assert_eq!(recorded[13..], [0x0807, 0x0A09, 0], "values read, then room for what is written");
        let measured = words(&accesses.window_without_trace(&BOARDS[0], stop)?);
        assert_eq!(measured[4], purpose::MEASURE);
        assert_eq!((&measured[..4], &measured[5..]), (&recorded[..4], &recorded[5..]));
        Ok(())
    }

    #[test]
    fn exchanges_that_are_cut_off_are_refused() {
        for length in 1..ACCESSES.len() {
            let whole = [20, 40].contains(&length);
            assert_eq!(Accesses::parse(&ACCESSES[..length]).is_ok(), whole, "{length} bytes");
        }
    }

    #[test]
    fn a_channel_without_room_for_its_row_is_refused() -> Result<(), BuildError> {
        for (channel, fits) in [(1023_u32, true), (1024, false), (u32::MAX >> 1, false)] {
            let access = [channel.to_le_bytes(), 4_u32.to_le_bytes(), [0; 4], [0; 4], [7; 4]].concat();
            let window = Accesses::parse(&access)?.window(&BOARDS[0], Instant::from_ticks(1));
            assert_eq!(window.is_ok(), fits, "channel {channel}");
        }
        Ok(())
    }
}
