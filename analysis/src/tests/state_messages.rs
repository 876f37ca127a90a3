//! State messages compared with writers simulated tick by tick; a failure names its seed.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::ticks;
use crate::state_message::{Writer, depth, most_writes};

const SEEDS: std::ops::Range<u64> = 0..400;
const LENGTH: usize = 600;

/// The instants at which writes start. Each job writes once, at some tick of its run.
///
/// A writer that meets its deadlines begins and writes within `jitter` of each release. One that catches up
/// is stalled now and then, as by an overload, and then makes up for what it missed as `WaitPeriod` does: the
/// releases that came while it was at work are counted, at most `catch_up` of them run at once, the others
/// are dropped.
fn writes(writer: &Writer, random: &mut Random) -> Vec<u64> {
    if writer.catch_up == 0 { in_time(writer, random) } else { catching_up(writer, random) }
}

fn in_time(writer: &Writer, random: &mut Random) -> Vec<u64> {
    let releases = (0..LENGTH as u64).step_by(writer.period.get() as usize);
    let mut last = 0;
    releases
        .map(|release| {
            // A job doesn't write before the one ahead of it.
            last = (release + random.within(0, writer.jitter.get())).max(last);
            last
        })
        .collect()
}

fn catching_up(writer: &Writer, random: &mut Random) -> Vec<u64> {
    let (mut writes, mut missed, mut at_work, mut left) = (Vec::new(), 0, false, 0);
    let mut stalled_until = 0;
    for now in 0..LENGTH as u64 {
        if now % writer.period.get() == 0 {
            match at_work {
                true => missed += 1,
                false => (at_work, left) = (true, random.within(0, writer.jitter.get())),
            }
        }
        if random.within(0, 30) == 0 {
            stalled_until = now + random.within(0, 5 * writer.period.get());
        }
        while at_work && now >= stalled_until {
            if left > 0 {
                left -= 1;
                break;
            }
            writes.push(now);
            at_work = missed > 0;
            missed = u64::min(missed, writer.catch_up).saturating_sub(1);
        }
    }
    writes
}

/// The most writes that start in any window, over all windows.
fn most_seen(writes: &[u64], window: u64) -> u64 {
    let counts = writes
        .iter()
        .map(|start| writes.iter().filter(|write| (*start..=start + window).contains(write)).count() as u64);
    counts.max().unwrap_or(0)
}

fn random_writer(random: &mut Random) -> (Writer, u64) {
    let period = random.within(1, 20);
    let catch_up = random.within(0, 3);
    // Without catching up, deadlines are at most periods.
    let jitter = random.within(0, if catch_up == 0 { period } else { 2 * period });
    let writer = Writer { period: ticks(period), jitter: ticks(jitter), catch_up };
    (writer, random.within(0, 60))
}

#[test]
fn no_window_has_more_writes_than_the_bound() {
    let mut reached = [0, 0];
    for seed in SEEDS {
        let mut random = Random(seed);
        let (writer, window) = random_writer(&mut random);
        let seen = most_seen(&writes(&writer, &mut random), window);
        let bound = most_writes(&writer, ticks(window)).unwrap();
        assert!(seen <= bound, "seed {seed}: {writer:?}, window {window}: {seen} writes, bound {bound}");
        reached[usize::from(writer.catch_up > 0)] += u32::from(seen == bound);
    }
    assert!(
        reached[0] > 30 && reached[1] > 3,
        "the bound is far from what happens: reached {reached:?} times"
    );
}

/// The paper's result (EMERALDS, section 7.4): one write at the writer's deadline, the others at its releases
/// from the next one on. It rounds down to whole periods an interval that begins with a release and so has
/// one more write.
fn papers_depth(period: u64, deadline: u64, window: u64) -> u64 {
    let most = 1 + window.saturating_sub(period - deadline) / period;
    u64::max(2, most + 1)
}

/// Negative control: if the window ends shortly after the second release, the paper's depth is one too small.
#[test]
fn the_papers_depth_is_exceeded() {
    let writer = Writer { period: ticks(10), jitter: ticks(2), catch_up: 0 };
    // All jobs write at their releases: two of them in a window of 11 that begins with one.
    assert_eq!(most_seen(&[0, 10, 20], 11), 2);
    assert_eq!(papers_depth(10, 2, 11), 2, "so the second write would go where the reader reads");
    assert_eq!((most_writes(&writer, ticks(11)), depth(&writer, ticks(11))), (Ok(2), Ok(4)));
    let exceeded = SEEDS.filter(|seed| {
        let mut random = Random(*seed);
        let period = random.within(1, 20);
        let deadline = random.within(0, period);
        let window = random.within(0, 60);
        let writer = Writer { period: ticks(period), jitter: ticks(deadline), catch_up: 0 };
        most_seen(&writes(&writer, &mut random), window) >= papers_depth(period, deadline, window)
    });
    assert!(exceeded.count() > 20);
}

/// Negative control: without the late job itself, catching up would be counted too low.
#[test]
fn a_late_writer_writes_once_more_than_it_catches_up() {
    let exceeded = SEEDS.filter(|seed| {
        let mut random = Random(*seed);
        let (writer, window) = random_writer(&mut random);
        let without = (window + writer.jitter.get()) / writer.period.get() + 1 + writer.catch_up;
        writer.catch_up > 0 && most_seen(&writes(&writer, &mut random), window) > without
    });
    assert!(exceeded.count() > 0);
}

#[test]
fn depths_are_powers_of_two_above_the_writes() {
    let depth_of = |period, jitter, catch_up, window| {
        depth(&Writer { period: ticks(period), jitter: ticks(jitter), catch_up }, ticks(window)).unwrap()
    };
    assert_eq!(depth_of(10, 0, 0, 0), 2, "the value that is read and the one that is written");
    assert_eq!(depth_of(10, 10, 0, 9), 4, "two writes");
    assert_eq!(depth_of(10, 10, 0, 10), 4, "three writes");
    assert_eq!(depth_of(10, 10, 0, 20), 8, "four writes");
    assert_eq!(depth_of(10, 10, 1, 9), 8, "four writes: one late, one made up for");
    let huge = Writer { period: ticks(1), jitter: ticks(0), catch_up: 0 };
    assert!(depth(&huge, ticks(u64::MAX - 2)).is_err());
}
