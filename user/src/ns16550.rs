//! The console's driver for boards that have an NS16550. Its registers are bytes, and the emulator's takes any rate.

unsafe extern "C" {
    /// The console's registers; their address comes from the linker script.
    static __beryl_console: u8;
}

/// What is sent, and what has arrived.
const DATA: usize = 0;
/// Which interrupts there are.
const INTERRUPTS: usize = 1;
/// Why it interrupts; reading that it has sent makes it quiet.
const CAUSE: usize = 2;
/// What it has.
const STATE: usize = 5;

const ARRIVED: u8 = 1;
const SENT: u8 = 1 << 1;
/// Of [`STATE`]: there is room for a byte to send.
const HAS_ROOM: u8 = 1 << 5;

/// A register's content.
fn read(register: usize) -> u8 {
    // SAFETY: a register of the device, which takes any access by bytes. A process that wasn't given it faults.
    unsafe { (&raw const __beryl_console).add(register).read_volatile() }
}

/// Changes a register's content.
fn set(register: usize, byte: u8) {
    // SAFETY: as in `read`.
    unsafe { (&raw const __beryl_console).cast_mut().add(register).write_volatile(byte) }
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
    set(DATA, byte);
}

/// Hands a byte to the console, which interrupts when it has taken it.
pub fn transmit(byte: u8) {
    while read(STATE) & HAS_ROOM == 0 {}
    set(INTERRUPTS, read(INTERRUPTS) | SENT);
    set(DATA, byte);
}

/// Turns the receiver's interrupt on.
pub fn listen() {
    set(INTERRUPTS, read(INTERRUPTS) | ARRIVED);
}

/// Fetches the byte that the console has received, if there is one.
pub fn receive() -> Option<u8> {
    read(CAUSE);
    (read(STATE) & ARRIVED != 0).then(|| read(DATA))
}
