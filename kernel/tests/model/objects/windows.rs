//! Windows: whose places count at the time.

use beryl_kernel::{Optional, Sizes, ThreadKind};

use super::{Index, Model, Ticks};

impl<S: Sizes> Model<'_, S> {
    /// Where the open window ends, if there are windows.
    pub fn end_of_window(&self) -> Option<Ticks> {
        S::PARTITIONED.then_some(self.window.1)
    }

    /// The windows that are over by now end, one after the other.
    pub fn open_windows(&mut self) {
        while self.end_of_window().is_some_and(|end| end <= self.now) {
            let (window, end) = self.window;
            let window = if end == 0 { 0 } else { (window + 1) % S::WINDOWS };
            self.window = (window, end + Ticks::from(self.system.windows.get(window).unwrap().lasts));
        }
    }

    /// Whether a thread's own place counts in the open window. All places of a band do, or none, also while they are
    /// lowered; the background always does.
    pub fn counts(&self, thread: Index) -> bool {
        let Some(window) = self.system.windows.get(self.window.0) else { return true };
        let row = self.row(thread);
        row.kind == ThreadKind::Idle || window.eligible.reverse_bits() >> row.rank.number() & 1 == 1
    }
}
