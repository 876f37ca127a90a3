//! The rows of limits of clients.

use beryl_abi::{EndpointId, MailboxId, ProcessId};
use beryl_kernel::{Asked, Limit};

use super::{Row, narrow};
use crate::assembly::{Use, objects};
use crate::project::Project;

/// A row for each limit, in the order of the assembly, whose credits lie one behind the other.
pub(super) fn limits(project: &Project) -> Vec<Row<Limit>> {
    let assembly = &project.assembly;
    let mut first = 0_u16;
    let row = |limit: &objects::Limit| {
        let of = match limit.of {
            Use::Send(index) => Asked::Mailbox(MailboxId(narrow(index, u8::MAX))),
            Use::Call(index) => Asked::Endpoint(EndpointId(narrow(index, u8::MAX))),
            _ => Asked::Nothing,
        };
        let within = u32::try_from(limit.within.ticks()).unwrap_or(Limit::LONGEST).min(Limit::LONGEST);
        let client = ProcessId(narrow(limit.client, u8::MAX));
        let row = Limit { of, client, first, requests: limit.requests, within };
        first = first.saturating_add(limit.requests.into());
        let client = assembly.processes.get(limit.client).map_or("", |process| &process.name);
        Row::new(&format!("{} of {client}", limit.name), row)
    };
    assembly.objects.limits.iter().map(row).collect()
}
