//! What a debugger is told of a system: symbols, names, threads and the time.
//!
//! It is a script in gdb's own language, since not every gdb has another one. Threads are found by what the port keeps of
//! each: a stack pointer, always as many words apart, as the processor's [`Kept`] says. The plan says which
//! stack is whose, and the image isn't another one for being debugged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use beryl_abi::CallNumber;

use crate::assembly::{Role, Thread};
use crate::board::Counts;
use crate::board::code::{Image, ImageError, Lines, image};
use crate::board::processor::Kept;
use crate::emit::identifier;
use crate::emit::process::entry;
use crate::error::BuildError;
use crate::image::Built;
use crate::project::Project;
use crate::workshop::Workshop;

/// Debuggers for the board's processor, the first that is there.
pub const DEBUGGERS: [&str; 2] = ["gdb-multiarch", "arm-none-eabi-gdb"];

/// The script with which a debugger begins. `emulator` is what starts the board, a line for a shell; in `scratch` it leaves
/// what is printed.
///
/// # Errors
/// A linked program can't be read.
pub fn script(
    project: &Project,
    built: &Built,
    workshop: &Workshop,
    emulator: &str,
    scratch: &Path,
) -> Result<String, BuildError> {
    let folder = workshop.folder(&project.assembly.name);
    let mut text = format!(
        "# How gdb sees system `{}`. Written by beryl; changes are lost.\nset confirm off\nset pagination off\n\
         set architecture {}\nset $beryl_word = (unsigned int *)0\nset $beryl_half = (unsigned short *)0\nsymbol-file {}\n",
        project.assembly.name,
        kept(project).architecture,
        absolute(&built.kernel)?,
    );
    let (mut places, mut entries) = (BTreeMap::new(), BTreeMap::new());
    for (process, row) in project.assembly.processes.iter().enumerate() {
        let file = folder.join(format!("{}.elf", row.name));
        text += &format!("add-symbol-file {}\n", absolute(&file)?);
        functions(project, process, &file, &mut places, &mut entries)?;
    }
    // The processor may be in user mode, which sees less than its debugger has to.
    text += &format!("target remote | {emulator}\nmaintenance packet Qqemu.PhyMemMode:1\n");
    for (name, address) in &places {
        text += &format!("set $at_{name} = {address:#x}\n");
    }
    text += &commands(project, &entries).replace("@FOLDER@", &absolute(scratch)?);
    text += "echo beryl: stopped before the first instruction; beryl-help says what there is besides gdb's own words\\n\n";
    Ok(text)
}

/// What the port keeps of threads.
fn kept(project: &Project) -> &'static Kept {
    project.description.board.board.value.processor.kept
}

fn absolute(path: &Path) -> Result<String, BuildError> {
    let path = path.canonicalize().map_err(|reason| BuildError::file("find", path, reason))?;
    Ok(path.display().to_string())
}

/// Where the native functions of a process begin, also where the compiler has put them into line: the lowest address.
/// And where its threads do.
fn functions(
    project: &Project,
    process: usize,
    file: &Path,
    places: &mut BTreeMap<String, u32>,
    entries: &mut BTreeMap<usize, u32>,
) -> Result<(), BuildError> {
    let unreadable = |reason: ImageError| BuildError::Step {
        what: "reading a linked program".to_owned(),
        output: reason.to_string(),
    };
    let elf = fs::read(file).map_err(|reason| BuildError::file("read", file, reason))?;
    let parsed = image::parse(&elf).map_err(unreadable)?;
    let (image, lines) = (Image::new(&parsed).map_err(unreadable)?, Lines::new(&parsed).map_err(unreadable)?);
    let threads = project.assembly.threads.iter().enumerate();
    let threads: Vec<_> = threads.filter(|(_, thread)| thread.process == process).collect();
    for (number, thread) in &threads {
        let address = image.addresses(&entry(thread)).unwrap_or_default().first();
        entries.extend(address.map(|address| (*number, *address)));
    }
    let native = threads.iter().filter_map(|(_, thread)| thread.function());
    let drivers = project.assembly.processes[process].functions.iter().map(|row| row.name.as_str());
    let names: Vec<&str> = native.chain(drivers).collect();
    for (address, _) in image.half_words() {
        for frame in lines.frames(address) {
            let function = frame.function.unwrap_or_default();
            let last = function.rsplit("::").next().unwrap_or_default();
            if names.contains(&last) {
                places.entry(identifier(last)).or_insert(address);
            }
        }
    }
    Ok(())
}

/// The commands that know the system: what there is in `debugged/commands.gdb`, with its names and places. Expressions mean
/// the same in C and in Rust, since gdb reads them as the language of the code at which the board has stopped.
fn commands(project: &Project, entries: &BTreeMap<usize, u32>) -> String {
    let (board, ram, port) = (project.description.board.board.value, project.plan.kernel.ram, kept(project));
    let threads = project.assembly.threads.len();
    let calls: String = CallNumber::ALL
        .iter()
        .map(|call| format!("  if $arg0 == {}\n    printf \"in {call:?}\"\n  end\n", number(*call)))
        .collect();
    let rows: String = (0..threads).map(|thread| row(project, thread, entries)).collect();
    let all: Vec<_> = (0..threads).map(|thread| inside(project, thread)).collect();
    let length = port.length.saturating_mul(u32::try_from(threads).unwrap_or(u32::MAX));
    let values = [
        ("@CALLS@", calls),
        ("@ROWS@", rows),
        ("@ALL@", all.join(" && ")),
        ("@THREADS@", threads.to_string()),
        ("@CONTEXT@", port.length.to_string()),
        ("@FIRST@", format!("{:#x}", ram.base)),
        ("@LAST@", format!("{:#x}", ram.limit.saturating_sub(length))),
        ("@COUNT@", format!("{:#x}", board.count)),
        ("@DOWN@", u8::from(board.counts == Counts::Down).to_string()),
        ("@TICKS@", (1_000 / board.tick.get().max(1)).to_string()),
    ];
    values.iter().fold(port.commands.to_owned() + COMMANDS, |text, (name, value)| text.replace(name, value))
}

/// What a call has left in its first register where it waits.
fn number(call: CallNumber) -> u32 {
    call as u32
}

const COMMANDS: &str = include_str!("debugged/commands.gdb");

/// Whether what stands at `$beryl_at` for a thread is a place in its stack.
fn inside(project: &Project, thread: usize) -> String {
    let (stack, kept) = (project.places.stacks[thread], kept(project));
    let word =
        format!("*($beryl_word + $beryl_at + {} + {} * {thread})", kept.stack_pointer, kept.length / 4);
    let last = stack.address.saturating_add(stack.length);
    format!("{word} >= {:#x} && {word} <= {last:#x}", stack.address)
}

fn row(project: &Project, thread: usize, entries: &BTreeMap<usize, u32>) -> String {
    let (row, stack) = (&project.assembly.threads[thread], project.places.stacks[thread]);
    let (first, last) = (stack.address, stack.address.saturating_add(stack.length));
    let entry = entries.get(&thread).copied().unwrap_or_default();
    format!(
        "    printf \"{thread:3}  {:<24} {:<22} \"\n    beryl-row {thread} {first:#x} {last:#x} {entry:#x}\n",
        row.name,
        place(project, row),
    )
}

/// Where it stands among the others, as it begins.
fn place(project: &Project, thread: &Thread) -> String {
    let band = project.assembly.bands.get(thread.band).map_or("", |band| band.name.as_str());
    match thread.role {
        Role::Idle => "below all bands".to_owned(),
        Role::Drivers => "above all bands".to_owned(),
        _ => format!("{band} {}", thread.place),
    }
}
