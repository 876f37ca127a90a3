//! The kinds of steps that are charged by themselves.

/// The kinds of steps that are charged by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The alarm, with the release that it may bring.
    Alarm,
    /// A round that releases a job, or finds that a timer is due. The thread's place goes into its band; the
    /// search for it there may need further rounds.
    Release,
    /// A round that goes on with this search.
    Sorting,
    /// The end of a job: its thread has no more to do, or goes to sleep.
    Completion,
    /// A round that begins a driver, carries one out, or tells of it.
    Driver,
    /// Any other round of the E machine: instructions, triggers, looks at ports, pieces of values; and the
    /// end of a native driver.
    EMachine,
    /// A round that decides who runs, with the switch.
    Decision,
    /// Any other step that a job may cost: interrupts, wakes, the deferred work of calls, the start.
    Job,
    /// A step that stops something: a thread leaves its place and its queue and gets its first registers, or what it
    /// had passes on to others.
    Stop,
    /// A fault, or a step that looks for something to stop or to pass on, and finds nothing.
    Search,
    /// Any step at all.
    Call,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Kind::Alarm,
        Kind::Release,
        Kind::Sorting,
        Kind::Completion,
        Kind::Driver,
        Kind::EMachine,
        Kind::Decision,
        Kind::Job,
        Kind::Stop,
        Kind::Search,
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
            Kind::Stop => "step that stops something",
            Kind::Search => "look for what a stop leaves",
            Kind::Call => "call",
        }
    }
}
