//! The application of all random systems: it fits whatever ports and handles it is given, and does next to nothing.
#![no_std]

use core::hint::black_box;

/// Code and constants, so that processes differ in size.
static TABLE: [u8; 5_000] = [7; 5_000];
static LARGE_TABLE: [u8; 30_000] = [7; 30_000];
/// Initialised variables: an odd number of words.
static mut WORDS: [u32; 3] = [1, 2, 3];

fn stay<T>(things: T) -> ! {
    black_box(things);
    loop {
        core::hint::spin_loop();
    }
}

macro_rules! entries {
    ($($work:ident $table:ident $large:ident $words:ident $job:ident ($($name:ident: $kind:ident),*);)*) => {$(
        pub fn $work<$($kind),*>($($name: $kind),*) -> ! {
            stay(($($name,)*))
        }
        pub fn $table<$($kind),*>($($name: $kind),*) -> ! {
            stay((black_box(&TABLE), $($name,)*))
        }
        pub fn $large<$($kind),*>($($name: $kind),*) -> ! {
            stay((black_box(&LARGE_TABLE), $($name,)*))
        }
        pub fn $words<$($kind),*>($($name: $kind),*) -> ! {
            stay((black_box(&raw mut WORDS), $($name,)*))
        }
        pub fn $job<$($kind),*>($($name: $kind),*) {
            black_box(($($name,)*));
        }
    )*};
}

entries! {
    work_0 table_0 large_0 words_0 job_0 ();
    work_1 table_1 large_1 words_1 job_1 (a: A);
    work_2 table_2 large_2 words_2 job_2 (a: A, b: B);
    work_3 table_3 large_3 words_3 job_3 (a: A, b: B, c: C);
    work_4 table_4 large_4 words_4 job_4 (a: A, b: B, c: C, d: D);
    work_5 table_5 large_5 words_5 job_5 (a: A, b: B, c: C, d: D, e: E);
    work_6 table_6 large_6 words_6 job_6 (a: A, b: B, c: C, d: D, e: E, f: F);
    work_7 table_7 large_7 words_7 job_7 (a: A, b: B, c: C, d: D, e: E, f: F, g: G);
    work_8 table_8 large_8 words_8 job_8 (a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H);
    work_9 table_9 large_9 words_9 job_9 (a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I);
}

pub fn read(value: &mut i32) {
    *value += 1;
}

pub fn set(value: &i32) {
    black_box(value);
}

pub fn ask_0() -> bool {
    black_box(true)
}

pub fn ask_1(one: &i32) -> bool {
    *one > 0
}

pub fn ask_2(one: &i32, other: &i32) -> bool {
    one > other
}
