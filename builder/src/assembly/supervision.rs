//! Supervision: who is told of what, and by which message.

use beryl_abi::{Duration, Incident};
use beryl_timing::{Basic, Type};

use super::objects::{Gate, Mailbox};
use super::{Assembly, Home, Role, Sporadic, Thread, Use};
use crate::description::Description;

/// A report: something that may happen to a thread, or at a gate, and of which a supervisor is told. The number of a
/// report is its position; those of one supervisor follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// To whom it happens.
    pub of: Subject,
    /// What.
    pub incident: Incident,
    /// Who is told: the index of a thread.
    pub supervisor: usize,
    /// The mailbox in which the report comes: its position.
    pub mailbox: usize,
}

/// What watches over a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watchdog {
    /// Whom: the index of a thread.
    pub thread: usize,
    /// To which mailbox it has to come back: its position.
    pub mailbox: usize,
    /// Within which time.
    pub within: Duration,
}

/// To whom something may happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A thread, by its index.
    Thread(usize),
    /// A gate, by its index.
    Gate(usize),
    /// A thread, by its index, that asks for what it has no right to.
    Lack(usize),
}

/// Bytes of a report.
const MESSAGE: Type = Type::array(Basic::Int, 2);
/// As many as have numbers.
pub(super) const MOST: usize = 250;

/// Adds the reports, and for each supervisor the mailbox in which they come, once all threads and objects are there. A
/// supervisor with a `separation` is told no more often than that.
pub(super) fn add(assembly: &mut Assembly, description: &Description) {
    let told: Vec<(Subject, Incident, usize)> = told(assembly, description);
    let mut supervisors: Vec<usize> = told.iter().map(|(.., supervisor)| *supervisor).collect();
    supervisors.sort_unstable();
    supervisors.dedup();
    for supervisor in supervisors {
        let mailbox = assembly.objects.mailboxes.len();
        let own = told.iter().filter(|(.., by)| *by == supervisor);
        let reports: Vec<Report> = own
            .map(|(of, incident, _)| Report { of: *of, incident: *incident, supervisor, mailbox })
            .collect();
        let capacity = u8::try_from(reports.len()).unwrap_or(u8::MAX);
        let words = Type::array(Basic::Int, 2 * u32::from(capacity));
        let buffer = assembly.cells.add(Home::Kernel, words, None);
        let Some(thread) = assembly.threads.get_mut(supervisor) else { continue };
        let name = format!("reports of {}", thread.name);
        thread.uses.insert(0, Use::Receive(mailbox));
        let separation = separation(thread);
        assembly.objects.mailboxes.push(Mailbox {
            name: name.clone(),
            senders: 0,
            receivers: 1_u32.checked_shl(u32::try_from(thread.process).unwrap_or(u32::MAX)).unwrap_or(0),
            kind: MESSAGE,
            capacity,
            first_come: false,
            buffer,
        });
        if let Some(separation) = separation {
            assembly.objects.gates.push(Gate {
                name,
                before: Use::Receive(mailbox),
                separation,
                drops: false,
                tells: None,
            });
        }
        assembly.reports.extend(reports);
        if let Some(within) = within(assembly, description, supervisor) {
            assembly.watchdogs.push(Watchdog { thread: supervisor, mailbox, within });
        }
    }
}

/// How long a supervisor may stay away, if that is described: never less.
fn within(assembly: &Assembly, description: &Description, supervisor: usize) -> Option<Duration> {
    let name = &assembly.threads.get(supervisor)?.name;
    let row = description.threads.iter().find(|row| row.name.value == *name)?;
    Some(row.watchdog?.value.rounded_up(description.board.board.tick))
}

fn separation(thread: &Thread) -> Option<Duration> {
    match &thread.role {
        Role::Free { sporadic: Some(Sporadic { separation, .. }), .. } => Some(*separation),
        _ => None,
    }
}

fn told(assembly: &Assembly, description: &Description) -> Vec<(Subject, Incident, usize)> {
    let position = |name: &str| assembly.threads.iter().position(|thread| thread.name == name);
    let of_threads = assembly.threads.iter().enumerate().filter_map(|(index, thread)| {
        let process =
            description.processes.get(thread.process).filter(|_| !matches!(thread.role, Role::Idle));
        let told =
            thread.tells.as_deref().or(process.and_then(|process| Some(process.tells.as_ref()?.as_str())));
        let supervisor = position(told?).filter(|supervisor| *supervisor != index)?;
        Some((index, thread, supervisor))
    });
    let of_threads: Vec<_> = of_threads.collect();
    let lacks = of_threads.iter().filter(|_| assembly.counts_lacks);
    let lacks = lacks.map(|(index, _, supervisor)| (Subject::Lack(*index), Incident::Refusal, *supervisor));
    let lacks: Vec<_> = lacks.collect();
    let of_threads = of_threads.into_iter().flat_map(|(index, thread, supervisor)| {
        let incidents = incidents(thread).into_iter();
        incidents.map(move |incident| (Subject::Thread(index), incident, supervisor))
    });
    let gates = assembly.objects.gates.iter().enumerate();
    let of_gates = gates.filter_map(|(index, gate)| {
        Some((Subject::Gate(index), Incident::Refusal, position(gate.tells.as_deref()?)?))
    });
    of_threads.chain(of_gates).chain(lacks).collect()
}

/// What may happen to a thread.
fn incidents(thread: &Thread) -> Vec<Incident> {
    use Incident::{Fault, Miss, Overrun, Violation};
    match &thread.role {
        Role::Task(_) => vec![Fault, Overrun, Miss, Violation],
        Role::Periodic(_) => vec![Fault, Overrun, Miss],
        Role::Free { .. } if thread.budget.is_some() => vec![Fault, Overrun],
        Role::Free { .. } | Role::Drivers => vec![Fault],
        Role::Idle => Vec::new(),
    }
}

impl Assembly {
    /// Of how many kinds of incidents somebody is told that may happen to a thread's job, without faults.
    #[must_use]
    pub fn told_of_jobs(&self, thread: &Thread) -> usize {
        let index = self.threads.iter().position(|row| row.name == thread.name);
        let reports = index.into_iter().flat_map(|index| self.reports_of(Subject::Thread(index)));
        reports.filter(|report| report.incident != Incident::Fault).count()
    }

    /// Whether some thread supervises others.
    #[must_use]
    pub fn is_supervised(&self) -> bool {
        !self.reports.is_empty()
    }

    /// Whether any supervisor has a watchdog.
    #[must_use]
    pub fn has_watchdogs(&self) -> bool {
        !self.watchdogs.is_empty()
    }

    /// Whether a thread has one.
    #[must_use]
    pub fn is_watched_over(&self, thread: &Thread) -> bool {
        self.watchdogs.iter().any(|watchdog| self.threads[watchdog.thread].name == thread.name)
    }

    /// Whether somebody is told of what a gate refuses, or of what threads have no right to.
    #[must_use]
    pub fn has_told_refusals(&self) -> bool {
        self.reports.iter().any(|report| report.incident == Incident::Refusal)
    }

    /// What a supervisor is told of a thread or gate.
    pub fn reports_of(&self, subject: Subject) -> impl Iterator<Item = &Report> {
        self.reports.iter().filter(move |report| report.of == subject)
    }

    /// What comes in a mailbox: the number of the first report, and all of them.
    #[must_use]
    pub fn reports_in(&self, mailbox: usize) -> Option<(usize, &[Report])> {
        let first = self.reports.iter().position(|report| report.mailbox == mailbox)?;
        let own = &self.reports[first..];
        let count = own.iter().take_while(|report| report.mailbox == mailbox).count();
        Some((first, &own[..count]))
    }

    /// The name of a thread or gate as a variant of the application's enumeration of those that are watched.
    #[must_use]
    pub fn variant(&self, subject: Subject) -> String {
        let name = match subject {
            Subject::Thread(thread) | Subject::Lack(thread) => self.threads.get(thread).map(|row| &row.name),
            Subject::Gate(gate) => self.objects.gates.get(gate).map(|row| &row.name),
        };
        let words = name.map_or("", String::as_str).split(|c: char| !c.is_ascii_alphanumeric());
        let capital = |word: &str| word.get(..1).map(|first| first.to_ascii_uppercase() + &word[1..]);
        words.filter_map(capital).collect()
    }
}
