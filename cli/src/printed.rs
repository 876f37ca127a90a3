//! Lines of a console: when each began, and in which thread.

use beryl_abi::{Instant, ThreadId};
use beryl_builder::emulator::Spoken;
use beryl_trace::names::Names;
use beryl_trace::{Event, Happening};

/// A line, ready to print.
pub fn line(at: Instant, thread: ThreadId, text: &str, names: &Names) -> String {
    format!("{} {}: {text}\n", names.tick.logical(at), names.thread(thread))
}

/// A board's output, with the thread that the trace shows running when each line began. The time is the
/// kernel's last reading of the clock before that.
pub fn of_board(spoken: &[Spoken], events: &[Event], names: &Names) -> String {
    let switches: Vec<_> = events
        .iter()
        .filter_map(|event| match event.happening {
            Happening::Switch { to, .. } => Some((event.time, to)),
            _ => None,
        })
        .collect();
    let by = |at: Instant| {
        let before = switches.partition_point(|(time, _)| time.ticks() <= at.ticks());
        before.checked_sub(1).map(|last| switches[last].1)
    };
    let lines = spoken.split_inclusive(|spoken| spoken.byte == b'\n').filter_map(|bytes| {
        let (at, text) = (bytes.first()?.at, bytes.iter().map(|spoken| spoken.byte).collect::<Vec<_>>());
        let text = String::from_utf8_lossy(&text);
        Some(line(at, by(at)?, text.trim_end_matches(['\n', '\r']), names))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_of_who_has_the_processor_when_it_is_begun() {
        let thread = |name: &str| format!(r#"{{ "name": "{name}", "process": "p", "kind": "free" }}"#);
        let names = Names::parse(&format!(
            r#"{{ "system": "s", "tick": {{ "nanoseconds": 40, "ticks": 1 }}, "processes": ["p"], "threads": [{}, {}],
                "drivers": [], "programs": [] }}"#,
            thread("one"),
            thread("two")
        ));
        let Ok(names) = names else { panic!("{names:?}") };
        let switch = |ticks, to| Event {
            time: Instant::from_ticks(ticks),
            happening: Happening::Switch { from: ThreadId(9), to: ThreadId(to) },
        };
        let spoken: Vec<_> = [(25_000, "a\n"), (50_000, "b"), (75_000, "c\r\n")]
            .iter()
            .flat_map(|(at, text)| text.bytes().map(|byte| Spoken { at: Instant::from_ticks(*at), byte }))
            .collect();
        let said = of_board(&spoken, &[switch(0, 0), switch(50_000, 1), switch(60_000, 0)], &names);
        assert_eq!(said, "1 ms one: a\n2 ms two: bc\n");
    }
}
