//! Names that stand twice.

use super::diagnostic::{Problem, Reporter};
use super::{Placed, code};

/// Refuses a name that stands twice. Whether there was one.
pub(super) fn refuse_duplicates(kind: &str, names: &[&Placed<String>], reporter: &mut Reporter) -> bool {
    let mut found = false;
    for (index, name) in names.iter().enumerate() {
        if let Some(first) = names.iter().take(index).find(|earlier| earlier.value == name.value) {
            let problem = Problem {
                code: code::DUPLICATE_NAME,
                place: name.place,
                message: format!("there is already a {kind} `{}`", name.value),
                label: "second".to_owned(),
                help: "give one of them another name".into(),
            };
            reporter.report_with(problem, first.place, "first");
            found = true;
        }
    }
    found
}
