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
    let others: Vec<_> = beginning(assembly, thread).map(uses).collect();
    let one = |(place, used): (usize, Use)| {
        let is_own = |other: &Vec<Use>| {
            other.get(place).is_some_and(|other| objects::is_one_handle(assembly, *other, used))
        };
        if others.iter().all(is_own) { Given::Handle(used) } else { Given::Object(used) }
    };
    uses(thread).into_iter().enumerate().map(one).collect()
}

/// Looks for threads that can't begin with the function of another.
///
/// # Errors
/// The first two.
pub fn check(assembly: &Assembly, function: &str) -> Result<(), Unlike> {
    let mut threads = assembly.threads.iter().filter(|thread| thread.function() == Some(function));
    let Some(first) = threads.next() else { return Ok(()) };
    threads.try_for_each(|other| alike(first, other))
}

fn alike(first: &Thread, other: &Thread) -> Result<(), Unlike> {
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
    let both = [uses(first), uses(other)];
    if both[0].len() != both[1].len() {
        return Err(unlike(format!("they use {} and {} objects", both[0].len(), both[1].len())));
    }
    let kinds = both.map(|uses| uses.into_iter().filter_map(common::kind).collect::<Vec<_>>());
    match kinds[0].iter().zip(&kinds[1]).position(|(one, another)| one != another) {
        None => Ok(()),
        Some(place) => {
            let [one, another] = kinds.map(|kinds| kinds[place].replace('_', " "));
            Err(unlike(format!("in place {} of `uses`, they have a {one} and a {another}", place + 1)))
        }
    }
}

/// The threads that begin with the function of one, itself among them.
fn beginning<'a>(assembly: &'a Assembly, thread: &'a Thread) -> impl Iterator<Item = &'a Thread> {
    assembly.threads.iter().filter(|other| other.function() == thread.function())
}

/// What a thread uses that has a form in C.
fn uses(thread: &Thread) -> Vec<Use> {
    thread.uses.iter().copied().filter(|used| common::kind(*used).is_some()).collect()
}
