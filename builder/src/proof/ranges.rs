//! Threads whose priority may change. What is proved holds for every priority that they may have, at any time.
//!
//! While a job of a thread isn't done, the processor works for this thread, for more urgent ones, or for one that
//! keeps them waiting by a lock. A thread that is ever more urgent than it is also more urgent when it has its
//! highest priority and this thread its lowest. The order in which more urgent work is done makes no difference to
//! when the thread has its turn. So each thread whose priority may change is proved at its lowest priority, with
//! all others at their highest; and all other threads are proved with these at their highest.
//!
//! A thread that counts as more urgent may hold a lock while it is less urgent. That is counted already, since all
//! of its work is. Ceilings follow from the highest priority that each user may have, as in the kernel.

use std::sync::Arc;

use beryl_analysis::{BandProof, Method, TaskProof};

use super::Proved;
use crate::assembly::{Assembly, Thread};
use crate::project::Project;

/// For each thread whose priority may change: its name, and the project with this thread at its least urgent.
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

/// The project with all of them at their most urgent, and those with one at its least urgent.
pub(super) fn all(project: Project) -> impl Iterator<Item = Project> {
    let lowered: Vec<_> = lowered(&project).map(|(_, project)| project).collect();
    std::iter::once(project).chain(lowered)
}

/// Takes over what was proved about a thread at its least urgent.
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

/// How priorities that change are counted, in words, if there are any.
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
