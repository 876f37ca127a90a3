//! Functions and types that don't fit, each at the place that names it, told together.

use beryl_timing::Several;

use super::{Kind, Named};
use crate::description;
use crate::error::BuildError;
use crate::project::Project;

const CODE: &str = "beryl::builder::function";

/// What was found, each name once.
pub(super) struct Misfits<'a> {
    project: &'a Project,
    names: Vec<String>,
    timing: Vec<beryl_timing::Diagnostic>,
    description: Vec<description::Diagnostic>,
    /// Whether the first is a type. If one isn't what it should be, functions that are given it don't fit for that alone.
    has_type: Option<bool>,
}

/// What is said of one.
pub(super) struct Misfit {
    pub(super) kind: Kind,
    pub(super) named: Named,
    pub(super) message: String,
    pub(super) label: &'static str,
    pub(super) help: String,
}

impl<'a> Misfits<'a> {
    pub(super) fn of(project: &'a Project) -> Misfits<'a> {
        let (names, timing, description) = (Vec::new(), Vec::new(), Vec::new());
        Misfits { project, names, timing, description, has_type: None }
    }

    /// Adds what is said of a name, unless something was said of it already, or types come first.
    pub(super) fn add(&mut self, name: &str, misfit: Misfit) {
        let Misfit { kind, named, message, label, help } = misfit;
        let is_type = kind == Kind::Type;
        let is_known = self.names.iter().any(|known| known == name);
        if is_known
            || *self.has_type.get_or_insert(is_type) != is_type
            || self.names.len() == Several::<description::Diagnostic>::MOST
        {
            return;
        }
        self.names.push(name.to_owned());
        let (label, help) = (label.to_owned(), help);
        match named {
            Named::Timing(place) => {
                let help = help.into();
                let problem = beryl_timing::Problem { code: CODE, place, message, label, help };
                self.timing.push(self.project.model.diagnostic(problem));
            }
            Named::Description(place) => {
                let help = help.into();
                let problem = description::Problem { code: CODE, place, message, label, help };
                self.description.push(self.project.description.diagnostic(problem));
            }
        }
    }

    /// What is told: all of the timing program, and only if that is in order all of the description.
    ///
    /// # Errors
    /// If anything was found.
    pub(super) fn told(self) -> Result<(), BuildError> {
        Several::unless_none("in the timing program", self.timing).map_err(BuildError::Timing)?;
        Several::unless_none("in the system description", self.description).map_err(BuildError::Description)
    }
}
