//! What a crash record says with the linked program and the plan beside it: where the thread was, who called, and what it
//! could reach.

use beryl_abi::FaultKind;
use beryl_trace::crashes::{Crash, Registers};

use crate::board::Rights;
use crate::board::code::{Frame, Image, Lines, image};
use crate::faulted;
use crate::interval::Interval;
use crate::plan::in_words;
use crate::project::Project;

/// A call that hadn't returned yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Where it is.
    pub frame: Frame,
    /// How often it stands there in a row: more than once where a function calls itself.
    pub times: usize,
}

/// Where the thread was, and the calls that led there, innermost first, as far as the stack tells. Nothing on a stack
/// says which words are return addresses: it may be any that points behind a call in the process's own code. One that a
/// function has left behind is among them, and one further up than the record reaches isn't.
#[must_use]
pub fn calls(elf: &[u8], crash: &Crash, registers: &Registers) -> (Option<Frame>, Vec<Caller>) {
    let Ok(file) = image::parse(elf) else { return (None, Vec::new()) };
    let (Ok(lines), Ok(image)) = (Lines::new(&file), Image::new(&file)) else { return (None, Vec::new()) };
    let words = crash.link(registers).into_iter().chain(crash.stack.iter().copied());
    let returns = words.filter_map(|word| image.returned_to(word));
    let own = |address| lines.frames(address).into_iter().filter(faulted::is_own);
    let inner = crash.instruction(registers).into_iter().flat_map(own);
    let mut frames = inner.chain(returns.flat_map(|address| own(address.wrapping_sub(2))));
    // Without a frame, and in the handler of panics, the innermost call is the best that is known.
    let place = frames.next();
    let mut callers: Vec<Caller> = Vec::new();
    for frame in frames {
        match callers.last_mut() {
            Some(last) if last.frame == frame => last.times += 1,
            _ => callers.push(Caller { frame, times: 1 }),
        }
    }
    (place, callers)
}

/// A region that the thread could reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// What it is.
    pub name: String,
    /// Where it is.
    pub interval: Interval,
    /// What the thread could do there.
    pub rights: &'static str,
}

/// The regions that were on while a thread ran, beside the code of all processes.
#[must_use]
pub fn regions(project: &Project, thread: usize) -> Vec<Reached> {
    let (assembly, plan) = (&project.assembly, &project.plan);
    let Some(row) = assembly.threads.get(thread) else { return Vec::new() };
    let Some(process) = plan.processes.get(row.process) else { return Vec::new() };
    let reached = |name: String, interval: Interval, rights: Rights| Reached {
        name,
        interval,
        rights: in_words(rights),
    };
    let stack = plan.stacks.iter().find(|stack| stack.thread == row.name);
    let stack = stack.map(|stack| {
        reached(format!("stack of {}", row.name), stack.block.region.interval, Rights::ReadWrite)
    });
    let memory = process.memory.region;
    let own = reached(format!("memory of {}", process.name), memory.interval, memory.rights);
    let states = reached(
        format!("state messages of {}", process.name),
        process.states.interval,
        process.states.rights,
    );
    let name = |position: usize| plan.shared.get(position).map_or("", |shared| shared.name.as_str());
    let shared = process.shared.iter().map(|(position, region)| {
        reached(format!("region {}", name(*position)), region.interval, region.rights)
    });
    let devices = process
        .devices
        .iter()
        .map(|(device, region)| reached(format!("device {}", device.name), region.interval, region.rights));
    let published =
        reached("published values".to_owned(), plan.published.region.interval, plan.published.region.rights);
    let all = stack.into_iter().chain([own, states]).chain(shared).chain(devices).chain([published]);
    all.filter(|region| !region.interval.is_empty()).collect()
}

/// What to do about a fault: what the address is, or what the stack lacks.
#[must_use]
pub fn advice(project: &Project, thread: usize, kind: FaultKind, address: u32) -> Option<String> {
    let row = project.assembly.threads.get(thread)?;
    let process = project.assembly.processes.get(row.process)?;
    match kind {
        FaultKind::StackOverflow => {
            let stack = project.plan.stacks.iter().find(|stack| stack.thread == row.name)?;
            let bytes = stack.block.region.interval.length().get();
            Some(format!(
                "the stack of `{}` has {bytes} bytes: give it more, or have it call less deep (`beryl build` prints what is used)",
                row.name
            ))
        }
        _ if address == 0 => None,
        _ => faulted::advice(project, &process.name, address),
    }
}
