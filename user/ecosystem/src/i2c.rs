//! An I2C bus by its two wires, for drivers on `embedded-hal`: one bit after the other, by the specification (UM10204).
//!
//! The thread that drives it may be preempted at any place: the bus then stands still, which it may for as long as it
//! likes. There is one master, and no chip may hold the clock.

#[cfg(not(target_os = "none"))]
pub mod memory;

use embedded_hal::i2c::{Error, ErrorKind, ErrorType, I2c, NoAcknowledgeSource, Operation};

/// The wires. Each is up unless somebody holds it down.
pub trait Wires {
    /// Holds the clock's wire down, or lets go of it.
    fn clock(&mut self, up: bool);
    /// Holds the data's wire down, or lets go of it.
    fn data(&mut self, up: bool);
    /// Whether the data's wire is up.
    fn is_up(&mut self) -> bool;
    /// Lets half of a bit's time pass: 5 us at 100 kHz.
    fn pause(&mut self);
}

/// Nobody answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// There is no chip at this address.
    Address,
    /// The chip took no more bytes.
    Data,
}

impl Error for Silence {
    fn kind(&self) -> ErrorKind {
        ErrorKind::NoAcknowledge(match self {
            Silence::Address => NoAcknowledgeSource::Address,
            Silence::Data => NoAcknowledgeSource::Data,
        })
    }
}

/// The bus, of which its owner is the master.
#[derive(Debug)]
pub struct Bus<W> {
    wires: W,
}

impl<W: Wires> Bus<W> {
    /// The bus at rest, by its wires. A chip that was interrupted in the middle of a byte is clocked until it lets go.
    pub fn new(wires: W) -> Bus<W> {
        let mut bus = Bus { wires };
        bus.wires.data(true);
        for _ in 0..9 {
            bus.bit(true);
        }
        bus.stop();
        bus
    }

    /// Begins, or begins anew without an end before: data falls while the clock is up.
    fn start(&mut self) {
        self.wires.data(true);
        self.wires.pause();
        self.wires.clock(true);
        self.wires.pause();
        self.wires.data(false);
        self.wires.pause();
        self.wires.clock(false);
    }

    /// Ends: data rises while the clock is up.
    fn stop(&mut self) {
        self.wires.data(false);
        self.wires.pause();
        self.wires.clock(true);
        self.wires.pause();
        self.wires.data(true);
        self.wires.pause();
    }

    /// Sends a bit, or receives one where `up` lets go of the wire.
    fn bit(&mut self, up: bool) -> bool {
        self.wires.data(up);
        self.wires.pause();
        self.wires.clock(true);
        self.wires.pause();
        let bit = self.wires.is_up();
        self.wires.clock(false);
        bit
    }

    /// Sends a byte; whether the chip has taken it.
    fn send(&mut self, byte: u8) -> bool {
        for bit in (0..8).rev() {
            self.bit(byte & 1 << bit != 0);
        }
        !self.bit(true)
    }

    /// Receives a byte, and asks for another one, or not.
    fn receive(&mut self, another: bool) -> u8 {
        let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(self.bit(true)));
        self.bit(!another);
        byte
    }

    /// Everything between the first start and the end.
    fn carry_out(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Silence> {
        let mut direction = None;
        let last_reads = |rest: &[Operation<'_>]| !matches!(rest.first(), Some(Operation::Read(_)));
        for index in 0..operations.len() {
            let ends = last_reads(operations.get(index + 1..).unwrap_or_default());
            let Some(operation) = operations.get_mut(index) else { break };
            let reads = matches!(operation, Operation::Read(_));
            // Operations of one direction that follow each other are one to the chip.
            if direction != Some(reads) {
                self.start();
                if !self.send(address << 1 | u8::from(reads)) {
                    return Err(Silence::Address);
                }
                direction = Some(reads);
            }
            match operation {
                Operation::Write(bytes) => {
                    if !bytes.iter().all(|byte| self.send(*byte)) {
                        return Err(Silence::Data);
                    }
                }
                Operation::Read(bytes) => {
                    let count = bytes.len();
                    for (number, byte) in bytes.iter_mut().enumerate() {
                        *byte = self.receive(number + 1 < count || !ends);
                    }
                }
            }
        }
        Ok(())
    }
}

impl<W> ErrorType for Bus<W> {
    type Error = Silence;
}

impl<W: Wires> I2c for Bus<W> {
    fn transaction(&mut self, address: u8, operations: &mut [Operation<'_>]) -> Result<(), Silence> {
        let result = self.carry_out(address, operations);
        self.stop();
        result
    }
}

/// The wires of the boards with Arm's serial bus controller: for a process that has the device `i2c`.
#[cfg(target_arch = "arm")]
#[derive(Debug)]
pub struct OnBoard;

#[cfg(target_arch = "arm")]
impl Wires for OnBoard {
    fn clock(&mut self, up: bool) {
        beryl_user::sbcon::set(beryl_user::sbcon::CLOCK, up);
    }

    fn data(&mut self, up: bool) {
        beryl_user::sbcon::set(beryl_user::sbcon::DATA, up);
    }

    fn is_up(&mut self) -> bool {
        beryl_user::sbcon::read() & beryl_user::sbcon::DATA != 0
    }

    fn pause(&mut self) {
        // At 25 MHz a look at the device takes some eight cycles.
        for _ in 0..16 {
            beryl_user::sbcon::read();
        }
    }
}
