//! Systems of several nodes or cores: a system of its own for each, and what crosses between them.

use std::collections::BTreeSet;

use crate::assembly::{Assembly, Role, Task};
use crate::board::TURN;
use crate::crossing::{End, Link, Schedule};
use crate::description::{Across, DoorbellBetween};
use crate::error::BuildError;
use crate::project::Project;
use crate::proof::{Chains, chains, lateness};
use crate::quantity::Nanoseconds;

/// A system of several nodes.
#[derive(Clone, Debug)]
pub struct Nodes {
    /// Its name.
    pub name: String,
    /// What each node is, in the order of the description.
    pub parts: Vec<Node>,
    /// The values that cross.
    pub links: Vec<Link>,
    /// For each of them who sends it, and who reads it.
    pub ends: Vec<Option<(End, Vec<End>)>>,
    /// When they send what a bus has to carry.
    pub schedule: Schedule,
    /// The doorbells between them.
    pub doorbells: Vec<DoorbellBetween>,
    /// What is asserted of points on two nodes.
    pub across: Vec<Across>,
    /// All of it on one node, for what follows from the timing program alone; nothing if no node could have it.
    pub together: Option<Together>,
}

/// A system of several nodes as it would be on one.
#[derive(Clone, Debug)]
pub struct Together {
    /// What would run there.
    pub assembly: Assembly,
    /// Nanoseconds a tick of its board.
    pub tick: u32,
}

impl Nodes {
    /// The chains of ports that lead from one node to another. Values count at the same instants on one node and on
    /// several, so each takes as long as on one.
    #[must_use]
    pub fn chains(&self) -> Option<Chains> {
        let together = self.together.as_ref()?;
        let node = |module: &usize| {
            let name = &together.assembly.modules.get(*module)?.name;
            let has = |part: &Node| part.project.assembly.modules.iter().any(|own| own.name == *name);
            self.parts.iter().position(has)
        };
        let Chains { mut rows, is_cut } = chains(&together.assembly);
        rows.retain(|row| row.modules.iter().map(node).collect::<BTreeSet<_>>().len() > 1);
        Some(Chains { rows, is_cut })
    }
}

/// What goes from a task of one node to tasks of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The number of the link that it is.
    pub link: usize,
    /// Who sends: its node, and its name there.
    pub from: (usize, String),
    /// Who reads.
    pub to: Vec<(usize, String)>,
    /// How long behind the sender's release it counts, in nanoseconds; nothing if that depends on the mode.
    pub counts_after: Option<u64>,
}

impl Nodes {
    /// Who sends to whom.
    #[must_use]
    pub fn crossings(&self) -> Vec<Crossing> {
        let crossing = |(link, ends): (usize, &Option<(End, Vec<End>)>)| {
            let (from, to) = ends.as_ref()?;
            let (sender, role) = self.thread(from)?;
            let tick = u64::from(self.parts.get(from.node)?.project.tick());
            let counts_after =
                (role.logical == role.longest).then(|| role.logical.ticks().saturating_mul(tick));
            let to = to.iter().filter_map(|end| Some((end.node, self.thread(end)?.0))).collect();
            Some(Crossing { link, from: (from.node, sender), to, counts_after })
        };
        self.ends.iter().enumerate().filter_map(crossing).collect()
    }

    /// The thread of a task on its node.
    fn thread(&self, end: &End) -> Option<(String, &Task)> {
        let assembly = &self.parts.get(end.node)?.project.assembly;
        let module = assembly.modules.iter().position(|module| module.name == end.module)?;
        assembly.threads.iter().find_map(|thread| match &thread.role {
            Role::Task(task) if (task.module, task.task) == (module, end.task) => {
                Some((thread.name.clone(), task))
            }
            _ => None,
        })
    }
}

/// How late the readers of a link are, beside how late they may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// How long a value stays behind an instant at which it counts.
    pub within: Option<Nanoseconds>,
    /// How late the latest reader may be, and which that is.
    pub latest: Option<(Nanoseconds, usize)>,
}

impl Reading {
    /// Whether the latest reader may find its value overwritten.
    #[must_use]
    pub fn is_too_late(&self) -> bool {
        self.within.zip(self.latest).is_some_and(|(within, (late, _))| late > within)
    }
}

/// A node, as a system of its own.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// The number of its machine: what is on one machine sees the same memory.
    pub machine: usize,
    /// What it is, in a word: a node or a core.
    pub word: &'static str,
    /// The name of the node of which it is a core, if it is one's.
    pub core_of: Option<String>,
    /// What runs there.
    pub project: Project,
}

impl Nodes {
    /// Whether a link comes to a reader through memory that both see, and not over the bus.
    #[must_use]
    pub fn is_near(&self, link: &Link, reader: usize) -> bool {
        let machine = |node: usize| self.parts.get(node).map(|node| node.machine);
        machine(link.from) == machine(reader)
    }

    /// How late each node may be with what it does at an instant, in their order; nothing where the proof can't hold.
    fn late_by(&self) -> Vec<Option<Nanoseconds>> {
        self.parts.iter().map(|part| lateness(&part.project).ok()).collect()
    }

    /// For each link, how long a value stays there behind an instant at which it counts, and how late the latest of its readers may be.
    #[must_use]
    pub fn reading(&self) -> Vec<Reading> {
        let late_by = self.late_by();
        let late = |reader: &usize| Some((late_by.get(*reader).copied().flatten()?, *reader));
        let row = |number: usize, link: &Link| Reading {
            within: self.read_within(number),
            latest: link.to.iter().filter_map(late).max(),
        };
        self.links.iter().enumerate().map(|(number, link)| row(number, link)).collect()
    }

    /// How far behind an instant a reader of a link may be done with it: the shortest logical execution time of what sends, since
    /// a link has the entries for that ([`beryl_abi::link`]). By the reader's clock a newer value may come as much earlier as clocks
    /// may be apart.
    fn read_within(&self, link: usize) -> Option<Nanoseconds> {
        let (from, _) = self.ends.get(link)?.as_ref()?;
        let (_, sender) = self.thread(from)?;
        let tick = u64::from(self.parts.get(from.node)?.project.tick());
        let apart = self.schedule.clocks.as_ref().map_or(0, |kept| kept.apart.get());
        Some(Nanoseconds::new(sender.logical.ticks().saturating_mul(tick).saturating_sub(apart)))
    }

    /// How long a doorbell needs until the core is told at which it rings, at most: the turns of the other cores of its machine.
    #[must_use]
    pub fn bells_within(&self, core: usize) -> Nanoseconds {
        let machine = self.parts.get(core).map(|part| part.machine);
        let others = self.parts.iter().filter(|part| Some(part.machine) == machine).skip(1).count();
        Nanoseconds::new(TURN.get().saturating_mul(u64::try_from(others).unwrap_or(u64::MAX)))
    }

    /// All parts as they are on their boards: what a core reads of others of its machine, it reads where they write it.
    #[must_use]
    pub fn on_boards(&self) -> Vec<Node> {
        let mut parts = self.parts.clone();
        for (number, part) in parts.iter_mut().enumerate() {
            let arriving = part.project.assembly.arriving.iter();
            let near = arriving.filter_map(|row| Some((row.cell, self.written_at(row.link, number)?)));
            part.project.places.elsewhere = near.collect();
        }
        parts
    }

    /// Where a link is written, if a reader sees that memory.
    fn written_at(&self, link: usize, reader: usize) -> Option<u32> {
        let row = self.links.get(link).filter(|row| self.is_near(row, reader))?;
        let from = &self.parts.get(row.from)?.project;
        let leaving = from.assembly.leaving.iter().find(|leaving| leaving.link == link)?;
        Some(from.places.address(&from.assembly.cells, leaving.cell))
    }

    /// What has kernels here, in a word: cores if they are all of one machine without a bus, else nodes, some of which may have
    /// cores.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let are_cores = self.parts.iter().all(|part| part.word == "core" && part.core_of.is_none());
        if are_cores { "core" } else { "node" }
    }
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
