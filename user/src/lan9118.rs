//! The network's device of the MPS2 boards, a LAN9118 (SMSC's data sheet of it): for a process that has the device
//! `ethernet`. Frames go through registers, one word at a time: the device reaches no memory.
//!
//! A server waits for the device's interrupt, takes it back, fetches what has been received until nothing is left, and
//! waits again:
//!
//! ```text
//! loop { line.wait(); device.acknowledge(); while device.receive(&mut frame).is_some() { ... } }
//! ```
//!
//! A frame that comes between the last look and the wait interrupts again, so none is left lying.

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

/// The device's registers: those of the board, or memory that stands for them in a test.
pub trait Registers {
    /// What the register at an offset holds. Some forget it when it is read.
    fn read(&self, offset: usize) -> u32;
    /// Changes the register at an offset.
    fn write(&self, offset: usize, value: u32);
}

const RECEIVED: usize = 0x00;
const SENT: usize = 0x20;
const RECEIVED_STATUS: usize = 0x40;
const SENT_STATUS: usize = 0x48;
const INTERRUPTS: usize = 0x54;
const RAISED: usize = 0x58;
const RAISING: usize = 0x5C;
const BYTE_ORDER: usize = 0x64;
const LEVELS: usize = 0x68;
const RECEIVING: usize = 0x6C;
const SENDING: usize = 0x70;
const HARDWARE: usize = 0x74;
const RECEIVED_LEVEL: usize = 0x7C;
const SENT_LEVEL: usize = 0x80;
const POWER: usize = 0x84;
const ACCESS: usize = 0xA4;
const ACCESSED: usize = 0xA8;

/// What [`BYTE_ORDER`] holds in a device that is there and awake.
const AWAKE: u32 = 0x8765_4321;
/// Of [`HARDWARE`]: everything from the beginning.
const RESET: u32 = 1;
/// Of [`HARDWARE`]: a frame is sent when all of it is there (a bit that must be one), and 5 KB are for frames to be sent.
const STORE_AND_FORWARD: u32 = 1 << 20 | 5 << 16;
/// Of [`INTERRUPTS`]: they come, by a line that is driven both ways and means it when it is up.
const UP_MEANS_IT: u32 = 1 << 8 | 1 << 4 | 1;
/// Of [`RAISED`] and [`RAISING`]: more frames have been received than the level says, which is none.
const HAS_RECEIVED: u32 = 1 << 3;
/// Of [`SENDING`]: on, and what became of frames may be forgotten when nobody asks.
const ON: u32 = 0b110;
/// Of [`ACCESS`]: the device is at it.
const BUSY: u32 = 1 << 31;
/// Of what became of a received frame: it is damaged.
const DAMAGED: u32 = 1 << 15;

/// The registers behind [`ACCESS`].
const CONTROL: u32 = 1;
const ADDRESS_HIGH: u32 = 2;
const ADDRESS_LOW: u32 = 3;
/// Of [`CONTROL`]: sends and receives, both at once.
const BOTH_WAYS: u32 = 1 << 20 | 1 << 3 | 1 << 2;

/// The shortest frame and the longest one that are sent, in bytes, without the checksum, which the device makes.
pub const LENGTHS: [usize; 2] = [14, 1514];
/// The checksum behind a received frame.
const CHECKSUM: usize = 4;

/// How often the driver looks whether the device is done: far longer than it takes.
const PATIENCE: u32 = 100_000;

/// There is no such device, or it didn't do what it was asked for in 100,000 looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silent;

/// A frame can't be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Its length isn't one of [`LENGTHS`].
    Length,
    /// The device has no room for it until it has sent others.
    Full,
}

/// The device, which sends and receives.
#[derive(Debug)]
pub struct Ethernet<R> {
    registers: R,
}

impl<R: Registers> Ethernet<R> {
    /// Begins to receive what is for `address`, or for everybody.
    ///
    /// # Errors
    /// [`Silent`].
    pub fn start(registers: R, address: [u8; 6]) -> Result<Ethernet<R>, Silent> {
        let device = Ethernet { registers };
        // Any write wakes it.
        device.registers.write(BYTE_ORDER, 0);
        device.wait_until(|registers| registers.read(BYTE_ORDER) == AWAKE)?;
        device.registers.write(HARDWARE, RESET);
        device.wait_until(|registers| registers.read(HARDWARE) & RESET == 0)?;
        device.wait_until(|registers| registers.read(POWER) & 1 != 0)?;
        device.registers.write(HARDWARE, STORE_AND_FORWARD);
        let [a, b, c, d, e, f] = address;
        device.put(ADDRESS_LOW, u32::from_le_bytes([a, b, c, d]))?;
        device.put(ADDRESS_HIGH, u32::from_le_bytes([e, f, 0, 0]))?;
        device.registers.write(LEVELS, 0x4800_0000);
        device.registers.write(INTERRUPTS, UP_MEANS_IT);
        device.registers.write(RAISED, u32::MAX);
        device.registers.write(RAISING, HAS_RECEIVED);
        device.registers.write(RECEIVING, 0);
        device.registers.write(SENDING, ON);
        device.put(CONTROL, BOTH_WAYS)?;
        Ok(device)
    }

    /// Takes the line back. It is raised again by the next frame that comes.
    pub fn acknowledge(&self) {
        self.registers.write(RAISED, HAS_RECEIVED);
    }

    /// Fetches the next frame that has been received, and says how many bytes it has. Those that are damaged, or longer
    /// than `frame`, are thrown away.
    pub fn receive(&mut self, frame: &mut [u8]) -> Option<usize> {
        // bound: 128, the frames that the device has room for
        while self.registers.read(RECEIVED_LEVEL) >> 16 & 0xFF != 0 {
            let status = self.registers.read(RECEIVED_STATUS);
            let with_checksum = (status >> 16 & 0x3FFF) as usize;
            let length = with_checksum.saturating_sub(CHECKSUM);
            let is_wanted = status & DAMAGED == 0 && length <= frame.len();
            let wanted = if is_wanted { length } else { 0 };
            let mut chunks = frame[..wanted].chunks_mut(4);
            for _ in 0..with_checksum.div_ceil(4) {
                let word = self.registers.read(RECEIVED).to_le_bytes();
                if let Some(chunk) = chunks.next() {
                    chunk.copy_from_slice(&word[..chunk.len()]);
                }
            }
            if is_wanted {
                return Some(length);
            }
        }
        None
    }

    /// Hands a frame over, which the device sends as soon as it can.
    ///
    /// # Errors
    /// [`Refused`].
    pub fn send(&mut self, frame: &[u8]) -> Result<(), Refused> {
        let [shortest, longest] = LENGTHS;
        if !(shortest..=longest).contains(&frame.len()) {
            return Err(Refused::Length);
        }
        let length = frame.len() as u32;
        // Two words of orders before it.
        if self.registers.read(SENT_LEVEL) & 0xFFFF < length.next_multiple_of(4) + 8 {
            return Err(Refused::Full);
        }
        let whole = 0b11 << 12;
        self.registers.write(SENT, whole | length);
        self.registers.write(SENT, length << 16 | length);
        for chunk in frame.chunks(4) {
            let mut word = [0; 4];
            word[..chunk.len()].copy_from_slice(chunk);
            self.registers.write(SENT, u32::from_le_bytes(word));
        }
        // What became of earlier ones: nobody asks.
        for _ in 0..self.registers.read(SENT_LEVEL) >> 16 & 0xFF {
            self.registers.read(SENT_STATUS);
        }
        Ok(())
    }

    /// Changes a register behind others.
    fn put(&self, register: u32, value: u32) -> Result<(), Silent> {
        self.registers.write(ACCESSED, value);
        self.registers.write(ACCESS, BUSY | register);
        self.wait_until(|registers| registers.read(ACCESS) & BUSY == 0)
    }

    fn wait_until(&self, mut is_done: impl FnMut(&R) -> bool) -> Result<(), Silent> {
        // bound: 100000, `PATIENCE`
        for _ in 0..PATIENCE {
            if is_done(&self.registers) {
                return Ok(());
            }
        }
        Err(Silent)
    }
}

/// The board's own registers. A process that wasn't given the device faults at the first.
#[cfg(target_arch = "arm")]
#[derive(Debug)]
pub struct OnBoard;

#[cfg(target_arch = "arm")]
unsafe extern "C" {
    /// The first register; its address comes from the linker script.
    static __beryl_ethernet: u32;
}

#[cfg(target_arch = "arm")]
impl Registers for OnBoard {
    fn read(&self, offset: usize) -> u32 {
        // SAFETY: as in `write`.
        unsafe { place(offset).read_volatile() }
    }

    fn write(&self, offset: usize, value: u32) {
        // SAFETY: a register of the device, which no Rust object lives in; the device reaches no memory.
        unsafe { place(offset).write_volatile(value) }
    }
}

/// Nothing but its own registers, whatever is asked for.
#[cfg(target_arch = "arm")]
fn place(offset: usize) -> *mut u32 {
    core::ptr::with_exposed_provenance_mut((&raw const __beryl_ethernet).addr() + (offset & 0xFC))
}
