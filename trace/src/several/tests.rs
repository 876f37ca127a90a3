//! Messages of small runs that are written down by hand, and of random ones against a plain search.

use std::path::PathBuf;

use beryl_abi::{Instant, ThreadId};
use proptest::prelude::*;

use super::{Crossing, Frame, Kernel, Message, Several, messages};
use crate::clock::{LogicalInstant, Nanoseconds, Tick};
use crate::event::{Event, Happening};
use crate::jobs::History;
use crate::names::Names;
use beryl_abi::frame::Fate;

const TASK: ThreadId = ThreadId(0);

/// Two kernels on two machines, and a third beside the second one; the first sends what the others read.
fn several(fates: &str) -> Several {
    let kernel = |name: &str, machine| Kernel {
        name: name.to_owned(),
        title: name.to_owned(),
        machine,
        trace: PathBuf::new(),
    };
    let nanoseconds = Nanoseconds::new;
    Several {
        system: "sums".to_owned(),
        word: "node".to_owned(),
        kernels: vec![kernel("one", 0), kernel("two", 1), kernel("three", 1)],
        crossings: vec![
            Crossing {
                value: "one.sum".to_owned(),
                from: (0, "navigate".to_owned()),
                to: vec![(1, "navigate".to_owned()), (2, "navigate".to_owned())],
                counts_after: Some(nanoseconds(1000)),
            },
            Crossing {
                value: "two.sum".to_owned(),
                from: (1, "navigate".to_owned()),
                to: vec![(2, "navigate".to_owned())],
                counts_after: Some(nanoseconds(1000)),
            },
        ],
        cycle: nanoseconds(1000),
        frames: vec![Frame {
            kernel: 0,
            start: nanoseconds(600),
            end: nanoseconds(900),
            counts: nanoseconds(1000),
            crossings: vec![0],
        }],
        fates: fates.to_owned(),
    }
}

/// The names of kernels whose ticks are so long.
fn names(tick: u32) -> Names {
    let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
    names.threads.truncate(1);
    names.threads[0].name = "navigate".to_owned();
    names.tick = Tick::new(tick, 1).expect("a tick");
    names
}

/// Jobs of one task: released and done at these ticks.
fn history(jobs: &[(u64, u64)]) -> History {
    let at = Instant::from_ticks;
    let events = jobs.iter().flat_map(|(release, done)| {
        let released = Happening::Release { task: TASK, instant: at(*release), deadline: at(release + 1000) };
        let complete = Happening::Complete { task: TASK };
        [Event { time: at(*release), happening: released }, Event { time: at(*done), happening: complete }]
    });
    History::of(&events.collect::<Vec<_>>())
}

fn message(from: (usize, usize), sent: u64, fate: Fate, read: &[(usize, usize)]) -> Message {
    Message { from, sent: LogicalInstant::from_nanoseconds(sent), fate, read: read.to_vec() }
}

/// The second kernel's ticks are twice as long. Of the first one's jobs the third isn't done when its slot begins, and the frame of
/// the fourth is lost; the other kernels read at each microsecond, the third only at each second one.
#[test]
fn messages_lead_from_frames_and_memory_to_those_who_read_first() {
    let (one, two) = (names(1), names(2));
    let sender = history(&[(0, 200), (1000, 1600), (2000, 2601), (3000, 3100), (4000, 4100)]);
    let reader = history(&[(0, 50), (500, 550), (1000, 1050), (1500, 1550), (2000, 2050), (2500, 2550)]);
    let slow = history(&[(0, 10), (1000, 1010), (2000, 2010)]);
    let parts = [(&sender, &one), (&reader, &two), (&slow, &two)];
    let found = messages(&several("...lc"), &parts);
    let expected = [
        message((0, 0), 600, Fate::Came, &[(1, 1)]),
        // The second kernel's own go through memory when they are done; of two the newer one counts.
        message((1, 1), 1100, Fate::Came, &[(2, 1)]),
        message((0, 1), 1600, Fate::Came, &[(1, 2), (2, 1)]),
        message((1, 3), 3100, Fate::Came, &[(2, 2)]),
        message((0, 3), 3600, Fate::Lost, &[]),
        message((0, 4), 4600, Fate::Corrupt, &[]),
    ];
    assert_eq!(found, expected);
    assert_eq!(messages(&several(""), &parts).len(), 2, "without a bus only memory carries");
}

/// What a job at an instant has of a sender, by looking at everything: the last job whose frame came and counts by then.
fn newest(jobs: &[(u64, u64)], fates: &[Fate], release: u64) -> Option<usize> {
    let has_come = |(index, (began, done)): &(usize, &(u64, u64))| {
        let came = fates.get(usize::try_from(began / 1000).ok()?) == Some(&Fate::Came);
        (came && *done <= began + 600 && began + 1000 <= release).then_some(*index)
    };
    jobs.iter().enumerate().filter_map(|each| has_come(&each)).max()
}

proptest! {
    /// A job has an arrow from what it has, if no job before it had that; and from nothing else.
    #[test]
    fn each_job_has_what_counts(
        done in proptest::collection::vec((1_u64..900, 0_u64..4), 1..20),
        reads in proptest::collection::vec(1_u64..2500, 1..20),
    ) {
        let jobs: Vec<_> = (0_u64..).zip(&done).map(|(k, (length, _))| (k * 1000, k * 1000 + length)).collect();
        let fates: Vec<_> = done.iter().map(|(_, fate)| [Fate::Came, Fate::Came, Fate::Lost, Fate::Corrupt][*fate as usize]).collect();
        let text: String = fates.iter().map(|fate| fate.letter()).collect();
        let mut at = 0;
        let readers: Vec<_> = reads.iter().map(|gap| { at += gap; (at, at + 1) }).collect();
        let (one, sender, reader) = (names(1), history(&jobs), history(&readers));
        let told = Several { crossings: several("").crossings[..1].to_vec(), ..several(&text) };
        let none = history(&[]);
        let mut found: Vec<_> = messages(&told, &[(&sender, &one), (&reader, &one), (&none, &one)]).iter()
            .flat_map(|message| message.read.iter().map(|(_, job)| (*job, message.from.1)).collect::<Vec<_>>()).collect();
        found.sort_unstable();
        let mut before = None;
        let has = readers.iter().enumerate().filter_map(|(job, (release, _))| {
            let newest = newest(&jobs, &fates, *release);
            let is_new = newest != before;
            before = newest;
            newest.filter(|_| is_new).map(|newest| (job, newest))
        });
        prop_assert_eq!(found, has.collect::<Vec<_>>());
    }
}
