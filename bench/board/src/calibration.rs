//! What must come out before anything else is believed: blocks of a known number of instructions.

use core::arch::{asm, naked_asm};

use crate::{Sample, around};

/// Two readings with nothing in between.
#[inline(always)]
pub fn nothing() -> Sample {
    around(|| ())
}

/// 100 instructions that do nothing.
#[inline(always)]
pub fn hundred_instructions() -> Sample {
    // SAFETY: they do nothing.
    around(|| unsafe { asm!(".rept 100", "nop", ".endr", options(nomem, nostack, preserves_flags)) })
}

/// A loop: one move, then a subtraction and a branch in each of 1000 rounds.
#[inline(always)]
pub fn thousand_rounds() -> Sample {
    let rounds = || {
        // SAFETY: the loop changes the register that it names, and flags.
        unsafe { asm!("mov r0, #1000", "0: subs r0, r0, #1", "bne 0b", out("r0") _, options(nomem, nostack)) }
    };
    around(rounds)
}

/// A subroutine that does nothing: the jump there, and the way back.
#[inline(always)]
pub fn subroutine() -> Sample {
    // SAFETY: what is called changes nothing but the link register.
    around(|| unsafe { asm!("bl {}", sym empty, out("lr") _, options(nomem, nostack, preserves_flags)) })
}

#[unsafe(naked)]
extern "C" fn empty() {
    naked_asm!("bx lr")
}
