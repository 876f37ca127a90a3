//! The rules for the users of objects: no object is unused, each side has a user, and only one where there may be only
//! one.

mod limits;
mod replaceable;
mod sections;
mod states;
mod users;

use super::diagnostic::{Problem, Reporter};
use super::doorbells;
use super::kinds::{KINDS, Kind};
use super::readable::Parts;
use super::{Count, Placed, Side, Use, code};
use crate::quantity::Bytes;
use beryl_abi::ProcessId;
use users::{Place, User, users};

/// Threads that wait in one queue at the same time.
const MOST_WAITING: usize = 16;
/// Bits of a thread's word.
const MOST_BITS: usize = 32;
/// Objects of a kind; a call names them by a byte, and one more than a semaphore.
const MOST_OBJECTS: usize = 254;
/// Notes of the smallest and the largest trace buffer, of 16 bytes each.
const NOTES: std::ops::RangeInclusive<u32> = 2..=65_536;
/// A slot's rooms are found by 16 bits.
const LARGEST_ROOM: u32 = 16 * 1024;
/// Bytes of a note in a trace buffer.
const NOTE_BYTES: u32 = 16;
/// Regions of a process that its threads may hand to the kernel, beside its own memory.
const MOST_REGIONS: usize = 2;

/// Checks the use of all objects.
pub(super) fn check(parts: &Parts, reporter: &mut Reporter) {
    let users = users(parts);
    let check = Check { users: &users };
    check.locks_and_semaphores(parts, reporter);
    check.critical_sections(parts, reporter);
    check.queues(parts, reporter);
    check.ends(parts, reporter);
    check.states(parts, reporter);
    check.regions(parts, reporter);
    check.slots(parts, reporter);
    check.trace(parts, reporter);
    check.priorities(parts, reporter);
    check.replaceable(parts, reporter);
    check.words(reporter);
    sections::check(&users, parts, reporter);
    let uses =
        |process: usize, used: Use| check.of(used).iter().any(|place| place.user.process.index() == process);
    limits::check(parts, MOST_OBJECTS, uses, reporter);
    counts(parts, reporter);
    lines(parts, reporter);
}

struct Check<'a> {
    users: &'a [User<'a>],
}

impl<'a> Check<'a> {
    /// All places that use an object in this way.
    fn of(&self, used: Use) -> Vec<Place<'a>> {
        let places = |user: &'a User<'a>| {
            let own = user.uses.iter().filter(move |own| own.value == used);
            own.map(move |own| Place { user, place: own.place })
        };
        self.users.iter().flat_map(places).collect()
    }

    fn locks_and_semaphores(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, lock) in parts.objects.locks.iter().enumerate() {
            let users = self.used("lock", &lock.name, Use::Lock(index), reporter);
            let help =
                "take a [semaphore.name] of `kind = \"binary\"` without type, or move the users together";
            together("a lock is taken without the kernel", "lock", &lock.name, &users, help, reporter);
        }
        for (index, semaphore) in parts.objects.semaphores.iter().enumerate() {
            let users = self.used("semaphore", &semaphore.name, Use::Semaphore(index), reporter);
            self.refuse_crowd(&semaphore.name, &users, reporter);
            if let Count::Binary { kind: Some(_) } = semaphore.count {
                let reason = "what a semaphore protects by its type lies in the memory of one process";
                let help =
                    "leave the type out and put the data into a [region.name], or move the users together";
                together(reason, "semaphore", &semaphore.name, &users, help, reporter);
            }
        }
    }

    /// A process's critical sections are those of a lock that its own threads use.
    fn critical_sections(&self, parts: &Parts, reporter: &mut Reporter) {
        for (process, row) in (0_u8..=u8::MAX).map(ProcessId).zip(&parts.processes) {
            let Some(name) = &row.critical_section else { continue };
            let known = parts.objects.locks.iter().position(|lock| lock.name.value == name.value);
            let users = known.map(|lock| self.of(Use::Lock(lock))).unwrap_or_default();
            if users.iter().any(|place| place.user.process == process) {
                continue;
            }
            let reason = if known.is_some() { "none of its threads uses it" } else { "there is none" };
            reporter.report(Problem {
                code: code::USERS,
                place: name.place,
                message: format!(
                    "`{}` can't be the lock of critical sections in process `{}`: {reason}",
                    name.value, row.name.value
                ),
                label: "not a lock of this process".to_owned(),
                help: format!(
                    "write [lock.{0}] with `hold`, and `uses = [\"{0}\"]` for each thread of the process that calls such a library",
                    name.value
                )
                .into(),
            });
        }
    }

    fn queues(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, name) in parts.objects.conditions.iter().enumerate() {
            let users = self.used("condition", name, Use::Condition(index), reporter);
            self.refuse_crowd(name, &users, reporter);
        }
        for (index, name) in parts.objects.event_groups.iter().enumerate() {
            let sides = [("set", Use::Set(index)), ("wait", Use::AwaitBits(index))];
            let [_, waiting] = self.sides("event group", name, sides, reporter);
            self.refuse_crowd(name, &waiting, reporter);
        }
        for (index, mailbox) in parts.objects.mailboxes.iter().enumerate() {
            let sides = [("send", Use::Send(index)), ("receive", Use::Receive(index))];
            for users in self.sides("mailbox", &mailbox.name, sides, reporter) {
                self.refuse_crowd(&mailbox.name, &users, reporter);
            }
        }
    }

    /// Objects that have exactly one user at one end.
    fn ends(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, endpoint) in parts.objects.endpoints.iter().enumerate() {
            let sides = [("call", Use::Call(index)), ("serve", Use::Serve(index))];
            let [clients, servers] = self.sides("endpoint", &endpoint.name, sides, reporter);
            self.refuse_crowd(&endpoint.name, &clients, reporter);
            only_one("server", &endpoint.name, &servers, reporter);
            for task in servers.iter().filter(|server| server.user.is_task) {
                reporter.report(Problem {
                    code: code::USERS,
                    place: task.place,
                    message: format!(
                        "task `{}` can't serve: its jobs would never complete",
                        **task.user.name
                    ),
                    label: "a task".to_owned(),
                    help: "serve the endpoint in a [thread.name]".into(),
                });
            }
        }
        for (index, name) in parts.objects.notifications.iter().enumerate() {
            let bell = parts.objects.doorbells.iter().find(|bell| bell.name.value == name.value);
            if bell.is_some_and(|bell| bell.side != Side::Both) {
                continue;
            }
            let (kind, [told, waits]) = match bell {
                Some(_) => ("doorbell", doorbells::ROLES),
                None => ("notification", ["notify", "wait"]),
            };
            let sides = [(told, Use::Notify(index)), (waits, Use::Await(index))];
            let [_, waiting] = self.sides(kind, name, sides, reporter);
            only_one("thread that waits", name, &waiting, reporter);
        }
        for (index, interrupt) in parts.objects.interrupts.iter().enumerate() {
            let threads = self.of(Use::Interrupt(index));
            // One that releases a task has no thread. Whether there is such a task is up to the timing program.
            if threads.is_empty() && interrupt.separation.is_none() {
                nobody_serves(&interrupt.name, reporter);
            }
            only_one("thread that serves it", &interrupt.name, &threads, reporter);
        }
    }

    fn states(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, state) in parts.objects.states.iter().enumerate() {
            let [fast, slow] = [Use::Read(index), Use::ReadSlow(index)].map(|used| self.of(used));
            let writers = self.of(Use::Write(index));
            // Whoever reads the trace reads it, too.
            let readers = fast.len() + slow.len() + usize::from(state.is_traced);
            let sides = [("write", writers.len()), ("read", readers)];
            refuse_missing("state message", &state.name, &sides, reporter);
            only_one("writer", &state.name, &writers, reporter);
            if let [writer] = writers.as_slice()
                && !fast.is_empty()
            {
                states::rhythm(state, writer, reporter);
            }
            states::window(state, &fast, reporter);
        }
    }

    fn regions(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, region) in parts.objects.regions.iter().enumerate() {
            self.used("region", &region.name, Use::Region(index), reporter);
            if region.size.value == Bytes::ZERO || !region.size.get().is_multiple_of(4) {
                reporter.report(Problem {
                    code: code::RANGE,
                    place: region.size.place,
                    message: format!("a region of {} bytes isn't made of whole words", region.size.get()),
                    label: "out of range".to_owned(),
                    help: "write a positive multiple of four".into(),
                });
            }
        }
        for (process, row) in (0_u8..=u8::MAX).map(ProcessId).zip(&parts.processes) {
            let own = |index: &usize| {
                self.of(Use::Region(*index)).into_iter().any(|place| place.user.process == process)
            };
            let count = (0..parts.objects.regions.len()).filter(own).count();
            if count > MOST_REGIONS {
                reporter.report(Problem {
                    code: code::TOO_MANY,
                    place: row.name.place,
                    message: format!(
                        "the threads of process `{}` use {count} regions, {MOST_REGIONS} are possible",
                        row.name.value
                    ),
                    label: "this process".to_owned(),
                    help: "join regions, or share by messages".into(),
                });
            }
        }
    }

    fn slots(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, slot) in parts.objects.slots.iter().enumerate() {
            self.used("slot", &slot.name, Use::Slot(index), reporter);
            let size = slot.size.get();
            if size == 0 || size > LARGEST_ROOM || !size.is_multiple_of(4) {
                reporter.report(Problem {
                    code: code::RANGE,
                    place: slot.size.place,
                    message: format!("a slot can't have rooms of {size} bytes"),
                    label: "out of range".to_owned(),
                    help: format!("write a multiple of four, at most {LARGEST_ROOM}; it's kept twice").into(),
                });
            }
        }
    }

    /// The buffer is a ring of a power of two of notes, and one thread reads it.
    fn trace(&self, parts: &Parts, reporter: &mut Reporter) {
        let Some(trace) = &parts.objects.trace else { return };
        let readers = self.used("trace", &trace.name, Use::Trace, reporter);
        only_one("thread that reads it", &trace.name, &readers, reporter);
        let notes = trace.buffer.get() / NOTE_BYTES;
        let is_whole = trace.buffer.get().is_multiple_of(NOTE_BYTES) && notes.is_power_of_two();
        if !is_whole || !NOTES.contains(&notes) {
            reporter.report(Problem {
                code: code::RANGE,
                place: trace.buffer.place,
                message: format!("a trace buffer can't have {} bytes", trace.buffer.get()),
                label: "out of range".to_owned(),
                help: "write a power of two, from \"32\" to \"1M\"; a note takes 16 bytes".into(),
            });
        }
    }

    /// Only threads of its own process change a thread's priority.
    fn priorities(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, name) in parts.objects.priorities.iter().enumerate() {
            let users = self.of(Use::Priority(index));
            if users.is_empty() {
                reporter.report(Problem {
                    code: code::USERS,
                    place: name.place,
                    message: format!("nobody changes the priority of thread `{}`", name.value),
                    label: "here".to_owned(),
                    help: format!(
                        "add \"{}.priority\" to some `uses`, or leave `priorities` out",
                        name.value
                    )
                    .into(),
                });
            }
            let Some(own) = self.users.iter().find(|user| !user.is_task && **user.name == **name) else {
                continue;
            };
            for place in users.iter().filter(|place| place.user.process != own.process) {
                let problem = Problem {
                    code: code::USERS,
                    place: place.place,
                    message: format!(
                        "`{}` can't change the priority of thread `{}`: it is of another process",
                        place.user.name.value, name.value
                    ),
                    label: "of another process".to_owned(),
                    help: "let a thread of its own process do so, which the others ask".into(),
                };
                reporter.report_with(problem, name.place, "this thread");
            }
        }
    }

    /// Each notification and interrupt has a bit of its thread's word.
    fn words(&self, reporter: &mut Reporter) {
        for user in self.users {
            let bits = user.uses.iter().filter(|own| matches!(own.value, Use::Await(_) | Use::Interrupt(_)));
            if let Some(beyond) = bits.clone().nth(MOST_BITS) {
                reporter.report(Problem {
                    code: code::TOO_MANY,
                    place: beyond.place,
                    message: format!(
                        "`{}` waits for {} notifications and interrupts; its word has {MOST_BITS} bits",
                        user.name.value,
                        bits.count()
                    ),
                    label: "one too many".to_owned(),
                    help: "share the work among several threads".into(),
                });
            }
        }
    }

    /// The users of an object that is used in one way only; says so if there are none.
    fn used(&self, kind: &str, name: &Placed<String>, used: Use, reporter: &mut Reporter) -> Vec<Place<'a>> {
        let users = self.of(used);
        refuse_missing(kind, name, &[("", users.len())], reporter);
        users
    }

    /// The users of both sides of an object; says so if a side has none.
    fn sides(
        &self,
        kind: &str,
        name: &Placed<String>,
        sides: [(&str, Use); 2],
        reporter: &mut Reporter,
    ) -> [Vec<Place<'a>>; 2] {
        let users = sides.map(|(_, used)| self.of(used));
        let counts = [(sides[0].0, users[0].len()), (sides[1].0, users[1].len())];
        refuse_missing(kind, name, &counts, reporter);
        users
    }

    fn refuse_crowd(&self, name: &Placed<String>, users: &[Place<'_>], reporter: &mut Reporter) {
        if let Some(beyond) = users.get(MOST_WAITING) {
            let problem = Problem {
                code: code::TOO_MANY,
                place: beyond.place,
                message: format!(
                    "{} threads may wait for `{}` at the same time; a queue holds {MOST_WAITING}",
                    users.len(),
                    name.value
                ),
                label: "one too many".to_owned(),
                help: "share the work among several objects".into(),
            };
            reporter.report_with(problem, name.place, "this object");
        }
    }
}

/// Says that nobody uses an object, or nobody uses one of its sides.
fn refuse_missing(kind: &str, name: &Placed<String>, sides: &[(&str, usize)], reporter: &mut Reporter) {
    let missing: Vec<&str> = sides.iter().filter(|(_, count)| *count == 0).map(|(side, _)| *side).collect();
    if missing.is_empty() {
        return;
    }
    let (message, help) = if missing.len() == sides.len() {
        let with_side = sides.iter().map(|(side, _)| match side.is_empty() {
            true => format!("\"{}\"", name.value),
            false => format!("\"{}.{side}\"", name.value),
        });
        let uses = with_side.collect::<Vec<_>>().join(" or ");
        (format!("nobody uses {kind} `{}`", name.value), format!("add {uses} to some `uses`, or remove it"))
    } else {
        let side = missing.concat();
        (
            format!("no `uses` has `{}.{side}`, so {kind} `{0}` is of no use", name.value),
            format!("add \"{}.{side}\" to the `uses` of a thread or task", name.value),
        )
    };
    reporter.report(Problem {
        code: code::USERS,
        place: name.place,
        message,
        label: "here".to_owned(),
        help: help.into(),
    });
}

fn only_one(what: &str, name: &Placed<String>, users: &[Place<'_>], reporter: &mut Reporter) {
    if let [first, second, ..] = users {
        let problem = Problem {
            code: code::USERS,
            place: second.place,
            message: format!("`{}` has more than one {what}", name.value),
            label: format!("in `{}`", second.user.name.value),
            help: "leave one of them".into(),
        };
        reporter.report_with(problem, first.place, &format!("in `{}`", first.user.name.value));
    }
}

fn nobody_serves(interrupt: &Placed<String>, reporter: &mut Reporter) {
    reporter.report(Problem {
        code: code::USERS,
        place: interrupt.place,
        message: format!("nobody uses interrupt `{}`", interrupt.value),
        label: "here".to_owned(),
        help: format!(
            "add \"{}\" to the `uses` of the thread that serves it; or, if it releases a task, a `separation`, such as \
             `separation = \"10ms\"`: so long after a release it is looked at again",
            interrupt.value
        ).into(),
    });
}

/// Refuses users in different processes.
fn together(
    reason: &str,
    kind: &str,
    name: &Placed<String>,
    users: &[Place<'_>],
    help: &str,
    reporter: &mut Reporter,
) {
    let Some(first) = users.first() else { return };
    if let Some(other) = users.iter().find(|other| other.user.process != first.user.process) {
        let problem = Problem {
            code: code::USERS,
            place: other.place,
            message: format!("{reason}, so the users of {kind} `{}` must be in one process", name.value),
            label: format!("`{}` is in another process", other.user.name.value),
            help: help.into(),
        };
        reporter.report_with(problem, first.place, &format!("than `{}`", first.user.name.value));
    }
}

fn counts(parts: &Parts, reporter: &mut Reporter) {
    for Kind { many, names, .. } in KINDS.iter().filter(|kind| kind.is_called) {
        let Some(name) = names(&parts.objects).get(MOST_OBJECTS).copied() else { continue };
        reporter.report(Problem {
            code: code::TOO_MANY,
            place: name.place,
            message: format!("a system has at most {MOST_OBJECTS} {many}"),
            label: "one too many".to_owned(),
            help: format!("join some of the {many}").into(),
        });
    }
}

/// Lines exist on the board, aren't the kernel's own, and are used once each.
fn lines(parts: &Parts, reporter: &mut Reporter) {
    let Some(board) = parts.board.as_ref().map(|used| used.board.value) else { return };
    let is_bell = |name: &String| parts.objects.doorbells.iter().any(|bell| bell.name.value == *name);
    for interrupt in parts.objects.interrupts.iter().filter(|interrupt| !is_bell(&interrupt.name)) {
        let line = interrupt.line.value;
        let message = if line >= board.lines {
            format!("the board has the lines 0 to {}", board.lines.saturating_sub(1))
        } else if board.kernel_lines.contains(&line) {
            format!("line {line} is the kernel's own: its alarm")
        } else {
            continue;
        };
        reporter.report(Problem {
            code: code::RANGE,
            place: interrupt.line.place,
            message,
            label: "out of range".to_owned(),
            help: "write the line of a device that a process has".into(),
        });
    }
    for pair in parts.objects.interrupts.windows(2) {
        if let [first, second] = pair
            && first.line.value == second.line.value
        {
            let (line, other) = (second.line.value, &first.name.value);
            let is_own = parts.lines.is_empty();
            let problem = Problem {
                code: code::CONFLICT,
                place: second.line.place,
                message: match is_own {
                    true => format!("line {line} is that of interrupt `{other}`"),
                    false => format!("on {} this is line {line}, as that of interrupt `{other}`", board.name),
                },
                label: "second".to_owned(),
                help: match is_own {
                    true => "leave one of them; its thread can notify others".into(),
                    false => format!(
                        "a device there has one line for what has two on the system's own board: write \
                         `silent = [{:?}]` in [on.{}] if its thread can do without it, as the loader's can",
                        second.name.value, board.name
                    )
                    .into(),
                },
            };
            reporter.report_with(problem, first.line.place, "first");
        }
    }
}
