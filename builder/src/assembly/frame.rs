//! The frame of a system with partitions: which bands may have the processor when, in ticks.

use beryl_abi::Duration;

use super::{Assembly, Thread};
use crate::description::Description;

/// When which partition may have the processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The partitions, by their names.
    pub partitions: Vec<String>,
    /// The windows, one after the other, without gaps: what belongs to nobody is a window, too.
    pub windows: Vec<Stretch>,
}

/// A stretch of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Whose it is: the number of a partition; nobody's, if none.
    pub partition: Option<usize>,
    /// Where it begins in the frame.
    pub from: Duration,
    /// How long it is; positive.
    pub lasts: Duration,
}

impl Frame {
    /// The frame of a description; nothing at all if that has no partitions.
    pub(super) fn of(description: &Description) -> Frame {
        let Some(described) = &description.partitions else { return Frame::default() };
        let tick = description.board.board.tick;
        let mut frame = Frame::default();
        for name in description.bands.iter().filter_map(|band| band.in_partition()) {
            if !frame.partitions.iter().any(|known| known == name) {
                frame.partitions.push(name.to_owned());
            }
        }
        let mut end = Duration::ZERO;
        for window in &described.windows {
            let partition = frame.partitions.iter().position(|name| *name == window.partition.value);
            frame.add(None, end, window.from.value.rounded_down(tick));
            end = window.until.value.rounded_down(tick);
            frame.add(partition, window.from.value.rounded_down(tick), end);
        }
        frame.add(None, end, described.frame.value.rounded_down(tick));
        frame
    }

    fn add(&mut self, partition: Option<usize>, from: Duration, until: Duration) {
        let lasts = Duration::from_ticks(until.ticks().saturating_sub(from.ticks()));
        if lasts > Duration::ZERO {
            self.windows.push(Stretch { partition, from, lasts });
        }
    }

    /// How long the frame is.
    #[must_use]
    pub fn length(&self) -> Duration {
        self.windows.iter().fold(Duration::ZERO, |all, window| all.plus(window.lasts))
    }

    /// The windows of a partition.
    pub fn of_partition(&self, partition: usize) -> impl Iterator<Item = &Stretch> {
        self.windows.iter().filter(move |window| window.partition == Some(partition))
    }
}

impl Assembly {
    /// Whether bands may have the processor in windows only.
    #[must_use]
    pub fn has_partitions(&self) -> bool {
        !self.frame.windows.is_empty()
    }

    /// The partition in which a thread stands; nothing, if in none.
    #[must_use]
    pub fn partition_of(&self, thread: &Thread) -> Option<usize> {
        self.bands.get(thread.band)?.partition
    }
}
