//! Names that two things would have in the headers: names that the builder derives (`x_slow_reader` of `x_slow` and of
//! `x`), those of structs and native functions, and those of `beryl.h`. In C all of them share one name space, and
//! so they do for the linker.

use std::collections::BTreeMap;

use super::{common, direct, identifier, objects, plain};
use crate::assembly::Assembly;

/// A name that two things have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The name.
    pub name: String,
    /// Both things, in words.
    pub things: [String; 2],
}

/// The first things that can't be in the headers together, if there are any.
#[must_use]
pub fn first(assembly: &Assembly) -> Option<Clash> {
    if assembly.in_c.is_empty() {
        return None;
    }
    let own = plain::names().map(|name| (name, format!("what `{}` declares", plain::HEADER)));
    let direct = direct::names(assembly).map(|name| (name, format!("what `{}` declares", direct::HEADER)));
    let records = assembly
        .records
        .iter()
        .map(|record| (identifier(&record.name), format!("the struct `{}`", record.name)));
    let functions = assembly.in_c.iter().map(|name| (name.clone(), format!("the function `{name}`")));
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (name, thing) in own
        .chain(direct)
        .chain(records)
        .chain(functions)
        .chain(objects::names(assembly))
        .chain(common::values(assembly))
    {
        match seen.get(&name) {
            Some(other) if *other != thing => return Some(Clash { name, things: [other.clone(), thing] }),
            _ => seen.insert(name, thing),
        };
    }
    None
}
