//! What an event of an application's own costs, as `./x bench` measures it on the board.
//!
//! An event is told by a call while nobody listens, while somebody listens to something else, while it is
//! stored, and while the buffer is full: the difference between the second and the third is what storing
//! takes. In a process with a journal an event goes there, while nobody listens, while somebody does, and
//! where the journal is full. What the kernel takes for an event from there is the difference between two
//! calls that ask for the time. A log statement of `defmt` is some such events, and what makes them of its parts.

use bench_board::{Sample, around};
// The logger of log statements.
use beryl_ecosystem as _;
use beryl_user::call::time;
use beryl_user::trace::{Classes, Trace, tell, tell_at_once};

/// How often everything is measured.
const SAMPLES: u32 = 1000;
/// How many events have room in the journal.
const ROOM: u32 = 8;

/// Thread: measures, with the buffer in its hands.
pub fn measure(mut trace: Trace) -> ! {
    for (case, classes) in [
        ("trace/event/silent", Classes::NONE),
        ("trace/event/other", Classes::WAITS),
        ("trace/event/stored", Classes::EVENTS),
    ] {
        choose(&mut trace, classes);
        for number in 0..SAMPLES {
            let sample = around(|| tell_at_once(1, number));
            empty(&mut trace);
            sample.print(case);
        }
    }
    (0..4).for_each(|number| tell_at_once(1, number));
    for number in 0..SAMPLES {
        around(|| tell_at_once(1, number)).print("trace/event/lost");
    }
    bench_board::end()
}

/// Thread: the same with a journal.
pub fn measure_journal(mut trace: Trace) -> ! {
    for (case, classes, full) in [
        ("trace/journal/silent", Classes::NONE, false),
        ("trace/journal/written", Classes::EVENTS, false),
        ("trace/journal/full", Classes::EVENTS, true),
    ] {
        choose(&mut trace, classes);
        for number in 0..SAMPLES {
            if full {
                (0..ROOM).for_each(|number| tell(1, number));
            }
            let sample = around(|| tell(1, number));
            empty(&mut trace);
            sample.print(case);
        }
    }
    for (case, classes, events) in [
        ("trace/read/other", Classes::WAITS, 0),
        ("trace/read/nothing", Classes::EVENTS, 0),
        ("trace/read/one", Classes::EVENTS, 1),
        ("trace/read/two", Classes::EVENTS, 2),
    ] {
        choose(&mut trace, classes);
        for _ in 0..SAMPLES {
            (0..events).for_each(|number| tell(1, number));
            let sample = around(|| _ = time());
            empty(&mut trace);
            sample.print(case);
        }
    }
    bench_board::end()
}

/// Thread: log statements, nothing but a text and with arguments, while nobody listens and while somebody does.
pub fn measure_logged(mut trace: Trace) -> ! {
    let statements: [(&str, &str, fn(u32) -> Sample); 3] = [
        ("trace/log/text/silent", "trace/log/text/written", |_| around(|| defmt::info!("the tank is low"))),
        ("trace/log/number/silent", "trace/log/number/written", |number| {
            around(|| defmt::info!("the tank is at {=u32}", number))
        }),
        ("trace/log/string/silent", "trace/log/string/written", |number| {
            // Sixteen bytes, of which the compiler knows no more than that.
            let word = if number == SAMPLES { "another tank too" } else { "the tank is low." };
            around(|| defmt::info!("{=str}", word))
        }),
    ];
    for (silent, written, statement) in statements {
        for (case, classes) in [(silent, Classes::NONE), (written, Classes::EVENTS)] {
            choose(&mut trace, classes);
            for number in 0..SAMPLES {
                let sample = statement(number);
                empty(&mut trace);
                sample.print(case);
            }
        }
    }
    bench_board::end()
}

fn choose(trace: &mut Trace, classes: Classes) {
    empty(trace);
    if trace.choose(classes).is_err() {
        beryl_user::println!("a call failed");
    }
}

fn empty(trace: &mut Trace) {
    for _ in 0..4 {
        if trace.take().is_err() {
            beryl_user::println!("a call failed");
        }
    }
}
