//! The sweep over all deadlines of a band agrees with the busy periods one by one, in a number of steps
//! proportional to the jobs.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::*;
use crate::demand::{Demand, Stream, busy_period};
use crate::edf::{self, late};
use crate::locks::Blocking;

/// A dynamic band below streams, all with jitter, deadlines before and beyond periods, and locks.
fn drawn(random: &mut Random) -> (Vec<Demand>, Vec<Stream>, Vec<Lock>) {
    let stream = |random: &mut Random, most: u64| {
        let period = random.within(4, 40);
        let jitter = ticks(*random.one_of(&[0, 0, 1, period / 2, period + 3]));
        Stream { jitter, ..Stream::new(ticks(period), ticks(random.within(1, most.max(1)))) }
    };
    let band: Vec<_> = (0..random.within(1, 5))
        .map(|_| {
            let stream = stream(random, 6);
            let deadline = random.within(1, 2 * stream.period.get()) + stream.jitter.get();
            Demand {
                stream,
                deadline: ticks(deadline),
                latest: ticks(deadline),
                limit: ticks(deadline),
                priority: 0,
                is_share: false,
            }
        })
        .collect();
    let above = (0..random.within(0, 3)).map(|_| stream(random, 2)).collect();
    let user = |random: &mut Random, thread: usize| {
        let own = band.get(thread).map(|task| task.deadline);
        let (shortest, longest) = own.map_or((ticks(0), ticks(0)), |own| (own, own));
        let urgency = Urgency { band: usize::from(own.is_none()), shortest, longest, ..Default::default() };
        User { thread, urgency: Some(urgency), hold: ticks(random.within(0, 7)) }
    };
    let locks = (0..random.within(0, 2)).map(|_| Lock {
        name: "lock".into(),
        protocol: *random.one_of(&[Protocol::Ceiling, Protocol::Inheritance]),
        users: (0..=band.len())
            .filter(|_| random.within(0, 1) == 0)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|thread| user(random, thread))
            .collect(),
    });
    let locks = locks.collect();
    (band, above, locks)
}

/// The blocking, computed as for a system.
pub(super) fn blocking(band: &[Demand], locks: Vec<Lock>) -> Blocking {
    let tasks =
        band.iter().map(|row| Task { deadline: row.deadline, ..task("t", row.stream.period.get(), 1) });
    let system = System { locks, ..dynamic(tasks.collect()) };
    Blocking::of(&system).unwrap().remove(0)
}

#[test]
fn all_at_once_is_one_by_one() {
    let (mut compared, mut late_ones, mut held_up) = (0, 0, 0);
    for seed in 0..2000 {
        let mut random = Random(seed);
        let (band, above, locks) = drawn(&mut random);
        let blocking = blocking(&band, locks);
        let all: Vec<Stream> = band.iter().map(|task| task.stream).chain(above.iter().copied()).collect();
        let shares = all.iter().map(|stream| (stream.cost, stream.period));
        if crate::utilisation::exceed_one(shares).unwrap() || busy_period(&all, blocking.most()).is_err() {
            continue;
        }
        let arrivals = edf::responses(&band, &above, &blocking);
        assert_eq!(
            arrivals,
            one_by_one::of_arrivals(&band, &above, &blocking),
            "seed {seed}: {band:?} {above:?}"
        );
        let releases = late::responses(&band, &above, &blocking);
        assert_eq!(
            releases,
            one_by_one::of_releases(&band, &above, &blocking),
            "seed {seed}: {band:?} {above:?}"
        );
        compared += 1;
        late_ones += u32::from(band.iter().any(|task| task.stream.jitter > ticks(0)));
        held_up += u32::from(blocking.changes().count() > 1);
    }
    assert!(compared > 400 && late_ones > 200 && held_up > 100, "{compared} {late_ones} {held_up}");
}
