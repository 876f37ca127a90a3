//! What a function in C is given with which threads begin: the handles of its thread, and where several threads begin with
//! it and use different objects of one kind, an object of that kind, by its value. A thread with an argument is given
//! that alone.

use super::{common, objects};
use crate::assembly::{Assembly, Thread, Use};

/// What a function is given in one place of its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// The thread's handle.
    Handle(Use),
    /// An object by its value.
    Object(Use),
}

/// Two threads that give one function what can't be one parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlike {
    /// Both threads.
    pub threads: [String; 2],
    /// What differs, in words.
    pub what: String,
}

/// What a thread gives to its function, in the order of the parameters.
#[must_use]
pub fn given(assembly: &Assembly, thread: &Thread) -> Vec<Given> {
    if thread.argument.is_some() {
        return Vec::new();
    }
    let others: Vec<_> = beginning(assembly, thread).map(|other| &other.uses).collect();
    let one = |(place, used): (usize, Use)| {
        let is_own = |other: &&Vec<Use>| {
            other.get(place).is_some_and(|other| objects::is_one_handle(assembly, *other, used))
        };
        if others.iter().all(is_own) { Given::Handle(used) } else { Given::Object(used) }
    };
    thread.uses.iter().copied().enumerate().map(one).collect()
}

/// What a thread has that comes as a handle only, in a word.
#[must_use]
pub fn only_by_handle(assembly: &Assembly, thread: &Thread) -> Option<String> {
    let only = thread.uses.iter().find(|used| common::kind(assembly, **used).is_none())?;
    objects::role(assembly, *only).map(|role| role.replace('_', " "))
}

/// Looks for threads that can't begin with the function of another.
///
/// # Errors
/// The first two.
pub fn check(assembly: &Assembly, function: &str) -> Result<(), Unlike> {
    let mut threads = assembly.threads.iter().filter(|thread| thread.function() == Some(function));
    let Some(first) = threads.next() else { return Ok(()) };
    threads.try_for_each(|other| alike(assembly, first, other))
}

fn alike(assembly: &Assembly, first: &Thread, other: &Thread) -> Result<(), Unlike> {
    let unlike = |what: String| Unlike { threads: [&first.name, &other.name].map(Clone::clone), what };
    if first.argument.is_some() != other.argument.is_some() {
        return Err(unlike("one of them has an `argument`".to_owned()));
    }
    if first.argument.is_some() {
        return Ok(());
    }
    if first.is_periodic() != other.is_periodic() {
        return Err(unlike("one of them has a period".to_owned()));
    }
    if first.uses.len() != other.uses.len() {
        return Err(unlike(format!("they use {} and {} objects", first.uses.len(), other.uses.len())));
    }
    for (place, (one, another)) in first.uses.iter().zip(&other.uses).enumerate() {
        let words = |used: Use| common::kind(assembly, used).or_else(|| objects::role(assembly, used));
        let kinds = [*one, *another].map(|used| words(used).unwrap_or_default().replace('_', " "));
        if kinds[0] != kinds[1] {
            let [one, another] = kinds;
            return Err(unlike(format!(
                "in place {} of `uses`, they have a {one} and a {another}",
                place + 1
            )));
        }
        if common::kind(assembly, *one).is_none() && !objects::is_one_handle(assembly, *one, *another) {
            let kind = &kinds[0];
            return Err(unlike(format!(
                "in place {} of `uses`, each has a {kind} of its own, which no value stands for",
                place + 1
            )));
        }
    }
    Ok(())
}

/// The threads that begin with the function of one, itself among them.
fn beginning<'a>(assembly: &'a Assembly, thread: &'a Thread) -> impl Iterator<Item = &'a Thread> {
    assembly.threads.iter().filter(|other| other.function() == thread.function())
}
