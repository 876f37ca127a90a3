//! EMERALDS, section 5.2: the workload of Table 1, which a fixed order by period can't schedule.

use beryl_abi::{CallNumber, Instant};
use beryl_kernel::{Call, Event};

use crate::assert_story;
use crate::host::Rig;
use crate::host::draft::{Draft, Large, Queue};

/// Period and execution time of each task in tenths of a millisecond. Deadlines are periods.
const TABLE_1: [(u64, u64); 10] =
    [(40, 10), (50, 10), (60, 10), (70, 10), (80, 5), (200, 5), (300, 5), (500, 5), (1000, 5), (1300, 5)];

/// The kernel, and what is left of each job. The story is who works from when on, as Figure 2 draws it,
/// and who is late.
struct Workload {
    rig: Rig<Large>,
    left: [u64; TABLE_1.len()],
    works: Option<usize>,
    story: Vec<String>,
}

impl Workload {
    /// The first `dynamic` tasks are scheduled by deadline, the others by period below them.
    fn new(dynamic: usize) -> Workload {
        let bands = match dynamic {
            0 => [Queue::Fixed].as_slice(),
            10 => &[Queue::Dynamic(16)],
            _ => &[Queue::Dynamic(16), Queue::Fixed],
        };
        let mut draft = Draft::<Large>::new(bands);
        let last = u8::try_from(bands.len() - 1).unwrap();
        for (number, (period, _)) in (0..).zip(TABLE_1) {
            let band = if usize::from(number) < dynamic { 0 } else { last };
            draft.periodic(0, band, 20 - number, period);
        }
        let mut rig = Rig::new(&draft.finish().0);
        rig.raise(Event::Start);
        Workload { rig, left: TABLE_1.map(|(_, time)| time), works: None, story: Vec::new() }
    }

    /// Until an instant: whoever runs works, ends its job, and waits for the next. A job that ends when
    /// another is released ends first.
    fn run(mut self, end: u64) -> Vec<String> {
        loop {
            let now = self.rig.host().clock.ticks();
            let running = self.rig.state().running().index();
            let done = self.left.get(running).map_or(u64::MAX, |left| now + left);
            let alarm = self.rig.host().alarm.ticks();
            let next = done.min(alarm);
            if next > end {
                return self.story;
            }
            if next > now && self.works != Some(running) {
                self.works = Some(running);
                self.story.push(format!("{now} {running} works"));
            }
            self.rig.host().clock = Instant::from_ticks(next);
            if let Some(left) = self.left.get_mut(running) {
                *left -= next - now;
            }
            if done <= alarm {
                self.left[running] = TABLE_1[running].1;
                let number = CallNumber::WaitPeriod as u32;
                self.rig.raise(Event::Call(Call { number, arguments: [0xFF, 0, 0, 0] }));
            } else {
                self.rig.host().alarm = Instant::NEVER;
                self.rig.raise(Event::Alarm);
            }
            self.read();
        }
    }

    /// Keeps who was late.
    fn read(&mut self) {
        let log = std::mem::take(&mut self.rig.host().log);
        self.story.extend(log.into_iter().filter(|line| line.contains(" miss ")));
    }
}

#[test]
fn under_fixed_priorities_the_fifth_misses_its_deadline_as_figure_2_shows() {
    assert_story(
        &Workload::new(0).run(80),
        &[
            "0 0 works",
            "10 1 works",
            "20 2 works",
            "30 3 works",
            // the fifth's turn would have come, but the first is released again; and so it goes on
            "40 0 works",
            "50 1 works",
            "60 2 works",
            "70 3 works",
            // at 8 ms it was due, and hasn't worked at all
            "80 miss 4 by 80",
        ],
    );
}

fn late(story: &[String]) -> Vec<&String> {
    story.iter().filter(|line| line.contains("miss")).collect()
}

#[test]
fn by_deadline_nobody_is_late() {
    // two of the periods in which all but the last repeat together
    let story = Workload::new(TABLE_1.len()).run(84_000);
    assert!(late(&story).is_empty(), "{:?}", late(&story));
    assert_story(
        &story[..7],
        &[
            "0 0 works",
            "10 1 works",
            "20 2 works",
            "30 3 works",
            // due at 80 as the fifth is; equal deadlines go by the order of the table
            "40 0 works",
            // the fifth works before the others do a second time
            "50 4 works",
            "55 1 works",
        ],
    );
}

#[test]
fn five_by_deadline_above_five_by_period_are_enough() {
    let story = Workload::new(5).run(84_000);
    assert!(late(&story).is_empty(), "{:?}", late(&story));
    for thread in 0..10 {
        assert!(story.iter().any(|line| line.ends_with(&format!(" {thread} works"))), "{thread}");
    }
}

#[test]
fn four_by_deadline_are_not_enough() {
    // the paper's reason to put the fifth among those by deadline (section 5.6.3)
    let story = Workload::new(4).run(80);
    assert!(story.contains(&"80 miss 4 by 80".to_string()), "{story:?}");
}
