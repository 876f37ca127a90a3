//! How long jobs take: each as its task, its number and a seed say, on the kernel and on the reference machine.

/// How long a task's job of that number takes: one tick at least, and up to its bound.
pub fn execution(seed: u64, bound: u64, task: usize, number: usize) -> u64 {
    let mixed = (seed ^ (task as u64) << 8 ^ (number as u64) << 16).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    1 + mixed % bound
}
