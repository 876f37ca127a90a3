//! Clients: which limit a process has for which object. There is no such table where there are no limits.

use beryl_abi::ProcessId;

use crate::rows::limits::{Asked, Limit, LimitId};
use crate::sizes::Sizes;
use crate::table::Table;

/// The place of an object's client in the table of clients: mailboxes first, then endpoints, each with all processes.
/// Behind all of them nothing is.
#[doc(hidden)]
#[inline(always)]
#[must_use]
pub const fn client<S: Sizes>(of: Asked, client: ProcessId) -> usize {
    let object = match of {
        Asked::Nothing => return (S::Mailboxes::LENGTH + S::Endpoints::LENGTH) * S::Processes::LENGTH,
        Asked::Mailbox(mailbox) => mailbox.0 as usize,
        Asked::Endpoint(endpoint) => S::Mailboxes::LENGTH + endpoint.0 as usize,
    };
    object * S::Processes::LENGTH + client.0 as usize
}

/// The limit of each client of each object.
///
/// # Panics
///
/// If there is no such object or process. For a builder's tables that is a compile-time error.
#[must_use]
pub const fn clients<S: Sizes, const N: usize>(limits: &[Limit]) -> [LimitId; N] {
    let mut clients = [LimitId::NONE; N];
    let mut index = 0;
    // bound: the length of the table of limits
    while index < limits.len() {
        if !matches!(limits[index].of, Asked::Nothing) {
            clients[client::<S>(limits[index].of, limits[index].client)] = LimitId(index as u8);
        }
        index += 1;
    }
    clients
}
