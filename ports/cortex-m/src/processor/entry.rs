//! Every exception comes in here and leaves here.
//!
//! All exceptions keep the priority that reset gives them, 0, so none interrupts another: there is
//! one way for all, and the switch is done on the way out, without PendSV. Threads run on PSP, the
//! kernel on MSP. Since nothing can come between a system call and its exception, the arguments are
//! still in their registers (r0 to r3, r12): calls that can often be done at once have functions of
//! their own, which take r12, r1, r2 and r3; all others end in `beryl_call`, which takes them from the caller's frame.
//! `beryl_interrupt` takes the exception's number, `beryl_event` that and the interrupted thread's frame. All preserve r4 to r11 and answer in r0 the
//! context to load, or null where the thread goes on, and in r1 the context to save to. The call that does nothing ends here.
//!
//! Only a hard fault may come on top, when the kernel itself goes wrong; it is told by the
//! exception return value and never comes back.

use core::arch::global_asm;

use beryl_abi::CallNumber;

/// The entry code, with a way to each call of the [table](beryl_abi::each_call).
macro_rules! entry {
    ($($(#[doc = $text:literal])+ $name:ident = $number:literal, $needs:ident, $way:tt, $registers:tt, $answers:literal;)+) => {
        global_asm!(
            ".syntax unified",
            ".section .text.beryl_entry, \"ax\", %progbits",
            ".global SVCall, MemoryManagement, BusFault, UsageFault, DefaultHandler",
            ".global PendSV, HardFault, NonMaskableInt",
            ".type SVCall, %function",
            ".type MemoryManagement, %function",
            ".type BusFault, %function",
            ".type UsageFault, %function",
            ".type DefaultHandler, %function",
            ".type PendSV, %function",
            ".type HardFault, %function",
            ".type NonMaskableInt, %function",
            ".balign 4",
            // Boot's last act: its stack is given up, and threads lose its privileges.
            "PendSV:",
            "movs  r0, #1",
            "msr   control, r0",
            "movw  r0, :lower16:_stack_start",
            "movt  r0, :upper16:_stack_start",
            "msr   msp, r0",
            "MemoryManagement:",
            "BusFault:",
            "UsageFault:",
            "mrs   r0, ipsr",
            "mrs   r1, psp",
            "bl    beryl_event",
            "b     .Lleave",
            "DefaultHandler:",
            "mrs   r0, ipsr",
            "bl    beryl_interrupt",
            "b     .Lleave",
            "SVCall:",
            "cmp   r0, #{calls}",
            "bhs   .Lcall",
            "tbb   [pc, r0]",
            // Half the way to each call, in the order of their numbers.
            ".Lways:",
            $(concat!(".byte (.L", label!($way), " - .Lways) / 2"),)+
            ".balign 2",
            $(way!($way $registers),)+
            ".Lcall:",
            "bl    beryl_call",
            "b     .Lleave",
            ".Lyield_now:",
            "bl    beryl_yield_now",
            ".Lleave:",
            "cbz   r0, 1f",
            // Save what the frame doesn't hold.
            "mrs   r3, psp",
            "stm   r1, {{r3-r11}}",
            // Five regions: four by the aliases of RBAR and RASR, then one more.
            "ldr   r1, [r0, #36]",
            "ldr   r12, 2f",
            "ldm   r1!, {{r4-r11}}",
            "stm   r12, {{r4-r11}}",
            "ldrd  r4, r5, [r1]",
            "strd  r4, r5, [r12]",
            "ldm   r0, {{r3-r11}}",
            "msr   psp, r3",
            // The regions are in force before the exception return, which resynchronises the processor.
            "dsb",
            // To user mode, on PSP, whoever was interrupted.
            "1:",
            "mvn   lr, #2",
            "bx    lr",
            // A hard fault of user mode is an ordinary fault; one of the kernel is the end.
            "HardFault:",
            "cmn   lr, #3",
            "beq   UsageFault",
            "NonMaskableInt:",
            "mrs   r0, ipsr",
            "mrs   r1, msp",
            "b     beryl_fatal",
            ".balign 4",
            "2: .word 0xE000ED9C",
            // Each handler runs on into the next; tools that follow the code are told so.
            ".size SVCall, . - SVCall",
            ".size MemoryManagement, . - MemoryManagement",
            ".size BusFault, . - BusFault",
            ".size UsageFault, . - UsageFault",
            ".size DefaultHandler, . - DefaultHandler",
            ".size PendSV, . - PendSV",
            ".size HardFault, . - HardFault",
            ".size NonMaskableInt, . - NonMaskableInt",
            calls = const CallNumber::ALL.len(),
        );
    };
}

/// Where the way to a call begins.
macro_rules! label {
    (_) => {
        "call"
    };
    ($function:ident) => {
        stringify!($function)
    };
}

/// A way to a call: r12 is its first argument, where the call has one there.
macro_rules! way {
    (_ $registers:tt) => {
        ""
    };
    // It leaves at once: a call that does what it says leaves its caller's registers alone.
    (null $registers:tt) => {
        ".Lnull:\nmvn lr, #2\nbx lr"
    };
    // The last one, which runs on into where all leave.
    (yield_now $registers:tt) => {
        ""
    };
    ($function:ident [$first:tt, $second:tt, $third:tt, ""]) => {
        concat!(".L", stringify!($function), ":\nbl beryl_", stringify!($function), "\nb .Lleave")
    };
    ($function:ident $registers:tt) => {
        concat!(
            ".L",
            stringify!($function),
            ":\nmov r0, r12\nbl beryl_",
            stringify!($function),
            "\nb .Lleave"
        )
    };
}

beryl_abi::each_call!(entry);
