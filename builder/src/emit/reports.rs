//! Glue for supervisors: what each report is about, in the words of the application's enumeration of those that are
//! watched.

use std::collections::BTreeSet;

use crate::assembly::{Assembly, Report};

/// For each supervisor of a process what it is told of, by the numbers of the reports; and what the compiler must find
/// in the application.
pub(super) fn reports(assembly: &Assembly, process: usize) -> String {
    let is_its = |report: &&Report| assembly.threads[report.supervisor].process == process;
    let mailboxes: BTreeSet<usize> =
        assembly.reports.iter().filter(is_its).map(|report| report.mailbox).collect();
    if mailboxes.is_empty() {
        return String::new();
    }
    mailboxes.iter().map(|mailbox| table(assembly, *mailbox)).collect::<String>() + &watched(assembly)
}

fn table(assembly: &Assembly, mailbox: usize) -> String {
    let reports = assembly.reports_in(mailbox).map_or(&[][..], |(_, reports)| reports);
    let row = |report: &Report| {
        let (who, what) = (assembly.variant(report.of), report.incident);
        format!("    (application::Watched::{who}, supervisor::Incident::{what:?}),\n")
    };
    format!(
        "\n/// What the messages of `{}` are about.\nstatic REPORTS_{mailbox}: [(application::Watched, supervisor::Incident); {}] = [\n{}];\n",
        assembly.objects.mailboxes[mailbox].name,
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
