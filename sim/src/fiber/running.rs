//! What the native thread knows about the running fiber, for requests and for traps.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{Ordering, compiler_fence};

use beryl_abi::{Moment, Range};
use corosensei::trap::CoroutineTrapHandler;

use super::host::Link;
use super::{Arena, Trap};

/// The fiber that is running on this native thread.
#[derive(Clone, Copy)]
pub(super) struct Running {
    /// Makes it return from a signal handler.
    pub(super) trap: CoroutineTrapHandler<Trap>,
    /// How it suspends itself; null until it has begun.
    pub(super) link: *const Link,
    /// The system's memory; valid while the fiber runs.
    pub(super) memory: *const Arena,
    /// Its stack in that memory.
    pub(super) stack: Range,
    /// The journal of its process, if any.
    pub(super) journal: Option<u32>,
    /// The ceiling of its critical sections, if it may enter any.
    pub(super) section: Option<u8>,
    /// When its segment runs: native code takes no time.
    pub(super) moment: Moment,
}

/// A fiber's parts of the system's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    /// The thread's stack on the target; this machine's code doesn't run on it.
    pub(crate) stack: Range,
    /// The journal of its process, if any.
    pub(crate) journal: Option<u32>,
    /// The ceiling of its critical sections, if it may enter any.
    pub(crate) section: Option<u8>,
}

thread_local! {
    static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
    /// Whether application code has control, and not the surrounding code of this crate. Only then may a
    /// signal handler take the fiber away.
    static IN_APPLICATION: Cell<bool> = const { Cell::new(false) };
    /// How many segments have begun.
    static SEGMENTS: Cell<u64> = const { Cell::new(0) };
    /// The segment in which the watchdog last looked, and how often it has looked during that segment.
    static LOOKED: Cell<(u64, u32)> = const { Cell::new((0, 0)) };
}

impl Running {
    pub(super) fn new(
        trap: CoroutineTrapHandler<Trap>,
        link: *const Link,
        memory: &Arena,
        own: &Own,
        moment: Moment,
    ) -> Running {
        let Own { stack, journal, section } = *own;
        Running { trap, link, memory: ptr::from_ref(memory), stack, journal, section, moment }
    }

    /// Makes this the running fiber during `body`; also returns how the fiber suspends itself.
    pub(super) fn during<R>(self, body: impl FnOnce() -> R) -> (R, *const Link) {
        SEGMENTS.set(SEGMENTS.get().wrapping_add(1));
        let outer = RUNNING.replace(Some(self));
        let result = body();
        leave_application();
        let link = RUNNING.replace(outer).map_or(ptr::null(), |running| running.link);
        (result, link)
    }
}

/// The running fiber, if its application code has control.
pub(super) fn in_application() -> Option<Running> {
    IN_APPLICATION.get().then(|| RUNNING.get()).flatten()
}

/// The watchdog looks: returns how often it has now looked during this segment.
pub(super) fn looks() -> u32 {
    let segment = SEGMENTS.get();
    let (before, looks) = LOOKED.get();
    let looks = if before == segment { looks.saturating_add(1) } else { 1 };
    LOOKED.set((segment, looks));
    looks
}

/// The running fiber.
pub(super) fn running() -> Option<Running> {
    RUNNING.get()
}

/// The fiber begins and registers how it suspends itself.
pub(super) fn begin(link: &Link) {
    if let Some(running) = RUNNING.get() {
        RUNNING.set(Some(Running { link: ptr::from_ref(link), ..running }));
    }
    enter_application();
}

/// From here on the application's code has control.
pub(super) fn enter_application() {
    IN_APPLICATION.set(true);
    compiler_fence(Ordering::SeqCst);
}

/// From here on this crate's code has control.
pub(super) fn leave_application() {
    compiler_fence(Ordering::SeqCst);
    IN_APPLICATION.set(false);
}
