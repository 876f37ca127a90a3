//! A link's writer and a reader on two cores: every interleaving, and everything that a memory may do to the order of their words.
//!
//! Both run the code that ships ([`beryl_abi::link`]) over words that `loom` follows. A memory may show a core an old word
//! as long as nothing orders it behind the new one. Time is the only other thing that both know: a reader carries out an
//! instant when the jobs that end there have published, and is late by one logical execution time of the writer at most.

use beryl_abi::Instant;
use beryl_abi::link::{self, Words};
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering, fence};
use loom::thread;

/// Bytes of a value: two words, which shall be of one job.
const LENGTH: u32 = 8;

/// The memory of a link at address 0.
type Memory = Arc<Vec<AtomicU32>>;

fn memory() -> Memory {
    Arc::new((0..link::size(LENGTH) / 4).map(|_| AtomicU32::new(0)).collect())
}

/// A core's view of the memory, with the fences that it asks for or without.
struct Core {
    memory: Memory,
    fences: bool,
}

impl Core {
    fn word(&self, address: u32) -> &AtomicU32 {
        &self.memory[address as usize / 4]
    }
}

impl Words for Core {
    fn load(&mut self, address: u32) -> u32 {
        self.word(address).load(Ordering::Relaxed)
    }

    fn store(&mut self, address: u32, word: u32) {
        self.word(address).store(word, Ordering::Relaxed);
    }

    fn fence(&mut self, order: Ordering) {
        if self.fences {
            fence(order);
        }
    }
}

/// From when on the value of a job counts. Both words change with each.
fn counts(job: u32) -> [u32; 2] {
    [job.wrapping_neg(), job]
}

/// A job publishes.
fn publish(core: &mut Core, job: u32) {
    link::publish(core, (0, LENGTH), counts(job), |_, offset| job * 100 + offset);
}

/// What is read at the instant from which the value of a job counts.
fn read(core: &mut Core, job: u32) -> [u32; 2] {
    let [low, high] = counts(job);
    let now = Instant::from_ticks(u64::from(high) << 32 | u64::from(low));
    let place = link::counting(core, (0, LENGTH), now).expect("one of the values counts");
    [core.load(place), core.load(place + 4)]
}

fn value(job: u32) -> [u32; 2] {
    [job * 100, job * 100 + 4]
}

/// What a reader may meet that carries out the instant from which the value of job `read_at` counts: it has begun, and the
/// writer does all that it may until the reader is done.
fn one_instant(read_at: u32, meanwhile: u32, fences: [bool; 2]) {
    let memory = memory();
    let [mut writer, mut reader] = fences.map(|fences| Core { memory: Arc::clone(&memory), fences });
    (1..=read_at).for_each(|job| publish(&mut writer, job));
    let reader = thread::spawn(move || assert_eq!(read(&mut reader, read_at), value(read_at)));
    (read_at + 1..=read_at + meanwhile).for_each(|job| publish(&mut writer, job));
    reader.join().expect("it read what counts");
}

/// Jobs that end behind an instant, of which a reader that is late in time meets the stores.
const MEANWHILE: u32 = 2;

#[test]
fn a_late_reader_reads_what_counts_whatever_the_memory_does() {
    for read_at in 1..=6 {
        loom::model(move || one_instant(read_at, MEANWHILE, [true; 2]));
    }
}

/// The other way round: all that is needed for the test above is needed.
#[test]
#[should_panic(expected = "left == right")]
fn without_an_order_of_the_writer_an_entry_is_read_that_isnt_complete() {
    loom::model(|| one_instant(3, MEANWHILE, [false, true]));
}

#[test]
#[should_panic(expected = "left == right")]
fn without_an_order_of_the_reader_an_entry_is_read_that_isnt_complete() {
    loom::model(|| one_instant(3, MEANWHILE, [true, false]));
}

#[test]
#[should_panic(expected = "left == right")]
fn whoever_is_later_than_a_reader_may_be_loses_the_value() {
    loom::model(|| one_instant(3, MEANWHILE + 1, [true; 2]));
}
