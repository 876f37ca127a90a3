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
use crate::corruption::{self, Corruption, Value};
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
        } else if let Some(values) =
            corruption::carry(&values(&self.schedule, begin, frame, places), self.corruption.hits_next())
        {
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
mod tests;
