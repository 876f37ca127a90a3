//! Constant rows of rules: how budgets come back that come back by themselves.

/// How the budget of a place comes back that does so every so many ticks (`ComesBack::Every`). There is one row
/// for each thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Whole at multiples of the period, and kept until the next one.
    Deferrable,
    /// What was used, a period after it could be used. In the proof it is a periodic job.
    Sporadic,
    /// Whole at multiples of the period if its thread wants the processor then, and lost as soon as it sleeps. In
    /// the proof it is a periodic job. The place has to be lowered when its budget is used up
    /// (`OnSpent::Lower`).
    Polling,
    /// Whole as soon as it is used up, with a deadline that is later by the period: constant bandwidth, of a thread
    /// without jobs in a dynamic band, whose row has the period as its deadline. In the proof it is a share of the band,
    /// and as much as there is to the bands below. Nothing else is done when it is used up (`OnSpent` isn't asked).
    ConstantBandwidth,
}

impl Rule {
    /// The most parts of a sporadic budget that come back at different instants. What is used beyond that comes
    /// back with the last one, when its own instant has come.
    pub const REPLENISHMENTS: usize = 4;
}
