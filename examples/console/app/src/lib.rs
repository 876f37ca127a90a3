//! The console as a device server in user mode, and its clients.
//!
//! `beryl.toml` names these functions as entries of threads, in four processes. Being wrong takes unsafe
//! code: it is in the one function that says so.
#![no_std]
#![deny(unsafe_code)]

mod clients;
mod line;
mod server;
mod wild;

pub use clients::{alpha, beta, gamma};
pub use line::{Line, line, text};
pub use server::server;
