//! Calls of CMSIS-RTOS2 beside Beryl's own calls in C.

use anyhow::Result;

use super::{Page, markdown};
use crate::cmsis::{NAMES, WAYS};
use crate::cmsis_waits;
use crate::recorded::Recorded;

/// What is done: the bench, what it does, and the bench of the same in Rust.
type Line = (&'static str, &'static str, &'static str);

/// What each pair of calls does, in the order of [`NAMES`], and the same in Rust.
const PAIRS: [(&str, &str); 9] = [
    ("keeping others out, and letting them in: `osKernelLock`, `osKernelUnlock`", "ceiling-lock/pair"),
    ("a mutex that is free, and back: `osMutexAcquire`, `osMutexRelease`", "semaphore/pair"),
    ("a unit that is given and taken: `osSemaphoreRelease`, `osSemaphoreAcquire`", ""),
    ("a flag that is set and taken: `osEventFlagsSet`, `osEventFlagsWait`", "event-group/pair"),
    ("the same of a thread's own: `osThreadFlagsSet`, `osThreadFlagsWait`", ""),
    ("a message of two words, sent and received: `osMessageQueuePut`, `osMessageQueueGet`", "mailbox/pair-8"),
    ("a block, had and given back: `osMemoryPoolAlloc`, `osMemoryPoolFree`", ""),
    ("a more urgent thread is made, does nothing, and ends: `osThreadNew`", ""),
    ("what time it is: `osKernelGetTickCount`", ""),
];

/// What wakes whoever waits, in the order of [`cmsis_waits::NAMES`], and the same in Rust.
const WAITS: [(&str, &str); 5] = [
    ("a mutex that is given back, to who waits for it: `osMutexRelease`", ""),
    ("a unit for who waits: `osSemaphoreRelease`", "semaphore/wake"),
    ("a flag that is waited for: `osEventFlagsSet`", "event-group/wake"),
    ("a flag of the thread that waits: `osThreadFlagsSet`; beside it a notification", ""),
    ("a message of two words for who waits: `osMessageQueuePut`", "mailbox/wake-8"),
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let lines = |names: &[&'static str], done: &[(&'static str, &'static str)]| -> Vec<Line> {
        names.iter().zip(done).map(|(bench, (what, in_rust))| (*bench, *what, *in_rust)).collect()
    };
    let pairs = lines(NAMES, &PAIRS);
    let waits = lines(cmsis_waits::NAMES, &WAITS);
    let tables = vec![
        ("cmsis", table(recorded, &pairs, Some("caller to caller"), |way| way.to_owned())),
        (
            "cmsis-waits",
            table(recorded, &waits, Some("signaller to the thread that waited"), |way| {
                cmsis_waits::case(way, false)
            }),
        ),
        ("cmsis-back", table(recorded, &waits[1..], None, |way| cmsis_waits::case(way, true))),
    ];
    Ok(Page { file: "cmsis.md", tables, plots: Vec::new() })
}

/// A row for each line, with what it takes in Rust, if that has such a case, and in each way.
fn table(
    recorded: &Recorded,
    lines: &[Line],
    in_rust: Option<&str>,
    case: impl Fn(&str) -> String,
) -> String {
    let median = |bench: &str, case: &str| {
        recorded.row(bench, case).map_or("-".to_owned(), |row| row.figures.median.to_string())
    };
    let row = |(bench, done, rust): &Line| {
        let ways = WAYS.iter().map(|(way, _)| median(bench, &case(way)));
        let rust = in_rust.map(|case| median(rust, case));
        [(*done).to_owned()].into_iter().chain(rust).chain(ways).collect::<Vec<_>>()
    };
    let rows: Vec<_> = lines.iter().map(row).collect();
    let header =
        ["what"].into_iter().chain(in_rust.map(|_| "in Rust")).chain(WAYS.iter().map(|(way, _)| *way));
    markdown(&header.map(str::to_owned).collect::<Vec<_>>(), &rows)
}
