//! Lateness: how long after an instant the kernel is done with what it does at it, drivers included.

use beryl_analysis::Failure;

use super::{judge, ranges};
use crate::load::system;
use crate::project::Project;
use crate::quantity::Nanoseconds;

/// The most of that, whichever of a system's programs run.
///
/// # Errors
/// It can't be told; then deadlines don't hold either.
pub fn lateness(project: &Project) -> Result<Nanoseconds, Failure> {
    let each = judge::all(project).flat_map(ranges::all);
    let each = each.map(|project| beryl_analysis::lateness(&system(&project)));
    let most = each.reduce(|one, other| Ok(one?.max(other?))).transpose()?.unwrap_or_default();
    Ok(Nanoseconds::new(most.get().saturating_mul(u64::from(project.tick()))))
}
