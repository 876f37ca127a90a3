//! What user code does without the kernel, played on the host's memory: the short ways of binary
//! semaphores and of ceiling locks.

use beryl_abi::ThreadId;
use beryl_kernel::Sizes;

use super::Host;
use super::objects::stack;

/// The word that a thread writes: its raised level.
pub const fn level(thread: ThreadId) -> u32 {
    let stack = stack(thread);
    stack.address + stack.length - 8
}

/// The word that the kernel writes: the level that waits for it to be lowered.
pub const fn waiting(thread: ThreadId) -> u32 {
    level(thread) + 4
}

impl<S: Sizes> Host<S> {
    /// Takes a semaphore by its word; answers whether the kernel isn't needed.
    pub fn take_word(&mut self, word: u32, me: ThreadId) -> bool {
        self.exchange(word, 0, u32::from(me.0) + 1)
    }

    /// Gives a semaphore back by its word; answers whether the kernel isn't needed.
    pub fn give_word(&mut self, word: u32, me: ThreadId) -> bool {
        self.exchange(word, u32::from(me.0) + 1, 0)
    }

    /// An exclusive load, and a store if the word was as expected.
    fn exchange(&mut self, address: u32, expected: u32, value: u32) -> bool {
        let as_expected = self.word(address) == expected;
        if as_expected {
            self.memory.insert(address, value);
        }
        as_expected
    }

    /// Raises a thread's word to a lock's ceiling; answers what it was.
    pub fn raise_word(&mut self, me: ThreadId, ceiling: u32) -> u32 {
        let before = self.word(level(me));
        self.memory.insert(level(me), before.max(ceiling));
        before
    }

    /// Lowers it to what it was; answers whether the kernel has to decide again.
    #[must_use]
    pub fn lower_word(&mut self, me: ThreadId, before: u32) -> bool {
        self.memory.insert(level(me), before);
        before < self.word(waiting(me))
    }
}
