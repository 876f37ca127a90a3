//! What threads share: the state of each kind of object, and its verbs. They know no kernel: what a verb comes to is for `calls` to carry out.

pub mod endpoint;
pub mod event_group;
pub mod mailbox;
pub mod owner;
pub mod queue;
pub mod reading;
pub mod semaphore;
