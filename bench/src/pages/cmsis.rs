//! Calls of CMSIS-RTOS2 beside Beryl's own calls in C.

use anyhow::Result;

use super::{Page, markdown};
use crate::cmsis::{NAMES, WAYS};
use crate::recorded::Recorded;

/// What each pair of calls does, in the order of [`NAMES`].
const DONE: [&str; 9] = [
    "keeping others out, and letting them in: `osKernelLock`, `osKernelUnlock`",
    "a mutex that is free, and back: `osMutexAcquire`, `osMutexRelease`",
    "a unit that is given and taken: `osSemaphoreRelease`, `osSemaphoreAcquire`",
    "a flag that is set and taken: `osEventFlagsSet`, `osEventFlagsWait`",
    "the same of a thread's own: `osThreadFlagsSet`, `osThreadFlagsWait`",
    "a message of two words, sent and received: `osMessageQueuePut`, `osMessageQueueGet`",
    "a block, had and given back: `osMemoryPoolAlloc`, `osMemoryPoolFree`",
    "a more urgent thread is made, does nothing, and ends: `osThreadNew`",
    "what time it is: `osKernelGetTickCount`",
];

/// The same in Rust, where another bench measures it.
const IN_RUST: [&str; 9] =
    ["ceiling-lock/pair", "semaphore/pair", "", "event-group/pair", "", "mailbox/pair-8", "", "", ""];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let row = |((bench, done), in_rust): ((&&str, &str), &str)| {
        let most = |bench: &str, case: &str| {
            recorded.row(bench, case).map_or("-".to_owned(), |row| row.figures.max.to_string())
        };
        let ways = WAYS.iter().map(|(case, _)| most(bench, case));
        [done.to_owned(), most(in_rust, "caller to caller")].into_iter().chain(ways).collect::<Vec<_>>()
    };
    let rows: Vec<_> = NAMES.iter().zip(DONE).zip(IN_RUST).map(row).collect();
    let header = ["what", "in Rust"].into_iter().chain(WAYS.iter().map(|(case, _)| *case)).map(str::to_owned);
    let table = markdown(&header.collect::<Vec<_>>(), &rows);
    Ok(Page { file: "cmsis.md", tables: vec![("cmsis", table)], plots: Vec::new() })
}
