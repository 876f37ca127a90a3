//! Constant rows of reports: what supervisors are told of.

use beryl_abi::{Incident, MailboxId};

/// Which reports there are of a thread, or of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Watched {
    /// The report of each incident that may happen to a thread; of a gate the first is that of refusals.
    pub reports: [ReportId; Incident::OF_A_THREAD],
}

/// A report: one kind of incident that happens to one thread, or at one gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Telling {
    /// The mailbox of the supervisor that is told. It has a place for each of its reports, and nobody may send to it.
    pub mailbox: MailboxId,
}

/// Names a report; it is an index into the table of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReportId(pub u8);

impl ReportId {
    /// No report.
    pub const NONE: ReportId = ReportId(u8::MAX);

    /// Its row.
    #[inline(always)]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is one.
    #[inline(always)]
    pub(crate) const fn is_some(self) -> bool {
        self.0 != ReportId::NONE.0
    }
}

impl Watched {
    /// Nobody is told.
    pub const NONE: Watched = Watched { reports: [ReportId::NONE; Incident::OF_A_THREAD] };

    /// The report of an incident.
    #[inline(always)]
    pub(crate) fn report(&self, incident: Incident) -> ReportId {
        match incident {
            Incident::Fault | Incident::Refusal => self.reports[0],
            Incident::Overrun => self.reports[1],
            Incident::Miss => self.reports[2],
            Incident::Violation => self.reports[3],
        }
    }
}

impl Telling {
    /// A row that isn't used.
    pub const NONE: Telling = Telling { mailbox: MailboxId(0) };
}
