//! The host's own device: what it has been given, and what it gives.

use std::collections::VecDeque;

use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

/// A frame's bytes.
pub type Frame = Vec<u8>;

/// Frames in both directions.
#[derive(Debug, Default)]
pub struct Queue {
    /// They come to the host.
    pub come: VecDeque<Frame>,
    /// They go from it.
    pub go: VecDeque<Frame>,
}

impl Device for Queue {
    type RxToken<'a> = Came;
    type TxToken<'a> = Goes<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Came, Goes<'_>)> {
        Some((Came(self.come.pop_front()?), Goes(&mut self.go)))
    }

    fn transmit(&mut self, _now: Instant) -> Option<Goes<'_>> {
        Some(Goes(&mut self.go))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        // As short as those of the simulated wire.
        capabilities.max_transmission_unit = 254;
        capabilities
    }
}

/// A frame that has come.
pub struct Came(Frame);

impl RxToken for Came {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, look: F) -> R {
        look(&self.0)
    }
}

/// Room for one that goes.
pub struct Goes<'a>(&'a mut VecDeque<Frame>);

impl TxToken for Goes<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, fill: F) -> R {
        let mut frame = vec![0; length];
        let result = fill(&mut frame);
        self.0.push_back(frame);
        result
    }
}
