//! The image for an emulated board that somebody speaks with.
//!
//! While an emulated processor sleeps, its clock either jumps to the next instant at which something happens,
//! and whoever speaks with it is always too late; or it follows this machine's, and the board is late
//! whenever this machine is busy. So it doesn't sleep: its idle thread goes round, and its time passes with
//! its instructions only.

/// Waits for an interrupt, in Thumb.
const WFI: [u8; 2] = 0xBF30_u16.to_le_bytes();
/// Does nothing.
const NOP: [u8; 2] = 0xBF00_u16.to_le_bytes();
/// How many instructions the idle thread has at most before it waits.
const FEW: usize = 8;

/// The same image with an idle thread that doesn't wait, where `idle` is the place of its code; nothing if it doesn't
/// wait there.
#[must_use]
pub fn awake(image: &[u8], idle: usize) -> Option<Vec<u8>> {
    let code = image.get(idle..)?;
    let place = code.chunks_exact(2).take(FEW).position(|instruction| instruction == WFI)?;
    let mut awake = image.to_vec();
    awake.get_mut(idle + 2 * place..)?.first_chunk_mut().map(|instruction| *instruction = NOP)?;
    Some(awake)
}

#[cfg(test)]
mod tests {
    use super::{NOP, WFI, awake};

    #[test]
    fn the_idle_thread_goes_round_and_nothing_else_changes() {
        let mut image = vec![7; 100];
        image[40..42].copy_from_slice(&WFI);
        image[60..62].copy_from_slice(&WFI);
        let mut expected = image.clone();
        expected[40..42].copy_from_slice(&NOP);
        for idle in [26, 38, 40] {
            assert_eq!(awake(&image, idle).as_ref(), Some(&expected), "code at {idle}");
        }
        for idle in [0, 24, 62, 98, 1000] {
            assert_eq!(awake(&image, idle), None, "code at {idle}");
        }
    }
}
