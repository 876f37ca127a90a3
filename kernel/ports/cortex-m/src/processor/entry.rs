//! Every exception comes in here; a switch leaves here.
//!
//! All exceptions keep the priority that reset gives them, 0, so none interrupts another: there is
//! one way for all, and a switch is done on the way out, without PendSV. Threads run on PSP, the
//! kernel on MSP. Since nothing can come between a system call and its exception, the arguments are
//! still in their registers (r0 to r3, r12): calls that can often be done at once have functions of
//! their own, which take r12, r1, r2 and r3; all others end in `beryl_call`, which takes them from the caller's frame.
//! `beryl_interrupt` takes the exception's number, `beryl_event` that and the interrupted thread's frame.
//!
//! None of these is called: each is gone to, with the exception's return value in lr, so its own return ends
//! the exception, and the thread goes on. Where another thread is to go on, the last thing that a function
//! does is to go to `beryl_switch`, when r4 to r11 are the thread's again. The compiler makes a branch of a
//! call in the last place; that it did is looked up in each linked kernel, which is refused otherwise
//! (`builder/src/image/switches.rs`). The call that does nothing ends here.
//!
//! What differs between the architectures is a macro of the file of each.
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
            ".global beryl_switch",
            ".type beryl_switch, %function",
            ".balign 4",
            // Boot's last act: its stack is given up, and threads lose its privileges.
            "PendSV:",
            "movs  r0, #1",
            "msr   control, r0",
            "movw  r0, :lower16:_stack_start",
            "movt  r0, :upper16:_stack_start",
            "msr   msp, r0",
            // The first thread is one of user mode, on PSP, like all.
            "mvn   lr, #2",
            "MemoryManagement:",
            "BusFault:",
            "UsageFault:",
            "mrs   r0, ipsr",
            "mrs   r1, psp",
            "b     beryl_event",
            "DefaultHandler:",
            "mrs   r0, ipsr",
            "b     beryl_interrupt",
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
            "b     beryl_call",
            // The processor goes from one thread to another: r0 the context to load, r1 that to save to.
            "beryl_switch:",
            // Save what the frame doesn't hold.
            "mrs   r3, psp",
            "stm   r1, {{r3-r11}}",
            load_regions!(),
            "ldm   r0, {{r3-r11}}",
            "msr   psp, r3",
            // The regions are in force before the exception return, which resynchronises the processor.
            "dsb",
            "bx    lr",
            "HardFault:",
            hard_fault_of_user_mode!(),
            // One of the kernel is the end.
            "NonMaskableInt:",
            end!(),
            "mrs   r0, ipsr",
            "mrs   r1, msp",
            "b     beryl_fatal",
            ".balign 4",
            concat!("2: .word ", region_registers!()),
            // Each handler runs on into the next; tools that follow the code are told so.
            ".size SVCall, . - SVCall",
            ".size MemoryManagement, . - MemoryManagement",
            ".size BusFault, . - BusFault",
            ".size UsageFault, . - UsageFault",
            ".size DefaultHandler, . - DefaultHandler",
            ".size PendSV, . - PendSV",
            ".size HardFault, . - HardFault",
            ".size NonMaskableInt, . - NonMaskableInt",
            ".size beryl_switch, . - beryl_switch",
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
    // A call that does what it says leaves its caller's registers alone.
    (null $registers:tt) => {
        ".Lnull:\nbx lr"
    };
    ($function:ident [$first:tt, $second:tt, $third:tt, ""]) => {
        concat!(".L", stringify!($function), ":\nb.w beryl_", stringify!($function))
    };
    ($function:ident $registers:tt) => {
        concat!(".L", stringify!($function), ":\nmov r0, r12\nb.w beryl_", stringify!($function))
    };
}

beryl_abi::each_call!(entry);
