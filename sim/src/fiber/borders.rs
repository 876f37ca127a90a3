//! Borders between the stacks of fibers: on a board each thread has its own stack, and the others are closed
//! to it.
//!
//! At most one stack is open at a time: that of the running fiber, or of the one that ran last. So there is
//! nothing to do as long as one fiber goes on, and a switch to another takes two calls of the operating
//! system.

use std::cell::{Cell, RefCell};
use std::ops::Range as Bytes;

use beryl_abi::Range;
use corosensei::stack::{DefaultStack, Stack};

/// The stacks of a simulation's fibers.
pub(crate) struct Borders {
    are_closed: bool,
    /// The location of each on this machine and on the target.
    stacks: RefCell<Vec<(Bytes<usize>, Range)>>,
    /// The address of the open one; 0 if there is none.
    open: Cell<usize>,
}

impl Borders {
    /// No stacks yet; `are_closed` says whether they will be closed to each other.
    pub(crate) fn new(are_closed: bool) -> Borders {
        Borders { are_closed, stacks: RefCell::new(Vec::new()), open: Cell::new(0) }
    }

    /// Adds a stack, which is open; returns its location.
    pub(super) fn add(&self, stack: &DefaultStack, target: Range) -> Bytes<usize> {
        // The lowest page belongs to no stack, so that an overflow is found.
        let page = page_size();
        let bytes = stack.limit().get().saturating_add(page)..stack.base().get();
        self.stacks.borrow_mut().push((bytes.clone(), target));
        self.open_only(&bytes);
        bytes
    }

    /// Opens a stack, and closes the previous one.
    pub(super) fn open_only(&self, bytes: &Bytes<usize>) {
        let open = self.open.replace(bytes.start);
        if !self.are_closed || open == bytes.start {
            return;
        }
        if let Some((open, _)) = self.stacks.borrow().iter().find(|(stack, _)| stack.start == open) {
            set_access(open, false);
        }
        set_access(bytes, true);
    }

    /// A stack is about to be given back.
    pub(super) fn remove(&self, bytes: &Bytes<usize>) {
        self.open_only(bytes);
        self.open.set(0);
        self.stacks.borrow_mut().retain(|(stack, _)| stack != bytes);
    }

    /// The target location of the stack that an address of this machine belongs to.
    pub(super) fn owner(&self, address: usize) -> Option<Range> {
        let stacks = self.stacks.borrow();
        let found = stacks.iter().find(|(stack, _)| self.are_closed && stack.contains(&address));
        found.map(|(_, target)| *target)
    }
}

#[cfg(unix)]
fn page_size() -> usize {
    // SAFETY: asks for a number.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

/// Opens or closes the pages of a stack. If that isn't possible, the stack is as open as it was.
#[cfg(unix)]
fn set_access(bytes: &Bytes<usize>, is_open: bool) {
    let access = if is_open { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
    let start = std::ptr::with_exposed_provenance_mut(bytes.start);
    // SAFETY: whole pages of a fiber's stack, which no code touches while it is closed: it is opened before
    // its fiber is resumed, restarted or dropped, and values that a fiber hands over are taken before another
    // is resumed.
    unsafe { libc::mprotect(start, bytes.len(), access) };
}

#[cfg(not(unix))]
fn page_size() -> usize {
    4096
}

#[cfg(not(unix))]
fn set_access(_bytes: &Bytes<usize>, _is_open: bool) {}
