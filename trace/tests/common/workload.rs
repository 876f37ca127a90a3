//! Long traces for tests of size: a dozen periodic tasks by priority, with jitter, sensors, misses; no run of Beryl.

use beryl_abi::{DriverId, Instant, ThreadId};
use beryl_trace::{
    Declared, DriverKind, DriverName, Event, Form, Happening, Names, Nanoseconds, ThreadKind, ThreadName,
    Tick, ValueType,
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
    };
    let idle = ThreadName {
        name: "idle".into(),
        process: String::new(),
        kind: ThreadKind::Idle,
        declared: None,
        goes_on: false,
        stopped_after: None,
    };
    let driver = |name: &str, kind| DriverName { name: name.into(), kind, value: ValueType::Int };
    Names {
        form: Form,
        system: "workload".into(),
        tick: Tick::new(40, 1).expect("not zero"),
        processes: ["fast", "middle", "slow"].map(str::to_owned).to_vec(),
        threads: (0..PERIODS.len()).map(task).chain([idle]).collect(),
        drivers: vec![driver("position", DriverKind::Sensor), driver("rotor", DriverKind::Actuator)],
        programs: vec![],
        objects: Default::default(),
        assertions: vec![],
    }
}

/// The longest that a job takes, in microseconds: together a little less than all of the processor.
fn worst(task: usize) -> u64 {
    PERIODS[task] * 8 / 100
}

/// At least so many events of a run, the same for the same seed.
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
