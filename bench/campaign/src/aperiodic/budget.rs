//! The budget of a server: the largest with which all hard tasks are in time.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use beryl_abi::Duration;
use beryl_analysis::servers::{self, Policy};
use beryl_builder::Project;
use beryl_builder::proof::prove;

use super::application::Application;
use super::{Takes, Way};

/// How a budget comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Whole where work waits at a multiple of the period.
    Polling,
    /// Whole at each multiple of the period.
    Deferrable,
    /// What was used, a period after it could be used.
    Sporadic,
}

/// How many parts of a sporadic budget the kernel has room for.
pub const PARTS: usize = beryl_kernel::Rule::REPLENISHMENTS;

impl Rule {
    /// In a system description.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Polling => "polling",
            Rule::Deferrable => "deferrable",
            Rule::Sporadic => "sporadic",
        }
    }

    /// For the analysis.
    pub const fn policy(self) -> Policy {
        match self {
            Rule::Polling => Policy::Polling,
            Rule::Deferrable => Policy::Deferrable,
            Rule::Sporadic => Policy::Sporadic { pending: PARTS },
        }
    }
}

/// The system in which an application's soft work is served, for a kernel that takes so much.
pub fn project(application: &Application, way: Way, takes: Takes) -> Result<Project> {
    let Way::Server(rule) = way else { return application.project(way, None) };
    let most = servers::capacity(rule.policy(), application.mean, &application.tasks);
    let Some(most) = most.map_err(|failure| anyhow!("{failure}"))? else {
        return application.project(Way::Background, None);
    };
    let project = application.project(way, Some(most))?;
    let ticks = 1_000 / u64::from(project.tick());
    if takes == Takes::Nothing {
        // That a budget is used up is seen with the first tick that is too much.
        return Ok(with_budget(&project, most.get() * ticks - 1));
    }
    match proved(&project, most.get(), ticks) {
        0 => application.project(Way::Background, None),
        budget => Ok(with_budget(&project, budget * ticks)),
    }
}

/// The largest budget up to this one, in whole microseconds, with which the proof says that everybody is in time.
fn proved(project: &Project, most: u64, ticks: u64) -> u64 {
    let (mut least, mut most) = (0, most);
    while least < most {
        let middle = least + (most - least).div_ceil(2);
        match prove(&with_budget(project, middle * ticks)).is_ok() {
            true => least = middle,
            false => most = middle - 1,
        }
    }
    least
}

/// The same with another budget, in ticks.
fn with_budget(project: &Project, budget: u64) -> Project {
    project.with(|system| {
        let threads = &mut Arc::make_mut(&mut system.costed.assembly).threads;
        let budgets = threads.iter_mut().filter_map(|thread| thread.budget.as_mut());
        budgets.for_each(|row| row.amount = Duration::from_ticks(budget));
    })
}
