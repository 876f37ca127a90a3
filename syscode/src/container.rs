//! The container: the form in which a program is stored and sent.
//!
//! All numbers are little-endian.
//!
//! ```text
//!  0  4  magic "BSC3"
//!  4  4  length of the whole container in bytes
//!  8  2  start address                     10  2  number of instructions
//! 12  1  number of durations               13  1  number of completion entries
//! 14  2  number of drivers                 16  1  number of tasks
//! 17  1  number of conditions              18  1  number of handlers
//! 19  1  places in the trigger queue       20  1  places in the thread set
//! 21  1  zero                              22  2  number of ports
//! 24  2  number of numbers in the certificate   26  2  zero
//! 28     durations, eight bytes each
//!        instructions, four bytes each
//!        completion entries, four bytes each: task, zero, address (2)
//!        conditions, eight bytes each: see `condition`
//!        handlers, four bytes each: exception, zero, address (2)
//!        certificate, a number of ticks in four bytes each: see `check::demand`
//!        names, each a length byte and UTF-8: the module, the tasks, the drivers, the ports
//! end-4  CRC-32 (IEEE) of everything before it
//! ```
//!
//! The second version, "BSC2", ends its header at 24, and has no certificate. The first, "BSC1", ends its
//! header at 20 with three bytes of zero at 17, and has no conditions, handlers, ports and threads, and one
//! place in the trigger queue. Both are still read, and each program is written in the first version that can
//! hold it. Others are refused.

mod reader;
mod reading;

use core::fmt;

use beryl_abi::Duration;

use crate::checksum::crc32;
use crate::condition::Condition;

pub use reader::Container;
pub(crate) use reading::CHUNK;
pub use reading::Reading;

const MAGIC: [u8; 3] = *b"BSC";
const CHECKSUM: usize = 4;
/// The longest duration in ticks. The kernel's queues order instants of 56 bits: half of that for the time
/// since the start, half for what is still to come.
const LONGEST: u64 = 1 << 55;

/// A program's parts, for writing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Content<'a> {
    /// The module's name.
    pub module: &'a str,
    /// Where it starts.
    pub start: u16,
    /// The durations that its instructions name.
    pub durations: &'a [Duration],
    /// Its instructions.
    pub code: &'a [u32],
    /// The addresses where completions of tasks enter it.
    pub completions: &'a [(u8, u16)],
    /// Names of the image's tasks.
    pub tasks: &'a [&'a str],
    /// Names of the image's drivers.
    pub drivers: &'a [&'a str],
    /// The conditions of triggers and timeouts.
    pub conditions: &'a [Condition],
    /// The addresses where exceptions enter it.
    pub handlers: &'a [(Exception, u16)],
    /// Names of the ports that conditions look at.
    pub ports: &'a [&'a str],
    /// The most threads that it has at one time.
    pub thread_places: u8,
    /// The most triggers that it has at one time; zero counts as one.
    pub trigger_places: u8,
    /// The numbers that prove that its jobs are never late, in ticks; empty if it has no certificate.
    pub certificate: &'a [u32],
}

/// The violations that a program can handle itself (paper, sections 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Exception {
    /// A time-safety violation: a driver or a release meets a task that is still at work on the same ports.
    Safety = 0,
    /// A time-share violation: two threads dispatch a task at the same time.
    Share = 1,
}

impl Exception {
    /// All of them, in the order of their numbers, with their names in the assembler.
    pub const ALL: [(Exception, &'static str); 2] =
        [(Exception::Safety, "safety"), (Exception::Share, "share")];
}

/// The most different durations of a program: a container counts them in a byte.
pub const MOST_DURATIONS: usize = 255;

/// The numbers of drivers and tasks in an image, which its programs may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Its drivers.
    pub drivers: u16,
    /// Its tasks.
    pub tasks: u8,
}

/// Why a container was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerError {
    /// It doesn't begin with the magic number.
    NotSystemCode,
    /// It is shorter than it claims, or than a container can be.
    Truncated {
        /// The bytes that there should be.
        expected: usize,
        /// The bytes that there are.
        found: usize,
    },
    /// Its checksum doesn't match: a bit was flipped on the way.
    Corrupted {
        /// The checksum that it carries.
        stored: u32,
        /// The checksum of its content.
        computed: u32,
    },
    /// An invalid duration: zero, or longer than kernel time can order.
    Duration {
        /// Its number in the pool.
        number: usize,
    },
    /// An invalid condition.
    Condition {
        /// Its number in the pool.
        number: usize,
    },
    /// Its parts don't add up to its length, or a name isn't UTF-8.
    Malformed {
        /// Where in the file.
        offset: usize,
    },
}

impl ContainerError {
    /// The kind's number, in the order of the list above.
    #[must_use]
    pub const fn number(&self) -> u16 {
        match self {
            ContainerError::NotSystemCode => 0,
            ContainerError::Truncated { .. } => 1,
            ContainerError::Corrupted { .. } => 2,
            ContainerError::Duration { .. } => 3,
            ContainerError::Condition { .. } => 4,
            ContainerError::Malformed { .. } => 5,
        }
    }

    /// The meaning of a kind, if only its number is known.
    #[must_use]
    pub const fn short(number: u16) -> &'static str {
        match number {
            0 => "it is no system code",
            1 => "it is cut off",
            2 => "it is corrupted: its checksum doesn't match",
            3 => "one of its durations is zero or too long",
            4 => "one of its conditions means nothing",
            _ => "it is malformed",
        }
    }
}

impl fmt::Display for ContainerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContainerError::NotSystemCode => {
                write!(out, "this is no system code: it doesn't begin with BSC1, BSC2 or BSC3")
            }
            ContainerError::Truncated { expected, found } => {
                write!(out, "the file is cut off: {expected} bytes expected, {found} found")
            }
            ContainerError::Corrupted { stored, computed } => write!(
                out,
                "the file is corrupted: its checksum says {stored:08x}, its content gives {computed:08x}"
            ),
            ContainerError::Duration { number } => {
                write!(
                    out,
                    "duration {number} is zero or too long: the program would repeat itself at one instant"
                )
            }
            ContainerError::Condition { number } => write!(out, "condition {number} means nothing"),
            ContainerError::Malformed { offset } => write!(out, "the file is malformed at byte {offset}"),
        }
    }
}

impl core::error::Error for ContainerError {}

/// The version of a container's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    First,
    Second,
    Third,
}

impl Version {
    const fn header(self) -> usize {
        match self {
            Version::First => 20,
            Version::Second => 24,
            Version::Third => 28,
        }
    }

    const fn digit(self) -> u8 {
        match self {
            Version::First => b'1',
            Version::Second => b'2',
            Version::Third => b'3',
        }
    }

    const fn of(digit: u8) -> Option<Version> {
        match digit {
            b'1' => Some(Version::First),
            b'2' => Some(Version::Second),
            b'3' => Some(Version::Third),
            _ => None,
        }
    }
}

impl Content<'_> {
    fn version(&self, ports: usize) -> Version {
        let is_plain = self.conditions.is_empty() && self.handlers.is_empty() && ports == 0;
        let has_one_trigger = self.thread_places == 0 && self.trigger_places <= 1;
        match self.certificate.is_empty() {
            true if is_plain && has_one_trigger => Version::First,
            true => Version::Second,
            false => Version::Third,
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        let lists = [self.tasks, self.drivers, self.ports];
        [self.module].into_iter().chain(lists.into_iter().flatten().copied())
    }
}

impl Container<'_> {
    /// Writes a container. Counts beyond the fields' ranges are cut off; the tools refuse them before.
    pub fn write(content: &Content<'_>, out: &mut (impl Extend<u8> + AsRef<[u8]>)) {
        let counts = [content.tasks.len(), content.drivers.len(), content.ports.len()];
        Self::write_named(content, counts, content.names(), out);
    }

    /// Writes a container with the names of this one, ignoring those of the content: another program for the
    /// same module.
    pub fn write_another(&self, content: &Content<'_>, out: &mut (impl Extend<u8> + AsRef<[u8]>)) {
        let counts = [self.tasks().count(), self.drivers().count(), self.ports().count()];
        Self::write_named(content, counts, self.names(), out);
    }

    fn write_named<'n>(
        content: &Content<'_>,
        [tasks, drivers, ports]: [usize; 3],
        names: impl Iterator<Item = &'n str> + Clone,
        out: &mut (impl Extend<u8> + AsRef<[u8]>),
    ) {
        let version = content.version(ports);
        let length = version.header()
            + (content.durations.len() + content.conditions.len()) * 8
            + (content.code.len() + content.completions.len() + content.handlers.len()) * 4
            + content.certificate.len() * 4
            + names.clone().map(|name| 1 + clipped(name).len()).sum::<usize>()
            + CHECKSUM;
        out.extend(MAGIC);
        out.extend([version.digit()]);
        out.extend((length as u32).to_le_bytes());
        out.extend(content.start.to_le_bytes());
        out.extend((content.code.len() as u16).to_le_bytes());
        out.extend([content.durations.len() as u8, content.completions.len() as u8]);
        out.extend((drivers as u16).to_le_bytes());
        out.extend([tasks as u8]);
        if version == Version::First {
            out.extend([0; 3]);
        } else {
            out.extend([content.conditions.len() as u8, content.handlers.len() as u8]);
            out.extend([content.trigger_places.max(1), content.thread_places, 0]);
            out.extend((ports as u16).to_le_bytes());
        }
        if version == Version::Third {
            out.extend((content.certificate.len() as u16).to_le_bytes());
            out.extend([0; 2]);
        }
        content.durations.iter().for_each(|duration| out.extend(duration.ticks().to_le_bytes()));
        content.code.iter().for_each(|word| out.extend(word.to_le_bytes()));
        content.completions.iter().for_each(|(task, address)| entry(*task, *address, out));
        content.conditions.iter().for_each(|condition| out.extend(condition.encode()));
        content.handlers.iter().for_each(|(exception, address)| entry(*exception as u8, *address, out));
        content.certificate.iter().for_each(|number| out.extend(number.to_le_bytes()));
        for name in names.map(clipped) {
            out.extend([name.len() as u8]);
            out.extend(name.iter().copied());
        }
        let checksum = crc32(out.as_ref());
        out.extend(checksum.to_le_bytes());
    }
}

/// An entry into the program.
fn entry(number: u8, address: u16, out: &mut impl Extend<u8>) {
    out.extend([number, 0]);
    out.extend(address.to_le_bytes());
}

/// A name's bytes, at most 255 of them, cut at a character.
fn clipped(name: &str) -> &[u8] {
    let end = (0..=name.len().min(255)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    &name.as_bytes()[..end]
}
