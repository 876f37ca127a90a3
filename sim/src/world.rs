//! One environment for several nodes: each sees it as its own.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use beryl_abi::Line;
use beryl_abi::environment::Channel;

use crate::environment::{Environment, Nanoseconds};
use crate::rewired::Rewired;

/// An environment that nodes share.
#[derive(Clone)]
pub struct World(Rc<RefCell<Shared>>);

struct Shared {
    environment: Box<dyn Environment>,
    /// The lines of each node.
    lines: Vec<BTreeSet<Line>>,
    /// The last interrupt that somebody took.
    taken: Nanoseconds,
    /// The next one.
    pending: Option<(Nanoseconds, Line)>,
    /// Whether it has to be asked for that.
    is_unknown: bool,
    is_over: bool,
}

impl World {
    /// The nodes share this environment.
    #[must_use]
    pub fn new(environment: Box<dyn Environment>) -> World {
        World(Rc::new(RefCell::new(Shared {
            environment,
            lines: Vec::new(),
            taken: Nanoseconds::default(),
            pending: None,
            is_unknown: true,
            is_over: false,
        })))
    }

    /// As the next node sees it, on which something comes on these lines: as the environment calls each, and as the
    /// node's board does. An interrupt goes to the first node that has its line; one that nobody has is lost.
    #[must_use]
    pub fn view(&self, lines: &[(Line, Line)]) -> Box<dyn Environment> {
        let mut shared = self.0.borrow_mut();
        shared.lines.push(lines.iter().map(|(line, _)| *line).collect());
        let view = View { node: shared.lines.len() - 1, world: self.clone() };
        Box::new(Rewired::new(view, lines))
    }
}

impl Shared {
    /// The next interrupt that a node has a line for, and which.
    fn next(&mut self) -> Option<(Nanoseconds, Line, usize)> {
        loop {
            if self.is_unknown {
                self.pending = self.environment.interrupts(self.taken);
                self.is_unknown = false;
            }
            let (at, line) = self.pending?;
            match self.lines.iter().position(|lines| lines.contains(&line)) {
                Some(node) => return Some((at, line, node)),
                None => self.pass(at),
            }
        }
    }

    fn pass(&mut self, at: Nanoseconds) {
        self.taken = at;
        self.is_unknown = true;
    }
}

/// How a node sees it.
struct View {
    node: usize,
    world: World,
}

impl Environment for View {
    fn read(&mut self, instant: Nanoseconds, channel: Channel, value: &mut [u8]) {
        let mut shared = self.world.0.borrow_mut();
        shared.environment.read(instant, channel, value);
        shared.is_unknown = true;
    }

    fn write(&mut self, instant: Nanoseconds, channel: Channel, value: &[u8]) {
        let mut shared = self.world.0.borrow_mut();
        shared.environment.write(instant, channel, value);
        shared.is_unknown = true;
    }

    fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
        let mut shared = self.world.0.borrow_mut();
        match shared.next()? {
            (at, line, node) if node == self.node && at > after => Some((at, line)),
            (at, _, node) if node == self.node => {
                // The node has taken it: this is about the one behind it.
                shared.pass(at);
                drop(shared);
                self.interrupts(after)
            }
            _ => None,
        }
    }

    fn level(&mut self, instant: Nanoseconds, line: Line) -> Option<bool> {
        self.world.0.borrow_mut().environment.level(instant, line)
    }

    fn finish(&mut self, instant: Nanoseconds) -> Result<String, String> {
        let mut shared = self.world.0.borrow_mut();
        match std::mem::replace(&mut shared.is_over, true) {
            false => shared.environment.finish(instant),
            true => Ok(String::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::World;
    use crate::environment::{Environment, Nanoseconds};
    use beryl_abi::Line;
    use beryl_abi::environment::Channel;

    /// Raises lines 3, 4 and 5 in turn, 10 ns apart; a sensor gives the last value written.
    struct Turns(u8);

    impl Environment for Turns {
        fn read(&mut self, _instant: Nanoseconds, _channel: Channel, value: &mut [u8]) {
            value.fill(self.0);
        }

        fn write(&mut self, _instant: Nanoseconds, _channel: Channel, value: &[u8]) {
            self.0 = value[0];
        }

        fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
            let turn = after.count() / 10 + 1;
            Some((Nanoseconds::new(turn * 10), Line(u16::try_from(3 + turn % 3).unwrap())))
        }

        fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
            Ok("over".to_owned())
        }
    }

    #[test]
    fn each_node_takes_its_own_lines_as_its_board_calls_them_and_nobody_waits_for_others() {
        let world = World::new(Box::new(Turns(0)));
        let [mut one, mut other] =
            [(4, 14), (3, 3)].map(|(own, board)| world.view(&[(Line(own), Line(board))]));
        let at = |view: &mut Box<dyn Environment>, after: u64| {
            view.interrupts(Nanoseconds::new(after)).map(|(at, line)| (at.count(), line.0))
        };
        assert_eq!([at(&mut one, 0), at(&mut other, 0)], [Some((10, 14)), None]);
        // The first has taken its own; line 5 is nobody's.
        assert_eq!(at(&mut one, 10), None);
        assert_eq!(at(&mut other, 0), Some((30, 3)));
        assert_eq!([at(&mut other, 30), at(&mut one, 10)], [None, Some((40, 14))]);
    }

    #[test]
    fn what_one_writes_another_reads_and_the_end_comes_once() {
        let world = World::new(Box::new(Turns(0)));
        let [mut one, mut other] =
            [(4, 14), (3, 3)].map(|(own, board)| world.view(&[(Line(own), Line(board))]));
        one.write(Nanoseconds::new(1), Channel::new(0), &[7]);
        let mut value = [0];
        other.read(Nanoseconds::new(2), Channel::new(0), &mut value);
        assert_eq!(value, [7]);
        let end = Nanoseconds::new(3);
        assert_eq!([one.finish(end), other.finish(end)], [Ok("over".to_owned()), Ok(String::new())]);
    }
}
