//! What a node has published of one link: its last values, each with the time from which it was there.

use std::collections::VecDeque;

use beryl_abi::{Instant, link};

use crate::environment::Nanoseconds;
use crate::plugged::{Broken, Shared};

/// How many are kept. A frame is sent before the value behind the next one is there.
const KEPT: usize = 3;

/// The values of a link.
#[derive(Clone, Debug)]
pub(super) struct Published {
    /// The link.
    pub(super) link: usize,
    /// Where it is.
    pub(super) address: u32,
    length: u32,
    last: VecDeque<Entry>,
}

/// A value.
#[derive(Clone, Debug)]
struct Entry {
    counts: Instant,
    since: Nanoseconds,
    value: Vec<u8>,
}

impl Published {
    /// A link of which nothing has been published.
    pub(super) fn of(link: usize, address: u32, length: u32) -> Published {
        Published { link, address, length, last: VecDeque::new() }
    }

    /// The node has just published something.
    pub(super) fn note(&mut self, memory: &impl Shared, now: Nanoseconds) -> Result<(), Broken> {
        let newest = memory.word(self.address)?;
        let mut stamp = [0; 8];
        memory.read(self.address.saturating_add(link::stamp(newest, self.length)), &mut stamp)?;
        let mut value = vec![0; usize::try_from(self.length).unwrap_or_default()];
        memory.read(self.address.saturating_add(link::value(newest, self.length)), &mut value)?;
        self.last.push_back(Entry {
            counts: Instant::from_ticks(u64::from_le_bytes(stamp)),
            since: now,
            value,
        });
        if self.last.len() > KEPT {
            self.last.pop_front();
        }
        Ok(())
    }

    /// The value that counts from an instant on, if it was there at a time.
    pub(super) fn at(&self, counts: Instant, time: Nanoseconds) -> Option<&[u8]> {
        let found = self.last.iter().find(|entry| entry.counts == counts && entry.since <= time)?;
        Some(&found.value)
    }
}
