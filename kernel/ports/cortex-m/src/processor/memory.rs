//! Copying and filling memory, for what the compiler asks of them at boot: small rather than fast.
//! The kernel's steps don't come here; their copies are their own.

use core::arch::global_asm;

global_asm!(
    ".syntax unified",
    ".section .text.beryl_memory, \"ax\", %progbits",
    ".global memcpy, __aeabi_memcpy, __aeabi_memcpy4, __aeabi_memcpy8",
    ".global __aeabi_memset, __aeabi_memset4, __aeabi_memset8",
    ".global __aeabi_memclr, __aeabi_memclr4, __aeabi_memclr8",
    ".type memcpy, %function",
    ".type __aeabi_memcpy, %function",
    ".type __aeabi_memcpy4, %function",
    ".type __aeabi_memcpy8, %function",
    ".type __aeabi_memset, %function",
    ".type __aeabi_memset4, %function",
    ".type __aeabi_memset8, %function",
    ".type __aeabi_memclr, %function",
    ".type __aeabi_memclr4, %function",
    ".type __aeabi_memclr8, %function",
    // r0 target, r1 source, r2 length; answers the target.
    "memcpy:",
    "__aeabi_memcpy:",
    "__aeabi_memcpy4:",
    "__aeabi_memcpy8:",
    "subs  r2, r2, #1",
    "bmi   0f",
    "ldrb  r3, [r1, r2]",
    "strb  r3, [r0, r2]",
    "b     memcpy",
    // r0 target, r1 length; r2 what each byte becomes, or zero.
    "__aeabi_memclr:",
    "__aeabi_memclr4:",
    "__aeabi_memclr8:",
    "movs  r2, #0",
    "__aeabi_memset:",
    "__aeabi_memset4:",
    "__aeabi_memset8:",
    "subs  r1, r1, #1",
    "bmi   0f",
    "strb  r2, [r0, r1]",
    "b     __aeabi_memset",
    "0:",
    "bx    lr",
    ".size memcpy, . - memcpy",
);
