//! The rules, as values.

/// Who runs after an IPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switching {
    /// The partner, without the scheduler: *direct process switch*.
    Direct,
    /// Whoever is most urgent: *full scheduling*.
    Full,
}

/// What the queue of ready threads holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queueing {
    /// At least all ready threads but the running one. Who blocks stays until the scheduler meets it.
    Lazy,
    /// All ready threads.
    Eager,
    /// All ready threads but the running one: Benno's compromise, of later kernels.
    WithoutRunning,
}

/// Who runs after an IPC that only sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sending {
    /// The more urgent of the two, and of equals the sender.
    MostUrgent,
    /// The receiver: early L4/MIPS.
    Receiver,
    /// The sender: later L4/MIPS.
    Sender,
}

/// Whom a server prefers that has answered one client and took the request of another, equally urgent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// The next request.
    Next,
    /// The client that has its answer. The paper names no other rule than the first; this is the nearest.
    Answered,
}

/// Where a line's thread goes when there is nothing more to deliver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yielding {
    /// To the scheduler: L4-embedded.
    Scheduler,
    /// To the idle thread: L4Ka.
    Idle,
}

/// How long a thread runs on the slice of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Donating {
    /// Until the donor's slice ends, however donations nest: the specification.
    ByTheBook,
    /// Until its own slice ends: both implementations.
    AsImplemented,
}

/// The rules of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Who runs after an IPC.
    pub switching: Switching,
    /// What the queue holds.
    pub queueing: Queueing,
    /// Who runs after a send.
    pub sending: Sending,
    /// Whom a server prefers.
    pub served: Served,
    /// Where a line's thread goes.
    pub yielding: Yielding,
    /// How long a donation lasts.
    pub donating: Donating,
}

impl Policy {
    /// L4-embedded: direct switches, lazy queues.
    pub const EMBEDDED: Policy = Policy {
        switching: Switching::Direct,
        queueing: Queueing::Lazy,
        sending: Sending::MostUrgent,
        served: Served::Next,
        yielding: Yielding::Scheduler,
        donating: Donating::AsImplemented,
    };
}

/// A kernel's policy, known when it is compiled: so that what is counted has no looks at rules in it.
pub trait Rules {
    /// The policy.
    const POLICY: Policy;
    /// Its name.
    const NAME: &'static str;
}

/// A policy with a name.
macro_rules! rules {
    ($(#[$what:meta] $kind:ident = $name:literal { $($field:ident: $value:expr),* })*) => {$(
        #[$what]
        pub struct $kind;
        impl Rules for $kind {
            const POLICY: Policy = Policy { $($field: $value,)* ..Policy::EMBEDDED };
            const NAME: &'static str = $name;
        }
    )*};
}

rules! {
    /// L4-embedded without its fast path: the paper's DS/LQ.
    DirectLazy = "DS/LQ" { queueing: Queueing::Lazy }
    /// The paper's DS/EQ.
    DirectEager = "DS/EQ" { queueing: Queueing::Eager }
    /// Direct switches with the later compromise.
    DirectBenno = "DS/Benno" { queueing: Queueing::WithoutRunning }
    /// The paper's FS/LQ.
    FullLazy = "FS/LQ" { switching: Switching::Full }
    /// The paper's FS/EQ.
    FullEager = "FS/EQ" { switching: Switching::Full, queueing: Queueing::Eager }
    /// Strict priorities with the later compromise.
    Benno = "FS/Benno" { switching: Switching::Full, queueing: Queueing::WithoutRunning }
    /// L4Ka, which goes from interrupts to the idle thread.
    L4Ka = "L4Ka" { yielding: Yielding::Idle }
    /// Early L4/MIPS.
    L4Mips = "L4/MIPS" { sending: Sending::Receiver }
    /// Later L4/MIPS.
    L4MipsLater = "L4/MIPS, later" { sending: Sending::Sender }
    /// A served client comes before the next request.
    AnsweredFirst = "answered first" { served: Served::Answered }
    /// Donations as the specification has them.
    ByTheBook = "by the book" { donating: Donating::ByTheBook }
}
