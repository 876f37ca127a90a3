//! Frames in their slots, lost and damaged ones, and what becomes of each.

use super::{Bus, Frame, FrameCounts, Link, Place, Schedule, Turn, put_down};
use crate::clocks::Clocks;
use crate::corruption::Corruption;
use crate::fiber::Arena;
use crate::simulation::Tick;
use beryl_abi::link;

const LINK: u32 = 0x100;

/// A value of one word from node 0, whose ticks are 40 ns, to node 1, whose ticks are 100 ns.
const LINKS: &[Link<'_>] = &[Link { length: 4, from: (0, LINK), to: &[(1, LINK)] }];
const SCHEDULE: Schedule<'_> = Schedule {
    cycle: 10_000,
    frames: &[Frame { start: 7_000, end: 9_000, counts: 10_000, links: &[0] }],
    links: LINKS,
    drift: 0,
    keeping: None,
};

struct Two([Arena; 2]);

impl Two {
    fn new() -> Two {
        Two([(); 2].map(|()| Arena::new(0, 0x200, &[]).unwrap()))
    }

    fn places(&self) -> [Place<'_>; 2] {
        let Two([one, other]) = self;
        [(one, Tick::of_nanoseconds(40)), (other, Tick::of_nanoseconds(100))]
    }

    /// Node 0 publishes a value that counts from a tick on.
    fn publish(&self, stamp: u32, value: u32) {
        put_down(&self.0[0], (LINK, 4), stamp.into(), &[value]);
    }

    /// The newest entry of node 1: from when on it counts, in ticks, and its value.
    fn newest(&self) -> [u32; 2] {
        let memory = &self.0[1];
        let newest = memory.word(LINK);
        [link::stamp(newest, 4), link::value(newest, 4)].map(|offset| memory.word(LINK + offset))
    }
}

#[test]
fn a_value_is_taken_and_put_down_when_the_schedule_says_in_the_ticks_of_its_reader() {
    let two = Two::new();
    let mut bus = Bus::new(SCHEDULE, 0, 1);
    assert_eq!(bus.next(&Clocks::exact(2)), Turn::Takes(7_000));
    two.publish(250, 5);
    bus.take(&two.places(), &Clocks::exact(2));
    assert_eq!((bus.next(&Clocks::exact(2)), two.newest()), (Turn::Delivers(9_000), [0, 0]));
    bus.deliver(9_000, &two.places(), &mut Clocks::exact(2));
    assert_eq!((bus.next(&Clocks::exact(2)), two.newest()), (Turn::Takes(17_000), [100, 5]));
}

#[test]
fn what_was_not_done_in_time_is_not_sent() {
    let two = Two::new();
    let mut bus = Bus::new(SCHEDULE, 0, 1);
    // It counts an instant later than this frame's values do, so the frame arrives without it.
    two.publish(500, 5);
    bus.take(&two.places(), &Clocks::exact(2));
    assert_eq!((bus.next(&Clocks::exact(2)), bus.counts(0).sent), (Turn::Delivers(9_000), 1));
    bus.deliver(9_000, &two.places(), &mut Clocks::exact(2));
    assert_eq!((bus.next(&Clocks::exact(2)), two.newest()), (Turn::Takes(17_000), [0, 0]));
    bus.take(&two.places(), &Clocks::exact(2));
    bus.deliver(19_000, &two.places(), &mut Clocks::exact(2));
    assert_eq!(two.newest(), [200, 5]);
}

#[test]
fn a_value_is_found_behind_a_newer_one() {
    let two = Two::new();
    let mut bus = Bus::new(SCHEDULE, 0, 1);
    two.publish(250, 5);
    two.publish(500, 6);
    bus.take(&two.places(), &Clocks::exact(2));
    bus.deliver(9_000, &two.places(), &mut Clocks::exact(2));
    assert_eq!(two.newest(), [100, 5]);
}

#[test]
fn as_many_frames_are_lost_as_are_asked_for_and_the_same_with_the_same_seed() {
    let lost = |loss: u32, seed: u64| {
        let two = Two::new();
        let mut bus = Bus::new(SCHEDULE, loss, seed);
        let arrived = (0..1000).map(|cycle| {
            two.publish((cycle + 1) * 250, 5);
            bus.take(&two.places(), &Clocks::exact(2));
            let delivers = matches!(bus.next(&Clocks::exact(2)), Turn::Delivers(_));
            bus.deliver(u64::MAX, &two.places(), &mut Clocks::exact(2));
            delivers
        });
        let arrived: Vec<bool> = arrived.collect();
        (bus.counts(0).lost, arrived)
    };
    assert_eq!((lost(0, 1).0, lost(1000, 1).0), (0, 1000));
    let (count, arrived) = lost(100, 7);
    assert!((60..140).contains(&count), "{count}");
    assert_eq!(arrived.iter().filter(|arrived| !**arrived).count() as u64, count);
    assert_eq!(lost(100, 7).1, arrived);
}

/// Corrupt frames are dropped as lost ones are, and counted apart; which are lost doesn't depend on them.
#[test]
fn corrupt_frames_leave_what_was_there_and_are_counted_apart() {
    let run = |loss: u32, corrupt: u32, seed: u64| {
        let two = Two::new();
        let mut bus = Bus::new(SCHEDULE, loss, seed).spoiling(Corruption::new(corrupt, seed));
        let mut last = two.newest();
        let mut came = 0;
        for cycle in 1..=1000 {
            two.publish(cycle * 250, cycle);
            bus.take(&two.places(), &Clocks::exact(2));
            bus.deliver(u64::MAX, &two.places(), &mut Clocks::exact(2));
            let newest = two.newest();
            assert!(newest == last || newest == [cycle * 100, cycle], "cycle {cycle}: {newest:?}");
            came += u64::from(newest != last);
            last = newest;
        }
        let counts = bus.counts(0);
        assert_eq!((counts.sent, bus.counts(1)), (1000, FrameCounts::default()));
        assert_eq!(came, counts.sent - counts.lost - counts.corrupt);
        counts
    };
    assert_eq!(run(0, 0, 1), FrameCounts { sent: 1000, lost: 0, corrupt: 0 });
    assert_eq!(run(0, 1000, 1), FrameCounts { sent: 1000, lost: 0, corrupt: 1000 });
    let (both, lost) = (run(100, 100, 7), run(100, 0, 7));
    assert_eq!((both.lost, lost.corrupt), (lost.lost, 0));
    assert!((60..140).contains(&both.corrupt), "{both:?}");
    assert_eq!(run(100, 100, 7), both);
}

/// Node 1 sends right behind node 0, and its clock is ahead: both frames are on the bus at once.
#[test]
fn of_frames_that_overlap_none_arrives_as_it_was_sent() {
    let schedule = Schedule {
        cycle: 10_000_000,
        frames: &[
            Frame { start: 7_000_000, end: 8_000_000, counts: 10_000_000, links: &[0] },
            Frame { start: 8_000_000, end: 9_000_000, counts: 10_000_000, links: &[1] },
        ],
        links: &[LINKS[0], Link { length: 4, from: (1, LINK), to: &[(0, LINK)] }],
        drift: 100,
        keeping: None,
    };
    let arrived = |clocks: &mut Clocks| {
        let two = Two::new();
        two.publish(250_000, 5);
        let mut bus = Bus::new(schedule, 0, 1);
        while bus.counts(0).sent + bus.counts(1).sent < 2 {
            match bus.next(clocks) {
                Turn::Delivers(at) => bus.deliver(at, &two.places(), clocks),
                _ => bus.take(&two.places(), clocks),
            }
        }
        bus.deliver(u64::MAX, &two.places(), clocks);
        (two.newest()[1], [0, 1].map(|node| bus.counts(node).corrupt))
    };
    assert_eq!(arrived(&mut Clocks::exact(2)), (5, [0, 0]));
    // Of these, the second clock is ahead of the first.
    let ahead = (0..).find(|seed| {
        let clocks = Clocks::new(2, 100, *seed, None);
        clocks.shows(1, 8_000_000) > clocks.shows(0, 8_000_000)
    });
    let mut clocks = Clocks::new(2, 100, ahead.expect("one of them"), None);
    assert_eq!(arrived(&mut clocks), (0, [1, 1]));
}

#[test]
fn without_frames_there_is_nothing_to_do() {
    let bus = Bus::new(Schedule { cycle: 0, frames: &[], links: &[], drift: 0, keeping: None }, 0, 1);
    assert_eq!(bus.next(&Clocks::exact(2)), Turn::Nothing);
}
