//! Interrupt lines: which are masked, which are pending.

use std::collections::BTreeSet;

use beryl_abi::Line;

/// The lines as an interrupt controller keeps them: all are masked at first. A line that is raised
/// stays pending until it can be taken; raised again meanwhile, it is taken once.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct Lines {
    unmasked: BTreeSet<Line>,
    pending: BTreeSet<Line>,
}

impl Lines {
    pub(crate) fn mask(&mut self, line: Line) {
        self.unmasked.remove(&line);
    }

    pub(crate) fn unmask(&mut self, line: Line) {
        self.unmasked.insert(line);
    }

    pub(crate) fn raise(&mut self, line: Line) {
        self.pending.insert(line);
    }

    /// Whether there is one to be taken.
    pub(crate) fn is_any_due(&self) -> bool {
        self.due().is_some()
    }

    /// Takes a pending line that isn't masked; of several the one with the lowest number.
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
}
