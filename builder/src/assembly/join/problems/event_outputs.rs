//! What can be wrong with outputs for which programs of slots may wait, in words.

use beryl_timing as timing;

use super::Found;
use super::asynchronous::{INSTEAD_OF_LONG, too_long};
use crate::description::{self, Description, Placed, code};

impl Found {
    pub fn unknown_output(&mut self, description: &Description, name: &Placed<String>, known: &[String]) {
        let known: Vec<_> = known.iter().map(String::as_str).collect();
        self.output(
            description,
            name,
            format!("programs of this slot can't wait for `{}`: there is no such output", name.value),
            format!(
                "{}; another module's are there if their task is public",
                description::suggestion(&name.value, &known, "outputs that it may read")
            ),
        );
    }

    pub fn two_outputs(&mut self, description: &Description, name: &Placed<String>, both: [&str; 2]) {
        let [one, other] = both;
        self.output(
            description,
            name,
            format!("there are two outputs `{}`", name.value),
            format!("write `{one}` or `{other}`"),
        );
    }

    pub fn long_output(&mut self, description: &Description, name: &Placed<String>, port: &timing::Port) {
        self.output(description, name, too_long(&name.value, &port.kind), INSTEAD_OF_LONG.to_owned());
    }

    fn output(&mut self, description: &Description, name: &Placed<String>, message: String, help: String) {
        let label = "waited for".to_owned();
        let problem = description::Problem {
            code: code::CONFLICT,
            place: name.place,
            message,
            label,
            help: help.into(),
        };
        self.in_description(description, problem);
    }
}
