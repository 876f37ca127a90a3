//! The wire as the protocol stack wants it: what comes and what goes are tokens, each for one frame.

use smoltcp::phy::{Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::time::Instant;

use crate::wire::Wire;

/// The wire, with room for the frame that has come.
pub struct Frames {
    pub wire: Wire,
    received: [u8; Wire::LONGEST],
}

impl Frames {
    /// Of a wire.
    pub fn of(wire: Wire) -> Frames {
        Frames { wire, received: [0; Wire::LONGEST] }
    }
}

impl Device for Frames {
    type RxToken<'a> = Received<'a>;
    type TxToken<'a> = Room<'a>;

    fn receive(&mut self, _now: Instant) -> Option<(Received<'_>, Room<'_>)> {
        let length = self.wire.receive(&mut self.received)?;
        Some((Received(&self.received[..length]), Room(&mut self.wire)))
    }

    fn transmit(&mut self, _now: Instant) -> Option<Room<'_>> {
        Some(Room(&mut self.wire))
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ethernet;
        capabilities.max_transmission_unit = Wire::LONGEST;
        capabilities
    }
}

/// A frame that has come.
pub struct Received<'a>(&'a [u8]);

impl RxToken for Received<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, look: F) -> R {
        look(self.0)
    }
}

/// Room for a frame that goes.
pub struct Room<'a>(&'a mut Wire);

impl TxToken for Room<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, length: usize, fill: F) -> R {
        let mut frame = [0; Wire::LONGEST];
        let frame = &mut frame[..length.min(Wire::LONGEST)];
        let result = fill(frame);
        self.0.send(frame);
        result
    }
}
