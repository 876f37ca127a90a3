//! The store: what was learnt, in memory that two processes share, and who keeps it.
//!
//! 256 words: the sum of all that follow, how often something was added, then a ring of entries of four. The
//! sum holds only if nobody reads while another writes, which is what the semaphore `store` is for.

use beryl_user::call;
use beryl_user::mailbox::Sender;
use beryl_user::period::Period;
use beryl_user::region::Region;
use beryl_user::semaphore::Binary;
use beryl_user::time::{self, Duration};

use crate::diagnosis::{KEPT, Note, milliseconds};

const WORDS: u32 = 256;
const SUM: u32 = 0;
const COUNT: u32 = 1;
const ENTRIES: u32 = 2;
const ENTRY: u32 = 4;
/// What the checksum takes in the simulator.
const WORK: Duration = time::milliseconds(1);

/// The store, as long as nobody else uses it.
pub struct Store {
    region: Region,
}

impl Store {
    /// In this region of 256 words.
    pub fn new(region: Region) -> Store {
        Store { region }
    }

    /// Adds an entry; the oldest makes room.
    pub fn add(&mut self, values: [f32; ENTRY as usize]) {
        let count = self.word(COUNT);
        let place = ENTRIES + count % ((WORDS - ENTRIES) / ENTRY) * ENTRY;
        self.set(COUNT, count.wrapping_add(1));
        for (word, value) in (place..).zip(values) {
            self.set(word, value.to_bits());
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        (0..WORDS).for_each(|word| self.put(word, 0));
    }

    /// How often something was added.
    fn count(&self) -> u32 {
        self.word(COUNT)
    }

    /// The CRC-32 of all words, if their sum is right.
    fn checksum(&self) -> Option<u32> {
        call::spend(WORK);
        let (mut sum, mut checksum) = (0_u32, u32::MAX);
        for word in COUNT..WORDS {
            let value = self.word(word);
            sum = sum.wrapping_add(value);
            checksum = add_to_checksum(checksum, value);
        }
        (sum == self.word(SUM)).then_some(!checksum)
    }

    /// Changes a word, and the sum with it.
    fn set(&mut self, word: u32, value: u32) {
        let sum = self.word(SUM).wrapping_sub(self.word(word)).wrapping_add(value);
        self.put(SUM, sum);
        self.put(word, value);
    }

    fn word(&self, word: u32) -> u32 {
        self.region.load(word * 4).unwrap_or_default()
    }

    fn put(&mut self, word: u32, value: u32) {
        // All words lie inside.
        let _ = self.region.store(word * 4, value);
    }
}

/// The usual CRC-32, bit by bit: slow, and so are those who wait for the store.
fn add_to_checksum(checksum: u32, word: u32) -> u32 {
    (0..32).fold(checksum ^ word, |rest, _| rest >> 1 ^ if rest & 1 == 1 { 0xEDB8_8320 } else { 0 })
}

/// Keeps the store: makes its checksum, as one does before writing it where it lasts. That takes
/// milliseconds, at nearly the lowest priority; if [`adapt`](crate::adapt) is released meanwhile it lends its
/// urgency.
pub fn keep(mut period: Period, mut exclusion: Binary<()>, learnt: Region, mut notes: Sender<Note>) -> ! {
    let store = Store::new(learnt);
    loop {
        if let Ok(held) = exclusion.wait() {
            let (count, checksum) = (store.count(), store.checksum());
            drop(held);
            let words = [count, checksum.unwrap_or_default(), u32::from(checksum.is_some())];
            let [count, checksum, is_whole] = words.map(u32::cast_signed);
            let _ = notes.send(&[KEPT, milliseconds(), count, checksum, is_whole, 0]);
        }
        period.wait();
    }
}
