//! Semaphores: binary ones, which have an owner and protect a value, and counting ones.

mod binary;
mod counting;

pub use beryl_abi::{SemaphoreId, ThreadId};

pub use binary::{Binary, Held};
pub use counting::Counting;
