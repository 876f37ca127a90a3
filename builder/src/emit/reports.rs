//! Glue for supervisors: what each report is about, in the words of the application's enumeration of those that are
//! watched.

use std::collections::BTreeSet;

use crate::assembly::{Assembly, Report, Subject, Thread};

/// For each supervisor of a process what it is told of, by the numbers of the reports; and what the compiler must find
/// in the application.
pub(super) fn reports(assembly: &Assembly, process: usize) -> String {
    let is_its = |report: &&Report| assembly.threads[report.supervisor].process == process;
    let mailboxes: BTreeSet<usize> =
        assembly.reports.iter().filter(is_its).map(|report| report.mailbox).collect();
    if mailboxes.is_empty() {
        return String::new();
    }
    let tables = mailboxes.iter().map(|mailbox| table(assembly, *mailbox)).collect::<String>();
    let is_in_rust = |report: &Report| !is_in_c(assembly, report.supervisor);
    match assembly.reports.iter().filter(is_its).any(is_in_rust) {
        true => tables + &watched(assembly),
        false => tables,
    }
}

/// Whether a supervisor's function is in C.
#[must_use]
pub fn is_in_c(assembly: &Assembly, supervisor: usize) -> bool {
    let thread = assembly.threads.get(supervisor);
    thread.and_then(Thread::function).is_some_and(|function| assembly.in_c.contains(function))
}

/// What those that are watched are for a supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// A variant of the application's enumeration.
    Variant,
    /// In C, its number among these variants.
    Number,
}

impl Who {
    pub(super) fn of(assembly: &Assembly, mailbox: usize) -> Who {
        let reports = assembly.reports_in(mailbox).map_or(&[][..], |(_, reports)| reports);
        match reports.first().is_some_and(|report| is_in_c(assembly, report.supervisor)) {
            true => Who::Number,
            false => Who::Variant,
        }
    }

    /// Its type in Rust.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Who::Variant => "application::Watched",
            Who::Number => "u32",
        }
    }
}

fn table(assembly: &Assembly, mailbox: usize) -> String {
    let reports = assembly.reports_in(mailbox).map_or(&[][..], |(_, reports)| reports);
    let variants = variants(assembly);
    let kind = Who::of(assembly, mailbox);
    let who = |subject: Subject| {
        let name = assembly.variant(subject);
        match kind {
            Who::Number => {
                variants.iter().position(|variant| *variant == name).unwrap_or_default().to_string()
            }
            Who::Variant => format!("{}::{name}", kind.kind()),
        }
    };
    let row =
        |report: &Report| format!("    ({}, supervisor::Incident::{:?}),\n", who(report.of), report.incident);
    format!(
        "\n/// What the messages of `{}` are about.\nstatic REPORTS_{mailbox}: [({}, supervisor::Incident); {}] = [\n{}];\n",
        assembly.objects.mailboxes[mailbox].name,
        kind.kind(),
        reports.len(),
        reports.iter().map(row).collect::<String>(),
    )
}

/// The application's enumeration of those that are watched.
pub const WATCHED: &str = "Watched";

/// Its variants.
#[must_use]
pub fn variants(assembly: &Assembly) -> BTreeSet<String> {
    assembly.reports.iter().map(|report| assembly.variant(report.of)).collect()
}

fn watched(assembly: &Assembly) -> String {
    let arms = variants(assembly)
        .into_iter()
        .map(|variant| format!("        application::Watched::{variant} => {{}}\n"));
    format!(
        "\n/// Who is watched: `#[derive(Clone, Copy)] pub enum Watched` of the application, with these and no others.\n\
         #[allow(dead_code)]\nfn watched(who: application::Watched) {{\n    match who {{\n{}    }}\n}}\n",
        arms.collect::<String>(),
    )
}
