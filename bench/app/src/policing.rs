//! Threads that use up whatever they have, for what the kernel does about that: their own code says nothing, and is counted
//! by the emulator's log.

use core::hint::black_box;

use bench_board::elapsed;
use beryl_user::dual_timer::{CLEAR, CONTROL, LOAD, MICROSECOND, PERIODIC, write};
use beryl_user::endpoint::{Client, Server};
use beryl_user::interrupt::Interrupt;
use beryl_user::lock::Lock;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;
use beryl_user::supervisor::Supervisor;
use beryl_user::time::{milliseconds, sleep};

/// Who is told of to a supervisor, as descriptions name them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Uses up whatever it has.
    Spinner,
}

/// Ticks of the clock in a tenth of a period, for each thread that has a budget and for twelve more: 1650 instructions, as in
/// `bench/src/policing/returns.rs`.
const TENTH: u32 = 42_240;

/// Thread: never does anything else. A loop of a single instruction would be one that the emulator seems to begin anew.
pub fn spin() -> ! {
    let mut round = 0_u32;
    loop {
        round = black_box(round).wrapping_add(1);
    }
}

/// Thread, periodic: never done with its first job.
pub fn spin_job(_period: Period) -> ! {
    spin()
}

/// Thread: alone, goes round for nearly two periods, and then sleeps for ever.
pub fn spin_among_1(never: Notification, _: Notifier) -> ! {
    spin_among(1, never)
}

/// Thread: one of 2 that do.
pub fn spin_among_2(never: Notification, _: Notifier) -> ! {
    spin_among(2, never)
}

/// Thread: one of 5 that do.
pub fn spin_among_5(never: Notification, _: Notifier) -> ! {
    spin_among(5, never)
}

/// Thread: one of 10 that do.
pub fn spin_among_10(never: Notification, _: Notifier) -> ! {
    spin_among(10, never)
}

/// Thread: one of 20 that do.
pub fn spin_among_20(never: Notification, _: Notifier) -> ! {
    spin_among(20, never)
}

/// Thread: one of 30 that do.
pub fn spin_among_30(never: Notification, _: Notifier) -> ! {
    spin_among(30, never)
}

/// Thread: one of 50 that do.
pub fn spin_among_50(never: Notification, _: Notifier) -> ! {
    spin_among(50, never)
}

#[inline(never)]
fn spin_among(number: u32, mut never: Notification) -> ! {
    while elapsed() < 19 * TENTH * (number + 12) {
        for round in 0..100 {
            black_box(round);
        }
    }
    loop {
        let _ = never.wait();
    }
}

/// Thread: serves a device that interrupts again 50 us later, and does nothing else for it.
pub fn listen(mut packet: Interrupt) -> ! {
    write(LOAD, 50 * MICROSECOND);
    write(CONTROL, PERIODIC);
    loop {
        let _ = packet.wait();
        write(CLEAR, 1);
    }
}

/// Thread: wakes every ten milliseconds, for next to nothing.
pub fn wake_often() -> ! {
    loop {
        let _ = sleep(milliseconds(10));
    }
}

/// Thread, a supervisor: hears of everything.
pub fn hear(mut reports: Supervisor<Watched>) -> ! {
    loop {
        let _ = reports.hear();
    }
}

/// Thread: takes a lock, and doesn't give it back.
#[inline(always)]
pub fn stay_inside(mut map: Lock<i32>) -> ! {
    map.with(|_| spin())
}

/// Thread, periodic: does the same with its first job.
#[inline(always)]
pub fn stay_inside_job(_period: Period, mut map: Lock<i32>) -> ! {
    map.with(|_| spin())
}

/// Thread, periodic: its job takes a lock.
#[inline(always)]
pub fn enter_job(mut period: Period, mut map: Lock<i32>) -> ! {
    loop {
        map.with(|value| *value = 1);
        period.wait();
    }
}

/// Thread: owns a semaphore for ever.
pub fn own(mut bus: Binary<()>) -> ! {
    let _held = bus.wait();
    spin()
}

/// Thread, periodic: wants it with each job.
pub fn own_job(mut period: Period, mut bus: Binary<()>) -> ! {
    loop {
        drop(bus.wait());
        period.wait();
    }
}

/// Thread: answers nothing that it is asked.
pub fn never_answer(mut store: Server<[i32; 2], [i32; 2]>) -> ! {
    store.serve(|_| spin())
}

/// Thread, periodic: asks with each job.
pub fn ask_job(mut period: Period, mut store: Client<[i32; 2], [i32; 2]>) -> ! {
    loop {
        let _ = store.call(&[0, 0]);
        period.wait();
    }
}
