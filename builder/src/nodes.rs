//! Systems of several nodes: a system of its own for each, and what crosses between them.

use crate::crossing::{Link, Schedule};
use crate::error::BuildError;
use crate::project::Project;

/// A system of several nodes.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// Its name.
    pub name: String,
    /// What each node is, in the order of the description.
    pub parts: Vec<Node>,
    /// The values that cross.
    pub links: Vec<Link>,
    /// When the nodes send.
    pub schedule: Schedule,
}

/// A node, as a system of its own.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What runs there.
    pub project: Project,
}

impl Node {
    /// The same, once it is known that its kernel has room in flash: see [`Project::settled`].
    ///
    /// # Errors
    /// As there.
    pub fn settled(self, step: impl FnOnce(&str)) -> Result<Node, BuildError> {
        Ok(Node { project: self.project.settled(step)?, ..self })
    }
}

impl Nodes {
    /// What is said where there has to be at least one.
    pub(crate) fn without_nodes(&self) -> BuildError {
        BuildError::Step { what: format!("running {}", self.name), output: "it has no nodes".to_owned() }
    }
}
