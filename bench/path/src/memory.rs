//! What is known of the stack, byte by byte.
//!
//! Places are counted from where the stack pointer was when the function was entered. A function's own are
//! below; of its callers' it is kept what it has written there, also where nobody knows what.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::value::Value;

/// What is known of the stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory {
    /// The bits of bytes that are known, and what they are.
    bytes: BTreeMap<i32, (u8, u8)>,
    /// Pointers into the stack that are kept there.
    pointers: BTreeMap<i32, i32>,
}

impl Memory {
    /// Whether pointers into the stack are kept there.
    pub fn keeps_pointers(&self) -> bool {
        !self.pointers.is_empty()
    }

    /// Whether one of these leads to a caller's place.
    pub fn keeps_callers_pointers(&self) -> bool {
        self.pointers.values().any(|place| *place >= 0)
    }

    /// Whether the function has written there.
    pub fn was_written(&self, place: i32) -> bool {
        self.bytes.contains_key(&place)
    }

    /// The pointer that is kept there.
    pub fn pointer(&self, place: i32) -> Option<i32> {
        self.pointers.get(&place).copied()
    }

    /// Whether some of these bytes are of a pointer.
    pub fn overlaps_pointer(&self, place: i32, length: i32) -> bool {
        self.overlapping(place, length).next().is_some()
    }

    fn overlapping(&self, place: i32, length: i32) -> impl Iterator<Item = i32> {
        self.pointers.range(place.saturating_sub(3)..place.saturating_add(length)).map(|(place, _)| *place)
    }

    /// What is known of so many bytes; the rest of the word is zero.
    pub fn bits(&self, place: i32, length: i32) -> Bits {
        let byte = |place: i32| self.bytes.get(&place).copied().unwrap_or_default();
        Bits::from_bytes((place..place.saturating_add(length)).map(byte))
    }

    /// Stores a value's lowest bytes.
    pub fn store(&mut self, place: i32, length: i32, value: Value) {
        self.forget_pointers(place, length);
        if let (Value::Stack(pointer), 4) = (value, length) {
            self.pointers.insert(place, pointer);
        }
        for (offset, number) in (0..length).zip(0..) {
            self.keep(place.wrapping_add(offset), value.bits().byte(number));
        }
    }

    fn forget_pointers(&mut self, place: i32, length: i32) {
        let overlapping: Vec<i32> = self.overlapping(place, length).collect();
        overlapping.iter().for_each(|place| {
            self.pointers.remove(place);
        });
    }

    /// Of its own bytes, a function keeps only what is known.
    fn keep(&mut self, place: i32, byte: (u8, u8)) {
        match place < 0 && byte.0 == 0 {
            true => self.bytes.remove(&place),
            false => self.bytes.insert(place, byte),
        };
    }

    /// Nothing is known any more.
    pub fn forget(&mut self) {
        self.pointers.clear();
        self.bytes.retain(|place, _| *place >= 0);
        self.bytes.values_mut().for_each(|byte| *byte = (0, 0));
    }

    /// What lies below the stack pointer is nobody's.
    pub fn end_at(&mut self, pointer: i32) {
        self.bytes.retain(|place, _| *place >= pointer);
        self.pointers.retain(|place, _| *place >= pointer);
    }

    /// What its callers are left with.
    pub fn of_callers(&self) -> Memory {
        let mut left = self.clone();
        left.end_at(0);
        left
    }

    /// Takes over what a called function has left, which was entered with the stack pointer at `depth`.
    pub fn take(&mut self, left: &Memory, depth: i32) {
        for (place, byte) in &left.bytes {
            let place = place.wrapping_add(depth);
            self.forget_pointers(place, 1);
            self.keep(place, *byte);
        }
        for (place, pointer) in &left.pointers {
            self.pointers.insert(place.wrapping_add(depth), pointer.wrapping_add(depth));
        }
    }

    /// What holds by both; whether a pointer differs.
    pub fn common(&self, other: &Memory) -> (Memory, bool) {
        let mut common = self.clone();
        for place in other.bytes.keys() {
            common.bytes.entry(*place).or_default();
        }
        for (place, byte) in &mut common.bytes {
            let other = other.bytes.get(place).copied().unwrap_or_default();
            let known = byte.0 & other.0 & !(byte.1 ^ other.1);
            *byte = (known, byte.1 & known);
        }
        common.bytes.retain(|place, byte| *place >= 0 || byte.0 != 0);
        (common, self.pointers != other.pointers)
    }
}
