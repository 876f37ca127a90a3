//! Whether stacks are large enough for the deepest way through the linked programs.
//!
//! ```text
//!   declared  |<-------------------------------------------------------->|
//!             | shared words | deepest way through the code | exception |
//! ```
//! Where the code doesn't tell (recursion, calls through registers), the declared size counts, and that is said.

use std::collections::BTreeMap;

use crate::assembly::{Assembly, Role, Thread};
use crate::board::code::stack::Stacks;
use crate::board::code::{Image, ImageError, image};
use crate::emit::process::entry;
use crate::error::BuildError;
use crate::plan::SHARED_WORDS;
use crate::project::Project;

/// A thread's stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// The thread.
    pub thread: String,
    /// Where the description says how large it is. Nothing if the builder decides.
    pub declared_at: Option<String>,
    /// Its size in bytes.
    pub declared: u32,
    /// What the processor itself pushes there, in bytes.
    pub exception: u32,
    /// What it needs.
    pub need: Need,
}

/// What a stack needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// So many bytes at most, with an exception and what is shared with the kernel.
    Computed(u32),
    /// What the description says, since the code doesn't tell, for this reason.
    Declared(String),
}

impl Stack {
    fn shortage(&self) -> Option<(u32, String)> {
        let Need::Computed(bytes) = self.need else { return None };
        let message = || {
            format!(
                "the stack of thread `{}` has {} bytes and can need {bytes}: {} on the deepest way through its code, \
                 {} for an exception and {SHARED_WORDS} that it shares with the kernel",
                self.thread,
                self.declared,
                bytes.saturating_sub(self.exception + SHARED_WORDS),
                self.exception,
            )
        };
        (bytes > self.declared).then(|| (bytes.next_multiple_of(32), message()))
    }
}

/// All stacks of a process, whose linked program is `elf`.
///
/// # Errors
/// A program that can't be read.
pub fn of_process(project: &Project, process: usize, elf: &[u8]) -> Result<Vec<Stack>, BuildError> {
    let (assembly, processor) = (&project.assembly, project.plan.board.processor);
    let threads = assembly.threads.iter().filter(|thread| thread.process == process);
    let row = |thread: &Thread, need: Need| Stack {
        thread: thread.name.clone(),
        declared_at: declared_at(assembly, thread),
        declared: thread.stack.get(),
        exception: processor.exception_frame,
        need,
    };
    if !processor.is_read {
        let reason = format!("these tools don't read the machine code of {}", processor.name);
        return Ok(threads.map(|thread| row(thread, Need::Declared(reason.clone()))).collect());
    }
    let unreadable = |reason: ImageError| BuildError::Step {
        what: format!("reading process `{}`", assembly.processes[process].name),
        output: reason.to_string(),
    };
    let file = image::parse(elf).map_err(unreadable)?;
    let image = Image::new(&file).map_err(unreadable)?;
    let mut stacks = Stacks::new(&image, &drivers(assembly, process, &image)).map_err(unreadable)?;
    let mut need = |thread: &Thread| match stacks.depth(&entry(thread)) {
        Ok(bytes) => Need::Computed(bytes.saturating_add(processor.exception_frame + SHARED_WORDS)),
        Err(reason) => Need::Declared(reason.to_string()),
    };
    Ok(threads.map(|thread| row(thread, need(thread))).collect())
}

/// Refuses stacks that are too small.
///
/// # Errors
/// Which, by how much, and what to write.
pub fn check(stacks: &[Stack]) -> Result<(), BuildError> {
    let short: Vec<_> = stacks.iter().filter_map(|stack| Some((stack, stack.shortage()?))).collect();
    if short.is_empty() {
        return Ok(());
    }
    let message = short.iter().map(|(_, (_, message))| message.as_str()).collect::<Vec<_>>().join("\n");
    let proposals = short.iter().filter_map(|(stack, (bytes, _))| {
        stack.declared_at.as_ref().map(|place| format!("write {}", place.replace("SIZE", &bytes.to_string())))
    });
    let proposal = proposals.collect::<Vec<_>>().join("\n");
    Err(BuildError::Limit { message, proposal })
}

fn declared_at(assembly: &Assembly, thread: &Thread) -> Option<String> {
    let name = match thread
        .name
        .contains(|character: char| !character.is_ascii_alphanumeric() && character != '_')
    {
        true => format!("{:?}", thread.name),
        false => thread.name.clone(),
    };
    match thread.role {
        Role::Task(_) => Some(format!("`stack = \"SIZE\"` in [task.{name}]")),
        Role::Free { .. } | Role::Periodic(_) => Some(format!("`stack = \"SIZE\"` in [thread.{name}]")),
        Role::Drivers => {
            let process = &assembly.processes[thread.process].name;
            Some(format!("`driver_stack = \"SIZE\"` in [process.{process}]"))
        }
        Role::Idle => None,
    }
}

/// The functions that the loop of a driver thread calls through its table, wherever the compiler has put them. Nothing
/// unless all of them are found.
fn drivers(assembly: &Assembly, process: usize, image: &Image<'_>) -> BTreeMap<String, Vec<String>> {
    let row = &assembly.processes[process];
    let Some(thread) = assembly.threads_of(process).find(|thread| matches!(thread.role, Role::Drivers))
    else {
        return BTreeMap::new();
    };
    let named = |number: usize| image.names_ending(&format!("::glue::driver_{number}"));
    let functions: Vec<_> = (0..row.functions.len()).map(named).collect();
    if functions.iter().any(Vec::is_empty) {
        return BTreeMap::new();
    }
    let functions = functions.concat();
    let loops = [vec![entry(thread)], image.names_ending("beryl_user::drivers::run")].concat();
    loops.into_iter().map(|name| (name, functions.clone())).collect()
}
