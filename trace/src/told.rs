//! What notes tell of threads, objects and the kernel: [`beryl_abi::Note`], taken apart.

use beryl_abi::note::kind;
use beryl_abi::{
    Awaited, DriverId, Duration, Instant, Line, Moment, Note, Passed, ProgramId, SemaphoreId, ThreadId,
};

use crate::decode::Reason;

/// What a note tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Told {
    /// A thread goes to wait.
    Block {
        /// The thread.
        thread: ThreadId,
        /// For what.
        awaited: Awaited,
        /// The number of the object, if it is about one.
        object: u8,
    },
    /// What a thread waited for has happened, or it has waited long enough.
    Wake {
        /// The thread.
        thread: ThreadId,
    },
    /// A thread waits for what another has, which runs in its place meanwhile.
    Lend {
        /// The thread that waits.
        thread: ThreadId,
        /// For what.
        awaited: Awaited,
        /// The number of the object.
        object: u8,
        /// Who has it.
        owner: ThreadId,
    },
    /// A thread owns a binary semaphore from now on.
    Hold {
        /// The thread.
        thread: ThreadId,
        /// The semaphore.
        lock: SemaphoreId,
    },
    /// A thread doesn't own it any longer.
    Free {
        /// The thread.
        thread: ThreadId,
        /// The semaphore.
        lock: SemaphoreId,
    },
    /// A thread passes a message.
    Message {
        /// The thread.
        thread: ThreadId,
        /// What it does with it.
        passed: Passed,
        /// The number of the mailbox, endpoint or notification.
        object: u8,
    },
    /// An interrupt came.
    Interrupt {
        /// Who serves it; [`ThreadId::NONE`] if nobody does.
        thread: ThreadId,
        /// Its line.
        line: Line,
    },
    /// A thread lets its interrupt come again.
    Acknowledge {
        /// The thread.
        thread: ThreadId,
        /// The line.
        line: Line,
    },
    /// An application tells something.
    Event {
        /// The thread that does.
        thread: ThreadId,
        /// What.
        event: u16,
        /// A value.
        value: u32,
    },
    /// A program goes on at an address.
    React {
        /// The program.
        program: ProgramId,
        /// The address of its instruction.
        address: u16,
        /// The logical instant.
        instant: Instant,
    },
    /// The kernel is entered.
    Enter {
        /// Who ran.
        thread: ThreadId,
        /// For what: see [`Note::enter`].
        why: u32,
    },
    /// The kernel is left.
    Leave {
        /// Who runs.
        thread: ThreadId,
    },
    /// A thread has used up a budget.
    Budget {
        /// The thread.
        thread: ThreadId,
        /// The native driver whose budget it was; nothing if it was that of the thread's job.
        driver: Option<DriverId>,
        /// What it has used so far.
        used: Duration,
    },
    /// Notes had no room.
    Lost {
        /// How many.
        count: u32,
    },
    /// A thread stops.
    Stop {
        /// The thread.
        thread: ThreadId,
        /// Whether it begins anew.
        begins_anew: bool,
    },
}

impl Told {
    /// What a note of a kind tells that was written at `time`.
    ///
    /// # Errors
    ///
    /// If it is no note of this kind.
    pub fn of(kind: u32, subject: u16, words: [u32; 2], time: Instant) -> Result<Told, Reason> {
        let [first, second] = words;
        let thread = || byte(subject.into()).map(ThreadId);
        let [low, object, ..] = first.to_le_bytes();
        let awaited = || Awaited::decode(low).ok_or(Reason::UnknownNumber(low.into()));
        let lock = || byte(first).map(SemaphoreId);
        let line = || u16::try_from(first).map(Line).map_err(|_| Reason::UnknownNumber(first));
        Ok(match kind {
            kind::BLOCK => Told::Block { thread: thread()?, awaited: awaited()?, object },
            kind::WAKE => Told::Wake { thread: thread()? },
            kind::LEND => Told::Lend {
                thread: thread()?,
                awaited: awaited()?,
                object,
                owner: byte(second).map(ThreadId)?,
            },
            kind::HOLD => Told::Hold { thread: thread()?, lock: lock()? },
            kind::FREE => Told::Free { thread: thread()?, lock: lock()? },
            kind::MESSAGE => {
                let passed = Passed::decode(low).ok_or(Reason::UnknownNumber(low.into()))?;
                Told::Message { thread: thread()?, passed, object }
            }
            kind::INTERRUPT => Told::Interrupt { thread: thread()?, line: line()? },
            kind::ACKNOWLEDGE => Told::Acknowledge { thread: thread()?, line: line()? },
            kind::EVENT => Told::Event {
                thread: thread()?,
                event: u16::try_from(first).map_err(|_| Reason::UnknownNumber(first))?,
                value: second,
            },
            kind::REACT => Told::React {
                program: byte(subject.into()).map(ProgramId)?,
                address: u16::try_from(first).map_err(|_| Reason::UnknownNumber(first))?,
                instant: time.nearest(Moment::from_ticks(second)),
            },
            kind::ENTER => Told::Enter { thread: thread()?, why: first },
            kind::LEAVE => Told::Leave { thread: thread()? },
            kind::BUDGET => Told::Budget {
                thread: thread()?,
                driver: match first.checked_sub(1) {
                    Some(driver) => {
                        Some(u16::try_from(driver).map(DriverId).map_err(|_| Reason::UnknownNumber(first))?)
                    }
                    None => None,
                },
                used: Duration::from_ticks(second.into()),
            },
            kind::LOST => Told::Lost { count: first },
            kind::STOP => Told::Stop { thread: thread()?, begins_anew: first != 0 },
            unknown => return Err(Reason::UnknownKind(unknown)),
        })
    }

    /// The note that tells it.
    #[must_use]
    pub fn note(&self) -> Note {
        match *self {
            Told::Block { thread, awaited, object } => Note::block(thread, awaited as u8, object),
            Told::Wake { thread } => Note::wake(thread),
            Told::Lend { thread, awaited, object, owner } => Note::lend(thread, awaited as u8, object, owner),
            Told::Hold { thread, lock } => Note::hold(thread, lock),
            Told::Free { thread, lock } => Note::free(thread, lock),
            Told::Message { thread, passed, object } => Note::message(thread, passed, object),
            Told::Interrupt { thread, line } => Note::interrupt(thread, line),
            Told::Acknowledge { thread, line } => Note::acknowledge(thread, line),
            Told::Event { thread, event, value } => Note::event(thread, event, value),
            Told::React { program, address, instant } => {
                Note::react(program, address, instant.moment().ticks())
            }
            Told::Enter { thread, why } => Note::enter(thread, why),
            Told::Leave { thread } => Note::leave(thread),
            Told::Budget { thread, driver, used } => {
                Note::budget(thread, driver, u32::try_from(used.ticks()).unwrap_or(u32::MAX))
            }
            Told::Lost { count } => Note::lost(count),
            Told::Stop { thread, begins_anew } => Note::stop(thread, begins_anew),
        }
    }
}

fn byte(number: u32) -> Result<u8, Reason> {
    u8::try_from(number).map_err(|_| Reason::UnknownNumber(number))
}
