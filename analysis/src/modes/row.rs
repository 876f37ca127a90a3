//! A row of a proof with modes: logical execution times differ from mode to mode, and so do responses.

use crate::ticks::Ticks;

/// What is promised of a task, whose logical execution times may differ.
pub(super) struct Row {
    /// The one of which least is left.
    pub deadline: Ticks,
    /// What is left of that at least.
    pub margin: Ticks,
    /// How long a job takes at most, whichever it has.
    pub response: Ticks,
}

impl Row {
    /// Of a single one.
    pub fn of(deadline: Ticks, response: Ticks) -> Row {
        Row { deadline, margin: deadline.less(response), response }
    }

    /// Of both.
    pub fn and(self, other: Row) -> Row {
        let response = self.response.max(other.response);
        let tightest = if other.margin < self.margin { other } else { self };
        Row { response, ..tightest }
    }
}
