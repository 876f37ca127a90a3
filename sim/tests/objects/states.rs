//! State messages across processes: never torn, and readers that are too slow are told so.

use beryl_abi::StateMessageId;
use beryl_kernel::StateMessage;
use beryl_user::period::Period;
use beryl_user::state::{Reader, SlowReader, Writer};

use crate::scenario::{ALL, BASE, Scenario, elsewhere, end, free, note, pause, periodic};

/// Four words that are equal if the value isn't torn.
type Value = [i32; 4];

const INDEX: u32 = BASE + 0x100;
const BUFFERS: u32 = BASE + 0x108;

/// Writes a new value every ten ticks.
extern "C" fn writer<const DEPTH: u32>() -> ! {
    // SAFETY: the index and `DEPTH` buffers are there; this is the only writer, and it is periodic.
    let (mut writer, mut period): (Writer<Value>, _) =
        unsafe { (Writer::new(INDEX, BUFFERS, DEPTH), Period::new()) };
    for number in 1.. {
        writer.write(&[number; 4]);
        period.wait();
    }
    end("the writer ends")
}

/// Reads thirty times; takes forty ticks at most each time.
extern "C" fn reader<const DEPTH: u32>() -> ! {
    // SAFETY: as in `writer`.
    let mut reader: Reader<Value> = unsafe { Reader::new(INDEX, BUFFERS, DEPTH) };
    for _ in 0..30 {
        tell(reader.read().ok());
        pause(13);
    }
    end("the reader ends")
}

extern "C" fn slow_reader() -> ! {
    // SAFETY: the first state message has this type.
    let mut reader: SlowReader<Value> = unsafe { SlowReader::new(StateMessageId(0)) };
    for _ in 0..30 {
        tell(Some(reader.read().unwrap()));
        pause(13);
    }
    end("the reader ends")
}

fn tell(value: Option<Value>) {
    match value {
        None => note("overrun"),
        Some(value) if value.iter().all(|word| *word == value[0]) => note("whole"),
        Some(value) => note(&format!("torn {value:?}")),
    }
}

/// How many reads of many runs there were, and how many of them were whole, overrun and torn.
fn reads(writer: extern "C" fn() -> !, reader: extern "C" fn() -> !, depth: u8) -> [usize; 4] {
    let mut counts = [0; 4];
    for seed in 0..20 {
        let message = StateMessage { readers: ALL, index: INDEX, base: BUFFERS, length: 16, depth };
        let notes = Scenario::new()
            .thread_taking(1, 2, periodic(2, 0, 10), writer)
            .thread_taking(10, 40, elsewhere(free(1)), reader)
            .with(|system| system.state_messages[0] = message)
            .seed(seed)
            .notes(5000);
        assert_eq!(notes.iter().filter(|note| note.contains("ends")).count(), 1, "seed {seed}: {notes:?}");
        for (count, word) in counts.iter_mut().zip(["", "whole", "overrun", "torn"]) {
            *count += notes.iter().filter(|note| note.contains(word) && !note.contains("ends")).count();
        }
    }
    counts
}

#[test]
fn at_a_depth_that_is_too_small_reads_are_whole_or_overrun() {
    let [all, whole, overrun, torn] = reads(writer::<2>, reader::<2>, 2);
    assert_eq!((all, torn), (600, 0));
    assert!(whole > 100 && overrun > 100, "{whole} whole, {overrun} overrun");
}

#[test]
fn at_a_sufficient_depth_no_read_is_overrun() {
    // Forty ticks of its own and ten of the writer: at most six writes can start in sixty ticks.
    assert_eq!(reads(writer::<8>, reader::<8>, 8), [600, 600, 0, 0]);
}

#[test]
fn a_reader_through_the_kernel_always_gets_a_whole_value() {
    assert_eq!(reads(writer::<2>, slow_reader, 2), [600, 600, 0, 0]);
}
