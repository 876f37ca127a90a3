//! The state of a thread, and the only place where it changes.

use beryl_abi::{Duration, Instant, Moment, ThreadId, Wanted};

use crate::rows::rank::Rank;
use crate::scheduling::processor::Processor;
use crate::table::Blank;
use crate::ways::Way;

/// The state of a thread.
///
/// ```text
///           begin (1)             stop (4), from everywhere
///   Dormant ----------> Ready <-+--------------------------> Stopped
///      ^               |  |  |  |
///      | end a job (2) |  |  |  | go on (8)
///      +---------------+  |  +--- fall asleep (6) --> Asleep --+
///        also stopped (3) |                                    | go on, and lend at once
///                         |                                    | for a promised lock (7)
///                         +--- lend (7) ------------> Lent <---+
///                              go on (8): back to Ready
///
///   A task whose budget is used up: Ready, Lent --be spent (9)--> Spent --end a job (2)--> Dormant
///
///   A thread whose process begins anew: Stopped --begin anew (10)--> Dormant
///
///   Driver threads: Dormant, Waiting --be busy (5)--> Busy --be done (5)--> Waiting; driver skipped: Dormant
/// ```
/// (1) [`begin`](ThreadState::begin), (2) and (3) [`end_job`](ThreadState::end_job),
/// (4) [`stop`](ThreadState::stop),
/// (5) [`be_busy`](ThreadState::be_busy), [`be_done`](ThreadState::be_done),
/// (6) [`fall_asleep`](ThreadState::fall_asleep),
/// (7) [`lend`](ThreadState::lend), (8) [`go_on`](ThreadState::go_on),
/// (9) [`be_spent`](ThreadState::be_spent), (10) [`begin_anew`](ThreadState::begin_anew). A running thread is Ready and chosen.
///
/// Only the functions here write where a thread is in its life, what it waits for, or whether its place is in
/// its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C, align(8))]
pub struct ThreadState {
    /// The job's deadline.
    pub(crate) deadline: Instant,
    /// Processor time used: by the current job of a task or periodic thread, by other threads since the
    /// start.
    pub(crate) clock: Duration,
    /// What it has handed to the object that it waits for.
    pub(crate) offer: Offer,
    /// When a periodic thread is released next.
    pub(crate) release: Moment,
    /// When its wait ends, if it is `timed`.
    pub(crate) until: Moment,
    /// The bits of its notification that are set.
    pub(crate) bits: u32,
    /// When the first of the releases owed to a task was due.
    pub(crate) owed_since: Moment,
    /// The processor's word when this thread gets it in its own place.
    pub(crate) own: Processor,
    /// Where it is in its life.
    phase: Phase,
    /// What it waits for.
    wait: Wait,
    /// Whether its place is in its band.
    standing: Standing,
    /// Whether its wait ends at `until`. The last four fields change together, so they are one word.
    pub(crate) timed: bool,
    /// The number of the object that it waits for, if `wait` is about one.
    object: u8,
    /// One more than the semaphore that it is to own when its wait is over, or 0.
    pub(crate) then: u8,
    /// How urgent it is: only `priorities` changes that.
    rank: Rank,
    /// Its rank while it sleeps, if waking it only means putting its place into its band.
    plainly: Rank,
    /// The next in the ring of its priority, or of parked places.
    pub(crate) next: ThreadId,
    /// The one before it in the ring of its priority.
    pub(crate) previous: ThreadId,
    /// The next in the queue in which it waits, on the stack of raised threads, or on a list of deferred
    /// work.
    pub(crate) behind: ThreadId,
    /// The last of the ring of places that are parked at it.
    parked: ThreadId,
    /// How many of its jobs ended late, or weren't done at the next release; at most 65,535.
    pub(crate) misses: u16,
    /// How many of its jobs took longer than declared; at most 65,535.
    pub(crate) overruns: u16,
    /// How many releases a handler has put off and owes to a task.
    pub(crate) owed: u8,
    /// How many releases a handler left out for its job.
    pub(crate) tolerated: u8,
    /// Whether a task was in the way since a program last asked.
    pub(crate) was_late: bool,
    /// How many releases of a periodic thread came while it was at work.
    pub(crate) missed: u8,
}

// A power of two, so that a shift finds a row.
const _: () = assert!(size_of::<ThreadState>() == 64);

/// What a waiting thread has handed over; its meaning depends on the kind of wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Offer([u32; 2]);

impl Offer {
    pub const NONE: Offer = Offer([0; 2]);

    /// A short message; or the address of a long one, and where the answer goes.
    #[inline(always)]
    pub const fn message(words: [u32; 2]) -> Offer {
        Offer(words)
    }

    /// Where a long message goes.
    #[inline(always)]
    pub const fn room(to: u32) -> Offer {
        Offer([to, 0])
    }

    /// The bits of a notification that end the wait.
    #[inline(always)]
    pub const fn mask(bits: u32) -> Offer {
        Offer([bits, 0])
    }

    /// The bits of an event group that end the wait.
    #[inline(always)]
    pub const fn wanted(wanted: Wanted) -> Offer {
        Offer([wanted.bits, wanted.how])
    }

    /// The level that it gave up to wait for a condition.
    #[inline(always)]
    pub const fn level(level: u8) -> Offer {
        Offer([level as u32, 0])
    }

    /// As [`Offer::message`].
    #[inline(always)]
    pub const fn as_message(self) -> [u32; 2] {
        self.0
    }

    /// Where the answer to a long message goes.
    #[inline(always)]
    pub const fn answer_to(self) -> u32 {
        self.0[1]
    }

    /// As [`Offer::room`].
    #[inline(always)]
    pub const fn to(self) -> u32 {
        self.0[0]
    }

    /// As [`Offer::mask`].
    #[inline(always)]
    pub const fn as_mask(self) -> u32 {
        self.0[0]
    }

    /// As [`Offer::wanted`].
    #[inline(always)]
    pub const fn as_wanted(self) -> Wanted {
        let [bits, how] = self.0;
        Wanted { bits, how }
    }

    /// As [`Offer::level`].
    #[inline(always)]
    pub const fn as_level(self) -> u32 {
        self.0[0]
    }
}

impl ThreadState {
    pub(crate) const DORMANT: ThreadState = ThreadState {
        deadline: Instant::NEVER,
        clock: Duration::ZERO,
        offer: Offer::NONE,
        release: Instant::START.moment(),
        until: Instant::START.moment(),
        bits: 0,
        phase: Phase::Dormant,
        wait: Wait::Nothing,
        object: 0,
        standing: Standing::Out,
        then: 0,
        timed: false,
        own: Processor::NOBODY,
        misses: 0,
        overruns: 0,
        missed: 0,
        owed_since: Instant::START.moment(),
        owed: 0,
        tolerated: 0,
        was_late: false,
        rank: Rank::fixed(0),
        plainly: Rank::NONE,
        next: ThreadId::NONE,
        previous: ThreadId::NONE,
        behind: ThreadId::NONE,
        parked: ThreadId::NONE,
    };
}

impl Blank for ThreadState {
    const BLANK: ThreadState = ThreadState {
        deadline: Instant::START,
        own: Processor::BLANK,
        plainly: Rank::fixed(0),
        next: ThreadId(0),
        previous: ThreadId(0),
        behind: ThreadId(0),
        parked: ThreadId(0),
        ..ThreadState::DORMANT
    };
}

impl ThreadState {
    /// Where it is in its life.
    #[inline(always)]
    pub(crate) const fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether it wants the processor, or has it.
    #[inline(always)]
    pub(crate) fn is_ready(&self) -> bool {
        self.phase == Phase::Ready
    }

    /// What it waits for.
    #[inline(always)]
    pub(crate) const fn wait(&self) -> Wait {
        self.wait
    }

    /// The number of the object that it waits for.
    #[inline(always)]
    pub(crate) const fn object(&self) -> u8 {
        self.object
    }

    /// Whether it waits for this.
    #[inline(always)]
    pub(crate) fn waits_for(&self, wait: Wait, object: u8) -> bool {
        self.wait == wait && self.object == object
    }

    /// Whether its place is in its band.
    #[inline(always)]
    pub(crate) const fn standing(&self) -> Standing {
        self.standing
    }

    /// Its position among the places of all bands, if it stands there.
    #[inline(always)]
    pub(crate) const fn rank(&self) -> Rank {
        self.rank
    }

    /// Gives it another rank. Its place isn't in its band, nor does it wait in a queue: see `priorities`.
    #[inline(always)]
    pub(crate) fn be_of(&mut self, rank: Rank) {
        self.rank = rank;
        if self.wakes_alone() {
            self.plainly = rank;
        }
    }

    /// (1) A job begins.
    #[inline(always)]
    pub(crate) fn begin(&mut self, deadline: Instant) {
        (self.deadline, self.clock, self.tolerated) = (deadline, Duration::ZERO, 0);
        self.turn(Phase::Ready);
    }

    /// (1) It is ready from the start.
    pub(crate) fn be_ready(&mut self) {
        self.turn(Phase::Ready);
    }

    /// (2), (3) Its job is over.
    #[inline(always)]
    pub(crate) fn end_job(&mut self) {
        self.turn(Phase::Dormant);
    }

    /// (9) Its job won't be done: its budget is used up.
    pub(crate) fn be_spent(&mut self) {
        self.turn(Phase::Spent);
    }

    /// (4) It will never run again.
    pub(crate) fn stop(&mut self) {
        self.turn(Phase::Stopped);
    }

    /// (10) Its process begins anew: it is as it was before it began. When it was to be released next, its
    /// rank, and how many of its jobs were late stay.
    pub(crate) fn begin_anew(&mut self) {
        self.turn(Phase::Dormant);
        self.wait_no_more();
        // A server that was a guest in its client's place was stopped there. Nobody has its own place.
        assert!(
            !cfg!(test) || matches!(self.standing, Standing::Out | Standing::Guest),
            "its place is somewhere"
        );
        self.stand(Standing::Out);
        (self.clock, self.bits, self.then) = (Duration::ZERO, 0, 0);
        (self.missed, self.owed, self.tolerated, self.was_late) = (0, 0, 0, false);
    }

    /// (5) A driver thread gets a driver to run; returns whether it has asked for one.
    pub(crate) fn be_busy(&mut self) -> bool {
        let has_asked = self.phase == Phase::Waiting;
        self.turn(Phase::Busy);
        has_asked
    }

    /// (5) A driver thread asks for a driver to run.
    pub(crate) fn be_done(&mut self) {
        self.turn(Phase::Waiting);
    }

    /// (6) It sleeps until something happens, and wakes with the semaphore `then`, if that is one. By the
    /// ordinary way it runs in its own place, and nothing is parked at it.
    #[inline(always)]
    pub(crate) fn fall_asleep<W: Way>(&mut self, _way: W, wait: Wait, object: u8, then: u8) {
        let is_apart = self.standing != Standing::Guest && !self.parked.is_some();
        assert!(!cfg!(test) || !W::IS_ORDINARY || is_apart, "waking it isn't plain");
        let wakes_plainly = then == 0 && (W::IS_ORDINARY || is_apart);
        self.plainly = if wakes_plainly { self.rank } else { Rank::NONE };
        (self.wait, self.object, self.then) = (wait, object, then);
        self.turn(Phase::Asleep);
    }

    /// (6) It sleeps while its place changes.
    pub(crate) fn doze(&mut self) {
        self.plainly = Rank::NONE;
        self.turn(Phase::Asleep);
    }

    /// (7) It waits for a lock and lends its place to the lock's owner.
    #[inline(always)]
    pub(crate) fn lend(&mut self, wait: Wait, object: u8) {
        self.plainly = Rank::NONE;
        (self.wait, self.object) = (wait, object);
        self.turn(Phase::Lent);
    }

    /// Its turn has come at the endpoint where it waits.
    pub(crate) fn be_served(&mut self) {
        self.wait = Wait::Reply;
    }

    /// (8) The event that it waits for has happened, or won't: it is ready again.
    #[inline(always)]
    pub(crate) fn go_on(&mut self) {
        self.turn(Phase::Ready);
        self.wait_no_more();
    }

    /// The event that it waits for has happened; it becomes ready in a step of its own. Nothing else can end
    /// its wait now.
    #[inline(always)]
    pub(crate) fn wait_no_more(&mut self) {
        (self.wait, self.timed) = (Wait::Nothing, false);
    }

    /// Whether its place is in its band, or where it is instead.
    #[inline(always)]
    pub(crate) fn stand(&mut self, standing: Standing) {
        self.standing = standing;
        if matches!(standing, Standing::Guest | Standing::Parked) {
            self.plainly = Rank::NONE;
        }
    }

    /// The last of the ring of places that are parked at it.
    #[inline(always)]
    pub(crate) fn parked(&self) -> ThreadId {
        self.parked
    }

    /// Sets the last of the ring of places parked at it, or that there are none.
    pub(crate) fn keep_parked(&mut self, last: ThreadId) {
        self.parked = last;
        self.plainly = Rank::NONE;
    }

    #[inline(always)]
    fn turn(&mut self, to: Phase) {
        // Checked where every order of events is explored. A host that lets a stopped thread call does what
        // no processor does.
        assert!(!cfg!(test) || self.phase.leads_to(to), "{:?} to {to:?}", self.phase);
        self.phase = to;
    }

    /// Whether waking it only means putting its place into its band, and keeping a promise.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        !self.parked.is_some() && self.standing == Standing::Out
    }

    /// Whether it sleeps, and waking it only means putting its place into its band, fixed or dynamic.
    #[inline(always)]
    pub(crate) fn wakes_alone(&self) -> bool {
        self.plainly != Rank::NONE
    }

    /// Its position in its fixed band, if it sleeps and waking it only means standing there.
    #[inline(always)]
    pub(crate) fn wakes_plainly(&self) -> Option<u8> {
        self.plainly.as_fixed()
    }
}

/// Where a thread is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    /// A task without a job; a driver thread that has never run.
    Dormant,
    /// Wants the processor, or has it.
    Ready,
    /// Waits for a lock: its place is lent to the lock's owner.
    Lent,
    /// Waits for something else.
    Asleep,
    /// A driver thread that has asked for a driver to run.
    Waiting,
    /// A driver thread that runs a driver.
    Busy,
    /// Will never run again.
    Stopped,
    /// A task whose job was ended because its budget was used up: what it was to give isn't whole, and its
    /// program hasn't asked for it yet.
    Spent,
}

impl Phase {
    /// Whether the drawing has this arrow.
    fn leads_to(self, to: Phase) -> bool {
        use Phase::{Asleep, Busy, Dormant, Lent, Ready, Spent, Stopped, Waiting};
        match to {
            Dormant => matches!(self, Ready | Lent | Asleep | Busy | Spent | Stopped),
            Ready => matches!(self, Dormant | Asleep | Lent),
            Lent | Asleep => self == Ready,
            Busy => matches!(self, Dormant | Waiting),
            Waiting => self == Busy,
            Stopped => true,
            Spent => matches!(self, Ready | Lent),
        }
    }
}

/// What a thread waits for; [`ThreadState::object`] says which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wait {
    /// Nothing.
    Nothing,
    /// Its next release.
    Period,
    /// An instant.
    Time,
    /// Bits of its notification.
    Notification,
    /// A semaphore. Only for a binary one is its place lent.
    Semaphore,
    /// A condition.
    Condition,
    /// Room in a mailbox.
    Send,
    /// A message in a mailbox.
    Receive,
    /// A request at an endpoint.
    Request,
    /// An endpoint's server that serves another client; its place is lent to the server.
    Call,
    /// An endpoint's server that serves it; its place is lent to the server.
    Reply,
    /// Bits of an event group.
    EventGroup,
}

/// Whether a thread's own place is in its band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Standing {
    /// No.
    Out,
    /// Yes.
    In,
    /// No: it serves a client and runs in the client's place.
    Guest,
    /// No: it is lent to a thread that can't run.
    Parked,
}
