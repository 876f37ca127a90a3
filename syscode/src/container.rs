//! The container: the form in which a program is stored and sent.
//!
//! All numbers are little-endian.
//!
//! ```text
//!  0  4  magic "BSC1"
//!  4  4  length of the whole container in bytes
//!  8  2  start address                     10  2  number of instructions
//! 12  1  number of durations               13  1  number of completion entries
//! 14  2  number of drivers                 16  1  number of tasks
//! 17  3  zero
//! 20     durations, eight bytes each
//!        instructions, four bytes each
//!        completion entries, four bytes each: task, zero, address (2)
//!        names, each a length byte and UTF-8: the module, the tasks, the drivers
//! end-4  CRC-32 (IEEE) of everything before it
//! ```

use core::fmt;

use beryl_abi::Duration;

const MAGIC: [u8; 4] = *b"BSC1";
const HEADER: usize = 20;
const CHECKSUM: usize = 4;
/// The longest duration in ticks. The kernel's queues order instants of 56 bits: half of that for
/// the time since the start, half for what is still to come.
const LONGEST: u64 = 1 << 55;

/// A program's parts, to be written.
#[derive(Clone, Copy, Debug)]
pub struct Content<'a> {
    /// The module's name.
    pub module: &'a str,
    /// Where it starts.
    pub start: u16,
    /// The durations that its instructions name.
    pub durations: &'a [Duration],
    /// Its instructions.
    pub code: &'a [u32],
    /// Where completions of tasks enter it.
    pub completions: &'a [(u8, u16)],
    /// Names of the image's tasks.
    pub tasks: &'a [&'a str],
    /// Names of the image's drivers.
    pub drivers: &'a [&'a str],
}

/// Why a container was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerError {
    /// It doesn't begin with the magic number.
    NotSystemCode,
    /// It is shorter than it says, or than a container can be.
    Truncated {
        /// Bytes that there should be.
        expected: usize,
        /// Bytes that there are.
        found: usize,
    },
    /// Its checksum doesn't match: a bit was flipped on the way.
    Corrupted {
        /// The checksum that it carries.
        stored: u32,
        /// The checksum of what it holds.
        computed: u32,
    },
    /// A duration that no instruction can mean: none at all, or longer than kernel time can order.
    Duration {
        /// Its number in the pool.
        number: usize,
    },
    /// Its parts don't add up to its length, or a name isn't UTF-8.
    Malformed {
        /// Where in the file.
        offset: usize,
    },
}

impl fmt::Display for ContainerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContainerError::NotSystemCode => {
                write!(out, "this is no system code: it doesn't begin with BSC1")
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
            ContainerError::Malformed { offset } => write!(out, "the file is malformed at byte {offset}"),
        }
    }
}

impl core::error::Error for ContainerError {}

/// A container in memory whose length, checksum and structure have been checked.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    bytes: &'a [u8],
    durations: usize,
    code: usize,
    completions: usize,
    drivers: usize,
    tasks: usize,
}

impl<'a> Container<'a> {
    /// Reads a container. Whether its program may run is the verifier's question.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(bytes: &'a [u8]) -> Result<Container<'a>, ContainerError> {
        if bytes.get(..MAGIC.len()).is_some_and(|magic| magic != MAGIC) {
            return Err(ContainerError::NotSystemCode);
        }
        let smallest = HEADER + CHECKSUM;
        if bytes.len() < smallest {
            return Err(ContainerError::Truncated { expected: smallest, found: bytes.len() });
        }
        let expected = usize::try_from(word(bytes, 4)).unwrap_or(usize::MAX);
        if expected > bytes.len() {
            return Err(ContainerError::Truncated { expected, found: bytes.len() });
        }
        if expected < smallest || expected != bytes.len() {
            return Err(ContainerError::Malformed { offset: 4 });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        let (stored, computed) = (word(checksum, 0), crc32fast::hash(content));
        if stored != computed {
            return Err(ContainerError::Corrupted { stored, computed });
        }
        let byte = |offset: usize| usize::from(bytes.get(offset).copied().unwrap_or_default());
        let container = Container {
            bytes: content,
            code: usize::from(half(bytes, 10)),
            durations: byte(12),
            completions: byte(13),
            drivers: usize::from(half(bytes, 14)),
            tasks: byte(16),
        };
        container.check_names()?;
        container.check_durations()?;
        Ok(container)
    }

    /// Writes a container. Counts beyond the fields' ranges are cut off; the builder refuses them before.
    pub fn write(content: &Content<'_>, out: &mut (impl Extend<u8> + AsRef<[u8]>)) {
        let names = || {
            [content.module]
                .into_iter()
                .chain(content.tasks.iter().copied())
                .chain(content.drivers.iter().copied())
        };
        let length = HEADER
            + content.durations.len() * 8
            + content.code.len() * 4
            + content.completions.len() * 4
            + names().map(|name| 1 + clipped(name).len()).sum::<usize>()
            + CHECKSUM;
        out.extend(MAGIC);
        out.extend((length as u32).to_le_bytes());
        out.extend(content.start.to_le_bytes());
        out.extend((content.code.len() as u16).to_le_bytes());
        out.extend([content.durations.len() as u8, content.completions.len() as u8]);
        out.extend((content.drivers.len() as u16).to_le_bytes());
        out.extend([content.tasks.len() as u8, 0, 0, 0]);
        content.durations.iter().for_each(|duration| out.extend(duration.ticks().to_le_bytes()));
        content.code.iter().for_each(|word| out.extend(word.to_le_bytes()));
        for (task, address) in content.completions {
            out.extend([*task, 0]);
            out.extend(address.to_le_bytes());
        }
        for name in names().map(clipped) {
            out.extend([name.len() as u8]);
            out.extend(name.iter().copied());
        }
        let checksum = crc32fast::hash(out.as_ref());
        out.extend(checksum.to_le_bytes());
    }

    /// Where the program starts.
    #[must_use]
    pub fn start(&self) -> u16 {
        half(self.bytes, 8)
    }

    /// How many drivers and tasks the image has for which the program was made.
    #[must_use]
    pub fn limits(&self) -> crate::Limits {
        crate::Limits {
            drivers: half(self.bytes, 14),
            tasks: self.bytes.get(16).copied().unwrap_or_default(),
        }
    }

    /// The durations.
    pub fn durations(&self) -> impl Iterator<Item = Duration> + 'a {
        let bytes = self.part(HEADER, self.durations * 8);
        bytes.chunks_exact(8).map(|chunk| {
            let ticks = u64::from(word(chunk, 0)) | u64::from(word(chunk, 4)) << 32;
            Duration::from_ticks(ticks)
        })
    }

    /// The instructions.
    pub fn code(&self) -> impl Iterator<Item = u32> + 'a {
        let bytes = self.part(HEADER + self.durations * 8, self.code * 4);
        bytes.chunks_exact(4).map(|chunk| word(chunk, 0))
    }

    /// The tasks whose completion enters the program, and where.
    pub fn completions(&self) -> impl Iterator<Item = (u8, u16)> + 'a {
        let bytes = self.part(HEADER + self.durations * 8 + self.code * 4, self.completions * 4);
        bytes.chunks_exact(4).map(|chunk| (chunk.first().copied().unwrap_or_default(), half(chunk, 2)))
    }

    /// The names: the module, the tasks, the drivers.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + 'a {
        let mut rest = self.bytes.get(self.names_offset()..).unwrap_or_default();
        core::iter::from_fn(move || {
            let (length, tail) = rest.split_first()?;
            let (name, tail) = tail.split_at_checked(usize::from(*length))?;
            rest = tail;
            core::str::from_utf8(name).ok()
        })
    }

    /// The names of the tasks.
    pub fn tasks(&self) -> impl Iterator<Item = &'a str> + 'a {
        self.names().skip(1).take(self.tasks)
    }

    /// The names of the drivers.
    pub fn drivers(&self) -> impl Iterator<Item = &'a str> + 'a {
        self.names().skip(1 + self.tasks)
    }

    fn names_offset(&self) -> usize {
        HEADER + self.durations * 8 + self.code * 4 + self.completions * 4
    }

    fn part(&self, offset: usize, length: usize) -> &'a [u8] {
        self.bytes.get(offset..offset + length).unwrap_or_default()
    }

    /// A delay of zero would keep the machine at one instant for ever.
    fn check_durations(&self) -> Result<(), ContainerError> {
        let fits = |duration: Duration| (1..=LONGEST).contains(&duration.ticks());
        match self.durations().position(|duration| !fits(duration)) {
            Some(number) => Err(ContainerError::Duration { number }),
            None => Ok(()),
        }
    }

    /// Every name lies inside, is UTF-8, and nothing follows the last.
    fn check_names(&self) -> Result<(), ContainerError> {
        let mut offset = self.names_offset();
        for _ in 0..1 + self.tasks + self.drivers {
            let length = usize::from(*self.bytes.get(offset).ok_or(ContainerError::Malformed { offset })?);
            let name = self.bytes.get(offset + 1..offset + 1 + length);
            name.and_then(|name| core::str::from_utf8(name).ok())
                .ok_or(ContainerError::Malformed { offset })?;
            offset += 1 + length;
        }
        if offset == self.bytes.len() { Ok(()) } else { Err(ContainerError::Malformed { offset }) }
    }
}

/// A name's bytes, at most 255 of them, cut at a character.
fn clipped(name: &str) -> &[u8] {
    let end = (0..=name.len().min(255)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    &name.as_bytes()[..end]
}

fn word(bytes: &[u8], offset: usize) -> u32 {
    u32::from(half(bytes, offset)) | u32::from(half(bytes, offset + 2)) << 16
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    let byte = |offset: usize| bytes.get(offset).copied().unwrap_or_default();
    u16::from_le_bytes([byte(offset), byte(offset + 1)])
}
