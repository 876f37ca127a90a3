//! A memory on the wires, an AT24C32 by its data sheet: for simulators and tests.

use super::Wires;

/// Where it is on the bus, as the emulated boards have it.
pub const ADDRESS: u8 = 0x50;
/// Bytes that are written at once lie on one page of so many; behind its last byte comes its first.
pub const PAGE: u16 = 32;
/// How many it has.
pub const SIZE: usize = 4096;
/// The last place.
const LAST: u16 = SIZE as u16 - 1;

/// What it does with the bits.
///
/// ```text
/// start ──► Addressed ──own address──► Pointed ──two bytes──► Written ──byte──► Written
///               │     └─own, to read─► Read(false) ──byte taken──► Read(true)      (until the master asks for no more)
///               └─another address────► Idle
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It isn't meant.
    Idle,
    /// An address comes.
    Addressed,
    /// The place comes at which something is written, or read later; so many of its bytes have come.
    Pointed(u8),
    /// Bytes come.
    Written,
    /// Bytes go; whether one has gone.
    Read(bool),
}

/// The chip, and both wires.
#[derive(Debug)]
pub struct Memory {
    state: State,
    /// The wires as the master has them.
    clock: bool,
    data: bool,
    /// Whether the chip holds the data's wire down.
    holds: bool,
    /// Bits of the byte at hand, and how many: the ninth is whether it was taken.
    byte: u8,
    bits: u8,
    /// The place at hand, and all bytes.
    pointer: u16,
    bytes: [u8; SIZE],
}

impl Memory {
    /// One that holds these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; SIZE]) -> Memory {
        Memory {
            state: State::Idle,
            clock: true,
            data: true,
            holds: false,
            byte: 0,
            bits: 0,
            pointer: 0,
            bytes,
        }
    }

    /// The clock has risen: a bit counts.
    fn rises(&mut self) {
        if self.bits < 8 {
            self.byte = self.byte << 1 | u8::from(self.data && !self.holds);
        } else if self.state == State::Read(true) && self.data {
            // The master asks for no more. Behind the address it is the chip that says something.
            self.state = State::Idle;
        }
        self.bits += 1;
    }

    /// The clock has fallen: the wire may change.
    fn falls(&mut self) {
        self.holds = false;
        if self.bits == 8 {
            self.holds = self.takes();
            return;
        }
        if self.bits > 8 {
            (self.bits, self.byte) = (0, 0);
        }
        if let State::Read(_) = self.state {
            self.holds = self.bytes[usize::from(self.pointer)] & 0x80 >> self.bits == 0;
        }
    }

    /// Whether it takes the byte that has come; one that has gone was taken by the master.
    fn takes(&mut self) -> bool {
        match self.state {
            State::Idle => false,
            State::Read(_) => {
                self.pointer = (self.pointer + 1) & LAST;
                self.state = State::Read(true);
                false
            }
            State::Addressed => {
                let (is_meant, reads) = (self.byte >> 1 == ADDRESS, self.byte & 1 != 0);
                self.state = match (is_meant, reads) {
                    (false, _) => State::Idle,
                    (true, false) => State::Pointed(0),
                    (true, true) => State::Read(false),
                };
                is_meant
            }
            State::Pointed(count) => {
                self.pointer = (self.pointer << 8 | u16::from(self.byte)) & LAST;
                self.state = if count == 0 { State::Pointed(1) } else { State::Written };
                true
            }
            State::Written => {
                self.bytes[usize::from(self.pointer)] = self.byte;
                let page = self.pointer & !(PAGE - 1);
                self.pointer = page | (self.pointer + 1) & (PAGE - 1);
                true
            }
        }
    }
}

impl Wires for Memory {
    fn clock(&mut self, up: bool) {
        let before = core::mem::replace(&mut self.clock, up);
        match (before, up) {
            (false, true) => self.rises(),
            (true, false) => self.falls(),
            _ => {}
        }
    }

    fn data(&mut self, up: bool) {
        let before = core::mem::replace(&mut self.data, up);
        if self.clock && before != up {
            // A start, or the end. The fall of the clock that follows a start belongs to no bit.
            (self.state, self.bits) = if up { (State::Idle, 0) } else { (State::Addressed, 9) };
            (self.byte, self.holds) = (0, false);
        }
    }

    fn is_up(&mut self) -> bool {
        self.data && !self.holds
    }

    fn pause(&mut self) {}
}
