//! What the plugin plays beside the emulator: the environment, or the bus controller of a node.

use std::os::unix::net::UnixStream;

use super::bus::{self, Coupled};
use super::inputs::Emulated;
use super::orders::{Ordered, Orders};
use super::shared_file::SharedFile;
use super::{Access, Broken, Plugged, Settings, Shared};
use crate::bus::Schedule;
use crate::environment::Environment;

/// What makes the environment, from its seed.
pub(crate) type Make = fn(u64) -> Box<dyn Environment>;

/// What is the same during the whole run.
pub(crate) trait Role: Send + Sync {
    /// Whether it has to know of accesses to an address.
    fn is_about(&self, address: u32) -> bool;
    /// Whether it looks for something when code begins.
    fn looks(&self) -> bool;
    /// Whatever changes, when the board touches memory first.
    fn begin(&self) -> Result<Box<dyn Part>, Broken>;
}

/// What changes, on the thread that carries out the board's instructions.
pub(crate) trait Part {
    /// A processor of the board has touched its memory, when the board had carried out `count` instructions.
    fn touched(&mut self, processor: usize, access: Access, address: u32, count: u64) -> Result<(), Broken>;
    /// Some code begins, when the board has carried out `count` instructions.
    fn look(&mut self, count: u64) -> Result<(), Broken>;
    /// How many instructions have been carried out when it looks next.
    fn next_look(&self) -> u64;
    /// The board has ended its run.
    fn ended(&mut self) -> Result<(), Broken>;
}

/// The environment.
pub(crate) struct Planted {
    pub(crate) settings: Settings,
    pub(crate) make: Make,
}

impl Role for Planted {
    fn is_about(&self, address: u32) -> bool {
        self.settings.is_about(address)
    }

    fn looks(&self) -> bool {
        self.settings.inputs.is_some()
    }

    fn begin(&self) -> Result<Box<dyn Part>, Broken> {
        let settings = self.settings.clone();
        let orders = Orders::new(settings.socket.clone());
        let inputs = settings.inputs.clone().map(|inputs| Emulated::new(inputs, orders.clone()));
        let environment = (self.make)(settings.seed);
        match settings.memory.clone() {
            Some((path, base)) => {
                let memory = SharedFile::open(&path, base)?;
                Ok(Box::new(Plugged::new(settings, memory, environment, inputs)?))
            }
            None => Ok(Box::new(Plugged::new(settings, Ordered(orders), environment, inputs)?)),
        }
    }
}

impl<M: Shared> Part for Plugged<M, Emulated> {
    fn touched(&mut self, _: usize, access: Access, address: u32, count: u64) -> Result<(), Broken> {
        Plugged::touched(self, access, address, count)
    }

    fn look(&mut self, count: u64) -> Result<(), Broken> {
        Plugged::look(self, count)
    }

    fn next_look(&self) -> u64 {
        self.next_look
    }

    fn ended(&mut self) -> Result<(), Broken> {
        let text = match self.finish() {
            Ok(report) => format!("well\n{report}"),
            Err(report) => format!("unwell\n{report}"),
        };
        let path = &self.settings.report;
        std::fs::write(path, text).map_err(|reason| Broken(format!("{}: {reason}", path.display())))
    }
}

/// A node's end of the bus.
pub(crate) struct Coupling {
    pub(crate) settings: bus::Settings,
    pub(crate) schedule: Schedule<'static>,
    pub(crate) line: UnixStream,
}

/// A node at the emulator, whose records are read in `R`.
type Emulating<R> = Coupled<R, Ordered, UnixStream>;

impl Role for Coupling {
    fn is_about(&self, address: u32) -> bool {
        self.settings.is_about(address)
            || Emulating::<Ordered>::publishes(&self.schedule, &self.settings.nodes, address)
    }

    fn looks(&self) -> bool {
        false
    }

    fn begin(&self) -> Result<Box<dyn Part>, Broken> {
        let settings = self.settings.clone();
        let orders = Orders::new(settings.socket.clone());
        let memory = Ordered(orders.clone());
        let line =
            self.line.try_clone().map_err(|reason| Broken(format!("the line to the bus: {reason}")))?;
        match settings.memory.clone() {
            Some((path, base)) => {
                let records = SharedFile::open(&path, base)?;
                Ok(Box::new(Coupled::new(settings, self.schedule, records, memory, line)))
            }
            None => Ok(Box::new(Coupled::new(settings, self.schedule, Ordered(orders), memory, line))),
        }
    }
}

impl<R: Shared> Part for Emulating<R> {
    fn touched(&mut self, processor: usize, access: Access, address: u32, count: u64) -> Result<(), Broken> {
        Coupled::touched(self, processor, access, address, count)
    }

    fn look(&mut self, _count: u64) -> Result<(), Broken> {
        Ok(())
    }

    fn next_look(&self) -> u64 {
        u64::MAX
    }

    fn ended(&mut self) -> Result<(), Broken> {
        self.finish()
    }
}
