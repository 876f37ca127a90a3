//! What the steps of both protocols take on the board, for several numbers of readers. Counted on the board, so
//! elsewhere it is empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

use bench_board::enclosed;
use beryl_buffers::{Circular, Dynamic, READERS, Reader};
use beryl_user::println;

/// Numbers of readers.
const CASES: [u32; 4] = [1, 2, 4, 8];
/// Steps of each kind, for each.
const STEPS: u32 = 200;

/// A writer's buffers under both protocols, and its readers: every third is delayed, all are less urgent.
struct State {
    dynamic: Dynamic,
    circular: Circular,
    readers: [Reader; READERS],
    random: u32,
}

/// A step that is measured: what it is called, and what it does with a reader.
type Step = (&'static str, extern "C" fn(&mut State, u32, u64) -> u32);

const MEASURED: [Step; 5] = [
    ("dynamic/writer", dynamic_writer),
    ("dynamic/reader", dynamic_reader),
    ("dynamic/completion", dynamic_completion),
    ("circular/writer", circular_writer),
    ("circular/reader", circular_reader),
];

/// Thread: measures all of it.
pub fn buffers() -> ! {
    for count in CASES {
        let mut state = State::new();
        for _ in 0..STEPS {
            for (name, step) in MEASURED {
                // Others come between, so that buffers are free, current and held in any order.
                for _ in 0..state.below(4) {
                    let other = state.below(MEASURED.len() as u32) as usize;
                    let reader = state.below(count);
                    if let Some((_, step)) = MEASURED.get(other) {
                        step(&mut state, reader, 0);
                    }
                }
                let reader = state.below(count);
                let (sample, _) = enclosed(step, &mut state, reader, 0);
                println!("sample {name}/{count} {} {}", sample.before, sample.after);
            }
        }
    }
    bench_board::end()
}

impl State {
    fn new() -> State {
        let mut readers = [Reader { is_delayed: false, is_overtaken: true }; READERS];
        readers.iter_mut().step_by(3).for_each(|reader| reader.is_delayed = true);
        State { dynamic: Dynamic::new(&readers), circular: Circular::new(6), readers, random: 1 }
    }

    fn reader(&self, number: u32) -> Reader {
        self.readers.get(number as usize).copied().unwrap_or_default()
    }

    /// Marsaglia's shifts.
    fn below(&mut self, end: u32) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random % end.max(1)
    }
}

extern "C" fn dynamic_writer(state: &mut State, _reader: u32, _none: u64) -> u32 {
    state.dynamic.writer_activated();
    0
}

extern "C" fn dynamic_reader(state: &mut State, number: u32, _none: u64) -> u32 {
    let reader = state.reader(number);
    state.dynamic.reader_activated(number as u8, reader);
    0
}

extern "C" fn dynamic_completion(state: &mut State, number: u32, _none: u64) -> u32 {
    state.dynamic.reader_completed(number as u8);
    0
}

extern "C" fn circular_writer(state: &mut State, _reader: u32, _none: u64) -> u32 {
    state.circular.writer_activated();
    0
}

extern "C" fn circular_reader(state: &mut State, number: u32, _none: u64) -> u32 {
    let reader = state.reader(number);
    state.circular.reader_activated(number as u8, reader);
    0
}
