//! On what in a process the proofs of others rest although nothing enforces it.
//!
//! A proof counts with what a description declares. Where the kernel sees to it that a process keeps its word, a
//! process that goes wrong makes nobody else late: that is guaranteed. Everything else stands here, with those whom it
//! concerns. It is made from what the description declares alone: whoever gives a thread a budget takes a clause away.

use std::collections::BTreeSet;

use super::enforced::{ends, keeps_separation};
use super::stopped::Stopped;
use super::unproved::{View, doubts};
use crate::assembly::{Assembly, Reaction, Role, Use, lenders};
use crate::description::Waits;
use crate::project::Project;

/// Something that a process could do, and nothing keeps it from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reliance {
    /// A clause: what is believed.
    pub said: String,
    /// The threads of other processes whose proofs rest on it, in the order of the table.
    pub whom: BTreeSet<usize>,
}

/// On what in a process the proofs of other processes' jobs rest, a clause each, and of whose jobs nothing is proved
/// anyway. A thread that is named nowhere keeps its deadlines whatever the process does.
#[must_use]
pub fn relied(project: &Project, stopped: &Stopped, process: usize) -> Vec<Reliance> {
    let assembly = &project.assembly;
    let has_room = stopped.has_room(process);
    let process = Suspect { view: View::of(assembly), assembly, process };
    let mut all = process.without_proof();
    all.extend(process.stops(has_room));
    all.extend(process.work());
    all.extend(process.waits());
    all.extend(process.raised());
    all.extend(process.semaphores());
    all.extend(process.servers());
    all.extend(process.clients());
    all.extend(process.wake_ups());
    all.extend(process.interrupts());
    all.extend(process.handlers());
    all.retain(|reliance| !reliance.whom.is_empty());
    all
}

/// The process that may do anything.
struct Suspect<'a> {
    view: View<'a>,
    assembly: &'a Assembly,
    process: usize,
}

impl Suspect<'_> {
    /// Its threads.
    fn threads(&self) -> impl Iterator<Item = usize> {
        (0..self.assembly.threads.len()).filter(|thread| self.is_its(*thread))
    }

    fn is_its(&self, thread: usize) -> bool {
        self.view.thread(thread).process == self.process
    }

    fn name(&self, thread: usize) -> &str {
        &self.view.thread(thread).name
    }

    /// The proved threads of other processes that fit.
    fn others(&self, fits: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        self.view.those(|thread| !self.is_its(thread) && fits(thread))
    }

    /// The users of an object among its threads.
    fn users(&self, used: Use) -> Vec<usize> {
        lenders::users(self.assembly, used).into_iter().filter(|user| self.is_its(*user)).collect()
    }

    fn without_proof(&self) -> Vec<Reliance> {
        let all = |thread: &usize| !self.is_its(*thread) && self.view.thread(*thread).role.is_applications();
        let proved = self.others(|_| true);
        let unknown = (0..self.assembly.threads.len()).filter(all).filter(|thread| !proved.contains(thread));
        let nothing = Reliance {
            said: "nothing is proved of threads without times".to_owned(),
            whom: unknown.collect(),
        };
        let doubt = |doubt: super::Doubt| {
            let whom = doubt.whom.into_iter().filter(|thread| !self.is_its(*thread)).collect();
            Reliance { said: format!("not proved: {}", doubt.said), whom }
        };
        [nothing].into_iter().chain(doubts(self.assembly).into_iter().map(doubt)).collect()
    }

    /// All others wait while a process is stopped. A thread for native drivers begins anew each time, where nothing
    /// else stops.
    fn stops(&self, has_room: bool) -> Vec<Reliance> {
        let Some(row) = self.assembly.processes.get(self.process) else { return Vec::new() };
        let whole = format!("`{}` isn't stopped, since there is no room for what that takes", row.name);
        let begins_anew = format!(
            "no native driver of `{}` faults, since how often its thread begins anew isn't counted",
            row.name
        );
        let said = [
            (!has_room).then_some(whole),
            (row.stops_thread_only && row.driver_thread.is_some()).then_some(begins_anew),
        ];
        said.into_iter().flatten().map(|said| Reliance { said, whom: self.others(|_| true) }).collect()
    }

    /// Who takes longer than declared, or comes more often, keeps all others waiting before whom it may run.
    fn work(&self) -> Vec<Reliance> {
        let word = |thread: usize| {
            let row = self.view.thread(thread);
            if row.is_member() {
                // Whatever it takes is in the budget that it shares, and all of that may be gone for the others.
                let shared = |thread: usize| self.view.thread(thread).budget?.pool.map(|pool| pool.shared);
                return Some(Reliance {
                    said: format!("no job of `{}` takes longer than its `worst`", row.name),
                    whom: self
                        .others(|other| shared(other) == shared(thread) && self.view.precedes(thread, other)),
                });
            }
            let said = match &row.role {
                Role::Task(_) | Role::Periodic(_) if ends(row.on_overrun) => return None,
                Role::Task(_) | Role::Periodic(_) => {
                    format!("no job of `{}` takes longer than its `worst`", row.name)
                }
                Role::Free { .. } if row.enforced_budget().is_some() => return None,
                Role::Free { sporadic: Some(_), .. } => {
                    format!(
                        "`{}` takes no longer than its `worst`, and comes no more often than its `separation`",
                        row.name
                    )
                }
                Role::Free { sporadic: None, .. } => format!("`{}` works for its clients only", row.name),
                Role::Drivers | Role::Idle => return None,
            };
            Some(Reliance { said, whom: self.others(|other| self.view.precedes(thread, other)) })
        };
        self.threads().filter_map(word).collect()
    }

    /// What a job has yet to do when it waits comes later, on top of the next. Who waits for turns only has these. While
    /// it waits for one, who holds what it wants runs in its place, unless that one waits as well: a thread of its own
    /// process, which may hold whatever the process may name.
    fn waits(&self) -> Vec<Reliance> {
        let is_held = |used: &Use| match *used {
            Use::Call(index) => self.is_its(self.assembly.objects.endpoints[index].server),
            other => self.view.is_turn(other),
        };
        let has_turns = self.threads().any(|thread| self.view.thread(thread).uses.iter().any(is_held));
        let word = |thread: usize| {
            let row = self.view.thread(thread);
            let said = match row.waits {
                Waits::Freely => format!("no job of `{}` waits or sleeps before it is done", row.name),
                Waits::Turns if has_turns => {
                    format!("no job of `{}` waits longer for its turn than is declared", row.name)
                }
                Waits::Turns | Waits::Never => return None,
            };
            let is_proved = matches!(row.role, Role::Task(_) | Role::Periodic(_));
            is_proved.then(|| Reliance { said, whom: self.others(|other| self.view.precedes(thread, other)) })
        };
        self.threads().filter_map(word).collect()
    }

    /// The kernel believes a raised word up to the highest ceiling of the thread's locks, whatever the thread holds,
    /// unless the thread is stopped for it.
    fn raised(&self) -> Vec<Reliance> {
        let word = |thread: usize| {
            let row = self.view.thread(thread);
            let whom = self.others(|other| {
                let level = self.view.thread(other).highest_level();
                let is_between = level <= row.highest_ceiling && level > row.least_level();
                is_between && self.view.meets(thread, other)
            });
            Reliance { said: format!("`{}` stays raised no longer than its `hold` says", row.name), whom }
        };
        self.threads().filter(|thread| !self.view.thread(*thread).is_policed).map(word).collect()
    }

    /// Who owns a semaphore is as urgent as those who wait for it, unless it is stopped for owning it too long. The time of
    /// a server that it calls meanwhile isn't its own.
    fn semaphores(&self) -> Vec<Reliance> {
        let is_believed = |thread: &usize| {
            let row = self.view.thread(*thread);
            !row.is_policed || row.uses.iter().any(|used| matches!(used, Use::Call(_)))
        };
        let rows = self.assembly.objects.semaphores.iter().enumerate();
        let owned = rows.filter(|(index, _)| lenders::has_owner(self.assembly, *index));
        let word = |(index, name): (usize, &String)| {
            let used = Use::Semaphore(index);
            let (all, own) = (lenders::users(self.assembly, used), self.users(used));
            let is_held_up = |thread| {
                let holds_up = |holder: &usize| {
                    self.view.is_held_up(thread, *holder, used, &all)
                        || all.contains(&thread) && thread != *holder
                };
                own.iter().filter(|holder| is_believed(holder)).any(holds_up)
            };
            Reliance {
                said: format!("no thread of its owns semaphore `{name}` for longer than its `hold`"),
                whom: self.others(is_held_up),
            }
        };
        owned.map(|(index, row)| word((index, &row.name))).collect()
    }

    /// A server works in the places of its clients, unless it is stopped for taking too long. The time of another one that it
    /// calls isn't its own.
    fn servers(&self) -> Vec<Reliance> {
        let rows = self.assembly.objects.endpoints.iter().enumerate();
        let word = |(index, row): (usize, &crate::assembly::objects::Endpoint)| {
            let clients = lenders::users(self.assembly, Use::Call(index));
            let waits = |thread| {
                clients.iter().any(|client| *client == thread || self.view.precedes(*client, thread))
            };
            Reliance {
                said: format!("`{}` answers its clients in time", self.name(row.server)),
                whom: self.others(waits),
            }
        };
        let rows =
            rows.filter(|(index, row)| self.is_its(row.server) && !self.answers_in_time(*index, row.server));
        rows.map(word).collect()
    }

    /// Whether a server is stopped before it takes longer for any client than that one's proof says.
    fn answers_in_time(&self, endpoint: usize, server: usize) -> bool {
        let (row, used) = (self.view.thread(server), Use::Call(endpoint));
        let longest = self.assembly.longest_answer(row);
        let is_counted = |client: &usize| {
            self.assembly.hold(self.view.thread(*client), used).is_some_and(|hold| hold >= longest)
        };
        self.assembly.has_to_answer(row)
            && !row.uses.iter().any(|used| matches!(used, Use::Call(_)))
            && lenders::users(self.assembly, used).iter().all(is_counted)
    }

    /// A client that gives up leaves its server working in the server's own place.
    fn clients(&self) -> Vec<Reliance> {
        let rows = self.assembly.objects.endpoints.iter().enumerate();
        let word = |(index, row): (usize, &crate::assembly::objects::Endpoint)| {
            let asks = !self.users(Use::Call(index)).is_empty() && !self.is_its(row.server);
            let clients = lenders::users(self.assembly, Use::Call(index));
            let whom = self.others(|thread| {
                asks && (self.view.precedes(row.server, thread) || clients.contains(&thread))
            });
            Reliance { said: format!("it doesn't give up its requests to `{}`", row.name), whom }
        };
        rows.map(word).collect()
    }

    /// Who wakes a thread of another process decides how often that works.
    fn wake_ups(&self) -> Vec<Reliance> {
        let objects = &self.assembly.objects;
        let rows = [
            objects.notifications.iter().map(|row| &row.name).enumerate().map(notified).collect::<Vec<_>>(),
            objects.mailboxes.iter().map(|row| &row.name).enumerate().map(sent).collect(),
            objects.event_groups.iter().map(|row| &row.name).enumerate().map(set).collect(),
            objects.conditions.iter().map(|row| &row.name).enumerate().map(signalled).collect(),
            objects.semaphores.iter().map(|row| &row.name).enumerate().map(given).collect(),
        ];
        let word = |(tells, waits, name): (Use, Use, &String)| {
            let tells = !self.users(tells).is_empty();
            let woken = lenders::users(self.assembly, waits).into_iter();
            let woken: Vec<_> =
                woken.filter(|thread| tells && !self.is_its(*thread) && self.is_woken(*thread)).collect();
            let whom = self.others(|other| {
                woken.iter().any(|thread| *thread == other || self.view.precedes(*thread, other))
            });
            Reliance {
                said: format!("it tells by `{name}` no more often than the `separation` of who waits"),
                whom,
            }
        };
        rows.into_iter().flatten().map(word).collect()
    }

    /// Whether a thread works as often as others wake it: no budget ends that, and neither a gate nor limits keep them
    /// from it.
    fn is_woken(&self, thread: usize) -> bool {
        let row = self.view.thread(thread);
        let is_bounded = row.enforced_budget().is_some() || keeps_separation(self.assembly, row);
        matches!(row.role, Role::Free { .. }) && !is_bounded
    }

    /// Whether an interrupt comes no more often than the proof counts it, since a gate keeps it apart: no more often
    /// than its thread is counted, and of a thread that isn't proved as often as its gate opens.
    fn comes_apart(&self, interrupt: usize, thread: usize) -> bool {
        let row = self.view.thread(thread);
        let Some(gate) = self.assembly.gate(Use::Interrupt(interrupt)) else { return false };
        match &row.role {
            Role::Free { sporadic: Some(times), .. } => gate.separation >= times.separation,
            Role::Free { sporadic: None, .. } => row.enforced_budget().is_none(),
            _ => false,
        }
    }

    /// The kernel's steps for an interrupt are above everybody. One that releases a task has its separation from the
    /// kernel.
    fn interrupts(&self) -> Vec<Reliance> {
        type Row<'a> = (usize, &'a crate::assembly::objects::Interrupt);
        let its = |(index, row): &Row<'_>| {
            row.thread.is_some_and(|thread| self.is_its(thread) && !self.comes_apart(*index, thread))
        };
        let word = |(_, row): Row<'_>| Reliance {
            said: format!("interrupt `{}` comes no more often than its thread's `separation`", row.name),
            whom: self.others(|_| true),
        };
        self.assembly.objects.interrupts.iter().enumerate().filter(its).map(word).collect()
    }

    /// What a handler of a late job costs isn't in the proof.
    fn handlers(&self) -> Vec<Reliance> {
        let handled = |thread: &usize| match &self.view.thread(*thread).role {
            Role::Task(task) => task.reaction != Reaction::default(),
            _ => false,
        };
        let word = |thread: usize| Reliance {
            said: format!(
                "no job of `{}` is late, since what is done about it isn't counted",
                self.name(thread)
            ),
            whom: self.others(|_| true),
        };
        self.threads().filter(handled).map(word).collect()
    }
}

/// How a thread tells by an object, and how another one waits for it.
type Told<'a> = (Use, Use, &'a String);

fn notified((index, name): (usize, &String)) -> Told<'_> {
    (Use::Notify(index), Use::Await(index), name)
}

fn sent((index, name): (usize, &String)) -> Told<'_> {
    (Use::Send(index), Use::Receive(index), name)
}

fn set((index, name): (usize, &String)) -> Told<'_> {
    (Use::Set(index), Use::AwaitBits(index), name)
}

fn signalled((index, name): (usize, &String)) -> Told<'_> {
    (Use::Condition(index), Use::Condition(index), name)
}

fn given((index, name): (usize, &String)) -> Told<'_> {
    (Use::Semaphore(index), Use::Semaphore(index), name)
}
