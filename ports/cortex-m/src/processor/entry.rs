//! Every exception comes in here and leaves here.
//!
//! All exceptions keep the priority that reset gives them, 0, so none interrupts another: there is
//! one way for all, and the switch is done on the way out, without PendSV. Threads run on PSP, the
//! kernel on MSP. `beryl_call` takes the calling thread's frame, `beryl_event` the exception's number
//! and the interrupted thread's frame. Both preserve r4 to r11; both answer in r0 the context to
//! load, or null where the thread goes on, and in r1 the context to save to.
//!
//! Only a hard fault may come on top, when the kernel itself goes wrong; it is told by the
//! exception return value and never comes back.

use core::arch::global_asm;

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
    "DefaultHandler:",
    "mrs   r0, ipsr",
    "mrs   r1, psp",
    "bl    beryl_event",
    "b     0f",
    "SVCall:",
    "mrs   r0, psp",
    "bl    beryl_call",
    "0:",
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
    "beq   DefaultHandler",
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
);
