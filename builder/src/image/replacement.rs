//! A process alone, for a running system: linked for each of its rooms, with the numbers by which the kernel sees that
//! it fits.

use std::path::PathBuf;

use beryl_abi::process_image::{self, ENTRY, HEAD, STRETCH, STRETCHES};

use super::placing::Site;
use super::process::ProcessImage;
use super::{Alone, Objects, cargo, same_bits, sources, window};
use crate::board::Image;
use crate::emit::identifier;
use crate::emit::process::entry;
use crate::emit::replaceable::layout;
use crate::error::BuildError;
use crate::footprint::Sizes;
use crate::plan::Failure;
use crate::project::Project;
use crate::stacks::{self, Stack};
use crate::toolchain::Toolchain;
use crate::workshop::{Workshop, lock_versions, replace};

/// Rooms of a process that can be replaced.
const ROOMS: [usize; 2] = [1, 2];
/// What code begins at a multiple of.
const ALIGNMENT: u32 = 8;

/// A process for a running system.
#[derive(Clone, Debug)]
pub struct Replacement {
    /// What is sent: one file for each room.
    pub files: Vec<PathBuf>,
    /// The bytes of the larger one.
    pub bytes: usize,
    /// The bytes of a room.
    pub room: u32,
    /// How large the stacks of its threads are, and what they need.
    pub stacks: Vec<Stack>,
}

/// Builds a process alone. The image that runs, and what is kept of it, stay as they are.
///
/// # Errors
/// What the compiler says about the application; what doesn't fit the room, the memory or the stacks that the image has.
pub fn replacement(
    project: &Project,
    workshop: &Workshop,
    process: usize,
    mut step: impl FnMut(&str),
) -> Result<Replacement, BuildError> {
    let toolchain = Toolchain::find(project.plan.board.processor.target)?;
    let folder = workshop.folder(&project.assembly.name);
    let _alone = Alone::in_folder(&folder)?;
    workshop.write(&project.assembly.name, &sources(project, workshop)?)?;
    lock_versions(&folder.join("image"))?;
    let objects = Objects::compiled(project, workshop)?;
    step("compiling the process");
    cargo(project, workshop, "process", &[process])?;
    step("linking it for its rooms");
    let site = Site { project, workshop, toolchain: &toolchain, objects: &objects };
    let mut replacement = Replacement { files: Vec::new(), bytes: 0, room: 0, stacks: Vec::new() };
    for (room, address) in ROOMS.into_iter().zip(project.plan.processes[process].room_addresses()) {
        let (bytes, stacks) = site.for_room(process, room, address)?;
        let file = folder.join(file_name(project, process, room));
        replace(&file, &bytes)?;
        replacement.bytes = replacement.bytes.max(bytes.len());
        replacement.files.push(file);
        replacement.stacks = stacks;
    }
    replacement.room = project.assembly.processes[process].room.get();
    Ok(replacement)
}

/// The name of the file with the process for one of its rooms.
fn file_name(project: &Project, process: usize, room: usize) -> String {
    format!("{}.{room}.brp", identifier(&project.assembly.processes[process].name))
}

impl Site<'_> {
    /// The process for a room, and what its stacks need.
    fn for_room(
        &self,
        process: usize,
        room: usize,
        address: u32,
    ) -> Result<(Vec<u8>, Vec<Stack>), BuildError> {
        let head = head(self.project);
        let stem = format!("{}.{room}", identifier(&self.project.assembly.processes[process].name));
        let linked = self.link_process(process, &stem, address.saturating_add(head))?;
        same_bits::check(std::slice::from_ref(&linked))?;
        window::check(self.project, process, &linked)?;
        let stacks = stacks::of_process(self.project, process, linked.elf())?;
        stacks::check(&stacks)?;
        self.has_memory(process, &linked)?;
        let bytes = assembled(self.project, process, &linked, address)?;
        Ok((bytes, stacks))
    }

    /// Its variables have room in the memory that the process has.
    fn has_memory(&self, process: usize, linked: &ProcessImage) -> Result<(), BuildError> {
        let sizes = linked.linked();
        let row = &self.project.assembly.processes[process];
        let needed = u64::from(sizes.data.get()) + u64::from(sizes.zeros.get());
        match needed <= row.memory.get().into() {
            true => Ok(()),
            false => Err(BuildError::Limit {
                message: Failure::ProcessTooLarge { process: row.name.clone(), limit: row.memory, needed }
                    .to_string(),
                proposal: "make them smaller: the image that runs has no more memory for them".to_owned(),
            }),
        }
    }
}

/// Bytes before the code.
fn head(project: &Project) -> u32 {
    let threads = u32::try_from(Sizes::of(&project.assembly).threads).unwrap_or(u32::MAX);
    let rows = threads.saturating_mul(ENTRY).saturating_add(u32::from(STRETCHES) * STRETCH);
    HEAD.saturating_add(rows).next_multiple_of(ALIGNMENT)
}

/// All that is sent: the numbers, then what the linked process has in flash.
fn assembled(
    project: &Project,
    process: usize,
    linked: &ProcessImage,
    address: u32,
) -> Result<Vec<u8>, BuildError> {
    let row = &project.assembly.processes[process];
    let room = usize::try_from(row.room.get()).unwrap_or(usize::MAX);
    let length = linked.end().saturating_sub(address).next_multiple_of(ALIGNMENT);
    let bytes = usize::try_from(length).unwrap_or(usize::MAX);
    if bytes > room {
        return Err(BuildError::Limit {
            message: format!("process `{}` has {bytes} bytes, each of its rooms {room}", row.name),
            proposal: format!(
                "make it smaller; or raise `replaceable` in [process.{}] to \"{}k\", which makes another image",
                row.name,
                bytes.div_ceil(1024)
            ),
        });
    }
    let mut words = vec![process_image::MAGIC, process_image::VERSION, length, address];
    words.extend(layout(project, process));
    let entries = entries(project, process, linked)?;
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    words.extend([count | u32::from(STRETCHES) << 16, 0]);
    words.extend(entries);
    for Image { load, address, length, zeros } in stretches(project, process, linked)? {
        words.extend([load, address, length, zeros]);
    }
    let mut bytes = vec![0; bytes];
    put(&mut bytes, 0, &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
    for (at, part) in linked.loads() {
        put(&mut bytes, at.saturating_sub(address), part);
    }
    let sum = checksum(&bytes);
    put(&mut bytes, process_image::offset::CHECKSUM, &sum.to_le_bytes());
    Ok(bytes)
}

/// Puts bytes where they belong, as far as there is room.
fn put(bytes: &mut [u8], at: u32, part: &[u8]) {
    let places = bytes.iter_mut().skip(usize::try_from(at).unwrap_or(usize::MAX));
    places.zip(part).for_each(|(place, byte)| *place = *byte);
}

/// Where the threads of the process begin, by the kernel's table.
fn entries(project: &Project, process: usize, linked: &ProcessImage) -> Result<Vec<u32>, BuildError> {
    let threads = project.assembly.threads.iter().map(|thread| match thread.process == process {
        true => linked.symbol(&entry(thread)),
        false => Ok(0),
    });
    let mut entries = threads.collect::<Result<Vec<_>, _>>()?;
    entries.resize(Sizes::of(&project.assembly).threads, 0);
    Ok(entries)
}

/// What the memory of the process starts with: its ports, then its variables.
fn stretches(project: &Project, process: usize, linked: &ProcessImage) -> Result<[Image; 2], BuildError> {
    let place = &project.plan.processes[process];
    let length = place.ports.length().get();
    let load = if length > 0 { linked.symbol("BERYL_PORTS")? } else { 0 };
    let ports = Image { load, address: place.ports.base, length, zeros: 0 };
    Ok([ports, linked.variables(place.bss.limit)])
}

/// The checksum of whole words behind its own place.
fn checksum(bytes: &[u8]) -> u32 {
    let words = bytes.chunks_exact(4).skip(usize::try_from(HEAD / 4).unwrap_or(usize::MAX));
    let words = words.filter_map(|word| word.try_into().ok()).map(u32::from_le_bytes);
    words.fold(process_image::NO_WORDS, process_image::and_word)
}
