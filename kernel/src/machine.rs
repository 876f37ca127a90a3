//! System code at logical instants (the E machine), and the threads of system code that say which task runs
//! (the S machine).

pub mod activity;
pub mod agenda;
pub mod batches;
mod drivers;
mod e_machine;
pub mod event_trigger;
pub mod event_triggers;
mod exceptions;
mod fed;
mod instructions;
mod kept;
pub mod link;
mod links;
pub mod program;
mod programs;
mod rounds;
mod s_machine;
pub mod schedule;
pub mod sensors;
mod successors;
pub mod trigger;
mod trigger_order;
