//! The parameters of a prototype, each with a name of its own. Ports, objects, and what the builder calls a message or
//! a wait get their names from different people. And a name that is also the type of a later parameter would hide
//! that type.

use std::collections::BTreeSet;
use std::iter;

use super::identifier;

/// A parameter: its name, and what is around it.
pub(super) struct Parameter {
    before: String,
    name: String,
    after: String,
}

impl Parameter {
    /// A parameter whose type stands before its name.
    pub(super) fn new(before: &str, name: &str) -> Parameter {
        Parameter { before: before.to_owned(), name: identifier(name), after: String::new() }
    }

    /// A parameter whose type goes on behind its name.
    pub(super) fn around(before: &str, name: &str, after: &str) -> Parameter {
        Parameter { after: after.to_owned(), ..Parameter::new(before, name) }
    }

    /// The same by another name.
    pub(super) fn named(self, name: &str) -> Parameter {
        Parameter { name: name.to_owned(), ..self }
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.before.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
    }
}

/// What stands between the parentheses of a prototype. A name that is taken gets a number.
pub(super) fn list(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return "void".to_owned();
    }
    let mut taken: BTreeSet<_> = parameters.iter().flat_map(Parameter::words).map(str::to_owned).collect();
    let spelled = parameters.iter().map(|Parameter { before, name, after }| {
        let name = free(name, &taken);
        let text = format!("{before}{name}{after}");
        taken.insert(name);
        text
    });
    spelled.collect::<Vec<_>>().join(", ")
}

/// The name, or its first with a number that nothing has.
fn free(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..=taken.len() + 2).map(|number| format!("{name}_{number}"));
    let mut names = iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(name)).unwrap_or_default()
}
