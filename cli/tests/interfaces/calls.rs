//! The functions of the library by mechanisms, beside those of the paper's Table I.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The functions of one mechanism.
pub struct Mechanism {
    pub name: &'static str,
    /// How many OSEK OS, POSIX, FreeRTOS and Windows EC7 have, if the paper has a row for it; 0 where it isn't there.
    pub others: Option<[usize; 4]>,
    pub calls: &'static [&'static str],
}

const fn of(name: &'static str, others: Option<[usize; 4]>, calls: &'static [&'static str]) -> Mechanism {
    Mechanism { name, others, calls }
}

/// Those of the paper in its order, and then those for which it has no row.
pub const CALLS: &[Mechanism] = &[
    of(
        "thread administration",
        Some([2, 1, 8, 3]),
        &["Period::wait", "Thread::set_priority", "call::stop", "call::yield_now"],
    ),
    of(
        "interrupt administration",
        Some([6, 11, 2, 5]),
        &["Interrupt::acknowledge", "Interrupt::wait", "Interrupt::wait_for"],
    ),
    of(
        "event flags",
        Some([3, 7, 5, 4]),
        &[
            "Notification::wait",
            "Notification::wait_for",
            "Notifier::notify",
            "Source::clear",
            "Source::set",
            "Waiter::wait",
            "Waiter::wait_for",
        ],
    ),
    of("semaphore", Some([0, 4, 6, 1]), &["Counting::signal", "Counting::wait", "Counting::wait_for"]),
    of(
        "condition variable",
        Some([0, 4, 0, 0]),
        &[
            "Condition::broadcast",
            "Condition::signal",
            "Condition::wait",
            "Condition::wait_for",
            "Lock::with_when",
        ],
    ),
    of("barrier", Some([0, 1, 0, 0]), &[]),
    of("timer", Some([2, 3, 4, 2]), &["time::now", "time::sleep", "time::sleep_until"]),
    of("OR-combination", Some([1, 5, 2, 1]), &["event_group::any", "notification::wait_any"]),
    of("AND-combination", Some([0, 1, 0, 0]), &["event_group::all"]),
    of(
        "message queue",
        Some([3, 5, 12, 3]),
        &[
            "Receiver::receive",
            "Receiver::receive_for",
            "Receiver::try_receive",
            "Sender::send",
            "Sender::send_for",
            "Sender::try_send",
        ],
    ),
    of("read-write-lock", Some([0, 7, 0, 2]), &[]),
    of(
        "resource management",
        Some([2, 4, 2, 3]),
        &["Binary::try_wait", "Binary::wait", "Binary::wait_for", "Lock::with"],
    ),
    of("state messages", None, &["Reader::read", "SlowReader::read", "Writer::write"]),
    of(
        "servers",
        None,
        &[
            "Client::call",
            "Client::call_for",
            "Request::reply",
            "Server::receive",
            "Server::receive_for",
            "Server::serve",
        ],
    ),
    of(
        "early hand-over: a wait that takes a semaphore",
        None,
        &[
            "Counting::wait_then",
            "Interrupt::wait_then",
            "Notification::wait_then",
            "Period::wait_then",
            "Receiver::receive_then",
            "Waiter::wait_then",
            "time::sleep_until_then",
        ],
    ),
    of("shared memory", None, &["Region::bytes", "Region::load", "Region::store"]),
    of("supervision", None, &["Supervisor::hear", "Supervisor::hear_for", "Supervisor::try_hear"]),
    of(
        "measuring, and what glue and tests call",
        None,
        &[
            "call::complete",
            "call::driver_done",
            "call::execution_time",
            "call::keep_busy",
            "call::null",
            "call::spend",
            "call::time",
            "call::words",
        ],
    ),
];

/// The files with what threads call; what is in others is for devices, programs, the builder's glue and tests.
const FILES: &[&str] = &[
    "call",
    "condition",
    "endpoint/client",
    "endpoint/server",
    "event_group",
    "interrupt",
    "lock",
    "mailbox",
    "notification",
    "period",
    "region",
    "semaphore/binary",
    "semaphore/counting",
    "state",
    "supervisor",
    "thread",
    "time",
];

/// The calls of all these files.
pub fn called(sources: &Path) -> BTreeSet<String> {
    let calls = |file: &&str| {
        let path = sources.join(format!("{file}.rs"));
        let text = fs::read_to_string(&path).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
        Called::of(file, &text)
    };
    FILES.iter().flat_map(calls).collect()
}

/// The functions that a source has for everybody.
pub struct Called;

impl Called {
    /// In the order of the alphabet, each with its type or module. What is unsafe is for glue, and what is constant asks nothing
    /// of the kernel, but for what is handed to a wait.
    pub fn of(module: &str, text: &str) -> Vec<String> {
        const HANDED: &[&str] = &["any", "all"];
        let mut owner = Some(module.to_owned());
        let mut found = BTreeSet::new();
        for line in text.lines() {
            if line.starts_with("mod tests") {
                break;
            }
            if let Some(head) = line.strip_prefix("impl") {
                owner = implemented(head);
            } else if line == "}" {
                owner = Some(module.to_owned());
            }
            let line = line.trim_start();
            let name = |rest: &str| rest.split(['(', '<']).next().unwrap_or_default().to_owned();
            let function = line.strip_prefix("pub fn ").map(name).or_else(|| {
                let name = name(line.strip_prefix("pub const fn ")?);
                HANDED.contains(&name.as_str()).then_some(name)
            });
            if let (Some(owner), Some(function)) = (&owner, function) {
                found.insert(format!("{owner}::{function}"));
            }
        }
        found.into_iter().collect()
    }
}

/// The type of an `impl`, unless that is of a trait.
fn implemented(head: &str) -> Option<String> {
    if head.contains(" for ") {
        return None;
    }
    // Behind the generic parameters, which may be nested.
    let mut depth = 0_usize;
    let end = head.find(|letter| {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ' ' && depth == 0
    })?;
    Some(head[end..].trim_start().split(['<', ' ']).next()?.to_owned())
}

/// The paper's Table I with Beryl's column.
pub fn table() -> String {
    let mut table =
        "| mechanism | Beryl | OSEK OS | POSIX | FreeRTOS | Windows EC7 |\n|---|--:|--:|--:|--:|--:|\n"
            .to_owned();
    let number = |count: usize| if count == 0 { "-".to_owned() } else { count.to_string() };
    for mechanism in CALLS {
        let others = match mechanism.others {
            Some(others) => others.map(number),
            None => [const { String::new() }; 4],
        };
        let own = number(mechanism.calls.len());
        table += &format!("| {} | {own} | {} |\n", mechanism.name, others.join(" | "));
    }
    table
}
