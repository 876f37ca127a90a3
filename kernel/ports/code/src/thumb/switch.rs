//! Where threads call the kernel, and where the kernel gives the processor to a thread.

use crate::{Image, ImageError};

/// `svc 0`.
const CALL: [u8; 2] = [0x00, 0xDF];

/// The half-words that are a call of the kernel if an instruction begins there.
#[must_use]
pub fn calls(image: &Image<'_>) -> Vec<u32> {
    image.half_words().filter(|(_, rest)| rest.starts_with(&CALL)).map(|(address, _)| address).collect()
}

/// An instruction that sets the stack pointer of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gives {
    /// Its address.
    pub address: u32,
    /// The register from which it takes the pointer.
    pub register: u8,
}

/// Where a function gives the processor to a thread: its first `msr psp, rN`.
///
/// # Errors
/// The image has no such function, or that no such instruction.
pub fn gives(image: &Image<'_>, function: &str) -> Result<Gives, ImageError> {
    let missing = || ImageError::NoSymbol(function.to_owned());
    let start = image.addresses(function)?.first().copied().ok_or_else(missing)?;
    let end = image.end_of_function(start).ok_or_else(missing)?;
    let inside = image.half_words().filter(|(address, _)| (start..end).contains(address));
    inside
        .filter_map(|(address, rest)| Some(Gives { address, register: sets_pointer(rest)? }))
        .next()
        .ok_or_else(|| ImageError::Image(format!("`{function}` doesn't set the stack pointer of threads")))
}

/// The register of `msr psp, rN`.
fn sets_pointer(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [first, 0xF3, 0x09, 0x88, ..] if first & 0xF0 == 0x80 => Some(first & 0x0F),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_register_is_that_of_the_instruction() {
        // msr psp, r3; msr msp, r3; mrs r3, psp.
        assert_eq!(sets_pointer(&[0x83, 0xF3, 0x09, 0x88]), Some(3));
        assert_eq!(sets_pointer(&[0x83, 0xF3, 0x08, 0x88]), None);
        assert_eq!(sets_pointer(&[0xEF, 0xF3, 0x09, 0x83]), None);
    }
}
