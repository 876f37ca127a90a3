//! The thread that steals slack: from the bits of its word to the priority of the soft thread.

use super::stealing::{Place, Stealing, Told};

/// What one turn comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Ticks of reckoning.
    pub reckons: u64,
    /// A thread, and its priority from now on.
    pub change: Option<[u32; 2]>,
}

/// Its knowledge, with the numbers of its system.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// What it knows.
    pub stealing: Stealing,
    /// By task, the bit that tells the end of its job.
    pub ends: Vec<u32>,
    /// The bits of soft work that comes, and that is done.
    pub soft: [u32; 2],
    /// The soft thread's number.
    pub thread: u32,
    /// Its priority, which is at the top at first.
    pub priority: u32,
    /// What working out all slack takes, in ticks.
    pub reckons: u64,
}

impl Scheduler {
    /// How long it waits for bits.
    pub fn limit(&self) -> Option<u64> {
        self.stealing.limit()
    }

    /// What it does at an instant, with these bits.
    pub fn turn(&mut self, now: u64, bits: u32) -> Turn {
        let [came, gone] = self.soft;
        let ended = |(task, bit): (usize, &u32)| if bits & bit != 0 { 1 << task } else { 0 };
        let ends = self.ends.iter().enumerate().map(ended).sum();
        let told = Told { ends, came: bits & came != 0, gone: bits & gone != 0 };
        let (looks, place) = self.stealing.turn(now, told);
        let priority = self.number(place);
        let is_other = priority != self.priority;
        self.priority = priority;
        Turn {
            reckons: if looks { self.reckons } else { 0 },
            change: is_other.then_some([self.thread, priority]),
        }
    }

    /// One priority for each task, one below them, and one above.
    fn number(&self, place: Place) -> u32 {
        let place = match place {
            Place::Top => self.ends.len() + 2,
            Place::Behind(task) => self.ends.len() + 1 - task,
            Place::Below => 1,
        };
        u32::try_from(place).unwrap_or(1)
    }
}
