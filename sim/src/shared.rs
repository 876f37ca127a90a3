//! Memory between cores of one machine: what one publishes, the others find there, at the latest when it counts.
//!
//! On a machine a reader looks into the writer's own memory. Here each has the links that it reads in its own, and what is
//! published comes there after a random time, from at once to the instant from which it counts: whatever a processor's
//! memory does to a word on its way, its reader may not tell. So a run is one of those that are possible, always the same for a seed.

use beryl_abi::link;

use crate::bus::{Link, Place, instant, put_down};
use crate::environment::Nanoseconds;
use crate::times::SplitMix64;

/// The memory of a run.
pub(crate) struct Shared<'a> {
    links: &'a [Link<'a>],
    /// What each link's newest entry was when it was looked at.
    seen: Vec<u32>,
    /// What isn't there yet, in the order of publishing.
    under_way: Vec<Published>,
    dice: SplitMix64,
}

/// A value that its reader doesn't see yet.
struct Published {
    arrives: u64,
    link: usize,
    /// Nanoseconds.
    counts: u64,
    value: Vec<u32>,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(links: &'a [Link<'a>], seed: u64) -> Shared<'a> {
        Shared { links, seen: vec![0; links.len()], under_way: Vec::new(), dice: SplitMix64(!seed) }
    }

    /// When the next value is there.
    pub(crate) fn next(&self) -> Option<u64> {
        self.under_way.iter().map(|published| published.arrives).min()
    }

    /// Looks for what a core has published, up to now.
    pub(crate) fn look(&mut self, core: usize, now: u64, (memory, tick): Place<'_>) {
        for (number, (link, seen)) in self.links.iter().zip(&mut self.seen).enumerate() {
            let Link { length, from: (from, address), to } = *link;
            if from != core || to.is_empty() || memory.word(address) == *seen {
                continue;
            }
            *seen = memory.word(address);
            let stamp = instant(memory, address.saturating_add(link::stamp(*seen, length)));
            let counts = tick.nanoseconds(beryl_abi::Instant::from_ticks(stamp)).count();
            let base = address.saturating_add(link::value(*seen, length));
            let value = (0..length).step_by(4).map(|offset| memory.word(base.saturating_add(offset)));
            let arrives = now.saturating_add(self.dice.up_to(counts.saturating_sub(now)));
            self.under_way.push(Published { arrives, link: number, counts, value: value.collect() });
        }
    }

    /// Puts down what is there by now.
    pub(crate) fn deliver(&mut self, now: u64, places: &[Place<'_>]) {
        let (there, rest): (Vec<_>, Vec<_>) =
            self.under_way.drain(..).partition(|published| published.arrives <= now);
        self.under_way = rest;
        for Published { link: number, counts, value, .. } in there {
            let Some(Link { length, to, .. }) = self.links.get(number) else { continue };
            for (core, address) in *to {
                let Some((memory, tick)) = places.get(*core) else { continue };
                let stamp = tick.instant(Nanoseconds::new(counts)).ticks();
                put_down(memory, (*address, *length), stamp, &value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Shared};
    use crate::bus::{Link, put_down};
    use crate::fiber::Arena;
    use crate::simulation::Tick;
    use beryl_abi::link;

    const LINK: u32 = 0x100;
    const LINKS: &[Link<'_>] = &[Link { length: 4, from: (0, LINK), to: &[(1, LINK)] }];

    /// From when on the newest value counts, in ticks, and the value.
    fn newest(memory: &Arena) -> [u32; 2] {
        let newest = memory.word(LINK);
        [link::stamp(newest, 4), link::value(newest, 4)].map(|offset| memory.word(LINK + offset))
    }

    /// When the reader has what was published at 3000 ns and counts from 10000 ns on.
    fn arrival(seed: u64) -> u64 {
        let memories = [(); 2].map(|()| Arena::new(0, 0x200, &[]).unwrap());
        let tick = Tick::of_nanoseconds(100);
        let places: [Place<'_>; 2] = [(&memories[0], tick), (&memories[1], tick)];
        let mut shared = Shared::new(LINKS, seed);
        shared.look(0, 2_000, places[0]);
        assert_eq!(shared.next(), None, "nothing is published");
        put_down(&memories[0], (LINK, 4), 100, &[5]);
        shared.look(1, 2_500, places[1]);
        assert_eq!(shared.next(), None, "it isn't the reader who publishes");
        shared.look(0, 3_000, places[0]);
        let arrives = shared.next().expect("it is published");
        shared.look(0, 3_500, places[0]);
        shared.deliver(arrives - 1, &places);
        assert_eq!((newest(&memories[1]), shared.next()), ([0, 0], Some(arrives)), "not before it arrives");
        shared.deliver(arrives, &places);
        assert_eq!((newest(&memories[1]), shared.next()), ([100, 5], None));
        arrives
    }

    #[test]
    fn a_value_is_there_between_its_publication_and_the_instant_from_which_it_counts() {
        let arrivals: Vec<u64> = (0..200).map(arrival).collect();
        assert!(arrivals.iter().all(|arrives| (3_000..=10_000).contains(arrives)), "{arrivals:?}");
        let [least, most] = [arrivals.iter().min(), arrivals.iter().max()].map(|bound| *bound.unwrap());
        assert!(least < 3_500 && most > 9_500, "from {least} to {most}");
        assert_eq!(arrival(7), arrival(7));
    }

    #[test]
    fn what_is_late_is_there_at_once() {
        let memories = [(); 2].map(|()| Arena::new(0, 0x200, &[]).unwrap());
        let tick = Tick::of_nanoseconds(100);
        let mut shared = Shared::new(LINKS, 1);
        put_down(&memories[0], (LINK, 4), 100, &[5]);
        shared.look(0, 12_000, (&memories[0], tick));
        assert_eq!(shared.next(), Some(12_000));
    }
}
