//! The board: an interpreter of misdeeds. The environment's window says what comes next, eight words a misdeed: what,
//! with which stack pointer, r0 to r3 and r12, and its number. Each is told by its number before it is done.

use core::arch::asm;
use core::hint::black_box;

use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::time::{self, Duration};
use beryl_user::{call, memory, trace};

/// The misdeeds, for whoever takes the next one.
const MISDEEDS: Channel = Channel::new(1);
/// What is told begins so.
const TOLD: u16 = 0xA700;
/// The clock's value, which counts down from all ones.
const CLOCK: u32 = 0x4000_0004;
/// Bytes of a stack, which ends at a multiple of [`END`].
const STACK: u32 = 512;
const END: u32 = 128;
/// Stack pointers below this count from so many bytes below the stack.
const RELATIVE: u32 = 4096;
const BELOW: u32 = 1024;
/// There are no more misdeeds.
const NOTHING: u32 = u32::MAX;
/// The longest that a thread without a budget spins, in ticks.
const SHORT: u32 = 5_000;
/// How many misdeeds a job takes on.
const A_JOB: u32 = 8;

/// A misdeed.
#[derive(Clone, Copy)]
struct Misdeed {
    what: u32,
    stack_pointer: u32,
    registers: [u32; 5],
    number: u32,
}

impl Misdeed {
    /// The next one, for a thread whose stack begins there; it is told.
    fn next(bottom: u32) -> Option<Misdeed> {
        let mut words = [NOTHING.cast_signed(), 0, 0, 0, 0, 0, 0, 0];
        environment::read(MISDEEDS, &mut words);
        let [what, pointer, r0, r1, r2, r3, r12, number] = words.map(i32::cast_unsigned);
        if what == NOTHING {
            return None;
        }
        trace::tell_at_once(TOLD | what as u16, number);
        let stack_pointer = match pointer {
            0 => 0,
            1..RELATIVE => bottom.wrapping_sub(BELOW).wrapping_add(pointer),
            absolute => absolute,
        };
        Some(Misdeed { what, stack_pointer, registers: [r0, r1, r2, r3, r12], number })
    }
}

/// Thread: goes wrong until that ends it.
pub fn wild() -> ! {
    let bottom = own_stack();
    while let Some(misdeed) = Misdeed::next(bottom) {
        commit(misdeed, bottom, SHORT);
    }
    call::stop()
}

/// Thread: goes wrong in each job until that ends it, or its budget is used up.
pub fn wild_job(mut period: Period) -> ! {
    let bottom = own_stack();
    loop {
        for _ in 0..A_JOB {
            let Some(misdeed) = Misdeed::next(bottom) else { break };
            commit(misdeed, bottom, u32::MAX);
        }
        period.wait();
    }
}

/// Does `$what` with the misdeed's registers, and with its stack pointer, if it has one. Nothing comes after that.
macro_rules! for_good {
    ($misdeed:expr, $($what:literal),+) => {{
        let Misdeed { stack_pointer, registers: [r0, r1, ..], .. } = $misdeed;
        // SAFETY: it isn't safe, and that is the point: the thread is stopped by what it does. No local variable lives on.
        unsafe {
            match stack_pointer {
                0 => asm!($($what),+, in("r0") r0, in("r1") r1, options(noreturn)),
                pointer => asm!(
                    "mov sp, {pointer}", $($what),+,
                    pointer = in(reg) pointer, in("r0") r0, in("r1") r1, options(noreturn),
                ),
            }
        }
    }};
}

fn commit(misdeed: Misdeed, bottom: u32, longest: u32) {
    let [r0, r1, ..] = misdeed.registers;
    match misdeed.what {
        0 => raw_call(misdeed.registers),
        1 => spin(r0.min(longest)),
        2 => for_good!(misdeed, "udf #1"),
        3 => for_good!(misdeed, "udf #0xBE"),
        4 => for_good!(misdeed, "bkpt #1"),
        5 => for_good!(misdeed, "movs r1, #0", "udiv r0, r0, r1", "udf #1"),
        6 => for_good!(misdeed, "ldm r0, {{r2, r3}}", "udf #1"),
        7 => for_good!(misdeed, "ldr r2, [r0]", "udf #1"),
        8 => for_good!(misdeed, "str r1, [r0]", "udf #1"),
        9 => for_good!(misdeed, "bx r0"),
        10 => {
            black_box(deeper(r0));
        }
        11 => store(bottom.wrapping_add(STACK - 8 + (r0 & 4)), r1),
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

/// A call with any registers.
fn raw_call([r0, r1, r2, r3, r12]: [u32; 5]) {
    // SAFETY: a call; whatever the kernel writes, it writes to what is this thread's.
    unsafe {
        asm!(
            "svc 0",
            inout("r0") r0 => _, inout("r1") r1 => _, inout("r2") r2 => _, inout("r3") r3 => _, inout("r12") r12 => _,
        );
    }
}

/// Where the thread's stack begins: near to its end, as at the thread's entry.
#[inline(always)]
fn own_stack() -> u32 {
    let pointer: u32;
    // SAFETY: reads a register.
    unsafe { asm!("mov {pointer}, sp", pointer = out(reg) pointer, options(nomem, nostack)) };
    pointer.next_multiple_of(END).wrapping_sub(STACK)
}

/// Comes back after so many ticks.
fn spin(ticks: u32) {
    let begin = elapsed();
    while elapsed().wrapping_sub(begin) < ticks {}
}

/// Ticks since the start.
fn elapsed() -> u32 {
    // SAFETY: the clock is this process's to read.
    !unsafe { memory::at::<u32>(CLOCK).read_volatile() }
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

/// Tries to switch interrupts off, which has no effect.
fn interrupts_off() {
    // SAFETY: no memory is touched; in user mode these instructions do nothing.
    unsafe {
        asm!("cpsid i", "cpsid f", "msr basepri, {one}", "msr primask, {one}", "msr faultmask, {one}",
             "msr control, {zero}", one = in(reg) 1, zero = in(reg) 0, options(nomem, nostack));
    }
}
