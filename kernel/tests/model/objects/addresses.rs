//! Which memory a thread may hand over.

use beryl_abi::{CallError, Range, call::SHORT_MESSAGE};
use beryl_kernel::{Sizes, Table};

use super::{Index, Model};

impl<S: Sizes> Model<'_, S> {
    /// Memory that a call names: its own stack, or memory of its process, at a multiple of four.
    pub fn check_address(
        &self,
        thread: Index,
        address: u32,
        length: impl Into<u32>,
    ) -> Result<(), CallError> {
        let row = self.row(thread);
        let memory = self.system.processes.at(row.process.index()).memory;
        let wanted = Range::new(address, length.into());
        let inside = memory.iter().chain([&row.stack]).any(|range| range.contains(wanted));
        (inside && address.is_multiple_of(4)).then_some(()).ok_or(CallError::BadAddress)
    }

    pub fn read(&self, address: u32, length: impl Into<u32>) -> Vec<u32> {
        (0..length.into()).step_by(4).map(|offset| self.word(address + offset)).collect()
    }

    pub fn write(&mut self, address: u32, words: &[u32]) {
        for (offset, word) in (0..).step_by(4).zip(words) {
            self.memory.insert(address + offset, *word);
        }
    }
}

/// Whether a message of this length doesn't travel in registers.
pub fn is_long(length: u8) -> bool {
    u32::from(length) > SHORT_MESSAGE
}

/// As many words of two registers as a short message has.
pub fn short(length: u8, words: [u32; 2]) -> Vec<u32> {
    words[..usize::from(length.div_ceil(4)).min(2)].to_vec()
}
