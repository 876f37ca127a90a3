//! The environment's window on a board: sensors and actuators are values in memory, wherever the linker script says that it is.

use beryl_abi::environment::{CHANNEL_WORDS, Channel, HEADER_WORDS, MAGIC};

use crate::platform::memory;

unsafe extern "C" {
    /// The environment's window; its address comes from the linker script.
    static __beryl_environment: u32;
}

/// Copies the next recorded value of `channel` into `value`; see [`crate::environment::read`].
pub fn environment_read(channel: Channel, value: &mut [u8]) {
    let Some(row) = Row::find(channel, value.len()) else { return };
    let Some(last) = row.values().checked_sub(1) else { return };
    let place = row.cursor().min(last);
    // SAFETY: the row says that `values` values of this length follow each other from `data`, and `place` is
    // one of them. A wrong window can only reach memory that the process may touch.
    unsafe { core::ptr::copy_nonoverlapping(row.value(place, value.len()), value.as_mut_ptr(), value.len()) };
    row.advance();
}

/// Copies `value` to the next place of `channel`. The cursor advances even when no place is left, so that a
/// reader of the window sees that values were lost.
pub fn environment_write(channel: Channel, value: &[u8]) {
    let Some(row) = Row::find(channel, value.len()) else { return };
    if row.cursor() < row.values() {
        // SAFETY: as in `environment_read`, with the place that the cursor names.
        unsafe {
            core::ptr::copy_nonoverlapping(value.as_ptr(), row.value(row.cursor(), value.len()), value.len());
        }
    }
    row.advance();
}

/// A channel's four words in the window: address of its data, bytes per value, values, cursor.
struct Row(*mut u32);

impl Row {
    /// The row of `channel`, if there is a window that has the channel, and its values are `length` bytes
    /// long.
    fn find(channel: Channel, length: usize) -> Option<Row> {
        let window = (&raw const __beryl_environment).cast_mut();
        // SAFETY: the window begins with its header wherever there is a board with one; both words
        // lie inside it.
        let (magic, channels) = unsafe { (window.read_volatile(), window.add(3).read_volatile()) };
        if magic != MAGIC || channel.number() >= channels {
            return None;
        }
        let words = HEADER_WORDS.saturating_add(CHANNEL_WORDS.saturating_mul(channel.number()));
        let row = Row(window.wrapping_add(words as usize));
        (row.word(1) as usize == length).then_some(row)
    }

    fn values(&self) -> u32 {
        self.word(2)
    }

    fn cursor(&self) -> u32 {
        self.word(3)
    }

    fn advance(&self) {
        // SAFETY: the fourth word of a row that `find` found in the window.
        unsafe { self.0.add(3).write_volatile(self.cursor().saturating_add(1)) }
    }

    /// Where value `place` begins: values start at multiples of four.
    fn value(&self, place: u32, length: usize) -> *mut u8 {
        let stride = length.next_multiple_of(4);
        memory(self.word(0)).wrapping_add(stride.saturating_mul(place as usize))
    }

    fn word(&self, index: usize) -> u32 {
        // SAFETY: `index` is below four, inside a row that `find` found in the window.
        unsafe { self.0.add(index).read_volatile() }
    }
}
