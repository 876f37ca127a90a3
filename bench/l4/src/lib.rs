//! The rules by which L4 switches at IPC, as they were in L4-embedded and L4Ka (EURASIP 2008, Table 2; OSPERT 2007,
//! *Lazy Scheduling and Direct Process Switch*), beside strict priorities.
//!
//! | file | what it is about |
//! |---|---|
//! | `rules` | the rules, as values |
//! | `thread` | where a thread is in an IPC, and its slice |
//! | `ready` | who is ready: a bit and a ring for each priority |
//! | `scheduler` | lazy, eager and later queues behind the interface of the paper's Listing 1 |
//! | `ipc` | send and receive phases, and who runs after them |
//! | `interrupts` | a thread of the kernel for each line |
//! | `slices` | ticks, rounding, donation |
//! | `counted` | what a run did, and what it avoided (Table 2 of the OSPERT paper) |
//! | `compared` | the six kernels of the comparison |
//! | `ping_pong` | a client and a server, and nobody else |
//! | `workload` | a file server, a driver and clients; threads that stay in a lazy queue |
//!
//! **What is the kernel's.** Rings of ready threads and queues of waiting ones are the kernel's own source, to which links lead;
//! tables, ranks and thread numbers are its types. What a system call does isn't: Beryl's endpoints lend places, which L4
//! doesn't have, and the band list wants the tables of a whole system. So IPC, slices and interrupts are written here.
#![no_std]
#![forbid(unsafe_code)]

pub mod compared;
mod counted;
mod interrupts;
mod ipc;
pub mod ping_pong;
mod ready;
mod rules;
mod scheduler;
mod slices;
mod thread;
pub mod workload;

#[allow(dead_code, reason = "the kernel needs more of it")]
mod kernel_queue;
#[allow(dead_code, reason = "the kernel needs more of it")]
mod kernel_rings;

/// What the kernel's source refers to.
mod table {
    pub use beryl_kernel::Table;

    /// What memory holds before the start, which nobody asks for here.
    #[allow(dead_code, reason = "the kernel needs it")]
    pub trait Blank {
        const BLANK: Self;
    }
}

/// What the kernel's source refers to.
mod scheduling {
    pub mod thread {
        pub use crate::thread::ThreadState;
    }
    pub mod tree {
        pub use beryl_kernel::row::Key;
    }
}

/// What the kernel's source refers to.
mod rows {
    pub mod threads {
        pub use beryl_kernel::{Place, Thread};
    }
}

/// What the kernel's source refers to.
mod ways {
    pub use beryl_kernel::Way;
}

pub use counted::{Count, Counts, Uncounted};
pub use interrupts::LineId;
pub use ipc::{From, Ipc, NotReady};
pub use rules::{
    AnsweredFirst, Benno, ByTheBook, DirectBenno, DirectEager, DirectLazy, Donating, FullEager, FullLazy,
    L4Ka, L4Mips, L4MipsLater, Policy, Queueing, Rules, Sending, Served, Switching, Yielding,
};
pub use scheduler::{Hint, L4};
pub use slices::Slice;
pub use thread::Phase;

/// Rows of every table.
pub const THREADS: usize = 64;
/// The words that a message may have: L4's message registers.
pub const WORDS: usize = 16;
/// Lines of interrupts.
pub const LINES: usize = 4;
/// The thread that runs when nothing else does.
pub const IDLE: beryl_abi::ThreadId = beryl_abi::ThreadId(0);
