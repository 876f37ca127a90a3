//! State messages: how deep their buffers must be so that no writer overtakes a read.
//!
//! A reader copies the buffer that was the newest when it began. With `depth` buffers, that one is written
//! again when the `depth`-th later write starts. So `depth` must exceed the number of writes that can be in
//! progress or start during one read.

use crate::ticks::{Ticks, TimesTooLarge};

/// How often a state message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writer {
    /// The time between releases; each writes once. Positive.
    pub period: Ticks,
    /// The longest time from a release to the end of its write. For a thread that meets its deadlines: its
    /// deadline.
    pub jitter: Ticks,
    /// How many releases that came while it was late the writer makes up for, one write each. A writer that
    /// makes up for none is never late.
    pub catch_up: u64,
}

/// The most writes that are in progress or start in a window.
///
/// All of them were released in the window, or before it by no more than the jitter. A writer that may be
/// late has one more at work, whenever that was released, and those that it makes up for.
///
/// # Errors
/// [`TimesTooLarge`] if window and jitter together don't fit.
pub fn most_writes(writer: &Writer, window: Ticks) -> Result<u64, TimesTooLarge> {
    let released = window.plus(writer.jitter)?.whole(writer.period).saturating_add(1);
    let late = match writer.catch_up {
        0 => 0,
        most => most.saturating_add(1),
    };
    Ok(released.saturating_add(late))
}

/// The buffers that a state message needs if no read takes longer than `window`: a power of two, at least
/// two.
///
/// # Errors
/// [`TimesTooLarge`] if the number doesn't fit.
pub fn depth(writer: &Writer, window: Ticks) -> Result<u64, TimesTooLarge> {
    most_writes(writer, window)?.checked_add(1).and_then(u64::checked_next_power_of_two).ok_or(TimesTooLarge)
}
