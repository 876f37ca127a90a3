//! Which threads may run in whose place. A thread that waits for a binary semaphore lends its place to the owner,
//! and a client lends its place to its server.
//!
//! The borrower runs as urgently as the lender, also when it takes a ceiling lock meanwhile. So the lock's ceiling
//! must be above the lender, too. Otherwise the borrower could enter a section while a thread between the two is
//! inside.

use std::collections::BTreeSet;

use beryl_abi::Duration;

use super::objects::Semaphore;
use super::{Assembly, Thread, Use};

/// The threads that use an object in this way.
#[must_use]
pub fn users(assembly: &Assembly, used: Use) -> Vec<usize> {
    let threads = assembly.threads.iter().enumerate();
    threads.filter(|(_, thread)| thread.uses.contains(&used)).map(|(index, _)| index).collect()
}

/// All other threads in whose places this one may run, also by way of further threads.
#[must_use]
pub fn of(assembly: &Assembly, thread: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([thread]);
    let mut left = vec![thread];
    while let Some(next) = left.pop() {
        left.extend(at_once(assembly, next).into_iter().filter(|lender| found.insert(*lender)));
    }
    found.remove(&thread);
    found
}

/// All other threads in whose places this one's sections may go on: what a server does for it is one, too.
#[must_use]
pub fn of_sections(assembly: &Assembly, thread: usize) -> BTreeSet<usize> {
    let uses = assembly.threads.get(thread).map(|row| row.uses.as_slice()).unwrap_or_default();
    let servers = uses.iter().flat_map(|used| match *used {
        Use::Call(index) => users(assembly, Use::Serve(index)),
        _ => Vec::new(),
    });
    let mut all: BTreeSet<usize> =
        servers.chain([thread]).flat_map(|borrower| of(assembly, borrower)).collect();
    all.remove(&thread);
    all
}

/// Only those that lend it their places directly.
fn at_once(assembly: &Assembly, thread: usize) -> Vec<usize> {
    let lend = |used: &Use| match *used {
        Use::Semaphore(index) if has_owner(assembly, index) => users(assembly, *used),
        Use::Serve(index) => users(assembly, Use::Call(index)),
        _ => Vec::new(),
    };
    let uses = assembly.threads.get(thread).map(|row| row.uses.as_slice()).unwrap_or_default();
    uses.iter().flat_map(lend).filter(|lender| *lender != thread).collect()
}

/// How long a section may go on in a thread's place at most, as it is described: under a lock that it uses,
/// whoever holds that, or at a server that it calls. Zero where nothing is described.
#[must_use]
pub fn longest_section(assembly: &Assembly, thread: &Thread) -> Duration {
    let section = |used: &Use| {
        let holders = match *used {
            Use::Lock(_) | Use::Semaphore(_) => users(assembly, *used),
            // A client's section is the server's.
            Use::Call(_) => return assembly.hold(thread, *used),
            _ => Vec::new(),
        };
        holders.iter().filter_map(|holder| assembly.hold(assembly.threads.get(*holder)?, *used)).max()
    };
    thread.uses.iter().filter_map(section).max().unwrap_or(Duration::ZERO)
}

/// Whether a semaphore is a binary one.
#[must_use]
pub fn has_owner(assembly: &Assembly, semaphore: usize) -> bool {
    let row = assembly.objects.semaphores.get(semaphore);
    row.is_some_and(Semaphore::has_owner)
}
