//! Why a target refused a program, in two numbers that travel in registers and over a link.

use core::fmt;

use crate::check::demand;
use crate::check::time::{Breach, Fault, Unknown};
use crate::check::{Reason, Refusal};
use crate::container::ContainerError;

/// Why a program was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refused {
    /// It isn't a container, or is a damaged one.
    Container(ContainerError),
    /// It was made for another module, or for another image.
    Interface,
    /// It has more triggers or threads than the slot has places, or entries for completions.
    Places,
    /// It waits for an event that isn't its slot's.
    Event,
    /// A delay isn't a multiple of the slot's grain.
    Grain,
    /// It breaks a rule of structure.
    Structure(Refusal),
    /// At this instruction, an instant may take more than was counted.
    Heavy(u16),
    /// It carries no certificate, and the slot takes no program without one.
    Uncertified,
    /// It isn't time-safe with its module's supply of the processor.
    Time(Breach),
    /// Its certificate doesn't show that the tasks of a rank are done in time.
    Certificate {
        /// The rank.
        rank: u8,
        /// The number's place in the certificate.
        number: u16,
    },
}

impl From<demand::Refusal> for Refused {
    fn from(refusal: demand::Refusal) -> Refused {
        match refusal {
            demand::Refusal::Code(breach) => Refused::Time(breach),
            demand::Refusal::Certificate { rank, number } => Refused::Certificate { rank, number },
        }
    }
}

/// The codes of the first number that aren't the rule of an instruction.
const CONTAINER: u16 = 0x100;
const INTERFACE: u16 = 0x200;
const PLACES: u16 = 0x300;
const STRUCTURE: u16 = 0x400;
const GRAIN: u16 = 0x500;
const TIME: u16 = 0x600;
const HEAVY: u16 = 0x700;
const CERTIFICATE: u16 = 0x800;
const EVENT: u16 = 0x900;
const UNCERTIFIED: u16 = 0xA00;

impl Refused {
    /// The reason's number, and the instruction at fault or 0; for a certificate, the number at fault.
    #[must_use]
    pub fn encode(self) -> (u16, u16) {
        match self {
            Refused::Container(error) => (CONTAINER | error.number(), 0),
            Refused::Interface => (INTERFACE, 0),
            Refused::Places => (PLACES, 0),
            Refused::Event => (EVENT, 0),
            Refused::Grain => (GRAIN, 0),
            Refused::Heavy(address) => (HEAVY, address),
            Refused::Uncertified => (UNCERTIFIED, 0),
            Refused::Time(breach) => (TIME | breach.fault.number(), breach.address),
            Refused::Certificate { rank, number } => (CERTIFICATE | u16::from(rank), number),
            Refused::Structure(Refusal { address, reason }) => (STRUCTURE | reason as u16, address as u16),
        }
    }
}

/// A reason's number with the instruction at fault, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The number.
    pub reason: u16,
    /// The instruction, or the number of the certificate.
    pub address: u16,
}

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let detail = self.reason & 0xFF;
        match self.reason & 0xFF00 {
            CONTAINER => out.write_str(ContainerError::short(detail)),
            INTERFACE => out.write_str("it was made for another module, or for another image"),
            PLACES => out.write_str(
                "it has more triggers or threads than the slot has places, or code for completions of tasks",
            ),
            EVENT => out.write_str(
                "it waits for a port that no slot names, or for an interrupt that releases no asynchronous task of the image",
            ),
            GRAIN => out.write_str(
                "one of its delays isn't a number of the slot's grain: its instants would come more often than was counted",
            ),
            HEAVY => write!(
                out,
                "instruction {}: more may be done at one instant than was counted for the module",
                self.address
            ),
            UNCERTIFIED => out.write_str(
                "it carries no certificate, and the slot takes no program without one: give it the one that `beryl build` writes, or leave `check = \"certificate\"` out",
            ),
            TIME if Fault::of(detail) == Some(Fault::Unknown(Unknown::Event)) => write!(
                out,
                "instruction {}: how often the trigger comes isn't known; a program that waits for events needs a certificate, \
                 which `beryl assemble --certify` finds",
                self.address
            ),
            TIME => write!(out, "instruction {}: {}", self.address, Fault::of(detail).map_or("?", |fault| fault.short())),
            CERTIFICATE => write!(
                out,
                "number {} of its certificate doesn't show that its tasks of rank {detail} are done in time",
                self.address
            ),
            STRUCTURE => match Reason::of(detail) {
                Some(reason) => write!(out, "{}", Refusal { address: self.address.into(), reason }),
                None => write!(out, "unknown rule {detail} at instruction {}", self.address),
            },
            _ => write!(out, "unknown reason {:#06x}", self.reason),
        }
    }
}
