//! Long traces for tests of size: a dozen periodic tasks by priority, with jitter, sensors, misses; no run of Beryl.

use beryl_abi::{DriverId, Instant, ProgramId, ThreadId};
use beryl_trace::modes::{ModeName, ModuleModes};
use beryl_trace::ports::{PortName, Writer};
use beryl_trace::{
    Declared, DecodedNote, DriverKind, DriverName, Event, Form, Happening, Names, Nanoseconds, ThreadKind,
    ThreadName, Tick, ValueType,
};

/// Periods in microseconds; the shortest first, which is the most urgent.
const PERIODS: [u64; 12] =
    [1000, 1000, 2000, 2000, 4000, 5000, 8000, 10_000, 10_000, 20_000, 50_000, 100_000];
const IDLE: ThreadId = ThreadId(12);

/// The names of the workload's tasks, in three processes.
pub fn names() -> Names {
    let task = |task: usize| ThreadName {
        name: format!("task {task}"),
        process: ["fast", "middle", "slow"][task / 4].to_owned(),
        kind: ThreadKind::Task,
        declared: Some(Declared {
            best: Nanoseconds::new(1000),
            worst: Nanoseconds::new(worst(task) * 1000),
        }),
        goes_on: false,
        stopped_after: None,
        shares: false,
        late: Default::default(),
    };
    let idle = ThreadName {
        name: "idle".into(),
        process: String::new(),
        kind: ThreadKind::Idle,
        declared: None,
        goes_on: false,
        stopped_after: None,
        shares: false,
        late: Default::default(),
    };
    let driver = |name: &str, kind| DriverName { name: name.into(), kind, value: ValueType::Int };
    let mode = |name: &str, from| ModeName { name: name.into(), from, asks: vec![from] };
    let port = |name: &str, offset| PortName {
        name: name.into(),
        value: ValueType::Int,
        writers: vec![Writer { driver: 2, offset }],
    };
    Names {
        form: Form,
        system: "workload".into(),
        board: String::new(),
        tick: Tick::new(40, 1).expect("not zero"),
        processes: ["fast", "middle", "slow"].map(str::to_owned).to_vec(),
        threads: (0..PERIODS.len()).map(task).chain([idle]).collect(),
        drivers: vec![
            driver("position", DriverKind::Sensor),
            driver("rotor", DriverKind::Actuator),
            driver("publish task 0", DriverKind::Copy),
        ],
        programs: vec!["Flight".into()],
        objects: Default::default(),
        modes: vec![ModuleModes {
            program: 0,
            tasks: (0..12).collect(),
            start: 0,
            modes: vec![mode("low", 1), mode("high", 20)],
        }],
        ports: vec![port("task 0.speed", 0), port("task 0.height", 4)],
        states: Vec::new(),
        assertions: vec![],
        depths: Vec::new(),
        units: Default::default(),
    }
}

/// The longest that a job takes, in microseconds: together a little less than all of the processor.
fn worst(task: usize) -> u64 {
    PERIODS[task] * 8 / 100
}

/// At least so many events of a run, the same for the same seed. The sequence is Knuth's linear congruence and not one
/// of `testing/`, since the sizes and steps of pages that were measured follow from it.
pub fn events(count: usize, seed: u64) -> Vec<Event> {
    let mut random = seed | 1;
    let mut events = Vec::new();
    let mut left: [Vec<(u64, u64)>; 12] = Default::default();
    let (mut now, mut runner) = (0, IDLE);
    let at = |microseconds: u64| Instant::from_ticks(microseconds * 25);
    while events.len() < count {
        for task in 0..PERIODS.len() {
            if now % PERIODS[task] == 0 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let thread = ThreadId(u8::try_from(task).expect("a dozen"));
                let deadline = now + PERIODS[task];
                left[task].push((deadline, worst(task) / 2 + (random >> 33) % worst(task)));
                let release = Happening::Release { task: thread, instant: at(now), deadline: at(deadline) };
                events.push(Event { time: at(now), happening: release });
            }
        }
        if now % 10_000 == 0 {
            for (driver, value) in [(0, random >> 40), (1, now / 10_000 % 7)] {
                let value = u32::try_from(value).expect("24 bits").to_le_bytes().to_vec();
                let happening = Happening::Driver { driver: DriverId(driver), instant: at(now), value };
                events.push(Event { time: at(now), happening });
            }
        }
        let address = if random >> 60 < 4 { 20 } else { 1 };
        let note = DecodedNote::React { program: ProgramId(0), address, instant: at(now) };
        events.push(Event { time: at(now), happening: Happening::Note(note) });
        let value =
            [now / 1000 % 11, random >> 45].map(|word| u32::try_from(word).expect("19 bits").to_le_bytes());
        let publish = Happening::Driver { driver: DriverId(2), instant: at(now), value: value.concat() };
        events.push(Event { time: at(now), happening: publish });
        let next = (now / 1000 + 1) * 1000;
        while now < next {
            let chosen = left.iter().position(|jobs| !jobs.is_empty());
            let thread = chosen.map_or(IDLE, |task| ThreadId(u8::try_from(task).expect("a dozen")));
            if thread != runner {
                events
                    .push(Event { time: at(now), happening: Happening::Switch { from: runner, to: thread } });
                runner = thread;
            }
            let Some(task) = chosen else { break };
            let (deadline, rest) = &mut left[task][0];
            let granted = (*rest).min(next - now);
            (now, *rest) = (now + granted, *rest - granted);
            let (deadline, rest) = (*deadline, *rest);
            if rest == 0 {
                left[task].remove(0);
                events.push(Event { time: at(now), happening: Happening::Complete { task: thread } });
                if now > deadline {
                    events.push(Event {
                        time: at(now),
                        happening: Happening::Miss { task: thread, deadline: at(deadline) },
                    });
                }
            }
        }
        now = next;
    }
    events
}

/// A job that waits for a lock, then for a message; in between a thread comes that serves an interrupt.
pub fn waiting() -> Vec<Event> {
    use beryl_abi::{Awaited, Line, SemaphoreId};
    let [quick, slow, server, idle] = [0, 1, 2, 12].map(ThreadId);
    let (at, lock) = (Instant::from_ticks, SemaphoreId(0));
    let switch = |from, to| Happening::Switch { from, to };
    let note = Happening::Note;
    let mut events = Vec::new();
    for begin in [0, 10_000, 20_000] {
        let happened = [
            (0, note(DecodedNote::Block { thread: server, awaited: Awaited::Notification, object: 255 })),
            (0, switch(idle, slow)),
            (10, note(DecodedNote::Hold { thread: slow, lock })),
            (20, Happening::Release { task: quick, instant: at(begin + 20), deadline: at(begin + 5000) }),
            (30, switch(slow, quick)),
            (
                50,
                note(DecodedNote::Lend {
                    thread: quick,
                    awaited: Awaited::Semaphore,
                    object: 0,
                    owner: slow,
                }),
            ),
            (50, switch(quick, slow)),
            (80, note(DecodedNote::Interrupt { thread: server, line: Line(10) })),
            (80, note(DecodedNote::Wake { thread: server })),
            (80, switch(slow, server)),
            (100, note(DecodedNote::Acknowledge { thread: server, line: Line(10) })),
            (100, note(DecodedNote::Block { thread: server, awaited: Awaited::Notification, object: 255 })),
            (100, switch(server, slow)),
            (140, note(DecodedNote::Free { thread: slow, lock })),
            (140, note(DecodedNote::Hold { thread: quick, lock })),
            (140, switch(slow, quick)),
            (150, note(DecodedNote::Free { thread: quick, lock })),
            (155, note(DecodedNote::Wake { thread: server })),
            (155, switch(quick, server)),
            (157, switch(server, quick)),
            (160, note(DecodedNote::Block { thread: quick, awaited: Awaited::Receive, object: 3 })),
            (160, switch(quick, idle)),
            (200, note(DecodedNote::Wake { thread: quick })),
            (200, switch(idle, quick)),
            (220 + begin / 1000, Happening::Complete { task: quick }),
            (230 + begin / 1000, switch(quick, idle)),
        ];
        events.extend(happened.map(|(ticks, happening)| Event { time: at(begin + ticks), happening }));
    }
    events
}

/// The names of the threads that wait there: no others are shown.
pub fn waiting_names() -> Names {
    let mut names = names();
    names.threads.iter_mut().skip(3).for_each(|thread| thread.kind = ThreadKind::Idle);
    names.threads[2].process = "slow".to_owned();
    names
}
