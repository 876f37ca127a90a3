//! Programs with E and S code, handlers, completion entries; and mutations of them.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use beryl_assembler::Program;
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::random::word;

/// Well-formed programs over what random programs have around them.
pub const SCHEDULED: [&str; 4] = [
    "threads 1
    triggers 2
    handle safety, h
        fork s0
        when change(p1), b0
    a0: call d0
        release t0, 4
        release t1, 2
        future 2, a1
        return
    a1: call d2
        release t1, 2
        future 2, a0
        return
    b0: phase switches
        call d1
        branch b1
        change a0
    b1: when change(p1), b0
        return
    s0: dispatch t1
        dispatch t0, release(t1), s1
        idle release(t1)
    s1: dispatch t1
        dispatch t0
        idle release(t0)
        fork s0
        return
    h:  terminate
        resume",
    "threads 2
    handle share, h
        fork b2
        fork b1
    a0: release t0, 5
        release t1, 5
        future 5, a0
        return
    b1: idle 2
        dispatch t0, 5, c1
    c1: idle 5
        fork b1
        return
    b2: dispatch t1, 2, c2
    c2: idle 5
        fork b2
        return
    h:  call d1
        branch h1
        terminate
        retry
    h1: resume",
    "threads 2
    complete t0, c0
    a0: call d0
        releases t0, 5, 2
        future 5, a0
        dispatch t0
        dispatch t1, 2, a1
    a1: return
    c0: call d2
        return",
    "threads 3
    triggers 3
        fork s0
        fork s1
        when complete(t0), b0
        when interrupt(0), c0
    a0: phase releases
        release t0, 5
        future 2, a0
        return
    b0: when complete(t0), b0
        return
    c0: release t1, 2
        when interrupt(1), c0
        return
    s0: idle release(t1)
        dispatch t1
        fork s0
        return
    s1: dispatch t0, 2, s2
    s2: idle 5
        fork s1
        return",
];

/// One of them.
pub fn scheduled(number: usize) -> Program {
    crate::show::program(&format!("task t0, t1\ndriver d0, d1, d2\nport p0, p1\n{}", SCHEDULED[number]))
}

/// One of them with a few words changed.
pub fn mutated(random: &mut Random) -> Program {
    let mut program = scheduled(random.below(SCHEDULED.len()));
    for _ in 0..=random.below(3) {
        let at = random.below(program.code.len());
        match random.below(5) {
            0 => program.code[at] ^= 1 << random.below(32),
            1 => program.code[at] = word(random, 20),
            2 => program.code.insert(at, word(random, 20)),
            3 => program.start = at as u16,
            _ => drop(program.code.remove(at)),
        }
    }
    program
}
