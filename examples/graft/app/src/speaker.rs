//! What is replaced: a thread that tells whoever traces the system a word in each of its periods.

use beryl_user::period::Period;
use beryl_user::trace;

/// What it says.
const WORD: [u8; 4] = *b"old ";
/// The number of the event.
const SAID: u16 = 1;

/// Says its word, and how often it has said it since it began.
pub fn speaker(mut period: Period) -> ! {
    let mut count = 0_u32;
    loop {
        trace::tell_at_once(SAID, u32::from_le_bytes(WORD));
        trace::tell_at_once(SAID + 1, count);
        count = count.wrapping_add(1);
        period.wait();
    }
}
