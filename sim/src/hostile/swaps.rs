//! Programs that arrive wrong: early, torn, flipped, or once more; and ones that somebody has forged.
//!
//! A program goes into its slot part by part: the thread puts a part into its own memory and calls, then has it checked,
//! step by step. Forged programs come as others do: whoever makes the run has given them the right checksum.

use std::collections::VecDeque;

use beryl_abi::CallNumber;
use beryl_abi::call::LONGEST_PART;

use super::Act;
use crate::times::SplitMix64;

/// A program that a hostile thread may send to a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The slot's number.
    pub slot: u8,
    /// A container.
    pub bytes: Vec<u8>,
}

/// The most steps of a check that a thread asks for.
const MOST_STEPS: u64 = 400;

impl Arrival {
    /// `SLOT:HEX`.
    pub(super) fn read(text: &str) -> Option<Arrival> {
        let (slot, digits) = text.split_once(':')?;
        let pairs =
            (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok());
        Some(Arrival { slot: slot.parse().ok()?, bytes: pairs.collect::<Option<_>>()? })
    }

    /// What a thread does to send it, through its own memory at `scratch`.
    pub(super) fn acts(&self, scratch: u32, random: &mut SplitMix64) -> VecDeque<Act> {
        let mut bytes = self.bytes.clone();
        let length = u64::try_from(bytes.len()).unwrap_or(0).max(1);
        let place = usize::try_from(random.up_to(length - 1)).unwrap_or(0);
        let mut early = None;
        match random.up_to(3) {
            // Once more, as it is.
            0 => {}
            // Torn.
            1 => bytes.truncate(place & !3),
            // Flipped.
            2 => {
                if let Some(byte) = bytes.get_mut(place) {
                    *byte ^= 1 << random.up_to(7);
                }
            }
            // Checked, or called back, before all of it is there.
            _ => early = Some(place),
        }
        let mut acts = VecDeque::new();
        for (number, part) in bytes.chunks(LONGEST_PART as usize).enumerate() {
            let offset = number * LONGEST_PART as usize;
            if early.is_some_and(|early| (offset..offset + part.len()).contains(&early)) {
                let number =
                    [CallNumber::SlotCheck, CallNumber::SlotRollback][usize::from(random.up_to(1) == 0)];
                acts.push_back(self.call(number, [0; 3]));
            }
            let words = part.chunks(4).map(|word| {
                let mut whole = [0; 4];
                whole[..word.len()].copy_from_slice(word);
                u32::from_le_bytes(whole)
            });
            let mut count = 0;
            for (address, word) in (scratch..).step_by(4).zip(words) {
                acts.push_back(Act::Store { address, word });
                count += 1;
            }
            let offset = u32::try_from(offset).unwrap_or(u32::MAX);
            acts.push_back(self.call(CallNumber::SlotWrite, [offset, scratch, 4 * count]));
        }
        let steps = random.up_to(MOST_STEPS);
        acts.extend((0..steps).map(|_| self.call(CallNumber::SlotCheck, [0; 3])));
        acts
    }

    fn call(&self, number: CallNumber, [second, third, fourth]: [u32; 3]) -> Act {
        Act::Call { number: number as u32, arguments: [self.slot.into(), second, third, fourth] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lies in the slot behind these acts, if all parts come in their order.
    fn written(acts: &VecDeque<Act>) -> Vec<u8> {
        let (mut memory, mut slot) = (Vec::new(), Vec::new());
        for act in acts {
            match act {
                Act::Store { word, .. } => memory.extend(word.to_le_bytes()),
                Act::Call { number, .. } if *number == CallNumber::SlotWrite as u32 => {
                    slot.append(&mut memory)
                }
                _ => {}
            }
        }
        slot
    }

    #[test]
    fn programs_come_whole_torn_flipped_and_early() {
        let arrival = Arrival::read(&format!("2:{}", "0123456789abcdef".repeat(11))).expect("well written");
        assert_eq!((arrival.slot, arrival.bytes.len()), (2, 88));
        let mut random = SplitMix64(7);
        let [mut whole, mut torn, mut flipped, mut early] = [0; 4];
        for _ in 0..200 {
            let acts = arrival.acts(0x2000_0000, &mut random);
            let slot = written(&acts);
            let wrong: u32 =
                slot.iter().zip(&arrival.bytes).map(|(one, other)| (one ^ other).count_ones()).sum();
            let first_check = acts.iter().position(
                |act| matches!(act, Act::Call { number, .. } if *number != CallNumber::SlotWrite as u32),
            );
            let last_write = acts.iter().rposition(|act| matches!(act, Act::Store { .. }));
            match (slot.len() < 88, wrong) {
                (true, _) => torn += 1,
                (false, 1) => flipped += 1,
                (false, 0) if first_check < last_write && first_check.is_some() => early += 1,
                (false, 0) => whole += 1,
                other => panic!("{other:?}"),
            }
        }
        assert!(
            [whole, torn, flipped, early].iter().all(|count| *count > 20),
            "{whole} {torn} {flipped} {early}"
        );
        assert_eq!(Arrival::read("2:0"), None);
        assert_eq!(Arrival::read("2"), None);
    }
}
