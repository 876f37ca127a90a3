//! The rules for processes that can be replaced: they begin anew after a fault, another process sends the new one, and
//! the rooms are made of whole words.

use super::Check;
use crate::description::diagnostic::{Problem, Reporter};
use crate::description::readable::Parts;
use crate::description::{Placed, Process, Use, code};
use crate::quantity::Bytes;

/// The largest room.
const LARGEST: u32 = 256 * 1024;
/// What a room must be a multiple of.
const UNIT: u32 = 32;

impl Check<'_> {
    pub(super) fn replaceable(&self, parts: &Parts, reporter: &mut Reporter) {
        for (index, name) in parts.objects.replaceable.iter().enumerate() {
            self.senders(index, name, parts, reporter);
            self.knows_its_image(index, name, parts, reporter);
            // One that can't be read is reported already.
            let process = parts.processes.iter().find(|process| *process.name == **name);
            if let Some((process, room)) = process.and_then(|process| Some((process, process.replaceable?))) {
                size(room, reporter);
                begins_anew(process, room, reporter);
            }
        }
    }

    /// What knows the identity of its image isn't replaced: it would be made before that is known.
    fn knows_its_image(&self, index: usize, name: &Placed<String>, parts: &Parts, reporter: &mut Reporter) {
        let own = parts.processes.iter().position(|process| *process.name == **name);
        // Who replaces itself is told so already.
        let knows = |used: &&Placed<Use>| match used.value {
            Use::Slot(_) | Use::Trace => true,
            Use::Replace(other) => other != index,
            _ => false,
        };
        for user in self.users.iter().filter(|user| Some(user.process.index()) == own) {
            let Some(used) = user.uses.iter().find(knows) else { continue };
            let problem = Problem {
                code: code::CONFLICT,
                place: used.place,
                message: format!(
                    "process `{}` can't be replaced: `{}` is a part of it, and has to know which image runs",
                    name.value, user.name.value
                ),
                label: "has to know the image".to_owned(),
                help: "let a thread of another process do so".into(),
            };
            reporter.report_with(problem, name.place, "this process");
        }
    }

    /// Somebody replaces it, and not itself.
    fn senders(&self, index: usize, name: &Placed<String>, parts: &Parts, reporter: &mut Reporter) {
        let own = parts.processes.iter().position(|process| *process.name == **name);
        let users = self.of(Use::Replace(index));
        if users.is_empty() {
            reporter.report(Problem {
                code: code::USERS,
                place: name.place,
                message: format!("nobody replaces process `{}`", name.value),
                label: "here".to_owned(),
                help: format!("add \"{}.replace\" to some `uses`, or leave `replaceable` out", name.value)
                    .into(),
            });
        }
        for place in users.iter().filter(|place| Some(place.user.process.index()) == own) {
            let problem = Problem {
                code: code::USERS,
                place: place.place,
                message: format!(
                    "`{}` can't replace process `{}`: it is a part of it, and would be stopped",
                    place.user.name.value, name.value
                ),
                label: "of the same process".to_owned(),
                help: "let a thread of another process do so".into(),
            };
            reporter.report_with(problem, name.place, "this process");
        }
    }
}

fn size(room: Placed<Bytes>, reporter: &mut Reporter) {
    let size = room.get();
    if size == 0 || size > LARGEST || !size.is_multiple_of(UNIT) {
        reporter.report(Problem {
            code: code::RANGE,
            place: room.place,
            message: format!("a process can't have rooms of {size} bytes"),
            label: "out of range".to_owned(),
            help: format!("write a multiple of {UNIT}, at most {}k; it's kept twice", LARGEST / 1024).into(),
        });
    }
}

/// A new one begins as after a fault.
fn begins_anew(process: &Process, room: Placed<Bytes>, reporter: &mut Reporter) {
    if process.restarts.is_none() {
        reporter.report(Problem {
            code: code::CONFLICT,
            place: room.place,
            message: format!(
                "process `{}` is replaced by beginning anew, and never does",
                process.name.value
            ),
            label: "not without restarts".to_owned(),
            help: "add `on_fault = \"restart\"` and `restarts = { most = 3, within = \"1s\" }`".into(),
        });
    }
}
