//! What of NAME is in Rust: nothing yet. Its functions are in `c/`.
#![no_std]
#![forbid(unsafe_code)]
