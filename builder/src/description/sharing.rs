//! Who shares a budget: the threads of a process, those of a band, or those that name a group.

use super::{Band, Budget, Group, Placed, Process, Task, Thread};

/// A budget that several threads share.
#[derive(Clone, Copy, Debug)]
pub struct Sharing<'a> {
    /// What they have in common, in words.
    pub kind: &'static str,
    /// What that is called.
    pub name: &'a Placed<String>,
    /// The budget.
    pub budget: &'a Budget,
    who: Who,
}

/// What they have in common: its position.
#[derive(Clone, Copy, Debug)]
enum Who {
    Process(usize),
    Group(usize),
    Band(usize),
}

impl<'a> Sharing<'a> {
    /// All of them, in the order of the text: processes, groups, bands.
    pub fn all(processes: &'a [Process], groups: &'a [Group], bands: &'a [Band]) -> Vec<Sharing<'a>> {
        let processes = processes.iter().enumerate().filter_map(|(index, row)| {
            let budget = row.budget.as_ref()?;
            Some(Sharing { kind: "process", name: &row.name, budget, who: Who::Process(index) })
        });
        let groups = groups.iter().enumerate().map(|(index, row)| Sharing {
            kind: "group",
            name: &row.name,
            budget: &row.budget,
            who: Who::Group(index),
        });
        let bands = bands.iter().enumerate().filter_map(|(index, row)| {
            let budget = row.budget.as_ref()?;
            Some(Sharing { kind: "band", name: &row.name, budget, who: Who::Band(index) })
        });
        processes.chain(groups).chain(bands).collect()
    }

    /// What it is called where no other one is called so: a process by its name.
    #[must_use]
    pub fn called(&self) -> String {
        match self.who {
            Who::Process(_) => self.name.value.clone(),
            Who::Group(_) | Who::Band(_) => format!("{} {}", self.kind, self.name.value),
        }
    }

    /// Whether a thread is one of them.
    #[must_use]
    pub fn has(&self, thread: &Thread) -> bool {
        match self.who {
            Who::Process(index) => thread.process.value.index() == index,
            Who::Group(index) => thread.group.is_some_and(|group| group.value == index),
            Who::Band(index) => thread.band.value.index() == index,
        }
    }

    /// Whether a task would be.
    #[must_use]
    pub fn has_task(&self, task: &Task) -> bool {
        match self.who {
            Who::Process(index) => task.process.value.index() == index,
            Who::Group(_) => false,
            Who::Band(index) => task.band.value.index() == index,
        }
    }

    /// Whether its threads may be in any band: one that is shared by a band was asked for that when it was read.
    #[must_use]
    pub fn is_of_any_band(&self) -> bool {
        !matches!(self.who, Who::Band(_))
    }

    /// Whether its threads say themselves that they share it.
    #[must_use]
    pub fn is_named(&self) -> bool {
        matches!(self.who, Who::Group(_))
    }
}
