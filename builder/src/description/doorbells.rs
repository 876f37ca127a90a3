//! `[doorbell.NAME]`: how threads of one core tell a thread of another that something has happened.
//!
//! A doorbell is what it is to the kernel that is looked at: a notification for that of the core which rings it, and an
//! interrupt for that of the core at which it rings ([`beryl_abi::doorbell`]). To a description as a whole it is a notification.

use std::collections::BTreeMap;

use super::diagnostic::{Problem, Reporter};
use super::section::Section;
use super::{Doorbell, Interrupt, Objects, Placed, Side, Use, code};
use beryl_timing::Help;

/// The keys of a doorbell.
pub(super) const KEYS: &[&str] = &["separation"];
/// What can be done with one.
pub(super) const ROLES: [&str; 2] = ["ring", "hear"];

/// A doorbell as the file has it.
pub(super) fn doorbell(
    name: Placed<String>,
    section: &Section<'_>,
    reporter: &mut Reporter,
) -> Option<Doorbell> {
    Some(Doorbell { name, separation: section.required("separation", reporter)?, side: Side::Both })
}

/// What each doorbell is to a part of the system, by its name.
pub(super) type Sides = BTreeMap<String, Side>;

/// Adds what the doorbells are to the part that is read, or to the whole.
pub(super) fn add(objects: &mut Objects, sides: Option<&Sides>) {
    for bell in &mut objects.doorbells {
        bell.side = sides.and_then(|sides| sides.get(&bell.name.value)).copied().unwrap_or(Side::Both);
        match bell.side {
            Side::Both | Side::Rings(_) => objects.notifications.push(bell.name.clone()),
            Side::Hears(line) => objects.interrupts.push(Interrupt {
                name: bell.name.clone(),
                line: Placed::new(line, bell.name.place),
                separation: Some(bell.separation),
                is_silent: false,
                is_bell: true,
            }),
        }
    }
    objects.interrupts.sort_by_key(|interrupt| interrupt.line.value);
}

/// What a role of a doorbell is, if it has that.
pub(super) fn used(bell: &Doorbell, role: &str, objects: &Objects) -> Option<Use> {
    let name = &bell.name.value;
    let notification = || objects.notifications.iter().position(|row| row.value == *name);
    match (role, bell.side) {
        ("ring", _) => notification().map(Use::Notify),
        ("hear", Side::Hears(_)) => {
            objects.interrupts.iter().position(|row| row.name.value == *name).map(Use::Interrupt)
        }
        ("hear", _) => notification().map(Use::Await),
        _ => None,
    }
}

/// It is used as something else.
pub(super) fn wrong_role(text: &Placed<String>, name: &str, reporter: &mut Reporter) {
    let choices = ROLES.map(|role| format!("\"{name}.{role}\""));
    let help = Help::from(format!("write {}", choices.join(" or ")));
    reporter.report(Problem {
        code: code::ROLE,
        place: text.place,
        message: format!("a doorbell can't be used as `{}`", text.value),
        label: format!("`{name}` is a doorbell"),
        help: choices.into_iter().fold(help, |help, choice| help.or(text.place, choice)),
    });
}
