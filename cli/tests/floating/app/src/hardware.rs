//! The registers of floating point, where the code is compiled for a processor that has them.

use core::arch::asm;

use super::ALL;

/// Fills all registers, goes round so many times, and answers what is in them then.
#[inline(never)]
pub fn kept(all: &[u32; ALL], rounds: u32) -> [u32; ALL] {
    let mut after = [0; ALL];
    // SAFETY: both are as long as what is loaded and stored, and the compiler is told that all registers change. What
    // rounds results is put back before it computes anything.
    unsafe {
        asm!(
            "vldm  {from}!, {{s0-s31}}",
            "ldr   {word}, [{from}]",
            "vmsr  fpscr, {word}",
            "2: subs {rounds}, #1",
            "bne   2b",
            "vstm  {to}!, {{s0-s31}}",
            "vmrs  {word}, fpscr",
            "str   {word}, [{to}]",
            "movs  {word}, #0",
            "vmsr  fpscr, {word}",
            from = inout(reg) all.as_ptr() => _,
            to = inout(reg) after.as_mut_ptr() => _,
            rounds = inout(reg) rounds => _,
            word = out(reg) _,
            out("s0") _, out("s1") _, out("s2") _, out("s3") _, out("s4") _, out("s5") _, out("s6") _, out("s7") _,
            out("s8") _, out("s9") _, out("s10") _, out("s11") _, out("s12") _, out("s13") _, out("s14") _,
            out("s15") _, out("s16") _, out("s17") _, out("s18") _, out("s19") _, out("s20") _, out("s21") _,
            out("s22") _, out("s23") _, out("s24") _, out("s25") _, out("s26") _, out("s27") _, out("s28") _,
            out("s29") _, out("s30") _, out("s31") _,
        );
    }
    after
}

/// What is in the registers, put together, without a change of any.
#[inline(never)]
pub fn found() -> u32 {
    let mut all = [0_u32; ALL];
    // SAFETY: as many words as are stored.
    unsafe {
        asm!(
            "vstm  {to}!, {{s0-s31}}",
            "vmrs  {word}, fpscr",
            "str   {word}, [{to}]",
            to = inout(reg) all.as_mut_ptr() => _,
            word = out(reg) _,
        );
    }
    all.iter().fold(0, |found, word| found | word)
}

/// Leaves something in a register, and makes a mistake.
pub fn give_up() -> ! {
    // SAFETY: nothing comes behind it.
    unsafe { asm!("vmov s7, {}", "udf #1", in(reg) u32::MAX, options(noreturn)) }
}

/// Is called where there are none.
pub fn trespass() {}

/// Has the processor believe that there is something of floating point to be put into frames (Armv8-M; `VLLDM` of a register, with the
/// bit set by which it isn't passed over). Answers whether it does; where there is no such instruction, it is a fault.
pub fn lengthen() -> u32 {
    const TO_SAVE: u32 = 1 << 2;
    let from = [0_u32; 2 * ALL];
    let control: u32;
    // SAFETY: what is loaded is there, and the compiler keeps nothing in these registers here. Whatever becomes of the thread's
    // stack afterwards is what this is about.
    unsafe {
        asm!(
            "mrs   {control}, control",
            "orr   {control}, #8",
            "msr   control, {control}",
            "isb",
            ".inst.w 0xEC300A00",
            "mrs   {control}, control",
            control = out(reg) control,
            in("r0") from.as_ptr(),
        );
    }
    u32::from(control & TO_SAVE != 0)
}
