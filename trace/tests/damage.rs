//! Damaged traces: whatever bits are flipped and wherever it is cut, every view shows what is readable, and none hangs.

mod common;

use beryl_abi::{Duration, Instant, Line, Record, ThreadId};
use beryl_trace::assertion::{Asserted, Assertion, Evidence, Point, Trouble};
use beryl_trace::decode::readable;
use beryl_trace::jobs::History;
use beryl_trace::timeline::{svg, terminal};
use beryl_trace::why::Chain;
use beryl_trace::{Event, Happening, Names, Statistics, Timeline, html, perfetto};
use common::workload;
use proptest::prelude::*;

/// The bytes of a run, without its drivers' values.
fn bytes(events: &[Event]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for event in events {
        let record = match event.happening {
            Happening::Release { task, instant, deadline } => Record::Release { task, instant, deadline },
            Happening::Switch { from, to } => Record::Switch { from, to },
            Happening::Complete { task } => Record::Complete { task },
            Happening::Miss { task, deadline } => Record::Miss { task, deadline },
            _ => continue,
        };
        record.encode(event.time, |word| bytes.extend(word.to_le_bytes()), |_| 0);
    }
    bytes
}

/// Every view of a trace.
fn view(events: &[Event], names: &Names) {
    let history = History::of(events);
    let statistics = Statistics::of(events, names);
    let tables = [statistics.to_string(), statistics.execution_table(), statistics.response_table()];
    assert!(tables.iter().all(|table| table.ends_with('\n')));
    for (from, to) in [(0, 100_000), (0, u64::MAX), (u64::MAX - 1, u64::MAX)] {
        let timeline = Timeline::of(events, names, Instant::from_ticks(from), Instant::from_ticks(to));
        assert!(svg::render(&timeline).ends_with("</svg>\n"));
        let options = terminal::Options { width: 90, ascii: true, colour: false };
        assert!(!terminal::render(&timeline, options).is_empty());
    }
    for position in (0..history.jobs.len()).step_by(history.jobs.len() / 20 + 1) {
        let chain = Chain::of(&history, names, position).expect("a job");
        assert!(!chain.lines(&history, names).is_empty());
    }
    let evidence = Evidence { events, history: &history, names };
    let (task, most) = (ThreadId(0), Duration::from_ticks(5));
    let (first, second) = (Point::Release(task), Point::End(ThreadId(1)));
    let assertions = [
        Assertion::Response { task, most },
        Assertion::Jitter { of: first, most },
        Assertion::Latency { from: first, to: second, most },
        Assertion::Age { of: first, at: second, most },
        Assertion::Order { first, second },
        Assertion::Never { what: Trouble::Miss, of: None },
    ];
    for assertion in assertions {
        let verdict = Asserted::from(assertion).check(evidence);
        assert!(
            verdict.broken <= verdict.checked && verdict.first.is_some() == (verdict.broken > 0),
            "{verdict:?}"
        );
    }
    assert!(html::page(events, names, "damaged").ends_with("</html>\n"));
    assert!(!perfetto::export(events, names, None).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn flipped_bits_and_cuts_leave_something_to_see(
        seed in 0..100_u64,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u32), 0..6),
        cut: prop::sample::Index,
        is_cut: bool,
    ) {
        let mut bytes = bytes(&workload::events(400, seed));
        let whole = bytes.clone();
        for (place, bit) in &flips {
            bytes[place.index(whole.len())] ^= 1 << bit;
        }
        if is_cut {
            bytes.truncate(cut.index(whole.len()));
        }
        let (events, damage) = readable(&bytes);
        prop_assert!(damage.is_none_or(|damage| damage.offset <= bytes.len()));
        prop_assert!(events.windows(2).all(|pair| pair[0].time <= pair[1].time));
        view(&events, &workload::names());
    }

    #[test]
    fn any_bytes_leave_every_view_standing(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        view(&readable(&bytes).0, &common::names());
    }
}

/// All kinds of a happening that a million of them could make slow: each a hundred thousand times, all different.
#[test]
fn a_hundred_thousand_different_troubles_are_told_at_once() {
    let names = workload::names();
    let at = Instant::from_ticks;
    let thread = |number: u64| ThreadId(u8::try_from(number % 256).expect("a byte"));
    let storm = |kind: u64, number: u64| match kind {
        0 => Happening::Stray { line: Line(u16::try_from(number % 65_536).expect("two bytes")) },
        1 => Happening::Miss { task: thread(number), deadline: at(number / 2) },
        2 => Happening::Release { task: thread(number), instant: at(number), deadline: at(number * 3) },
        3 => Happening::Switch { from: thread(number), to: thread(number + 1) },
        _ => Happening::Overrun { task: thread(number) },
    };
    for kind in 0..5 {
        let events: Vec<Event> =
            (0..100_000).map(|number| Event { time: at(number), happening: storm(kind, number) }).collect();
        view(&events, &names);
    }
}
