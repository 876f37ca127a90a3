//! A small system whose traces the tests draw, and the comparison with recorded files.
#![allow(dead_code)] // each test file uses its own part of this

pub mod browser;
pub mod workload;

use std::path::Path;

use beryl_abi::{DriverId, Fault, FaultKind, Instant, ThreadId};
use beryl_trace::{
    DriverKind, DriverName, Event, Form, Happening, Names, ThreadKind, ThreadName, Tick, ValueType,
};

pub const NAVIGATE: ThreadId = ThreadId(0);
pub const COMMAND: ThreadId = ThreadId(1);
pub const DRIVERS: ThreadId = ThreadId(2);
pub const IDLE: ThreadId = ThreadId(3);

/// An instant in microseconds, in ticks of 40 ns.
pub fn us(microseconds: u64) -> Instant {
    Instant::from_ticks(microseconds * 25)
}

pub fn tick() -> Tick {
    Tick::new(40, 1).expect("not zero")
}

pub fn names() -> Names {
    let thread = |name: &str, process: &str, kind| ThreadName {
        name: name.into(),
        process: process.into(),
        kind,
        declared: None,
        goes_on: false,
        stopped_after: None,
        shares: false,
        late: Default::default(),
    };
    let driver = |name: &str, kind| DriverName { name: name.into(), kind, value: ValueType::Float };
    Names {
        form: Form,
        system: "helicopter".into(),
        board: String::new(),
        tick: tick(),
        processes: vec!["navigation".into(), "control".into()],
        threads: vec![
            thread("navigate", "navigation", ThreadKind::Task),
            thread("command", "control", ThreadKind::Task),
            thread("drivers", "navigation", ThreadKind::Driver),
            thread("idle", "", ThreadKind::Idle),
        ],
        drivers: vec![
            driver("Control.servo", DriverKind::Actuator),
            driver("Navigation.gps", DriverKind::Sensor),
            driver("navigate.fix", DriverKind::Copy),
        ],
        programs: vec!["Navigation".into(), "Control".into()],
        objects: Default::default(),
        modes: Default::default(),
        ports: Default::default(),
        states: Vec::new(),
        assertions: vec![],
        depths: Vec::new(),
        units: Default::default(),
    }
}

pub fn event(microseconds: u64, happening: Happening) -> Event {
    Event { time: us(microseconds), happening }
}

pub fn switch(microseconds: u64, from: ThreadId, to: ThreadId) -> Event {
    event(microseconds, Happening::Switch { from, to })
}

pub fn complete(microseconds: u64, task: ThreadId) -> Event {
    event(microseconds, Happening::Complete { task })
}

pub fn release(instant: u64, time: u64, task: ThreadId, deadline: u64) -> Event {
    event(time, Happening::Release { task, instant: us(instant), deadline: us(deadline) })
}

pub fn driver(instant: u64, time: u64, number: u16, value: f32) -> Event {
    let value = value.to_le_bytes().to_vec();
    event(time, Happening::Driver { driver: DriverId(number), instant: us(instant), value })
}

/// The first 40 ms: navigation every 10 ms, control every 20 ms, preempted by it.
pub fn helicopter() -> Vec<Event> {
    let mut events = Vec::new();
    for period in [0, 20_000] {
        let value = if period == 0 { 0.0 } else { 0.125 };
        events.extend([
            driver(period, period + 20, 0, value),
            switch(period + 30, IDLE, DRIVERS),
            driver(period, period + 180, 1, 1.5),
            driver(period, period + 190, 2, 1.5),
            release(period, period + 200, NAVIGATE, period + 10_000),
            release(period, period + 200, COMMAND, period + 20_000),
            switch(period + 210, DRIVERS, NAVIGATE),
            complete(period + 3_400, NAVIGATE),
            switch(period + 3_410, NAVIGATE, COMMAND),
            switch(period + 10_020, COMMAND, DRIVERS),
            driver(period + 10_000, period + 10_180, 1, 1.75),
            driver(period + 10_000, period + 10_190, 2, 1.75),
            release(period + 10_000, period + 10_200, NAVIGATE, period + 20_000),
            switch(period + 10_210, DRIVERS, NAVIGATE),
            complete(period + 14_000, NAVIGATE),
            switch(period + 14_010, NAVIGATE, COMMAND),
            complete(period + 16_900, COMMAND),
            switch(period + 16_910, COMMAND, IDLE),
        ]);
    }
    events.push(switch(40_000, IDLE, DRIVERS));
    events
}

/// The same system when control needs too long, then writes where it may not.
pub fn troubled() -> Vec<Event> {
    let fault = Fault { kind: FaultKind::Data, address: 0x2000_0010, instruction: 0x0000_1234 };
    vec![
        release(0, 10, NAVIGATE, 10_000),
        release(0, 10, COMMAND, 20_000),
        switch(20, IDLE, NAVIGATE),
        complete(11_500, NAVIGATE),
        event(11_500, Happening::Miss { task: NAVIGATE, deadline: us(10_000) }),
        switch(11_510, NAVIGATE, COMMAND),
        release(12_000, 12_010, NAVIGATE, 20_000),
        event(14_000, Happening::Fault { thread: COMMAND, fault }),
        switch(14_010, COMMAND, NAVIGATE),
        event(20_000, Happening::Violation { task: NAVIGATE, instant: us(20_000) }),
        switch(20_010, NAVIGATE, IDLE),
        event(21_000, Happening::Stray { line: beryl_abi::Line(7) }),
        event(22_000, Happening::Skip { program: beryl_abi::ProgramId(1), instant: us(20_000) }),
        event(22_010, Happening::Skip { program: beryl_abi::ProgramId(1), instant: us(20_000) }),
    ]
}

/// The helicopter's run as a board tells it that loses notes: many at once, then single ones.
pub fn lossy() -> Vec<Event> {
    let lost =
        |microseconds, count| event(microseconds, Happening::Note(beryl_trace::DecodedNote::Lost { count }));
    let mut events = helicopter();
    events.retain(|event| !(us(4_000) < event.time && event.time < us(12_000)));
    events.extend([lost(12_000, 7), lost(25_000, 1), lost(33_000, 2), lost(36_000, 1), lost(38_000, 1)]);
    events.sort_by_key(|event| event.time);
    events
}

/// Compares with `tests/<file>`, or writes it if the environment asks for that.
pub fn assert_recorded(file: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if std::env::var_os("BERYL_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        std::fs::write(&path, found).expect("writable");
    }
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(recorded == found, "{} differs; found:\n{found}", path.display());
}
