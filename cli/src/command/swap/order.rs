//! An order: which program, when, and with which key.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use beryl_abi::{ProcessId, SlotId, process_image};
use beryl_builder::emit::container::containers;
use beryl_builder::emit::replaceable::layout;
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{Identity, Project};
use beryl_link::Command;
use beryl_syscode::refused::Shown;
use beryl_syscode::{Condition, Container};
use ed25519_compact::SecretKey;

use super::Swap;
use super::session::Exchange;
use crate::broken;
use crate::command::keygen;

/// What the command line orders.
#[derive(Clone)]
pub struct Order {
    key: SecretKey,
    slot: u8,
    program: Vec<u8>,
    orders: Vec<(Command, u64)>,
    /// Whether it is about a process, not about a module's program.
    pub is_about_process: bool,
    /// The line's speed in bits a second.
    pub baud: u32,
}

impl Order {
    /// Finds the program, its slot and the key.
    pub fn of(swap: &Swap, project: &Project) -> anyhow::Result<Order> {
        let (slot, program) = match (&swap.program, &swap.previous) {
            (Some(path), _) => program(project, path)?,
            (None, module) => (slot_of(project, module.as_deref().unwrap_or_default())?, Vec::new()),
        };
        let path = swap.key.clone().unwrap_or_else(|| swap.system.folder.join("link.key"));
        let key = keygen::read(&path)?;
        let tick = project.description.board.board.tick;
        let first = if swap.program.is_some() { Command::Swap } else { Command::Back };
        let mut orders = vec![(first, ticks(swap.at, tick)?)];
        if let Some(back) = swap.back {
            if swap.at.is_some_and(|at| at >= back) {
                return Err(anyhow!("`--back` comes before `--at`: there is nothing to go back from then"));
            }
            orders.push((Command::Back, ticks(Some(back), tick)?));
        }
        let is_about_process = SlotId(slot).process().is_some();
        Ok(Order { key: key.sk, slot, program, orders, is_about_process, baud: swap.baud })
    }

    /// A run that shows why the program was refused, if there is one.
    pub fn why(&self, project: &Project, shown: Shown) -> String {
        broken::shown(project, self.slot.into(), &self.program, shown)
    }

    /// How far apart programs may take over on two machines. If the program waits for interrupts or
    /// completions, its periods end when these come, and kernels need time for that while a simulation
    /// doesn't. Events of one program come at least a grain of its slot apart, so anything closer than half a
    /// grain is the same event. `None` if the clock alone sets the instants.
    pub fn leeway(&self, project: &Project) -> Option<u64> {
        let container = Container::read(&self.program).ok()?;
        let is_event = |condition| matches!(condition, Condition::Interrupt(_) | Condition::Completed(_));
        let supply = project.supplies.get(usize::from(self.slot))?;
        container.conditions().any(is_event).then(|| u64::from(supply.grain) / 2)
    }

    /// The same order at other instants: each `lead` ticks before its program is to take over.
    pub fn at_instants(&self, taken_over: &[u64], lead: u64) -> Order {
        let mut moved = self.clone();
        for ((_, at), instant) in moved.orders.iter_mut().zip(taken_over) {
            *at = instant.saturating_sub(lead).max(1);
        }
        moved
    }

    /// The same for a session with a board that runs this image.
    pub fn plan(&self, identity: Identity) -> Exchange {
        Exchange {
            key: self.key.clone(),
            identity: beryl_link::Identity(identity.0),
            slot: self.slot,
            program: self.program.clone(),
            orders: self.orders.clone(),
        }
    }
}

/// An instant in ticks. 0 means as soon as possible, so an order for the start itself gets the first tick.
fn ticks(instant: Option<Nanoseconds>, tick: Nanoseconds) -> anyhow::Result<u64> {
    /// A day: an order for later is probably a typo, and would stay pending for as long.
    const LONGEST: Nanoseconds = Nanoseconds::new(86_400_000_000_000);
    match instant {
        None => Ok(0),
        Some(instant) if instant > LONGEST => Err(anyhow!("an order is for a day ahead at most")),
        Some(instant) => Ok(instant.rounded_up(tick).ticks().max(1)),
    }
}

/// The slot and the container of the named program.
fn program(project: &Project, path: &Path) -> anyhow::Result<(u8, Vec<u8>)> {
    if path.extension().is_some_and(|ending| ending == "brp") {
        return process(project, path);
    }
    if project.assembly.objects.slots.is_empty() {
        return Err(no_slot(project));
    }
    if path.extension().is_some_and(|ending| ending == "bsc") {
        return container(project, path);
    }
    let places = [path.to_owned(), project.folder.join(path)];
    let alternatives = project.assembly.alternatives.iter();
    let is_named = |file: &str| {
        let known = real(&project.folder.join(file));
        known.is_some() && places.iter().any(|place| real(place) == known)
    };
    let found = alternatives.clone().position(|row| is_named(&row.file));
    let files: Vec<_> = alternatives.map(|row| format!("`{}`", row.file)).collect();
    let Some(index) = found else {
        return Err(anyhow!(
            "{} isn't among the programs that a slot of {} names, which are {}; add it to `programs` in \
             [slot.<module>], so that all that it needs is in the image",
            path.display(),
            project.assembly.name,
            if files.is_empty() { "none".to_owned() } else { files.join(", ") }
        ));
    };
    let row = &project.assembly.alternatives[index];
    let slot = row.body.slot.and_then(|slot| u8::try_from(slot).ok()).context("its module has no slot")?;
    // The modules' own containers come first.
    let others = containers(project).into_iter().skip(project.programs.len());
    let (_, bytes) = others.into_iter().nth(index).context("it has no system code")?;
    Ok((slot, bytes))
}

/// Reads a container from a file; its module determines the slot.
fn container(project: &Project, path: &Path) -> anyhow::Result<(u8, Vec<u8>)> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let container = Container::read(&bytes).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    let module = container.names().next().unwrap_or_default();
    let slot = slot_of(project, module).with_context(|| format!("{} can't be sent", path.display()))?;
    Ok((slot, bytes))
}

/// Reads a process from a file; what it has in common with the image says which it is.
fn process(project: &Project, path: &Path) -> anyhow::Result<(u8, Vec<u8>)> {
    let bytes = fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let own = [process_image::offset::LAYOUT, process_image::offset::LAYOUT + 4].map(|at| word(&bytes, at));
    let replaceable = &project.assembly.objects.replaceable;
    let found = replaceable.iter().find(|row| layout(project, row.process).map(Some) == own);
    let process = found.and_then(|row| u8::try_from(row.process).ok()).with_context(|| {
        format!(
            "{} was made for another image than that of {}, or is no process: `beryl build --process` makes one",
            path.display(),
            project.assembly.name
        )
    })?;
    Ok((SlotId::of_process(ProcessId(process)).0, bytes))
}

/// A word of a file.
fn word(bytes: &[u8], at: u32) -> Option<u32> {
    let at = usize::try_from(at).ok()?;
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

/// The slot of a module.
pub fn slot_of(project: &Project, module: &str) -> anyhow::Result<u8> {
    if let Some(process) = replaceable(project, module) {
        return Ok(SlotId::of_process(process).0);
    }
    let slots = &project.assembly.objects.slots;
    let slot = slots.iter().position(|slot| slot.name == module).and_then(|slot| u8::try_from(slot).ok());
    let names: Vec<_> = slots.iter().map(|slot| format!("`{}`", slot.name)).collect();
    match slot {
        Some(slot) => Ok(slot),
        None if slots.is_empty() => Err(no_slot(project)),
        None => Err(anyhow!(
            "module `{module}` has no slot in {}; those with one: {}",
            project.assembly.name,
            names.join(", ")
        )),
    }
}

/// A process that can be replaced, by its name.
fn replaceable(project: &Project, name: &str) -> Option<ProcessId> {
    let rows = project.assembly.objects.replaceable.iter();
    let found =
        rows.map(|row| row.process).find(|process| project.assembly.processes[*process].name == name)?;
    u8::try_from(found).ok().map(ProcessId)
}

fn no_slot(project: &Project) -> anyhow::Error {
    anyhow!(
        "no module of {} has a slot; add a section [slot.<module>] to its beryl.toml, as examples/landing has one",
        project.assembly.name
    )
}

fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}
