//! The rows of watchdogs.

use beryl_abi::{MailboxId, ThreadId};
use beryl_kernel::Watchdog;

use super::{Row, narrow};
use crate::project::Project;

/// A row for each watchdog, in the order of the assembly.
pub(super) fn watchdogs(project: &Project) -> Vec<Row<Watchdog>> {
    let row = |watchdog: &crate::assembly::Watchdog| {
        let name = &project.assembly.threads[watchdog.thread].name;
        let within = u32::try_from(watchdog.within.ticks()).unwrap_or(Watchdog::LONGEST);
        Row::new(
            name,
            Watchdog {
                thread: ThreadId(narrow(watchdog.thread, ThreadId::NONE.0)),
                mailbox: MailboxId(narrow(watchdog.mailbox, u8::MAX)),
                within: within.min(Watchdog::LONGEST),
            },
        )
    };
    project.assembly.watchdogs.iter().map(row).collect()
}
