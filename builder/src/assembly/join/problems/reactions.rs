//! What can be wrong with what is to be done about late jobs, in words.

use beryl_timing as timing;

use super::Found;
use crate::description::{self, Description, Placed, Task, code};

impl Found {
    /// A mode or an actuator that the task's module doesn't have: the kind of thing, one and several.
    pub fn unknown_of_module(
        &mut self,
        description: &Description,
        name: &Placed<String>,
        (one, several): (&str, &str),
        module: &timing::Module,
        known: &[&str],
    ) {
        self.in_description(
            description,
            description::Problem {
                code: code::UNKNOWN_NAME,
                place: name.place,
                message: format!("module `{}` has no {one} `{}`", module.name, name.value),
                label: format!("no such {one}"),
                help: description::suggestion(
                    &name.value,
                    known,
                    &format!("{several} of this task's module"),
                ),
            },
        );
    }

    pub fn differs_between_releases(
        &mut self,
        description: &Description,
        task: &Placed<String>,
        place: miette::SourceSpan,
    ) {
        self.in_description(
            description,
            description::Problem {
                code: code::CONFLICT,
                place,
                message: format!(
                    "releases of task `{}` can't be made up for: they must all be alike, without guards and slots, with the same \
                     inputs and logical execution times in all modes, with outputs that keep to them, in a module without a slot",
                    task.value
                ),
                label: "not of this task".to_owned(),
                help: "write `on_miss = \"skip\"`, or let its modes invoke it in one way".to_owned(),
            },
        );
    }

    pub fn reaction_of_asynchronous(&mut self, description: &Description, task: &Task) {
        self.in_description(
            description,
            description::Problem {
                code: code::CONFLICT,
                place: task.name.place,
                message: format!(
                    "task `{}` is released by an event, and its late jobs are stopped: `on_miss` is for tasks of modes",
                    task.name.value
                ),
                label: "asynchronous".to_owned(),
                help: "leave `on_miss` out".to_owned(),
            },
        );
    }
}
