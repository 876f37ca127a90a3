//! The table of system calls. Everything that must know all of them is made from it.
//!
//! ```text
//!   each_call! --> numbers, what they need, which registers they have        call.rs
//!              --> what the entry code jumps to, and where it ends           kernel/ports/cortex-m/src/processor/entry.rs, kernel.rs
//!              --> the rows of the reference page, held by a test            kernel/abi/tests/system_calls.rs
//! ```
//! The kernel's dispatch is a `match` without a catch-all arm, so the compiler demands an arm for each call.
//! The simulator refuses a handle that puts an argument into a register that its call doesn't use.

/// Hands the table to a macro. A row: number, what a system must have for the call
/// ([`Needs`](crate::call::Needs)), the name of its own entry into the kernel (`_`: the common one), the
/// contents of r1, r2, r3 and r12 (empty: not used), its results.
#[macro_export]
macro_rules! each_call {
    ($($then:tt)+) => {
        $($then)+! {
            /// Does nothing; answers success. What a kernel entry costs.
            Null = 0, Nothing, null,
                ["", "", "", ""], "";
            /// Lets the next thread of the same priority run.
            Yield = 1, Nothing, yield_now,
                ["", "", "", ""], "";
            /// Ends the current job of the calling task; returns when the next job is released.
            Complete = 2, Nothing, complete,
                ["", "", "", ""], "when the task's next job is released";
            /// Ends a native driver (r1: a guard's verdict); returns with the next driver to run:
            /// r0 its function's number in the process, r1 the address of its value.
            DriverDone = 3, Nothing, _,
                ["verdict of a guard, 0 or 1", "", "", ""], "r1 function of the next driver, r2 address of its value";
            /// Answers the processor time that the calling thread has used, in ticks: r0 low, r1 high word.
            ExecutionTime = 4, Nothing, _,
                ["", "", "", ""], "r1 low, r2 high word of ticks";
            /// Answers kernel time in ticks: r0 low, r1 high word.
            Time = 5, Nothing, _,
                ["", "", "", ""], "r1 low, r2 high word of ticks";
            /// Ends the calling thread for good.
            Stop = 6, Nothing, _,
                ["", "", "", ""], "never";
            /// The caller has lowered its urgency below what the kernel published: decide again.
            Preempt = 7, Nothing, _,
                ["", "", "", ""], "";
            /// Ends the job of a periodic thread; returns when the next is released. r1: an [`Operand`](crate::call::Operand) whose
            /// object means nothing. Answers in r1 how many releases came while it was still at work.
            WaitPeriod = 8, Nothing, wait_period,
                ["operand, object unused", "", "", ""], "r1 releases that were missed";
            /// Sleeps until an instant (r2 its low, r3 its high word; at most [`LONGEST_WAIT`](crate::call::LONGEST_WAIT) from now, else
            /// it returns then). r1: an [`Operand`](crate::call::Operand) whose object means nothing.
            SleepUntil = 9, Nothing, _,
                ["operand, object unused", "instant, low word", "high word", ""], "";
            /// Takes a semaphore (r1: an [`Operand`](crate::call::Operand); r12: how long to wait).
            SemaphoreWait = 10, Objects, semaphore_wait,
                ["semaphore", "", "", "wait"], "";
            /// Gives a semaphore back (r1: its number). Of a binary one only its owner may.
            SemaphoreSignal = 11, Objects, semaphore_signal,
                ["semaphore", "", "", ""], "";
            /// Gives up a lock, waits for a condition, takes the lock again. r1: an [`Operand`](crate::call::Operand): the condition,
            /// and the semaphore that is the lock; without one the lock is a ceiling lock, and the caller's
            /// raised word is the lock. r12: how long to wait. Owns the lock in any case when it returns.
            ConditionWait = 12, Objects, _,
                ["operand: condition, and the semaphore that is the lock; without one the caller's ceiling lock", "", "", "wait"], "";
            /// Wakes the most urgent thread that waits for a condition (r1), if there is one.
            ConditionSignal = 13, Objects, _,
                ["condition", "", "", ""], "";
            /// Wakes all threads that wait for a condition (r1).
            ConditionBroadcast = 14, Objects, _,
                ["condition", "", "", ""], "";
            /// Sends a message (r1: an [`Operand`](crate::call::Operand); r2, r3 the message, or r2 its address if the mailbox's
            /// messages are longer than [`SHORT_MESSAGE`](crate::call::SHORT_MESSAGE); r12: how long to wait for room).
            MailboxSend = 15, Objects, mailbox_send,
                ["operand: mailbox", "message, or its address", "message", "wait"], "";
            /// Receives a message (r1: an [`Operand`](crate::call::Operand); r2 where to, if it is long; r12: how long to wait).
            /// Answers a short message in r1 and r2.
            MailboxReceive = 16, Objects, mailbox_receive,
                ["operand: mailbox", "where a long message goes", "", "wait"], "r1, r2 a short message";
            /// Asks a server (r1: an [`Operand`](crate::call::Operand); r2, r3 the request; if request or reply is longer than
            /// [`SHORT_MESSAGE`](crate::call::SHORT_MESSAGE), r2 the request's address and r3 where the reply goes; r12: how long to wait for
            /// the reply; [`POLL`](crate::call::POLL) asks only a server that waits for a request, and then waits as long as it takes).
            /// Answers a short reply in r1 and r2.
            EndpointCall = 17, Objects, endpoint_call,
                ["operand: endpoint", "request, or its address", "request, or where the reply goes", "wait"], "r1, r2 a short reply";
            /// Waits for a request (r1: an [`Operand`](crate::call::Operand); r2 where to, if messages are long; r12: how long to wait).
            /// Answers a short request in r1 and r2. For the endpoint's server only.
            EndpointReceive = 18, Objects, _,
                ["operand: endpoint", "where a long request goes", "", "wait"], "r1, r2 a short request";
            /// Answers the request that is being served, and waits for the next: r1 the endpoint's number; r2,
            /// r3 the reply, or r2 its address and r3 where the next request goes. Answers as
            /// `EndpointReceive` does.
            EndpointReply = 19, Objects, endpoint_reply,
                ["operand: endpoint", "reply, or its address", "reply, or where the next request goes", ""], "r1, r2 the next short request";
            /// Sets bits (r2) of a notification (r1: its number).
            Notify = 20, Objects, notify,
                ["notification", "bits, 0 for all of it", "", ""], "";
            /// Waits until one of some bits (r2) of the caller's own notification is set, and clears those that
            /// are (answered in r1). r1: an [`Operand`](crate::call::Operand) whose object is the number of an interrupt to
            /// acknowledge, or [`Operand::NO_OBJECT`](crate::call::Operand::NO_OBJECT). r12: how long to wait.
            NotificationWait = 21, Nothing, notification_wait,
                ["operand: an interrupt that may come once the caller sleeps, or none", "bits, 0 for any", "", "wait"], "r1 the bits that were set, which are cleared";
            /// Lets an interrupt come again (r1: its number). For the interrupt's thread only.
            Acknowledge = 22, Nothing, _,
                ["interrupt", "", "", ""], "";
            /// Copies the newest value of a state message (r1: its number; r2: where to) while nobody else runs, in
            /// steps of the kernel of at most [`LONGEST_MESSAGE`](crate::call::LONGEST_MESSAGE) bytes each: for readers that are slower than its depth is made for.
            StateMessageRead = 23, Nothing, state_message_read,
                ["state message", "where the value goes", "", ""], "";
            /// Writes a part of a program into the spare room of a slot: r1 the slot's number, r2 how many bytes
            /// stand before it in the room (0 begins anew), r3 its address, r12 its length: whole words, at
            /// most [`LONGEST_PART`](crate::call::LONGEST_PART). Parts come in order.
            SlotWrite = 24, Slots, _,
                ["slot", "bytes before this part; 0 begins anew", "address of the part", "its length: words, up to 32 bytes"], "";
            /// Does the next step of checking what was written into a slot (r1); from the first on the room is the kernel's.
            /// Answers in r1 what it came to, in r2 the address of the instruction at fault: see [`Progress`](crate::call::Progress).
            SlotCheck = 25, Slots, _,
                ["slot", "", "", ""], "r1 what it came to, and from bit 8 on a refusal's reason; r2 the instruction or the certificate's number at fault";
            /// Lets the program that ran before take over again at the end of a period (r1: the slot's number).
            SlotRollback = 26, Slots, _,
                ["slot", "", "", ""], "";
            /// Records the next period of a slot's module (r1: the slot's number), in the spare room, in place of what was written there.
            SlotRecord = 27, Takeovers, _,
                ["slot", "", "", ""], "";
            /// Copies a part of what was recorded: r1 the slot's number, r2 how many bytes stand before it, r3 where to, r12 its
            /// length: whole words, at most [`LONGEST_PART`](crate::call::LONGEST_PART). Answers in r1 how many bytes the recording has.
            SlotRead = 28, Takeovers, _,
                ["slot", "bytes before this part", "where it goes", "its length: words, up to 32 bytes"], "r1 bytes of the recording";
            /// Tells whoever traces the system of something: r1 what, 16 bits, r2 a value. Anybody may.
            TraceEvent = 29, Nothing, _,
                ["what, 16 bits", "a value", "", ""], "";
            /// Takes the oldest notes out of the trace buffer: r2 where to, r3 how many bytes have room there. Answers in r1 how many
            /// notes came, of 16 bytes each ([`note`](crate::note)). For the thread that reads the buffer only.
            TraceRead = 30, Nothing, _,
                ["", "where to", "its length", ""], "r1 how many notes, of 16 bytes each";
            /// Chooses of which classes notes are kept from now on (r1: [`Classes`](crate::Classes)). For that thread only.
            TraceClasses = 31, Nothing, _,
                ["[classes](trace.md#classes)", "", "", ""], "";
            /// Sets bits (r2) of an event group (r1: its number). Wakes all whose wait that ends, one a step; what they take is cleared when all are woken.
            EventGroupSet = 32, EventGroups, _,
                ["event group", "bits", "", ""], "";
            /// Clears bits (r2) of an event group (r1: its number). Answers in r1 the bits as they were.
            EventGroupClear = 33, EventGroups, _,
                ["event group", "bits", "", ""], "r1 all bits as they were";
            /// Waits until bits of an event group are set (r1: an [`Operand`](crate::call::Operand); r2, r3 what is [`Wanted`](crate::call::Wanted); r12: how long to wait). Answers in r1 the
            /// bits as they were then.
            EventGroupWait = 34, EventGroups, _,
                ["operand: event group", "bits", "how: 1 all of them, 2 they are taken, 3 both; otherwise one is enough", "wait"], "r1 all bits as they were when the wait was over, before any was taken";
            /// Changes the priority of a thread (r1: its number; r2: the priority) within the range that is declared for it. For threads of the
            /// caller's process. It stands behind those that have that priority already, and keeps its turn if it has it.
            SetPriority = 35, Ranges, _,
                ["thread", "priority", "", ""], "";
        }
    };
}
