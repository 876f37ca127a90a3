//! Peers: who is at the other end of the console's line.

use std::collections::VecDeque;

use crate::environment::Nanoseconds;

/// Whoever hears what the console's device sends, and sends bytes itself.
pub trait Peer {
    /// The next byte that it sends, and the instant at which it has arrived; nothing if it sends none unless it
    /// hears something.
    ///
    /// It is asked again after each byte that has arrived or that it has heard, which may change the answer. One
    /// that should have arrived before the present arrives at once.
    fn next(&mut self) -> Option<(Nanoseconds, u8)>;
    /// The byte of the last answer has arrived.
    fn arrived(&mut self);
    /// A byte has been sent by the console's device.
    fn hear(&mut self, instant: Nanoseconds, byte: u8);
}

/// Nobody listens, nobody speaks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Peer for Nobody {
    fn next(&mut self) -> Option<(Nanoseconds, u8)> {
        None
    }

    fn arrived(&mut self) {}

    fn hear(&mut self, _instant: Nanoseconds, _byte: u8) {}
}

/// Somebody who says what was written down, whatever he hears.
#[derive(Clone, Debug, Default)]
pub struct Script(VecDeque<(Nanoseconds, u8)>);

impl Script {
    /// Bytes, each with the instant of its arrival, in order.
    #[must_use]
    pub fn new(bytes: impl IntoIterator<Item = (Nanoseconds, u8)>) -> Script {
        Script(bytes.into_iter().collect())
    }
}

impl Peer for Script {
    fn next(&mut self) -> Option<(Nanoseconds, u8)> {
        self.0.front().copied()
    }

    fn arrived(&mut self) {
        self.0.pop_front();
    }

    fn hear(&mut self, _instant: Nanoseconds, _byte: u8) {}
}
