//! Reading containers: length, checksum and structure are checked before anything is handed out.

use beryl_abi::Duration;

use super::reading::{Reading, end_of_name};
use super::{CHECKSUM, ContainerError, Exception, Limits, MAGIC, Version};
use crate::checksum::crc32;
use crate::condition::Condition;
use crate::instruction::Instruction;

/// A container in memory whose length, checksum and structure have been checked.
#[derive(Clone, Copy, Debug)]
pub struct Container<'a> {
    bytes: &'a [u8],
    version: Version,
}

impl<'a> Container<'a> {
    /// Reads a container. Whether its program may run is for the checks to decide.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(bytes: &'a [u8]) -> Result<Container<'a>, ContainerError> {
        let mut reading = Reading::BEGIN;
        // bound: a step for each sixteen bytes, and one for each part
        loop {
            if let Some(container) = reading.step(bytes)? {
                return container.with_text_for_names();
            }
        }
    }

    /// Checks that names are UTF-8, which matters where they are shown. A target only compares their
    /// checksum.
    fn with_text_for_names(self) -> Result<Container<'a>, ContainerError> {
        let mut offset = self.names_offset();
        // bound: the names, of which reading has found all
        for _ in 0..self.name_count() {
            let end = end_of_name(&self, offset)?;
            let name = self.bytes.get(offset + 1..end).unwrap_or_default();
            core::str::from_utf8(name).map_err(|_| ContainerError::Malformed { offset })?;
            offset = end;
        }
        Ok(self)
    }

    /// The length that a container claims; only its first eight bytes are read.
    #[must_use]
    pub fn length_in(bytes: &[u8]) -> usize {
        usize::try_from(word(bytes, 4)).unwrap_or(usize::MAX)
    }

    /// The container in bytes that were read to the end before, and haven't changed since. With other bytes
    /// the result is meaningless: some container or none.
    #[must_use]
    pub fn reopen(bytes: &'a [u8]) -> Option<Container<'a>> {
        let bytes = bytes.get(..usize::try_from(word(bytes, 4)).ok()?)?;
        let version = Version::of(*bytes.get(MAGIC.len())?)?;
        let content = bytes.get(..bytes.len().checked_sub(CHECKSUM)?)?;
        Some(Container { bytes: content, version })
    }

    /// The header, and the content with an unchecked checksum.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Container<'a>, ContainerError> {
        let digit = bytes.get(MAGIC.len()).copied();
        let version = digit.map_or(Some(Version::First), Version::of).ok_or(ContainerError::NotSystemCode)?;
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
        let (content, _) = bytes.split_at(bytes.len() - CHECKSUM);
        Ok(Container { bytes: content, version })
    }

    /// A count that the first header doesn't have.
    fn second(&self, offset: usize) -> usize {
        if self.version == Version::First { 0 } else { self.byte(offset).into() }
    }

    fn duration_count(&self) -> usize {
        self.byte(12).into()
    }

    fn completion_count(&self) -> usize {
        self.byte(13).into()
    }

    fn condition_count(&self) -> usize {
        self.second(17)
    }

    fn handler_count(&self) -> usize {
        self.second(18)
    }

    fn task_count(&self) -> usize {
        self.byte(16).into()
    }

    fn driver_count(&self) -> usize {
        half(self.bytes, 14).into()
    }

    /// Everything but the checksum.
    pub(crate) fn content(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where the program starts.
    #[must_use]
    pub fn start(&self) -> u16 {
        half(self.bytes, 8)
    }

    /// The numbers of drivers and tasks in the image that the program was made for.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { drivers: half(self.bytes, 14), tasks: self.byte(16) }
    }

    /// The most triggers that it has at one time.
    #[must_use]
    pub fn trigger_places(&self) -> u8 {
        if self.version == Version::First { 1 } else { self.byte(19) }
    }

    /// The most threads that it has at one time.
    #[must_use]
    pub fn thread_places(&self) -> u8 {
        if self.version == Version::First { 0 } else { self.byte(20) }
    }

    /// One instruction.
    #[must_use]
    pub fn instruction(&self, address: usize) -> Option<u32> {
        let offset = self.code_offset() + address * 4;
        (address < self.length()).then(|| word(self.bytes, offset))
    }

    /// One decoded instruction; none beyond the last, or if the word isn't one. All checkers share this
    /// function; machines that carry instructions out decode them on their own.
    #[inline(never)]
    #[must_use]
    pub fn decoded(&self, address: usize) -> Option<Instruction> {
        self.instruction(address).and_then(Instruction::decode)
    }

    /// The number of instructions.
    #[must_use]
    pub fn length(&self) -> usize {
        half(self.bytes, 10).into()
    }

    /// One duration.
    #[must_use]
    pub fn duration(&self, number: u8) -> Option<Duration> {
        let offset = self.version.header() + usize::from(number) * 8;
        let ticks = u64::from(word(self.bytes, offset)) | u64::from(word(self.bytes, offset + 4)) << 32;
        (usize::from(number) < self.duration_count()).then_some(Duration::from_ticks(ticks))
    }

    /// One condition.
    #[must_use]
    pub fn condition(&self, number: u8) -> Option<Condition> {
        let bytes = self.part(self.conditions_offset() + usize::from(number) * 8, 8);
        let is_there = usize::from(number) < self.condition_count();
        bytes.try_into().ok().filter(|_| is_there).and_then(Condition::decode)
    }

    /// How many ports its conditions may look at.
    #[must_use]
    pub fn port_count(&self) -> usize {
        self.second(22) | self.second(23) << 8
    }

    /// The durations.
    pub fn durations(&self) -> impl Iterator<Item = Duration> + 'a {
        let bytes = self.part(self.version.header(), self.duration_count() * 8);
        bytes.chunks_exact(8).map(|chunk| {
            let ticks = u64::from(word(chunk, 0)) | u64::from(word(chunk, 4)) << 32;
            Duration::from_ticks(ticks)
        })
    }

    /// The instructions.
    pub fn code(&self) -> impl Iterator<Item = u32> + 'a {
        let bytes = self.part(self.code_offset(), self.length() * 4);
        bytes.chunks_exact(4).map(|chunk| word(chunk, 0))
    }

    /// The tasks whose completion enters the program, and where.
    pub fn completions(&self) -> impl Iterator<Item = (u8, u16)> + 'a {
        entries(self.part(self.completions_offset(), self.completion_count() * 4))
    }

    /// The conditions of triggers and timeouts.
    pub fn conditions(&self) -> impl Iterator<Item = Condition> + 'a {
        eights(self.conditions_bytes()).filter_map(Condition::decode)
    }

    /// The addresses where exceptions enter the program.
    pub fn handlers(&self) -> impl Iterator<Item = (Exception, u16)> + 'a {
        let entries = entries(self.handlers_bytes());
        entries.filter_map(|(number, address)| {
            let (exception, _) = Exception::ALL.get(usize::from(number))?;
            Some((*exception, address))
        })
    }

    /// How many numbers its certificate has; zero if it has no certificate.
    #[must_use]
    pub fn certificate_length(&self) -> usize {
        if self.version == Version::Third { half(self.bytes, 24).into() } else { 0 }
    }

    /// A number of its certificate.
    #[must_use]
    pub fn certified(&self, number: u16) -> Option<u32> {
        let number = usize::from(number);
        (number < self.certificate_length()).then(|| word(self.bytes, self.certificate_offset() + number * 4))
    }

    /// The numbers of its certificate, in ticks.
    pub fn certificate(&self) -> impl Iterator<Item = u32> + 'a {
        let bytes = self.part(self.certificate_offset(), self.certificate_length() * 4);
        bytes.chunks_exact(4).map(|chunk| word(chunk, 0))
    }

    /// The checksum of the names: all programs for one module of one image have the same.
    #[must_use]
    pub fn interface(&self) -> u32 {
        crc32(self.bytes.get(self.names_offset()..).unwrap_or_default())
    }

    /// The names: the module, the tasks, the drivers, the ports.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + Clone + 'a {
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
        self.names().skip(1).take(self.task_count())
    }

    /// The names of the drivers.
    pub fn drivers(&self) -> impl Iterator<Item = &'a str> + 'a {
        self.names().skip(1 + self.task_count()).take(self.driver_count())
    }

    /// The names of the ports that conditions look at.
    pub fn ports(&self) -> impl Iterator<Item = &'a str> + 'a {
        self.names().skip(1 + self.task_count() + self.driver_count())
    }

    /// The number of names: the module, the tasks, the drivers, the ports.
    pub(crate) fn name_count(&self) -> usize {
        1 + self.task_count() + self.driver_count() + self.port_count()
    }

    fn byte(&self, offset: usize) -> u8 {
        self.bytes.get(offset).copied().unwrap_or_default()
    }

    /// The offset of its durations from its first byte.
    #[must_use]
    pub fn durations_offset(&self) -> usize {
        self.version.header()
    }

    /// The offset of its instructions.
    #[must_use]
    pub fn code_offset(&self) -> usize {
        self.version.header() + self.duration_count() * 8
    }

    fn completions_offset(&self) -> usize {
        self.code_offset() + self.length() * 4
    }

    /// The offset of its conditions.
    #[must_use]
    pub fn conditions_offset(&self) -> usize {
        self.completions_offset() + self.completion_count() * 4
    }

    pub(super) fn handlers_offset(&self) -> usize {
        self.conditions_offset() + self.condition_count() * 8
    }

    fn certificate_offset(&self) -> usize {
        self.handlers_offset() + self.handler_count() * 4
    }

    pub(super) fn names_offset(&self) -> usize {
        self.certificate_offset() + self.certificate_length() * 4
    }

    pub(super) fn conditions_bytes(&self) -> &'a [u8] {
        self.part(self.conditions_offset(), self.condition_count() * 8)
    }

    pub(super) fn handlers_bytes(&self) -> &'a [u8] {
        self.part(self.handlers_offset(), self.handler_count() * 4)
    }

    fn part(&self, offset: usize, length: usize) -> &'a [u8] {
        self.bytes.get(offset..offset + length).unwrap_or_default()
    }
}

pub(super) fn eights(bytes: &[u8]) -> impl Iterator<Item = [u8; 8]> + '_ {
    bytes.chunks_exact(8).filter_map(|chunk| chunk.try_into().ok())
}

pub(super) fn entries(bytes: &[u8]) -> impl Iterator<Item = (u8, u16)> + '_ {
    bytes.chunks_exact(4).map(|chunk| (chunk.first().copied().unwrap_or_default(), half(chunk, 2)))
}

/// A word of the bytes; zero beyond them.
#[inline(always)]
pub(super) fn word(bytes: &[u8], offset: usize) -> u32 {
    let word = bytes.get(offset..).and_then(|rest| rest.first_chunk());
    word.copied().map_or(0, u32::from_le_bytes)
}

fn half(bytes: &[u8], offset: usize) -> u16 {
    let byte = |offset: usize| bytes.get(offset).copied().unwrap_or_default();
    u16::from_le_bytes([byte(offset), byte(offset + 1)])
}
