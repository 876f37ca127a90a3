//! Requests to the emulator (semihosting, which Arm defined and RISC-V took over): a message, a file, the end.

use core::arch::asm;
use core::ffi::CStr;
use core::num::NonZeroU32;

const OPEN: u32 = 0x01;
const CLOSE: u32 = 0x02;
const PRINT_BYTE: u32 = 0x03;
const PRINT: u32 = 0x04;
const WRITE: u32 = 0x05;
const EXIT: u32 = 0x20;

/// Mode of [`OPEN`]: a binary file, written anew.
const WRITE_BINARY: u32 = 5;
/// Reason of [`EXIT`]: the application ended by itself.
const APPLICATION_EXIT: u32 = 0x20026;

/// A file of the emulator's machine, in its working directory. No file has number 0, so that none takes as much memory as one.
pub struct File(NonZeroU32);

impl File {
    /// A new, empty file, if it can be had.
    pub fn create(name: &CStr) -> Option<File> {
        let length = name.to_bytes().len() as u32;
        let handle = request(OPEN, &[name.as_ptr().expose_provenance() as u32, WRITE_BINARY, length]);
        NonZeroU32::new(handle).filter(|handle| handle.get() != u32::MAX).map(File)
    }

    /// Writes `length` bytes of memory from `address` and closes the file; answers whether all went well.
    pub fn write(self, address: u32, length: u32) -> bool {
        let left = request(WRITE, &[self.0.get(), address, length]);
        let closed = request(CLOSE, &[self.0.get()]);
        left == 0 && closed == 0
    }

    /// Writes `length` bytes of memory from `address` behind what the file has; answers whether all went well.
    pub fn append(&self, address: u32, length: u32) -> bool {
        request(WRITE, &[self.0.get(), address, length]) == 0
    }
}

/// Prints on the emulator's console.
pub fn print(text: &CStr) {
    request(PRINT, text.to_bytes_with_nul());
}

/// Prints one byte.
pub fn print_byte(byte: u8) {
    request(PRINT_BYTE, &[byte]);
}

/// Ends the emulation.
pub fn exit(code: u32) -> ! {
    // The emulator doesn't come back from the first request.
    // bound: 1
    loop {
        request(EXIT, &[APPLICATION_EXIT, code]);
    }
}

/// Asks the emulator, which reads the operation's `argument` and answers.
#[cfg(target_arch = "riscv32")]
fn request<T>(operation: u32, argument: &[T]) -> u32 {
    let answer;
    // SAFETY: the emulator only reads memory: the argument and what it points at, both borrowed until
    // it has answered. Without an emulator it is a trap of the kernel, which ends everything, as
    // intended here. It looks at the three instructions, which it wants uncompressed and within a page.
    unsafe {
        asm!(
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli zero, zero, 0x1f",
            "ebreak",
            "srai zero, zero, 7",
            ".option pop",
            inlateout("a0") operation => answer,
            in("a1") argument.as_ptr(),
            options(nostack, readonly),
        );
    }
    answer
}

/// The same where a request is a breakpoint.
#[cfg(target_arch = "arm")]
fn request<T>(operation: u32, argument: &[T]) -> u32 {
    let answer;
    // SAFETY: as above; without an emulator or a debugger it is a hard fault of the kernel.
    unsafe {
        asm!(
            "bkpt #0xAB",
            inlateout("r0") operation => answer,
            in("r1") argument.as_ptr(),
            options(nostack, readonly),
        );
    }
    answer
}
