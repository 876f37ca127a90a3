//! Threads whose priority may change: what is proved holds for every priority that anybody may have at any time.
//!
//! While a job of a thread isn't done, the processor works for it, for those that are more urgent, or for one
//! that holds them up by a lock. Whoever is more urgent at some time is so where it is at its most urgent and
//! the thread at its least; and in which order these are done before the thread has its turn makes no
//! difference to when that is. So each such thread is proved at its least urgent, with all others at their
//! most urgent; all others with these at their most urgent. Who is counted as more urgent, and holds a lock
//! at a time when it is less, is counted with all of its work, which contains that. Ceilings are those of the
//! most urgent that each user may be, as in the kernel.

use std::sync::Arc;

use beryl_analysis::{BandProof, Method, TaskProof};

use super::Proved;
use crate::assembly::{Assembly, Thread};
use crate::project::Project;

/// A project in which one of the threads whose priority may change is at its least urgent, with the thread's
/// name, for each of them.
pub(super) fn lowered(project: &Project) -> impl Iterator<Item = (String, Project)> + '_ {
    let threads = project.assembly.threads.iter().enumerate();
    threads.filter_map(move |(index, row)| {
        let [least, _] = row.priorities?;
        let lowered = project.with(|system| {
            let threads = &mut Arc::make_mut(&mut system.costed.assembly).threads;
            threads
                .iter_mut()
                .skip(index)
                .take(1)
                .for_each(|row| (row.place, row.priorities) = (least, None));
        });
        Some((row.name.clone(), lowered))
    })
}

/// The project, in which all of them are at their most urgent, and those.
pub(super) fn all(project: Project) -> impl Iterator<Item = Project> {
    let lowered: Vec<_> = lowered(&project).map(|(_, project)| project).collect();
    std::iter::once(project).chain(lowered)
}

/// Takes over what was proved of a thread at its least urgent.
pub(super) fn take_over(proved: &mut Proved, name: &str, lowered: Proved) {
    let bands = proved.proof.bands.iter_mut().zip(&lowered.proof.bands);
    for (band, other) in bands {
        take_over_in(band, name, other);
    }
    proved.lowered.push(lowered.of);
}

fn take_over_in(band: &mut BandProof, name: &str, other: &BandProof) {
    let is_its = |task: &&TaskProof| task.name == name;
    let Some(found) = other.tasks.iter().find(is_its) else { return };
    for task in band.tasks.iter_mut().filter(|task| task.name == name && task.response <= found.response) {
        *task = found.clone();
    }
    band.method = weaker(band.method, other.method);
}

/// The one that holds for less.
fn weaker(one: Method, other: Method) -> Method {
    let strength = |method| match method {
        Method::Schedule => 0,
        Method::Offsets => 1,
        Method::ResponseTime | Method::ProcessorDemand => 2,
    };
    if strength(other) < strength(one) { other } else { one }
}

/// How priorities that change are counted, in words; nothing if none does.
#[must_use]
pub fn ranges(assembly: &Assembly) -> Option<String> {
    let name = |thread: &Thread| {
        thread.priorities.map(|[least, most]| format!("`{}` ({least} to {most})", thread.name))
    };
    let names: Vec<_> = assembly.threads.iter().filter_map(name).collect();
    let whose = match names.as_slice() {
        [] => return None,
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    };
    Some(format!(
        "priorities may change: of {whose}. Each is counted at its least urgent for its own jobs, and at its most urgent for those of others"
    ))
}
