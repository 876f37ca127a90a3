//! Placements: other bands for tasks and for threads with jobs, as they would stand in the system description.
//!
//! ```text
//!   project --order--> who stands before whom --search--> sizes of bands --order--> Placement
//!   parsed + Placement --placed--> parsed --joined--> project, which the judge looks at
//! ```

mod levels;
mod order;
mod search;

pub use order::Order;
pub use search::{Candidate, Found, How, search};

use crate::assembly::{Assembly, Role};
use crate::description::{self, Band, Placed, Policy, Timing};
use crate::parsed::Parsed;
use crate::quantity::Nanoseconds;
use beryl_abi::BandId;

/// Bands for everything, the most urgent first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The bands.
    pub bands: Vec<PlacedBand>,
}

/// A band with its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedBand {
    /// As it would stand in the description.
    pub band: Band,
    /// Tasks and threads.
    pub members: Vec<Member>,
}

/// A task or thread in a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// In a fixed band: 0 to 31.
    pub priority: Option<u8>,
    /// The priorities that it may have while the system runs, if its priority may change.
    pub priorities: Option<[u8; 2]>,
}

impl Parsed {
    /// The same files with other bands, for the tasks and threads of `assembly`, which was made of them.
    #[must_use]
    pub fn placed(&self, assembly: &Assembly, placement: &Placement) -> Parsed {
        let mut parsed = self.clone();
        let description = &mut parsed.description;
        description.bands = placement.bands.iter().map(|row| row.band.clone()).collect();
        description.tasks.clear();
        for (number, row) in (0..=u8::MAX).zip(&placement.bands) {
            for member in &row.members {
                let thread = description.threads.iter_mut().find(|thread| thread.name.value == member.name);
                if let Some(thread) = thread {
                    (thread.band.value, thread.priority) = (BandId(number), member.priority);
                }
                if let Some(mut task) = described(&self.description.tasks, assembly, &member.name) {
                    (task.band.value, task.priority) = (BandId(number), member.priority);
                    description.tasks.push(task);
                }
            }
        }
        parsed
    }

    /// The same files with another offset for a periodic thread.
    #[must_use]
    pub fn shifted(mut self, name: &str, offset: Nanoseconds) -> Parsed {
        for thread in self.description.threads.iter_mut().filter(|thread| thread.name.value == name) {
            if let Timing::Periodic(times) = &mut thread.timing {
                times.offset.value = offset;
            }
        }
        self
    }
}

/// The description of a task that is about this task alone.
fn described(rows: &[description::Task], assembly: &Assembly, name: &str) -> Option<description::Task> {
    let Role::Task(task) = &assembly.threads.iter().find(|thread| thread.name == name)?.role else {
        return None;
    };
    let module = &assembly.modules.get(task.module)?.name;
    let own = name.strip_prefix(module).and_then(|name| name.strip_prefix('.')).unwrap_or(name);
    let about = rows.iter().filter(|row| row.is_about(module, own));
    let row = about.max_by_key(|row| row.module.is_some())?;
    Some(description::Task { module: Some(module.clone()), ..row.clone() })
}

/// A band that stands nowhere in the text yet.
fn band(name: String, policy: Policy, near: &description::Description) -> Band {
    Band {
        name: Placed::new(name, near.system.name.place),
        policy,
        scheme: Default::default(),
        partition: None,
        budget: None,
    }
}
