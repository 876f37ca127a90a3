//! The rows of reports: what supervisors are told of.

use beryl_abi::{Incident, MailboxId};
use beryl_kernel::{ReportId, Telling, Watched};

use super::{Row, narrow};
use crate::assembly::Subject;
use crate::footprint::Sizes;
use crate::project::Project;

/// A row for each place of the tables of threads and gates; none at all if nobody supervises anybody.
pub(super) fn watched(project: &Project) -> Vec<Row<Watched>> {
    let assembly = &project.assembly;
    if !assembly.is_supervised() {
        return Vec::new();
    }
    let sizes = Sizes::of(assembly);
    let threads = (0..sizes.threads).map(Subject::Thread);
    let row = |subject: Subject| {
        let (mut row, mut name) = (Watched::NONE, String::new());
        for (number, report) in assembly.reports.iter().enumerate().filter(|(_, report)| report.of == subject)
        {
            name = assembly.variant(subject);
            row.reports[place(report.incident)] = ReportId(narrow(number, ReportId::NONE.0));
        }
        Row::new(&name, row)
    };
    let lacks = (0..sizes.lacked).map(Subject::Lack);
    threads.chain((0..sizes.gates).map(Subject::Gate)).chain(lacks).map(row).collect()
}

/// A row for each report.
pub(super) fn tellings(project: &Project) -> Vec<Row<Telling>> {
    let assembly = &project.assembly;
    let row = |report: &crate::assembly::Report| {
        let name = format!("{:?} of {}", report.incident, assembly.variant(report.of));
        Row::new(&name, Telling { mailbox: MailboxId(narrow(report.mailbox, u8::MAX)) })
    };
    assembly.reports.iter().map(row).collect()
}

/// Where the report of an incident stands among those of a thread or gate.
fn place(incident: Incident) -> usize {
    match incident {
        Incident::Fault | Incident::Refusal => 0,
        Incident::Overrun => 1,
        Incident::Miss => 2,
        Incident::Violation => 3,
    }
}
