//! The rows of pools: who pays together with whom.

use beryl_abi::ThreadId;
use beryl_kernel::Pooled;

use super::{Row, narrow};
use crate::assembly::{Assembly, Thread};

/// A row for each thread; none at all if everybody pays alone.
pub(super) fn pools(assembly: &Assembly) -> Vec<Row<Pooled>> {
    if !assembly.has_pools() {
        return Vec::new();
    }
    let row = |thread: &Thread| Row::new(&thread.name, ring(assembly, thread).unwrap_or(Pooled::ALONE));
    assembly.threads.iter().map(row).collect()
}

/// The purse of a thread's pool, and who comes next.
fn ring(assembly: &Assembly, thread: &Thread) -> Option<Pooled> {
    let pool = thread.budget?.pool?;
    let members: Vec<(usize, &Thread)> = assembly.pool(pool.shared).collect();
    let own = members.iter().position(|(_, member)| member.name == thread.name)?;
    let (next, _) = members.get(own.saturating_add(1)).or(members.first())?;
    let (purse, _) = members.iter().find(|(_, member)| member.is_purse())?;
    let number = |index: &usize| ThreadId(narrow(*index, u8::MAX));
    Some(Pooled { purse: number(purse), next: number(next) })
}
