//! The kinds of steps that are charged by themselves.

/// The kinds of steps that are charged by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The alarm, with a release that comes at once.
    Alarm,
    /// A round in which a job is released, or a timer found: a place goes into its band, and may have to be
    /// looked for there.
    Release,
    /// A round that looks on for the place that is being sorted in.
    Sorting,
    /// The end of a job: of one that has no more to do, or that sleeps.
    Completion,
    /// A round that begins a driver, carries one out, or tells of it.
    Driver,
    /// Any other round of the E machine: instructions, triggers, looks at ports, pieces of values; and the
    /// end of a native driver.
    EMachine,
    /// A round that decides who runs, with the switch.
    Decision,
    /// Any other step that a job may cost: interrupts, wakes, what calls leave over, the start.
    Job,
    /// Any step at all: calls, faults, what is stopped.
    Call,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 9] = [
        Kind::Alarm,
        Kind::Release,
        Kind::Sorting,
        Kind::Completion,
        Kind::Driver,
        Kind::EMachine,
        Kind::Decision,
        Kind::Job,
        Kind::Call,
    ];

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Alarm => "alarm",
            Kind::Release => "release",
            Kind::Sorting => "step of sorting in",
            Kind::Completion => "end of a job",
            Kind::Driver => "driver",
            Kind::EMachine => "step of the E machine",
            Kind::Decision => "decision",
            Kind::Job => "step of a job",
            Kind::Call => "call",
        }
    }
}
