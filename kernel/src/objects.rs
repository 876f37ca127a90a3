//! What threads share: the state of each kind of object, and its operations. They don't know the kernel;
//! `calls` carries out their results.

pub mod endpoint;
pub mod event_group;
pub mod lacked;
pub mod limit;
pub mod mailbox;
pub mod owner;
pub mod queue;
pub mod reading;
pub mod semaphore;
