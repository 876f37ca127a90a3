//! A row of a proof with modes: logical execution times differ from mode to mode, and so do responses.

use crate::ticks::Ticks;

/// The result for a task whose logical execution times may differ.
pub(super) struct Row {
    /// The one with the least margin.
    pub deadline: Ticks,
    /// Its least margin.
    pub margin: Ticks,
    /// The longest response of a job, with any of them.
    pub response: Ticks,
}

impl Row {
    /// For a single one.
    pub fn of(deadline: Ticks, response: Ticks) -> Row {
        Row { deadline, margin: deadline.less(response), response }
    }

    /// For both.
    pub fn and(self, other: Row) -> Row {
        let response = self.response.max(other.response);
        let tightest = if other.margin < self.margin { other } else { self };
        Row { response, ..tightest }
    }
}
