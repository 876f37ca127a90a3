//! When each byte was handed to the console's device: from the emulator's log of two devices.
//!
//! The console's file has no times. But the emulator logs what is written to the console's device, and what is read
//! from timers of the clock's kind. These are readings of the kernel's clock: the only other timer of this kind, the
//! alarm, is never read. The kernel reads the clock whenever it is entered. So a byte was written between the reading
//! before it and the next one, by the thread that had the processor after the first.

use beryl_abi::Instant;

/// What the emulator is asked to log, and where.
pub(super) const OPTIONS: [&str; 6] =
    ["-trace", "cmsdk_apb_uart_write", "-trace", "cmsdk_apb_timer_read", "-D", LOG];
pub(super) const LOG: &str = "devices.txt";

/// A byte, and when the kernel last looked at the clock before it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// That instant.
    pub at: Instant,
    /// The byte.
    pub byte: u8,
}

/// All bytes of a log, in order. Other lines are left out.
pub(super) fn spoken(log: &str) -> Vec<Spoken> {
    let (mut now, mut spoken) = (0_u64, Vec::new());
    for line in log.lines() {
        let Some((device, access)) = line.split_once(' ') else { continue };
        match device {
            "cmsdk_apb_timer_read" => {
                // It counts down from the largest value, and is read far more often than it wraps.
                let Some(value) = written(access, "0x4") else { continue };
                now += u64::from((!value).wrapping_sub(low(now)));
            }
            "cmsdk_apb_uart_write" => {
                let Some(value) = written(access, "0x0") else { continue };
                let [byte, ..] = value.to_le_bytes();
                spoken.push(Spoken { at: Instant::from_ticks(now), byte });
            }
            _ => {}
        }
    }
    spoken
}

/// The value of an access to the register at this offset. Logs have millions of lines, so no words are collected.
fn written(access: &str, register: &str) -> Option<u32> {
    let (_, behind) = access.split_once("offset ")?;
    let (offset, behind) = behind.split_once(" data 0x")?;
    let (value, _) = behind.split_once(' ').filter(|_| offset == register)?;
    u32::from_str_radix(value, 16).ok()
}

fn low(ticks: u64) -> u32 {
    let [a, b, c, d, ..] = ticks.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_time_that_the_kernel_saw_last() {
        let log = "cmsdk_apb_uart_write CMSDK APB UART write: offset 0x10 data 0x10 size 4\n\
                   cmsdk_apb_timer_read CMSDK APB timer read: offset 0x4 data 0xfffffff0 size 4\n\
                   cmsdk_apb_uart_write CMSDK APB UART write: offset 0x0 data 0x68 size 4\n\
                   something else\n\
                   cmsdk_apb_timer_read CMSDK APB timer read: offset 0x4 data 0x2 size 4\n\
                   cmsdk_apb_timer_read CMSDK APB timer read: offset 0x8 data 0x1 size 4\n\
                   cmsdk_apb_timer_read CMSDK APB timer read: offset 0x4 data 0xffffffff size 4\n\
                   cmsdk_apb_uart_write CMSDK APB UART write: offset 0x0 data 0xa size 4\n";
        let at = |ticks, byte| Spoken { at: Instant::from_ticks(ticks), byte };
        assert_eq!(spoken(log), [at(15, b'h'), at(1 << 32, b'\n')]);
    }
}
