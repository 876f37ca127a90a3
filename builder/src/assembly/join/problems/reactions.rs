//! What can be wrong with what is to be done about late jobs, in words.

use beryl_timing as timing;

use super::Found;
use crate::description::{self, Description, Placed, code};

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
                )
                .into(),
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
                help: "write `on_miss = \"skip\"`, or let its modes invoke it in one way".into(),
            },
        );
    }

    pub fn mode_of_asynchronous(
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
                    "task `{}` is released by an event, whichever mode its module is in: another mode would release it as this one does",
                    task.value
                ),
                label: "asynchronous".to_owned(),
                help: "leave `mode` out, or test one of its outputs in a guard of the mode".into(),
            },
        );
    }

    pub fn undescribed_call(&mut self, description: &Description, function: &Placed<String>) {
        let known: Vec<_> = description.drivers.iter().map(|row| row.name.value.as_str()).collect();
        self.in_description(
            description,
            description::Problem {
                code: code::UNKNOWN_NAME,
                place: function.place,
                message: format!("nothing says where the native driver `{}` runs", function.value),
                label: "no such driver".to_owned(),
                help: description::suggestion(
                    &function.value,
                    &known,
                    &format!(
                        "drivers; another one needs a section [driver.{}] with its process and its worst execution time",
                        function.value
                    ),
                ).into(),
            },
        );
    }

    pub fn called_with_something_else(&mut self, description: &Description, function: &Placed<String>) {
        self.in_description(
            description,
            description::Problem {
                code: code::CONFLICT,
                place: function.place,
                message: format!("`{}` is given values of another type elsewhere", function.value),
                label: "one function, one type".to_owned(),
                help: "call another function, or name an output of that type with `with`".into(),
            },
        );
    }
}
