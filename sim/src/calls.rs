//! The system calls that a run has made: shows how much of the kernel a suite of systems covers.

use beryl_abi::CallNumber;

/// A set of system calls, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls(u64);

impl Calls {
    /// Adds a call.
    pub(crate) fn note(&mut self, call: CallNumber) {
        self.0 |= bit(call);
    }

    /// The calls that were made, in the order of their numbers.
    pub fn made(self) -> impl Iterator<Item = CallNumber> {
        CallNumber::ALL.iter().copied().filter(move |call| self.0 & bit(*call) != 0)
    }
}

/// The bit of a call; there are fewer than 64.
fn bit(call: CallNumber) -> u64 {
    1_u64.checked_shl(call as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_a_bit_of_its_own() {
        let mut calls = Calls::default();
        for (count, call) in CallNumber::ALL.iter().enumerate() {
            assert_eq!(calls.made().count(), count);
            calls.note(*call);
            calls.note(*call);
        }
        assert_eq!(calls.made().collect::<Vec<_>>(), CallNumber::ALL);
    }
}
