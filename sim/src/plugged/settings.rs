//! What the plugin with the environment is told.

use std::ops::Range;
use std::path::PathBuf;

use beryl_abi::{Line, ThreadId};

use super::arguments::Arguments;

/// How interrupts get to the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inputs {
    /// What the emulator calls the interrupt controller.
    pub(crate) controller: String,
    /// The lines of devices that the board has itself.
    pub(crate) others: Vec<Line>,
}

/// The board, and the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Where the emulator takes orders.
    pub(crate) socket: PathBuf,
    /// The file of the memory that board and plugin share, and the address of its first byte; nothing where the emulator is asked.
    pub(crate) memory: Option<(PathBuf, u32)>,
    /// The address of the window.
    pub(crate) window: u32,
    /// Where the board records.
    pub(crate) recording: Range<u32>,
    /// The address of the clock's count.
    pub(crate) clock: u32,
    /// A tick of the clock, in nanoseconds.
    pub(crate) tick: u32,
    /// An instruction takes 2^`speed` nanoseconds.
    pub(crate) speed: u32,
    /// The threads whose accesses have logical instants.
    pub(crate) drivers: Vec<ThreadId>,
    /// The tick at which the run ends.
    pub(crate) end: u64,
    /// The seed of the environment.
    pub(crate) seed: u64,
    /// Where the environment's report goes.
    pub(crate) report: PathBuf,
    /// How interrupts get to the board; nothing if none do.
    pub(crate) inputs: Option<Inputs>,
}

impl Settings {
    /// Whether the plugin has to know of accesses to an address.
    pub(crate) fn is_about(&self, address: u32) -> bool {
        address == self.clock || (self.window..self.recording.end).contains(&address)
    }

    /// Reads them.
    pub(crate) fn parse(arguments: &[String]) -> Result<Settings, String> {
        let told = Arguments(arguments);
        let inputs = match told.value("controller") {
            Err(_) => None,
            Ok(controller) => Some(Inputs {
                controller: controller.to_owned(),
                others: told.numbers("others")?.into_iter().map(Line).collect(),
            }),
        };
        Ok(Settings {
            socket: PathBuf::from(told.value("socket")?),
            memory: told.memory()?,
            window: told.address("window")?,
            recording: told.address("recording")?..told.address("recorded")?,
            clock: told.address("clock")?,
            tick: told.address("tick")?,
            speed: told.address("speed")?,
            drivers: told.numbers("drivers")?.into_iter().map(ThreadId).collect(),
            end: told.number("end")?,
            seed: told.number("seed")?,
            report: PathBuf::from(told.value("report")?),
            inputs,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "socket=s window=16 recording=64 recorded=128 clock=4 tick=40 speed=5 drivers=3.7 end=99 seed=2 report=r";

    fn parse(line: &str) -> Result<Settings, String> {
        Settings::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn all_are_needed_and_read() {
        let settings = parse(ALL).expect("whole");
        assert_eq!(
            (settings.memory, settings.recording, settings.drivers),
            (None, 64..128, vec![ThreadId(3), ThreadId(7)])
        );
        assert_eq!(parse(&ALL.replace("3.7", "")).expect("whole").drivers, []);
        let in_file = parse(&format!("{ALL} memory=m base=16")).expect("whole");
        assert_eq!(in_file.memory, Some((PathBuf::from("m"), 16)));
        assert_eq!(parse(&format!("{ALL} memory=m")), Err("`base` is missing".to_owned()));
        for name in ALL.split_whitespace().filter_map(|pair| pair.split('=').next()) {
            let without: Vec<_> =
                ALL.split_whitespace().filter(|pair| !pair.starts_with(&format!("{name}="))).collect();
            assert_eq!(parse(&without.join(" ")), Err(format!("`{name}` is missing")));
        }
        assert_eq!(parse(&ALL.replace("=40", "=x")), Err("`tick=x`: not a whole number".to_owned()));
        assert_eq!(
            parse(&ALL.replace("=40", "=4294967296")),
            Err("`tick` doesn't fit into 32 bits".to_owned())
        );
        assert_eq!(parse(&ALL.replace("3.7", "3.x")), Err("`x` in `drivers` is no number".to_owned()));
    }
}
