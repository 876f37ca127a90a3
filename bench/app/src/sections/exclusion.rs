//! How a section keeps others out: by ceiling locks, or by calls that change its thread's priority.

use beryl_user::lock::Lock;
use beryl_user::thread::Thread;

use crate::failed;

/// The priority of the thread that measures by calls, and the sections' ceilings.
const OWN: u8 = 9;
const OUTER: u8 = 17;
const INNER: u8 = 25;

/// Sections, with what is done at each point: 1 before the outer one, 2 in it, 3 in the inner one.
pub trait Exclusion {
    /// The outer section alone.
    fn single(&mut self, at: impl FnMut(u8));

    /// The inner section in the outer one.
    fn nested(&mut self, at: impl FnMut(u8));
}

/// By ceiling locks.
pub struct Locks {
    pub outer: Lock<i32>,
    pub inner: Lock<i32>,
}

impl Exclusion for Locks {
    #[inline(always)]
    fn single(&mut self, mut at: impl FnMut(u8)) {
        at(1);
        self.outer.with(|_| at(2));
    }

    #[inline(always)]
    fn nested(&mut self, mut at: impl FnMut(u8)) {
        at(1);
        self.outer.with(|_| {
            at(2);
            self.inner.with(|_| at(3));
        });
    }
}

/// By calls.
pub struct Calls {
    pub own: Thread,
}

impl Exclusion for Calls {
    #[inline(always)]
    fn single(&mut self, mut at: impl FnMut(u8)) {
        at(1);
        self.be_of(OUTER);
        at(2);
        self.be_of(OWN);
    }

    #[inline(always)]
    fn nested(&mut self, mut at: impl FnMut(u8)) {
        at(1);
        self.be_of(OUTER);
        at(2);
        self.be_of(INNER);
        at(3);
        self.be_of(OUTER);
        self.be_of(OWN);
    }
}

impl Calls {
    #[inline(always)]
    fn be_of(&mut self, priority: u8) {
        if self.own.set_priority(priority).is_err() {
            failed();
        }
    }
}
