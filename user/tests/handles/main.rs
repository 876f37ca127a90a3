//! The handles of objects, by the exact calls and arguments that they make.

mod conditions;
mod critical_sections;
mod endpoints;
mod event_groups;
mod gates;
mod locks;
mod mailboxes;
mod nothing;
mod notifications;
mod priorities;
mod script;
mod semaphores;
mod shared;
mod supervisors;
mod times;
