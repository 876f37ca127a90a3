//! The wire: frames come, and frames go. On the board the network's device has them, in the simulation the environment.

pub use device::Wire;

/// Who we are on the wire.
pub const ADDRESS: [u8; 6] = [0x02, 0, 0, 0, 0, 0x02];

/// The MPS2 boards: their LAN9118.
#[cfg(target_os = "none")]
mod device {
    use beryl_user::lan9118::{Ethernet, LENGTHS, OnBoard};

    /// The device.
    pub struct Wire(Ethernet<OnBoard>);

    impl Wire {
        /// The longest frame, in bytes.
        pub const LONGEST: usize = LENGTHS[1];

        /// Begins to receive. None if there is no such device.
        pub fn start() -> Option<Wire> {
            Ethernet::start(OnBoard, super::ADDRESS).ok().map(Wire)
        }

        /// Takes the line back.
        pub fn acknowledge(&mut self) {
            self.0.acknowledge();
        }

        /// Fetches a frame, if one has come.
        pub fn receive(&mut self, frame: &mut [u8]) -> Option<usize> {
            self.0.receive(frame)
        }

        /// Sends a frame. One for which the device has no room is lost, as it may be on any wire.
        pub fn send(&mut self, frame: &[u8]) {
            let _ = self.0.send(frame);
        }
    }
}

/// The simulation.
#[cfg(not(target_os = "none"))]
mod device {
    use beryl_user::call::spend;
    use beryl_user::environment::{self, Channel};
    use beryl_user::time::{Duration, microseconds};

    const RECEIVED: Channel = Channel::new(2);
    const SENT: Channel = Channel::new(3);

    /// What it takes to fetch a frame, and all that is done about it; and to send one.
    const FETCHED: Duration = microseconds(100);
    const HANDED_OVER: Duration = microseconds(50);

    /// What crosses: how many bytes, in two of them, and a frame.
    type Crossing = [u8; 2 + Wire::LONGEST];

    /// The channels that stand for the device.
    pub struct Wire;

    impl Wire {
        /// The longest frame, in bytes: short, since a recording keeps all of each.
        pub const LONGEST: usize = 254;

        /// Begins to receive.
        pub fn start() -> Option<Wire> {
            Some(Wire)
        }

        /// Takes the line back, which is down when no frame is left.
        pub fn acknowledge(&mut self) {}

        /// Fetches a frame, if one has come.
        pub fn receive(&mut self, frame: &mut [u8]) -> Option<usize> {
            let mut crossing: Crossing = [0; 2 + Wire::LONGEST];
            environment::read(RECEIVED, &mut crossing);
            let [low, high, bytes @ ..] = &crossing;
            let length = usize::from(u16::from_le_bytes([*low, *high]));
            let bytes = bytes.get(..length).filter(|bytes| !bytes.is_empty())?;
            frame.get_mut(..length)?.copy_from_slice(bytes);
            spend(FETCHED);
            Some(length)
        }

        /// Sends a frame.
        pub fn send(&mut self, frame: &[u8]) {
            let mut crossing: Crossing = [0; 2 + Wire::LONGEST];
            let [low, high, bytes @ ..] = &mut crossing;
            let Some(place) = bytes.get_mut(..frame.len()) else { return };
            place.copy_from_slice(frame);
            [*low, *high] = u16::try_from(frame.len()).unwrap_or(0).to_le_bytes();
            spend(HANDED_OVER);
            environment::write(SENT, &crossing);
        }
    }
}
