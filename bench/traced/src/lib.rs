//! What an event of an application's own costs, as `./x bench` measures it on the board. Elsewhere it is empty.
//!
//! The same call is made while nobody listens, while somebody listens to something else, while the event is stored, and while the buffer is full. The
//! difference between the second and the third is what storing takes.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

use bench_board::around;
use beryl_user::trace::{Classes, Trace, tell};

/// How often everything is measured.
const SAMPLES: u32 = 1000;

/// Thread: measures, with the buffer in its hands.
pub fn measure(mut trace: Trace) -> ! {
    for (case, classes, empties) in [
        ("trace/event/silent", Classes::NONE, true),
        ("trace/event/other", Classes::WAITS, true),
        ("trace/event/stored", Classes::EVENTS, true),
        ("trace/event/lost", Classes::EVENTS, false),
    ] {
        if trace.choose(classes).is_err() {
            beryl_user::println!("a call failed");
        }
        if !empties {
            (0..4).for_each(|number| tell(1, number));
        }
        for number in 0..SAMPLES {
            let sample = around(|| tell(1, number));
            if empties && trace.take().is_err() {
                beryl_user::println!("a call failed");
            }
            sample.print(case);
        }
    }
    bench_board::end()
}
