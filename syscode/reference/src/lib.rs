//! The reference machine: what system code means, in the plainest code.
//!
//! Algorithms 1 to 6 of the programmable-microkernel paper, E and S code in one machine, as slow and as
//! simple as possible. It is what the kernel, the checker and the generators are compared with. A run is a
//! function of the programs and the [`World`]; the [trace](Entry) says what happened.
//!
//! Where the paper leaves something open, this is what the machine does:
//!
//! 1. Enabled triggers of one instant go in the order of phase, program, and setting (paper: the first in the queue).
//! 2. Of expired timeouts, the one of the thread that holds a task goes first, then the others in the order
//!    in which they began to wait. The paper chooses any; then Figure 13 violates time sharing whenever the
//!    idle thread is chosen first at 5 ms.
//! 3. A trigger on anything but time is looked at from the instant after its setting on, so that no program
//!    can keep an instant going.
//! 4. Dispatching a task that isn't released, or with a timeout that has expired, violates nothing: it goes
//!    on at once, whoever holds the processor.
//! 5. Tasks that no program dispatches are scheduled by the default policy whenever no thread holds a task,
//!    not only while there are no threads at all (Algorithm 6); [`World::idle_is_held`] gives the paper's
//!    rule.
//! 6. Of equal deadlines, the later release is the more urgent. Figure 4 draws it so: at 10 ms both tasks are
//!    due at 20.
#![forbid(unsafe_code)]

mod exceptions;
mod interpreter;
mod machine;
mod schedule;
mod search;
mod state;
mod time;
mod trace;
mod world;

pub use machine::{Machine, Trap};
pub use search::{Counterexample, Execution, counterexample};
pub use trace::{Entry, Event};
pub use world::{Action, Change, Driver, Policy, Task, World};
