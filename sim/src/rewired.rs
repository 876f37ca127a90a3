//! An environment on another board than the one that it was written for: its lines lead to what stands in for them.

use beryl_abi::Line;
use beryl_abi::environment::Channel;

use crate::environment::{Environment, Nanoseconds};

/// An environment whose lines are others on the board. Those that nothing stands in for stay as they are.
#[derive(Clone, Debug)]
pub struct Rewired<E> {
    environment: E,
    /// As the environment calls a line, and as the board does.
    lines: Vec<(Line, Line)>,
}

impl<E: Environment> Rewired<E> {
    /// Leads each first line of a pair to the second.
    pub fn new(environment: E, lines: &[(Line, Line)]) -> Rewired<E> {
        Rewired { environment, lines: lines.to_vec() }
    }
}

impl<E: Environment> Environment for Rewired<E> {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        self.environment.read(instant, channel, value);
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        self.environment.write(instant, channel, value);
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let (instant, line) = self.environment.interrupts(after)?;
        let found = self.lines.iter().find(|(own, _)| *own == line);
        Some((instant, found.map_or(line, |(_, on_board)| *on_board)))
    }

    /// Several lines may have come to be one, which is up while one of them is.
    fn level(&mut self, instant: Nanoseconds, line: Line) -> Option<bool> {
        let mut own: Vec<_> =
            self.lines.iter().filter(|(_, on_board)| *on_board == line).map(|(own, _)| *own).collect();
        if own.is_empty() {
            own.push(line);
        }
        let levels = own.into_iter().filter_map(|line| self.environment.level(instant, line));
        levels.reduce(|one, other| one || other)
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        self.environment.finish(instant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raises line 10 after 5 ns and line 3 after 7; both hold up what they raise.
    struct Bells;

    impl Environment for Bells {
        fn read(&mut self, _: Nanoseconds, _: Channel, _: &mut [u8]) {}

        fn write(&mut self, _: Nanoseconds, _: Channel, _: &[u8]) {}

        fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
            let all = [(Nanoseconds::new(5), Line(10)), (Nanoseconds::new(7), Line(3))];
            all.into_iter().find(|(instant, _)| *instant > after)
        }

        fn level(&mut self, _: Nanoseconds, line: Line) -> Option<bool> {
            match line {
                Line(10) => Some(true),
                Line(3) => Some(false),
                _ => None,
            }
        }

        fn finish(&mut self, _: Nanoseconds) -> Result<String, String> {
            Ok(String::new())
        }
    }

    #[test]
    fn lines_lead_to_what_stands_in_for_them() {
        let mut bells = Rewired::new(Bells, &[(Line(10), Line(11)), (Line(0), Line(11))]);
        let (start, first) = (Nanoseconds::default(), Nanoseconds::new(5));
        assert_eq!(bells.interrupts(start), Some((first, Line(11))));
        assert_eq!(bells.interrupts(first), Some((Nanoseconds::new(7), Line(3))));
        let level = |bells: &mut Rewired<Bells>, line| bells.level(first, Line(line));
        assert_eq!(level(&mut bells, 11), Some(true), "line 10 is up there");
        assert_eq!(level(&mut bells, 3), Some(false), "what nothing stands in for is what it was");
        assert_eq!(level(&mut bells, 5), None);
    }
}
