//! Reading containers: length, checksum and structure are checked before anything is handed out.

use beryl_abi::Duration;

use super::{CHECKSUM, ContainerError, Exception, LONGEST, MAGIC, Version};
use crate::checksum::crc32;
use crate::condition::Condition;

/// A container in memory whose length, checksum and structure have been checked.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    bytes: &'a [u8],
    version: Version,
    counts: Counts,
}

/// How many there are of each part.
#[derive(Clone, Copy, Debug)]
struct Counts {
    durations: usize,
    code: usize,
    completions: usize,
    conditions: usize,
    handlers: usize,
    tasks: usize,
    drivers: usize,
    ports: usize,
}

impl Counts {
    fn of(bytes: &[u8], version: Version) -> Counts {
        let is_second = version == Version::Second;
        let byte = |offset: usize| usize::from(bytes.get(offset).copied().unwrap_or_default());
        let second = |offset: usize| if is_second { byte(offset) } else { 0 };
        Counts {
            durations: byte(12),
            code: usize::from(half(bytes, 10)),
            completions: byte(13),
            conditions: second(17),
            handlers: second(18),
            tasks: byte(16),
            drivers: usize::from(half(bytes, 14)),
            ports: second(22) | second(23) << 8,
        }
    }
}

impl<'a> Container<'a> {
    /// Reads a container. Whether its program may run is the verifier's question.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(bytes: &'a [u8]) -> Result<Container<'a>, ContainerError> {
        let digit = bytes.get(MAGIC.len()).copied();
        let version = match digit {
            Some(b'2') => Version::Second,
            Some(b'1') | None => Version::First,
            Some(_) => return Err(ContainerError::NotSystemCode),
        };
        if digit.is_some() && !bytes.starts_with(&MAGIC) {
            return Err(ContainerError::NotSystemCode);
        }
        let smallest = version.header() + CHECKSUM;
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
        let (stored, computed) = (word(checksum, 0), crc32(content));
        if stored != computed {
            return Err(ContainerError::Corrupted { stored, computed });
        }
        let container = Container { bytes: content, version, counts: Counts::of(content, version) };
        container.check_names()?;
        container.check_durations()?;
        container.check_entries()?;
        container.check_conditions()?;
        Ok(container)
    }

    /// Where the program starts.
    #[must_use]
    pub fn start(&self) -> u16 {
        half(self.bytes, 8)
    }

    /// How many drivers and tasks the image has for which the program was made.
    #[must_use]
    pub fn limits(&self) -> crate::Limits {
        crate::Limits { drivers: half(self.bytes, 14), tasks: self.byte(16) }
    }

    /// How many triggers it has at most at one time.
    #[must_use]
    pub fn trigger_places(&self) -> u8 {
        if self.version == Version::First { 1 } else { self.byte(19) }
    }

    /// How many threads it has at most at one time.
    #[must_use]
    pub fn thread_places(&self) -> u8 {
        if self.version == Version::First { 0 } else { self.byte(20) }
    }

    /// One instruction.
    #[must_use]
    pub fn instruction(&self, address: usize) -> Option<u32> {
        let offset = self.code_offset() + address * 4;
        (address < self.counts.code).then(|| word(self.bytes, offset))
    }

    /// How many instructions there are.
    #[must_use]
    pub fn length(&self) -> usize {
        self.counts.code
    }

    /// One duration.
    #[must_use]
    pub fn duration(&self, number: u8) -> Option<Duration> {
        let offset = self.version.header() + usize::from(number) * 8;
        let ticks = u64::from(word(self.bytes, offset)) | u64::from(word(self.bytes, offset + 4)) << 32;
        (usize::from(number) < self.counts.durations).then_some(Duration::from_ticks(ticks))
    }

    /// One condition.
    #[must_use]
    pub fn condition(&self, number: u8) -> Option<Condition> {
        let bytes = self.part(self.conditions_offset() + usize::from(number) * 8, 8);
        let is_there = usize::from(number) < self.counts.conditions;
        bytes.try_into().ok().filter(|_| is_there).and_then(Condition::decode)
    }

    /// How many ports conditions may look at.
    #[must_use]
    pub fn port_count(&self) -> usize {
        self.counts.ports
    }

    /// The durations.
    pub fn durations(&self) -> impl Iterator<Item = Duration> + 'a {
        let bytes = self.part(self.version.header(), self.counts.durations * 8);
        bytes.chunks_exact(8).map(|chunk| {
            let ticks = u64::from(word(chunk, 0)) | u64::from(word(chunk, 4)) << 32;
            Duration::from_ticks(ticks)
        })
    }

    /// The instructions.
    pub fn code(&self) -> impl Iterator<Item = u32> + 'a {
        let bytes = self.part(self.code_offset(), self.counts.code * 4);
        bytes.chunks_exact(4).map(|chunk| word(chunk, 0))
    }

    /// The tasks whose completion enters the program, and where.
    pub fn completions(&self) -> impl Iterator<Item = (u8, u16)> + 'a {
        entries(self.part(self.completions_offset(), self.counts.completions * 4))
    }

    /// What triggers and timeouts wait for.
    pub fn conditions(&self) -> impl Iterator<Item = Condition> + 'a {
        eights(self.conditions_bytes()).filter_map(Condition::decode)
    }

    /// Where exceptions enter the program.
    pub fn handlers(&self) -> impl Iterator<Item = (Exception, u16)> + 'a {
        let entries = entries(self.handlers_bytes());
        entries.filter_map(|(number, address)| {
            let (exception, _) = Exception::ALL.get(usize::from(number))?;
            Some((*exception, address))
        })
    }

    /// The names: the module, the tasks, the drivers, the ports.
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
        self.names().skip(1).take(self.counts.tasks)
    }

    /// The names of the drivers.
    pub fn drivers(&self) -> impl Iterator<Item = &'a str> + 'a {
        self.names().skip(1 + self.counts.tasks).take(self.counts.drivers)
    }

    /// The names of the ports that conditions look at.
    pub fn ports(&self) -> impl Iterator<Item = &'a str> + 'a {
        self.names().skip(1 + self.counts.tasks + self.counts.drivers)
    }

    fn byte(&self, offset: usize) -> u8 {
        self.bytes.get(offset).copied().unwrap_or_default()
    }

    fn code_offset(&self) -> usize {
        self.version.header() + self.counts.durations * 8
    }

    fn completions_offset(&self) -> usize {
        self.code_offset() + self.counts.code * 4
    }

    fn conditions_offset(&self) -> usize {
        self.completions_offset() + self.counts.completions * 4
    }

    fn handlers_offset(&self) -> usize {
        self.conditions_offset() + self.counts.conditions * 8
    }

    fn names_offset(&self) -> usize {
        self.handlers_offset() + self.counts.handlers * 4
    }

    fn conditions_bytes(&self) -> &'a [u8] {
        self.part(self.conditions_offset(), self.counts.conditions * 8)
    }

    fn handlers_bytes(&self) -> &'a [u8] {
        self.part(self.handlers_offset(), self.counts.handlers * 4)
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

    fn check_conditions(&self) -> Result<(), ContainerError> {
        match eights(self.conditions_bytes()).position(|bytes| Condition::decode(bytes).is_none()) {
            Some(number) => Err(ContainerError::Condition { number }),
            None => Ok(()),
        }
    }

    /// Handlers are for exceptions that exist.
    fn check_entries(&self) -> Result<(), ContainerError> {
        let is_unknown = |(number, _): (u8, u16)| usize::from(number) >= Exception::ALL.len();
        match entries(self.handlers_bytes()).position(is_unknown) {
            Some(number) => Err(ContainerError::Malformed { offset: self.handlers_offset() + number * 4 }),
            None => Ok(()),
        }
    }

    /// Every name lies inside, is UTF-8, and nothing follows the last.
    fn check_names(&self) -> Result<(), ContainerError> {
        let mut offset = self.names_offset();
        for _ in 0..1 + self.counts.tasks + self.counts.drivers + self.counts.ports {
            let length = usize::from(*self.bytes.get(offset).ok_or(ContainerError::Malformed { offset })?);
            let name = self.bytes.get(offset + 1..offset + 1 + length);
            name.and_then(|name| core::str::from_utf8(name).ok())
                .ok_or(ContainerError::Malformed { offset })?;
            offset += 1 + length;
        }
        if offset == self.bytes.len() { Ok(()) } else { Err(ContainerError::Malformed { offset }) }
    }
}

fn eights(bytes: &[u8]) -> impl Iterator<Item = [u8; 8]> + '_ {
    bytes.chunks_exact(8).filter_map(|chunk| chunk.try_into().ok())
}

fn entries(bytes: &[u8]) -> impl Iterator<Item = (u8, u16)> + '_ {
    bytes.chunks_exact(4).map(|chunk| (chunk.first().copied().unwrap_or_default(), half(chunk, 2)))
}

fn word(bytes: &[u8], offset: usize) -> u32 {
    u32::from(half(bytes, offset)) | u32::from(half(bytes, offset + 2)) << 16
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    let byte = |offset: usize| bytes.get(offset).copied().unwrap_or_default();
    u16::from_le_bytes([byte(offset), byte(offset + 1)])
}
