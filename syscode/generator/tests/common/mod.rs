//! What tests of programs on the kernel and on the reference machine share.

#![allow(dead_code, reason = "each test binary uses a part of it")]

pub mod host;
pub mod jobs;
pub mod loading;
pub mod periodic;
pub mod ports;
pub mod sets;

/// A table's row for good.
pub fn leak<T: Clone>(values: &[T]) -> &'static [T] {
    Vec::leak(values.to_vec())
}
