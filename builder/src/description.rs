//! The system description: one file that says where everything runs.
//!
//! It holds what depends on the platform: the board, processes and their memory, execution times, bands, threads.
//! A reader sees the whole system on one screen:
//!
//! ```toml
//! [system]
//! name = "helicopter"
//! timing = ["helicopter.tdl"]      # optional: a system may have threads only
//! application = "app"              # crate of the native functions
//! environment = "plant"            # optional: crate of the simulation's environment
//! outputs = "let"                  # optional; "completion" for experiments
//! crashes = 4                      # optional: so many crash records are kept
//! refusals = "counted"             # optional: what threads have no right to is counted and told
//!
//! [board]
//! name = "mps2-an385"
//! flash = "64k"                    # limits that the builder enforces
//! ram = "24k"
//! speed = 5                        # optional, emulation: an instruction takes 2^5 ns
//!
//! [on.virt]                        # optional: what differs with `--board virt`
//! devices = { dualtimer = "rtc" }
//!
//! [process.navigation]
//! memory = "1k"                    # limit of its static variables
//! devices = ["environment"]        # optional
//! on_fault = "stop-process"        # optional; or "stop-thread", or "restart"
//! driver_stack = "512"             # where it has native drivers
//! node = "left"                    # where there are nodes
//! journal = 8                      # optional: room for so many events that it tells by itself
//!
//! [[band]]                         # the most urgent first
//! name = "flight"
//! policy = "dynamic"               # or "fixed"
//! partition = "cabin"              # optional: only in its windows
//!
//! [task.navigate]                  # or [task."Module.task"]
//! process = "navigation"
//! band = "flight"                  # optional where there is one dynamic band
//! best = "0.2ms"                   # optional, usually zero
//! worst = "3ms"
//! on_overrun = "end-job"           # optional; or "tell", "fault", or "count", the usual
//! stack = "1k"                     # and in a fixed band: priority = 0 to 31, the most urgent
//!
//! [driver.read_gps]                # getter, setter or guard
//! process = "navigation"
//! worst = "50us"
//!
//! [thread.meter]                   # plain thread; in a fixed band, or with a deadline in a dynamic one
//! process = "navigation"
//! band = "background"
//! priority = 1
//! entry = "meter"                  # a function of the application: fn(Period, Lock<[f64; 4]>) -> !
//! stack = "512"
//! period = "10ms"                  # optional: with it a periodic thread
//! worst = "1ms"
//! uses = ["map"]                   # optional: what it shares, in the order of the parameters
//! hold = { map = "20us" }          # optional: how long it holds that
//!                                  # and without a period, optional: budget = "2ms", every = "20ms"
//!
//! [lock.map]                       # one kind of object of nine; see the reference
//! type = "double[4]"
//!
//! [[sleep]]                        # optional, the lightest first: how deep the processor may sleep
//! name = "stop"
//! wake = "40us"                    # the longest that it takes to wake
//! least = "1ms"                    # optional: what it is worth it for
//!
//! [partitions]                     # optional: when the bands of a partition may have the processor
//! frame = "20ms"
//! windows = [{ partition = "cabin", from = "5ms", until = "15ms" }]
//!
//! [node.left]                      # optional: a machine with a kernel of its own; then processes say `node = "left"`
//! board = "virt"                   # optional, usually that of [board]
//!
//! [bus]                            # optional: what carries values from node to node
//! frame = "44us"                   # an empty frame
//! byte = "8us"                     # each byte in it
//!
//! [kernel]                         # optional: costs for the analysis
//! release = "4us"
//!
//! [assert.quick]                   # optional: what must hold in every run
//! response = "navigate"
//! most = "5ms"
//!
//! [units]                          # optional: in what values are shown
//! rotor = "1/min"
//! ```
//!
//! With three nodes or more, `[module.NAME]` says in which processes a module has replicas.

mod apart;
mod assertions;
mod bell_ends;
mod budget;
mod check;
mod clocks;
pub mod cmsis;
pub mod code;
mod cores;
mod delayed;
mod diagnostic;
mod doorbells;
mod duplicates;
mod floating;
mod gates;
mod in_c;
mod kinds;
mod limits;
mod log;
mod members;
mod network;
mod nodes;
mod object_sections;
mod objects;
mod offers;
mod on_hold;
mod on_miss;
mod on_overrun;
mod part;
mod partitions;
mod parts;
mod placed;
mod policy;
mod priorities;
mod read;
mod readable;
mod replaceable;
mod replicas;
mod restarts;
mod scheme;
mod section;
mod shared;
mod sharing;
mod sleep;
mod stand_ins;
mod suggestion;
mod tables;
mod tells;
mod thread;
mod times;
mod units;
mod usage;
mod uses;
mod value;
mod waits;

pub use assertions::{Across, Assertions};
pub use bell_ends::Between as DoorbellBetween;
pub use cmsis::Cmsis;
pub use diagnostic::{Diagnostic, Diagnostics, Problem};
pub use floating::Floating;
pub use in_c::{CodeInC, Library, Optimisation, Target};
pub use log::Log;
pub use network::{Bus, Clocks, Node, Replicas};
pub use objects::{
    Count, Doorbell, Early, Endpoint, Gate, Gated, Hold, Interrupt, Limit, Limited, Lock, Mailbox, Objects,
    Order, ProgramCheck, Region, Rhythm, Semaphore, Side, Slot, State, Trace, Use,
};
pub use on_hold::OnHold;
pub use parts::{
    Band, BoardUse, Budget, CallOnMiss, Driver, Fate, Group, KernelCosts, OnFault, OnMiss, OnOverrun,
    OnSpent, Outputs, Partitions, Periodic, Process, Refusals, Restarts, Sleep, Sporadic, System, Task,
    Thread, Timing, Window,
};
pub use placed::Placed;
pub use policy::Policy;
pub use scheme::Scheme;
pub use sharing::Sharing;
pub use units::StatedUnits;
pub use waits::Waits;

pub(crate) use check::{IDLE, MOST_PROCESSES};
pub(crate) use suggestion::{closest, suggestion};

use crate::board::Board;
use beryl_abi::{ProcessId, doorbell};
use diagnostic::{Reporter, syntax, unreadable};
use miette::NamedSource;
use part::{Part, Whole};
use readable::Parts;
use section::Section;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;

/// A system description that keeps all rules which need nothing but itself.
#[derive(Clone, Debug)]
pub struct Description {
    /// The system itself.
    pub system: System,
    /// Native functions in C.
    pub c: CodeInC,
    /// CMSIS-RTOS2 for it, if it has that. Its threads and objects are among the others.
    pub cmsis: Option<Cmsis>,
    /// The board and how much of it may be used.
    pub board: BoardUse,
    /// The processes, at least one, in the order of the text; a `ProcessId` is a position here.
    pub processes: Vec<Process>,
    /// The bands, at least one, the most urgent first; a `BandId` is a position here.
    pub bands: Vec<Band>,
    /// Groups of threads that share a budget, in the order of the text.
    pub groups: Vec<Group>,
    /// The tasks, in the order of the text.
    pub tasks: Vec<Task>,
    /// The native drivers, in the order of the text.
    pub drivers: Vec<Driver>,
    /// The plain threads, in the order of the text.
    pub threads: Vec<Thread>,
    /// What threads and tasks share.
    pub objects: Objects,
    /// How deep the processor may sleep, the lightest first.
    pub sleeps: Vec<Sleep>,
    /// When which partition may have the processor, if bands belong to some.
    pub partitions: Option<Partitions>,
    /// Kernel costs, where they shall not be the board's.
    pub costs: KernelCosts,
    /// The machines that it runs on, if there are several.
    pub nodes: Vec<Node>,
    /// What is between them.
    pub bus: Option<Bus>,
    /// Modules that several machines carry out at once. A part of a node has them as modules of its own.
    pub replicas: Vec<Replicas>,
    /// Whether this is the part of one node.
    pub is_part: bool,
    /// What must hold in every run.
    pub assertions: Assertions,
    /// In what values are told.
    pub units: StatedUnits,
    /// Lines of the board that the file names, each with what stands in for it on the board that this is for.
    pub lines: Vec<(u16, u16)>,
    /// The lines on which the board's console says that a byte has come, and that one was sent, as far as the system
    /// waits for that.
    pub console: [Option<u16>; 2],
    source: Arc<NamedSource<String>>,
}

impl Description {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// [`Diagnostics`] if it can't be read or breaks a rule.
    pub fn load(path: &Path) -> Result<Description, Diagnostics> {
        Description::load_for(path, None)
    }

    /// The same for the board that was `chosen`, if one was, instead of the one that the file names.
    ///
    /// # Errors
    /// As [`Description::load`].
    pub fn load_for(path: &Path, chosen: Option<&'static Board>) -> Result<Description, Diagnostics> {
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Description::parse_for(&name, &text, chosen),
            Err(error) => Err(unreadable(
                &name,
                &error,
                "name the description's file; it is UTF-8 text, usually called beryl.toml",
            )),
        }
    }

    /// Reads the text of the file called `name`.
    ///
    /// # Errors
    /// [`Diagnostics`], all that can be said at once, if it breaks a rule.
    pub fn parse(name: &str, text: &str) -> Result<Description, Diagnostics> {
        Description::parse_for(name, text, None)
    }

    /// The same for the board that was `chosen`, as [`Description::load_for`].
    ///
    /// # Errors
    /// As [`Description::parse`].
    pub fn parse_for(
        name: &str,
        text: &str,
        chosen: Option<&'static Board>,
    ) -> Result<Description, Diagnostics> {
        Description::read(name, text, chosen, None)
    }

    /// The part of a whole description that is about one of its nodes, by its number; `triggers` are the interrupts
    /// that release tasks there.
    ///
    /// # Errors
    /// What is wrong with that part by itself.
    pub fn part(
        &self,
        node: usize,
        chosen: Option<&'static Board>,
        triggers: &BTreeSet<String>,
    ) -> Result<Description, Diagnostics> {
        let Description { processes, groups, tasks, drivers, threads, objects, .. } = self;
        let whole = Whole { processes, groups, tasks, drivers, threads, objects };
        let part = Part::of(&whole, node, triggers, self.sides(node));
        let own = self.nodes.get(node);
        let chosen = chosen.or(own.and_then(|own| own.board));
        let mut description = Description::read(self.source.name(), self.written(), chosen, Some(&part))?;
        let name = own.map_or("", |own| own.name.as_str());
        description.system.name.value = format!("{}_{name}", self.system.name.value);
        Ok(description)
    }

    /// Which core of its machine a kernel has, from 0 on in the order of the text; nothing if it has a machine of its own.
    #[must_use]
    pub fn core(&self, node: usize) -> Option<usize> {
        let own = self.nodes.get(node).filter(|own| own.is_core())?;
        Some(self.nodes.iter().take(node).filter(|other| other.machine == own.machine).count())
    }

    /// All doorbells of a whole description.
    #[must_use]
    pub fn doorbells(&self) -> Vec<DoorbellBetween> {
        let kernel = |process: ProcessId| Some(self.processes.get(process.index())?.node?.value);
        let mut all: Vec<DoorbellBetween> = Vec::new();
        for bell in &self.objects.doorbells {
            let tasks = self.tasks.iter().map(|task| (kernel(task.process.value), task.uses.as_slice()));
            let threads =
                self.threads.iter().map(|thread| (kernel(thread.process.value), thread.uses.as_slice()));
            let [rings, hears] = bell_ends::ends(bell, &self.objects, tasks.chain(threads));
            let kernel = |ends: &[bell_ends::End]| ends.first().and_then(|end| end.kernel);
            let Some((from, to)) = kernel(&rings).zip(kernel(&hears)) else { continue };
            let Some((rings, hears)) = self.core(from).zip(self.core(to)) else { continue };
            let before = all.iter().filter(|other| (other.from, other.to) == (from, to)).count();
            let [rings, hears, number] =
                [rings, hears, before].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
            let own = self.nodes.get(to).and_then(|node| node.board).unwrap_or(self.board.board.value);
            let line = doorbell::bell(rings, number).trailing_zeros();
            all.push(DoorbellBetween {
                name: bell.name.value.clone(),
                from,
                to,
                bell: doorbell::bell(hears, number),
                line: own.lines.saturating_add(u16::try_from(line).unwrap_or(u16::MAX)),
            });
        }
        all
    }

    /// What each of them is to one of the kernels.
    fn sides(&self, kernel: usize) -> doorbells::Sides {
        let side = |bell: &DoorbellBetween| match kernel {
            own if own == bell.from => Some(Side::Rings(bell.bell)),
            own if own == bell.to => Some(Side::Hears(bell.line)),
            _ => None,
        };
        self.doorbells().iter().filter_map(|bell| Some((bell.name.clone(), side(bell)?))).collect()
    }

    /// Puts all of it onto a core, which has what its board has.
    pub(crate) fn move_to(&mut self, core: &'static Board) {
        self.board.board.value = core;
        for device in self.processes.iter_mut().flat_map(|process| &mut process.devices) {
            device.value = core.device(device.value.name).copied().unwrap_or(device.value);
        }
    }

    /// Reads a whole description, or a part of it.
    fn read(
        name: &str,
        text: &str,
        chosen: Option<&'static Board>,
        part: Option<&Part>,
    ) -> Result<Description, Diagnostics> {
        let mut reporter = Reporter::new(name, text);
        let mut table = match DeTable::parse(text) {
            Ok(table) => table.into_inner(),
            Err(error) => return Err(diagnostic::alone(&reporter.source, syntax(&error))),
        };
        replicas::expand(&mut table, &mut reporter);
        if let Some(part) = part {
            part.cut(&mut table);
        }
        let file = Section::file(&table, tables::TABLES, &mut reporter);
        let parts = read::parts(&file, chosen, part.map(|part| &part.sides), &mut reporter);
        check::check(&parts, &file, part.is_none(), &mut reporter);
        let Parts {
            system,
            c,
            cmsis,
            board,
            processes,
            bands,
            groups,
            tasks,
            drivers,
            threads,
            objects,
            sleeps,
            partitions,
            costs,
            nodes,
            bus,
            replicas,
            asserted,
            units,
            lines,
            console,
        } = parts;
        match (system, board, reporter.finish()) {
            (Some(system), Some(board), Ok(source)) => Ok(Description {
                system,
                c,
                cmsis,
                board,
                processes,
                bands,
                groups,
                tasks,
                drivers,
                threads,
                objects,
                sleeps,
                partitions,
                costs,
                nodes,
                bus,
                replicas,
                is_part: part.is_some(),
                assertions: Assertions { all: asserted, source: source.clone() },
                units: StatedUnits { all: units, source: source.clone() },
                lines,
                console,
                source,
            }),
            (_, _, Err(diagnostics)) => Err(diagnostics),
            (_, _, Ok(_)) => unreachable!("a part that can't be read has been reported"),
        }
    }

    /// The band of a name.
    #[must_use]
    pub fn band(&self, name: Option<&Placed<String>>) -> Option<usize> {
        self.bands.iter().position(|band| name.is_some_and(|name| band.name.value == name.value))
    }

    /// A diagnostic about a place of this description, for the stages that find it out later.
    #[must_use]
    pub fn diagnostic(&self, problem: Problem) -> Diagnostic {
        diagnostic::diagnostic(&self.source, problem)
    }

    /// The whole text.
    pub(crate) fn written(&self) -> &str {
        self.source.inner()
    }

    /// What stands at a place; nothing if no such place is in the text.
    #[must_use]
    pub fn text(&self, place: miette::SourceSpan) -> &str {
        let end = place.offset().saturating_add(place.len());
        self.source.inner().get(place.offset()..end).unwrap_or_default()
    }

    /// The same where nothing else can be found.
    #[must_use]
    pub fn alone(&self, problem: Problem) -> Diagnostics {
        diagnostic::alone(&self.source, problem)
    }
}
