//! The cases: who is told to run, and at which point of a section.

use bench_board::{Sample, around};
use beryl_user::call;
use beryl_user::notification::Notifier;
use beryl_user::println;

use crate::sections::SAMPLES;
use crate::sections::exclusion::Exclusion;

/// Who can be told to run.
pub struct Others {
    pub low: Notifier,
    pub medium: Notifier,
    pub high: Notifier,
}

/// Measures all cases, and stops the thread.
#[inline(always)]
pub fn measure(way: &str, mut sections: impl Exclusion, mut others: Others) -> ! {
    macro_rules! cases {
        ($($shape:ident, $name:literal: $($who:ident at $($point:literal)+),+;)+) => {$(
            repeat(way, concat!($name, "/nobody"), || sections.$shape(|_| ()));
            $($(
                repeat(way, concat!($name, "/", stringify!($who), "/", $point), || {
                    sections.$shape(|point| if point == $point { others.$who.notify() });
                });
            )+)+
        )+};
    }
    cases! {
        single, "single": low at 1 2, medium at 1 2, high at 1 2;
        nested, "nested": low at 1 2 3, medium at 1 2 3, high at 1 2 3;
    }
    repeat_call(way, "null", call::null);
    repeat_call(way, "yield", call::yield_now);
    repeat_call(way, "low", || others.low.notify());
    repeat_call(way, "high", || others.high.notify());
    call::stop()
}

#[inline(always)]
fn repeat(way: &str, case: &str, body: impl FnMut()) {
    repeat_as("section", way, case, body);
}

#[inline(always)]
fn repeat_call(way: &str, case: &str, body: impl FnMut()) {
    repeat_as("call", way, case, body);
}

#[inline(always)]
fn repeat_as(what: &str, way: &str, case: &str, mut body: impl FnMut()) {
    for _ in 0..SAMPLES {
        let Sample { before, after } = around(&mut body);
        println!("sample {what}/{way}/{case} {before} {after}");
    }
}
