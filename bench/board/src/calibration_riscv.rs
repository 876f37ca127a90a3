//! What must come out before anything else is believed, on RISC-V: blocks of a known number of instructions.

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
        // SAFETY: the loop changes the register that it names.
        unsafe {
            asm!("addi a0, zero, 1000", "0: addi a0, a0, -1", "bnez a0, 0b", out("a0") _, options(nomem, nostack))
        }
    };
    around(rounds)
}

/// A subroutine that does nothing: the jump there, and the way back.
#[inline(always)]
pub fn subroutine() -> Sample {
    // SAFETY: what is called changes nothing but the link register.
    around(|| unsafe { asm!("jal {}", sym empty, out("ra") _, options(nomem, nostack, preserves_flags)) })
}

#[unsafe(naked)]
extern "C" fn empty() {
    naked_asm!("ret")
}
