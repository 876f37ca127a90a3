//! The board: what goes wrong, and who is beside it in calls and interrupts.
//!
//! The environment's window says what each is to do: four words a case, which are what goes wrong, the stack
//! pointer with which it does, when, and an address for it.

use core::arch::asm;
use core::ptr::with_exposed_provenance_mut;

use beryl_user::environment::{self, Channel};
use beryl_user::interrupt::Interrupt;
use beryl_user::time::{self, Instant};
use beryl_user::{call, memory};

/// The cases of threads, in the order in which they begin.
const OF_THREADS: Channel = Channel::new(1);
/// The cases of the driver, one at each instant.
const OF_DRIVER: Channel = Channel::new(2);
/// So many ticks before its instant a thread wakes up.
const EARLY: u64 = 1_500;
/// The clock's value, which counts down from all ones.
const CLOCK: u32 = 0x4000_0004;
/// The dual timer: load, control and clear.
const BELL: usize = 0x4000_2000;
/// From ring to ring, in ticks: 0.37 ms.
const RINGS: u32 = 9_250;

/// A case.
#[derive(Clone, Copy)]
struct Case {
    what: u32,
    stack_pointer: u32,
    at: u32,
    address: u32,
}

impl Case {
    fn next(channel: Channel) -> Case {
        let mut words = [NOTHING.cast_signed(), 0, 0, 0];
        environment::read(channel, &mut words);
        let [what, stack_pointer, at, address] = words.map(i32::cast_unsigned);
        Case { what, stack_pointer, at, address }
    }
}

/// Nothing goes wrong.
const NOTHING: u32 = u32::MAX;

/// Thread: its case.
pub fn culprit() -> ! {
    let case = Case::next(OF_THREADS);
    time::sleep_until(Instant::from_ticks(u64::from(case.at).saturating_sub(EARLY))).ok();
    while elapsed() < case.at {}
    commit(case);
    call::stop()
}

/// Setter: the next case.
pub fn go_wild(_nothing: &i32) {
    let case = Case::next(OF_DRIVER);
    let begin = elapsed();
    while elapsed().wrapping_sub(begin) < case.at {}
    commit(case);
}

/// Does `$what` with the case's stack pointer, and its address in r0; nothing comes after that.
macro_rules! with_stack_pointer {
    ($case:expr, $($what:literal),+) => {
        // SAFETY: it isn't safe, and that is the point: the thread loses its stack, and is stopped by what it does. No
        // local variable lives on.
        unsafe {
            asm!(
                "mov sp, {pointer}", $($what),+,
                pointer = in(reg) $case.stack_pointer, in("r0") $case.address, in("r1") 0,
                options(noreturn),
            )
        }
    };
}

/// Goes wrong.
fn commit(case: Case) {
    match case.what {
        0 => with_stack_pointer!(case, "udf #1"),
        1 => with_stack_pointer!(case, "udf #0xBE"),
        2 => with_stack_pointer!(case, "bkpt #1"),
        3 => with_stack_pointer!(case, "udiv r0, r0, r1"),
        4 => with_stack_pointer!(case, "ldm r0, {{r2, r3}}"),
        5 => with_stack_pointer!(case, "ldr r2, [r0]"),
        6 => with_stack_pointer!(case, "str r1, [r0]"),
        7 => with_stack_pointer!(case, "bx r0"),
        8 => with_stack_pointer!(case, "movs r0, #6", "svc 0", "udf #2"),
        9 => with_stack_pointer!(case, "2: b 2b"),
        _ => {}
    }
}

/// Ticks since the start.
fn elapsed() -> u32 {
    // SAFETY: the clock is this process's to read.
    !unsafe { memory::at::<u32>(CLOCK).read_volatile() }
}

/// Thread: makes one call after another.
pub fn caller() -> ! {
    loop {
        for _ in 0..100 {
            call::null();
            let _ = call::execution_time();
        }
        call::yield_now();
    }
}

/// Thread: is always about to make the call that would end it.
pub fn about_to_stop() -> ! {
    const STOP: u32 = 6;
    loop {
        let held: u32;
        // SAFETY: counts in a register; r0, where the kernel takes the number of a call from, is as it was.
        unsafe {
            asm!("2: subs {count}, #1", "bne 2b", count = inout(reg) 1_000 => _,
                 inout("r0") STOP => held, options(nomem, nostack));
        }
        if held != STOP {
            call::stop();
        }
        call::yield_now();
    }
}

/// Thread: serves a timer, whose line is up until it does.
pub fn ringer(mut bell: Interrupt) -> ! {
    // SAFETY: registers of a timer, which no Rust object lives in; it counts and interrupts, and reaches no memory.
    let write = |offset: usize, value: u32| unsafe {
        with_exposed_provenance_mut::<u32>(BELL.wrapping_add(offset)).write_volatile(value);
    };
    write(0, RINGS);
    write(8, 0b1110_0010);
    loop {
        if bell.wait().is_err() {
            call::stop();
        }
        write(12, 1);
    }
}
