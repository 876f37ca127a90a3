//! `uses = ["map", "speed.read"]`: from texts to objects and what is done with them.

use super::diagnostic::{Problem, Reporter};
use super::doorbells;
use super::kinds::{KINDS, Kind, Role};
use super::section::Section;
use super::suggestion::{Quoted, closest, meant, suggestion};
use super::{Count, Hold, Objects, Placed, Use, code};
use crate::quantity::Nanoseconds;
use beryl_timing::Help;
use miette::SourceSpan;

/// The names of all objects, with what can be done with each.
pub(super) struct Known<'a> {
    objects: Vec<(&'a Placed<String>, &'static Kind, usize)>,
    all: &'a Objects,
    /// Whether some object can't be read: then unknown names may belong to it.
    unclear: bool,
}

impl<'a> Known<'a> {
    pub(super) fn new(objects: &'a Objects, unclear: bool) -> Known<'a> {
        Known { objects: named(objects).collect(), all: objects, unclear }
    }

    /// The names, in the order of the kinds.
    pub(super) fn names(&self) -> Vec<&'a Placed<String>> {
        self.objects.iter().map(|(name, ..)| *name).collect()
    }

    /// What the texts of a `uses` mean, in their order. Those that mean nothing are reported and left out.
    pub(super) fn resolve(&self, texts: Vec<Placed<String>>, reporter: &mut Reporter) -> Vec<Placed<Use>> {
        let mut uses: Vec<Placed<Use>> = Vec::new();
        for text in texts {
            let Some(used) = self.one(&text, reporter) else { continue };
            match uses.iter().find(|earlier| earlier.value == used.value) {
                Some(first) => twice(&text, first, reporter),
                None => uses.push(used),
            }
        }
        uses
    }

    /// What `hold = { map = "20us" }` says of things in `uses`.
    pub(super) fn holds(
        &self,
        section: &Section<'_>,
        uses: &[Placed<Use>],
        reporter: &mut Reporter,
    ) -> Vec<Hold> {
        let mut holds = Vec::new();
        for (name, time) in section.named::<Nanoseconds>("hold", reporter) {
            let named = |used: &&Placed<Use>| self.name(used.value) == Some(name.as_str());
            match uses.iter().find(|used| named(used) && self.is_held(used.value)) {
                Some(used) => holds.push(Hold { used: used.value, time }),
                None if self.unclear => {}
                None => self.not_held(&name, uses, reporter),
            }
        }
        holds
    }

    /// Whether it is taken and given back.
    fn is_held(&self, used: Use) -> bool {
        match used {
            Use::Lock(_) | Use::Call(_) => true,
            Use::Semaphore(index) => {
                self.all.semaphores.get(index).is_some_and(|row| matches!(row.count, Count::Binary { .. }))
            }
            _ => false,
        }
    }

    fn name(&self, used: Use) -> Option<&'a str> {
        let is = |role: &Role, index: usize| role.1(index) == used;
        let found =
            self.objects.iter().find(|(_, kind, index)| kind.roles.iter().any(|role| is(role, *index)));
        found.map(|(name, ..)| name.as_str())
    }

    fn not_held(&self, name: &Placed<String>, uses: &[Placed<Use>], reporter: &mut Reporter) {
        let held = uses.iter().filter(|used| self.is_held(used.value));
        let known: Vec<&str> = held.filter_map(|used| self.name(used.value)).collect();
        reporter.report(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("`{}` is nothing in its `uses` that is held", name.value),
            label: "unknown".to_owned(),
            help: match known.is_empty() {
                true => {
                    "locks, binary semaphores and the servers of calls are held: none of them is used".into()
                }
                false => meant(name.place, name, &known, "things that are held", Quoted::No),
            },
        });
    }

    fn one(&self, text: &Placed<String>, reporter: &mut Reporter) -> Option<Placed<Use>> {
        let (name, role) = text.split_once('.').unwrap_or((text.as_str(), ""));
        if let Some(bell) = self.all.doorbells.iter().find(|bell| bell.name.value == name) {
            let used = doorbells::used(bell, role, self.all);
            if used.is_none() {
                doorbells::wrong_role(text, name, reporter);
            }
            return used.map(|used| Placed::new(used, text.place));
        }
        let Some((_, kind, index)) = self.objects.iter().find(|(known, ..)| known.as_str() == name) else {
            if !self.unclear {
                let known: Vec<&str> = self.objects.iter().map(|(name, ..)| name.as_str()).collect();
                reporter.report(Problem {
                    code: code::UNKNOWN_NAME,
                    place: text.place,
                    message: format!("there is no object `{name}`"),
                    label: "unknown".to_owned(),
                    help: match role {
                        "priority" => {
                            format!("it is there if thread `{name}` says which it may have, like `priorities = [3, 8]`").into()
                        }
                        _ => object(text, name, &known),
                    },
                });
            }
            return None;
        };
        match kind.roles.iter().find(|(known, _)| *known == role) {
            Some((_, make)) => Some(Placed::new(make(*index), text.place)),
            None => {
                wrong_role(text, name, kind, reporter);
                None
            }
        }
    }
}

/// An object that was meant, with what stands behind its name.
fn object(text: &Placed<String>, name: &str, known: &[&str]) -> Help<SourceSpan> {
    let help = Help::from(suggestion(name, known, "objects"));
    let meant = closest(name, known).map(|meant| text.value.replacen(name, meant, 1));
    meant.into_iter().fold(help, |help, meant| help.or(text.place, format!("\"{meant}\"")))
}

fn wrong_role(text: &Placed<String>, name: &str, kind: &Kind, reporter: &mut Reporter) {
    let choices = kind.roles.iter().map(|(role, _)| match role.is_empty() {
        true => format!("\"{name}\""),
        false => format!("\"{name}.{role}\""),
    });
    let choices: Vec<_> = choices.collect();
    reporter.report(Problem {
        code: code::ROLE,
        place: text.place,
        message: format!("{} can't be used as `{}`", kind.with_article(), text.value),
        label: format!("`{name}` is {}", kind.with_article()),
        help: choices.iter().fold(Help::from(format!("write {}", choices.join(" or "))), |help, choice| {
            help.or(text.place, choice.clone())
        }),
    });
}

fn twice(text: &Placed<String>, first: &Placed<Use>, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::DUPLICATE_NAME,
        place: text.place,
        message: format!("`{}` stands here twice; one handle is enough", text.value),
        label: "second".to_owned(),
        help: "leave it out, with its parameter".into(),
    };
    reporter.report_with(problem, first.place, "first");
}

fn named(objects: &Objects) -> impl Iterator<Item = (&Placed<String>, &'static Kind, usize)> {
    let of = |kind: &'static Kind| {
        let names = (kind.names)(objects).into_iter().enumerate();
        names.map(move |(index, name)| (name, kind, index))
    };
    KINDS.iter().flat_map(of)
}
