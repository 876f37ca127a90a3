//! Links: from when on the outputs of a job count is written at its release, and of what has arrived the newest value that
//! counts is taken.

use beryl_abi::{Duration, ProcessId, link};
use beryl_kernel::{Driver, DriverKind, System};
use beryl_testing::{Draw, XorShiftStar as Random};

use crate::assert_story;
use crate::host::Do::{At, Done};
use crate::host::code::{RETURN, call, future};
use crate::host::draft::{Draft, Linked, Queue};
use crate::host::{Do, records};

const LINK: u32 = 0x100;
const TO: u32 = 0x200;

fn arrival(length: u32) -> Driver {
    Driver { kind: DriverKind::Arrival, process: ProcessId(1), from: LINK, to: TO, length, ..Driver::NONE }
}

/// A program that carries out a driver every 10 ticks.
fn every_10(driver: Driver) -> System<Linked> {
    let mut draft = Draft::<Linked>::new(&[Queue::Dynamic(2)]);
    draft.driver_thread(1);
    let driver = draft.driver(driver);
    draft.program(&[10], &[call(driver), future(0, 0), RETURN]);
    draft.finish().0
}

/// An entry: its number, from when on it counts, and its value.
fn entry(number: u32, instant: u32, value: u32) -> [Do; 3] {
    [
        Do::Write(LINK + link::stamp(number, 4), instant),
        Do::Write(LINK + link::value(number, 4), value),
        Do::Write(LINK, number),
    ]
}

#[test]
fn the_newest_value_that_counts_is_taken() {
    let mut script = Vec::new();
    script.extend([Done(false)]);
    // written before the instant from which it counts
    script.extend(entry(1, 20, 7));
    script.extend([At(10), At(20)]);
    // the oldest entry is the one that is written
    script.extend(entry(2, 30, 8));
    script.extend([At(30)]);
    // carried out so late that two values are there that count later
    script.extend([entry(0, 50, 9), entry(1, 60, 10)].into_iter().flatten());
    script.extend([At(40), At(50)]);
    assert_story(
        &records(&every_10(arrival(4)), &script),
        &[
            "0 driver 0 at 0 = 0",
            "0 switch 1 to 1",
            "10 driver 0 at 10 = 0",
            "20 driver 0 at 20 = 7",
            "30 driver 0 at 30 = 8",
            "40 driver 0 at 40 = 8",
            "50 driver 0 at 50 = 9",
        ],
    );
}

#[test]
fn where_nothing_counts_the_old_value_stays_and_that_is_told() {
    let mut script = vec![Done(false)];
    script.extend(entry(1, 5, 7));
    script.push(At(10));
    script.extend([entry(2, 1000, 8), entry(0, 2000, 9), entry(1, 3000, 10)].into_iter().flatten());
    script.push(At(20));
    assert_story(
        &records(&every_10(arrival(4)), &script),
        &["0 driver 0 at 0 = 0", "0 switch 1 to 1", "10 driver 0 at 10 = 7", "20 skip of 0 at 20"],
    );
}

#[test]
fn when_outputs_count_is_written_with_both_words() {
    let by = Duration::from_ticks((3 << 32) + 4);
    let kind = DriverKind::Ahead { by };
    let ahead = Driver { kind, process: ProcessId(1), from: TO, to: TO, length: 8, ..Driver::NONE };
    let high = Driver { kind: DriverKind::Copy, from: TO + 4, to: TO + 8, length: 4, ..ahead };
    let mut draft = Draft::<Linked>::new(&[Queue::Dynamic(2)]);
    draft.driver_thread(1);
    let drivers = [draft.driver(ahead), draft.driver(high)];
    draft.program(&[10], &[call(drivers[0]), call(drivers[1]), future(0, 0), RETURN]);
    assert_story(
        &records(&draft.finish().0, &[Done(false), At(10)]),
        &[
            "0 driver 0 at 0 = 4",
            "0 driver 1 at 0 = 3",
            "0 switch 1 to 1",
            "10 driver 0 at 10 = 14",
            "10 driver 1 at 10 = 3",
        ],
    );
}

/// What a reader of a link should see at an instant, in the plainest words.
fn plain(values: &[(u32, u32)], now: u32) -> u32 {
    values.iter().rev().find(|(instant, _)| *instant <= now).map_or(0, |(_, value)| *value)
}

#[test]
fn readers_see_what_the_last_logical_execution_time_that_ended_gave() {
    for seed in 1..200 {
        let mut random = Random::new(seed);
        let (mut script, mut values, mut expected) = (vec![Done(false)], Vec::new(), Vec::new());
        let mut number = 0;
        for round in 1..20_u32 {
            let now = round * 10;
            // Jobs are done whose values count at this instant or later. Of the later ones there are two at most, the
            // second of which began behind this instant: the reader is late.
            let later = |values: &[(u32, u32)]| values.iter().filter(|(instant, _)| *instant > now).count();
            while later(&values) < 2 && random.chance(60) {
                number = link::after(number);
                let first = values.last().map_or(now, |(last, _)| now.max(last + 10));
                let instant = if random.chance(50) { first } else { first + 10 };
                let value = round * 100 + instant;
                script.extend(entry(number, instant, value));
                values.push((instant, value));
            }
            script.push(At(now.into()));
            expected.push(format!("{now} driver 0 at {now} = {}", plain(&values, now)));
        }
        let told = records(&every_10(arrival(4)), &script);
        let told: Vec<_> = told.into_iter().skip(2).collect();
        assert_eq!(told, expected, "seed {seed}");
    }
}
