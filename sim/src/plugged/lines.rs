//! Interrupts of the environment on the board's lines.
//!
//! ```text
//!            due (1)                 the board has taken it, and records that (2)
//!   down ---------------> up -----------------------------------------------------> down
//!    ^                    | the environment has been served (3)                      ^
//!    +--------------------+                                  still held up by it: (2) stays up
//! ```
//! A line that is masked when it goes up stays up until the board lets it come, and comes once, as in the simulator.
//! (1) `raise`, (2) `taken`, (3) `exchanged`. The kernel masks a line before it records that the line's interrupt came, and
//! leaves its handler after that.

use std::collections::BTreeSet;

use beryl_abi::Line;

use super::Broken;
use crate::environment::{Environment, Nanoseconds};

/// The board's interrupt controller.
pub(crate) trait Controller {
    /// Moves a line up or down.
    fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken>;
}

/// The environment's next interrupt, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upcoming {
    /// It has to be asked.
    Unknown,
    Known(Option<(Nanoseconds, Line)>),
}

/// The lines that the environment moves.
pub(crate) struct Lines<C> {
    controller: C,
    /// Those of devices that the board has itself.
    others: Vec<Line>,
    /// The last interrupt that was raised.
    raised: Nanoseconds,
    upcoming: Upcoming,
    up: BTreeSet<Line>,
    /// Those whose device holds them up until it is served.
    held: BTreeSet<Line>,
}

impl<C: Controller> Lines<C> {
    pub(crate) fn new(controller: C, others: Vec<Line>) -> Lines<C> {
        let (raised, upcoming) = (Nanoseconds::default(), Upcoming::Unknown);
        Lines { controller, others, raised, upcoming, up: BTreeSet::new(), held: BTreeSet::new() }
    }

    /// When the next interrupt comes, if one does.
    pub(crate) fn next(&mut self, environment: &mut dyn Environment) -> Option<Nanoseconds> {
        if self.upcoming == Upcoming::Unknown {
            let next = environment.interrupts(self.raised).filter(|(instant, _)| *instant > self.raised);
            self.upcoming = Upcoming::Known(next);
        }
        match self.upcoming {
            Upcoming::Known(next) => next.map(|(instant, _)| instant),
            Upcoming::Unknown => None,
        }
    }

    /// The next interrupt comes.
    pub(crate) fn raise(
        &mut self,
        environment: &mut dyn Environment,
        now: Nanoseconds,
    ) -> Result<(), Broken> {
        let Upcoming::Known(Some((instant, line))) = self.upcoming else { return Ok(()) };
        (self.raised, self.upcoming) = (instant, Upcoming::Unknown);
        if self.others.contains(&line) {
            return Ok(());
        }
        match environment.level(now, line) {
            Some(is_up) => {
                self.held.insert(line);
                self.set(line, is_up)
            }
            None => self.set(line, true),
        }
    }

    /// The board has taken a line, and masked it.
    pub(crate) fn taken(
        &mut self,
        environment: &mut dyn Environment,
        now: Nanoseconds,
        line: Line,
    ) -> Result<(), Broken> {
        if !self.up.contains(&line) {
            return Ok(());
        }
        self.set(line, environment.level(now, line) == Some(true))
    }

    /// The environment was read or written: the next interrupt may be another one, and devices may have been served.
    pub(crate) fn exchanged(
        &mut self,
        environment: &mut dyn Environment,
        now: Nanoseconds,
    ) -> Result<(), Broken> {
        self.upcoming = Upcoming::Unknown;
        for line in self.held.clone() {
            self.set(line, environment.level(now, line) == Some(true))?;
        }
        Ok(())
    }

    fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken> {
        let is_other = if is_up { self.up.insert(line) } else { self.up.remove(&line) };
        if is_other { self.controller.set(line, is_up) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use beryl_abi::environment::Channel;

    use super::*;

    /// What was done with lines.
    type Moved = Rc<RefCell<Vec<(u16, bool)>>>;

    impl Controller for Moved {
        fn set(&mut self, line: Line, is_up: bool) -> Result<(), Broken> {
            self.borrow_mut().push((line.0, is_up));
            Ok(())
        }
    }

    /// Interrupts on lines 4, 5 and 6 by turns, 100 ns apart; it holds 5 up until it is written to.
    struct Bells(bool);

    impl Environment for Bells {
        fn read(&mut self, _: Nanoseconds, _: Channel, _: &mut [u8]) {}

        fn write(&mut self, _: Nanoseconds, _: Channel, _: &[u8]) {}

        fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
            let next = after.count() / 100 + 1;
            (next <= 4)
                .then(|| (Nanoseconds::new(100 * next), Line(4 + u16::try_from((next - 1) % 3).unwrap_or(0))))
        }

        fn level(&mut self, _: Nanoseconds, line: Line) -> Option<bool> {
            (line == Line(5)).then_some(self.0)
        }

        fn finish(&mut self, _: Nanoseconds) -> Result<String, String> {
            Ok(String::new())
        }
    }

    #[test]
    fn a_line_is_up_until_it_is_taken_and_a_held_one_until_its_device_is_served() -> Result<(), Broken> {
        let (moved, mut bells) = (Moved::default(), Bells(true));
        let mut lines = Lines::new(moved.clone(), vec![Line(6)]);
        let now = Nanoseconds::new(0);
        let mut instants = Vec::new();
        while let Some(instant) = lines.next(&mut bells) {
            instants.push(instant.count());
            lines.raise(&mut bells, now)?;
        }
        assert_eq!(instants, [100, 200, 300, 400]);
        // Line 4 was raised twice and is up once; line 6 is a device's of the board.
        assert_eq!(moved.take(), [(4, true), (5, true)]);
        // One of the board's own devices.
        lines.taken(&mut bells, now, Line(6))?;
        assert_eq!(moved.take(), []);
        for line in [4, 5] {
            lines.taken(&mut bells, now, Line(line))?;
        }
        assert_eq!(moved.take(), [(4, false)]);
        lines.exchanged(&mut bells, now)?;
        bells.0 = false;
        lines.exchanged(&mut bells, now)?;
        bells.0 = true;
        lines.exchanged(&mut bells, now)?;
        assert_eq!(moved.take(), [(5, false), (5, true)]);
        Ok(())
    }
}
