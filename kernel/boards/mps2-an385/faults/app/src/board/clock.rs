//! The kernel's clock, which this process may read: it counts up on some boards, and down from all ones on the others.

unsafe extern "C" {
    /// The clock's count; its address comes from the linker script.
    safe static __beryl_clock: u32;
}

/// Where the count is.
pub fn place() -> *const u32 {
    &raw const __beryl_clock
}

/// What the count is to be combined with (exclusive or) to be the ticks since the start: seen by what it does.
pub fn direction() -> u32 {
    let first = count();
    loop {
        match count() {
            same if same == first => {}
            later if later > first => break 0,
            _ => break u32::MAX,
        }
    }
}

/// Ticks since the start.
pub fn elapsed(direction: u32) -> u32 {
    count() ^ direction
}

fn count() -> u32 {
    // SAFETY: the clock is this process's to read.
    unsafe { place().read_volatile() }
}
