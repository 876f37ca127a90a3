//! The console's driver for boards that have a CMSDK UART: another console is another file, and a line in `lib.rs`.

unsafe extern "C" {
    /// The console's registers; their address comes from the linker script.
    static __beryl_console: u32;
}

/// Sends `text` to the console, which is a CMSDK UART: data at 0, state at 4 (bit 0: full). A
/// process that wasn't given the console faults here.
pub fn print(text: &str) {
    write(text.as_bytes());
}

/// Writes bytes as they are.
pub fn write(bytes: &[u8]) {
    let data = (&raw const __beryl_console).cast_mut();
    for byte in bytes {
        // SAFETY: the two first registers of the UART, which take any access by whole words.
        unsafe {
            while data.add(1).read_volatile() & 1 != 0 {}
            data.write_volatile(u32::from(*byte));
        }
    }
}

/// Hands a byte to the console, once it has room.
pub fn put(byte: u8) {
    write(&[byte]);
}

/// Hands a byte to the console, which interrupts when it has taken it: control at 8 (bit 0: sends,
/// bit 2: interrupts), interrupts at 12 (bit 0: has sent; written as one to clear it).
pub fn transmit(byte: u8) {
    let data = (&raw const __beryl_console).cast_mut();
    // SAFETY: the four first registers of the UART, which take any access by whole words.
    unsafe {
        data.add(2).write_volatile(data.add(2).read_volatile() | 0b101);
        // After a stray interrupt the last byte may still be there.
        while data.add(1).read_volatile() & 1 != 0 {}
        data.add(3).write_volatile(1);
        data.write_volatile(u32::from(byte));
    }
}

/// Turns the console's receiver on, with its interrupt: control at 8 (bit 1: receives, bit 3: interrupts).
pub fn listen() {
    let control = (&raw const __beryl_console).cast_mut().wrapping_add(2);
    // SAFETY: a register of the UART, which takes any access by whole words.
    unsafe { control.write_volatile(control.read_volatile() | 0b1010) };
}

/// Fetches the byte that the console has received, if there is one: state at 4 (bit 1: full), interrupts at 12
/// (bit 1: has received; written as one to clear it, before the byte is fetched and another can come).
pub fn receive() -> Option<u8> {
    let data = (&raw const __beryl_console).cast_mut();
    // SAFETY: the four first registers of the UART, which take any access by whole words.
    unsafe {
        data.add(3).write_volatile(0b10);
        (data.add(1).read_volatile() & 0b10 != 0).then(|| data.read_volatile() as u8)
    }
}
