//! Windows: when which partition may have the processor.
//!
//! A partition is a band, or several, whose places count only in windows of a frame that repeats. All other bands count
//! always: the background partition, which a window shares with its own. Of all places that count the first one has the
//! processor, as ever. So a window's beginning changes one word, the ranks that count, and a decision does the rest. Ranks
//! are a strict order: between the background and a partition there is no tie.
//!
//! ```text
//!     window 0 --its end (1)--> window 1 --its end (1)--> ... --its end (1)--> window 0
//! ```
//! (1) `turn_of_window`: a timer like any other, set from the end that was, so that nothing drifts.
//!
//! What runs in a *place* has that place's windows: who owns a lock runs in the place that is lent to him, and who waits
//! pays with his window. A raised word isn't a place: it keeps nobody out of another window. So ceiling locks are for
//! threads of one partition, where whoever is inside is alone until it goes on.
//!
//! The timer has the place behind those of the watchdogs in the timer queue.

use beryl_abi::{Instant, Moment, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::windows::{Window, WindowId};
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::{Blank, Optional, Table};

impl Blank for WindowId {
    const BLANK: WindowId = WindowId(0);
}

/// The place of the end of the window in the timer queue.
const fn place<S: Sizes>() -> ThreadId {
    ThreadId((S::Threads::LENGTH + S::GATES + S::WATCHDOGS) as u8)
}

fn row<S: Sizes>(system: &System<S>, window: WindowId) -> Window {
    system.windows.get(window.0.into()).copied().unwrap_or(Window::NONE)
}

impl<S: Sizes> State<S> {
    /// The first window begins with the system.
    pub(crate) fn begin_windows(&mut self, system: &System<S>) {
        if S::PARTITIONED {
            self.open_window(system, WindowId(0), Instant::START.moment());
        }
    }

    /// A window begins, at this moment.
    fn open_window(&mut self, system: &System<S>, window: WindowId, begun: Moment) {
        let Window { lasts, eligible } = row(system, window);
        // No frame is empty.
        let lasts = if lasts > 0 { lasts } else { Window::LONGEST };
        if let Some(open) = self.window.get_mut(0) {
            *open = window;
        }
        self.bands.count_only(eligible);
        self.timers.set(place::<S>(), begun.after(lasts));
    }

    /// The number of the window that is open; none without windows.
    pub fn window(&self) -> Option<usize> {
        self.window.get(0).map(|window| window.0.into())
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether a place in the timer queue is that of the window's end.
    #[inline(always)]
    pub(crate) fn is_windows(&self, timer: ThreadId) -> bool {
        S::PARTITIONED && timer == place::<S>()
    }

    /// The open window ends, at this moment: the next one begins.
    #[cold]
    #[inline(never)]
    pub(crate) fn turn_of_window(&mut self, ends: Moment) {
        let next = self.state.window().map_or(0, |window| window.saturating_add(1));
        let system = self.machine.system();
        let is_one = next < S::WINDOWS && row(system, WindowId(next as u8)).lasts > 0;
        let next = if is_one { WindowId(next as u8) } else { WindowId(0) };
        self.state.open_window(system, next, ends);
    }

    /// Whether a thread's own place counts now.
    #[inline(always)]
    pub(crate) fn may_run_now(&self, thread: ThreadId) -> bool {
        !S::PARTITIONED || self.state.bands.counts(self.state.threads.at(thread.index()).rank().number())
    }
}
