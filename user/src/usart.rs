//! The console's driver for boards with an STM32F4, whose serial line is a USART (RM0090, 30.6). The board has set its rate.

unsafe extern "C" {
    /// The console's registers; their address comes from the linker script.
    static __beryl_console: u32;
}

/// What has happened.
const STATE: usize = 0;
/// What is sent, and what has arrived: fetching it makes that quiet.
const DATA: usize = 1;
const CONTROL: usize = 3;

/// Of [`STATE`]: a byte has arrived.
const ARRIVED: u32 = 1 << 5;
/// Of [`STATE`]: all has been sent; written as zero to clear it.
const SENT: u32 = 1 << 6;
/// Of [`STATE`]: there is room for a byte to send.
const HAS_ROOM: u32 = 1 << 7;
/// Of [`CONTROL`]: it receives, and interrupts for each byte that arrives.
const RECEIVES: u32 = 1 << 5 | 1 << 2;
/// Of [`CONTROL`]: it interrupts when all has been sent.
const INTERRUPTS: u32 = 1 << 6;

/// A register's content.
fn read(register: usize) -> u32 {
    // SAFETY: a register of the device, which takes any access by words. A process that wasn't given it faults.
    unsafe { (&raw const __beryl_console).add(register).read_volatile() }
}

/// Changes a register's content.
fn set(register: usize, word: u32) {
    // SAFETY: as in `read`.
    unsafe { (&raw const __beryl_console).cast_mut().add(register).write_volatile(word) }
}

/// Sends `text` to the console. A process that wasn't given it faults here.
pub fn print(text: &str) {
    write(text.as_bytes());
}

/// Writes bytes as they are.
pub fn write(bytes: &[u8]) {
    bytes.iter().for_each(|byte| put(*byte));
}

/// Hands a byte to the console, once it has room.
pub fn put(byte: u8) {
    while read(STATE) & HAS_ROOM == 0 {}
    set(DATA, u32::from(byte));
}

/// Hands a byte to the console, which interrupts when it has sent it.
pub fn transmit(byte: u8) {
    while read(STATE) & HAS_ROOM == 0 {}
    set(STATE, !SENT);
    set(CONTROL, read(CONTROL) | INTERRUPTS);
    set(DATA, u32::from(byte));
}

/// Turns the receiver on, with its interrupt.
pub fn listen() {
    set(CONTROL, read(CONTROL) | RECEIVES);
}

/// Fetches the byte that the console has received, if there is one.
pub fn receive() -> Option<u8> {
    (read(STATE) & ARRIVED != 0).then(|| read(DATA) as u8)
}
