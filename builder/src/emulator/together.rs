//! Several emulators at once, one for each node, joined by their bus: each has its bus controller as a plugin. All cores of a node
//! are in one emulator, and have one controller.
//!
//! Nobody looks at the host's time. A node that needs a frame waits until it is there, and no virtual time passes; so a
//! run is the same on a slow host and on a fast one. If one emulator fails, or none gets on any more, all are ended, and
//! the message says which node it was.

use std::fmt::Write as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::slice;
use std::time::{Duration as HostDuration, Instant as HostInstant};

use beryl_abi::Instant;

use super::bus::{Awaited, Bus, Due, Tally, Waiting};
use super::cores::{self, Core, require_cores};
use super::live::{FILES, file, in_file, in_memory, shared};
use super::{Booted, Outcome, Serial, failed, spoken};
use crate::board::Board;
use crate::crossing::{Link, Schedule};
use crate::error::BuildError;
use crate::interval::Interval;
use crate::nodes::Nodes;

/// What joins the nodes of a run.
#[derive(Clone, Debug)]
pub struct Together<'a> {
    /// The plugin with the bus controllers: see [`plugged::build_bus`](crate::plugged::build_bus).
    pub plugin: PathBuf,
    /// The plugin that ends turns of cores, where a node has some: see [`plugged::build_turns`](crate::plugged::build_turns).
    pub turns: Option<PathBuf>,
    /// The values that cross.
    pub links: &'a [Link],
    /// When which node sends.
    pub schedule: &'a Schedule,
    /// What becomes of frames.
    pub trouble: Trouble,
}

/// What a bus does to its frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Of a thousand frames, how many are lost.
    pub loss: u32,
    /// Of a thousand that aren't, how many arrive corrupt.
    pub corrupt: u32,
    /// The seed of both.
    pub seed: u64,
}

/// A node that runs on an emulated board.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its cores, of which it has at least one.
    pub cores: Vec<Core<'a>>,
    /// An instruction of each takes 2^`speed` nanoseconds.
    pub speed: u8,
    /// When its run ends.
    pub end: Instant,
    /// The folder for its files.
    pub folder: PathBuf,
}

/// Checks that all nodes of a system can be emulated at their bus, before anything is made for them.
///
/// # Errors
/// Which board is too fast for so many cores.
pub fn require_bus(nodes: &Nodes) -> Result<(), BuildError> {
    nodes.parts.iter().try_for_each(|node| {
        let cores = nodes.parts.iter().filter(|other| other.machine == node.machine).count();
        require_cores(cores, node.project.description.board.speed)
    })
}

impl Together<'_> {
    /// Runs all members; what each of their cores has left, in their order, and what has gone over the bus.
    ///
    /// # Errors
    /// As [`run`](super::run), with the name of the node; and if nobody gets on any more.
    pub fn run(&self, members: &[Member<'_>]) -> Result<(Vec<Outcome>, Tally), BuildError> {
        let plugin =
            self.plugin.canonicalize().map_err(|reason| BuildError::file("find", &self.plugin, reason))?;
        let (mut booted, mut lines) = (Vec::new(), Vec::new());
        for member in members {
            let pair = UnixStream::pair().map_err(|reason| failed(&member.what(), &reason.to_string()));
            let (ours, theirs) = pair?;
            booted.push(self.prepare(member, &plugin, theirs)?);
            lines.push(ours);
        }
        let each = members.iter().map(|member| cores::patience_with(&member.cores));
        let most = each.collect::<Result<Vec<_>, _>>()?.into_iter().max();
        let ended = self.attend(members, &mut booted, lines, most.unwrap_or_default());
        let (statuses, tally) = match ended {
            Ok(ended) => ended,
            Err(reason) => {
                // Of a run that failed, too, what is of no use is removed.
                let over = || Err(failed("the run of all nodes", "it was ended"));
                booted.into_iter().for_each(|one| drop(one.left(over())));
                return Err(reason);
            }
        };
        let ended = booted.into_iter().zip(members).zip(statuses);
        // All are read, and what is of no use removed, also if one has left nothing.
        let left = ended.map(|((one, member), status)| cores::left_by_each(one, &member.cores, Ok(status)));
        let left = left.collect::<Vec<_>>().into_iter().collect::<Result<Vec<_>, _>>()?;
        Ok((left.into_iter().flatten().collect(), tally))
    }

    /// An emulator with the controller of a node.
    fn prepare(&self, member: &Member<'_>, plugin: &Path, line: UnixStream) -> Result<Booted, BuildError> {
        let Member { cores, speed, folder, .. } = member;
        let plugin = self.arguments(member, plugin)?;
        let memory = member.memory().map(shared);
        let orders = format!("unix:{},server=on,wait=off", FILES[2]);
        let in_file = memory.as_deref().map(in_file);
        let turns = self.turns.as_ref().filter(|_| cores.len() > 1);
        let turns = turns.map(|plugin| cores::turns_of(cores, *speed, plugin)).transpose()?;
        let turns = turns.as_ref().map(|turns| ["-plugin", turns]);
        let others = ["-plugin", &plugin, "-qtest", &orders, "-qtest-log", "none"];
        let others = in_file.into_iter().flatten().chain(turns.into_iter().flatten()).chain(others);
        let options: Vec<&str> = others.chain(spoken::OPTIONS).collect();
        cores::prepare(cores, *speed, folder, &options, Serial::AtBus(line), member.what())
    }

    /// What the plugin is told, as its settings in `sim/src/plugged/bus/settings.rs` are read.
    fn arguments(&self, member: &Member<'_>, plugin: &Path) -> Result<String, BuildError> {
        let Member { cores, speed, end, .. } = member;
        let board = cores::first(cores)?.board;
        let speed = cores::speed_of_all(cores.len(), *speed)?;
        // Of several cores, what each has, with points between them.
        let of_each =
            |number: fn(&Core<'_>) -> String| cores.iter().map(number).collect::<Vec<_>>().join(".");
        let nodes = of_each(|core| core.number.to_string());
        let recording = of_each(|core| core.board.recording.base.to_string());
        let recorded = of_each(|core| core.board.recording.limit.to_string());
        let Trouble { loss, corrupt, seed } = self.trouble;
        let all = [
            file(plugin)?,
            format!("nodes={nodes},socket={}", FILES[2]),
            format!("recording={recording},recorded={recorded}"),
            format!("clock={},tick={},speed={speed}", board.count, board.tick.get()),
            format!("end={},loss={loss},corrupt={corrupt},seed={seed}", end.ticks()),
        ];
        Ok(all.join(",") + &in_memory(member.memory()))
    }

    /// Starts all, carries their frames, and waits until all have ended.
    fn attend(
        &self,
        members: &[Member<'_>],
        booted: &mut [Booted],
        lines: Vec<UnixStream>,
        patience: HostDuration,
    ) -> Result<(Vec<ExitStatus>, Tally), BuildError> {
        let mut running = Running(Vec::new());
        for (one, member) in booted.iter_mut().zip(members) {
            // The command has our copy of the emulator's end of its line, so that the line ends when the emulator does.
            let child = one.command()?.spawn();
            running.0.push(child.map_err(|reason| failed(&member.what(), &reason.to_string()))?);
        }
        let awaited = Awaited::default();
        let machines = machines(members);
        let bus = Bus { schedule: self.schedule, links: self.links, machines: &machines, awaited: &awaited };
        std::thread::scope(|scope| {
            let carrying = scope.spawn(|| bus.carry(lines));
            let ended = running.wait(patience, || awaited.now());
            // Whoever still runs is ended, so that all lines end.
            drop(running);
            let broken = |reason: &str| failed("the bus between emulated nodes", reason);
            let carried = carrying.join().map_err(|_| broken("it stopped"))?;
            let tally = carried.map_err(|reason| broken(&reason.to_string()))?;
            match ended {
                Ok(statuses) => Ok((statuses, tally)),
                Err(Ended::Failed(number, status)) => {
                    Err(failed_alone(&members[number], booted.get(number), status))
                }
                Err(Ended::Late(number, waiting)) => Err(late(members, number, waiting, patience)),
                Err(Ended::Lost(reason)) => Err(broken(&reason.to_string())),
            }
        })
    }
}

impl Member<'_> {
    fn what(&self) -> String {
        let board = self.cores.first().map_or("board", |core| core.board.name);
        format!("the run of node `{}` on the emulated {board}", self.name)
    }

    /// The memory that its controller can read: that of all cores, one behind the other; nothing where the emulator
    /// keeps it for itself. Kernels of cores look at the parts of all that their board could have.
    fn memory(&self) -> Option<Interval> {
        let first = self.cores.first()?.board;
        let whole = Board::named(first.name).filter(|whole| *whole != first);
        let parts = whole.map_or(slice::from_ref(first), |whole| whole.cores);
        let each: Vec<_> = parts.iter().map(|part| part.shared).collect::<Option<_>>()?;
        let base = each.iter().map(|part| part.base).min()?;
        let limit = each.iter().map(|part| part.limit).max()?;
        Some(Interval::new(base, limit))
    }
}

/// For all nodes and cores, by their numbers, the number of the member that has them.
fn machines(members: &[Member<'_>]) -> Vec<usize> {
    let each = members.iter().enumerate();
    let mut all: Vec<_> = each
        .flat_map(|(machine, member)| member.cores.iter().map(move |core| (core.number, machine)))
        .collect();
    all.sort_unstable();
    all.into_iter().map(|(_, machine)| machine).collect()
}

/// A node's emulator failed while the others ran.
fn failed_alone(member: &Member<'_>, booted: Option<&Booted>, status: ExitStatus) -> BuildError {
    let said = booted.map(|one| std::fs::read_to_string(one.folder.join("messages.txt")).unwrap_or_default());
    failed(&member.what(), &format!("{status}\n{}", said.unwrap_or_default().trim()))
}

/// A node didn't come to its end in time: the one for which the bus waits, if it waits.
fn late(
    members: &[Member<'_>],
    number: usize,
    waiting: Option<Waiting>,
    patience: HostDuration,
) -> BuildError {
    let number = waiting.map_or(number, |waiting| waiting.machine);
    let mut reason = format!("it didn't come to the end of the run within {} s", patience.as_secs());
    if let Some(Waiting { due, frame, start, .. }) = waiting {
        let what = match due {
            Due::Send => "it was to send",
            Due::Take => "it was to take",
        };
        // A text has room for everything.
        let _ = write!(reason, "; {what} frame {frame}, whose slot begins {start} ns after the start");
    }
    match members.get(number) {
        Some(member) => failed(&member.what(), &reason),
        None => failed("the run of all nodes", &reason),
    }
}

/// Emulators that run. They are ended when this is dropped.
struct Running(Vec<Child>);

/// Why a run was ended before all came to their end.
enum Ended {
    /// One has failed.
    Failed(usize, ExitStatus),
    /// One is late.
    Late(usize, Option<Waiting>),
    /// One can't be asked.
    Lost(std::io::Error),
}

impl Running {
    /// Waits until all have ended well.
    fn wait(
        &mut self,
        patience: HostDuration,
        awaited: impl Fn() -> Option<Waiting>,
    ) -> Result<Vec<ExitStatus>, Ended> {
        let start = HostInstant::now();
        loop {
            let statuses = self.0.iter_mut().map(Child::try_wait).collect::<Result<Vec<_>, _>>();
            let statuses = statuses.map_err(Ended::Lost)?;
            for (number, status) in statuses.iter().enumerate() {
                if let Some(status) = status.filter(|status| !status.success()) {
                    return Err(Ended::Failed(number, status));
                }
            }
            let Some(running) = statuses.iter().position(Option::is_none) else {
                return Ok(statuses.into_iter().flatten().collect());
            };
            if start.elapsed() >= patience {
                return Err(Ended::Late(running, awaited()));
            }
            std::thread::sleep(HostDuration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has ended can't be ended, and there is nobody to tell.
            drop(child.kill().and_then(|()| child.wait()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::plan::BOARDS;

    /// Programs that stand for emulators.
    fn running(scripts: [&str; 2]) -> std::io::Result<Running> {
        let start = |script| Command::new("sh").args(["-c", script]).stdin(Stdio::piped()).spawn();
        Ok(Running(scripts.into_iter().map(start).collect::<Result<_, _>>()?))
    }

    fn member(name: &str) -> Member<'_> {
        let end = Instant::from_ticks(1);
        let (image, folder) = (PathBuf::new(), PathBuf::new());
        let core = Core { number: 0, name, board: &BOARDS[0], image, window: Vec::new(), speaks: true };
        Member { name, cores: vec![core], speed: 5, end, folder }
    }

    const LONG: HostDuration = HostDuration::from_secs(600);

    #[test]
    fn a_node_that_fails_ends_the_others() -> std::io::Result<()> {
        // The first waits for a word that nobody says.
        let mut both = running(["read word", "exit 3"])?;
        let ended = both.wait(LONG, || None);
        assert!(matches!(ended, Err(Ended::Failed(1, status)) if status.code() == Some(3)));
        let said = failed_alone(&member("right"), None, both.0[1].wait()?);
        assert_eq!(said.to_string(), "the run of node `right` on the emulated mps2-an385 failed");
        let other = both.0[0].id();
        drop(both);
        assert!(!Path::new(&format!("/proc/{other}")).exists(), "it has been ended, and waited for");
        Ok(())
    }

    #[test]
    fn the_node_for_which_the_bus_waits_is_the_late_one() -> std::io::Result<()> {
        let waiting = Waiting { machine: 1, due: Due::Send, frame: 7, start: 90_000 };
        let mut both = running(["read word", "read word"])?;
        let Err(Ended::Late(0, Some(awaited))) = both.wait(HostDuration::ZERO, || Some(waiting)) else {
            panic!("nobody is late");
        };
        let late = late(&[member("left"), member("right")], 0, Some(awaited), LONG);
        let BuildError::Step { what, output } = late else { panic!("{late:?}") };
        assert_eq!(what, "the run of node `right` on the emulated mps2-an385");
        let expected = "it didn't come to the end of the run within 600 s; it was to send frame 7, whose slot begins \
                        90000 ns after the start";
        assert_eq!(output, expected);
        Ok(())
    }

    #[test]
    fn all_that_end_well_are_well() -> std::io::Result<()> {
        let ended = running(["exit 0", "exit 0"])?.wait(LONG, || None);
        assert!(ended.is_ok_and(|statuses| statuses.len() == 2));
        Ok(())
    }
}
