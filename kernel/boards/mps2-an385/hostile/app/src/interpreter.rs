//! A board: an interpreter of misdeeds. The environment's window says what comes next, eight words a misdeed: what, and where
//! stacks end; with which stack pointer; the registers of a call; and its number. Each is told by its number before it is done.

use core::hint::black_box;

use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::time::{self, Duration};
use beryl_user::{call, memory, trace};

use crate::processor::{for_good, interrupts_off, pointer, raw_call};

unsafe extern "C" {
    /// The clock's count, which this process may read; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// The misdeeds, for whoever takes the next one.
const MISDEEDS: Channel = Channel::new(1);
/// What is told begins so.
const TOLD: u16 = 0xA700;
/// Bytes of a stack, and those at its end that its thread shares with the kernel.
const STACK: u32 = 512;
const MARKS: u32 = 8;
/// Stack pointers below this count from so many bytes below the stack.
const RELATIVE: u32 = 4096;
const BELOW: u32 = 1024;
/// There are no more misdeeds.
const NOTHING: u32 = u32::MAX;
/// The longest that a thread without a budget spins, in ticks.
const SHORT: u32 = 2_000;
/// How many misdeeds a job takes on.
const A_JOB: u32 = 8;

/// A misdeed.
#[derive(Clone, Copy)]
pub struct Misdeed {
    what: u32,
    /// Where the thread's stack begins.
    bottom: u32,
    /// The stack pointer with which it is done; 0 is the thread's own.
    pub stack_pointer: u32,
    /// The registers of a call.
    pub registers: [u32; 5],
    number: u32,
}

impl Misdeed {
    /// The next one, for a thread with this stack pointer of its own; it is told.
    fn next(own: u32) -> Option<Misdeed> {
        let mut words = [NOTHING.cast_signed(), 0, 0, 0, 0, 0, 0, 0];
        environment::read(MISDEEDS, &mut words);
        let [what, pointer, r0, r1, r2, r3, r12, number] = words.map(i32::cast_unsigned);
        if what == NOTHING {
            return None;
        }
        let (what, end, grain) = (what & 0xFF, what >> 8 & 0xFFF, what >> 20);
        let bottom = own_stack(own, end, grain);
        trace::tell_at_once(TOLD | what as u16, number);
        let stack_pointer = match pointer {
            0 => 0,
            1..RELATIVE => bottom.wrapping_sub(BELOW).wrapping_add(pointer),
            absolute => absolute,
        };
        Some(Misdeed { what, bottom, stack_pointer, registers: [r0, r1, r2, r3, r12], number })
    }
}

/// Thread: goes wrong until that ends it.
pub fn wild() -> ! {
    while let Some(misdeed) = Misdeed::next(pointer()) {
        commit(misdeed, SHORT);
    }
    call::stop()
}

/// Thread: goes wrong in each job until that ends it, or its budget is used up.
pub fn wild_job(mut period: Period) -> ! {
    loop {
        for _ in 0..A_JOB {
            let Some(misdeed) = Misdeed::next(pointer()) else { break };
            commit(misdeed, u32::MAX);
        }
        period.wait();
    }
}

fn commit(misdeed: Misdeed, longest: u32) {
    let ([r0, r1, ..], bottom) = (misdeed.registers, misdeed.bottom);
    match misdeed.what {
        0 => raw_call(misdeed.registers),
        1 => spin(r0.min(longest)),
        2..=9 | 21 => for_good(misdeed.what, misdeed),
        10 => {
            black_box(deeper(r0));
        }
        11 => store(bottom.wrapping_add(STACK - MARKS + (r0 & 4)), r1),
        12 => store(bottom.wrapping_add(r0 % (STACK / 4) & !3), r1),
        13 => interrupts_off(),
        14 => {
            let _ = time::sleep(Duration::from_ticks(u64::from(r0 & 0xFFFF)));
        }
        15 => (0..r1 & 31).for_each(|_| raw_call(misdeed.registers)),
        16 | 18 => raw_call(misdeed.registers),
        17 => (0..misdeed.registers[2] & 31).for_each(|_| raw_call(misdeed.registers)),
        19 => (0..r1 & 255).for_each(|_| raw_call(misdeed.registers)),
        20 => store(r0, r1),
        _ => {}
    }
    black_box(misdeed.number);
}

/// Where the stack begins that has this stack pointer: it ends behind that, `end` from a multiple of `grain`.
fn own_stack(pointer: u32, end: u32, grain: u32) -> u32 {
    pointer.wrapping_sub(end).next_multiple_of(grain).wrapping_add(end).wrapping_sub(STACK)
}

/// Comes back after so many ticks. Clocks of some boards count down.
fn spin(ticks: u32) {
    let begin = count();
    let passed = || {
        let passed = count().wrapping_sub(begin);
        passed.min(passed.wrapping_neg())
    };
    while passed() < ticks {}
}

/// What the clock has counted.
fn count() -> u32 {
    // SAFETY: the clock is this process's to read.
    unsafe { (&raw const __beryl_clock).read_volatile() }
}

/// Needs more stack than there is.
#[expect(unconditional_recursion, reason = "that is the misdeed")]
fn deeper(level: u32) -> u32 {
    let frame = black_box([level; 8]);
    black_box(deeper(level.wrapping_add(1)).wrapping_add(frame[3]))
}

/// Writes a word of the thread's own.
fn store(address: u32, word: u32) {
    // SAFETY: it isn't safe: the word may be the kernel's note, or one of a frame. It is the thread's own.
    unsafe { memory::at::<u32>(address).write_volatile(word) }
}
