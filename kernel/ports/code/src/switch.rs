//! Where threads call the kernel, and where the kernel gives the processor to a thread.

use crate::{Image, ImageError, Processor};

/// `svc 0`.
const CALL: &[u8] = &[0x00, 0xDF];
/// `ecall`.
const CALL_OF_RISCV: &[u8] = &[0x73, 0, 0, 0];
/// `mret`.
const RETURN: &[u8] = &[0x73, 0, 0x20, 0x30];

/// The half-words that are a call of the kernel if an instruction begins there.
#[must_use]
pub fn calls(image: &Image<'_>) -> Vec<u32> {
    let call = match image.processor {
        Processor::Thumb => CALL,
        Processor::Riscv => CALL_OF_RISCV,
    };
    image.half_words().filter(|(_, rest)| rest.starts_with(call)).map(|(address, _)| address).collect()
}

/// An instruction behind which a thread has the processor, or will have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gives {
    /// Its address.
    pub address: u32,
    /// The register that has the thread's stack pointer before it.
    pub register: u8,
}

/// Where a function gives the processor to a thread: its first `msr psp, rN`, or on RISC-V its return to user mode, by which
/// the stack pointer is that of the thread already.
///
/// # Errors
/// The image has no such function, or that no such instruction.
pub fn gives(image: &Image<'_>, function: &str) -> Result<Gives, ImageError> {
    let missing = || ImageError::NoSymbol(function.to_owned());
    let start = image.addresses(function)?.first().copied().ok_or_else(missing)?;
    let end = image.end_of_function(start).ok_or_else(missing)?;
    let inside = image.half_words().filter(|(address, _)| (start..end).contains(address));
    inside
        .filter_map(|(address, rest)| {
            let register = match image.processor {
                Processor::Thumb => sets_pointer(rest)?,
                Processor::Riscv => rest.starts_with(RETURN).then_some(image.processor.stack())?,
            };
            Some(Gives { address, register })
        })
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
