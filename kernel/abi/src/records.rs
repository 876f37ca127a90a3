//! The table of records. Everything that must know all of them is made from it.
//!
//! ```text
//!   each_record! --> numbers, classes, which fields                          kinds.rs
//!                --> records, their long form and their note, and back       record.rs
//!                --> notes: what makes them, what they tell                  decoded_note.rs
//!                --> the rows of the reference page, held by a test          kernel/abi/tests/records.rs
//! ```
//! The words of a field, in either form, are defined with its type, where that is a
//! [`Field`](crate::words::Field).

/// Hands the table to a macro. A row: number, class, its constructor if it is a note, its subject, its fields
/// in the order of their words. Two fields with `|` between them share a word: the first is its lowest byte,
/// the other the next. `with` names a value in memory that follows the fields, its length first.
macro_rules! each_record {
    ($then:ident) => {
        $then! {
            records {
                /// A job of a task was released, to be done by `deadline`.
                Release = 1, JOBS, (
                    /// The task.
                    task: ThreadId
                ) {
                    /// The logical instant of the release.
                    instant: Instant,
                    /// The end of its logical execution time.
                    deadline: Instant,
                };
                /// A thread was given the processor.
                Switch = 2, SWITCHES, (
                    /// Who has it from now on.
                    to: ThreadId
                ) {
                    /// Who had it until now.
                    from: ThreadId,
                };
                /// A task ended its job.
                Complete = 3, JOBS, (
                    /// The task.
                    task: ThreadId
                ) {};
                /// A task ended its job after its deadline.
                Miss = 4, JOBS, (
                    /// The task.
                    task: ThreadId
                ) {
                    /// The deadline that it missed.
                    deadline: Instant,
                };
                /// A driver was carried out at a logical instant.
                Driver = 5, DRIVERS, (
                    /// The driver.
                    driver: DriverId
                ) {
                    /// The logical instant.
                    instant: Instant,
                } with
                    /// What it moved.
                    value;
                /// A driver or a release was left out because its process or task had been stopped.
                Skip = 6, JOBS, (
                    /// The program that asked for it.
                    program: ProgramId
                ) {
                    /// The logical instant.
                    instant: Instant,
                };
                /// A time-safety violation: at this instant the program needed what the task was still working on.
                Violation = 7, JOBS, (
                    /// The task that hadn't completed; its job was stopped.
                    task: ThreadId
                ) {
                    /// The logical instant.
                    instant: Instant,
                };
                /// A thread did something that it may not do, and was stopped.
                Fault = 8, FAULTS, (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// What it did.
                    fault: Fault,
                };
                /// A job used more processor time than the system description allows.
                Overrun = 9, JOBS, (
                    /// The task.
                    task: ThreadId
                ) {};
                /// An interrupt came that nobody asked for; its line is masked from now on.
                Stray = 10, FAULTS, (
                    /// The line.
                    line: Line
                ) {};
                /// A program has taken over from another of its module.
                Swap = 11, SWAPS, (
                    /// The module's program.
                    program: ProgramId
                ) {
                    /// The logical instant.
                    instant: Instant,
                    /// The room in which the new one lies: 0 is the image.
                    room: u8,
                };
                /// A state message was written.
                State = 32, STATES, (
                    /// The message.
                    message: StateMessageId
                ) {
                    /// How often since it was told last; the last value is told.
                    writes: u32,
                } with
                    /// The value.
                    value;
            }
            notes {
                /// A thread goes to wait.
                Block = 12, WAITS, block (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// For what.
                    awaited: Awaited |
                    /// The number of the object, if it is about one.
                    object: u8,
                };
                /// What a thread waited for has happened, or it has waited long enough.
                Wake = 13, WAITS, wake (
                    /// The thread.
                    thread: ThreadId
                ) {};
                /// A thread waits for what another has, which runs in its place meanwhile.
                Lend = 14, LOCKS, lend (
                    /// The thread that waits.
                    thread: ThreadId
                ) {
                    /// For what.
                    awaited: Awaited |
                    /// The number of the object.
                    object: u8,
                    /// Who has it.
                    owner: ThreadId,
                };
                /// A thread owns a binary semaphore from now on.
                Hold = 15, LOCKS, hold (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// The semaphore.
                    lock: SemaphoreId,
                };
                /// A thread has given a binary semaphore back, or has lost it.
                Free = 16, LOCKS, free (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// The semaphore.
                    lock: SemaphoreId,
                };
                /// A thread passes a message.
                Message = 17, MESSAGES, message (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// What it does with it.
                    passed: Passed |
                    /// The number of the mailbox, endpoint, notification or event group.
                    object: u8,
                };
                /// An interrupt came.
                Interrupt = 18, INTERRUPTS, interrupt (
                    /// Who serves it; [`ThreadId::NONE`] if nobody does.
                    thread: ThreadId
                ) {
                    /// Its line.
                    line: Line,
                };
                /// A thread lets its interrupt come again.
                Acknowledge = 19, INTERRUPTS, acknowledge (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// The line.
                    line: Line,
                };
                /// An application tells something.
                Event = 20, EVENTS, event (
                    /// The thread that does.
                    thread: ThreadId
                ) {
                    /// What.
                    event: u16,
                    /// A value.
                    value: u32,
                };
                /// A program goes on at an address.
                React = 21, MODES, react (
                    /// The program.
                    program: ProgramId
                ) {
                    /// The address of its instruction.
                    address: u16,
                    /// The logical instant.
                    instant: Instant,
                };
                /// The kernel is entered.
                Enter = 22, KERNEL, enter (
                    /// Who ran.
                    thread: ThreadId
                ) {
                    /// For what: 0 an interrupt or the alarm, 1 a fault, else two more than the number of a system call.
                    why: u32,
                };
                /// The kernel is left.
                Leave = 23, KERNEL, leave (
                    /// Who runs.
                    thread: ThreadId
                ) {};
                /// Notes had no room before this.
                Lost = 24, FAULTS, lost () {
                    /// How many.
                    count: u32,
                };
                /// A thread never runs again, or begins anew.
                Stop = 25, WAITS, stop (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// Whether it begins anew.
                    begins_anew: bool,
                };
                /// A thread has used up a budget.
                Budget = 27, BUDGETS, budget (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// The native driver whose budget it was; nothing if it was that of the thread's job.
                    driver: Option<DriverId>,
                    /// What it has used so far.
                    used: Duration,
                };
                /// Nobody has anything to do: the processor sleeps.
                Sleep = 28, SWITCHES, sleep (
                    /// The idle thread.
                    thread: ThreadId
                ) {
                    /// How deep: 0 is the lightest sleep.
                    depth: u8,
                    /// Ticks until the next instant.
                    left: u32,
                };
                /// A process in which a thread faulted begins anew, or has done so too often and stays stopped.
                Restart = 29, FAULTS, restart (
                    /// The process.
                    process: ProcessId
                ) {
                    /// Whether it begins anew.
                    is_allowed: bool,
                    /// How often it has begun anew since the start, this time included; at most 65,535.
                    made: u16,
                };
                /// Two words of what was written down of a thread that faulted.
                Crash = 30, FAULTS, crash (
                    /// Whose, and which two.
                    part: CrashPart
                ) {
                    /// The first.
                    first: u32,
                    /// The second.
                    second: u32,
                };
                /// A thread asked for something that it has no right to, and was refused.
                Lack = 31, FAULTS, lack (
                    /// The thread.
                    thread: ThreadId
                ) {
                    /// The number of the call.
                    call: u8 |
                    /// The number of the object.
                    object: u8,
                };
            }
            pieces {
                /// More of a driver's value: the kernel makes as many as it takes, behind the driver's note.
                Value = 26, DRIVERS;
                /// More of a state message's value, in the same way.
                Part = 33, STATES;
            }
        }
    };
}

pub(crate) use each_record;
