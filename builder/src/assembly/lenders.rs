//! Which threads may run in whose place. A thread that waits for a binary semaphore lends its place to the owner,
//! and a client lends its place to its server.
//!
//! The borrower runs as urgently as the lender, also when it takes a ceiling lock meanwhile. So the lock's ceiling
//! must be above the lender, too. Otherwise the borrower could enter a section while a thread between the two is
//! inside.

use std::collections::BTreeSet;

use super::objects::Count;
use super::{Assembly, Use};

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

/// Whether a semaphore is a binary one.
#[must_use]
pub fn has_owner(assembly: &Assembly, semaphore: usize) -> bool {
    let row = assembly.objects.semaphores.get(semaphore);
    row.is_some_and(|row| matches!(row.count, Count::Binary { .. }))
}
