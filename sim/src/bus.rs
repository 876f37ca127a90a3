//! The bus between nodes: takes what they have computed at the instants of its schedule, and puts it down where it is
//! read.
//!
//! A frame is taken from its sender's memory when its slot begins, behind everything that happens there at that instant,
//! and put down when the slot ends, before everything that happens then. It carries those values that count from the
//! instant of this slot on; a job that wasn't done in time is left out. A frame that is lost, or arrives corrupt, leaves
//! everything as it was.

use std::collections::BTreeMap;

use beryl_abi::Instant;
use beryl_abi::frame::Fate;
use beryl_abi::link::{self, Words};

use crate::clocks::{Clocks, Keeping};
use crate::corruption::{Corruption, Value};
use crate::environment::Nanoseconds;
use crate::fiber::Arena;
use crate::losses::Losses;
use crate::simulation::Tick;

/// When which node sends what.
#[derive(Clone, Copy, Debug)]
pub struct Schedule<'a> {
    /// After so many nanoseconds it begins again.
    pub cycle: u64,
    /// The frames of a cycle, in the order of their starts.
    pub frames: &'a [Frame<'a>],
    /// The values that cross.
    pub links: &'a [Link<'a>],
    /// By how much clocks of nodes may be wrong, in parts per million.
    pub drift: u32,
    /// How they are kept together, if they are.
    pub keeping: Option<Keeping>,
}

impl<'a> Schedule<'a> {
    /// The frame of a number, counted from the start of the run, and the beginning of its cycle.
    pub(crate) fn slot(&self, number: u64) -> Option<(u64, Frame<'a>)> {
        let count = u64::try_from(self.frames.len()).ok()?;
        let frame = *self.frames.get(usize::try_from(number.checked_rem(count)?).ok()?)?;
        Some(((number / count).checked_mul(self.cycle)?, frame))
    }

    /// The number in the run of a frame of the cycle that begins then.
    fn of_run(&self, begin: u64, frame: usize) -> usize {
        let cycles = usize::try_from(begin.checked_div(self.cycle).unwrap_or_default()).unwrap_or_default();
        cycles.saturating_mul(self.frames.len()).saturating_add(frame)
    }

    /// The node that sends a frame of the cycle.
    fn sender(&self, frame: &Frame<'_>) -> usize {
        frame.links.first().and_then(|link| self.links.get(*link)).map_or(0, |link| link.from.0)
    }

    /// What each node sends in a cycle.
    fn senders(&self) -> Vec<Sender> {
        let mut senders: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, frame) in self.frames.iter().enumerate() {
            senders.entry(self.sender(frame)).or_default().push(number);
        }
        senders.into_iter().map(|(node, frames)| Sender { node, frames, sent: 0 }).collect()
    }
}

/// A node that sends.
struct Sender {
    node: usize,
    /// Its frames of a cycle.
    frames: Vec<usize>,
    /// How many it has sent.
    sent: u64,
}

impl Sender {
    /// The number in its cycle of what it sends next, and the beginning of that cycle by its clock.
    fn next(&self, cycle: u64) -> Option<(usize, u64)> {
        let count = u64::try_from(self.frames.len()).ok()?;
        let frame = *self.frames.get(usize::try_from(self.sent.checked_rem(count)?).ok()?)?;
        Some((frame, (self.sent / count).checked_mul(cycle)?))
    }
}

/// What a node sends once a cycle; times in nanoseconds from its beginning.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// When its values are taken.
    pub start: u64,
    /// When they have arrived.
    pub end: u64,
    /// When they count.
    pub counts: u64,
    /// The links whose values it may carry.
    pub links: &'a [usize],
}

/// A value that crosses, in the memories of its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Link<'a> {
    /// Its bytes, in whole words.
    pub length: u32,
    /// The node that sends it, and where it is there.
    pub from: (usize, u32),
    /// Those that read it.
    pub to: &'a [(usize, u32)],
}

/// A node's memory, and how long its ticks are.
pub(crate) type Place<'a> = (&'a Arena, Tick);

/// The bus of a run.
pub(crate) struct Bus<'a> {
    schedule: Schedule<'a>,
    senders: Vec<Sender>,
    /// What is under way, in the order of sending.
    under_way: Vec<Sent>,
    /// Until when the last frame needs the bus.
    busy: u64,
    losses: Losses,
    corruption: Corruption,
    /// What has become of the frames of each node.
    counts: BTreeMap<usize, FrameCounts>,
    /// What has become of each frame, in the order of the schedule.
    fates: Vec<Fate>,
}

/// What has become of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCounts {
    /// How many were sent.
    pub sent: u64,
    /// Of those, how many came nowhere.
    pub lost: u64,
    /// Of those that came, how many had another checksum than their bytes have.
    pub corrupt: u64,
}

/// A frame under way.
struct Sent {
    sender: usize,
    /// Its number in the cycle, and in the run.
    frame: usize,
    of_run: usize,
    /// When it arrives, in common time; and what its sender's clock shows then.
    arrives: u64,
    ends: u64,
    /// From when on its values count.
    counts: u64,
    values: Vec<Value>,
}

/// What a bus does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Puts values down, before anything else happens at that instant.
    Delivers(u64),
    /// Takes values, behind everything else.
    Takes(u64),
    /// Nothing any more.
    Nothing,
}

impl<'a> Bus<'a> {
    pub(crate) fn new(schedule: Schedule<'a>, loss: u32, seed: u64) -> Bus<'a> {
        Bus {
            schedule,
            senders: schedule.senders(),
            under_way: Vec::new(),
            busy: 0,
            losses: Losses::new(loss, seed),
            corruption: Corruption::none(),
            counts: BTreeMap::new(),
            fates: Vec::new(),
        }
    }

    /// The same, which spoils some of the frames that aren't lost.
    pub(crate) fn spoiling(self, corruption: Corruption) -> Bus<'a> {
        Bus { corruption, ..self }
    }

    /// What has become of the frames of a node.
    pub(crate) fn counts(&self, node: usize) -> FrameCounts {
        self.counts.get(&node).copied().unwrap_or_default()
    }

    /// What has become of each frame, as [`Fate`] tells it.
    pub(crate) fn fates(&self) -> String {
        self.fates.iter().map(|fate| fate.letter()).collect()
    }

    fn note(&mut self, of_run: usize, fate: Fate) {
        if self.fates.len() <= of_run {
            self.fates.resize(of_run + 1, Fate::Unsent);
        }
        self.fates[of_run] = fate;
    }

    /// What comes next, and when in common time.
    pub(crate) fn next(&self, clocks: &Clocks) -> Turn {
        let arrives = self.under_way.iter().map(|sent| sent.arrives).min();
        let takes = self.due(clocks).map(|(at, _)| at);
        match (arrives, takes) {
            (Some(arrives), takes) if takes.is_none_or(|takes| arrives <= takes) => Turn::Delivers(arrives),
            (_, Some(takes)) => Turn::Takes(takes),
            (_, None) => Turn::Nothing,
        }
    }

    /// Who sends next, and when.
    fn due(&self, clocks: &Clocks) -> Option<(u64, usize)> {
        let due = self.senders.iter().enumerate().filter_map(|(number, sender)| {
            let (frame, begin) = sender.next(self.schedule.cycle)?;
            let start = begin.saturating_add(self.schedule.frames.get(frame)?.start);
            Some((clocks.comes(sender.node, start), frame, number))
        });
        due.min().map(|(at, _, number)| (at, number))
    }

    /// Takes the values of the next frame.
    pub(crate) fn take(&mut self, places: &[Place<'_>], clocks: &Clocks) {
        let Some((now, sender)) =
            self.due(clocks).and_then(|(at, number)| Some((at, self.senders.get_mut(number)?)))
        else {
            return;
        };
        let Some((number, begin)) = sender.next(self.schedule.cycle) else { return };
        sender.sent += 1;
        let node = sender.node;
        let Some(frame) = self.schedule.frames.get(number).copied() else { return };
        let is_lost = self.losses.takes_next();
        let of_run = self.schedule.of_run(begin, number);
        let counts = self.counts.entry(node).or_default();
        counts.sent += 1;
        let ends = begin.saturating_add(frame.end);
        let arrives = clocks.comes(node, ends);
        let is_busy = now < self.busy;
        self.busy = self.busy.max(arrives);
        let fate = if is_busy {
            counts.corrupt += 1;
            self.spoil_under_way();
            Fate::Corrupt
        } else if is_lost {
            counts.lost += 1;
            Fate::Lost
        } else if let Some(values) = self.corruption.carry(&values(&self.schedule, begin, frame, places)) {
            let counts = begin.saturating_add(frame.counts);
            self.under_way.push(Sent { sender: node, frame: number, of_run, arrives, ends, counts, values });
            Fate::Came
        } else {
            counts.corrupt += 1;
            Fate::Corrupt
        };
        self.note(of_run, fate);
    }

    /// Another frame has begun meanwhile.
    fn spoil_under_way(&mut self) {
        for Sent { sender, of_run, .. } in std::mem::take(&mut self.under_way) {
            self.counts.entry(sender).or_default().corrupt += 1;
            self.note(of_run, Fate::Corrupt);
        }
    }

    /// Puts down what arrives at an instant; who hears it may set its clock.
    pub(crate) fn deliver(&mut self, at: u64, places: &[Place<'_>], clocks: &mut Clocks) {
        let (arrived, rest): (Vec<_>, Vec<_>) = self.under_way.drain(..).partition(|sent| sent.arrives <= at);
        self.under_way = rest;
        let tick = |node: usize| places.get(node).map_or(1, |(_, tick)| u64::from(tick.nanoseconds));
        for Sent { sender, frame, arrives, ends, counts, values, .. } in arrived {
            clocks.hear(frame, sender, (arrives, ends), tick);
            for Value { link: number, words } in values {
                let Some(Link { length, to, .. }) = self.schedule.links.get(number) else { continue };
                for (node, address) in *to {
                    let Some((memory, tick)) = places.get(*node) else { continue };
                    let stamp = tick.instant(Nanoseconds::new(counts)).ticks();
                    put_down(memory, (*address, *length), stamp, &words);
                }
            }
        }
    }
}

/// Of what a frame may carry, the values that count from its instant on.
fn values(schedule: &Schedule<'_>, begin: u64, frame: Frame<'_>, places: &[Place<'_>]) -> Vec<Value> {
    let counts = Nanoseconds::new(begin.saturating_add(frame.counts));
    let value = |number: &usize| {
        let Link { length, from: (node, address), .. } = *schedule.links.get(*number)?;
        let (memory, tick) = places.get(node)?;
        let stamp = tick.instant(counts).ticks();
        let is_it =
            |entry: &u32| instant(memory, address.saturating_add(link::stamp(*entry, length))) == stamp;
        let entry = (0..link::ENTRIES).find(is_it)?;
        let base = address.saturating_add(link::value(entry, length));
        let words = (0..length).step_by(4).map(|offset| memory.word(base.saturating_add(offset)));
        Some(Value { link: *number, words: words.collect() })
    };
    frame.links.iter().filter_map(value).collect()
}

/// Puts a value that counts from a tick on into a link, of a length, in the place of its oldest one.
pub(crate) fn put_down(memory: &Arena, (address, length): (u32, u32), stamp: u64, value: &[u32]) {
    let counts = [stamp & u64::from(u32::MAX), stamp >> 32].map(|word| word as u32);
    let mut words = value.iter().copied();
    link::publish(&mut &*memory, (address, length), counts, |_, _| words.next().unwrap_or_default());
}

impl Words for &Arena {
    fn load(&mut self, address: u32) -> u32 {
        self.word(address)
    }

    fn store(&mut self, address: u32, word: u32) {
        self.set_word(address, word);
    }
}

/// The ticks of the instant at an address.
pub(crate) fn instant(memory: &Arena, address: u32) -> u64 {
    let [low, high] = [0, 4].map(|offset| u64::from(memory.word(address.saturating_add(offset))));
    Instant::from_ticks(high << 32 | low).ticks()
}

#[cfg(test)]
mod tests {
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
}
