//! The image for an emulated board that somebody speaks with.
//!
//! While an emulated processor sleeps, its clock either jumps to the next instant at which something happens,
//! and whoever speaks with it is always too late; or it follows this machine's, and the board is late
//! whenever this machine is busy. So it doesn't sleep: its idle thread goes round, and its time passes with
//! its instructions only.

/// What a processor does while it has nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The instruction that waits for an interrupt.
    pub waits: &'static [u8],
    /// One as long that does nothing.
    pub passes: &'static [u8],
}

/// Bytes from one place where an instruction may begin to the next.
const GRAIN: usize = 2;
/// How many of these places the idle thread has at most before it waits.
const FEW: usize = 8;

/// The same image with an idle thread that doesn't wait, where `idle` is the place of its code; nothing if it doesn't
/// wait there.
#[must_use]
pub fn awake(image: &[u8], idle: usize, rest: Rest) -> Option<Vec<u8>> {
    let code = image.get(idle..)?;
    let mut places = (0..FEW).map(|place| GRAIN * place);
    let place = places.find(|place| code.get(*place..).is_some_and(|code| code.starts_with(rest.waits)))?;
    let mut awake = image.to_vec();
    awake.get_mut(idle + place..)?.get_mut(..rest.passes.len())?.copy_from_slice(rest.passes);
    Some(awake)
}

#[cfg(test)]
mod tests {
    use super::{Rest, awake};

    const SHORT: Rest = Rest { waits: &[0x30, 0xBF], passes: &[0x00, 0xBF] };
    const LONG: Rest = Rest { waits: &[0x73, 0x00, 0x50, 0x10], passes: &[0x13, 0x00, 0x00, 0x00] };

    #[test]
    fn the_idle_thread_goes_round_and_nothing_else_changes() {
        for rest in [SHORT, LONG] {
            let length = rest.waits.len();
            let mut image = vec![7; 100];
            image[40..40 + length].copy_from_slice(rest.waits);
            image[60..60 + length].copy_from_slice(rest.waits);
            let mut expected = image.clone();
            expected[40..40 + length].copy_from_slice(rest.passes);
            for idle in [26, 38, 40] {
                assert_eq!(awake(&image, idle, rest).as_ref(), Some(&expected), "code at {idle}");
            }
            for idle in [0, 24, 39, 64, 98, 1000] {
                assert_eq!(awake(&image, idle, rest), None, "code at {idle}");
            }
        }
    }

    /// The first half of one isn't one.
    #[test]
    fn an_image_that_ends_within_the_instruction_does_not_wait() {
        let image = [&[7; 8], &LONG.waits[..2]].concat();
        assert_eq!(awake(&image, 0, LONG), None);
    }
}
