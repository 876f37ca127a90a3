//! What statistics count, against plain models of what happened: jobs, misses, lost releases, holds; and no
//! share is beyond the whole.

mod common;

use beryl_abi::{Awaited, Duration, Instant, SemaphoreId, ThreadId};
use beryl_trace::releases::Late;
use beryl_trace::waits::Waits;
use beryl_trace::{DecodedNote, Event, Happening, Names, Statistics};
use common::names;
use proptest::prelude::*;

const TASK: ThreadId = ThreadId(0);
const IDLE: ThreadId = ThreadId(3);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn event(ticks: u64, happening: Happening) -> Event {
    Event { time: at(ticks), happening }
}

fn names_with(late: Late, goes_on: bool) -> Names {
    let mut names = names();
    let task = &mut names.threads[TASK.index()];
    (task.late, task.goes_on) = (late, goes_on);
    names
}

/// What becomes of a task's releases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    released: usize,
    completed: usize,
    missed: usize,
    lost: usize,
}

fn counted(events: &[Event], names: &Names) -> Counts {
    let statistics = Statistics::of(events, names);
    let task = &statistics.tasks[TASK.index()];
    assert_eq!(statistics.tally().lost_releases, task.lost_releases);
    Counts {
        released: task.releases,
        completed: task.completions,
        missed: task.misses,
        lost: task.lost_releases,
    }
}

/// A periodic thread that has the processor to itself, as the kernel tells of it, and what became of its releases.
struct Periodic {
    period: u64,
    deadline: u64,
    catch_up: u8,
}

impl Periodic {
    /// One job after the other, each as long as said; none ends at a release.
    fn run(&self, lengths: &[u64]) -> (Vec<Event>, Counts) {
        let (mut events, mut counts) = (Vec::new(), Counts::default());
        let (mut now, mut next, mut waiting) = (0, 0, Vec::new());
        for length in lengths {
            // The release of this job: one that it makes up for, or the next that comes.
            let release = match waiting.is_empty() {
                false => waiting.remove(0),
                true => {
                    now = next;
                    next += self.period;
                    now
                }
            };
            let deadline = at(release + self.deadline);
            let happening = Happening::Release { task: TASK, instant: at(release), deadline };
            events.push(event(now, happening));
            counts.released += 1;
            let mut done = now + length;
            done += u64::from(done.is_multiple_of(self.period));
            let is_told = !waiting.is_empty();
            let mut comes = 0;
            while next < done {
                events.push(event(next, Happening::Miss { task: TASK, deadline }));
                waiting.push(next);
                comes += 1;
                next += self.period;
            }
            events.push(event(done, Happening::Complete { task: TASK }));
            if !is_told && comes == 0 && at(done) > deadline {
                events.push(event(done, Happening::Miss { task: TASK, deadline }));
            }
            while waiting.len() > usize::from(self.catch_up) {
                waiting.remove(0);
                counts.lost += 1;
            }
            counts.completed += 1;
            counts.missed += usize::from(at(done) > deadline);
            now = done;
        }
        (events, counts)
    }
}

/// A task that goes on when its program meets it at work, at the ends of its logical execution times. It is
/// stopped after `most`.
fn goes_on(period: u64, lengths: &[u64], most: Option<u64>) -> (Vec<Event>, Counts) {
    let (mut events, mut counts) = (Vec::new(), Counts::default());
    let (mut release, mut is_due) = (0, false);
    for length in lengths {
        let deadline = at(release + period);
        events.push(event(release, Happening::Release { task: TASK, instant: at(release), deadline }));
        counts.released += 1;
        let done = release + length;
        let (mut instant, mut left_out) = (release + period, 0);
        let is_stopped = loop {
            if done <= instant {
                break false;
            }
            // Its output and its next release both find it at work.
            let violation = event(instant, Happening::Violation { task: TASK, instant: at(instant) });
            events.extend([violation.clone(), violation]);
            if most == Some(left_out) {
                break true;
            }
            (left_out, instant) = (left_out + 1, instant + period);
        };
        counts.lost += usize::try_from(left_out).expect("few");
        if !is_stopped {
            let place = events.iter().position(|event| event.time > at(done)).unwrap_or(events.len());
            events.insert(place, event(done, Happening::Complete { task: TASK }));
            if at(done) > deadline {
                events.insert(place + 1, event(done, Happening::Miss { task: TASK, deadline }));
            }
            counts.completed += 1;
            counts.missed += usize::from(at(done) > deadline);
        }
        release = instant;
        is_due = is_stopped;
    }
    if is_due {
        let happening =
            Happening::Release { task: TASK, instant: at(release), deadline: at(release + period) };
        events.push(event(release, happening));
        counts.released += 1;
    }
    (events, counts)
}

/// A lock's life as the kernel tells of it, and who really held it when.
fn life_of_a_lock(is_by_word: bool, steps: &[(u8, u64)]) -> (Vec<Event>, Vec<(ThreadId, u64, u64)>) {
    let lock = SemaphoreId(1);
    let (mut told, mut held) = (Vec::new(), Vec::new());
    let (mut holder, mut waiting): (Option<(ThreadId, u64)>, Vec<ThreadId>) = (None, Vec::new());
    let mut now = 1;
    for (step, pause) in steps {
        now += pause;
        let thread = ThreadId(step % 3);
        let mut tell = |what| told.push(event(now, Happening::Note(what)));
        match holder {
            None => {
                holder = Some((thread, now));
                if !is_by_word {
                    tell(DecodedNote::Hold { thread, lock });
                }
            }
            Some((owner, from)) if owner == thread => {
                if !is_by_word || !waiting.is_empty() {
                    tell(DecodedNote::Free { thread, lock });
                }
                held.push((owner, from, now));
                holder = None;
                if !waiting.is_empty() {
                    let next = waiting.remove(0);
                    tell(DecodedNote::Hold { thread: next, lock });
                    holder = Some((next, now));
                }
            }
            Some(_) if waiting.contains(&thread) => {
                waiting.retain(|waits| *waits != thread);
                tell(DecodedNote::Wake { thread });
            }
            Some((owner, _)) => {
                waiting.push(thread);
                tell(DecodedNote::Lend { thread, awaited: Awaited::Semaphore, object: lock.0, owner });
            }
        }
    }
    now += 1;
    told.push(event(now, Happening::Note(DecodedNote::Leave { thread: IDLE })));
    held.extend(holder.map(|(owner, from)| (owner, from, now)));
    (told, held)
}

/// Anything that a trace may say of three threads and two locks, in any order.
fn anything() -> impl Strategy<Value = Happening> {
    let thread = || (0..3_u8).prop_map(ThreadId);
    let lock = || (0..2_u8).prop_map(SemaphoreId);
    let awaited = prop_oneof![Just(Awaited::Semaphore), Just(Awaited::Reply), Just(Awaited::Time)];
    prop_oneof![
        (thread(), thread()).prop_map(|(from, to)| Happening::Switch { from, to }),
        (thread(), 0..500_u64, 0..500_u64).prop_map(|(task, instant, deadline)| Happening::Release {
            task,
            instant: at(instant),
            deadline: at(deadline)
        }),
        thread().prop_map(|task| Happening::Complete { task }),
        (thread(), 0..500_u64)
            .prop_map(|(task, instant)| Happening::Violation { task, instant: at(instant) }),
        (thread(), 0..500_u64).prop_map(|(task, deadline)| Happening::Miss { task, deadline: at(deadline) }),
        (thread(), lock()).prop_map(|(thread, lock)| Happening::Note(DecodedNote::Hold { thread, lock })),
        (thread(), lock()).prop_map(|(thread, lock)| Happening::Note(DecodedNote::Free { thread, lock })),
        (thread(), awaited, lock(), thread()).prop_map(|(thread, awaited, lock, owner)| {
            Happening::Note(DecodedNote::Lend { thread, awaited, object: lock.0, owner })
        }),
        thread().prop_map(|thread| Happening::Note(DecodedNote::Wake { thread })),
        (thread(), 0..4_u32).prop_map(|(thread, why)| Happening::Note(DecodedNote::Enter { thread, why })),
        thread().prop_map(|thread| Happening::Note(DecodedNote::Leave { thread })),
        Just(Happening::Note(DecodedNote::Lost { count: 1 })),
    ]
}

fn assert_no_share_is_beyond_the_whole(events: &[Event]) {
    let statistics = Statistics::of(events, &names());
    // Sums of quotients may be off by their last bits.
    let is_part = |share: f64| (0.0..=1.0 + 1e-9).contains(&share);
    let shares = |of: Vec<f64>| of.iter().all(|share| is_part(*share)) && is_part(of.iter().sum());
    assert!(shares(statistics.threads.iter().map(|row| row.share).collect()), "{:?}", statistics.threads);
    assert!(shares(statistics.kernel.iter().map(|row| row.share).collect()), "{:?}", statistics.kernel);
    assert!(statistics.locks.iter().all(|row| is_part(row.share)), "{:?}", statistics.locks);
    assert!(statistics.tasks.iter().all(|row| is_part(row.share)) && is_part(statistics.idle_share));
    for task in &statistics.tasks {
        let took = task.execution.as_ref().map(|execution| execution.observed.most);
        assert!(took.is_none_or(|took| took <= statistics.length), "{task:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn each_release_of_a_periodic_thread_is_a_job_or_lost(
        period in 3..20_u64,
        deadline in 1..60_u64,
        catch_up in 0..4_u8,
        lengths in prop::collection::vec(1..90_u64, 1..40),
    ) {
        // A deadline beyond the period needs something that is made up for.
        let deadline = if catch_up == 0 { deadline.min(period) } else { deadline };
        let (events, expected) = Periodic { period, deadline, catch_up }.run(&lengths);
        let found = counted(&events, &names_with(Late { catch_up, is_release: false }, false));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn each_release_of_a_task_that_goes_on_is_a_job_or_lost(
        period in 3..20_u64,
        most in prop::option::of(0..4_u64),
        lengths in prop::collection::vec(1..90_u64, 1..40),
    ) {
        let (events, expected) = goes_on(period, &lengths, most);
        let found = counted(&events, &names_with(Late { catch_up: 0, is_release: true }, true));
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn holds_that_are_told_of_are_holds(
        is_by_word: bool,
        steps in prop::collection::vec((0..3_u8, 1..9_u64), 1..60),
    ) {
        let (events, really) = life_of_a_lock(is_by_word, &steps);
        let waits = Waits::of(&events);
        let told: Vec<_> =
            waits.holds.iter().map(|held| (held.thread, held.from.ticks(), held.to.ticks())).collect();
        if !is_by_word {
            prop_assert_eq!(&told, &really);
        }
        for (thread, from, to) in told {
            let is_within = |held: &&(ThreadId, u64, u64)| held.0 == thread && held.1 <= from && to <= held.2;
            prop_assert!(really.iter().any(|held| is_within(&held)), "{:?} in {:?}", (thread, from, to), really);
        }
        assert_no_share_is_beyond_the_whole(&events);
    }

    #[test]
    fn no_share_is_beyond_the_whole(
        told in prop::collection::vec((anything(), 0..9_u64), 1..120),
        backwards: bool,
    ) {
        let mut now = 0;
        let events: Vec<Event> = told
            .into_iter()
            .map(|(happening, pause)| {
                // A damaged trace may do that.
                now = if backwards && pause == 8 { now / 2 } else { now + pause };
                event(now, happening)
            })
            .collect();
        assert_no_share_is_beyond_the_whole(&events);
    }
}

/// Seventy-two releases find a job at work that takes seventy-two and a half periods: one job has missed its
/// deadline, and seventy-two never came.
#[test]
fn lost_releases_are_not_told_as_one_miss() {
    let (events, counts) = Periodic { period: 1000, deadline: 1000, catch_up: 0 }.run(&[72_500]);
    assert_eq!(counts, Counts { released: 1, completed: 1, missed: 1, lost: 72 });
    let statistics = Statistics::of(&events, &names());
    assert_eq!(statistics.tally().to_string(), "1 deadline miss, 72 lost releases");
    let row: Vec<_> = statistics.to_string().lines().nth(1).map(str::to_owned).into_iter().collect();
    assert!(row[0].split_whitespace().take(5).eq(["navigate", "1", "1", "1", "72"]), "{row:?}");
    let json = serde_json::to_value(&statistics).expect("statistics");
    assert_eq!(json["tasks"][0]["lost_releases"], 72);
}

/// What a job uses behind the instant at which its program met it belongs to it.
#[test]
fn a_job_that_goes_on_is_told_to_its_end() {
    let switch = |ticks, from, to| event(ticks, Happening::Switch { from, to });
    let events = [
        event(0, Happening::Release { task: TASK, instant: at(0), deadline: at(10) }),
        switch(0, IDLE, TASK),
        switch(7, TASK, IDLE),
        event(10, Happening::Violation { task: TASK, instant: at(10) }),
        switch(11, IDLE, TASK),
        event(16, Happening::Complete { task: TASK }),
        event(16, Happening::Miss { task: TASK, deadline: at(10) }),
        switch(16, TASK, IDLE),
        event(20, Happening::Release { task: TASK, instant: at(20), deadline: at(30) }),
    ];
    let history = beryl_trace::jobs::History::of(&events);
    assert_eq!(history.jobs[0].end, Some(at(16)));
    assert_eq!(history.jobs[0].executed, Duration::from_ticks(7 + 5));
}
