//! The ways to do what the paper's Table II asks for. `cli/tests/interfaces/app` goes each of them.

/// Something that can be done.
pub struct Requirement {
    pub name: &'static str,
    pub ways: &'static [Way],
    /// In how many ways that is possible with OSEK OS, POSIX, FreeRTOS and Windows EC7.
    pub others: [&'static str; 4],
    /// Why there is more than one way.
    pub why: &'static str,
}

/// A way to do it.
#[derive(Clone, Copy)]
pub struct Way {
    pub name: &'static str,
    /// The event by which it is told.
    pub event: u16,
    /// What is told.
    pub told: &'static [u32],
    /// Whether it takes a moment.
    pub lasts: bool,
}

/// Somebody waits, is woken, and goes on.
const fn woken(name: &'static str, event: u16) -> Way {
    Way { name, event, told: &[0, 1, 2], lasts: false }
}

/// Somebody waits and goes on, and no thread wakes it.
const fn alone(name: &'static str, event: u16) -> Way {
    Way { name, event, told: &[0, 2], lasts: false }
}

/// The same, after a moment.
const fn moment(name: &'static str, event: u16) -> Way {
    Way { lasts: true, ..alone(name, event) }
}

/// A byte comes over.
const fn byte(name: &'static str, event: u16) -> Way {
    Way { name, event, told: &[42], lasts: false }
}

const NOTIFIED: Way = woken("a notification", 1);
const INTERRUPTED: Way = alone("waiting for the interrupt", 14);
const UNTIL: Way = alone("sleeping until an instant", 18);
const LOCKED: Way = byte("a value in a ceiling lock", 44);
const OWNED: Way = woken("a binary semaphore that another thread owns", 12);

const CONTROL: &[Way] = &[
    NOTIFIED,
    woken("any of several notifications", 2),
    woken("a unit of a counting semaphore", 3),
    woken("any of several bits", 4),
    woken("all of several bits", 5),
    woken("a condition, signalled", 6),
    woken("a condition, broadcast", 7),
    woken("a condition inside of a ceiling lock", 8),
    woken("a message", 9),
    woken("a request to a server", 10),
    OWNED,
];

/// In the paper's order.
pub const WAYS: &[Requirement] = &[
    Requirement { name: "activation by a job", ways: &[NOTIFIED], others: ["4", "1", "1", "1"], why: "" },
    Requirement {
        name: "activation by an interrupt",
        ways: &[INTERRUPTED],
        others: ["3", "1", "1", "1"],
        why: "",
    },
    Requirement {
        name: "delayed activation",
        ways: &[Way { lasts: true, ..woken("a notification, and a sleep", 13) }],
        others: ["2", "1", "1", "1"],
        why: "",
    },
    Requirement {
        name: "periodic activation",
        ways: &[alone("`period` and `Period::wait`", 17), UNTIL],
        others: ["3", "1", "1", "1"],
        why: "only the first is proved and counts missed releases; a loop of sleeps is possible because sleeping is",
    },
    Requirement {
        name: "suspended interrupt",
        ways: &[alone("not acknowledging it", 16)],
        others: ["3", "1", "1", "3"],
        why: "",
    },
    Requirement {
        name: "control flow between jobs",
        ways: CONTROL,
        others: ["3", "45", "19", "17"],
        why: "each says something else: an event, one of several, so many, some state, all at once, data, an answer, that a \
              resource is free. Where only an event is meant, a notification is the way",
    },
    Requirement {
        name: "control flow from an interrupt",
        ways: &[INTERRUPTED, alone("any of several interrupts and notifications", 15)],
        others: ["3", "45", "19", "18"],
        why: "a server of several devices needs the second; of one, the first",
    },
    Requirement {
        name: "sleep",
        ways: &[
            moment("for so long", 19),
            UNTIL,
            moment("a notification, with a limit", 20),
            moment("any of several, with a limit", 21),
            moment("an interrupt, with a limit", 22),
            moment("a unit, with a limit", 23),
            moment("bits, with a limit", 24),
            moment("a message, with a limit", 25),
            moment("a request, with a limit", 26),
            moment("a condition, with a limit", 27),
            moment("a reply, with a limit", 28),
            moment("room for a message, with a limit", 29),
            moment("a binary semaphore, with a limit", 30),
        ],
        others: ["2", "32", "29", "25"],
        why: "whatever has a limit can be waited for in vain. The first would do with the second, but for its arithmetic",
    },
    Requirement {
        name: "data dependency",
        ways: &[
            byte("a message", 40),
            byte("a request and its reply", 11),
            byte("a state message", 41),
            byte("a state message, for a slow reader", 42),
            byte("shared memory", 43),
            LOCKED,
            byte("a value in a binary semaphore", 45),
        ],
        others: ["1", "4", "3", "2"],
        why: "queued, asked for, newest, newest and long, in bulk, changed by several: who waits for whom differs in each",
    },
    Requirement {
        name: "resource management",
        ways: &[LOCKED, OWNED],
        others: ["1", "2", "2", "3"],
        why: "a lock costs no call, is for one process, and nobody waits inside; a semaphore is for all that",
    },
];

/// The paper's Table II with Beryl's column.
pub fn table() -> String {
    let mut table = "| to be done | Beryl | OSEK OS | POSIX | FreeRTOS | Windows EC7 | why more than one |\n\
                     |---|--:|--:|--:|--:|--:|---|\n"
        .to_owned();
    for Requirement { name, ways, others, why } in WAYS {
        table += &format!("| {name} | {} | {} | {why} |\n", ways.len(), others.join(" | "));
    }
    table
}
