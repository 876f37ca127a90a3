//! Files of traces: records in blocks, each with a checksum, so that no flipped bit goes unnoticed.
//!
//! ```text
//!   "BRYL"   form (u32)                    once, at the beginning
//!   length (u32)   checksum (u32)   whole records      a block; as many as come
//! ```
//!
//! The checksum (CRC-32) covers all bytes of the file up to the end of the block, except for other checksums:
//! blocks can't be missing, come twice or change places. A complete block is readable whatever follows it, so
//! a file can be read while it grows, and a damaged one up to the damage.

use crc32fast::Hasher;

use crate::decode::{self, DecodeError, Reason};
use crate::event::Event;
use crate::names::Form;

/// The beginning of every trace file, since checksums were introduced.
const MARK: &[u8; 4] = b"BRYL";
/// The size of the file's header, and of the header of each block.
const HEAD: usize = 8;
/// A block is closed once it has this many bytes, so the longest one has this and one record.
const FULL_BLOCK: usize = 1024;
const LONGEST_BLOCK: usize = FULL_BLOCK + LONGEST_RECORD;
const LONGEST_RECORD: usize = 4 + 255 * 4;

/// Writes a file, block by block.
#[derive(Clone, Debug)]
pub struct Sealer {
    /// The checksum of all bytes so far.
    hasher: Hasher,
}

impl Sealer {
    /// A new file, and its first bytes.
    #[must_use]
    pub fn begin() -> (Sealer, Vec<u8>) {
        let mut beginning = MARK.to_vec();
        beginning.extend(Form::NUMBER.to_le_bytes());
        let mut hasher = Hasher::new();
        hasher.update(&beginning);
        (Sealer { hasher }, beginning)
    }

    /// Whole records as blocks, to be appended to the file.
    #[must_use]
    pub fn seal(&mut self, records: &[u8]) -> Vec<u8> {
        let mut sealed = Vec::with_capacity(records.len() + records.len() / FULL_BLOCK * HEAD + HEAD);
        let mut rest = records;
        while !rest.is_empty() {
            let (block, behind) = rest.split_at(block_of(rest));
            let length = u32::try_from(block.len()).unwrap_or(u32::MAX).to_le_bytes();
            self.hasher.update(&length);
            self.hasher.update(block);
            sealed.extend(length);
            sealed.extend(self.hasher.clone().finalize().to_le_bytes());
            sealed.extend_from_slice(block);
            rest = behind;
        }
        sealed
    }
}

/// How many bytes of records go into the next block: whole records, including the one that fills it up.
fn block_of(records: &[u8]) -> usize {
    let mut length = 0;
    while let Some([_, _, _, words]) = records.get(length..).and_then(<[u8]>::first_chunk)
        && length < FULL_BLOCK
    {
        length += 4 + usize::from(*words) * 4;
    }
    // Partial records still become a block; readers will report them.
    if length == 0 { records.len().min(FULL_BLOCK) } else { length.min(records.len()) }
}

/// A file of some records.
#[must_use]
pub fn sealed(records: &[u8]) -> Vec<u8> {
    let (mut sealer, mut file) = Sealer::begin();
    file.extend(sealer.seal(records));
    file
}

/// Whether bytes begin like a file.
#[must_use]
pub fn is_sealed(bytes: &[u8]) -> bool {
    bytes.starts_with(MARK)
}

/// Reads a file, even while it grows.
#[derive(Clone, Debug, Default)]
pub struct Unsealer {
    /// The checksum of all bytes so far; `None` before the file's header is there.
    hasher: Option<Hasher>,
    /// How many bytes of the file that covers.
    read: usize,
}

/// The readable part of a file.
#[derive(Clone, Debug, Default)]
pub struct Unsealed {
    /// The records of whole blocks.
    pub records: Vec<u8>,
    /// Where the records of each block begin: within `records`, and in the file.
    places: Vec<(usize, usize)>,
    /// Why reading stopped.
    pub damage: Option<DecodeError>,
}

impl Unsealer {
    /// How many bytes of the file have been read: continue after them.
    #[must_use]
    pub fn read(&self) -> usize {
        self.read
    }

    /// The records of further bytes of the file, as far as their blocks are whole. The remaining bytes have
    /// to be passed again, with more bytes after them.
    #[must_use]
    pub fn take(&mut self, bytes: &[u8]) -> Unsealed {
        let mut unsealed = Unsealed::default();
        let mut rest = bytes;
        while !rest.is_empty() || self.hasher.is_none() {
            match self.next(rest) {
                Ok((block, length)) => {
                    unsealed.places.push((unsealed.records.len(), self.read + HEAD));
                    unsealed.records.extend_from_slice(block);
                    self.read += length;
                    rest = rest.get(length..).unwrap_or_default();
                }
                Err(reason) => {
                    unsealed.damage = Some(DecodeError { offset: self.read, reason });
                    break;
                }
            }
        }
        unsealed
    }

    /// The records of the next block, and its length in bytes; the file's header counts as a block without
    /// records.
    fn next<'a>(&mut self, bytes: &'a [u8]) -> Result<(&'a [u8], usize), Reason> {
        let truncated = |needed| Reason::Truncated { needed, left: bytes.len() };
        let Some(hasher) = &mut self.hasher else {
            let common = bytes.len().min(MARK.len());
            if bytes.get(..common) != MARK.get(..common) {
                return Err(Reason::NoTrace);
            }
            let (beginning, _) = bytes.split_first_chunk::<HEAD>().ok_or(truncated(HEAD))?;
            let [_, _, _, _, form @ ..] = *beginning;
            let form = u32::from_le_bytes(form);
            if form != Form::NUMBER {
                return Err(Reason::OtherForm(form));
            }
            let mut hasher = Hasher::new();
            hasher.update(beginning);
            self.hasher = Some(hasher);
            return Ok((&[], HEAD));
        };
        let (head, behind) = bytes.split_first_chunk::<HEAD>().ok_or(truncated(HEAD))?;
        let [length @ .., a, b, c, d] = *head;
        let stated = u32::from_le_bytes(length);
        let count = usize::try_from(stated).unwrap_or(usize::MAX);
        if count == 0 || count > LONGEST_BLOCK {
            return Err(Reason::BlockLength(stated));
        }
        let block = behind.get(..count).ok_or(truncated(HEAD + count))?;
        let mut all = hasher.clone();
        all.update(&length);
        all.update(block);
        if all.clone().finalize() != u32::from_le_bytes([a, b, c, d]) {
            return Err(Reason::Checksum { bytes: HEAD + count });
        }
        *hasher = all;
        Ok((block, HEAD + count))
    }
}

impl Unsealed {
    /// The position in the file of a byte of the records.
    fn place(&self, offset: usize) -> usize {
        let behind = self.places.partition_point(|(records, _)| *records <= offset);
        let (records, file) =
            behind.checked_sub(1).and_then(|last| self.places.get(last)).copied().unwrap_or((0, 0));
        file + (offset - records)
    }

    /// The readable events, and why there aren't more.
    #[must_use]
    pub fn events(&self) -> (Vec<Event>, Option<DecodeError>) {
        let (events, damage) = decode::readable(&self.records);
        let damage = damage.map(|error| DecodeError { offset: self.place(error.offset), ..error });
        (events, damage.or_else(|| self.damage.clone()))
    }
}

/// The events of a file up to any damage, and why reading stopped.
#[must_use]
pub fn readable(bytes: &[u8]) -> (Vec<Event>, Option<DecodeError>) {
    Unsealer::default().take(bytes).events()
}

/// The records of a file up to any damage.
#[must_use]
pub fn records(bytes: &[u8]) -> Vec<u8> {
    Unsealer::default().take(bytes).records
}

#[cfg(test)]
mod tests;
