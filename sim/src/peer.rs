//! Peers: the other end of the console's line.

use std::collections::VecDeque;

use crate::environment::Nanoseconds;

/// Hears what the console's device sends, and sends bytes itself.
pub trait Peer {
    /// The next byte that it sends, and the instant of its arrival; none if it sends nothing before it hears
    /// something.
    ///
    /// It is asked again after each byte that has arrived or that it has heard, which may change the answer.
    /// A byte that should have arrived before the present arrives at once.
    fn next(&mut self) -> Option<(Nanoseconds, u8)>;
    /// The byte of its last answer has arrived.
    fn arrived(&mut self);
    /// The console's device has sent a byte.
    fn hear(&mut self, instant: Nanoseconds, byte: u8);
}

/// A peer that neither listens nor speaks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Peer for Nobody {
    fn next(&mut self) -> Option<(Nanoseconds, u8)> {
        None
    }

    fn arrived(&mut self) {}

    fn hear(&mut self, _instant: Nanoseconds, _byte: u8) {}
}

/// A peer that sends recorded bytes, whatever it hears.
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
