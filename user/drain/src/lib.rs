//! The thread that empties the trace buffer into the console's line, for `beryl trace record`.
//!
//! It belongs into the background, where it takes what nobody else wants of the processor. It waits for the
//! console without interrupts: each would be an event of its own, to be told in turn. An application names
//! [`drain`] as a thread's entry, with how long to sleep when all is told:
//!
//! ```text
//! pub fn tell(trace: Trace) -> ! {
//!     beryl_drain::drain(trace, PAUSE)
//! }
//! ```
#![no_std]
#![forbid(unsafe_code)]

use beryl_link::Identity;
use beryl_link::tracing::{Drain, MOST_NOTES, NOTE_BYTES};
use beryl_user::time::{Duration, now, sleep};
use beryl_user::trace::{self, Classes, Trace};
use beryl_user::{call, console};

const _: () = assert!(NOTE_BYTES == trace::NOTE_BYTES && MOST_NOTES.is_multiple_of(trace::MOST_NOTES));

/// Empties the buffer for good. The buffer has to hold what is told in a `pause`, and as long as more urgent threads
/// leave no time; what has no room is lost and counted.
pub fn drain(mut trace: Trace, pause: Duration) -> ! {
    let mut line = Drain::new(Identity(trace.image()));
    console::listen();
    let first = trace.first();
    choose(&mut trace, &mut line, first);
    loop {
        while let Some(byte) = console::receive() {
            if let Some(classes) = line.hear(byte) {
                choose(&mut trace, &mut line, Classes(classes));
            }
        }
        let Ok(mut notes) = trace.take() else { call::stop() };
        let is_empty = notes.bytes().is_empty();
        line.add(notes.bytes());
        if is_empty || line.room() < trace::MOST_NOTES * NOTE_BYTES {
            line.send(now().ticks()).iter().for_each(|frame| console::write(frame.as_ref()));
        }
        if is_empty && sleep(pause).is_err() {
            call::stop();
        }
    }
}

/// Chooses classes, and says so.
fn choose(trace: &mut Trace, line: &mut Drain, classes: Classes) {
    if trace.choose(classes).is_err() {
        call::stop();
    }
    console::write(line.tracing(classes.0).as_ref());
}
