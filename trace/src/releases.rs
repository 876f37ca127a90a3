//! Lost releases: those that found the previous job still at work and were never made up for.
//!
//! For a periodic thread the kernel reports each of them by a miss, whatever the deadline; for a task whose
//! job goes on, by a violation at the instant of the release. As many as the description allows are made up
//! for when the job is done; the others are lost.

use std::collections::BTreeMap;

use beryl_abi::{Instant, ThreadId};
use serde::{Deserialize, Serialize};

use crate::event::{Event, Happening};
use crate::names::Names;
use beryl_abi::DecodedNote;

/// The description's rules for releases that find the previous job at work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Late {
    /// How many are made up for when that job is done.
    pub catch_up: u8,
    /// For a task whose job goes on: whether a violation is always its next release. If the logical execution
    /// time ends before that, the records don't tell the cause, and nothing is counted.
    pub is_release: bool,
}

impl Late {
    /// Whether there is nothing to state.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Late::default()
    }
}

/// How many releases were lost, by thread.
#[must_use]
pub fn lost(events: &[Event], names: &Names) -> BTreeMap<ThreadId, usize> {
    let mut threads: BTreeMap<ThreadId, Followed> = BTreeMap::new();
    for event in events {
        match event.happening {
            Happening::Release { task, instant, .. } => {
                threads.entry(task).or_default().release(instant, &rules(task, names));
            }
            Happening::Complete { task } => threads.entry(task).or_default().complete(&rules(task, names)),
            Happening::Miss { task, .. } => threads.entry(task).or_default().miss(&rules(task, names)),
            Happening::Violation { task, instant } => {
                let rules = rules(task, names);
                if rules.is_release {
                    threads.entry(task).or_default().meet(instant, &rules);
                }
            }
            Happening::Fault { thread, .. } => threads.entry(thread).or_default().stop(),
            Happening::Note(DecodedNote::Lost { .. }) => threads.values_mut().for_each(Followed::lose),
            _ => {}
        }
    }
    let mut counts = BTreeMap::new();
    for (thread, mut followed) in threads {
        followed.settle(&rules(thread, names));
        if followed.lost > 0 {
            counts.insert(thread, followed.lost);
        }
    }
    counts
}

fn rules(thread: ThreadId, names: &Names) -> Late {
    names.known_thread(thread).map(|known| known.late).unwrap_or_default()
}

/// The state of the last job, as far as recorded.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum LastJob {
    /// It is at work.
    #[default]
    AtWork,
    /// It is done.
    Done,
    /// The records of it were lost.
    Unknown,
}

#[derive(Default)]
struct Followed {
    last: LastJob,
    /// The instant of a release that found the job at work. The release may still be reported, if the job was
    /// stopped for it.
    met: Option<Instant>,
    /// Releases still to be made up for.
    waiting: u8,
    lost: usize,
}

impl Followed {
    fn release(&mut self, instant: Instant, rules: &Late) {
        if self.met == Some(instant) {
            self.met = None;
        }
        self.settle(rules);
        self.waiting = self.waiting.saturating_sub(1);
        self.last = LastJob::AtWork;
    }

    fn complete(&mut self, rules: &Late) {
        self.settle(rules);
        self.last = LastJob::Done;
    }

    /// A miss reported after the completion concerns only the deadline.
    fn miss(&mut self, rules: &Late) {
        match self.last {
            LastJob::AtWork => self.leave_out(rules),
            LastJob::Done => {}
            LastJob::Unknown => self.last = LastJob::AtWork,
        }
    }

    /// All violations at one instant belong to one release.
    fn meet(&mut self, instant: Instant, rules: &Late) {
        if self.met != Some(instant) {
            self.settle(rules);
            self.met = Some(instant);
        }
    }

    fn settle(&mut self, rules: &Late) {
        if self.met.take().is_some() {
            self.leave_out(rules);
        }
    }

    fn leave_out(&mut self, rules: &Late) {
        match self.waiting < rules.catch_up {
            true => self.waiting += 1,
            false => self.lost += 1,
        }
    }

    /// A stopped thread makes up for nothing.
    fn stop(&mut self) {
        (self.last, self.met, self.waiting) = (LastJob::Done, None, 0);
    }

    fn lose(&mut self) {
        (self.last, self.met, self.waiting) = (LastJob::Unknown, None, 0);
    }
}
