//! What a run did, and what it avoided: the rows of Table 2 of the OSPERT paper.

/// Where kernels tell what they do.
pub trait Count: Default {
    /// Changes the counts.
    fn tell(&mut self, what: impl FnOnce(&mut Counts));
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Messages that were handed over.
    pub messages: u64,
    /// Their words.
    pub words: u64,
    /// How often somebody became ready: what eager queues would insert.
    pub eager_enqueues: u64,
    /// Insertions.
    pub enqueues: u64,
    /// Those of threads that were running before.
    pub deferred_enqueues: u64,
    /// How often somebody blocked: what eager queues would take out.
    pub eager_dequeues: u64,
    /// What was taken out.
    pub dequeues: u64,
    /// Those of threads that had blocked in an earlier step.
    pub deferred_dequeues: u64,
    /// How often another thread ran.
    pub switches: u64,
    /// How often a direct switch or a comparison wasn't enough, and the queue was looked at.
    pub lookups: u64,
    /// How often it was decided who runs: what full scheduling would look up.
    pub decisions: u64,
}

impl Count for Counts {
    fn tell(&mut self, what: impl FnOnce(&mut Counts)) {
        what(self);
    }
}

/// Nothing is counted, and nothing of it is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uncounted;

impl Count for Uncounted {
    #[inline(always)]
    fn tell(&mut self, _what: impl FnOnce(&mut Counts)) {}
}
