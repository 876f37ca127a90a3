//! What it takes until a process begins anew: from a fault to the first instruction of its thread. Counted on the board,
//! so elsewhere it is empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

use bench_board::{Sample, elapsed, end, fault};
use beryl_user::call;
use beryl_user::region::Region;

/// How often each process begins anew: as often as its description lets it.
const LIVES: u32 = 8;
/// Where a process keeps the number of its lives and the instant of its last fault: its own memory begins anew, too.
const LIFE: u32 = 0;
const FAULTED: u32 = 4;

/// Thread: of the process with the least memory.
pub fn least(marks: Region) -> ! {
    live(marks, "restart/64")
}

/// Thread: of one with more.
pub fn more(marks: Region) -> ! {
    live(marks, "restart/1024")
}

/// Thread: of the one with the most.
pub fn most(marks: Region) -> ! {
    live(marks, "restart/4096")
}

/// Thread: below all others; when it runs, all is measured.
pub fn last() -> ! {
    end()
}

#[inline(always)]
fn live(mut marks: Region, case: &str) -> ! {
    let after = elapsed();
    let life = marks.load(LIFE).unwrap_or(LIVES);
    if let (1.., Some(before)) = (life, marks.load(FAULTED)) {
        Sample { before, after }.print(case);
    }
    let is_marked = marks.store(LIFE, life.wrapping_add(1)).is_some();
    if life >= LIVES || !is_marked || marks.store(FAULTED, elapsed()).is_none() {
        call::stop();
    }
    fault()
}
