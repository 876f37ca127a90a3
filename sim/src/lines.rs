//! Interrupt lines: which are masked, which are pending.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::Line;

/// The lines as an interrupt controller keeps them: all are masked at first. A line that is raised stays
/// pending until it can be taken; if it is raised again meanwhile, it is taken once. A line that a device
/// holds up comes whenever it is unmasked; once the device has taken it back, it doesn't.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Lines {
    unmasked: BTreeSet<Line>,
    pending: BTreeSet<Line>,
    /// Whether each line that devices hold up until they are served is up.
    levels: BTreeMap<Line, bool>,
}

impl Lines {
    pub(crate) fn mask(&mut self, line: Line) {
        self.unmasked.remove(&line);
    }

    pub(crate) fn unmask(&mut self, line: Line) {
        self.unmasked.insert(line);
        match self.levels.get(&line) {
            Some(true) => self.raise(line),
            Some(false) => _ = self.pending.remove(&line),
            None => {}
        }
    }

    /// A device holds a line up, or has taken it back.
    pub(crate) fn hold(&mut self, line: Line, is_up: bool) {
        self.levels.insert(line, is_up);
    }

    pub(crate) fn raise(&mut self, line: Line) {
        self.pending.insert(line);
    }

    /// Whether a line can be taken.
    pub(crate) fn is_any_due(&self) -> bool {
        self.due().is_some()
    }

    /// Takes a pending line that isn't masked, the one with the lowest number.
    pub(crate) fn take(&mut self) -> Option<Line> {
        let line = self.due()?;
        self.pending.remove(&line);
        Some(line)
    }

    fn due(&self) -> Option<Line> {
        self.pending.intersection(&self.unmasked).next().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use beryl_abi::Line;

    #[test]
    fn a_masked_line_stays_pending_and_the_lowest_comes_first() {
        let mut lines = Lines::default();
        [7, 3, 7, 5].into_iter().for_each(|line| lines.raise(Line(line)));
        assert_eq!(lines.take(), None);
        [5, 7, 4].into_iter().for_each(|line| lines.unmask(Line(line)));
        assert!(lines.is_any_due());
        assert_eq!([(); 3].map(|()| lines.take()), [Some(Line(5)), Some(Line(7)), None]);
        lines.raise(Line(7));
        lines.mask(Line(7));
        assert!(!lines.is_any_due());
        lines.unmask(Line(3));
        assert_eq!([(); 2].map(|()| lines.take()), [Some(Line(3)), None]);
    }

    #[test]
    fn a_line_that_is_held_up_comes_again_until_it_is_taken_back() {
        let mut lines = Lines::default();
        let line = Line(4);
        lines.unmask(line);
        lines.raise(line);
        lines.hold(line, true);
        assert_eq!([(); 2].map(|()| lines.take()), [Some(line), None]);
        lines.mask(line);
        lines.unmask(line);
        assert_eq!([(); 2].map(|()| lines.take()), [Some(line), None]);
        lines.mask(line);
        lines.raise(line);
        lines.hold(line, false);
        lines.unmask(line);
        assert_eq!(lines.take(), None, "it has been served meanwhile");
    }
}
