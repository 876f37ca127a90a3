//! What can be wrong with tasks that something else than time releases, in words.

use beryl_timing::{self as timing, Model, Place, Type};

use super::super::asynchronous::LONGEST;
use super::{Found, Mismatch, section_of};
use crate::description::{self, Description, Placed, code};
use crate::quantity::Nanoseconds;

/// Why a value is too long to be looked at.
pub(super) fn too_long(name: &str, kind: &Type) -> String {
    format!(
        "output `{name}` of type `{kind}` can't be looked at: it has {} bytes, and the kernel compares up to {LONGEST}",
        kind.size()
    )
}

/// What to take instead.
pub(super) const INSTEAD_OF_LONG: &str =
    "take a field of it that is shorter, or let the task have an output that counts, and take that";

impl Found {
    pub fn released_twice(&mut self, model: &Model, place: Place, task: &str) {
        self.in_program(
            model,
            place,
            format!(
                "task `{task}` is released here and, at equal distances, by another program of its module"
            ),
            "asynchronous".to_owned(),
            "let one of the two release another task".to_owned(),
        );
    }

    pub fn releases_two(&mut self, model: &Model, place: Place, interrupt: &str) {
        self.in_program(
            model,
            place,
            format!(
                "interrupt `{interrupt}` releases another task already, and its line can be answered once"
            ),
            "the second".to_owned(),
            "let the first task have an output that triggers the second".to_owned(),
        );
    }

    pub fn unknown_interrupt(&mut self, model: &Model, place: Place, name: &str, known: &[&str]) {
        let known = description::suggestion(name, known, "interrupts of the system description");
        self.in_program(
            model,
            place,
            format!("the system description has no interrupt `{name}`"),
            "waits for it".to_owned(),
            format!(
                "{known}; an interrupt that releases a task has a line and a separation: [interrupt.{name}]"
            ),
        );
    }

    pub fn served(&mut self, model: &Model, place: Place, name: &str) {
        self.in_program(
            model,
            place,
            format!("interrupt `{name}` is served by a thread, and can't release a task as well"),
            "waits for it".to_owned(),
            format!("take `{name}` out of the thread's `uses` and give [interrupt.{name}] a `separation`"),
        );
    }

    pub fn too_long_to_compare(&mut self, model: &Model, place: Place, name: &str, kind: &Type) {
        self.in_program(
            model,
            place,
            too_long(name, kind),
            "waits for it".to_owned(),
            INSTEAD_OF_LONG.to_owned(),
        );
    }

    pub fn no_rhythm(&mut self, model: &Model, place: Place, task: &str) {
        self.in_program(
            model,
            place,
            format!(
                "nothing says how often outputs of task `{task}` may change: they become visible when it completes, and modes of the \
                 image's program aren't all that may release it"
            ),
            "waits for one".to_owned(),
            "take an output of a task that a mode of the image's program invokes, in a system whose outputs keep to logical execution \
             times"
                .to_owned(),
        );
    }

    pub fn whole_separation(&mut self, model: &Model, place: Place, task: &str) {
        self.in_program(
            model,
            place,
            format!(
                "outputs of task `{task}` become visible when it completes, and it may take until it is released again: so two changes may \
                 come one right after the other"
            ),
            "waits for one".to_owned(),
            format!(
                "let it be done sooner, by `deadline = \"1ms\"` in [task.{task}]: what is left then of the time between its releases \
                 lies between changes"
            ),
        );
    }

    pub fn release_each_other(&mut self, model: &Model, place: Place, task: &str) {
        self.in_program(
            model,
            place,
            format!("task `{task}` waits for what this one gives, so nothing would ever release either but each other"),
            "waits for an output of it".to_owned(),
            "let the first of them be released by an interrupt, or by an output of a task that a mode invokes".to_owned(),
        );
    }

    pub fn beyond_separation(
        &mut self,
        description: &Description,
        task: &timing::Task,
        deadline: Placed<Nanoseconds>,
    ) {
        self.in_description(
            description,
            description::Problem {
                code: code::CONFLICT,
                place: deadline.place,
                message: format!("the deadline of task `{}` lies beyond its next release", task.name),
                label: "longer".to_owned(),
                help: "write a deadline up to the separation of what releases it, or leave it out".into(),
            },
        );
    }

    pub fn unused_separation(&mut self, description: &Description, name: &Placed<String>) {
        let help = "name it as the trigger of an asynchronous activity, or in the `uses` of a thread";
        self.in_description(
            description,
            description::Problem {
                code: code::USERS,
                place: name.place,
                message: format!("interrupt `{}` has a separation, and nobody uses it", name.value),
                label: "no use".to_owned(),
                help: help.into(),
            },
        );
    }

    /// An asynchronous task that isn't below another one; below nothing, if its band has no priorities.
    pub fn too_urgent(&mut self, description: &Description, task: &str, above: Option<&str>) {
        let (message, help) = match above {
            Some(other) => (
                format!(
                    "task `{task}` is asynchronous, and `{other}`, which isn't, could have to wait for it"
                ),
                "put it into a band below those of all other tasks",
            ),
            None => (
                format!("task `{task}` is asynchronous: its urgency is a priority, and its band has none"),
                "put it into a band whose policy is \"fixed\", below those of all other tasks",
            ),
        };
        self.about_task(description, task, message, help);
    }

    pub fn other_order(&mut self, description: &Description, less: &str, more: &str) {
        let message = format!(
            "task `{less}` is as urgent as `{more}` or more; the timing program says that it is less"
        );
        self.about_task(description, less, message, "give it a lower priority, or the other a higher one");
    }

    /// Two tasks of a module with a slot that have the same priority.
    pub fn equal_priorities(&mut self, description: &Description, one: &str, other: &str) {
        let message = format!(
            "tasks `{one}` and `{other}` of a module with a slot have the same priority: programs that arrive are checked for one order"
        );
        self.about_task(
            description,
            other,
            message,
            "give them different priorities, or take a band whose policy is \"dynamic\"",
        );
    }

    fn about_task(&mut self, description: &Description, task: &str, message: String, help: &str) {
        let row = section_of(description, task);
        let place = row.map_or(description.system.name.place, |row| row.band.place);
        self.in_description(
            description,
            description::Problem {
                code: code::CONFLICT,
                place,
                message,
                label: "here".to_owned(),
                help: help.into(),
            },
        );
    }

    pub(super) fn in_description(&mut self, description: &Description, problem: description::Problem) {
        self.0.push(Mismatch::Description(description.diagnostic(problem)));
    }
}
