//! Chains have no gaps, show the right thread at each time, and say what they don't know.

use beryl_abi::{DriverId, Line};
use proptest::prelude::*;

use super::*;
use crate::event::{Event, Happening};
use crate::{Declared, Form, Nanoseconds, ThreadName, Tick};
use beryl_abi::DecodedNote;

const FAST: ThreadId = ThreadId(0);
const SLOW: ThreadId = ThreadId(1);
const IDLE: ThreadId = ThreadId(2);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn names() -> Names {
    let thread = |name: &str, kind, declared| ThreadName {
        name: name.into(),
        process: "p".into(),
        kind,
        declared,
        goes_on: false,
        stopped_after: None,
        shares: false,
        late: Default::default(),
    };
    let declared = Some(Declared { best: Nanoseconds::new(1), worst: Nanoseconds::new(6) });
    Names {
        form: Form,
        system: "s".into(),
        board: String::new(),
        tick: Tick::new(1, 1).expect("not zero"),
        processes: vec!["p".into()],
        threads: vec![
            thread("fast", ThreadKind::Task, None),
            thread("slow", ThreadKind::Task, declared),
            thread("idle", ThreadKind::Idle, None),
        ],
        drivers: vec![],
        programs: vec![],
        objects: Default::default(),
        modes: Default::default(),
        ports: Default::default(),
        states: Vec::new(),
        assertions: vec![],
        depths: Vec::new(),
        units: Default::default(),
    }
}

fn event(ticks: u64, happening: Happening) -> Event {
    Event { time: at(ticks), happening }
}

fn release(ticks: u64, task: ThreadId, deadline: u64) -> Event {
    event(ticks, Happening::Release { task, instant: at(ticks), deadline: at(deadline) })
}

fn switch(ticks: u64, from: ThreadId, to: ThreadId) -> Event {
    event(ticks, Happening::Switch { from, to })
}

/// Slow is preempted by fast, waits for something, and is late.
fn late() -> Vec<Event> {
    vec![
        release(0, SLOW, 30),
        release(0, FAST, 10),
        switch(1, IDLE, FAST),
        event(5, Happening::Complete { task: FAST }),
        switch(6, FAST, SLOW),
        release(10, FAST, 20),
        switch(11, SLOW, FAST),
        event(15, Happening::Complete { task: FAST }),
        switch(16, FAST, SLOW),
        switch(20, SLOW, IDLE),
        switch(32, IDLE, SLOW),
        event(35, Happening::Complete { task: SLOW }),
        event(35, Happening::Miss { task: SLOW, deadline: at(30) }),
        switch(36, SLOW, IDLE),
    ]
}

#[test]
fn a_late_jobs_chain_names_each_step() {
    let history = History::of(&late());
    let names = names();
    let chain = Chain::of(&history, &names, 0).expect("a job");
    let lines = chain.lines(&history, &names);
    let expected = [
        "      0 ms         released, to be done by 0.00003 ms",
        "      0 ms   1 ns  the processor is idle: it waits for something else, which the trace doesn't tell",
        "0.000001 ms   5 ns  waits for fast: released at 0 ms, due earlier, at 0.00001 ms",
        "0.000006 ms   5 ns  gets the processor for the first time",
        "0.000011 ms   5 ns  preempted by fast: released at 0.00001 ms, due earlier, at 0.00002 ms",
        "0.000016 ms   4 ns  goes on",
        "0.00002 ms  12 ns  the processor is idle: it waits for something else, which the trace doesn't tell",
        "0.000032 ms   3 ns  goes on",
        "0.000035 ms         done, too late",
    ];
    assert_eq!(lines.iter().map(|line| line.trim()).collect::<Vec<_>>(), expected.map(str::trim));
    assert_eq!(chain.verdict(&names), "late: done after 35 ns, 5 ns after its deadline");
    assert_eq!(chain.lateness(), Some(Duration::from_ticks(5)));
    assert_eq!(
        chain.blame(&names),
        [
            "it took 12 ns itself, more than the 6 ns that are declared",
            "most of what it waited: 13 ns of idle",
        ]
    );
}

/// Fast wants a lock that slow holds, then a message; slow runs in its place, and an interrupt's thread
/// preempts.
#[test]
fn a_wait_for_a_lock_says_which_and_who_has_it() {
    const SERVER: ThreadId = ThreadId(3);
    let note = |ticks, told| event(ticks, Happening::Note(told));
    let lock = beryl_abi::SemaphoreId(0);
    let events = [
        switch(0, IDLE, SLOW),
        note(0, DecodedNote::Hold { thread: SLOW, lock }),
        release(2, FAST, 50),
        switch(3, SLOW, FAST),
        note(5, DecodedNote::Lend { thread: FAST, awaited: Awaited::Semaphore, object: 0, owner: SLOW }),
        switch(5, FAST, SLOW),
        note(8, DecodedNote::Wake { thread: SERVER }),
        switch(8, SLOW, SERVER),
        switch(10, SERVER, SLOW),
        note(14, DecodedNote::Free { thread: SLOW, lock }),
        note(14, DecodedNote::Hold { thread: FAST, lock }),
        switch(14, SLOW, FAST),
        note(16, DecodedNote::Block { thread: FAST, awaited: Awaited::Receive, object: 0 }),
        switch(16, FAST, IDLE),
        switch(20, IDLE, FAST),
        event(22, Happening::Complete { task: FAST }),
    ];
    let mut names = names();
    names.objects.semaphores = vec!["store".into()];
    let history = History::of(&events);
    let chain = Chain::of(&history, &names, 0).expect("a job");
    let lines = chain.lines(&history, &names);
    let told: Vec<_> = lines.iter().map(|line| line.split("ns  ").last().unwrap_or(line).trim()).collect();
    assert_eq!(
        told[1..],
        [
            "waits for slow: no job of it is open",
            "gets the processor for the first time",
            "waits for semaphore store, which slow has: it runs in its place",
            "waits for semaphore store, which slow has; thread 3 has the processor",
            "waits for semaphore store, which slow has: it runs in its place",
            "goes on",
            "waits for a message in mailbox 0",
            "goes on",
            "0.000022 ms        done",
        ]
    );
    assert_eq!(chain.blame(&names), ["most of what it waited: 9 ns of semaphore store"]);
}

#[test]
fn a_job_behind_its_tasks_earlier_one_says_so() {
    let events = [
        release(0, SLOW, 10),
        switch(0, IDLE, SLOW),
        release(10, SLOW, 20),
        event(14, Happening::Complete { task: SLOW }),
        event(18, Happening::Complete { task: SLOW }),
        switch(18, SLOW, IDLE),
    ];
    let history = History::of(&events);
    let chain = Chain::of(&history, &names(), 1).expect("a job");
    let told: Vec<_> = chain.steps.iter().map(|step| (step.to.ticks(), step.cause)).collect();
    assert_eq!(told, [(14, Cause::EarlierJob), (18, Cause::Own)]);
}

/// On a board the kernel takes time before it reports a release.
#[test]
fn what_the_kernel_takes_before_the_release_is_the_kernels() {
    let events = [
        switch(0, FAST, IDLE),
        event(12, Happening::Release { task: SLOW, instant: at(10), deadline: at(30) }),
        switch(14, IDLE, SLOW),
        event(20, Happening::Complete { task: SLOW }),
    ];
    let chain = Chain::of(&History::of(&events), &names(), 0).expect("a job");
    let told: Vec<_> = chain.steps.iter().map(|step| (step.to.ticks(), step.cause)).collect();
    assert_eq!(told, [(12, Cause::Kernel), (14, Cause::Idle), (20, Cause::Own)]);
}

#[test]
fn a_job_that_never_ends_has_a_chain_to_the_end_of_the_trace() {
    let events = [release(5, SLOW, 10), event(40, Happening::Stray { line: Line(1) })];
    let history = History::of(&events);
    let chain = Chain::of(&history, &names(), 0).expect("a job");
    assert_eq!(chain.steps, [Step { from: at(5), to: at(40), cause: Cause::Unknown }]);
    assert_eq!(chain.verdict(&names()), "its end isn't in the trace");
    assert_eq!(Chain::of(&history, &names(), 1), None);
}

fn any_event() -> impl Strategy<Value = (u64, Happening)> {
    let thread = || (0..4_u8).prop_map(ThreadId);
    let happening = prop_oneof![
        (thread(), 0..100_u64, 0..100_u64).prop_map(|(task, from, to)| Happening::Release {
            task,
            instant: at(from),
            deadline: at(to)
        }),
        (thread(), thread()).prop_map(|(from, to)| Happening::Switch { from, to }),
        thread().prop_map(|task| Happening::Complete { task }),
        (thread(), 0..100_u64).prop_map(|(task, deadline)| Happening::Miss { task, deadline: at(deadline) }),
        (0..100_u64).prop_map(|instant| Happening::Driver {
            driver: DriverId(0),
            instant: at(instant),
            value: vec![]
        }),
        (thread(), 0..100_u64)
            .prop_map(|(task, instant)| Happening::Violation { task, instant: at(instant) }),
        (thread(), 0..3_u8).prop_map(|(thread, object)| {
            Happening::Note(DecodedNote::Block { thread, awaited: Awaited::Send, object })
        }),
        (thread(), thread(), 0..3_u8).prop_map(|(thread, owner, object)| {
            Happening::Note(DecodedNote::Lend { thread, awaited: Awaited::Semaphore, object, owner })
        }),
        thread().prop_map(|thread| Happening::Note(DecodedNote::Wake { thread })),
    ];
    (0..100_u64, happening)
}

/// Every second job takes twice as long: sampling only every second or third job gives a wrong picture.
#[test]
fn usual_is_the_median_of_all_jobs_and_of_no_choice_among_them() {
    let mut events = Vec::new();
    for job in 0..3001_u64 {
        let (begin, length) = (job * 10, if job % 2 == 0 { 8 } else { 3 + job % 3 });
        events.extend([
            release(begin, SLOW, begin + 10),
            switch(begin, IDLE, SLOW),
            event(begin + length, Happening::Complete { task: SLOW }),
            switch(begin + length, SLOW, IDLE),
        ]);
    }
    // One more, so that the short ones are in the middle.
    events.drain(..4);
    events.drain(..4);
    events.drain(events.len() - 4..);
    let (history, names) = (History::of(&events), names());
    let usual = Usual::of(&history, &names, SLOW);
    let mut plain: Vec<u64> =
        history.jobs.iter().filter_map(|job| job.response()).map(Duration::ticks).collect();
    plain.sort_unstable();
    assert_eq!(usual.jobs, plain.len());
    assert_eq!(usual.response.map(Duration::ticks), Some(plain[(plain.len() - 1) / 2]));
    assert_eq!(usual.response.map(Duration::ticks), Some(5));
}

/// A task that falls further and further behind has jobs times trace many steps; the usual parts are still
/// found at once.
#[test]
fn what_is_usual_of_jobs_that_all_wait_is_found_at_once() {
    let mut events = vec![switch(0, IDLE, FAST)];
    events.extend((0..100_000).map(|job| release(job, SLOW, job + 1)));
    for turn in 0..100_000 {
        let now = 100_000 + turn * 2;
        events.extend([
            switch(now, FAST, SLOW),
            event(now + 1, Happening::Complete { task: SLOW }),
            switch(now + 1, SLOW, FAST),
        ]);
    }
    let (history, names) = (History::of(&events), names());
    let usual = Usual::of(&history, &names, SLOW);
    assert_eq!((usual.jobs, usual.response.map(Duration::ticks)), (100_000, Some(150_000)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// For any trace, the sums equal those from following every step of every job.
    #[test]
    fn sums_and_medians_are_those_of_all_steps(
        events in prop::collection::vec((0..400_u64, any_event()), 0..200),
        begun in 0..60_u64,
    ) {
        let mut events: Vec<Event> =
            events.into_iter().map(|(ticks, (_, happening))| event(ticks, happening)).collect();
        events.sort_by_key(|event| event.time);
        // At first many jobs wait, behind many runs.
        let crowd = (0..begun).map(|job| release(0, SLOW, job));
        let turns = (0..begun).flat_map(|turn| [switch(0, FAST, IDLE), switch(turn, IDLE, FAST)]);
        let events: Vec<Event> = crowd.chain(turns).chain(events).collect();
        let (history, names) = (History::of(&events), names());
        let tracks = usual::Tracks::of(&history, &names);
        let by_cause = |mut parts: Vec<Part>| {
            parts.sort_by_key(|part| format!("{:?}", part.cause));
            parts
        };
        for job in &history.jobs {
            let plain = usual::parts(&steps(&history, &names, job));
            prop_assert_eq!(by_cause(tracks.parts(job)), by_cause(plain));
        }
        for task in [FAST, SLOW] {
            let usual = Usual::of(&history, &names, task);
            let done: Vec<_> = history.jobs_of(task).filter(|job| job.response().is_some()).collect();
            let mut causes: Vec<Cause> = Vec::new();
            let all: Vec<Vec<Part>> =
                done.iter().map(|job| usual::parts(&steps(&history, &names, job))).collect();
            causes.extend(all.iter().flatten().map(|part| part.cause));
            for cause in causes {
                let of = |parts: &Vec<Part>| {
                    parts.iter().find(|part| part.cause == cause).map_or(Duration::ZERO, |part| part.length)
                };
                let mut lengths: Vec<Duration> = all.iter().map(of).collect();
                lengths.sort_unstable();
                prop_assert_eq!(usual.of_cause(cause), lengths[(lengths.len() - 1) / 2]);
            }
        }
    }

    /// For any trace in any order, each chain reaches from release to end without gaps.
    #[test]
    fn chains_of_any_trace_have_no_gaps(events in prop::collection::vec(any_event(), 0..60)) {
        let events: Vec<Event> = events.into_iter().map(|(ticks, happening)| event(ticks, happening)).collect();
        let (history, names) = (History::of(&events), names());
        for position in 0..history.jobs.len() {
            let chain = Chain::of(&history, &names, position).expect("a job");
            let mut reached = chain.job.release;
            for step in &chain.steps {
                prop_assert!(step.from < step.to);
                prop_assert_eq!(step.from, reached);
                reached = step.to;
            }
            if chain.job.release <= history.span.1 {
                prop_assert_eq!(reached, chain.job.end.unwrap_or(history.span.1).max(chain.job.release));
            }
            let told = (chain.lines(&history, &names), chain.sums(&names), chain.blame(&names));
            prop_assert!(!told.0.is_empty() && chain.to_json(&history, &names).is_object());
        }
    }
}
