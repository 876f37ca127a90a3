//! A fault by its name: `stop:control@120ms`, `storm:crank@10ms+50us*20`.

use std::fmt;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use beryl_builder::Project;
use beryl_builder::assembly::{Home, Role};
use beryl_builder::quantity::Nanoseconds;
use clap::ValueEnum;

use super::random::Random;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Kind {
    /// A thread panics at its next operation.
    Stop,
    /// A bit of a process's ports changes.
    Flip,
    /// The next interrupt doesn't come.
    Drop,
    /// The next interrupt comes late.
    Delay,
    /// The next interrupt comes twice.
    Again,
    /// An interrupt comes many times.
    Storm,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    kind: Kind,
    /// A thread, a process, an interrupt.
    whom: String,
    at: Nanoseconds,
    /// The delay; in a storm, the separation.
    later: Nanoseconds,
    /// Which bit; in a storm, how many interrupts.
    number: u64,
    /// The process that is harmed, if any.
    process: Option<String>,
}

/// The most interrupts in a storm.
const LONGEST_STORM: u64 = 10_000;

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [Kind::Stop, Kind::Flip, Kind::Drop, Kind::Delay, Kind::Again, Kind::Storm];

    /// The name in the notation above.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Stop => "stop",
            Kind::Flip => "flip",
            Kind::Drop => "drop",
            Kind::Delay => "delay",
            Kind::Again => "again",
            Kind::Storm => "storm",
        }
    }

    /// Whether no process but the harmed one may miss a deadline because of it.
    pub fn must_be_contained(self) -> bool {
        matches!(self, Kind::Stop | Kind::Flip)
    }

    /// Whether a system has anything that this can happen to.
    pub fn has_place(self, project: &Project) -> bool {
        match self {
            Kind::Stop => true,
            Kind::Flip => !with_ports(project).is_empty(),
            _ => !project.description.objects.interrupts.is_empty(),
        }
    }

    /// What the system would need for that.
    pub fn needs(self) -> &'static str {
        match self {
            Kind::Stop => "there is no thread",
            Kind::Flip => "no process has ports or objects in its memory",
            _ => "its description has no [interrupt.name]",
        }
    }
}

/// The processes with ports, and their sizes in bytes.
fn with_ports(project: &Project) -> Vec<(usize, u32)> {
    let assembly = &project.assembly;
    let sizes = (0..assembly.processes.len()).map(|index| (index, assembly.cells.size(Home::Process(index))));
    sizes.filter(|(_, size)| *size > 0).collect()
}

impl Fault {
    /// A random fault of a kind, somewhere in a run; the system must have a place for it.
    pub fn draw(kind: Kind, project: &Project, length: Nanoseconds, random: &mut Random) -> Fault {
        let assembly = &project.assembly;
        let at = Nanoseconds::new(random.below(length.get()));
        let none =
            Fault { kind, whom: String::new(), at, later: Nanoseconds::ZERO, number: 0, process: None };
        match kind {
            Kind::Stop => {
                let real = assembly.threads.iter().filter(|thread| !matches!(thread.role, Role::Idle));
                let threads: Vec<_> = real.collect();
                let Some(thread) = random.one(&threads) else { return none };
                let process = assembly.processes.get(thread.process).map(|process| process.name.clone());
                Fault { whom: thread.name.clone(), process, ..none }
            }
            Kind::Flip => {
                let places = with_ports(project);
                let Some((index, size)) = random.one(&places) else { return none };
                let number = random.below(u64::from(*size) * 8);
                let process = assembly.processes.get(*index).map(|process| process.name.clone());
                Fault { whom: process.clone().unwrap_or_default(), number, process, ..none }
            }
            Kind::Drop | Kind::Delay | Kind::Again | Kind::Storm => {
                let Some(interrupt) = random.one(&project.description.objects.interrupts) else {
                    return none;
                };
                let whom = interrupt.name.value.clone();
                let later = match kind {
                    Kind::Drop => Nanoseconds::ZERO,
                    Kind::Storm => Nanoseconds::new(1_000 + random.below(100_000)),
                    _ => Nanoseconds::new(1 + random.below(2_000_000)),
                };
                let number = if kind == Kind::Storm { 2 + random.below(50) } else { 0 };
                Fault { whom, later, number, ..none }
            }
        }
    }

    /// The process that the fault is put into; `None` for interrupts.
    pub fn process(&self) -> Option<&str> {
        self.process.as_deref()
    }

    /// As the simulation program takes it.
    pub fn for_program(&self, project: &Project) -> Result<Vec<String>> {
        let tick = u64::from(project.tick()).max(1);
        let at = self.at.get().div_ceil(tick);
        let later = self.later.get().div_ceil(tick);
        let Fault { kind, whom, number, .. } = self;
        let name = kind.name();
        Ok(match kind {
            Kind::Stop => {
                let threads = &project.assembly.threads;
                let found = threads.iter().position(|thread| thread.name == *whom);
                let known =
                    || threads.iter().map(|thread| thread.name.as_str()).collect::<Vec<_>>().join(", ");
                let thread =
                    found.ok_or_else(|| anyhow!("there is no thread `{whom}`; there are {}", known()))?;
                vec![format!("{name}:{thread}@{at}")]
            }
            Kind::Flip => {
                let processes = &project.assembly.processes;
                let found = processes.iter().position(|process| process.name == *whom);
                let known =
                    || processes.iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
                let process =
                    found.ok_or_else(|| anyhow!("there is no process `{whom}`; there are {}", known()))?;
                let size = project.assembly.cells.size(Home::Process(process));
                let byte = u32::try_from(number / 8).ok().filter(|byte| *byte < size).ok_or_else(|| {
                    anyhow!(
                        "process `{whom}` has {size} bytes of ports, so no bit {number}; write a smaller one"
                    )
                })?;
                let address = project.places.home(Home::Process(process)).saturating_add(byte);
                vec![format!("{name}:{address}.{}@{at}", number % 8)]
            }
            Kind::Drop => vec![format!("{name}:{}@{at}", line(whom, project)?)],
            Kind::Delay | Kind::Again => vec![format!("{name}:{}@{at}+{later}", line(whom, project)?)],
            Kind::Storm => {
                let line = line(whom, project)?;
                let apart = later.max(1);
                (0..*number)
                    .map(|count| format!("raise:{line}@{}", at.saturating_add(apart.saturating_mul(count))))
                    .collect()
            }
        })
    }
}

fn line(name: &str, project: &Project) -> Result<u16> {
    let interrupts = &project.description.objects.interrupts;
    let found = interrupts.iter().find(|interrupt| interrupt.name.value == name);
    found.map(|found| found.line.value).ok_or_else(|| {
        let known: Vec<_> = interrupts.iter().map(|known| known.name.as_str()).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        anyhow!("there is no interrupt `{name}` in the description; there are: {known}")
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { kind, whom, at, later, number, .. } = self;
        let (name, at, later) = (kind.name(), at.get(), later.get());
        match kind {
            Kind::Stop | Kind::Drop => write!(formatter, "{name}:{whom}@{at}ns"),
            Kind::Flip => write!(formatter, "{name}:{whom}.{number}@{at}ns"),
            Kind::Delay | Kind::Again => write!(formatter, "{name}:{whom}@{at}ns+{later}ns"),
            Kind::Storm => write!(formatter, "{name}:{whom}@{at}ns+{later}ns*{number}"),
        }
    }
}

impl FromStr for Fault {
    type Err = String;

    fn from_str(text: &str) -> Result<Fault, String> {
        let form = "write stop:THREAD@TIME, flip:PROCESS.BIT@TIME, drop:INTERRUPT@TIME, delay:INTERRUPT@TIME+TIME, \
                    again:INTERRUPT@TIME+TIME or storm:INTERRUPT@TIME+TIME*NUMBER";
        let (name, rest) = text.split_once(':').ok_or(form)?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name).ok_or(form)?;
        let (whom, when) = rest.rsplit_once('@').ok_or(form)?;
        let (when, often) = match (kind, when.split_once('*')) {
            (Kind::Storm, Some((when, often))) => (when, often.parse().map_err(|_| form)?),
            (Kind::Storm, None) | (_, Some(_)) => return Err(form.to_owned()),
            (_, None) => (when, 0),
        };
        let has_later = matches!(kind, Kind::Delay | Kind::Again | Kind::Storm);
        let time = |text: &str| {
            crate::command::times::time(text).map_err(|reason| format!("`{text}`: {reason}; {form}"))
        };
        let (at, later) = match (has_later, when.split_once('+')) {
            (true, Some((at, later))) => (time(at)?, time(later)?),
            (false, None) => (time(when)?, Nanoseconds::ZERO),
            _ => return Err(form.to_owned()),
        };
        if often > LONGEST_STORM {
            return Err(format!("a storm has at most {LONGEST_STORM} interrupts"));
        }
        let (whom, number) = match kind {
            Kind::Flip => {
                let (whom, bit) = whom.rsplit_once('.').ok_or(form)?;
                (whom, bit.parse().map_err(|_| form)?)
            }
            _ => (whom, often),
        };
        Ok(Fault { kind, whom: whom.to_owned(), at, later, number, process: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_as_they_are_written() {
        for text in [
            "stop:control@120ns",
            "flip:navigation.17@5ns",
            "drop:crank@1ns",
            "delay:crank@1ns+2ns",
            "again:crank@1ns+2ns",
            "storm:crank@1ns+2ns*20",
        ] {
            assert_eq!(text.parse::<Fault>().map(|fault| fault.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("stop:a@1ms".parse::<Fault>().map(|fault| fault.at.get()), Ok(1_000_000));
        for wrong in [
            "",
            "stop",
            "rain:a@1ms",
            "stop:a",
            "stop:a@1",
            "stop:a@1ms+1ms",
            "delay:a@1ms",
            "storm:a@1ms+1us",
            "flip:a@1ms",
            "drop:a@1ms*3",
            "flip:a.x@1ms",
        ] {
            assert!(
                wrong.parse::<Fault>().is_err_and(|reason| reason.contains("stop:THREAD@TIME")),
                "{wrong}"
            );
        }
        assert!("storm:a@1ms+1us*10001".parse::<Fault>().is_err_and(|reason| reason.contains("at most")));
    }
}
