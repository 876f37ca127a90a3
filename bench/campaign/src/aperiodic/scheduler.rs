//! The thread that steals slack: from the bits of its word to the priority of the soft thread.

use super::stealing::{Place, Stealing, Told};

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
    /// Whether it has still to give it that.
    pub is_other: bool,
}

impl Scheduler {
    /// How long it waits for bits.
    pub fn limit(&self) -> Option<u64> {
        self.stealing.limit()
    }

    /// What it makes of an instant, with these bits: how long it reckons, in ticks.
    pub fn turn(&mut self, now: u64, bits: u32) -> u64 {
        let [came, gone] = self.soft;
        let ends = Told::ends(bits, self.ends.iter().copied());
        let told = Told { ends, came: bits & came != 0, gone: bits & gone != 0 };
        let (looks, place) = self.stealing.turn(now, told);
        let priority = self.number(place);
        self.is_other = priority != self.priority;
        self.priority = priority;
        if looks { self.reckons } else { 0 }
    }

    /// The soft thread and its priority, if that is another one.
    pub fn change(&mut self) -> Option<[u32; 2]> {
        std::mem::take(&mut self.is_other).then_some([self.thread, self.priority])
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
