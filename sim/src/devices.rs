//! Devices: the environment, the console, and the interrupts that they raise.

use std::hash::{Hash, Hasher};

use beryl_abi::{Duration, Instant};

use crate::chances::Chances;

use crate::console::{Console, ConsoleLines};
use crate::doorbells::Coming;
use crate::environment::{Border, Environment, Nanoseconds};
use crate::error::SimulationError;
use crate::fault_injection::Harms;
use crate::input::Input;
use crate::lines::Lines;
use crate::peer::Peer;
use crate::simulation::Tick;

/// Environment and console.
pub(crate) struct Devices {
    pub(crate) border: Border,
    pub(crate) console: Console,
    pub(crate) input: Input,
    console_lines: ConsoleLines,
    pub(crate) chances: Chances,
    pub(crate) harms: Harms,
    /// Doorbells that other cores have rung.
    pub(crate) bells: Coming,
}

impl Hash for Devices {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (&self.border, self.console.next(), &self.chances, &self.bells).hash(hasher);
    }
}

impl Devices {
    pub(crate) fn new(
        environment: Box<dyn Environment>,
        peer: Box<dyn Peer>,
        console_lines: ConsoleLines,
        tick: Tick,
        chances: Chances,
        harms: Harms,
    ) -> Devices {
        let byte_time = tick.instant(Nanoseconds::new(Console::BYTE_NANOSECONDS)).ticks();
        Devices {
            border: Border::new(environment, tick),
            console: Console::new(Duration::from_ticks(byte_time)),
            input: Input::new(peer, tick),
            console_lines,
            chances,
            harms,
            bells: Coming::default(),
        }
    }

    /// When the next line is raised.
    pub(crate) fn next(&mut self) -> Result<Instant, SimulationError> {
        let all = [
            self.border.next()?,
            self.console.next(),
            self.input.next(),
            self.chances.next(),
            self.harms.next(),
            self.bells.next(),
        ];
        Ok(all.into_iter().min().unwrap_or(Instant::NEVER))
    }

    /// Raises all lines that are due by `now`.
    pub(crate) fn raise(&mut self, now: Instant, lines: &mut Lines) -> Result<(), SimulationError> {
        let ConsoleLines { received, sent } = self.console_lines;
        while let Some(byte) = self.console.has_sent(now) {
            self.input.hear(now, byte);
            sent.into_iter().for_each(|line| lines.raise(line));
        }
        while self.input.has_come(now) {
            received.into_iter().for_each(|line| lines.raise(line));
        }
        while let Some(line) = self.border.raise(now)? {
            if self.harms.meet(line, now) {
                self.border.raise_line(line, now, lines);
            }
        }
        while let Some(line) = self.harms.line(now) {
            lines.raise(line);
        }
        while let Some(line) = self.chances.take(now) {
            line.into_iter().for_each(|line| lines.raise(line));
        }
        self.bells.raise(now, lines);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Devices;
    use crate::chances::Chances;
    use crate::console::ConsoleLines;
    use crate::fault_injection::Harms;
    use crate::lines::Lines;
    use crate::{Environment, Nanoseconds, Nobody, Tick};
    use beryl_abi::environment::Channel;
    use beryl_abi::{Instant, Line, ThreadId};

    /// Raises line 5 at 41 ns, line 3 at 42 ns and line 4 at 81 ns.
    struct Three;

    impl Environment for Three {
        fn read(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &mut [u8]) {}

        fn write(&mut self, _instant: Nanoseconds, _channel: Channel, _value: &[u8]) {}

        fn interrupts(&mut self, after: Nanoseconds) -> Option<(Nanoseconds, Line)> {
            let all =
                [(41, 5), (42, 3), (81, 4)].map(|(instant, line)| (Nanoseconds::new(instant), Line(line)));
            all.into_iter().find(|(instant, _)| *instant > after)
        }

        fn finish(&mut self, _instant: Nanoseconds) -> Result<String, String> {
            Ok(String::new())
        }
    }

    /// As on a board whose console has another line, and tells of what was sent only if somebody waits for that.
    #[test]
    fn a_console_raises_the_lines_of_its_board() {
        let at = Instant::from_ticks;
        let raised = |console_lines| {
            let mut lines = Lines::default();
            [0, 1, 10].into_iter().for_each(|line| lines.unmask(Line(line)));
            let (tick, nobody) = (Tick::of_nanoseconds(40), Box::new(Nobody));
            let (environment, harms) = (Box::new(crate::Silent), Harms::default());
            let mut devices =
                Devices::new(environment, nobody, console_lines, tick, Chances::default(), harms);
            devices.console.transmit(b'a', ThreadId(0), at(0));
            devices.raise(at(3_000), &mut lines).unwrap();
            lines.take()
        };
        assert_eq!(raised(ConsoleLines::default()), Some(Line(1)));
        let other = ConsoleLines { received: Some(Line(10)), sent: Some(Line(10)) };
        assert_eq!(raised(other), Some(Line(10)));
        assert_eq!(raised(ConsoleLines { sent: None, ..other }), None);
    }

    #[test]
    fn lines_that_fall_into_one_tick_are_raised_together() {
        let at = Instant::from_ticks;
        let mut lines = Lines::default();
        (3..=5).for_each(|line| lines.unmask(Line(line)));
        let mut devices = Devices::new(
            Box::new(Three),
            Box::new(Nobody),
            ConsoleLines::default(),
            Tick::of_nanoseconds(40),
            Chances::default(),
            Harms::default(),
        );
        assert_eq!(devices.next().unwrap(), at(2));
        devices.raise(at(2), &mut lines).unwrap();
        assert_eq!([(); 3].map(|()| lines.take()), [Some(Line(3)), Some(Line(5)), None]);
        assert_eq!(devices.next().unwrap(), at(3));
        devices.raise(at(3), &mut lines).unwrap();
        assert_eq!((lines.take(), devices.next().unwrap()), (Some(Line(4)), Instant::NEVER));
    }
}
