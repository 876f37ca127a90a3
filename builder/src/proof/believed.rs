//! What the proof believes about locks, about waits with limits, and about a kernel on another core, although nothing enforces it, in
//! words.
//!
//! A thread that takes a ceiling lock raises itself, by a word of its own. The kernel believes this word, up to
//! the highest ceiling of the thread's locks. All users of a lock are in one process, but levels count across
//! processes. So a `hold` that isn't kept delays every thread up to the ceiling, in whatever process.

use std::collections::BTreeSet;

use super::unproved::View;
use crate::assembly::{Assembly, Use, lenders};
use crate::board::Board;
use crate::load::may_wait_for;

/// The declared holds on which the proof of threads in other processes rests, a clause each.
#[must_use]
pub fn believed(assembly: &Assembly) -> Vec<String> {
    let view = View::of(assembly);
    let locks = assembly.objects.locks.iter().enumerate();
    let clause = |(index, row): (usize, &crate::assembly::objects::Lock)| {
        let names = others(&view, Use::Lock(index));
        let first = names.first()?;
        let whom = match names.len() {
            1 => format!("`{first}` of another process waits, though it doesn't"),
            count => format!("`{first}` and {} more of other processes wait, though they don't", count - 1),
        };
        Some(format!("no user of lock `{}` stays inside for longer than its `hold`: {whom} use it", row.name))
    };
    locks.filter_map(clause).chain(limits(assembly)).collect()
}

/// What kernels are charged is held by bounds of their machine code, where threads and kernel take turns.
#[must_use]
pub fn believed_charges(board: &Board) -> Option<String> {
    board.has_kernel_apart().then(|| {
        "no step of the kernel takes longer than it is charged: with two cores at work that was seen, and isn't derived".to_owned()
    })
}

/// A wait with a limit is paid from the budget that a thread shares: of each thing that it may wait for, once in a job.
fn limits(assembly: &Assembly) -> impl Iterator<Item = String> {
    let waiting = assembly.threads.iter().filter(|thread| thread.is_member() && may_wait_for(thread) > 0);
    waiting.map(|thread| {
        format!("`{}` waits with a time limit at most once in a job for each thing that it uses", thread.name)
    })
}

/// The proved threads that may have to wait for a lock with declared holds, in processes that don't use it.
fn others<'a>(view: &View<'a>, used: Use) -> Vec<&'a str> {
    let threads = &view.assembly.threads;
    let users = lenders::users(view.assembly, used);
    let processes: BTreeSet<usize> = users.iter().map(|user| threads[*user].process).collect();
    let holders = users.iter().filter(|user| !threads[**user].is_policed);
    let holders = holders.filter(|user| view.assembly.hold(&threads[**user], used).is_some());
    let holders: Vec<usize> = holders.copied().collect();
    let held_up = view.those(|thread| {
        let is_held_up = |holder: &usize| view.is_held_up(thread, *holder, used, &users);
        !processes.contains(&threads[thread].process) && holders.iter().any(is_held_up)
    });
    held_up.into_iter().map(|thread| threads[thread].name.as_str()).collect()
}
