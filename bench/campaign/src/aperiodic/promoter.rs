//! The thread that promotes with gain time: from the bits of its word to the priorities of hard tasks.

use super::promoting::Promoting;
use super::stealing::Told;

/// What promoting needs to know of a task's thread.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    /// The bit that tells the end of a job.
    pub end: u32,
    pub number: u32,
    /// Its priorities below soft work and above it.
    pub places: [u32; 2],
}

/// Its knowledge, with the numbers of its system.
#[derive(Clone, Debug)]
pub struct Promoter {
    /// What it knows.
    pub promoting: Promoting,
    /// By task.
    pub threads: Vec<Thread>,
    /// The bits of soft work that comes, and that is done.
    pub soft: [u32; 2],
    /// Threads and priorities that it has still to set, the last one first.
    pub changes: Vec<[u32; 2]>,
}

impl Promoter {
    /// What it makes of an instant, with these bits.
    pub fn turn(&mut self, now: u64, bits: u32) {
        let [came, gone] = self.soft;
        let told = Told {
            ends: Told::ends(bits, self.threads.iter().map(|thread| thread.end)),
            came: bits & came != 0,
            gone: bits & gone != 0,
        };
        let changes = self.promoting.turn(now, told).into_iter().rev();
        let change = |(task, is_above): (usize, bool)| {
            let Thread { number, places, .. } = self.threads[task];
            [number, places[usize::from(is_above)]]
        };
        self.changes = changes.map(change).collect();
    }
}
