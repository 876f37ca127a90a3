//! Whether stacks are large enough for the deepest way through the linked programs.
//!
//! ```text
//!   declared  |<-------------------------------------------------------->|
//!             | shared words | deepest way through the code | exception |
//! ```
//! Where the code doesn't tell (recursion, calls through registers), the declared size counts, and that is said.

use std::collections::BTreeMap;

use beryl_abi::Range;

use crate::assembly::{Assembly, Role, Thread};
use crate::board::Processor;
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
    /// What is at its end: the words that its thread shares with the kernel, and what is left over below them to where it
    /// may begin.
    pub shared: u32,
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
        let exception = match self.exception {
            0 => ",".to_owned(),
            bytes => format!(", {bytes} for an exception"),
        };
        let message = || {
            format!(
                "the stack of thread `{}` has {} bytes and can need {bytes}: {} on the deepest way through its \
                 code{exception} and {} that it shares with the kernel",
                self.thread,
                self.declared,
                bytes.saturating_sub(self.exception + self.shared),
                self.shared,
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
    let threads = assembly.threads.iter().zip(&project.places.stacks);
    let threads = threads.filter(|(thread, _)| thread.process == process);
    let unreadable = |reason: ImageError| BuildError::Step {
        what: format!("reading process `{}`", assembly.processes[process].name),
        output: reason.to_string(),
    };
    let file = image::parse(elf).map_err(unreadable)?;
    let image = Image::new(&file).map_err(unreadable)?;
    let mut stacks = Stacks::new(&image, &drivers(assembly, process, &image)).map_err(unreadable)?;
    let row = |(thread, place): (&Thread, &Range)| {
        let exception = processor.exception_frame;
        let shared = shared(*place, processor);
        let need = match stacks.depth(&entry(thread)) {
            Ok(bytes) => Need::Computed(bytes.saturating_add(exception + shared)),
            Err(reason) => Need::Declared(reason.to_string()),
        };
        let (name, declared_at) = (thread.name.clone(), declared_at(assembly, thread));
        Stack { thread: name, declared_at, declared: thread.stack.get(), exception, shared, need }
    };
    Ok(threads.map(row).collect())
}

/// The bytes at the end of a stack that its thread doesn't use alone.
fn shared(place: Range, processor: &Processor) -> u32 {
    let words = place.address.saturating_add(place.length).saturating_sub(SHARED_WORDS);
    SHARED_WORDS + words % processor.stack_alignment
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
