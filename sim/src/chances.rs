//! A scenario's optional interrupts, which may or may not come.

use beryl_abi::{Instant, Line};

use crate::scenario::Script;

/// The instants at which a line may be raised, in order. Whether it is raised is picked when the instant has
/// come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chances {
    /// Reversed: the next one is the last.
    left: Vec<(Instant, Line)>,
    script: Script,
}

/// Only the interrupts that are still to come.
impl std::hash::Hash for Chances {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.left.len().hash(hasher);
    }
}

impl Chances {
    pub(crate) fn new(chances: &[(Instant, Line)], script: Script) -> Chances {
        let mut left = chances.to_vec();
        left.sort_by_key(|(instant, line)| std::cmp::Reverse((*instant, line.0)));
        Chances { left, script }
    }

    /// The instant of the next one.
    pub(crate) fn next(&self) -> Instant {
        self.left.last().map_or(Instant::NEVER, |(instant, _)| *instant)
    }

    /// Takes one that is due: the line, if it is picked to be raised. None if none is due.
    pub(crate) fn take(&mut self, now: Instant) -> Option<Option<Line>> {
        let (_, line) = self.left.pop_if(|(instant, _)| instant.is_due(now))?;
        Some((self.script.choose(2) == 1).then_some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::Chances;
    use crate::scenario::Script;
    use beryl_abi::{Instant, Line};

    #[test]
    fn what_is_picked_is_raised_at_its_instant() {
        let at = Instant::from_ticks;
        let script = Script::new(vec![1, 0, 1]);
        let mut chances = Chances::new(&[(at(9), Line(4)), (at(3), Line(7)), (at(3), Line(5))], script);
        assert_eq!((chances.next(), chances.take(at(2))), (at(3), None));
        let taken = [3, 3, 3, 9, 9].map(|now| chances.take(at(now)));
        assert_eq!(taken, [Some(Some(Line(5))), Some(None), None, Some(Some(Line(4))), None]);
        assert_eq!(chances.next(), Instant::NEVER);
    }
}
