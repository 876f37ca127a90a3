//! Who allocates, which nobody else does.
#![no_std]

extern crate alloc;

use alloc::boxed::Box;
use core::alloc::{GlobalAlloc, Layout};
use core::hint::black_box;

use beryl_user::period::Period;

struct Nothing;

// SAFETY: it never has any memory, and says so.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static HEAP: Nothing = Nothing;

pub fn heaps(mut period: Period) -> ! {
    loop {
        black_box(Box::new(black_box(7_u32)));
        period.wait();
    }
}
